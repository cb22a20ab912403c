"""A database that is busy, full, read-only or unreachable:
503 in the requested format, and nothing saved in part.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.models import Session
from django.db import (
    IntegrityError,
    OperationalError,
    ProgrammingError,
    connection,
    connections,
    transaction,
)
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.utils import DatabaseError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from config.env import database_from_url
from config.health import TRIAL
from config.unavailable import RETRY_AFTER, bad_request, for_visitors, is_unavailable
from tests.tournaments import factories
from tournaments.api.errors import answer
from tournaments.models import Decision, Game, Round, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
SENTENCE = (
    "The database cannot be used at the moment. Wait a few seconds, check what was saved, "
    "and try again."
)
SENTENCE_FR = "La base de données est indisponible pour le moment."
HANG = 30.0  # seconds


@pytest.fixture
def desk(chief_arbiter: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(chief_arbiter)
    return client


@pytest.fixture
def other_game(deputy: User) -> Game:
    """Return board 1 of another event with the same numbers."""
    neighbour = factories.make_ready(deputy, name="Winter Open")
    return Game.objects.get(round=factories.pair_and_publish(neighbour, 1, deputy), board=1)


@contextmanager
def read_only() -> Iterator[None]:
    """Make the database refuse to write, as with a read-only file or server."""
    on, off = {
        "sqlite": ("PRAGMA query_only = 1", "PRAGMA query_only = 0"),
        "postgresql": (
            "SET default_transaction_read_only = on",
            "SET default_transaction_read_only = off",
        ),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(on)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(off)


@contextmanager
def locked(tournament: Tournament) -> Iterator[None]:
    """Hold a lock from another connection, and do not wait for it."""
    begun, over = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Tournament.objects.select_for_update().get(pk=tournament.pk)
            begun.set()
            over.wait(HANG)
        connections.close_all()

    holder = threading.Thread(target=hold)
    holder.start()
    assert begun.wait(HANG)
    patience = {"sqlite": "PRAGMA busy_timeout = 1", "postgresql": "SET lock_timeout = '1ms'"}[
        connection.vendor
    ]
    with connection.cursor() as cursor:
        cursor.execute(patience)
    try:
        yield
    finally:
        over.set()
        holder.join(HANG)
        connection.close()


def enter(client: Client, game: Game, **headers: str) -> Any:
    path = reverse("game-result", args=[game.round.tournament.slug, game.pk])
    return client.post(path, {"result": "10", "seen_version": "0"}, headers=headers)


def assert_unavailable(response: Any) -> None:
    assert response.status_code == 503
    assert response.headers["Retry-After"] == str(RETRY_AFTER)
    assert response.headers["Cache-Control"] == "no-store"


@pytest.fixture
def game(published_round: Round) -> Game:
    return Game.objects.get(round=published_round, board=1)


@pytest.mark.costly
def test_a_result_that_cannot_be_saved_is_503_and_saved_when_it_is_sent_again(
    game: Game, other_game: Game, desk: Client
) -> None:
    """``static/js/outbox.js`` sends a result again after every answer of 500 and above."""
    before = Decision.objects.count()
    with locked(game.round.tournament):
        response = enter(desk, game, Accept="application/json", **{"HX-Request": "true"})
        assert_unavailable(response)
        assert response.json() == {"sentence": SENTENCE}
    assert Decision.objects.count() == before
    response = enter(desk, game, Accept="application/json", **{"HX-Request": "true"})
    assert (response.status_code, response.json()) == (200, {"result": "10", "version": 1})
    other_game.refresh_from_db()
    assert (other_game.result, other_game.version) == ("", 0)


@pytest.mark.parametrize("language, sentence", [("en", SENTENCE), ("fr", SENTENCE_FR)])
def test_a_plain_form_gets_a_page_in_the_readers_language(
    language: str, sentence: str, ready: Tournament, desk: Client
) -> None:
    with read_only():
        response = desk.post(
            f"/t/{ready.slug}/rounds/1/pair/", headers={"Accept-Language": language}
        )
    assert_unavailable(response)
    assert f'<html lang="{language}">' in response.text
    assert sentence in response.text.replace("&#x27;", "’")
    assert not ready.rounds.get(number=1).games.exists()


def test_htmx_gets_a_sentence(ready: Tournament, desk: Client) -> None:
    with read_only():
        response = desk.post(
            f"/t/{ready.slug}/rounds/1/pair/",
            headers={"HX-Request": "true", "Accept-Language": "en"},
        )
    assert_unavailable(response)
    assert response.text == SENTENCE
    page = desk.get(f"/t/{ready.slug}/desk/", headers={"Accept-Language": "en"}).text
    assert f'data-unavailable="{SENTENCE}"' in page  # shown by static/js/app.js


def test_a_failure_in_the_middle_of_a_view_keeps_what_was_saved_before(
    published_round: Round, desk: Client
) -> None:
    games = list(Game.objects.filter(round=published_round).order_by("board"))
    form = {f"result-{game.pk}": "10" for game in games} | {
        f"version-{game.pk}": "0" for game in games
    }
    writes: list[str] = []

    stop, again = {
        "sqlite": ("PRAGMA query_only = 1", "PRAGMA query_only = 0"),
        "postgresql": ("SET TRANSACTION READ ONLY", "SELECT 1"),
    }[connection.vendor]

    def fail_at_the_second(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("UPDATE") and "tournaments_game" in sql:
            writes.append(sql)
            if len(writes) == 2:
                execute(stop, None, False, context)
        return execute(sql, params, many, context)

    before = Decision.objects.count()
    with connection.execute_wrapper(fail_at_the_second):
        assert_unavailable(
            desk.post(f"/t/{published_round.tournament.slug}/rounds/1/results/", form)
        )
    with connection.cursor() as cursor:
        cursor.execute(again)
    assert [
        (game.result, game.version)
        for game in Game.objects.filter(round=published_round).order_by("board")
    ] == [
        ("10", 1),
        *[("", 0)] * (len(games) - 1),
    ]
    assert Decision.objects.count() == before + 1


def test_log_in_that_cannot_be_saved_is_503(desk: Client, chief_arbiter: User) -> None:
    desk.logout()
    with read_only():
        assert_unavailable(
            desk.post("/accounts/login/", {"username": "chief", "password": "chief-secret"})
        )


def test_a_session_that_cannot_be_saved_is_503_and_a_deleted_one_is_400(rf: RequestFactory) -> None:
    def interrupted(cause: Exception) -> HttpResponse:
        try:
            try:
                try:
                    raise cause
                except DatabaseError:
                    raise UpdateError  # noqa: B904 - as Django does
            except UpdateError:
                raise SessionInterrupted  # noqa: B904
        except SessionInterrupted as error:
            return bad_request(rf.get("/"), error)

    with read_only(), pytest.raises(DatabaseError) as found:
        Session.objects.all().update(session_data="")
    assert_unavailable(interrupted(found.value))
    assert interrupted(DatabaseError("Forced update did not affect any rows.")).status_code == 400


def test_the_api_answers_in_its_own_format(client: Client, ready: Tournament) -> None:
    with read_only(), pytest.raises(DatabaseError) as found:
        Session.objects.all().update(session_data="")
    response = answer(found.value, {"view": "Entries"})
    assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_AFTER))
    assert response.data == {
        "error": {"code": "unavailable", "article": None, "message": SENTENCE, "params": {}}
    }


def test_a_missing_database_server_is_unavailable() -> None:
    away = database_from_url("postgresql://nobody@127.0.0.1:1/nothing", base_dir=Path("/"))
    settings = {
        **connection.settings_dict,
        **away,
        "TIME_ZONE": None,
        "AUTOCOMMIT": True,
        "ATOMIC_REQUESTS": False,
    }
    with pytest.raises(OperationalError) as found:
        DatabaseWrapper(settings).ensure_connection()
    assert is_unavailable(found.value)


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the limit of pages is SQLite's own")
def test_a_full_disk_is_unavailable() -> None:
    with connection.cursor() as cursor:
        most = cursor.execute("PRAGMA max_page_count").fetchone()[0]
        cursor.execute("PRAGMA max_page_count = 1")  # the pages in use now
        try:
            with pytest.raises(OperationalError, match="full") as found:
                cursor.execute(
                    "INSERT INTO django_session VALUES ('x', hex(zeroblob(1000000)), '2026-01-01')"
                )
        finally:
            cursor.execute(f"PRAGMA max_page_count = {most}")
    assert is_unavailable(found.value)


def test_errors_of_the_program_are_not_reported_as_unavailable() -> None:
    with (
        connection.cursor() as cursor,
        pytest.raises((OperationalError, ProgrammingError)) as found,
    ):
        cursor.execute("SELECT * FROM nowhere")
    assert not is_unavailable(found.value)
    assert not is_unavailable(IntegrityError("twice"))
    assert not is_unavailable(KeyError("secret"))


def test_requests_do_not_wait_long() -> None:
    lite = database_from_url("sqlite:///x.sqlite3", base_dir=Path("/"))
    postgres = database_from_url("postgresql://a@b/c", base_dir=Path("/"))
    for_visitors({"default": lite, "other": postgres})
    connection_created.disconnect(dispatch_uid="config.unavailable")
    assert (lite["OPTIONS"]["timeout"], postgres["OPTIONS"]["connect_timeout"]) == (2, 2)
    lost = {
        name: postgres["OPTIONS"][name]
        for name in ("keepalives_idle", "keepalives_interval", "keepalives_count")
    }
    assert (lost, postgres["OPTIONS"]["tcp_user_timeout"]) == (
        {"keepalives_idle": 2, "keepalives_interval": 1, "keepalives_count": 2},
        3000,
    )


def test_readyz_says_when_nothing_can_be_written(client: Client) -> None:
    with read_only():
        answers = [client.get("/readyz") for _ in range(3)]
        assert [(answer.status_code, answer.headers["Retry-After"]) for answer in answers] == [
            (503, "5")
        ] * 3
        assert client.get("/livez").status_code == 200


@pytest.mark.parametrize("path, status", [("/livez", 200), ("/readyz", 503), ("/healthz", 503)])
def test_probes_with_a_session_do_not_read_it(path: str, status: int, desk: Client) -> None:
    """The session is in the database that is away; the answer stays a sentence."""

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        raise OperationalError("the server is gone")

    with connection.execute_wrapper(refuse):
        answer = desk.get(path)
    assert answer.status_code == status
    assert "<html" not in answer.content.decode()


def test_readyz_does_not_write_on_every_request(client: Client) -> None:
    writes: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE")):
            writes.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        assert [client.get("/readyz").status_code for _ in range(10)] == [200] * 10
    assert len(writes) == 1
    assert not Session.objects.filter(session_key=TRIAL, expire_date__gt=timezone.now()).exists()


def test_the_log_gives_the_reason_in_one_line(
    ready: Tournament, desk: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with read_only():
        desk.post(f"/t/{ready.slug}/rounds/1/pair/")
    (line,) = [record for record in caplog.records if record.name == "django.request"]
    assert line.exc_info is None
    assert "(" in line.getMessage()
    assert "read" in line.getMessage().partition("(")[2]


class Away:
    """A database that answers no question; ``statements`` are those it got.

    Each would have waited two seconds.
    """

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.statements.append(sql)
        error = DatabaseError("canceling statement due to lock timeout")
        error.__cause__ = psycopg.errors.LockNotAvailable()
        raise error


@pytest.mark.parametrize(
    "page, method",
    [
        ("home", "get"),
        ("tournament", "get"),
        ("desk", "get"),
        ("desk", "post"),
        ("account", "post"),
    ],
)
def test_a_page_of_somebody_logged_in_asks_a_database_that_is_away_once(
    page: str, method: str, ready: Tournament, desk: Client, caplog: pytest.LogCaptureFixture
) -> None:
    path = reverse(page, args=[ready.slug] if page in ("tournament", "desk") else [])
    away = Away()
    with connection.execute_wrapper(away):
        assert_unavailable(getattr(desk, method)(path))
    assert len(away.statements) == 1
    assert len([line for line in caplog.records if line.name == "django.request"]) == 1


def test_a_public_page_asks_a_database_that_cannot_be_read_once(
    published_round: Round, client: Client
) -> None:
    """The visitor reads the reason in the language of the browser."""
    page = reverse("pairings-public", args=[published_round.tournament.slug, 1])
    for _ in range(2):
        assert client.get(page).status_code == 200
    away = Away()
    client.raise_request_exception = False
    with connection.execute_wrapper(away):
        answer = client.get(page, headers={"Accept-Language": "fr"})
    assert (answer.status_code, len(away.statements)) == (503, 1)
    assert SENTENCE_FR in answer.content.decode()
    assert answer.headers["Retry-After"] == str(RETRY_AFTER)
