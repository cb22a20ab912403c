"""One arbiter at a screen: the requests of the browser, and a diary of the answers."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

from .server import HOST

PATIENCE = 30.0  # Seconds until a request counts as lost.
LOG_IN = "/accounts/login/"
KEPT_OPEN = 1.0  # Seconds; the server closes unused connections after a minute.


class Lost(Exception):  # noqa: N818
    """There was no answer, or one with status 5xx, so it is unknown whether the action was done."""


class Answer(NamedTuple):
    """``location``: where the answer leads, as a redirect or by the header for htmx;
    empty if nowhere.
    """

    status: int
    text: str
    location: str


@dataclass(frozen=True, slots=True)
class Sent:
    """One result that was sent: the version it replaces, and the answer (status None: lost)."""

    by: str
    board: int
    result: str
    replaced: int
    status: int | None
    body: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def was_taken(self) -> bool:
        return self.status == 200


class Operator:
    """An arbiter, logged in; with *cookies*, of an earlier log-in on the same database."""

    def __init__(
        self,
        port: int,
        name: str,
        password: str,
        cookies: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.port = port
        self.name = name
        self.cookies: dict[str, str] = dict(cookies or {})
        self.diary: list[Sent] = []
        self._connection = HTTPConnection(HOST, self.port, timeout=patience)
        self._last = 0.0
        self._page = ""
        self._password = password
        if not cookies:
            self.log_in()

    def log_in(self) -> None:
        self.request("GET", LOG_IN)
        answer = self.request(
            "POST", LOG_IN, {"username": self.name, "password": self._password, **self._token()}
        )
        assert answer.status == 302, answer

    def close(self) -> None:
        self._connection.close()

    def _token(self) -> dict[str, str]:
        return {"csrfmiddlewaretoken": self.cookies["csrftoken"]}

    def do(self, path: str) -> Answer:
        """Press the button of a plain form on the page of a round, with the fields of the form."""
        self._connection.close()  # It may lead to a worker that has ended.
        self.request("GET", re.sub(r"(results/)?[a-z]+/$", "", path))
        return self.press(path)

    def press(self, path: str) -> Answer:
        """Press the button of a plain form on the page that was read last."""
        form = self._page.partition(f'action="{path}"')[2].partition("</form>")[0]
        versions = dict(re.findall(r'name="(seen_version)" value="(\d+)"', form))
        return self.request("POST", path, versions | self._token())

    def request(
        self, method: str, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> Answer:
        """Return the answer to one request over the open connection; raise :class:`Lost`."""
        body = urlencode(form) if form is not None else None
        sent = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            **headers,
        }
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        if time.monotonic() - self._last > KEPT_OPEN:
            self._connection.close()  # http.client opens it again.
        try:
            self._connection.request(method, path, body, sent)
            response = self._connection.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException) as error:
            self._connection.close()
            raise Lost(str(error)) from error
        self._last = time.monotonic()
        self._page = text
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies.update({name: morsel.value for name, morsel in SimpleCookie(line).items()})
        if response.status >= 500:
            raise Lost(f"{response.status} {path}")
        return Answer(
            response.status,
            text,
            response.headers.get("Location") or response.headers.get("HX-Redirect", ""),
        )

    def boards(self, slug: str, number: int) -> dict[int, dict[str, str]]:
        """Return the boards as the page of the round passes them to its script:
        board → its data attributes.
        """
        found = boards_of(self.request("GET", f"/t/{slug}/rounds/{number}/").text)
        assert found, "the page has no boards"
        return found

    def enter(self, board: dict[str, str], result: str, on_loss: Callable[[], None]) -> Sent:
        """Send a result until the server has answered, as ``static/js/outbox.js`` does;
        update *board*.

        *on_loss* is called after every lost answer, and may wait for the server.
        """
        while True:
            begin = time.monotonic()
            form = {"result": result, "seen_version": board["version"]}
            token = {
                "X-CSRFToken": self.cookies["csrftoken"],
                "HX-Request": "true",
                "Accept": "application/json",
            }
            try:
                answer = self.request("POST", board["url"], form, **token)
            except Lost:
                self._note(board, result, None, {}, begin)
                on_loss()
                continue
            body = json.loads(answer.text)
            sent = self._note(board, result, answer.status, body, begin)
            board["version"] = str(body["version"])
            return sent

    def _note(
        self,
        board: dict[str, str],
        result: str,
        status: int | None,
        body: dict[str, Any],
        begin: float,
    ) -> Sent:
        seconds = time.monotonic() - begin
        sent = Sent(
            self.name, int(board["board"]), result, int(board["version"]), status, body, seconds
        )
        self.diary.append(sent)
        return sent


def boards_of(page: str) -> dict[int, dict[str, str]]:
    """Return the boards of the page of a round that take a result: board → its data attributes."""
    rows = re.findall(r"<tr id=\"board-[^>]*>", page)
    found = [dict(re.findall(r'data-([a-z-]+)="([^"]*)"', row)) for row in rows]
    return {
        int(row["board"]): {name: html.unescape(text) for name, text in row.items()}
        for row in found
        if "board" in row
    }


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that *share* of *values* do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
