"""``python -m tests.stress.fresh [PYTHON …]``: ``./run demo`` as
an ordinary user on a new machine has it.

For each Python (by default the one of the system) the last commit is unpacked in an empty folder
with spaces and accents in its name, and ``./run demo`` is started there: it makes ``.venv``,
installs, plays three rounds and serves. Then it reads some pages. With ``--bundle FILE`` the
archive of ``./run bundle`` is unpacked instead, and the program starts in a network of its own that
leads nowhere. If root starts the command, the user is ``nobody``. Needs Linux.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.live.server import HOST, ROOT, free_port

NOBODY = 65_534
NEW_NETWORK = 0x40000000  # of unshare(2)
LONGEST = 580.0  # seconds
PLACE = "Tournoi d'été 2026"
PAGES = ("/", "/t/demo-open/pairings/3/", "/t/demo-open/standings/", "/readyz")
ASK = """
import sys, urllib.request
for path in {pages}:
    print(urllib.request.urlopen("http://{host}:{port}" + path, timeout=60).status)
"""


def as_ordinary_user(*, alone: bool) -> None:
    """Become ``nobody``, if this is root; before that leave the network, if *alone*."""
    if alone:
        if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "a network of its own needs root")
        with socket.socket() as any_socket:
            fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 1 | 64))
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def unpacked(folder: Path, bundle: Path | None) -> Path:
    """Unpack the last commit, or the *bundle*, in *folder* for the ordinary user; return where."""
    place = folder / PLACE
    place.mkdir(parents=True)
    if bundle is None:
        archive = subprocess.run(
            ["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True
        ).stdout
        subprocess.run(["tar", "x"], cwd=place, input=archive, check=True)
        root = place
    else:
        subprocess.run(["tar", "xf", str(bundle.absolute())], cwd=place, check=True)
        (root,) = place.iterdir()
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=root, check=True)
    if os.getuid() == 0:
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(folder)], check=True)
    return root


def tried(python: str, folder: Path, bundle: Path | None) -> tuple[str, bool]:
    """Start the program with *python* in *folder*;
    return what came of it and whether it is as it must be.
    """
    root, port = unpacked(folder, bundle), free_port()
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "SWISS_ADMIN_PASSWORD": "correct horse battery",
    }
    environment |= {
        name: os.environ[name] for name in ("LD_LIBRARY_PATH", "PIP_CERT") if name in os.environ
    }
    if bundle is not None:
        environment["PIP_CONFIG_FILE"] = os.devnull  # Nothing but the folder of the bundle.
    ask = ASK.format(pages=PAGES, host=HOST, port=port)
    begin = time.monotonic()
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(
            [python, "run", "demo", "--port", str(port)],
            cwd=root,
            env=environment,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: as_ordinary_user(alone=bundle is not None),
        )
    try:
        while running.poll() is None and b"Ready after" not in (folder / "log").read_bytes():
            if time.monotonic() - begin > LONGEST:
                break
            time.sleep(0.5)
        inside = ["nsenter", "--net", "--target", str(running.pid)] if bundle is not None else []
        for _ in range(20):
            done = subprocess.run(
                [*inside, sys.executable, "-c", ask], capture_output=True, text=True
            )
            if done.returncode == 0:
                break
            time.sleep(0.5)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    output = (folder / "log").read_text(errors="replace")
    statuses = done.stdout.split()
    version = subprocess.run([python, "--version"], capture_output=True, text=True).stdout.strip()
    ready = next(
        (line for line in output.splitlines() if line.startswith("Ready after")), output[-1500:]
    )
    return f"{version}: {ready.partition(':')[0]}; pages {' '.join(statuses)}", statuses == [
        "200"
    ] * len(PAGES)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", nargs="*", default=["/usr/bin/python3"])
    parser.add_argument("--bundle", type=Path)
    options = parser.parse_args()
    bad = 0
    for python in options.python:
        folder = Path(tempfile.mkdtemp(prefix="swiss-fresh-", dir="/var/tmp"))
        folder.chmod(0o755)
        try:
            found, is_good = tried(python, folder, options.bundle)
        finally:
            shutil.rmtree(folder)
        print(f"{'good' if is_good else 'BAD '}  {found}", flush=True)
        bad += not is_good
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
