"""C.04.2 3: adjourned games, withdrawals, absences."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.absences import absence_explain
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from tests.policy.refusals import NOT_THEIRS, page_refuses, refused
from tests.tournaments.factories import (
    NOW,
    boards,
    cached,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
    seen_now,
)
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_return, entry_withdraw
from tournaments.models import Game, Round, Tournament
from tournaments.reports.trf_export import trf_export

WHY = "so the deputy says"


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


@pytest.mark.costly
def test_c04_2_3_1_no_final_standings_with_an_adjourned_game(
    chief_arbiter: User, deputy: User
) -> None:
    tournament = make_ready(chief_arbiter, rounds=2)
    pair_and_publish(tournament, 1, chief_arbiter)
    enter_results(tournament, 1, chief_arbiter)
    game = Game.objects.get(round=round_of(tournament, 1), board=2)
    result_record(game_id=game.pk, result="", **by(deputy))
    results_publish(round_id=round_of(tournament, 1).pk, adjourning=[2], **by(deputy))
    # An adjourned game is ended; it is neither cleared nor left open at the end.
    refused(
        lambda: result_record(game_id=game.pk, result="", **by(deputy)), "result.closed C.04.2 4.3"
    )
    pair_and_publish(tournament, 2, chief_arbiter)
    enter_results(tournament, 2, chief_arbiter)
    last = round_of(tournament, 2)
    refused(lambda: results_publish(round_id=last.pk, **by(deputy)), "results.adjourned C.04.2 3.1")
    # The report names a game that does not end in a draw: round 2 was paired as if it had.
    ended = "### Adjournment @ Round 1: boards 2, ended without a draw, C.04.2 3.1"
    assert ended not in trf_export(tournament, public=True)
    not_the_draw = "result.not_the_draw C.04.2 3.1"
    refused(lambda: result_record(game_id=game.pk, result="10", **by(deputy)), not_the_draw)
    result_record(game_id=game.pk, result="10", confirmed=True, **by(deputy))
    assert ended in trf_export(tournament, public=True).splitlines()


@pytest.mark.costly
def test_c04_2_3_2_only_the_chief_arbiter_brings_a_player_back(
    played_round: Round, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    """No article provides for a return, so the refusals and the line cite none."""
    tournament = played_round.tournament
    entry = entry_of(tournament, 5)
    entry_withdraw(entry_id=entry.pk, from_round=2, **by(chief_arbiter))
    given: dict[str, Any] = {"entry_id": entry.pk}
    refused(lambda: entry_return(**given, reason=WHY, **by(deputy)), NOT_THEIRS)
    page_refuses(
        as_deputy,
        reverse("entry-return", args=[tournament.slug, entry.pk]),
        {"reason": WHY, **seen_now(tournament)},
        403,
    )
    refused(
        lambda: entry_return(**given, reason=" . ", **by(chief_arbiter)), "return.reason_missing"
    )
    entry_return(**given, reason="the train runs again", **by(chief_arbiter))
    line = tournament.decisions.latest("sequence")
    assert (line.action, line.article, line.reason) == (
        "entry.returned",
        "",
        "the train runs again",
    )
    refused(lambda: entry_return(**given, reason=WHY, **by(chief_arbiter)), "entry.not_withdrawn")


@pytest.mark.costly
def test_c04_2_3_2_nobody_returns_by_a_later_withdrawal(
    played_round: Round, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = played_round.tournament
    entry = entry_of(tournament, 5)
    entry_withdraw(entry_id=entry.pk, from_round=2, **by(chief_arbiter))
    entry_withdraw(entry_id=entry_of(tournament, 6).pk, from_round=2, **by(chief_arbiter))
    pair_and_publish(tournament, 2, chief_arbiter)
    later = {"entry_id": entry.pk, "from_round": 4}
    refused(lambda: entry_withdraw(**later, **by(deputy)), "withdrawal.later C.04.2 3.2")
    url = reverse("entry-withdraw", args=[tournament.slug, entry.pk])
    page_refuses(as_deputy, url, {"from_round": "4", **seen_now(tournament)}, 409, "C.04.2 3.2")
    # The last action is a publication, and the withdrawal was somebody else's: undoing brings
    # nobody back either.
    last = tournament.decisions.latest("sequence").sequence
    page_refuses(as_deputy, reverse("undo", args=[tournament.slug]), {"sequence": last}, 409)


@pytest.mark.parametrize("kind", ["H", "F", "Z"])
def test_c04_2_3_3_no_bye_for_published_pairings(
    kind: str, published_round: Round, deputy: User
) -> None:
    entry = entry_of(published_round.tournament, 5)
    given: dict[str, Any] = {"entry_id": entry.pk, "round_number": 1, "kind": kind}
    refused(lambda: bye_request(**given, **by(deputy)), "bye.round_published C.04.2 3.3")


@pytest.mark.costly
def test_c04_2_3_3_no_points_beyond_the_regulations(
    chief_arbiter: User, deputy: User, as_deputy: Client
) -> None:
    tournament = make_ready(chief_arbiter, max_byes=1, last_bye_round=3)
    entry = entry_of(tournament, 5)
    bye_request(entry_id=entry.pk, round_number=1, kind="H", **by(deputy))
    given: dict[str, Any] = {"entry_id": entry.pk, "kind": "H", **by(deputy)}
    refused(lambda: bye_request(**given, round_number=2), "bye.too_many C.04.2 3.3")
    refused(lambda: bye_request(**given, round_number=4), "bye.too_late C.04.2 3.3")
    unknown = given | {"kind": "U", "round_number": 2}
    refused(lambda: bye_request(**unknown), "bye.kind_unknown")
    url = reverse("bye-request", args=[tournament.slug, entry.pk])
    form = {"round_number": "2", "kind": "H", "confirmed": "2 H", **seen_now(tournament)}
    page_refuses(as_deputy, url, form, 409, "C.04.2 3.3")


@pytest.fixture
@cached
def absent(chief_arbiter: User) -> Tournament:
    """An event of 2017: Black on board 1 of round 1 was absent without
    notice and is withdrawn by the rules.
    """
    tournament = make_ready(chief_arbiter, system="dutch_2017")
    play_rounds(tournament, [1], chief_arbiter, lambda board, *_: "+-" if board == 1 else "==")
    return tournament


@pytest.mark.costly
def test_c04_2_2017_d_2_an_absence_is_explained_in_words(
    absent: Tournament, deputy: User, as_deputy: Client
) -> None:
    entry = entry_of(absent, boards(absent, 1)[0][1])
    assert entry.withdrawn_from == 2
    given: dict[str, Any] = {"entry_id": entry.pk, "round_number": 1, **by(deputy)}
    refused(lambda: absence_explain(**given), "absence.explanation_missing")
    refused(lambda: absence_explain(**given, explanation="."), "absence.explanation_missing")
    url = reverse("absence-explain", args=[absent.slug, entry.pk])
    page_refuses(as_deputy, url, {"round_number": "1", "explanation": "-", **seen_now(absent)}, 400)
    refused(lambda: entry_return(entry_id=entry.pk, reason=WHY, **by(deputy)), NOT_THEIRS)


@pytest.mark.costly
def test_c04_2_2017_d_2_no_explanation_after_the_next_pairings(
    absent: Tournament, deputy: User, chief_arbiter: User
) -> None:
    entry = entry_of(absent, boards(absent, 1)[0][1])
    pair_and_publish(absent, 2, chief_arbiter)
    given: dict[str, Any] = {
        "entry_id": entry.pk,
        "round_number": 1,
        "explanation": "a train",
        **by(deputy),
    }
    refused(lambda: absence_explain(**given), "absence.too_late C.04.2 D.2")


@pytest.mark.costly
def test_c04_2_3_6_a_draft_is_published_as_it_was_sorted(
    draft_round: Round, deputy: User, as_deputy: Client
) -> None:
    """Only the version of the draft that was read can be published: a forged one is refused."""
    url = reverse("round-publish", args=[draft_round.tournament.slug, 1])
    for forged in ({}, {"seen_version": "999"}):
        page_refuses(as_deputy, url, forged, 409)
    later = by(deputy, now=NOW + timedelta(hours=1))
    refused(
        lambda: round_publish(round_id=draft_round.pk, seen_version=999, **later),
        "round.changed_meanwhile",
    )
