"""Hidden from visitors: a draft [C.04.2/2026 4.4], and results
before they are published [C.04.2/2026 4.2].
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tournaments.entries.byes import bye_request
from tournaments.models import Decision, Entry, Game, PublishedList, Round, Tournament

from .test_every_public_page import OPEN_PAGES, OTHER_PAGES


def public_pages(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Return every page a visitor can read, by name and address."""
    yield "home", reverse("home")
    for name, numbers in {**OPEN_PAGES, **OTHER_PAGES, "news": [], "push": []}.items():
        if not numbers:
            yield name, reverse(name, args=[tournament.slug])
    for number in range(1, tournament.total_rounds + 1):
        yield f"reasons {number}", reverse("why-public", args=[tournament.slug, number])
        yield f"codes {number}", reverse("round-codes", args=[tournament.slug, number])
        yield f"pairings {number}", reverse("pairings-public", args=[tournament.slug, number])
        yield f"player {number}", factories.player_address(tournament, number)
        yield f"standings {number}", reverse("standings-after", args=[tournament.slug, number])

    entries = (
        Entry.objects.filter(tournament=tournament).order_by("pk").values_list("pk", flat=True)
    )
    followed = reverse("follow", args=[tournament.slug])
    yield "followed", f"{followed}?p={'.'.join(map(str, entries))}"
    for kind in ("standings", "pairings"):
        yield f"embedded {kind}", reverse("embedded", args=[tournament.slug, kind])
    for entry in entries:
        yield f"calendar {entry}", reverse("player-calendar", args=[tournament.slug, entry])
        yield f"certificate {entry}", reverse("certificate", args=[tournament.slug, entry])
        yield f"own result {entry}", reverse("entered-result", args=[tournament.slug, entry])
    for row in PublishedList.objects.filter(tournament=tournament):
        yield f"published {row.pk}", reverse("published-list", args=[tournament.slug, row.pk])


def read_everything(client: Client, tournament: Tournament, query: str = "") -> dict[str, str]:
    """Return the bodies of all pages a visitor can read, without those that are not found, and
    without the token for notifications, which is another one each time.
    """
    pages = {
        name: client.get(url + (query.replace("?", "&") if "?" in url else query))
        for name, url in public_pages(tournament)
    }
    return {
        name: re.sub(r'"token": "[^"]*"', "", page.content.decode())
        for name, page in pages.items()
        if page.status_code == 200
    }


