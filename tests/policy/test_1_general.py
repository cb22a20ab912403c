"""C.04.1 and C.04.2 1: settings declared before the start, and pairings that nobody may choose."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.by_hand import round_pair_by_hand
from pairing.rounds.pair import round_pair, round_unpair
from tests.policy.refusals import NOT_THEIRS, page_refuses, refused
from tests.tournaments.factories import NOW, entry_of, play_rounds, round_of, seen_now
from tests.tournaments.web.test_shown_values import opened
from tournaments.models import Round, Tournament
from tournaments.setup.initial_colour import initial_colour_draw, initial_colour_set
from tournaments.setup.number_of_rounds import number_of_rounds_change
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.tournaments import tournament_update

WHY = "so the deputy says"


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


@pytest.fixture
def discarded(ready: Tournament, deputy: User) -> Tournament:
    """The deputy has read a draft of round 1 and discarded it."""
    round_pair(round_id=round_of(ready, 1).pk, **by(deputy))
    round_unpair(round_id=round_of(ready, 1).pk, **by(deputy))
    return ready


def test_c04_1_1_a_deputy_changes_no_number_of_rounds(
    played_round: Round, deputy: User, as_deputy: Client
) -> None:
    tournament = played_round.tournament
    given = {"tournament_id": tournament.pk, "total_rounds": 4, **by(deputy)}
    refused(
        lambda: number_of_rounds_change(**given, reason=WHY, version=tournament.version), NOT_THEIRS
    )
    refused(lambda: tournament_update(**given, reason=WHY), "tournament.begun C.04.1 1")
    url = reverse("number-of-rounds", args=[tournament.slug])
    forged = {"total_rounds": "4", "reason": WHY, "confirmed": f"{tournament.version} 4"}
    page_refuses(as_deputy, url, forged, 403, says="Only the Chief Arbiter")


def test_c04_1_1_the_chief_arbiter_needs_a_reason_and_the_page_of_now(
    played_round: Round, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    given = {"tournament_id": tournament.pk, "total_rounds": 4, **by(chief_arbiter)}
    refused(
        lambda: number_of_rounds_change(**given, reason=".", version=tournament.version),
        "rounds.reason_missing",
    )
    stale = {"reason": WHY, "version": tournament.version - 1}
    refused(lambda: number_of_rounds_change(**given, **stale), "rounds.moved_meanwhile")


@pytest.mark.parametrize(
    "change, article",
    [
        ({"total_rounds": 4}, "C.04.1 1"),
        ({"points_pab": 0}, "C.04.1 3"),
        ({"system": "dutch_2017"}, "C.04.2 1.3"),
        ({"acceleration": "baku"}, "C.04.2 1.1"),
        ({"handling_edition": "c04_2_2017"}, "C.04.2 1.3"),
        ({"late_entry_bye": "H"}, "C.04.2 2.4"),
        ({"max_byes": 9}, "C.04.2 3.3"),
        ({"correction_minutes": 999}, "C.04.2 4.3"),
        ({"change_clause": "everything"}, "C.04.2 4.4.2"),
        ({"tie_breaks": "WIN"}, "C.07 4.1.1"),
    ],
)
def test_c04_2_1_3_what_was_declared_stays(
    change: dict[str, Any], article: str, discarded: Tournament, deputy: User, chief_arbiter: User
) -> None:
    """After a discarded draft for a deputy, after the start for everybody;
    the articles are those of 2026.
    """
    given = {"tournament_id": discarded.pk, **change, "reason": WHY}
    refused(
        lambda: tournament_update(**given, **by(deputy)),
        f"tournament.chief_arbiter_changes {article}",
    )
    round_pair(round_id=round_of(discarded, 1).pk, **by(chief_arbiter))
    refused(lambda: tournament_update(**given, **by(chief_arbiter)), f"tournament.begun {article}")


@pytest.mark.costly
def test_c04_2_1_3_the_form_of_a_deputy_saves_no_declared_setting(
    discarded: Tournament, as_deputy: Client
) -> None:
    url = reverse("tournament-edit", args=[discarded.slug])
    form = opened(as_deputy, url) | {"max_byes": "9", "reason": WHY}
    page_refuses(as_deputy, url, form, 422, "C.04.2 3.3")


@pytest.mark.costly
def test_c04_2_1_5_nobody_chooses_opponents(
    draft_round: Round, deputy: User, as_deputy: Client
) -> None:
    tournament = draft_round.tournament
    pk = {entry.tpn: entry.pk for entry in tournament.entries.all()}
    swapped = Pairings({n: (pk[n], pk[9 - n]) for n in range(1, 5)})
    given = {"round_id": draft_round.pk, "pairings": swapped, "reason": WHY, **by(deputy)}
    refused(lambda: round_arrange(**given), NOT_THEIRS)
    refused(lambda: round_pair_by_hand(**given), "round.already_paired")
    tournament.refresh_from_db()
    seats = {f"{side}-{n}": pk[n if side == "w" else 9 - n] for n in range(1, 5) for side in "wb"}
    forged = {**seats, "left": "Z", "reason": WHY, "save": "yes", "version": tournament.version}
    arrange, by_hand = (
        reverse(page, args=[tournament.slug, 1]) for page in ("round-change", "round-by-hand")
    )
    page_refuses(
        as_deputy, f"{arrange}?b=1&b=2&b=3&b=4", forged, 403, says="Only the Chief Arbiter"
    )
    page_refuses(as_deputy, by_hand, forged, 409)


def test_c04_2_1_5_the_chief_arbiter_does_not_pair_by_hand_while_there_is_a_pairing(
    ready: Tournament, chief_arbiter: User
) -> None:
    pk = {entry.tpn: entry.pk for entry in ready.entries.all()}
    by_hand = Pairings({n: (pk[n], pk[9 - n]) for n in range(1, 5)})
    given = {"round_id": round_of(ready, 1).pk, "pairings": by_hand, "reason": WHY}
    refused(
        lambda: round_pair_by_hand(**given, **by(chief_arbiter)),
        "manual.legal_pairing_exists C.04.2 1.5",
    )


@pytest.mark.costly
def test_c04_2_1_5_prohibited_pairs_are_not_added_after_a_draft_was_read(
    discarded: Tournament, deputy: User, chief_arbiter: User
) -> None:
    pairs = [[entry_of(discarded, 1).pk, entry_of(discarded, 5).pk]]
    given: dict[str, Any] = {"tournament_id": discarded.pk, "pairs": pairs, "reason": WHY}
    code = "tournament.chief_arbiter_changes C.04.2 1.5"
    refused(lambda: prohibited_pairs_set(**given, **by(deputy)), code)
    refused(
        lambda: prohibited_pairs_set(**given | {"reason": ""}, **by(chief_arbiter)),
        "tournament.reason_missing",
    )
    play_rounds(discarded, [1], chief_arbiter)
    refused(
        lambda: prohibited_pairs_set(**given, **by(chief_arbiter)), "tournament.begun C.04.2 1.5"
    )


@pytest.mark.costly
def test_c04_3_5_1_the_colour_is_not_drawn_until_it_suits(
    discarded: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    """The event has White as initial colour, and its draft was read."""
    given: dict[str, Any] = {"tournament_id": discarded.pk}
    refused(lambda: initial_colour_set(**given, colour="b", reason=WHY, **by(deputy)), NOT_THEIRS)
    refused(lambda: initial_colour_draw(**given, reason=WHY, **by(deputy)), NOT_THEIRS)
    url = reverse("initial-colour", args=[discarded.slug])
    for forged in ({"draw": "yes", "reason": WHY}, {"colour": "b", "reason": WHY}):
        page_refuses(
            as_deputy, url, {**forged, **seen_now(discarded)}, 403, says="Only the Chief Arbiter"
        )
    refused(
        lambda: initial_colour_set(**given, colour="b", reason=" ", **by(chief_arbiter)),
        "colour.reason_missing",
    )
    initial_colour_draw(**given, reason=WHY, **by(chief_arbiter))
    again = by(chief_arbiter, reason=WHY)
    refused(lambda: initial_colour_draw(**given, **again), "colour.drawn_once C.04.3 5.1")
    play_rounds(discarded, [1], chief_arbiter)
    refused(
        lambda: initial_colour_set(**given, colour="w", **again), "colour.event_begun C.04.3 5.1"
    )
