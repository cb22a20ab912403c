"""The Dutch System of 2026 on positions that can be worked out by hand;
the large ones are in tests/golden.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.basics.history import score_after
from pairing.engine.dutch.edition_2026.exact_path import pair_exactly, pair_with_everybody_below
from pairing.engine.dutch.edition_2026.procedure import pair_dutch_2026
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.model import (
    ABSENT,
    TPN,
    Colour,
    Pairing,
    Player,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import pair, system_by_code
from tests.engine.test_basics import player


def fresh(size: int, rounds: int = 5, **changes: object) -> TournamentState:
    """Return round 1 of *size* players."""
    state = TournamentState(
        round_number=1,
        total_rounds=rounds,
        players=tuple(Player(TPN(tpn)) for tpn in range(1, size + 1)),
    )
    return replace(state, **changes)  # type: ignore[arg-type]


def test_c04_3_3_3_1_first_round_pairs_the_upper_half_with_the_lower() -> None:
    assert pair_dutch_2026(fresh(8)).pairs == ((1, 5), (6, 2), (3, 7), (8, 4))


def test_c04_3_5_1_initial_colour_black_reverses_the_first_round() -> None:
    assert pair_dutch_2026(fresh(8, initial_colour=Colour.BLACK)).pairs == (
        (5, 1),
        (2, 6),
        (7, 3),
        (4, 8),
    )


def test_c04_1_3_the_last_of_an_odd_field_receives_the_pab() -> None:
    assert pair_dutch_2026(fresh(7)) == Pairing(pairs=((1, 4), (5, 2), (3, 6)), bye=TPN(7))


def test_nobody_to_pair_is_a_round_without_boards() -> None:
    assert pair_dutch_2026(fresh(0)) == Pairing(pairs=())
    assert pair_dutch_2026(fresh(1)) == Pairing(pairs=(), bye=TPN(1))
    assert pair_dutch_2026(fresh(2)) == Pairing(pairs=((1, 2),))


def test_r1_c04_3_5_2_5_the_parity_counts_only_players_who_have_taken_part() -> None:
    state = fresh(5, absent=frozenset({TPN(1)}))
    assert pair_dutch_2026(state).pairs == ((2, 4), (5, 3))


def test_r2_c04_3_2_4_3_c8_looks_at_the_following_bracket() -> None:
    """Without [C8] it would be 1-2, 3-6, 4-5."""
    state = TournamentState(
        round_number=3,
        total_rounds=6,
        players=(
            player("6w1 4b=", 1),
            player("5w= 6b1", 2),
            player("4b1 5b=", 3),
            player("3w0 1w=", 4),
            player("2b= 3w=", 5),
            player("1b0 2w0", 6),
        ),
    )
    assert set(pair_dutch_2026(state).pairs) == {(1, 5), (3, 2), (6, 4)}


def test_prohibited_pairs_do_not_meet() -> None:
    state = fresh(4, prohibited=frozenset({frozenset({TPN(1), TPN(3)})}))
    assert pair_dutch_2026(state).pairs == ((1, 4), (3, 2))


def test_c04_3_1_9_3_no_legal_pairing_is_reported() -> None:
    met = TournamentState(
        round_number=2,
        total_rounds=3,
        players=(player("2w1", 1), player("1b0", 2)),
    )
    with pytest.raises(NoLegalPairingError) as caught:
        pair_dutch_2026(met)
    assert caught.value.article == "C.04.3 1.9.3"


def test_c04_3_2_1_2_no_legal_pairing_if_nobody_may_have_the_bye() -> None:
    with pytest.raises(NoLegalPairingError):
        pair_dutch_2026(TournamentState(round_number=2, total_rounds=3, players=(player("U", 1),)))


@pytest.mark.parametrize(
    "state, code",
    [
        (fresh(2, round_number=6), "state.round_number"),
        (fresh(2, players=(Player(TPN(0)),)), "state.tpn"),
        (fresh(2, players=(Player(TPN(1)), Player(TPN(1)))), "state.tpn_twice"),
        (fresh(2, absent=frozenset({TPN(9)})), "state.unknown_player"),
        (fresh(2, prohibited=frozenset({frozenset({TPN(1), TPN(9)})})), "state.unknown_player"),
        (fresh(2, round_number=2), "state.rounds_missing"),
        (fresh(2, points=PointSystem.from_values(win=10, draw=6)), "state.points"),
        (
            fresh(2, round_number=2, players=(player("2w1", 1), player("Z", 2))),
            "state.opponent_mismatch",
        ),
        (
            fresh(2, round_number=2, players=(player("2w1", 1), player("1w0", 2))),
            "state.colour_clash",
        ),
        (
            fresh(2, round_number=2, players=(player("2w1", 1), player("1b-", 2))),
            "state.opponent_mismatch",
        ),
        (
            fresh(2, round_number=2, players=(player("7w1", 1), player("Z", 2))),
            "state.unknown_player",
        ),
        (
            fresh(2, round_number=2, players=(player("1w1", 1), player("Z", 2))),
            "state.unknown_player",
        ),
        (
            fresh(
                2, round_number=2, players=(Player(TPN(1), (RoundRecord(None, None, Result.WIN),)),)
            ),
            "state.opponent_missing",
        ),
        (
            fresh(
                2,
                round_number=2,
                players=(Player(TPN(1), (RoundRecord(TPN(2), None, Result.HALF_POINT_BYE),)),),
            ),
            "state.bye_with_opponent",
        ),
    ],
)
def test_a_state_that_contradicts_itself_is_refused(state: TournamentState, code: str) -> None:
    with pytest.raises(InputError) as caught:
        pair_dutch_2026(state)
    assert caught.value.code == code


def test_an_unknown_system_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="dutch_2026"):
        pair(replace(fresh(2), system="burstein"))
    assert system_by_code("dutch_2026").trf_code == "FIDE_DUTCH_2026"


def play(state: TournamentState, pairing: Pairing, results: str) -> TournamentState:
    """Return the state before the next round; *results* are White's letters, used over and over."""
    added: dict[TPN, RoundRecord] = {}
    black = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+"}
    for index, (white, lower) in enumerate(pairing.pairs):
        letter = results[(index + state.round_number) % len(results)]
        added[white] = RoundRecord(lower, Colour.WHITE, Result(letter))
        added[lower] = RoundRecord(white, Colour.BLACK, Result(black[letter]))
    if pairing.bye is not None:
        added[pairing.bye] = RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE)
    return replace(
        state,
        round_number=state.round_number + 1,
        players=tuple(
            replace(p, rounds=(*p.rounds, added.get(p.tpn, ABSENT))) for p in state.players
        ),
    )


@pytest.mark.parametrize("results", ["1", "=", "10=", "1=01=+0", "0011=-="])
@pytest.mark.parametrize("size", [6, 9, 13, 24])
def test_the_bracket_alone_is_paired_as_in_the_whole_problem(size: int, results: str) -> None:
    """Solving a bracket without the players below never changes a pairing, through whole events."""
    rounds = min(size - 2, 9)
    state = fresh(size, rounds)
    for _ in range(rounds):
        try:
            whole = pair_dutch_2026(state, pair_with_everybody_below)
        except NoLegalPairingError:
            with pytest.raises(NoLegalPairingError):
                pair_dutch_2026(state, pair_exactly)
            return
        assert pair_dutch_2026(state, pair_exactly) == whole
        if state.round_number == rounds:
            return
        state = play(state, whole, results)


def test_c04_2_1_4_the_order_of_the_list_does_not_matter() -> None:
    state = fresh(11, 6)
    for _ in range(4):
        state = play(state, pair_dutch_2026(state), "10=")
    shuffled = replace(state, players=state.players[::-1])
    assert pair_dutch_2026(shuffled) == pair_dutch_2026(state)
    assert sum(score_after(p, 4, state.points) for p in state.players) == 4 * 60