@pytest.mark.costly
def test_c04_2_4_4_a_draft_is_hidden_from_visitors(
    draft_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = draft_round.tournament
    url = reverse("pairings-public", args=[tournament.slug, 1])
    before = read_everything(client, tournament)
    assert "pairings 1" not in before
    assert client.get(url).status_code == 404
    assert client.get(url, headers={"HX-Request": "true"}).status_code == 404
    # The draft exists, so it could leak: the arbiter sees it, and the round is marked.
    client.force_login(chief_arbiter)
    seen = client.get(reverse("round", args=[tournament.slug, 1])).content.decode()
    assert "Draft: only arbiters can see it." in seen
    # Nothing a visitor read said that round 1 is paired.
    for name, body in before.items():
        assert "draft" not in body.lower(), name
        assert "round paired" not in body, name
    client.logout()
    # Discarding the draft does not change the visitor's pages either.
    assert [
        client.get(u).status_code for n, u in public_pages(tournament) if n.startswith("pairings")
    ] == [404] * 5


GUESSES = [
    "pairings/{n}/", "pairings/0{n}/", "pairings/{n}/?order=name", "pairings/{n}/?q=abara", "pairings/{n}/?page=2",
    "pairings/{n}/?page=all", "pairings/{n}/?v={v}&b=0", "pairings/{n}/why/", "pairings/{n}/why/?player=1",
    "pairings/{n}/codes/", "pairings/{n}/codes/1.svg", "pairings/{n}/codes/2.svg", "pairings/{n}/index.html",
    "pairings/{n}.json", "pairings/draft/", "draft/", "standings/{n}/", "standings/{n}/player/{p}/",
    "standings/{n}/?q=abara", "published/{l}/", "table/1/{n}/", "kiosk/{n}/",
]  # fmt: skip


@pytest.mark.costly
def test_c04_2_4_4_guessed_addresses_of_a_draft_are_not_found(
    client: Client, chief_arbiter: User, stranger: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, explanations_public=True)
    factories.play_rounds(tournament, [1], chief_arbiter)
    round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    assert len(factories.boards(tournament, 2)) == 4
    tournament.refresh_from_db()
    given = {
        "n": 2,
        "v": tournament.version,
        "p": factories.entry_of(tournament, 1).pk,
        "l": PublishedList.objects.latest("pk").pk + 1,
    }
    base, api = f"/t/{tournament.slug}/", f"/api/v1/tournaments/{tournament.slug}/"
    guesses = [base + guess.format(**given) for guess in GUESSES]
    guesses += [
        f"{api}rounds/2/pairings/",
        f"{api}rounds/2/results/",
        f"{api}standings/?after_round=2",
    ]
    assert len(guesses) > 20
    for reader in (None, stranger):
        if reader:
            client.force_login(reader)
        for guess in guesses:
            for headers in ({}, {"HX-Request": "true"}, {"Accept-Language": "fr"}):
                answer = client.get(guess, headers=headers)
                assert answer.status_code == 404, guess
                assert "no-store" in answer.headers["Cache-Control"], guess


def test_c04_2_4_4_the_public_pairing_page_of_a_draft_is_hidden_from_its_arbiter_too(
    draft_round: Round, client: Client, chief_arbiter: User
) -> None:
    """Only published pairings would be printed."""
    client.force_login(chief_arbiter)
    assert (
        client.get(reverse("pairings-public", args=[draft_round.tournament.slug, 1])).status_code
        == 404
    )


@pytest.mark.costly
def test_c04_2_4_2_results_are_hidden_until_they_are_published(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    for game in Game.objects.filter(round=published_round):
        result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=factories.NOW)
    for name, body in read_everything(client, tournament).items():
        if name.startswith("own result"):  # an entered result is for the two players too
            continue
        assert "+ / −" not in body, name
        assert "forfeit" not in body, name
    searched = client.get(
        reverse("pairings-public", args=[tournament.slug, 1]), {"q": "abara"}
    ).content.decode()
    assert "Abara" in searched
    assert "forfeit" not in searched
    # The results exist, so they could leak.
    client.force_login(chief_arbiter)
    assert "+ / −" in client.get(reverse("round", args=[tournament.slug, 1])).content.decode()


def test_standings_of_a_round_without_published_results_are_not_found(
    published_round: Round, client: Client
) -> None:
    tournament = published_round.tournament
    assert client.get(reverse("standings-after", args=[tournament.slug, 1])).status_code == 404
    body = client.get(reverse("standings", args=[tournament.slug])).content.decode()
    assert "The standings are available after the results of round 1 are published." in body


@pytest.mark.costly
def test_a_page_that_is_not_found_leads_to_its_tournament_and_tells_nothing_of_a_draft(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter)
    assert not tournament.listed  # the list of all tournaments does not lead to it
    overview = reverse("tournament", args=[tournament.slug])
    link = f'<a class="button primary" href="{overview}">{tournament.name}</a>'
    pairings = reverse("pairings-public", args=[tournament.slug, 1])

    def queried() -> list[str]:
        answers = [client.get(address) for address in (pairings, f"{overview}no/such/page/")]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert {answer.headers["Cache-Control"] for answer in answers} == {"private, no-store"}
        return [answer.content.decode() for answer in answers]

    before = queried()
    assert [link in page for page in before] == [True, True]
    round_pair(
        round_id=factories.round_of(tournament, 1).pk, actor=chief_arbiter, now=factories.NOW
    )
    assert queried() == before
    for elsewhere in ("/t/nowhere/pairings/1/", "/nowhere/", f"/api{overview}"):
        assert tournament.name not in client.get(elsewhere).content.decode(), elsewhere


@pytest.mark.costly
def test_visitors_see_no_private_data(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    entry = factories.entry_of(tournament, 3)
    Entry.objects.filter(pk=entry.pk).update(birth_date="1987/06/05")
    bye_request(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, round_number=4, kind="H")
    # The public file has the year, as rating lists do; the pages have no birth date.
    pages = read_everything(client, tournament)
    assert "1987/00/00" in pages.pop("trf-export")
    assert 'data-bye-h="half-point bye"' in pages.pop("offline")  # for every code of a round
    for name, body in pages.items():
        # As a word: the fingerprints of the record contain any four digits sooner or later.
        assert re.search(r"\b1987\b", body) is None, name
        assert "half-point bye" not in body, name
    client.force_login(chief_arbiter)
    private = client.get(reverse("entry-edit", args=[tournament.slug, entry.pk])).content.decode()
    assert "1987/06/05" in private
    assert "half-point bye" in private


@pytest.mark.costly
def test_the_record_hides_a_result_until_it_is_published_and_its_fingerprint_too(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    game = Game.objects.filter(round=published_round).order_by("board").first()
    assert game is not None
    result_record(game_id=game.pk, result="01", actor=chief_arbiter, now=factories.NOW)
    url = reverse("record", args=[tournament.slug])
    entered = Decision.objects.get(tournament=tournament, action="result.recorded")
    seen = client.get(url).content.decode()
    assert "pairings published" in seen
    for lines in ("result entered", "0 – 1", entered.hash, entered.hash[:8]):
        assert lines not in seen
    client.force_login(chief_arbiter)
    shown = client.get(url).content.decode()
    assert "board 1: – → 0 – 1" in shown
    assert entered.hash[:8] in shown


@pytest.mark.parametrize("htmx", [False, True])
def test_a_page_cached_for_visitors_is_never_shown_to_users_or_the_reverse(
    published_round: Round, client: Client, chief_arbiter: User, htmx: bool
) -> None:
    url = reverse("record", args=[published_round.tournament.slug])
    headers = {"HX-Request": "true"} if htmx else {}
    visitor = client.get(url, headers=headers).content.decode()
    client.force_login(chief_arbiter)
    arbiter = client.get(url, headers=headers).content.decode()
    client.logout()
    assert client.get(url, headers=headers).content.decode() == visitor
    assert "Log out" in arbiter
    assert "Log out" not in visitor
