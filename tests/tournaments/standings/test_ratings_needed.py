"""Tie-breaks by rating and players without one: warned before the start,
and not lost for somebody who never played.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_update, entry_withdraw, numbers_assign
from tournaments.models import Entry, Tournament
from tournaments.setup.tie_breaks import tie_breaks_change
from tournaments.setup.usable_tie_breaks import RatingsNeeded, ratings_needed
from tournaments.standings.standings import standings

LIST: Final = "ARO,BH"


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": NOW}


@pytest.fixture
def unrated(chief_arbiter: User) -> Entry:
    """The ninth player of an event with ARO, entered without a rating after the list was chosen."""
    tournament = make_ready(chief_arbiter, tie_breaks=LIST)
    entry = entry_add(tournament_id=tournament.pk, name="Zorn, Zoe", **by(chief_arbiter))
    numbers_assign(tournament_id=tournament.pk, **by(chief_arbiter))
    return entry


def columns(tournament: Tournament) -> list[str]:
    frame = tournament_frame(tournament, runs=True)
    return [column.code for column in standings(frame, after_round=frame.latest_results).columns]


@pytest.mark.costly
def test_c07_10_arbiters_are_warned_before_round_1_and_on_the_desk(
    unrated: Entry, chief_arbiter: User, client: Client
) -> None:
    tournament = unrated.tournament
    assert ratings_needed(tournament) == RatingsNeeded(("ARO",), ("Zorn, Zoe",))
    client.force_login(chief_arbiter)
    warning = "ARO would be removed from the tie-breaks, because 1 player has no rating: Zorn, Zoe."
    pages = (reverse("desk", args=[tournament.slug]), reverse("start", args=[tournament.slug]))
    now = client.get(pages[0]).content.decode()
    assert "ARO will not count: 1 player without a rating</strong>" in now
    assert "Zorn, Zoe</span>" in now
    for url in (pages[1], reverse("round", args=[tournament.slug, 1])):
        body = " ".join(client.get(url).content.decode().split())
        assert (warning in body, f'href="{reverse("entries", args=[tournament.slug])}' in body) == (
            True,
            True,
        ), url
    entry_update(entry_id=unrated.pk, rating=1400, rating_source="estimate", **by(chief_arbiter))
    assert ratings_needed(tournament) == RatingsNeeded()
    assert "will not count" not in client.get(pages[0]).content.decode()


def test_c07_10_a_list_without_ratings_warns_of_nothing(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, tie_breaks="BH,SB")
    entry_add(tournament_id=tournament.pk, name="Zorn, Zoe", **by(chief_arbiter))
    assert ratings_needed(tournament) == RatingsNeeded()


@pytest.mark.parametrize("played", ["withdrawn", "absent", "forfeit", "bye"])
def test_c07_10_a_player_who_never_played_removes_no_tie_break(
    played: str, unrated: Entry, chief_arbiter: User
) -> None:
    tournament = unrated.tournament
    number = Entry.objects.get(pk=unrated.pk).tpn or 0
    if played == "withdrawn":
        entry_withdraw(entry_id=unrated.pk, **by(chief_arbiter))
    elif played == "absent":
        bye_request(entry_id=unrated.pk, round_number=1, kind="Z", **by(chief_arbiter))
    elif played == "forfeit":
        bye_request(
            entry_id=entry_of(tournament, 1).pk, round_number=1, kind="Z", **by(chief_arbiter)
        )

    def result(board: int, white: int, black: int) -> str:
        if played == "forfeit" and number in (white, black):
            return "-+" if white == number else "+-"
        return "10"

    play_rounds(tournament, [1], chief_arbiter, result)
    assert columns(tournament) == ["ARO", "BH"]
    # Another list by ratings can be chosen unless the player may still play.
    if played == "withdrawn":
        tie_breaks_change(
            tournament_id=tournament.pk,
            tie_breaks="TPR,BH",
            edition=tournament.tie_break_edition,
            version=Tournament.objects.get(pk=tournament.pk).version,
            reason="the regulations say so",
            **by(chief_arbiter),
        )
        assert columns(Tournament.objects.get(pk=tournament.pk)) == ["TPR", "BH"]


@pytest.mark.costly
def test_c07_10_a_player_who_played_removes_it(unrated: Entry, chief_arbiter: User) -> None:
    tournament = unrated.tournament
    bye_request(entry_id=entry_of(tournament, 1).pk, round_number=1, kind="Z", **by(chief_arbiter))
    play_rounds(tournament, [1], chief_arbiter)
    assert columns(tournament) == ["BH"]
    entry_withdraw(entry_id=unrated.pk, **by(chief_arbiter))
    assert ratings_needed(factories.round_of(tournament, 1).tournament).players == ("Zorn, Zoe",)


@pytest.mark.costly
def test_c07_10_one_player_without_a_rating_is_named_in_the_singular(
    unrated: Entry, chief_arbiter: User, client: Client
) -> None:
    tournament = unrated.tournament
    play_rounds(tournament, [1, 2], chief_arbiter)  # in round 1 the player has the bye
    unrated.refresh_from_db()
    url = reverse("standings", args=[tournament.slug])
    values = {
        "en": f"the player with the number {unrated.tpn} has no rating",
        "fr": f"le joueur numéro {unrated.tpn} n’a pas d’Elo",
    }
    for language, sentence in values.items():
        text = " ".join(
            client.get(url, headers={"Accept-Language": language}).content.decode().split()
        )
        assert sentence in text
