"""The proxies of the folder ``deploy`` in front of a site:
nginx as on a machine or in containers, and Caddy.
"""

from __future__ import annotations

import datetime
import re
import shutil
import ssl
import subprocess
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.live.server import HOST, ROOT, START_TIMEOUT, free_port

NGINX = ROOT / "deploy" / "nginx"
NAME = "chess.example.org"
KINDS = {"site": "nginx", "compose": "nginx", "Caddyfile": "caddy"}
"""What can be tried, and the program for it."""
WHOLE = """pid /tmp/nginx.pid;
error_log /dev/stderr;
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    client_body_temp_path /tmp/body;
    proxy_temp_path /tmp/passed;
    fastcgi_temp_path /tmp/fastcgi;
    uwsgi_temp_path /tmp/uwsgi;
    scgi_temp_path /tmp/scgi;
    access_log /dev/stdout short;
    {site}
}}
"""
"""What a machine has around ``site.conf``."""
REACHED = 'log_format reached "$upstream_status $request_uri";'


def is_installed(kind: str = "compose") -> bool:
    """Return whether the program for *kind* can be started here."""
    return shutil.which(KINDS[kind]) is not None


def tried_nginx(
    kind: str, folder: Path, ports: tuple[int, int], behind: int, *, https: bool = True
) -> str:
    """Return the configuration of *kind* for a test; the files beside it are in *folder*.

    It listens at *ports* (https and http) of this machine, passes requests on to *behind*, and logs
    which requests it has passed on. Without *https* it speaks http at the first port, for
    measurements of the cache alone.
    """
    text = (NGINX / f"{kind}.conf").read_text()
    if kind == "site":
        text = WHOLE.format(site=text)
    text = re.sub(r"^ *log_format .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"/tmp/|/etc/nginx/swiss-arbiter/", f"{folder}/", text)  # noqa: S108 - of the container, or of WHOLE
    text = text.replace(
        "access_log /dev/stdout short;", f"{REACHED}\n    access_log {folder}/access.log reached;"
    )
    text = text.replace("/dev/stderr", str(folder / "error.log"))
    text = re.sub(
        r"listen (8443|443) ssl;", f"listen {HOST}:{ports[0]}{' ssl' if https else ''};", text
    )
    text = re.sub(r"listen (8080|80);", f"listen {HOST}:{ports[1]};", text)
    text = re.sub(r"server (127\.0\.0\.1|web):8000;", f"server {HOST}:{behind};", text)
    text = re.sub(
        r"/run/secrets/certificate\.|/etc/ssl/chess\.example\.org\.", f"{folder}/certificate.", text
    )
    return text if https else re.sub(r"^ *ssl_.*\n", "", text, flags=re.MULTILINE)


def tried_caddy(folder: Path, ports: tuple[int, int], behind: int) -> str:
    """Return the ``Caddyfile`` for a test, with our certificate
    instead of one from the internet.
    """
    text = (ROOT / "deploy" / "Caddyfile").read_text().replace("127.0.0.1:8000", f"{HOST}:{behind}")
    here = (
        f"admin off\n\tstorage file_system {folder}/kept\n\thttps_port {ports[0]}\n\thttp_port "
        f"{ports[1]}\n\tservers {{"
    )
    text = text.replace("servers {", here, 1)
    ours = f"{NAME} {{\n\tbind {HOST}\n\ttls {folder}/certificate.pem {folder}/certificate.key"
    return text.replace(f"{NAME} {{", ours, 1)


def make_certificate(folder: Path) -> None:
    """Write a certificate for :data:`NAME` that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "certificate.key").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )


class Secure(HTTPSConnection):
    """A connection by https to :data:`NAME` at a port of this machine;
    the certificate is checked.
    """

    def __init__(self, port: int, certificate: Path, timeout: float = 60) -> None:
        super().__init__(HOST, port, timeout=timeout)
        self._checked = ssl.create_default_context(cafile=str(certificate))

    def connect(self) -> None:
        HTTPConnection.connect(self)
        self.sock = self._checked.wrap_socket(self.sock, server_hostname=NAME)


class Proxy:
    """A running proxy of *kind* as in ``deploy``; its files are in *folder*.

    Use it with ``with``.
    """

    def __init__(
        self, folder: Path, behind: int, kind: str = "compose", *, https: bool = False
    ) -> None:
        self.folder, self.port, self.http_port, self.https = folder, free_port(), free_port(), https
        ports = self.port, self.http_port
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        make_certificate(folder)
        if KINDS[kind] == "caddy":
            configuration = folder / "Caddyfile"
            configuration.write_text(tried_caddy(folder, ports, behind))
            self.command = [
                "caddy",
                "run",
                "--config",
                str(configuration),
                "--adapter",
                "caddyfile",
            ]
            return
        configuration = folder / "nginx.conf"
        configuration.write_text(tried_nginx(kind, folder, ports, behind, https=https))
        (folder / "pass.conf").write_text((NGINX / "pass.conf").read_text())
        cache = (
            (NGINX / "cache.conf")
            .read_text()
            .replace("/var/cache/nginx/swiss", str(folder / "cache"))
        )
        (folder / "cache.conf").write_text(cache)
        self.command = [
            "nginx",
            "-e",
            str(folder / "error.log"),
            "-c",
            str(configuration),
            "-g",
            "daemon off; user root;",
        ]

    def __enter__(self) -> Proxy:
        with (self.folder / "output.log").open("wb") as output:
            self.process = subprocess.Popen(
                self.command, start_new_session=True, stdout=output, stderr=output
            )
        end = time.monotonic() + START_TIMEOUT
        while self.process.poll() is None and time.monotonic() < end:
            if self.passes_on():
                return self
            time.sleep(0.05)
        self.process.kill()
        raise RuntimeError("".join(path.read_text() for path in self.folder.glob("*.log")))

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.wait()

    def connection(self) -> HTTPConnection:
        """Return a connection to the first port."""
        return (
            Secure(self.port, self.folder / "certificate.pem")
            if self.https
            else HTTPConnection(HOST, self.port)
        )

    def passes_on(self) -> bool:
        """Return whether the program answers through the proxy."""
        connection = self.connection()
        try:
            connection.request("GET", "/readyz", headers={"Host": NAME} if self.https else {})
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def reached(self) -> int:
        """Return how many requests nginx has passed on, the questions
        whether an answer has changed included.
        """
        lines = (self.folder / "access.log").read_text().splitlines()
        return sum(not line.startswith("- ") for line in lines)
