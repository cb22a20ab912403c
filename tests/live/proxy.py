"""nginx with ``deploy/nginx.conf`` in front of a site: what a cache of two seconds keeps away from the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from pathlib import Path

from .server import HOST, ROOT, START_TIMEOUT, free_port, is_healthy

EXAMPLE = ROOT / "deploy" / "nginx.conf"
WHOLE = """daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    log_format reached "$upstream_status $request_uri";
    access_log {folder}/access.log reached;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/passed;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def is_installed() -> bool:
    """Return whether nginx can be started here."""
    return shutil.which("nginx") is not None


def tried(example: str, folder: Path, port: int, behind: int) -> str:
    """Return the *example* for a test: it listens at *port* without https, and passes requests on to *behind*."""
    before, _redirect, server = example.rsplit("\nserver {", 2)
    text = f"{before}\nserver {{{server}"
    text = re.sub(r"^ *ssl_.*\n", "", text, flags=re.MULTILINE)
    text = text.replace("listen 443 ssl;", f"listen {HOST}:{port};").replace("127.0.0.1:8000", f"{HOST}:{behind}")
    return text.replace("/var/cache/nginx/swiss", str(folder / "cache"))


class Proxy:
    """A running nginx with the example configuration; its files are in *folder*. Use it with ``with``."""

    def __init__(self, folder: Path, behind: int) -> None:
        self.folder, self.port = folder, free_port()
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        (folder / "site.conf").write_text(tried(EXAMPLE.read_text(), folder, self.port, behind))
        (folder / "nginx.conf").write_text(WHOLE.format(folder=folder))

    def __enter__(self) -> Proxy:
        command = ["nginx", "-e", str(self.folder / "error.log"), "-c", str(self.folder / "nginx.conf")]
        self.process = subprocess.Popen([*command, "-g", "user root;"], start_new_session=True)
        end = time.monotonic() + START_TIMEOUT
        while self.process.poll() is None and time.monotonic() < end:
            if is_healthy(self.port):
                return self
            time.sleep(0.05)
        raise RuntimeError((self.folder / "error.log").read_text())

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.wait()

    def reached(self) -> int:
        """Return how many requests nginx has passed on, the questions whether an answer has changed included."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return sum(not line.startswith("- ") for line in lines)
