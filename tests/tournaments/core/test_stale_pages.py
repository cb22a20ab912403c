"""Refuse to publish, discard or change from a stale form or a form without a version."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.results import result_record
from pairing.rounds.versions import round_version
from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tournaments.entries.entries import entry_update
from tournaments.models import Decision, Game, Round, Tournament

HTMX = {"HX-Request": "true"}


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


@pytest.fixture
def spring_open(chief_arbiter: User) -> Tournament:
    """Another tournament with the same numbers, at the same point:
    its actions do not count here.
    """
    return factories.make_ready(chief_arbiter, name="Spring Open")


def carried(page: str, action: str) -> dict[str, str]:
    """Return the version fields that the form for *action* on *page* sends."""
    form = re.search(rf'<form [^>]*action="{re.escape(action)}".*?</form>', page, re.DOTALL)
    assert form is not None
    return dict(re.findall(r'name="(seen_version)" value="(-?\d+)"', form[0]))


def rearranged(round_: Round, actor: User) -> None:
    """Exchange the opponents of boards 1 and 2."""
    rows = {
        game.board: dict(game.seats.values_list("colour", "entry_id"))
        for game in round_.games.all()
    }
    boards = {board: (pair["w"], pair["b"]) for board, pair in rows.items()}
    (a, b), (c, d) = boards[1], boards[2]
    boards |= {1: (a, d), 2: (c, b)}
    round_arrange(
        round_id=round_.pk,
        pairings=Pairings(boards),
        reason="asked for by the club",
        actor=actor,
        now=factories.NOW,
    )


def paired_again(round_: Round, actor: User) -> None:
    round_unpair(round_id=round_.pk, actor=actor, now=factories.NOW)
    round_pair(round_id=round_.pk, actor=actor, now=factories.NOW)


def table_moved(round_: Round, actor: User) -> None:
    entry = factories.entry_of(round_.tournament, 8)
    entry_update(entry_id=entry.pk, actor=actor, now=factories.NOW, fixed_table=1)


@pytest.mark.costly
@pytest.mark.parametrize("meanwhile", [rearranged, paired_again, table_moved])
@pytest.mark.parametrize("action", ["round-publish", "round-discard"])
def test_c04_2_4_4_a_stale_page_neither_publishes_nor_discards_the_draft(
    action: str,
    meanwhile: Callable[[Round, User], None],
    draft_round: Round,
    spring_open: Tournament,
    desk: Client,
    chief_arbiter: User,
) -> None:
    tournament = draft_round.tournament
    page, url = (
        reverse("round", args=[tournament.slug, 1]),
        reverse(action, args=[tournament.slug, 1]),
    )
    stale = carried(desk.get(page).content.decode(), url)
    meanwhile(draft_round, chief_arbiter)
    rows = Decision.objects.count()
    for headers in ({}, HTMX):
        for absurd in ("9" * 5000, "x"):
            assert desk.post(url, {"seen_version": absurd}, headers=headers).status_code == 422
        for form in (stale, {}):
            refused = desk.post(url, form, headers=headers)
            assert refused.status_code == 409
            if headers:
                assert refused.headers["HX-Redirect"] == page
            else:
                assert "Nothing was saved: check the " in refused.content.decode()
    draft_round.refresh_from_db()
    assert (draft_round.state, Decision.objects.count()) == (RoundState.DRAFT, rows)
    # The version that the page shows now is published, once; the second time the rules refuse.
    fresh = carried(desk.get(page).content.decode(), url)
    assert desk.post(url, fresh).status_code == 302
    assert desk.post(url, fresh).status_code == 409
    draft_round.refresh_from_db()
    assert draft_round.state == (
        RoundState.PAIRINGS_PUBLISHED if action == "round-publish" else RoundState.PLANNED
    )


@pytest.mark.costly
def test_actions_elsewhere_do_not_make_the_page_of_a_draft_stale(
    draft_round: Round, spring_open: Tournament, desk: Client, chief_arbiter: User
) -> None:
    seen = factories.page_versions(draft_round.tournament, 1)
    factories.play_rounds(spring_open, [1], chief_arbiter)
    entry = factories.entry_of(draft_round.tournament, 3)
    entry_update(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, club="Chess Club")
    assert (
        desk.post(reverse("round-publish", args=[draft_round.tournament.slug, 1]), seen).status_code
        == 302
    )


@pytest.mark.costly
@pytest.mark.parametrize("where", ["round", "desk"])
def test_c04_2_4_2_a_stale_page_does_not_publish_results(
    where: str,
    published_round: Round,
    spring_open: Tournament,
    desk: Client,
    chief_arbiter: User,
    deputy: User,
) -> None:
    tournament = published_round.tournament
    factories.enter_results(tournament, 1, chief_arbiter)
    factories.pair_and_publish(spring_open, 1, chief_arbiter)
    url = reverse("results-publish", args=[tournament.slug, 1])
    page = reverse(where, args=[tournament.slug] if where == "desk" else [tournament.slug, 1])
    stale = carried(desk.get(page).content.decode(), url)
    game = Game.objects.get(round=published_round, board=2)
    result_record(
        game_id=game.pk, result="==", actor=deputy, now=factories.NOW, seen_version=game.version
    )
    for form, headers in ((form, headers) for form in (stale, {}) for headers in ({}, HTMX)):
        refused = desk.post(url, form, headers=headers)
        assert refused.status_code == 409
        if headers:
            assert refused.headers["HX-Redirect"] == reverse("round", args=[tournament.slug, 1])
    published_round.refresh_from_db()
    assert published_round.state == RoundState.PAIRINGS_PUBLISHED
    # A result of the other tournament does not make this page stale.
    other = Game.objects.get(round__tournament=spring_open, board=2)
    fresh = carried(desk.get(page).content.decode(), url)
    result_record(game_id=other.pk, result="==", actor=deputy, now=factories.NOW)
    assert desk.post(url, fresh).status_code == 302
    assert desk.post(url, fresh).status_code == 409


@pytest.mark.costly
def test_the_page_of_results_counts_its_version_as_the_server_does(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    """``results.js`` adds the versions of its boards to that of the round:
    its own entries do not make it stale.
    """
    tournament = published_round.tournament
    address = reverse("round", args=[tournament.slug, 1])
    text = desk.get(address).content.decode()
    (pairings,) = set(re.findall(r'data-pairings="(\d+)"', text))
    for board in (1, 2, 2):
        game = Game.objects.get(round=published_round, board=board)
        form = {"result": "10" if not game.result else "==", "seen_version": game.version}
        assert (
            desk.post(reverse("game-result", args=[tournament.slug, game.pk]), form).status_code
            == 200
        )
    assert int(pairings) + 3 == round_version(tournament, 1)
    assert carried(
        desk.get(address).content.decode(), reverse("results-publish", args=[tournament.slug, 1])
    ) == {"seen_version": str(int(pairings) + 3)}


def test_a_result_without_a_version_is_refused(published_round: Round, desk: Client) -> None:
    tournament = published_round.tournament
    game = Game.objects.get(round=published_round, board=1)
    alone = desk.post(reverse("game-result", args=[tournament.slug, game.pk]), {"result": "10"})
    assert (alone.status_code, alone.json()["conflict"]) == (409, True)
    assert alone.json()["sentence"].startswith(
        "This page is out of date, or the form was incomplete."
    )
    form = {f"result-{game.pk}": "10", f"was-{game.pk}": ""}
    assert desk.post(reverse("round-results", args=[tournament.slug, 1]), form).status_code == 409
    game.refresh_from_db()
    assert (game.result, game.version) == ("", 0)


@pytest.mark.costly
def test_c04_2_4_4_a_change_without_a_version_is_refused(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    Tournament.objects.filter(pk=tournament.pk).update(change_clause="7.3")
    players = {
        game.board: dict(game.seats.values_list("colour", "entry_id"))
        for game in published_round.games.all()
    }
    url = reverse("round-change", args=[tournament.slug, 1]) + "?situation=4.4.2&b=1&b=2"
    form = {
        "w-1": players[1]["w"], "b-1": players[2]["b"], "w-2": players[2]["w"], "b-2": players[1]["b"],
        "left": "Z", "reason": "by clause 7.3", "save": "yes",
    }  # fmt: skip
    tournament.refresh_from_db()
    for version in ({}, {"version": tournament.version - 1}):
        assert desk.post(url, form | version).status_code == 409
    assert not Decision.objects.filter(action="round.changed").exists()
    assert desk.post(url, form | {"version": tournament.version}).status_code == 302
