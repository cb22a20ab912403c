"""A request whose body is shorter than announced saves nothing: the whole program over a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import reverse

from config.wsgi import application
from tournaments.models import Decision, Entry, Tournament
from tournaments.site.serving import listen, serve

pytestmark = pytest.mark.django_db(transaction=True)
LogIn = Callable[[User], Client]
FORM = b"name=New%2C+Nora&club=Rook+Square+&note=abcdefghijklmnopqrstu"
LIST = b"Name;Rating\nNew, Nora;1500\nBirch, Bo;1600\nLime, Li;1700\nAsh, Al;18\n"


def program(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
    try:
        return application(environ, start)
    finally:
        connections.close_all()


@pytest.fixture
def port() -> Iterator[int]:
    over, listener = threading.Event(), listen("127.0.0.1", 0)
    arguments = (program, listener, 50, over.is_set)
    thread = threading.Thread(target=serve, args=arguments, kwargs={"threads": 2})
    thread.start()
    yield listener.getsockname()[1]
    over.set()
    thread.join(30)
    listener.close()


def status(port: int, client: Client, address: str, kind: str, body: bytes, sent: int) -> int:
    """Announce *body*, send *sent* bytes of it, and return the status of the answer; 0: none."""
    cookies = "; ".join(f"{name}={value.value}" for name, value in client.cookies.items())
    header = (
        f"POST {address} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: "
        f"{len(body)}\r\n"
        f"Cookie: {cookies}\r\nX-CSRFToken: {client.cookies['csrftoken'].value}\r\nConnection: "
        f"close\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(header.encode() + body[:sent])
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(65536)
    return int(answer[9:12]) if answer else 0


@pytest.mark.parametrize("kind", ["form", "REST"])
def test_a_cut_body_saves_nothing_although_its_beginning_makes_sense(
    kind: str, port: int, tournament: Tournament, chief_arbiter: User, logged_in: LogIn
) -> None:
    client = logged_in(chief_arbiter)
    page = reverse("entry-add", args=[tournament.slug])
    client.get(page)  # It gives the token.
    given: dict[str, tuple[str, str, bytes, int]] = {
        "form": (page, "application/x-www-form-urlencoded", FORM, 302),
        "REST": (
            f"/api/v1/tournaments/{tournament.slug}/entries/import/",
            "application/octet-stream",
            LIST,
            200,
        ),
    }
    address, content_type, body, done = given[kind]
    before = Decision.objects.count()
    for sent in (23, 43, len(body) - 1):
        assert status(port, client, address, content_type, body, sent) == 0
    assert not Entry.objects.filter(tournament=tournament).exists()
    assert Decision.objects.count() == before
    assert status(port, client, address, content_type, body, len(body)) == done
    assert Entry.objects.filter(tournament=tournament, name="New, Nora").count() == 1
