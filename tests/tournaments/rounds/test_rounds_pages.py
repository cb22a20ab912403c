"""The round page: pair, view, discard, publish."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.not_playing import NotPlayingKind, not_playing_groups
from pairing.rounds.pair import round_pair
from pairing.rounds.round_page import round_page
from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_check_in, entry_withdraw
from tournaments.models import Entry, Round, Seat, Tournament


def state(tournament: Tournament, number: int = 1) -> str:
    return factories.round_of(tournament, number).state


@pytest.mark.costly
def test_a_round_from_pairing_to_publication(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    page = reverse("round", args=[ready.slug, 1])
    paired = client.post(reverse("round-pair", args=[ready.slug, 1]), follow=True)
    assert paired.redirect_chain == [(page, 302)]
    text = paired.content.decode()
    assert "Round 1 is paired. Review the draft, then publish the pairings." in text
    assert "Draft: only arbiters can see it." in text
    assert state(ready) == RoundState.DRAFT
    published = client.post(
        reverse("round-publish", args=[ready.slug, 1]),
        factories.page_versions(ready, 1),
        follow=True,
    )
    assert published.redirect_chain == [(page, 302)]
    text = published.content.decode()
    assert "Discard draft" not in text
    assert "Publish pairings" not in text
    assert reverse("round-results", args=[ready.slug, 1]) in text
    assert state(ready) == RoundState.PAIRINGS_PUBLISHED


def test_a_draft_can_be_discarded(draft_round: Round, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    tournament = draft_round.tournament
    address = reverse("round-discard", args=[tournament.slug, 1])
    response = client.post(address, factories.page_versions(tournament, 1), follow=True)
    assert "The draft of round 1 is discarded." in response.content.decode()
    assert state(draft_round.tournament) == RoundState.PLANNED
    assert Seat.objects.filter(round=draft_round).count() == 0


def test_c04_2_4_2_pairing_with_results_missing_names_the_boards(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    tournament = published_round.tournament
    response = client.post(reverse("round-pair", args=[tournament.slug, 2]))
    assert response.status_code == 409
    text = response.content.decode()
    assert "The rules do not allow this now." in text
    assert "Round 1: results are missing on board 1, 2, 3, 4. (C.04.2 4.2)" in text
    assert state(tournament, 2) == RoundState.PLANNED


def test_htmx_gets_only_the_refusal(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.post(
        reverse("round-pair", args=[published_round.tournament.slug, 2]),
        headers={"HX-Request": "true"},
    )
    assert response.status_code == 409
    text = response.content.decode()
    assert 'role="alert"' in text
    assert "<html" not in text


def test_htmx_is_sent_to_the_draft(ready: Tournament, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    response = client.post(
        reverse("round-pair", args=[ready.slug, 1]), headers={"HX-Request": "true"}
    )
    assert response.headers["HX-Redirect"] == reverse("round", args=[ready.slug, 1])
    assert state(ready) == RoundState.DRAFT


@pytest.mark.costly
def test_c04_2_4_4_a_published_round_is_neither_paired_again_nor_discarded(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    slug = published_round.tournament.slug
    seats = list(own(Seat).order_by("pk").values())
    for action in ("round-pair", "round-discard", "round-publish"):
        response = client.post(reverse(action, args=[slug, 1]))
        assert response.status_code == 409
        assert (
            "are published and can no longer be changed. (C.04.2 4.4)" in response.content.decode()
        )
    assert list(own(Seat).order_by("pk").values()) == seats


@pytest.mark.costly
def test_a_draft_that_is_out_of_date_says_so_and_is_paired_again(
    draft_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    tournament = draft_round.tournament
    entry_withdraw(
        entry_id=factories.entry_of(tournament, 2).pk,
        actor=chief_arbiter,
        now=factories.NOW,
        from_round=1,
    )
    page = reverse("round", args=[tournament.slug, 1])
    text = client.get(page).content.decode()
    assert "This draft is out of date." in text
    assert "Publish pairings" not in text
    refused = client.post(reverse("round-publish", args=[tournament.slug, 1]))
    assert refused.status_code == 409
    again = client.post(reverse("round-pair", args=[tournament.slug, 1]), follow=True)
    assert "This draft is out of date." not in again.content.decode()


def test_the_page_before_pairing_shows_who_will_not_play(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    absent = factories.entry_of(ready, 5)
    bye_request(
        entry_id=absent.pk, actor=chief_arbiter, now=factories.NOW, round_number=1, kind="H"
    )
    text = client.get(reverse("round", args=[ready.slug, 1])).content.decode()
    assert "Not playing in round 1" in text
    assert absent.name in text
    assert "odd number: one player gets the pairing-allocated bye" in text
    assert "Pair round 1" in text


def test_c04_2_4_1_the_players_who_are_not_checked_in_are_beside_the_boards(
    ready: Tournament, chief_arbiter: User
) -> None:
    """Before and after the pairing, once somebody is checked in."""
    by: dict[str, Any] = {"actor": chief_arbiter, "now": factories.NOW}
    absent = factories.entry_of(ready, 5)
    bye_request(entry_id=absent.pk, round_number=1, kind="H", **by)

    def not_there() -> list[int | None]:
        page = round_page(tournament_frame(ready, runs=True), factories.round_of(ready, 1))
        groups = not_playing_groups(tournament_frame(ready, runs=True), page, away={absent.pk})
        return [
            one.tpn
            for group in groups
            if group.kind is NotPlayingKind.NOT_CHECKED_IN
            for one in group.players
        ]

    assert not_there() == []
    for tpn in (1, 2, 3, 4):
        entry_check_in(entry_id=factories.entry_of(ready, tpn).pk, checked_in=True, **by)
    assert sorted(filter(None, not_there())) == [6, 7, 8]
    round_pair(round_id=factories.round_of(ready, 1).pk, **by)
    assert sorted(filter(None, not_there())) == [6, 7, 8]


@pytest.mark.costly
@pytest.mark.parametrize("acceleration", ["", "baku"])
def test_some_boards_and_players_are_read_as_in_the_whole_round(
    chief_arbiter: User, acceleration: str
) -> None:
    ready = factories.make_ready(chief_arbiter, players=9, acceleration=acceleration)
    factories.play_rounds(ready, [1], chief_arbiter)
    factories.pair_and_publish(ready, 2, chief_arbiter)
    Entry.objects.filter(tournament=ready, tpn__in=(1, 9)).update(name="Abara, Player 1")
    frame, row = tournament_frame(ready, runs=False), factories.round_of(ready, 2)
    whole = round_page(frame, row)
    assert sum(line.white.is_namesake or line.black.is_namesake for line in whole.boards) > 0
    some = round_page(frame, row, boards=range(1, 3))
    assert some.boards[:2] == whole.boards[:2]
    (bye,) = whole.byes
    player = whole.boards[-1].black
    few = round_page(frame, row, players={player.entry_id, bye.player.entry_id})
    assert (few.boards[-1], few.byes) == (whole.boards[-1], whole.byes)
    if acceleration:  # group A follows from all players
        assert some == few == whole
    else:
        assert (len(some.boards), some.byes, len(few.boards)) == (2, (), 1)


def test_a_later_round_links_to_the_current_round(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = client.get(reverse("round", args=[ready.slug, 4])).content.decode()
    assert "This round is later. The current round is 1." in text
    assert "Pair round 4" not in text
    assert client.get(reverse("round", args=[ready.slug, 6])).status_code == 404


@pytest.mark.costly
def test_the_draft_shows_scores_colours_and_floaters(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    factories.play_rounds(
        ready, [1], chief_arbiter, lambda board, white, black: "==" if board == 1 else "10"
    )
    round_pair(round_id=factories.round_of(ready, 2).pk, actor=chief_arbiter, now=factories.NOW)
    text = client.get(reverse("round", args=[ready.slug, 2])).content.decode()
    page = client.get(reverse("round", args=[ready.slug, 2])).context["page"]
    assert {line.white.colours + line.black.colours for line in page.boards} <= {
        "WB",
        "BW",
        "WW",
        "BB",
    }
    floats = [line.board for line in page.boards if line.crosses_scoregroups]
    assert text.count('class="floats"') == len(floats) > 0
    assert sum(line.white.points + line.black.points for line in page.boards) == 40


def test_boards_are_in_publication_order(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[published_round.tournament.slug, 1])).context["page"]
    shown = [(line.white.tpn, line.black.tpn) for line in page.boards]
    assert shown == [
        (white, black) for white, black, _ in factories.boards(published_round.tournament, 1)
    ]
    assert [line.board for line in page.boards] == [1, 2, 3, 4]


@pytest.mark.costly
def test_c04_2_3_1_an_older_adjourned_game_is_acknowledged_with_the_pairing(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=4)
    factories.play_rounds(
        tournament, [1], chief_arbiter, lambda board, white, black: "??" if board == 2 else "10"
    )
    factories.play_rounds(tournament, [2], chief_arbiter)
    client.force_login(chief_arbiter)
    for page in (
        reverse("round", args=[tournament.slug, 3]),
        reverse("desk", args=[tournament.slug]),
    ):
        assert "count as draws once more: 1/2" in client.get(page).content.decode()
    pair = reverse("round-pair", args=[tournament.slug, 3])
    assert client.post(pair).status_code == 409
    assert client.post(pair, {"older_open": "yes"}).status_code == 302
    assert state(tournament, 3) == RoundState.DRAFT
