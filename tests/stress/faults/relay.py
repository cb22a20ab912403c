"""A network between two ends that stalls, cuts connections, and swallows questions and answers."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path
from typing import Literal

Mode = Literal["pass", "cut", "half", "swallow", "stall", "refuse"]
HOST = "127.0.0.1"
PIECE = 1 << 16


class Relay:
    """Listen at a port of this machine, or at the socket *at*, and pass everything on to *to*.

    ``mode`` is what it does with the next piece: ``pass`` it on; ``cut`` the connection instead;
    pass on ``half`` of a question and cut; ``swallow`` the answer and cut; ``stall`` until the mode
    changes; ``refuse`` new connections.
    """

    def __init__(self, to: tuple[str, int] | Path, at: Path | None = None) -> None:
        self.to = to
        self.mode: Mode = "pass"
        self.met = 0
        """How many pieces did not pass."""
        self._free = threading.Event()
        self._free.set()
        self._open: set[socket.socket] = set()
        if at is None:
            self._listener = socket.create_server((HOST, 0), backlog=64)
            self.port: int = self._listener.getsockname()[1]
        else:
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(str(at))
            self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, mode: Mode) -> None:
        """Change the mode; ``cut`` ends the open connections too."""
        self.mode = mode
        if mode == "stall":
            self._free.clear()
        else:
            self._free.set()
        if mode == "cut":
            for end in list(self._open):
                self.met += 1
                self._reset(end)

    def close(self) -> None:
        self._listener.close()
        self.set("cut")

    def _accept(self) -> None:
        while True:
            try:
                near = self._listener.accept()[0]
            except OSError:
                return
            if self.mode in ("refuse", "cut"):
                self.met += 1
                self._reset(near)
                continue
            try:
                if isinstance(self.to, Path):
                    far = socket.socket(socket.AF_UNIX)
                    far.connect(str(self.to))
                else:
                    far = socket.create_connection(self.to)
            except OSError:
                self._reset(near)
                continue
            self._open |= {near, far}
            for source, target, is_question in ((near, far, True), (far, near, False)):
                threading.Thread(
                    target=self._pump, args=(source, target, is_question), daemon=True
                ).start()

    def _pump(self, source: socket.socket, target: socket.socket, is_question: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                mode = self.mode
                if mode != "pass":
                    self.met += 1
                if mode == "stall":
                    self._free.wait()
                    mode = self.mode
                if mode == "cut" or (mode in ("swallow", "half") and not is_question):
                    break
                if mode == "half" and is_question:
                    target.sendall(piece[: len(piece) // 2])
                    break
                target.sendall(piece)
        for end in (source, target):
            self._reset(end)
            self._open.discard(end)

    @staticmethod
    def _reset(end: socket.socket) -> None:
        """Close without a farewell, and wake who waits for it."""
        with suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            end.close()
