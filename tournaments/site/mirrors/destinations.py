"""Where a mirror is written: a web space that takes files by PUT, a folder, or a ZIP file."""

from __future__ import annotations

import http.client
import time
from base64 import b64encode
from collections.abc import Mapping
from mimetypes import guess_type
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote

from django.conf import settings

from tournaments.core.errors import BadInput
from tournaments.core.web_address import connection_to, require_web_address
from tournaments.site.mirrors.store import MirrorSettings

LARGEST: Final = 8 * 1024 * 1024
"""More bytes are not read: a manifest for 5,000 players has one."""
SENT: Final = frozenset({200, 201, 202, 204})
ABSENT: Final = frozenset({404, 410})
NO_FOLDER: Final = frozenset({403, 404, 409})
"""What servers answer to PUT while the folder is missing: 409 by RFC 4918, others by experience."""
MOST_SECONDS: Final = 60
"""The most for one answer, however slowly it comes."""


class Destination(Protocol):
    """The root of a mirror. Every method raises ``BadInput`` if it did not work."""

    def read(self, path: str) -> bytes | None:
        """Return the file at *path*; None if there is none."""

    def write(self, path: str, body: bytes) -> None:
        """Put *body* at *path*, and make its folders."""

    def remove(self, path: str) -> None:
        """Remove the file at *path*, if there is one."""

    def close(self) -> None:
        """End the connection."""


def require_usable(chosen: MirrorSettings) -> None:
    """``BadInput`` unless this site may write to where *chosen* is. Nothing is connected."""
    if chosen.kind == "folder":
        if not settings.MIRROR_DIR:
            raise BadInput("mirror.no_folder", field="kind")
        return
    parts = require_web_address(chosen.address, BadInput("mirror.address", field="address"))
    if parts.query or parts.fragment:
        raise BadInput("mirror.address", field="address")
    if parts.scheme != "https" and chosen.secret and not settings.MIRRORS_IN_PRIVATE:
        raise BadInput("mirror.not_encrypted", field="address")
    if ":" in chosen.user or not (chosen.user + chosen.secret).isprintable():
        raise BadInput("mirror.user", field="user")


def destination_of(chosen: MirrorSettings, folder: str) -> Destination:
    """Return the destination that *chosen* names; *folder* is the one below ``SWISS_MIRROR_DIR``.

    ``BadInput`` if it cannot be used.
    """
    require_usable(chosen)
    if chosen.kind == "folder":
        return LocalFolder(Path(settings.MIRROR_DIR).expanduser() / folder)
    return WebSpace(chosen, allow_private=settings.MIRRORS_IN_PRIVATE)


class LocalFolder:
    """A folder of this computer. The one above it must exist."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> bytes | None:
        try:
            return (self._root / path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed(error) from error

    def write(self, path: str, body: bytes) -> None:
        target = self._root / path
        draft = target.with_name(f".{target.name}.part")
        try:
            if (
                not self._root.parent.is_dir()
            ):  # Without the stick the folder would be on another disk.
                raise BadInput("mirror.folder_missing", folder=str(self._root.parent))
            target.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(body)
            draft.replace(target)  # Whoever reads the folder finds the old file or the new one.
        except OSError as error:
            raise _failed(error) from error

    def remove(self, path: str) -> None:
        try:
            (self._root / path).unlink(missing_ok=True)
        except OSError as error:
            raise _failed(error) from error

    def close(self) -> None:
        pass


class WebSpace:
    """A folder of a web server that takes PUT.

    Redirects are not followed: the secret is for this address only.
    """

    def __init__(self, chosen: MirrorSettings, *, allow_private: bool) -> None:
        parts = require_web_address(chosen.address, BadInput("mirror.address", field="address"))
        refused = BadInput("mirror.private_address", field="address")
        self._root = parts.path.rstrip("/") + "/"
        self._headers = {"User-Agent": "SwissArbiter", **_authorization(chosen)}
        self._connection = connection_to(parts, refused, allow_private=allow_private)
        self._folders: set[str] = set()

    def read(self, path: str) -> bytes | None:
        status, body = self._request("GET", path, headers={"Cache-Control": "no-cache"})
        if status in ABSENT:
            return None
        if status != 200:
            raise _refused(status, "GET", path)
        return body

    def write(self, path: str, body: bytes) -> None:
        headers = {"Content-Type": guess_type(path)[0] or "application/octet-stream"}
        if path.endswith((".json", ".html")):
            headers["Cache-Control"] = "no-cache"
        status, _ = self._request("PUT", path, body, headers)
        if status in NO_FOLDER and self._make_folders(path):
            status, _ = self._request("PUT", path, body, headers)
        if status not in SENT:
            raise _refused(status, "PUT", path)

    def remove(self, path: str) -> None:
        status, _ = self._request("DELETE", path)
        if status not in SENT | ABSENT:
            raise _refused(status, "DELETE", path)

    def close(self) -> None:
        self._connection.close()

    def _make_folders(self, path: str) -> bool:
        """Make the folders of *path* that were not made before; return whether there were any."""
        names = path.split("/")[:-1]
        folders = ["".join(f"{name}/" for name in names[:depth]) for depth in range(len(names) + 1)]
        new = [folder for folder in folders if folder not in self._folders]
        for folder in new:
            self._request(
                "MKCOL", folder
            )  # 405: it is there already. The next PUT shows if it worked.
            self._folders.add(folder)
        return bool(new)

    def _request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Return status and body of the answer; connect again if the server has closed."""
        for is_last in (False, True):
            is_new = self._connection.sock is None
            try:
                target = self._root + quote(path)
                self._connection.request(method, target, body, {**self._headers, **(headers or {})})
                with self._connection.getresponse() as answer:
                    return answer.status, _body_of(answer)
            except (http.client.HTTPException, OSError, UnicodeError) as error:
                self._connection.close()
                if is_last or is_new or not isinstance(error, ConnectionError):
                    raise _failed(error) from error
        raise AssertionError("the second attempt returns or raises")


def _body_of(answer: http.client.HTTPResponse) -> bytes:
    """Return the body of *answer*, which may be neither too large nor too slow."""
    body, begun = bytearray(), time.monotonic()
    while part := answer.read1(64 * 1024):
        body += part
        if len(body) > LARGEST or time.monotonic() - begun > MOST_SECONDS:
            raise http.client.HTTPException("the answer is too long")
    answer.read()  # marks the answer as complete
    return bytes(body)


def _authorization(chosen: MirrorSettings) -> dict[str, str]:
    if chosen.user:
        name = b64encode(f"{chosen.user}:{chosen.secret}".encode()).decode("ascii")
        return {"Authorization": f"Basic {name}"}
    return {"Authorization": f"Bearer {chosen.secret}"} if chosen.secret else {}


def _refused(status: int, method: str, path: str) -> BadInput:
    if status in (401, 403):
        return BadInput("mirror.not_allowed", status=status, method=method)
    if 300 <= status < 400:
        return BadInput("mirror.redirect", status=status)
    if status in (405, 501):
        return BadInput("mirror.no_put", status=status, method=method)
    if status in (413, 507):
        return BadInput("mirror.full", status=status)
    return BadInput("mirror.answer", status=status, method=method, path=path)


def _failed(error: Exception) -> BadInput:
    return BadInput("mirror.not_reached", problem=str(error) or type(error).__name__)
