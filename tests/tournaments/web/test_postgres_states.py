"""The states of tournaments, read from PostgreSQL in the loop of the server: never old, and nobody waits for ever."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection

from config import postgres_states
from config.event_loop import Connections, new_connections
from config.postgres_states import PostgresStates
from tests.tournaments import factories
from tournaments.models import Tournament
from tournaments.web import front

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="a connection to PostgreSQL"),
]
LOCKED = "BEGIN; LOCK TABLE tournaments_tournament IN ACCESS EXCLUSIVE MODE"
State = tuple[int, str] | None


class Loop:
    """The loop of a server with the connection to PostgreSQL, and what was told."""

    def __init__(self, sockets: Connections) -> None:
        self.sockets, self.states = sockets, PostgresStates()
        self.told: list[State] = []
        self.states.join(self.sockets)

    def ask(self, slug: str, times: int = 1) -> None:
        for _ in range(times):
            self.states.ask(slug, self.told.append)

    def until(self, is_over: Callable[[], bool], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not is_over():
            assert time.monotonic() < end
            self.sockets.turn(0.01)
            self.states.look()

    def answers(self, number: int) -> list[State]:
        self.until(lambda: len(self.told) >= number)
        told, self.told = self.told, []
        return told

    def until_it_answers(self, slug: str) -> State:
        """Return the first state that can be read."""

        def is_there() -> bool:
            if not self.told or self.told[-1] is None:
                self.told.clear()
                self.ask(slug)
            return bool(self.told) and self.told[-1] is not None

        self.until(is_there)
        return self.answers(1)[-1]


@pytest.fixture(params=[new_connections, Connections], ids=["epoll", "poll"])
def loop(request: pytest.FixtureRequest) -> Iterator[Loop]:
    found = Loop(request.param())
    yield found
    found.sockets.close()
    found.states.close()


@pytest.fixture
def event(chief_arbiter: User) -> Tournament:
    return factories.make_ready(chief_arbiter, players=4)


def publish(event: Tournament) -> None:
    Tournament.objects.filter(pk=event.pk).update(public_version=event.public_version + 1, public_fingerprint="f" * 64)
    event.refresh_from_db()


def test_the_state_is_that_of_the_front(event: Tournament, loop: Loop) -> None:
    assert loop.until_it_answers(event.slug) == front.state_now(event.slug) is not None
    loop.ask("nothing-here")
    loop.ask("söme-näme’; --")
    assert loop.answers(2) == [None, None]
    loop.ask(event.slug)
    assert loop.answers(1) == [front.state_now(event.slug)]


def test_who_asks_while_a_query_is_away_gets_the_state_of_the_next_one(event: Tournament, loop: Loop) -> None:
    """A query that began before the question may not know what was published since."""
    loop.until_it_answers(event.slug)
    for _ in range(20):
        before = front.state_now(event.slug)
        loop.ask(event.slug)
        time.sleep(0.002)  # PostgreSQL has answered, but the loop has not read it.
        publish(event)
        loop.ask(event.slug)
        first, second = loop.answers(2)
        assert second == front.state_now(event.slug)
        assert first in (before, second)  # On a busy machine PostgreSQL may answer after the publication.


def test_a_hall_of_questions_shares_a_query(
    event: Tournament, chief_arbiter: User, loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = factories.make_ready(chief_arbiter, name="Other", players=4)
    loop.until_it_answers(event.slug)
    sent: list[int] = []
    send = PostgresStates._send
    monkeypatch.setattr(PostgresStates, "_send", lambda self: (sent.append(1), send(self)))
    loop.ask(event.slug, 500)
    loop.ask(other.slug, 500)
    states = [front.state_now(each.slug) for each in (event, other)]
    assert sorted(filter(None, loop.answers(1000))) == sorted([states[0]] * 500 + [states[1]] * 500)
    assert len(sent) == 3


def test_after_a_lost_connection_none_is_told_and_another_one_is_made(event: Tournament, loop: Loop) -> None:
    first = loop.until_it_answers(event.slug)
    for while_asking in (True, False):
        assert loop.states._connection is not None
        process = loop.states._connection.info.backend_pid
        with connection.cursor() as cursor, cursor_of_another_session() as other:
            if while_asking:
                other.execute(LOCKED)
                loop.ask(event.slug, 3)
            cursor.execute("SELECT pg_terminate_backend(%s)", [process])
            if while_asking:
                assert loop.answers(3) == [None] * 3
            loop.until(lambda: loop.states._connection is None)
        assert loop.states not in loop.sockets.values()
        assert loop.until_it_answers(event.slug) == first


def test_an_answer_that_does_not_come_is_given_up(
    event: Tournament, loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_states, "PATIENCE", 0.2)
    first = loop.until_it_answers(event.slug)
    with cursor_of_another_session() as other:
        other.execute(LOCKED)
        loop.ask(event.slug, 2)
        assert loop.answers(2) == [None, None]
    assert loop.until_it_answers(event.slug) == first


def test_without_a_server_none_is_told_at_once(event: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "PORT", "1")
    loop = Loop(new_connections())
    loop.states._maker.join()  # type: ignore[union-attr]  # join() has begun to connect
    loop.ask(event.slug)
    assert loop.told == [None]
    assert not loop.states.is_ready
    monkeypatch.undo()
    assert loop.until_it_answers(event.slug) == front.state_now(event.slug)
    loop.sockets.close()
    loop.states.close()


def test_a_fault_of_one_who_asked_does_not_keep_others_from_their_answer(
    event: Tournament, loop: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    loop.until_it_answers(event.slug)
    loop.ask(event.slug)
    loop.states.ask(event.slug, lambda state: [][1])
    loop.ask(event.slug)
    assert loop.answers(2) == [front.state_now(event.slug)] * 2
    assert "could not be given" in caplog.text


@contextmanager
def cursor_of_another_session() -> Iterator[psycopg.Cursor[tuple[object, ...]]]:
    """Its locks end with it."""
    values = connection.get_connection_params()
    found = psycopg.connect(
        **{name: values[name] for name in ("dbname", "user", "password", "host", "port") if name in values}
    )
    try:
        yield found.cursor()
    finally:
        found.close()
