"""Colours and games that have begun, in a change of published pairings
[C.04.2/2026 4.4, C.04.1/2026 6, 7].
"""

from dataclasses import replace

import pytest

from pairing.engine.model import TPN
from pairing.rules.handling import HANDLING
from pairing.rules.publication import games_started, is_larger, may_change, may_deviate
from pairing.rules.published import Arrangement, Published, Situation, boards_corrected
from pairing.rules.rounds import RoundState
from pairing.rules.situations import Given
from pairing.rules.smallest import proposal
from pairing.rules.verdict import ALLOWED, Refused


def arrangement(*pairs: tuple[int, int], **byes: int) -> Arrangement:
    boards = {
        number: (TPN(white), TPN(black)) for number, (white, black) in enumerate(pairs, start=1)
    }
    return Arrangement(boards, {TPN(tpn): letter for letter, tpn in byes.items()})


NOW = arrangement((1, 2), (3, 4), (5, 6))
SWAPPED = arrangement((1, 4), (3, 2), (5, 6))
FACTS = Published(
    number=3,
    state=RoundState.PAIRINGS_PUBLISHED,
    is_last=True,
    now=NOW,
    results={},
    met=frozenset(),
    points={TPN(number): 10 for number in range(1, 7)},
    clause="by hand",
    top_boards=2,
)


def code(
    facts: Published,
    situation: Situation = Situation.REGULATIONS,
    after: Arrangement = SWAPPED,
    **given,
) -> str:
    verdict = may_deviate(facts, after, situation, given=Given(**given))
    if verdict == ALLOWED:
        return "yes"
    assert isinstance(verdict, Refused)
    return f"{verdict.code} [{verdict.article}] {verdict.params['boards']}"


def test_c04_1_7_colours_that_turning_a_board_avoids_are_refused():
    white_is_barred = replace(FACTS, barred={TPN(3): "w"})
    assert code(white_is_barred, exception=True) == "change.colours_avoidable [C.04.1 7] [2]"
    assert (
        code(replace(FACTS, barred={TPN(2): "b", TPN(4): "b"}))
        == "change.colours_avoidable [C.04.1 7] [1, 2]"
    )
    assert code(replace(FACTS, barred={TPN(3): "b", TPN(5): "w"})) == "yes"


def test_c04_1_7_colours_that_nothing_avoids_need_a_reason():
    both = replace(FACTS, barred={TPN(3): "w", TPN(2): "w"})
    assert code(both) == "change.exception_missing [C.04.1 7] [2]"
    assert code(both, exception=True) == "yes"


def test_c04_1_7_colours_that_the_smallest_change_does_not_need_are_refused():
    """1 and 2 have met: 1-4 3-2 breaks colours, 3-2 1-4 at other boards,
    or with 5 and 6, does not.
    """
    facts = replace(
        FACTS, met=frozenset({frozenset({TPN(1), TPN(2)})}), barred={TPN(3): "w", TPN(2): "w"}
    )
    refused = "change.colours_need_not_break [C.04.1 7] [2]"
    assert code(facts, Situation.ALREADY_MET, exception=True) == refused


@pytest.mark.parametrize(
    "results, boards", [({}, (1, 2)), ({1: "+-"}, (2,)), ({1: "+-", 2: "--"}, ())]
)
def test_c04_2_4_4_games_whose_start_has_passed_are_confirmed(results, boards):
    facts = replace(FACTS, started=True, results=results)
    assert games_started(facts, SWAPPED) == boards
    assert games_started(replace(facts, started=False), SWAPPED) == ()
    refused = f"change.confirm_start [{facts.situations[Situation.REGULATIONS]}] {boards}"
    assert code(facts) == (refused if boards else "yes")
    assert code(facts, started=True) == code(replace(facts, started=False)) == "yes"


def test_c04_2_4_4_2_a_change_of_more_games_than_needed_is_larger():
    three = arrangement((1, 4), (3, 6), (5, 2))
    assert is_larger(FACTS, three, Situation.REGULATIONS, concerned=frozenset({1}))
    assert not is_larger(FACTS, SWAPPED, Situation.REGULATIONS, concerned=frozenset({1}))
    assert not is_larger(FACTS, three, Situation.REGULATIONS, concerned=frozenset({1, 2, 3}))


def test_c04_2_4_4_2_the_boards_named_must_change():
    verdict = may_change(
        FACTS,
        SWAPPED,
        Situation.REGULATIONS,
        consents=frozenset(),
        given=Given(concerned=frozenset({3})),
    )
    assert isinstance(verdict, Refused)
    assert (verdict.code, verdict.article) == (
        "change.others_concerned",
        FACTS.situations[Situation.REGULATIONS],
    )
    assert verdict.params == {"boards": [3]}


def test_c04_3_pre2017_f7_the_proposal_is_what_follows_from_the_corrected_data():
    old = HANDLING["pre2017"]
    facts = replace(FACTS, situations=old.situations, forbids=old.changes, corrected=True)
    assert proposal(facts, Situation.CORRECTION) is None
    follows = replace(
        facts, follows=arrangement((3, 2), (1, 4), (5, 6)), barred={TPN(3): "w", TPN(4): "b"}
    )
    found = proposal(follows, Situation.CORRECTION)
    assert found is not None
    assert {*found.after.boards.values()} == {(3, 2), (1, 4), (5, 6)}
    assert found.after.boards[3] == (5, 6)
    assert (found.games, found.breaches) == ((1, 2), 2)
    # The colours of the rules stay as they are.
    assert code(follows, Situation.CORRECTION, found.after) == "yes"
    others = replace(facts, follows=arrangement((3, 2), (1, 4), (5, 7)))
    assert proposal(others, Situation.CORRECTION) is None
    assert (
        proposal(replace(facts, follows=arrangement((5, 6), (1, 2), (3, 4))), Situation.CORRECTION)
        is None
    )


def test_c04_2_4_4_5_the_top_boards_are_repaired_among_themselves():
    found = proposal(FACTS, Situation.TOP_BOARDS, concerned=[1])
    assert found is not None
    assert found.games == (1, 2)
    assert proposal(FACTS, Situation.TOP_BOARDS, concerned=[3]) is None


def test_c04_2_4_4_a_further_reason_breaks_up_no_game_that_has_begun():
    three = arrangement((1, 4), (3, 6), (5, 2))

    def ask(facts: Published) -> object:
        given = Given(further=True)
        return may_change(facts, three, Situation.ALREADY_MET, consents=frozenset(), given=given)

    met = replace(FACTS, met=frozenset({frozenset({TPN(1), TPN(2)})}))
    assert ask(met) == ALLOWED
    article = FACTS.situations[Situation.ALREADY_MET]
    assert ask(replace(met, begun=True)) == Refused("change.begun", article, {"boards": [2, 3]})


def test_c04_3_pre2017_f7_no_board_is_corrected_while_nothing_follows():
    assert boards_corrected(FACTS) == ()
    assert boards_corrected(replace(FACTS, follows=arrangement((3, 2), (1, 4), (5, 6)))) == (1, 2)
