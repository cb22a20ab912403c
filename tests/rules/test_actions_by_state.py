"""Compare the rules for every action in every state of a round with the table in docs/rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from pairing.engine.model import PointSystem
from pairing.rules import check_in, corrections, entries, rounds, undo
from pairing.rules.check_in import CheckIn, Consequence
from pairing.rules.corrections import CorrectionKind
from pairing.rules.initial_order import may_assign_numbers, may_change_rating
from pairing.rules.number_of_rounds import may_change_number
from pairing.rules.point_adjustments import may_adjust, may_withdraw_points
from pairing.rules.regulations import (
    may_change_fields,
    may_change_tie_breaks,
    may_draw_lots,
    may_set_initial_colour,
)
from pairing.rules.rounds import FieldFacts, RoundFacts, RoundState
from pairing.rules.verdict import Refused, Verdict, first_refusal

DOCS = Path(__file__).resolve().parents[2] / "docs" / "rules" / "c04-2-handling-rules.md"
STATES = (
    RoundState.PLANNED,
    RoundState.DRAFT,
    RoundState.PAIRINGS_PUBLISHED,
    RoundState.RESULTS_PUBLISHED,
)
CLOSED = CheckIn(2)


def under_way(state: RoundState) -> list[RoundFacts]:
    """Return three rounds: round 1 is over, round 2 in *state* with all results entered,
    round 3 planned.
    """
    return [
        RoundFacts(1, RoundState.RESULTS_PUBLISHED),
        RoundFacts(2, state),
        RoundFacts(3, RoundState.PLANNED),
    ]


def correct(facts: list[RoundFacts], kind: CorrectionKind) -> Verdict:
    return corrections.may_correct_game(
        facts[1], kind, played=True, adjourned=False, article="C.04.2 4.3"
    )


def settle(facts: list[RoundFacts]) -> Verdict:
    given = {"missing": 1, "due": 9, "decides": False, "confirmed": False}
    return check_in.may_settle(CLOSED, facts, Consequence.EXCLUDED, **given)


def undo_action(facts: list[RoundFacts], action: str) -> Verdict:
    return undo.may_undo(action, facts, 2, CheckIn(), own=True, decides=False)


ACTIONS: dict[str, Callable[[list[RoundFacts]], Verdict]] = {
    "pair": lambda facts: rounds.may_pair(facts, 2, FieldFacts(present=8)),
    "pair again a draft that is out of date": lambda facts: rounds.may_pair(
        facts, 2, FieldFacts(present=8), draft_is_stale=True
    ),
    "discard the draft": lambda facts: rounds.may_discard(facts[1]),
    "publish the pairings": lambda facts: rounds.may_publish(facts[1], draft_is_stale=False),
    "publish the pairings of a draft that is out of date": lambda facts: rounds.may_publish(
        facts[1], draft_is_stale=True
    ),
    "enter a result": lambda facts: rounds.may_record_result(
        facts[1], adjourned=False, clears=False
    ),
    "enter the end of an adjourned game": lambda facts: rounds.may_record_result(
        facts[1], adjourned=True, clears=False
    ),
    "publish the results": lambda facts: rounds.may_publish_results(facts[1]),
    "correct a result": lambda facts: correct(facts, CorrectionKind.RESULT),
    "correct colours": lambda facts: correct(facts, CorrectionKind.COLOURS),
    "edit a rating without a correction": lambda facts: corrections.may_mend_rating(
        facts, article="C.04.2 4.3.3"
    ),
    "enter a player for this round": lambda facts: entries.may_enter(facts, 2),
    "remove an entry": entries.may_remove,
    "withdraw a player from this round on": lambda facts: entries.may_withdraw(facts, 2),
    "bring a withdrawn player back": lambda facts: entries.may_return(withdrawn=True),
    "grant or cancel a bye for this round": lambda facts: entries.may_change_bye(facts, 2),
    "decide about the missing players at its check-in": settle,
    "assign the pairing numbers again": lambda facts: may_assign_numbers(facts, participants=8),
    "change the estimate of an unrated player": lambda facts: first_refusal(
        corrections.may_mend_rating(facts, article="C.04.2 4.3.3"),
        may_change_rating(facts, over_rating=False, decides=True, article="C.04.2 4.3.3"),
    ),
    "draw the initial colour": may_set_initial_colour,
    "change the number of rounds as a setting": lambda facts: may_change_fields(
        facts, ["total_rounds"]
    ),
    "change the number of rounds after the start": lambda facts: may_change_number(
        facts, 5, accelerated=False
    ),
    "change the tie-breaks after the start": may_change_tie_breaks,
    "draw lots between tied players": lambda facts: may_draw_lots(facts, drawn=False, tied=2),
    "adjust points in this round": lambda facts: may_adjust(facts, 2, system=PointSystem()),
    "withdraw a point adjustment of this round": lambda facts: may_withdraw_points(facts, 2),
    "adjust points in the previous round": lambda facts: may_adjust(facts, 1, system=PointSystem()),
    "withdraw a point adjustment of the previous round": lambda facts: may_withdraw_points(
        facts, 1
    ),
    "undo the draft": lambda facts: undo_action(facts, "round.paired"),
    "undo a result": lambda facts: undo_action(facts, "result.recorded"),
    "undo a withdrawal": lambda facts: undo_action(facts, "entry.withdrawn"),
    "undo a bye": lambda facts: undo_action(facts, "bye.requested"),
    "undo a publication": lambda facts: undo_action(facts, "pairings.published"),
}


def answer(verdict: Verdict) -> str:
    if not isinstance(verdict, Refused):
        return "yes"
    return f"`{verdict.code}` {verdict.article.removeprefix('C.04.2 ')}".strip()


def test_c04_2_4_4_every_action_in_every_stage_matches_the_table() -> None:
    section = (
        DOCS.read_text()
        .partition("### Every action and the state of its round\n")[2]
        .partition("\n### ")[0]
    )
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE
    )
    expected = {action: answers for action, *answers in rows if action != "action"}
    assert expected == {
        action: [answer(rule(under_way(state))) for state in STATES]
        for action, rule in ACTIONS.items()
    }
