"""Stored pages: made with the publication, the same bytes for everybody, and untouched by anything else."""

from __future__ import annotations

import gzip
import hashlib
import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DataError, connection, transaction
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks, Settings

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rules.published import Situation
from tests.conftest import forget_pages
from tests.policy.test_4_4_changes import as_text, change, meeting_again, pairings, repeated
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tests.tournaments.web.test_every_public_page import HTMX
from tests.tournaments.web.test_kept_pages import signed_message
from tournaments.core import own_process
from tournaments.core.frame import state_key
from tournaments.core.stored_pages import ENTRY, find, newest_pages
from tournaments.entries.entries import entry_update, entry_withdraw
from tournaments.models import StoredPage, Tournament
from tournaments.setup.deletion import tournament_delete
from tournaments.standings.final import standings_make_final

__all__ = ["meeting_again", "repeated"]

PAGES = ["", "me/", "names.json", "players/", "standings/", "crosstable/"]
LANGUAGES = {"en", "fr"}


@pytest.fixture(autouse=True)
def _stores(settings: Settings) -> None:
    settings.STORE_PAGES = True


@pytest.fixture
def event(chief_arbiter: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Tournament:
    """Round 1 played, round 2 published now."""
    tournament = factories.make_ready(chief_arbiter, players=5)
    # Names as a list may bring them, and what the shell of a player's page must not change.
    for tpn, name in ((2, "O'Brien & <Søn>, \xa0Åsa"), (3, f"{ENTRY}, Nul")):
        tournament.entries.filter(tpn=tpn).update(name=name)
    factories.play_rounds(tournament, [1], chief_arbiter)
    with django_capture_on_commit_callbacks(execute=True):
        pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def pair_and_publish(tournament: Tournament, number: int, chief: User) -> None:
    row = round_pair(round_id=factories.round_of(tournament, number).pk, actor=chief, now=timezone.now())
    round_publish(round_id=row.pk, actor=chief, now=timezone.now())


def headers_for(page: StoredPage) -> dict[str, str]:
    return {"Accept-Language": page.language or "en"} | (HTMX if page.is_part else {})


def test_a_publication_stores_the_pages_of_its_version_in_both_languages(event: Tournament) -> None:
    base = reverse("tournament", args=[event.slug])
    round_2 = ["pairings/2/", "pairings/2/?order=name"]
    pages = list(newest_pages(event))
    players = [f"player/{entry.pk}/" for entry in event.entries.all()]
    whole = [(page.path.removeprefix(base), page.language) for page in pages if not page.is_part]
    expected = [(path, language) for path in PAGES + round_2 + players for language in LANGUAGES]
    assert sorted(whole) == sorted([*expected, ("news.json", "")])
    parts = {page.path.removeprefix(base) for page in pages if page.is_part}
    assert parts == {"", "players/", "standings/", *round_2, *players}
    for page in pages:
        assert (page.version, page.round_number) == (event.public_version, 2)
        assert page.sha256 == hashlib.sha256(page.body).hexdigest()
        assert "Cache-Control" not in page.headers


def test_a_stored_page_is_what_a_visitor_would_get_without_it(event: Tournament, client: Client) -> None:
    pages = list(newest_pages(event))
    stored = [client.get(page.path, headers=headers_for(page)) for page in pages]
    own(StoredPage).all().delete()
    forget_pages()
    for page, answer in zip(pages, stored, strict=True):
        made = client.get(page.path, headers=headers_for(page))
        assert made.content == answer.content == page.body, (page.path, page.language, page.is_part)
        assert made.headers == answer.headers


def test_a_visitor_makes_no_page_after_a_publication(
    event: Tournament, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for page in newest_pages(event):
        if not page.language:
            continue
        forget_pages()  # as in another process
        with django_assert_num_queries(2):
            answer = client.get(page.path, headers=headers_for(page))
        assert answer.templates == []
        with django_assert_num_queries(1):
            again = client.get(page.path, headers=headers_for(page) | {"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304


def test_all_pages_are_stored_before_the_version_is_visible(event: Tournament, chief_arbiter: User) -> None:
    """In the transaction of the publication: what is called after its commit stores nothing."""
    before = {(page.path, page.language, page.is_part) for page in newest_pages(event)}
    factories.enter_results(event, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(event, 2).pk, actor=chief_arbiter, now=timezone.now())
    event.refresh_from_db()
    assert {(page.path, page.language, page.is_part) for page in newest_pages(event)} == before


def test_a_process_that_cannot_start_keeps_nothing_from_being_published(
    event: Tournament,
    chief_arbiter: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """Such as without memory for it: the publication is saved, and the pages of players are made for their visitors."""
    settings.PLAYERS_STORED_AT_ONCE = 4
    begun: list[tuple[object, ...]] = []

    def fail(*arguments: object) -> None:
        begun.append(arguments)
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(own_process, "start", fail)
    factories.enter_results(event, 2, chief_arbiter)
    with django_capture_on_commit_callbacks(execute=True):
        results_publish(round_id=factories.round_of(event, 2).pk, actor=chief_arbiter, now=timezone.now())
    assert [name for name, *_more in begun] == ["store_players"]
    event.refresh_from_db()
    assert factories.round_of(event, 2).state == "results_published"
    assert [page for page in newest_pages(event) if not page.title]


def test_the_pages_of_very_many_players_are_stored_by_another_process(
    event: Tournament,
    chief_arbiter: User,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """The arbiter does not wait: 5,000 of them take 16 seconds."""
    settings.PLAYERS_STORED_AT_ONCE = 4
    before = {page.path for page in newest_pages(event)}
    factories.enter_results(event, 2, chief_arbiter)
    with django_capture_on_commit_callbacks() as callbacks:
        results_publish(round_id=factories.round_of(event, 2).pk, actor=chief_arbiter, now=timezone.now())
    event.refresh_from_db()
    assert [page.path for page in newest_pages(event) if page.title] == []
    (begun,) = [call.args for call in callbacks if isinstance(call, partial) and call.func is own_process.start]
    assert begun[:2] == ("store_players", event.pk)
    call_command("store_players", event.pk, "another state")
    assert [page.path for page in newest_pages(event) if page.title] == []
    call_command("store_players", *begun[1:])
    assert {page.path for page in newest_pages(event)} >= {path for path in before if "/player/" in path}


def test_a_browser_gets_the_smallest_of_the_compressions_it_accepts(event: Tournament, client: Client) -> None:
    url = reverse("standings", args=[event.slug])
    row = StoredPage.objects.get(path=url, language="en", is_part=False, version=event.public_version)
    assert brotli.decompress(bytes(row.brotli)) == gzip.decompress(bytes(row.gzip)) == row.body
    assert len(row.brotli) < len(row.gzip) < len(row.body)
    answers = {
        "br, gzip": row.brotli,
        "gzip, deflate, br, zstd": row.brotli,
        "gzip;q=1.0, br;q=0": row.gzip,
        "GZIP, br; q=0.000": row.gzip,
        "gzip": row.gzip,
        "gzip;q=0, vbr": row.body,
        "": row.body,
    }
    for accepted, content in answers.items():
        answer = client.get(url, headers={"Accept-Encoding": accepted})
        assert answer.content == bytes(content), accepted
        expected = {row.brotli: "br", row.gzip: "gzip"}.get(content)
        assert answer.headers.get("Content-Encoding") == expected
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_stored_page_is_found_without_reading_others(event: Tournament) -> None:
    """In the order of the table, SQLite reads all pages of the tournament, of every version, until it finds this."""
    key, player = state_key(event, runs=False), reverse("player-page", args=[event.slug, event.entries.all()[0].pk])
    for path, has_shell in ((reverse("standings", args=[event.slug]), False), (player, True)):
        with CaptureQueriesContext(connection) as asked:
            assert find(event.pk, key, path, "en", is_part=False, has_shell=has_shell) is not None
        (query,) = asked.captured_queries
        assert "ORDER BY" not in query["sql"]
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                (step,) = cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall()
            assert "key=? AND build=? AND path=? AND language=?" in step[-1]


def test_results_store_their_pages_and_those_before_stay(event: Tournament, chief_arbiter: User) -> None:
    factories.enter_results(event, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(event, 2).pk, actor=chief_arbiter, now=timezone.now())
    assert len(set(own(StoredPage).values_list("key", flat=True))) == 4
    event.refresh_from_db()
    newest = {(page.path, page.language): page for page in newest_pages(event) if not page.is_part}
    assert "Classement après la ronde 2" in newest[reverse("standings", args=[event.slug]), "fr"].body.decode()
    news = newest[reverse("news", args=[event.slug]), ""]
    assert json.loads(news.body)["results"] == 2


def stored_now(tournament: Tournament, name: str, *numbers: int) -> str:
    """Return the text of the page *name* as it is stored in English for the newest version."""
    tournament.refresh_from_db()
    pages = {page.path: page for page in newest_pages(tournament) if (page.language, page.is_part) == ("en", False)}
    return " ".join(pages[reverse(name, args=[tournament.slug, *numbers])].body.decode().split())


def test_c04_2_4_3_a_correction_stores_its_pages(event: Tournament, chief_arbiter: User) -> None:
    game = factories.round_of(event, 1).games.get(board=1)
    before, report = stored_now(event, "crosstable"), Report(factories.NOW, "both players say so")
    right = "01" if game.result == "10" else "10"
    result_correct(game_id=game.pk, result=right, report=report, actor=chief_arbiter, now=timezone.now())
    assert stored_now(event, "crosstable") != before


def test_c04_2_4_4_a_change_stores_its_pages(repeated: Tournament, chief_arbiter: User) -> None:
    to = pairings(repeated, as_text(repeated, w5="5-3", w2="2-1"))
    change(repeated, 2, Situation.ALREADY_MET, to, actor=chief_arbiter)
    assert "Changed" in stored_now(repeated, "pairings-public", 2)


def test_final_standings_store_their_pages(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=1, players=4)
    factories.play_rounds(tournament, [1], chief_arbiter)
    before = stored_now(tournament, "standings")
    by: dict[str, Any] = {"actor": chief_arbiter, "now": timezone.now()}
    standings_make_final(tournament_id=tournament.pk, ties_stay=True, **by)
    assert "Final standings" in stored_now(tournament, "standings") != before


def test_old_versions_are_removed_but_never_the_last_one_of_a_round(
    event: Tournament, chief_arbiter: User, settings: Settings
) -> None:
    def versions() -> list[tuple[int, int]]:
        rows = StoredPage.objects.filter(tournament=event).values_list("round_number", "version")
        return sorted(set(rows))

    # Round 1: its pairings, then its results; round 2: its pairings.
    (first, second, third) = versions()
    assert [first[0], second[0], third[0]] == [1, 1, 2]
    by: dict[str, Any] = {"actor": chief_arbiter}
    factories.enter_results(event, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(event, 2).pk, now=timezone.now(), **by)
    assert versions()[:3] == [first, second, third]
    StoredPage.objects.filter(tournament=event).update(stored_at=timezone.now() - timedelta(days=31))
    settings.KEEP_PAGES_DAYS = 32
    pair_and_publish(event, 3, chief_arbiter)
    fourth, fifth = versions()[3:]
    settings.KEEP_PAGES_DAYS = 30
    factories.enter_results(event, 3, chief_arbiter)
    results_publish(round_id=factories.round_of(event, 3).pk, now=timezone.now(), **by)
    # The pairings of round 3 are not old yet, those of rounds 1 and 2 are.
    assert versions()[:-1] == [second, fourth, fifth]


def test_another_public_action_stores_nothing_and_serves_no_old_page(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    url = reverse("players", args=[event.slug])
    before, count = client.get(url), own(StoredPage).count()
    entry_withdraw(entry_id=factories.entry_of(event, 5).pk, actor=chief_arbiter, now=timezone.now())
    after = client.get(url)
    assert "withdrawn" in after.content.decode()
    assert after.headers["ETag"] != before.headers["ETag"]
    event.refresh_from_db()
    assert (own(StoredPage).count(), list(newest_pages(event))) == (count, [])


def test_a_restored_backup_serves_no_page_of_the_other_state(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    """[C.04.2/2026 4.4] What was published before the restore, and is not any more, is not shown."""
    factories.enter_results(event, 2, chief_arbiter)
    by: dict[str, Any] = {"actor": chief_arbiter}
    with transaction.atomic():
        results_publish(round_id=factories.round_of(event, 2).pk, now=timezone.now(), **by)
        lost = list(StoredPage.objects.filter(version=event.public_version + 1).values())
        assert lost
        transaction.set_rollback(True)
    # The pages come back into the database, as from a copy of a disk, and the versions are equal.
    results_publish(round_id=factories.round_of(event, 2).pk, now=timezone.now(), **by)
    StoredPage.objects.bulk_create(StoredPage(**row | {"id": None}) for row in lost)
    event.refresh_from_db()
    newest = {page.key for page in newest_pages(event)}
    assert newest
    assert newest & {row["key"] for row in lost} == set()
    page = client.get(reverse("standings", args=[event.slug]))
    assert event.public_fingerprint[:12] in page.content.decode()


def test_no_message_name_or_token_of_the_one_who_publishes_is_stored(
    event: Tournament, client: Client, chief_arbiter: User, rf: RequestFactory, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["planted.example"]
    User.objects.filter(pk=chief_arbiter.pk).update(first_name="Xaviera", last_name="Secretname")
    client.force_login(chief_arbiter)
    host = {"Host": "planted.example", "Referer": "http://planted.example/planted/", "Accept-Language": "fr"}
    settings.PUBLIC_ADDRESS = "http://chess.example"
    client.get(reverse("entry-add", args=[event.slug]), headers=host)
    factories.enter_results(event, 2, chief_arbiter)
    client.cookies["messages"] = signed_message(rf, "Planted: round 9 is cancelled")
    before = own(StoredPage).count()
    publish = reverse("results-publish", args=[event.slug, 2])
    form = factories.seen_now(event) | factories.page_versions(event, 2) | {"q": "planted"}
    assert client.post(publish, form, headers=host | HTMX).status_code < 400
    secrets = [client.cookies["sessionid"].value, client.cookies["csrftoken"].value]
    pages = list(own(StoredPage).all())
    assert len(pages) > before
    for stored in pages:
        content = (json.dumps(stored.headers) + stored.path).encode() + stored.body
        # Who published is in the record, which is not stored.
        for secret in (b"Planted", b"planted", b"csrf", *(each.encode() for each in secrets)):
            assert secret not in content, stored


def test_a_fault_in_a_page_does_not_prevent_a_publication(
    event: Tournament, chief_arbiter: User, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "standings").mkdir()
    (tmp_path / "standings" / "crosstable.html").write_text("{% nonsense %}")
    own = settings.TEMPLATES[0]
    settings.TEMPLATES = [own | {"DIRS": [tmp_path, *own["DIRS"]]}]
    factories.enter_results(event, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(event, 2).pk, actor=chief_arbiter, now=timezone.now())
    assert "could not be stored" in caplog.text
    event.refresh_from_db()
    assert list(newest_pages(event)) == []
    assert factories.round_of(event, 2).state == "results_published"


def test_a_fault_in_the_pages_of_players_does_not_prevent_the_lists_from_being_stored(
    event: Tournament, chief_arbiter: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tournaments.web.standings.player._own_part", lambda *_: 1 / 0)
    factories.enter_results(event, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(event, 2).pk, actor=chief_arbiter, now=timezone.now())
    assert "could not be stored" in caplog.text
    event.refresh_from_db()
    base = reverse("tournament", args=[event.slug])
    assert {page.path.removeprefix(base) for page in newest_pages(event)} >= {*PAGES, "news.json"}
    assert not [page for page in newest_pages(event) if page.title]


def test_a_page_that_the_database_refuses_does_not_prevent_a_publication(
    event: Tournament, chief_arbiter: User, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT") and StoredPage._meta.db_table in sql:
            raise DataError("value too long")
        return execute(sql, params, many, context)

    factories.enter_results(event, 2, chief_arbiter)
    with connection.execute_wrapper(refuse):
        results_publish(round_id=factories.round_of(event, 2).pk, actor=chief_arbiter, now=timezone.now())
    assert "could not be stored" in caplog.text
    event.refresh_from_db()
    assert list(newest_pages(event)) == []
    assert factories.round_of(event, 2).state == "results_published"


def test_a_deleted_tournament_leaves_no_page(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    StoredPage.objects.create(
        tournament=tournament, key="1.x", version=1, build="b", path="/", is_part=False, round_number=0,
        headers={}, gzip=b"", brotli=b"", sha256="", stored_at=timezone.now(),
    )  # fmt: skip
    tournament_delete(tournament_id=tournament.pk, actor=chief_arbiter, now=timezone.now(), name=tournament.name)
    assert not own(StoredPage).exists()


@pytest.mark.django_db(transaction=True)
def test_initials_leave_the_name_in_no_stored_page(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    entry = factories.entry_of(tournament, 1)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": timezone.now()}
    entry_update(entry_id=entry.pk, name="Quetzal, Xanthippe", reason="a typing error", **by)
    pair_and_publish(tournament, 1, chief_arbiter)

    def with_name() -> list[str]:
        pages = StoredPage.objects.filter(tournament=tournament)
        return sorted({page.path for page in pages if b"Quetzal" in page.body or "Quetzal" in page.title})

    assert len(with_name()) > 4
    entry_update(entry_id=entry.pk, initials=True, **by)
    assert with_name() == []
