"""The browsers of a visitor, a stranger and the arbiters:
against Django in this process, or a real server.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Sequence
from http.cookies import SimpleCookie
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlencode

PASSWORD: Final = "second-computation"
Fields = Sequence[tuple[str, str]]


class Answer(NamedTuple):
    status: int
    text: str
    location: str = ""

    def json(self) -> Any:
        return json.loads(self.text)


class Lost(Exception):  # noqa: N818
    """The server died before it answered: whether the action was done is unknown."""


class Browser(Protocol):
    """One person at a browser; an answer is never followed."""

    def get(self, path: str) -> Answer: ...

    def post(self, path: str, fields: Fields) -> Answer: ...

    def send(self, path: str, body: str) -> Answer:
        """Send *body* as a file."""


class InProcess:
    """A browser in the process of the application, through its middleware."""

    def __init__(self, name: str = "") -> None:
        from django.contrib.auth.models import User
        from django.test import Client

        self.client = Client(SERVER_NAME="localhost", raise_request_exception=True)
        if name:
            self.client.force_login(User.objects.get(username=name))

    def get(self, path: str) -> Answer:
        return self._answer(self.client.get(path))

    def post(self, path: str, fields: Fields) -> Answer:
        kind = "application/x-www-form-urlencoded"
        return self._answer(self.client.post(path, urlencode(list(fields)), content_type=kind))

    def send(self, path: str, body: str) -> Answer:
        return self._answer(self.client.post(path, body, content_type="text/csv"))

    def _answer(self, response: Any) -> Answer:
        content = response.getvalue() if response.streaming else response.content
        return Answer(response.status_code, content.decode(), response.headers.get("Location", ""))


class OverHttp:
    """A browser on a real server; *before_post* may kill it,
    and a lost answer raises :class:`Lost`.
    """

    def __init__(
        self, port: int, name: str = "", before_post: Callable[[], None] = lambda: None
    ) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.before_post: Callable[[], None] = lambda: None
        if name:
            self.get("/accounts/login/")
            answer = self.post("/accounts/login/", [("username", name), ("password", PASSWORD)])
            assert answer.status == 302, answer
        self.before_post = before_post

    def get(self, path: str) -> Answer:
        return self._request("GET", path, None, "")

    def post(self, path: str, fields: Fields) -> Answer:
        token = ("csrfmiddlewaretoken", self.cookies.get("csrftoken", ""))
        others = [one for one in fields if one[0] != token[0]]
        self.before_post()
        return self._request(
            "POST", path, urlencode([*others, token]), "application/x-www-form-urlencoded"
        )

    def send(self, path: str, body: str) -> Answer:
        self.before_post()
        return self._request("POST", path, body, "text/csv")

    def _request(self, method: str, path: str, body: str | None, kind: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            headers |= {"Content-Type": kind, "X-CSRFToken": self.cookies.get("csrftoken", "")}
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise Lost(str(error)) from error
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies.update({name: morsel.value for name, morsel in SimpleCookie(line).items()})
        return Answer(response.status, text, response.headers.get("Location", ""))
