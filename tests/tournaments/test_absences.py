"""Absent without notice: named on the desk by edition, withdrawn or explained there."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tournaments.models import Decision, Tournament
from tournaments.selectors.absences import no_shows
from tournaments.selectors.frame import tournament_frame
from tournaments.services.absences import absence_explain
from tournaments.services.errors import RuleRefused

from .factories import NOW, boards, entry_of, make_ready, pair_and_publish, play_rounds

pytestmark = pytest.mark.django_db


def black_stays_away_on_1_and_both_on_2(board: int, white: int, black: int) -> str:
    return {1: "+-", 2: "--"}.get(board, "==")


@pytest.fixture
def played(ready: Tournament, chief_arbiter: User) -> Tournament:
    """Round 1 with three players who did not come."""
    play_rounds(ready, [1], chief_arbiter, black_stays_away_on_1_and_both_on_2)
    return ready


def absent(tournament: Tournament) -> list[tuple[int | None, int]]:
    return [(each.tpn, each.board) for each in no_shows(tournament_frame(tournament, runs=True))]


def test_c04_2_3_3_who_forfeited_is_named_until_the_next_pairings(played: Tournament, chief_arbiter: User) -> None:
    [(_, black, _), (white_2, black_2, _), *_rest] = boards(played, 1)
    assert sorted(absent(played)) == sorted([(black, 1), (white_2, 2), (black_2, 2)])
    pair_and_publish(played, 2, chief_arbiter)
    assert absent(played) == []


def test_explained_it_is_recorded_and_asked_no_more(played: Tournament, chief_arbiter: User) -> None:
    black = boards(played, 1)[0][1]
    entry = entry_of(played, black)
    absence_explain(entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=1, explanation=" a train ")
    assert black not in [tpn for tpn, _ in absent(played)]
    decision = Decision.objects.filter(tournament=played).latest("sequence")
    assert (decision.act, decision.article, decision.round_number) == ("absence.explained", "C.04.2 3.3", 1)
    assert decision.after == {"entry": entry.pk, "name": entry.name, "tpn": black, "explanation": "a train"}


def test_who_played_has_nothing_to_explain(played: Tournament, chief_arbiter: User) -> None:
    white = boards(played, 1)[0][0]
    with pytest.raises(RuleRefused) as refused:
        absence_explain(entry_id=entry_of(played, white).pk, actor=chief_arbiter, now=NOW, round_number=1)
    assert refused.value.code == "absence.not_absent"


@pytest.mark.parametrize(
    "system, sentence",
    [
        ("dutch_2026", "They lost by forfeit."),
        ("dutch_2017", "unless the absence is explained before the next pairings are published. [C.04.2 D.2]"),
        ("dutch_pre2017", "unless the absence is explained before the next pairings are published. [C.04.3 F8]"),
    ],
)
def test_the_desk_and_both_rounds_say_so_by_edition(
    system: str, sentence: str, client: Client, chief_arbiter: User
) -> None:
    tournament = make_ready(chief_arbiter, system=system)
    play_rounds(tournament, [1], chief_arbiter, black_stays_away_on_1_and_both_on_2)
    client.force_login(chief_arbiter)
    addresses = [reverse("desk", args=[tournament.slug])]
    addresses += [reverse("round", args=[tournament.slug, number]) for number in (1, 2, 3)]
    assert [sentence in client.get(address).content.decode().replace("\n", " ") for address in addresses] == [
        True,
        True,
        True,
        False,
    ]


def test_on_the_desk_one_is_withdrawn_and_one_explains(played: Tournament, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    desk = reverse("desk", args=[played.slug])
    first, second, third = (entry_of(played, tpn or 0) for tpn, _ in absent(played))
    gone = client.post(reverse("entry-withdraw", args=[played.slug, first.pk]), {"from_round": "2", "back": "desk"})
    assert gone.headers["Location"] == desk
    here = client.post(reverse("absence-explain", args=[played.slug, second.pk]), {"round_number": "1"})
    assert here.headers["Location"] == desk
    assert absent(played) == [(third.tpn, 2)]
    refused = client.post(reverse("absence-explain", args=[played.slug, third.pk]), {"round_number": "x"})
    assert refused.status_code == 409
    assert "did not lose by forfeit in round 0" in refused.content.decode()
