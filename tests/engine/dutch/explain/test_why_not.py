"""Why two players do not meet, case by case, and against the literal text on random positions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.dutch.explain import WhyNot, explain_round, why_not
from pairing.engine.dutch.explain.explanation import Order, Outcome
from pairing.engine.dutch.explain.steps import recorded_round
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.model import TPN, Colour, TournamentState
from pairing.engine.systems import pair
from tests.engine.compact import pairing, position
from tests.engine.literal_dutch import pair_literally
from tests.engine.positions import random_state

ROUND_ONE = position({1: "", 2: "", 3: "", 4: "", 5: "", 6: ""})
"""1-4, 5-2, 3-6 with every criterion at its best."""
C8_LOOKS_AHEAD = position(
    {1: "6w1 4b=", 2: "5w= 6b1", 3: "4b1 5b=", 4: "3w0 1w=", 5: "2b= 3w=", 6: "1b0 2w0"},
    total_rounds=6,
)
"""The six players of docs/rules, R2: 1-5, 3-2, 6-4."""


def outcome(state: TournamentState, first: int, second: int) -> Outcome:
    return why_not(state, TPN(first), TPN(second)).outcome


# -- case by case
# ------------------------------------------------------------------------------------------


def test_two_players_who_meet_are_reported_to_meet() -> None:
    found = why_not(ROUND_ONE, TPN(5), TPN(2))
    assert (found.outcome, found.instead) == (Outcome.PAIRED, pair(ROUND_ONE))


def test_an_absent_player_meets_nobody() -> None:
    state = replace(ROUND_ONE, absent=frozenset({TPN(2), TPN(5)}))
    assert why_not(state, TPN(2), TPN(1)).absent == (2,)
    assert why_not(state, TPN(1), TPN(2)).absent == (2,)
    assert why_not(state, TPN(5), TPN(2)).absent == (5, 2)
    assert outcome(state, 1, 2) is Outcome.ABSENT


def test_c04_3_2_1_1_the_round_in_which_they_met_is_named() -> None:
    state = position({1: "3w1 2b=", 2: "4b1 1w=", 3: "1b0 4b1", 4: "2w0 3w0"})
    found = why_not(state, TPN(4), TPN(3))
    assert (found.outcome, found.met_in, found.article) == (Outcome.C1, 2, "2.1.1")
    assert why_not(state, TPN(1), TPN(3)).met_in == 1


def test_c04_2_3_5_after_a_forfeited_game_players_may_meet() -> None:
    state = position({1: "2w+", 2: "1b-", 3: "4w1", 4: "3b0"})
    assert outcome(state, 1, 2) is not Outcome.C1


def test_a_prohibited_pair_is_reported_as_prohibited() -> None:
    state = replace(ROUND_ONE, prohibited=frozenset({frozenset({TPN(1), TPN(4)})}))
    assert outcome(state, 4, 1) is Outcome.PROHIBITED


def test_c04_3_2_1_3_the_colour_both_must_have_is_named() -> None:
    state = position(
        {1: "3w1 4w1", 2: "4w1 3w1", 3: "1b0 2b0", 4: "2b0 1b0"},
        total_rounds=5,
    )
    found = why_not(state, TPN(1), TPN(2))
    assert (found.outcome, found.colour, found.article) == (Outcome.C3, Colour.BLACK, "2.1.3")
    assert why_not(state, TPN(3), TPN(4)).colour is Colour.WHITE


def test_c04_3_2_2_1_two_players_whose_game_leaves_others_unpaired() -> None:
    """1-2 leaves 3 and 4 unpaired, because they have met."""
    state = position({1: "2w+", 2: "1b-", 3: "4w1", 4: "3b0"}, total_rounds=5)
    found = why_not(state, TPN(1), TPN(2))
    assert (found.outcome, found.article, found.instead) == (Outcome.C4, "2.2.1", None)


def test_c04_3_2_4_3_the_criterion_that_gets_worse_is_named_with_both_values() -> None:
    """Without [C8] the pairing would have 1-2, but then the following
    bracket floats two (docs/rules, R2).
    """
    found = why_not(C8_LOOKS_AHEAD, TPN(1), TPN(2))
    assert (found.outcome, found.bracket, found.score) == (Outcome.WORSE, 1, 15)
    assert (found.worse, found.article) == ("C8", "2.4.3")
    assert found.value < found.forced


def test_c04_3_2_4_7_one_preference_more_refused() -> None:
    """1 and 2 both had White, 3 and 4 Black: 1-2 would refuse one preference on each board."""
    state = position({1: "3w=", 2: "4w=", 3: "1b=", 4: "2b="}, total_rounds=5)
    found = why_not(state, TPN(1), TPN(2))
    assert (found.worse, found.value, found.forced, found.bracket) == ("C12", (0,), (2,), 1)
    assert found.instead is not None
    assert found.instead.pairs == ((2, 1), (3, 4))


def test_c04_3_2_3_1_the_bye_would_go_to_a_higher_score() -> None:
    """Only player 3 has no points and may have the bye; if 3 must meet 1, the bye goes to 2."""
    state = position({1: "H", 2: "H", 3: "Z"}, total_rounds=5)
    found = why_not(state, TPN(1), TPN(3))
    assert (found.worse, found.value, found.forced, found.article) == ("C5", (0,), (5,), "2.3.1")


@pytest.mark.parametrize(
    "first, second, order, article",
    [
        (1, 5, Order.TRANSPOSITION, "4.2.2"),
        (1, 2, Order.EXCHANGE, "4.3.2"),
        (5, 6, Order.EXCHANGE, "4.3.2"),
    ],
)
def test_c04_3_4_an_equal_candidate_that_comes_later(
    first: int, second: int, order: Order, article: str
) -> None:
    found = why_not(ROUND_ONE, TPN(first), TPN(second))
    assert (found.outcome, found.order, found.article, found.bracket) == (
        Outcome.LATER,
        order,
        article,
        1,
    )


def test_c04_3_4_2_2_the_next_opponent_of_a_moved_down_player_comes_later() -> None:
    """Player 5 floats down alone with one point, and meets the
    first of the players without points.
    """
    state = position(
        {1: "6w1", 2: "7w0", 3: "8w1", 4: "9w0", 5: "Z", 6: "1b0", 7: "2b1", 8: "3b0", 9: "4b1"}
    )
    explained = explain_round(replace(state, absent=frozenset({TPN(1)})))
    heterogeneous = next(one for one in explained.brackets if one.mdps)
    mdp, opponent = heterogeneous.pairs[0]
    found = [
        why_not(replace(state, absent=frozenset({TPN(1)})), mdp, seat.tpn)
        for seat in heterogeneous.residents
    ]
    assert [one.outcome for one in found if one.second == opponent] == [Outcome.PAIRED]
    assert Order.MDP_TRANSPOSITION in {one.order for one in found}


def test_c04_3_4_4_2_another_choice_of_moved_down_players_comes_later() -> None:
    """Two players of 2½ points float down, and one opponent is left for them:
    the first of them is paired.
    """
    state = random_state(Random(438))
    found = why_not(state, TPN(2), TPN(3))
    assert (found.outcome, found.order, found.article) == (Outcome.LATER, Order.MDP_SET, "4.4.2")
    heterogeneous = explain_round(state).brackets[1]
    assert len(heterogeneous.mdps) > len(
        [pair for pair in heterogeneous.pairs if pair[0] in heterogeneous.mdps]
    )


def test_only_the_dutch_systems_from_2017_are_explained_by_criteria() -> None:
    with pytest.raises(InputError) as caught:
        recorded_round(replace(ROUND_ONE, system="dutch_pre2017"))
    assert caught.value.code == "explain.system"


@pytest.mark.parametrize(
    "first, second, code", [(1, 99, "explain.unknown_player"), (1, 1, "explain.same_player")]
)
def test_an_invalid_question_is_bad_input(first: int, second: int, code: str) -> None:
    with pytest.raises(InputError) as caught:
        why_not(ROUND_ONE, TPN(first), TPN(second))
    assert caught.value.code == code


def test_a_state_that_contradicts_itself_is_bad_input_whoever_is_asked_about() -> None:
    state = position({1: "2w1", 2: "1b0", 3: "Z"}, total_rounds=2)
    with pytest.raises(InputError) as caught:
        why_not(replace(state, total_rounds=1), TPN(1), TPN(2))
    assert caught.value.code == "state.round_number"


def test_c04_3_1_9_3_without_any_pairing_there_is_nothing_to_compare() -> None:
    state = position(
        {1: "2w1 Z Z", 2: "1b0 Z Z", 3: "Z 4w1 Z", 4: "Z 3b0 Z"}, prohibited=((1, 3), (1, 4))
    )
    with pytest.raises(NoLegalPairingError):
        why_not(state, TPN(2), TPN(3))


# -- against the literal text
# ------------------------------------------------------------------------------


def forced(state: TournamentState, one: TPN, other: TPN) -> TournamentState:
    """Return the same state with both players prohibited from meeting anybody else."""
    pairs = {
        frozenset({a, p.tpn})
        for a in (one, other)
        for p in state.players
        if p.tpn not in (one, other)
    }
    return replace(state, prohibited=state.prohibited | pairs)


def assert_agrees(state: TournamentState, one: TPN, other: TPN) -> Outcome:
    """Compare the answer with the checker and the literal text."""
    found = why_not(state, one, other)
    apart = [finding.code for finding in check(state, pairing((one, other)))]
    barred = {
        "check.c1_rematch": Outcome.C1,
        "check.prohibited_pair": Outcome.PROHIBITED,
        "check.c3_colours": Outcome.C3,
    }
    lines = [barred[code] for code in apart if code in barred]
    if lines:
        assert found.outcome in lines
    elif found.outcome is Outcome.C4:
        assert not legal_pairing_exists(forced(state, one, other))
    elif found.outcome in (Outcome.WORSE, Outcome.LATER):
        assert found.instead == pair_literally(forced(state, one, other))
        assert found.instead != pair(state)
        assert_is_first_difference(state, forced(state, one, other), found)
    return found.outcome


def assert_is_first_difference(
    state: TournamentState, made: TournamentState, found: WhyNot
) -> None:
    """Check that all brackets before the named one are equal,
    and in it all criteria above the named one.
    """
    assert found.bracket is not None
    mine, theirs = explain_round(state), explain_round(made)
    assert [one.pairs for one in mine.brackets[: found.bracket - 1]] == [
        one.pairs for one in theirs.brackets[: found.bracket - 1]
    ]
    here = [
        {
            criterion.name: criterion.value
            for criterion in explained.brackets[found.bracket - 1].criteria
        }
        for explained in (mine, theirs)
    ]
    differ = [name for name in here[0] if here[0][name] != here[1][name]]
    if found.outcome is Outcome.LATER:
        assert differ == []
    else:
        assert found.worse == differ[0]
        assert (found.value, found.forced) == (here[0][differ[0]], here[1][differ[0]])
        assert found.value < found.forced


def outcomes(seeds: range) -> Counter[Outcome]:
    seen: Counter[Outcome] = Counter()
    for seed in seeds:
        rng = Random(seed)
        state = random_state(rng, players=(4, 9))
        try:
            pair(state)
        except NoLegalPairingError:
            continue
        present = [player.tpn for player in state.players if player.tpn not in state.absent]
        for _ in range(4 if len(present) > 1 else 0):
            one, other = rng.sample(present, 2)
            seen[assert_agrees(state, one, other)] += 1
    return seen


@pytest.mark.costly
def test_answers_on_random_positions_are_those_of_the_text() -> None:
    seen = outcomes(range(120))
    assert set(seen) == set(Outcome) - {Outcome.ABSENT, Outcome.COLLAPSED}


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(1, 41))
def test_answers_on_many_random_positions_are_those_of_the_text(chunk: int) -> None:
    assert sum(outcomes(range(chunk * 120, (chunk + 1) * 120)).values()) > 300
