"""``python -m tests.faults`` itself: one run of some kinds, its relay, and what it says."""

from __future__ import annotations

import socket
from contextlib import closing, suppress
from threading import Thread
from time import sleep

import pytest

from tests.faults.__main__ import kinds_of, main
from tests.faults.relay import HOST, Mode, Relay

ANSWERED: dict[Mode, tuple[bytes, bytes]] = {
    "pass": (b"a question", b"A QUESTION"),
    "cut": (b"", b""),
    "half": (b"a que", b""),
    "swallow": (b"a question", b""),
    "refuse": (b"", b""),
}
"""Mode → what reaches the server of a question, and the visitor of its answer."""


def test_the_relay_cuts_off_halves_and_swallows() -> None:
    heard: list[bytes] = []

    def answer(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                with listener.accept()[0] as connection, suppress(OSError):
                    heard.append(connection.recv(100))
                    connection.sendall(heard[-1].upper())

    with closing(socket.create_server((HOST, 0))) as listener:
        Thread(target=answer, args=(listener,), daemon=True).start()
        relay = Relay(listener.getsockname())
        for mode, (reached, came_back) in ANSWERED.items():
            heard.clear()
            relay.set(mode)
            got = b""
            with suppress(OSError), socket.create_connection((HOST, relay.port), timeout=20) as visitor:
                visitor.sendall(b"a question")
                got = visitor.recv(100)
            for _ in range(1000):
                if heard or not reached:
                    break
                sleep(0.01)
            assert (b"".join(heard), got) == (reached, came_back), mode
        relay.close()


def test_every_kind_is_listed_and_an_unknown_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert capsys.readouterr().out.split() == kinds_of("postgres")
    with pytest.raises(SystemExit):
        main(["earthquake"])
    assert "there is no kind earthquake" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("db", ["sqlite", "postgres"])
def test_one_run_of_some_kinds(db: str, capfd: pytest.CaptureFixture[str]) -> None:
    kinds = ["server", "worker", "network-visitor", "backup"] + (["backend"] if db == "postgres" else [])
    assert main([*kinds, "--runs", "1", "--db", db]) == 0
    table = capfd.readouterr().out.partition("seed 1")[2]
    assert [line.split()[0] for line in table.splitlines()[2:] if " none (" in line] == kinds
