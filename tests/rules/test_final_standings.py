"""When standings may be made final, and reopened."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from pairing.rules.final_standings import AFTER_THE_END, EndFacts, may_make_final, may_reopen
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused

NOW: Final = datetime(2026, 11, 22, 17, 0, tzinfo=UTC)
OVER: Final = EndFacts(
    rounds=[
        RoundFacts(1, RoundState.RESULTS_PUBLISHED),
        RoundFacts(2, RoundState.RESULTS_PUBLISHED),
    ],
    is_final=False,
)
IN_PLAY: Final = [
    RoundFacts(1, RoundState.RESULTS_PUBLISHED),
    RoundFacts(2, RoundState.PAIRINGS_PUBLISHED),
]


@pytest.mark.parametrize(
    "facts, refusal",
    [
        (replace(OVER, is_final=True), Refused("standings.final", "C.04.2 4.3")),
        (replace(OVER, rounds=IN_PLAY), Refused("final.not_over", "C.04.2 4.2")),
        (
            replace(OVER, adjourned=("1/3",)),
            Refused("results.adjourned", "C.04.2 3.1", {"games": ("1/3",)}),
        ),
        (
            replace(OVER, reports_until=NOW + timedelta(seconds=61)),
            Refused("final.reports_open", "C.04.2 4.3", {"minutes": 2}),
        ),
        (replace(OVER, tied=((1, 4),)), Refused("final.tied", "C.07 4.2", {"count": 2})),
    ],
)
def test_c04_2_4_3_standings_become_final_when_nothing_is_open(
    facts: EndFacts, refusal: Refused
) -> None:
    assert may_make_final(facts, NOW, ties_stay=False) == refusal


def test_c04_2_4_3_standings_become_final_at_the_end_of_the_time_for_reports() -> None:
    assert may_make_final(replace(OVER, reports_until=NOW), NOW, ties_stay=False) == ALLOWED
    assert may_make_final(replace(OVER, reports_until=None), NOW, ties_stay=False) == ALLOWED


def test_c07_4_2_players_may_share_a_rank_if_the_chief_arbiter_says_so() -> None:
    assert may_make_final(replace(OVER, tied=((1, 4),)), NOW, ties_stay=True) == ALLOWED


def test_only_final_standings_are_reopened() -> None:
    assert may_reopen(is_final=True) == ALLOWED
    assert may_reopen(is_final=False) == Refused("final.not_final")


def test_c04_2_4_3_what_is_still_possible_changes_nothing_of_the_event() -> None:
    assert {
        # The Chief Arbiter opens the standings again,
        "standings.reopened",
        # ends the work of people or hands it over (a new password could reopen the standings),
        "person.removed", "access.renewed", "chief.handed_over", "password.set",
        # says where the tournament is shown and kept,
        "tournament.listed", "tournament.unlisted", "tournament.archived", "tournament.restored",
        "tournament.handed_over", "tournament.taken_over", "tournament.brought_back",
        # hears protests and appeals, whose time may end later,
        "protest.lodged", "protest.decided", "protest.appealed", "appeal.decided",
        # reports the event, and deletes what is known about players.
        "report.sent", "report.withdrawn", "data.deleted",
    } == AFTER_THE_END  # fmt: skip
