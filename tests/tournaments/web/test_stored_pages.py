"""Lists are stored with their publication, the same bytes for everybody,
and older pages are dropped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client, RequestFactory
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
from tests.tournaments.stored import stored_files, stored_pages
from tests.tournaments.web.test_every_public_page import HTMX
from tests.tournaments.web.test_kept_pages import signed_message
from tournaments.entries.entries import entry_update, entry_withdraw
from tournaments.models import Tournament
from tournaments.setup.deletion import tournament_delete
from tournaments.standings.final import standings_make_final

__all__ = ["meeting_again", "repeated"]

pytestmark = pytest.mark.usefixtures("publications_store_pages")


@pytest.fixture
def event(chief_arbiter: User) -> Tournament:
    """Round 1 played, round 2 published now; a visitor reads English, another French."""
    tournament = factories.make_ready(chief_arbiter, players=5)
    tournament.entries.filter(tpn=2).update(name="O'Brien & <Søn>, \xa0Åsa")
    factories.play_rounds(tournament, [1], chief_arbiter)
    for language in ("en", "fr"):
        Client().get(
            reverse("tournament", args=[tournament.slug]), headers={"Accept-Language": language}
        )
    pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def pair_and_publish(tournament: Tournament, number: int, chief: User) -> None:
    row = round_pair(
        round_id=factories.round_of(tournament, number).pk, actor=chief, now=timezone.now()
    )
    round_publish(round_id=row.pk, actor=chief, now=timezone.now())


def publish_results(tournament: Tournament, number: int, chief: User) -> None:
    factories.enter_results(tournament, number, chief)
    results_publish(
        round_id=factories.round_of(tournament, number).pk, actor=chief, now=timezone.now()
    )
    tournament.refresh_from_db()


def is_made(client: Client, tournament: Tournament, path: str, **headers: str) -> bool:
    """Return whether a template is rendered for the page at *path*."""
    answer = client.get(f"/t/{tournament.slug}/{path}", headers=headers)
    assert answer.status_code == 200
    return bool(answer.templates)


PAIRINGS = ["pairings/2/", "pairings/2/?order=name", "names.json"]


def test_published_pairings_are_stored_in_the_languages_that_were_read(
    event: Tournament, client: Client
) -> None:
    for path in PAIRINGS:
        for language in ("en", "fr"):
            for way in ({}, HTMX) if path != "names.json" else ({},):
                assert not is_made(client, event, path, **{"Accept-Language": language} | way), (
                    path,
                    language,
                    way,
                )
    assert is_made(client, event, "standings/")
    assert not is_made(client, event, "standings/")


@pytest.mark.costly
def test_without_a_reader_the_language_of_the_site_is_made(
    chief_arbiter: User, client: Client, settings: Settings
) -> None:
    settings.LANGUAGE_CODE = "fr"
    tournament = factories.make_ready(chief_arbiter, players=4)
    pair_and_publish(tournament, 1, chief_arbiter)
    assert not is_made(client, tournament, "pairings/1/", **{"Accept-Language": "fr"})
    assert is_made(client, tournament, "pairings/1/", **{"Accept-Language": "en"})


@pytest.mark.costly
def test_results_store_standings_and_crosstable(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    publish_results(event, 2, chief_arbiter)
    for path in ("standings/", "crosstable/", "names.json"):
        assert not is_made(client, event, path, **{"Accept-Language": "fr"})
    assert (
        "Classement après la ronde 2"
        in client.get(
            reverse("standings", args=[event.slug]), headers={"Accept-Language": "fr"}
        ).text
    )
    assert json.loads(client.get(reverse("news", args=[event.slug])).content)["results"] == 2
    assert is_made(client, event, "pairings/2/")


@pytest.mark.costly
def test_a_stored_page_is_what_a_visitor_would_get_without_it(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    publish_results(event, 2, chief_arbiter)
    ways = [{"Accept-Language": language} | way for language in ("en", "fr") for way in ({}, HTMX)]
    urls = [
        f"/t/{event.slug}/{path}"
        for path in ("standings/", "crosstable/", "names.json", "news.json")
    ]
    requested = [
        (url, way)
        for url in urls
        for way in ways
        if way.get("HX-Request") is None or "standings" in url
    ]
    stored = [client.get(url, headers=way) for url, way in requested]
    forget_pages()
    for (url, way), answer in zip(requested, stored, strict=True):
        made = client.get(url, headers=way)
        assert (made.content, made.headers) == (answer.content, answer.headers), (url, way)


@pytest.mark.costly
def test_a_stored_page_costs_one_query(
    event: Tournament, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    url = reverse("pairings-public", args=[event.slug, 2])
    with django_assert_num_queries(1):
        answer = client.get(url)
    with django_assert_num_queries(1):
        assert client.get(url, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


@pytest.mark.costly
def test_c04_2_4_3_a_correction_stores_its_pages(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    game = factories.round_of(event, 1).games.get(board=1)
    before, report = (
        client.get(f"/t/{event.slug}/crosstable/"),
        Report(factories.NOW, "both players say so"),
    )
    right = "01" if game.result == "10" else "10"
    result_correct(
        game_id=game.pk, result=right, report=report, actor=chief_arbiter, now=timezone.now()
    )
    after = client.get(f"/t/{event.slug}/crosstable/")
    assert (after.templates, after.content != before.content) == ([], True)


@pytest.mark.costly
def test_c04_2_4_4_a_change_stores_its_pages(
    repeated: Tournament, client: Client, chief_arbiter: User
) -> None:
    to = pairings(repeated, as_text(repeated, w5="5-3", w2="2-1"))
    change(repeated, 2, Situation.ALREADY_MET, to, actor=chief_arbiter)
    page = client.get(reverse("pairings-public", args=[repeated.slug, 2]))
    assert (page.templates, "Changed" in page.text) == ([], True)


@pytest.mark.costly
def test_final_standings_store_their_pages(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=1, players=4)
    factories.play_rounds(tournament, [1], chief_arbiter)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": timezone.now()}
    standings_make_final(tournament_id=tournament.pk, ties_stay=True, **by)
    page = client.get(reverse("standings", args=[tournament.slug]))
    assert (page.templates, "Final standings" in page.text) == ([], True)


@pytest.mark.costly
def test_a_publication_drops_older_states(
    event: Tournament,
    chief_arbiter: User,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    assert len({page.state for page in stored_pages()}) > 1
    with django_capture_on_commit_callbacks(execute=True):
        publish_results(event, 2, chief_arbiter)
    assert {page.state for page in stored_pages()} == {page.state for page in stored_pages(event)}


@pytest.mark.costly
def test_another_public_action_serves_no_old_page(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    url = reverse("players", args=[event.slug])
    before = client.get(url)
    entry_withdraw(
        entry_id=factories.entry_of(event, 5).pk, actor=chief_arbiter, now=timezone.now()
    )
    after = client.get(url)
    assert "withdrawn" in after.text
    assert after.headers["ETag"] != before.headers["ETag"]


@pytest.mark.costly
@pytest.mark.on_postgres("an error inside a transaction")
def test_a_publication_that_is_rolled_back_leaves_nothing_that_is_found(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    """[C.04.2/2026 4.4] Nor does a restored backup show what was
    published before it and is not any more.
    """
    before = client.get(reverse("standings", args=[event.slug])).content
    with transaction.atomic():
        publish_results(event, 2, chief_arbiter)
        lost = {page.state for page in stored_pages(event)}
        transaction.set_rollback(True)
    event.refresh_from_db()
    assert lost
    assert client.get(reverse("standings", args=[event.slug])).content == before
    publish_results(event, 2, chief_arbiter)
    assert lost & {page.state for page in stored_pages(event)} == set()
    assert event.public_fingerprint[:12] in client.get(reverse("standings", args=[event.slug])).text


@pytest.mark.costly
def test_no_message_name_or_token_of_the_one_who_publishes_is_stored(
    event: Tournament, client: Client, chief_arbiter: User, rf: RequestFactory, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["planted.example"]
    User.objects.filter(pk=chief_arbiter.pk).update(first_name="Xaviera", last_name="Secretname")
    client.force_login(chief_arbiter)
    host = {
        "Host": "planted.example",
        "Referer": "http://planted.example/planted/",
        "Accept-Language": "fr",
    }
    settings.PUBLIC_ADDRESS = "http://chess.example"
    client.get(reverse("entry-add", args=[event.slug]), headers=host)
    factories.enter_results(event, 2, chief_arbiter)
    client.cookies["messages"] = signed_message(rf, "Planted: round 9 is cancelled")
    before = stored_files()
    publish = reverse("results-publish", args=[event.slug, 2])
    form = factories.seen_now(event) | factories.page_versions(event, 2) | {"q": "planted"}
    assert client.post(publish, form, headers=host | HTMX).status_code < 400
    secrets = [client.cookies["sessionid"].value, client.cookies["csrftoken"].value]
    pages = stored_pages(event)
    assert len(stored_files()) > len(before)
    for stored in pages:
        # Who published is in the record, which is not stored.
        for secret in (b"Planted", b"planted", b"csrf", *(each.encode() for each in secrets)):
            assert secret not in stored.headers.encode() + stored.body, stored


@pytest.mark.costly
@pytest.mark.on_postgres("an error inside a transaction")
def test_a_fault_in_a_page_does_not_prevent_a_publication(
    event: Tournament,
    chief_arbiter: User,
    settings: Settings,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "standings").mkdir()
    (tmp_path / "standings" / "crosstable.html").write_text("{% nonsense %}")
    own = settings.TEMPLATES[0]
    settings.TEMPLATES = [own | {"DIRS": [tmp_path, *own["DIRS"]]}]
    publish_results(event, 2, chief_arbiter)
    assert "could not be stored" in caplog.text
    assert factories.round_of(event, 2).state == "results_published"


@pytest.mark.on_postgres("an error inside a transaction")
@pytest.mark.django_db(transaction=True)
def test_a_deleted_tournament_leaves_no_page(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    client.get(reverse("players", args=[tournament.slug]))
    assert stored_pages(tournament)
    tournament_delete(
        tournament_id=tournament.pk, actor=chief_arbiter, now=timezone.now(), name=tournament.name
    )
    assert stored_files() == {}


@pytest.mark.costly
@pytest.mark.on_postgres("an error inside a transaction")
@pytest.mark.django_db(transaction=True)
def test_initials_leave_the_name_in_no_stored_page(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    entry = factories.entry_of(tournament, 1)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": timezone.now()}
    entry_update(entry_id=entry.pk, name="Quetzal, Xanthippe", reason="a typing error", **by)
    pair_and_publish(tournament, 1, chief_arbiter)
    for path in ("players/", f"player/{entry.pk}/", "players/?q=quetzal"):
        client.get(f"/t/{tournament.slug}/{path}")
    with_name = [page for page in stored_pages() if b"Quetzal" in page.body]
    assert len(with_name) > 4
    entry_update(entry_id=entry.pk, initials=True, **by)
    assert stored_pages() == []
    page = client.get(reverse("players", args=[tournament.slug]))
    assert "Quetzal" not in page.text
