"""The Double-Swiss Pairing System, article by article,
with the examples of the text [C.04.5/2026].
"""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from pairing.engine.checker import check
from pairing.engine.double_swiss.bracket import BracketGraph, pair_bracket, pair_by_identifier
from pairing.engine.double_swiss.field import MatchField
from pairing.engine.double_swiss.upfloaters import Search, from_everybody, select_upfloaters
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import (
    TPN,
    Colour,
    Pairing,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import SYSTEMS, pair, pairable
from tests.engine.compact_matches import match_position
from tests.engine.literal_double_swiss import LiteralDoubleSwiss, identifier_3_6_2
from tests.work import work_of

WHITE, BLACK = Colour


def paired(state: TournamentState) -> tuple[set[tuple[int, int]], int | None]:
    pairing = pair(state)
    return set(pairing.pairs), pairing.bye


def scored(
    scores: dict[int, int], prohibited: list[tuple[int, int]] | None = None
) -> TournamentState:
    """Return round 1 of 3 for players with these *scores*, in tenths."""
    return TournamentState(
        round_number=1,
        total_rounds=3,
        players=tuple(
            Player(TPN(tpn), virtual_points=(Points(score),)) for tpn, score in scores.items()
        ),
        points=PointSystem().for_matches(),
        prohibited=frozenset(frozenset((TPN(one), TPN(other))) for one, other in prohibited or []),
        system="double_swiss_2026",
    )


# -- 0, 1: matches, points, colours ----------------------------------------------------------------


def test_c04_5_0_a_match_is_worth_both_of_its_games() -> None:
    points = PointSystem().for_matches()
    worth = {
        letters: points.worth(RoundRecord(TPN(2), WHITE, Result(letters[0]), Result(letters[1])))
        for letters in ("11", "1=", "10", "=1", "=0", "00", "+-", "+=", "W?", "--")
    }
    assert worth == {
        "11": 20,
        "1=": 15,
        "10": 10,
        "=1": 15,
        "=0": 5,
        "00": 0,
        "+-": 10,
        "+=": 15,
        "W?": 15,
        "--": 0,
    }


def test_c04_5_0_a_match_that_ended_by_forfeit_may_be_repeated() -> None:
    lines = {1: "2w++", 2: "1b--"}
    assert paired(match_position(lines)) == ({(1, 2)}, None)


@pytest.mark.parametrize(
    "games", [("+-", "-+"), ("1+", "0-"), ("-=", "+="), ("00", "00"), ("=0", "0=")]
)
def test_c04_5_0_any_other_match_may_not(games: tuple[str, str]) -> None:
    state = match_position({1: f"2w{games[0]}", 2: f"1b{games[1]}"})
    with pytest.raises(NoLegalPairingError):
        pair(state)


def test_c04_5_0_odd_results_make_their_scores() -> None:
    # ½-0 and 0-½: ½ each; 0-0 twice: nothing. The two players with a half are the top-scoregroup.
    state = match_position({1: "3w00", 2: "4w=0", 3: "1b00", 4: "2b0="}, prohibited=((2, 3),))
    field = MatchField.from_state(state)
    assert dict(zip(field.tpns, field.scores, strict=True)) == {2: 5, 4: 5, 1: 0, 3: 0}


def test_c04_5_1_4_the_bye_is_worth_a_win_and_a_draw_and_others_a_match() -> None:
    points = PointSystem.from_values(win=30, draw=10, absence=1).for_matches()
    byes = (
        Result.PAIRING_ALLOCATED_BYE,
        Result.FULL_POINT_BYE,
        Result.HALF_POINT_BYE,
        Result.ZERO_POINT_BYE,
    )
    assert [points.value(bye) for bye in byes] == [40, 60, 20, 2]
    assert PointSystem().for_matches(10).pairing_allocated_bye == 10


@pytest.mark.parametrize(
    "games, colours",
    [
        (("11", "00"), "w"),
        (
            ("-=", "+="),
            "w",
        ),  # the first game was forfeited, the second played: the colour scheduled for the first
        (("+-", "-+"), ""),
        (("++", "--"), ""),
    ],
)
def test_c04_5_1_6_a_colour_counts_when_a_game_was_played(
    games: tuple[str, str], colours: str
) -> None:
    field = MatchField.from_state(
        match_position({1: f"2w{games[0]}", 2: f"1b{games[1]}", 3: "U", 4: "Z"})
    )
    assert field.colours[field.tpns.index(TPN(1))] == colours


@pytest.mark.parametrize(
    "first, second, floated",
    [
        ("2w11 1b00 Z", "3w== 1w==", True),
        ("2w11 1b00 Z", "3w+- 1w-+", True),  # each forfeited one game: the match counts as played
        ("2w11 1b00 Z", "3w++ 1w--", False),
        ("2w11 1b00 Z", "H Z", False),
    ],
)
def test_c04_5_1_5_a_floater_played_a_match_against_another_score(
    first: str, second: str, floated: bool
) -> None:
    one, two, three = first.split()
    own, theirs = second.split()
    other = theirs.replace("1w", "1b")
    state = match_position(
        {1: f"{one} {own}", 2: f"{two} Z", 3: f"{three} {other}"}, total_rounds=5
    )
    field = MatchField.from_state(state)
    assert bool(field.floated >> field.tpns.index(TPN(1)) & 1) is floated
    assert MatchField.from_state(replace(state, total_rounds=3)).floated == 0


# -- 2, 3.3, 3.4: the bye --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record, opponent, barred",
    [
        ("U", "", True),
        ("F", "", True),
        ("H", "", False),
        ("Z", "", False),
        ("4w++", "3b--", True),
        ("4w--", "3b++", False),
        ("4w--", "3b--", False),
        ("4w+-", "3b--", True),  # the other forfeited both games: a match won by forfeit
        ("4w+-", "3b-+", False),
        ("4w+1", "3b-0", False),
    ],
)
def test_c04_5_2_1_2_players_who_may_not_receive_the_bye(
    record: str, opponent: str, barred: bool
) -> None:
    state = match_position({1: "2w==", 2: "1b==", 3: record, 4: opponent or "Z"})
    field = MatchField.from_state(state)
    assert field.may_receive_pab >> field.tpns.index(TPN(3)) & 1 is not barred


def test_c04_5_3_3_3_no_complete_pairing_is_reported_with_its_article() -> None:
    state = match_position({1: "2w==", 2: "1b=="})
    with pytest.raises(NoLegalPairingError) as caught:
        pair(state)
    assert caught.value.article == SYSTEMS["double_swiss_2026"].no_legal_pairing == "C.04.5 3.3.3"
    assert not pairable(state).can_pair
    assert not pairable(
        match_position({1: "U", 2: "F", 3: "U"})
    ).can_pair  # nobody may receive the bye


def test_c04_5_3_3_nobody_to_pair_is_a_round_without_boards() -> None:
    assert pair(match_position({1: "2w==", 2: "1b=="}, absent=(1, 2))) == Pairing(())


@pytest.mark.parametrize(
    "lines, bye",
    [
        # 3.4.2: the lowest score, though 5 has the largest TPN
        ({1: "2w11", 2: "1b00", 3: "4w==", 4: "3b==", 5: "H"}, 2),
        # 3.4.3: 2, 4 and 5 have no points; 5 has played no match
        ({1: "2w11", 2: "1b00", 3: "4w11", 4: "3b00", 5: "Z"}, 4),
        # 3.4.4: 4 has the larger TPN
        ({1: "2w11", 2: "1b00", 3: "4w11", 4: "3b00", 5: "U"}, 4),
    ],
)
def test_c04_5_3_4_the_player_who_receives_the_bye(lines: dict[int, str], bye: int) -> None:
    state = match_position(lines)
    assert pair(state).bye == bye
    assert pairable(state).bye_candidates == (bye,)


def test_c04_5_3_4_1_the_others_have_to_be_left_a_legal_pairing() -> None:
    lines = {1: "2w11", 2: "1b00", 3: "4w11", 4: "3b00", 5: "U"}
    # 1 and 3 may meet nobody but 2 and 4: without 4 or without 2 one of them is left over.
    state = match_position(lines, prohibited=((1, 3), (1, 5), (3, 5)))
    assert paired(state)[1] == 3


# -- 3.5: upfloaters -------------------------------------------------------------------------------

RESIDENTS, THREE_POINTS, TWO_AND_A_HALF = (7, 9, 11), (2, 6, 8), (1, 3, 5)


def upfloaters(state: TournamentState) -> set[int]:
    """Return the upfloaters of the top-scoregroup, found in both ways."""
    field = MatchField.from_state(state)
    _, chosen = select_upfloaters(field, field.everybody)
    assert from_everybody(Search.from_field(field, field.everybody)) == chosen
    return {int(tpn) for rank, tpn in enumerate(field.tpns) if chosen >> rank & 1}


@pytest.mark.parametrize(
    "away, expected",
    [
        ((), {2, 6, 1}),
        ((1,), {2, 6, 3}),
        ((1, 3), {2, 6, 5}),
        ((6,), {2, 8, 1}),
        ((6, 1), {2, 8, 3}),
        ((6, 1, 3), {2, 8, 5}),
        ((2,), {6, 8, 1}),
        ((2, 1), {6, 8, 3}),
        ((2, 1, 3), {6, 8, 5}),
    ],
)
def test_c04_5_3_5_4_the_sets_of_the_example_come_in_their_order(
    away: tuple[int, ...], expected: set[int]
) -> None:
    scores = (
        dict.fromkeys(RESIDENTS, 40)
        | dict.fromkeys(THREE_POINTS, 30)
        | dict.fromkeys(TWO_AND_A_HALF, 25)
    )
    prohibited = [
        *combinations(RESIDENTS, 2),
        *((7, tpn) for tpn in THREE_POINTS),
    ]  # 7 needs one with 2½ points
    prohibited += [(resident, tpn) for tpn in away for resident in RESIDENTS]
    assert upfloaters(scored({**scores, 12: 0}, prohibited)) == expected


def test_c04_5_3_5_4_all_sets_of_the_example_are_sorted_as_in_the_text() -> None:
    scores = (
        dict.fromkeys(RESIDENTS, 40)
        | dict.fromkeys(THREE_POINTS, 30)
        | dict.fromkeys(TWO_AND_A_HALF, 25)
    )
    literal = LiteralDoubleSwiss(
        scored(
            {**scores, 12: 0}, [*combinations(RESIDENTS, 2), *((7, tpn) for tpn in THREE_POINTS)]
        )
    )
    everybody = frozenset(literal.records)
    sets = [
        chosen
        for chosen in literal.legal_sets(everybody, 3)
        if literal.c5_c6_c7(everybody, frozenset(chosen))[0] == (15, 10, 10)
    ]
    assert sets == [
        (2, 6, 1),
        (2, 6, 3),
        (2, 6, 5),
        (2, 8, 1),
        (2, 8, 3),
        (2, 8, 5),
        (6, 8, 1),
        (6, 8, 3),
        (6, 8, 5),
    ]


def test_c04_5_2_2_1_upfloaters_leave_the_others_a_legal_pairing() -> None:
    # 2 would move up to 1; but then 3 and 4 are left, and they may not meet.
    assert upfloaters(scored({1: 20, 2: 10, 3: 10, 4: 5}, [(3, 4)])) == {3}


def test_c04_5_2_3_1_as_few_upfloaters_as_the_others_allow() -> None:
    # 1 and 2 may meet, but 3 and 4 may not: two upfloaters.
    assert upfloaters(scored({1: 20, 2: 20, 3: 10, 4: 10}, [(3, 4)])) == {3, 4}


def test_c04_5_2_3_3_c6_is_waived_where_the_following_scoregroup_moves_up() -> None:
    assert upfloaters(scored({1: 20, 2: 10, 3: 5, 4: 5})) == {2}


def test_c04_5_2_3_3_c6_is_graded() -> None:
    """Of 2-6 only 2 and 4 may meet.

    If 2 moves up, the others need four upfloaters, if 3 does, two; never none.
    """
    apart = [two for two in combinations(range(2, 7), 2) if two != (2, 4)]
    state = scored(
        {1: 20, **dict.fromkeys(range(2, 7), 10), **dict.fromkeys(range(7, 13), 0)},
        [*apart, (1, 4)],
    )
    literal = LiteralDoubleSwiss(state)
    after = frozenset(literal.records) - {TPN(1)}
    assert {tpn: literal.fewest_upfloaters(after - {TPN(tpn)}) for tpn in (2, 3, 5, 6)} == {
        2: 4,
        3: 2,
        5: 2,
        6: 2,
    }
    assert upfloaters(state) == {3}


# -- 3.6: pairing identifiers ----------------------------------------------------------------------

EXAMPLE = ((11, 24), (16, 6), (10, 9), (8, 4))


def first_pairs(state: TournamentState) -> list[tuple[int, int]]:
    """Return the pairs of the one bracket, in the order of their tops, found in both ways."""
    field = MatchField.from_state(state)
    residents, chosen = select_upfloaters(field, field.everybody)
    found = pair_bracket(field, residents, chosen)
    assert pair_by_identifier(BracketGraph.from_players(field, residents, chosen)) == found
    return [(field.tpns[top], field.tpns[bottom]) for top, bottom in found]


def test_c04_5_3_6_2_the_identifier_of_the_example() -> None:
    named = tuple((TPN(one), TPN(other)) for one, other in EXAMPLE)
    assert identifier_3_6_2(named) == (4, 6, 9, 11, 8, 16, 10, 24)
    players = sorted(tpn for two in EXAMPLE for tpn in two)
    others = [
        two
        for two in combinations(players, 2)
        if two not in {(min(pair), max(pair)) for pair in EXAMPLE}
    ]
    pairs = first_pairs(scored(dict.fromkeys(players, 0), others))
    assert [*(top for top, _ in pairs), *(bottom for _, bottom in pairs)] == [
        4,
        6,
        9,
        11,
        8,
        16,
        10,
        24,
    ]


def test_c04_5_3_6_3_pairings_come_in_the_order_of_their_identifiers() -> None:
    """Each time the last pair of the pairing is prohibited,
    and the next pairing in the order is found.
    """
    players = [TPN(tpn) for tpn in (3, 4, 7, 8, 10, 15)]
    prohibited: list[tuple[int, int]] = []
    seen = 0
    while True:
        state = scored(dict.fromkeys(players, 0), prohibited)
        left = sorted(
            LiteralDoubleSwiss(state).pairings_c1(frozenset(players)), key=identifier_3_6_2
        )
        if not left:
            break
        pairs = first_pairs(state)
        assert pairs == sorted(left[0])
        prohibited.append(pairs[-1])
        seen += 1
    assert seen > 4


def test_c04_5_3_6_1_the_top_of_a_pair_is_the_smaller_number_whatever_the_scores() -> None:
    assert first_pairs(scored({5: 20, 9: 20, 1: 10, 2: 10}, [(5, 9)])) == [(1, 5), (2, 9)]


# -- every size ------------------------------------------------------------------------------------


MOST_CALLS = 200_000
"""Calls of functions in a round of 200 players; at most 74,000 are needed here."""


@pytest.mark.costly
@pytest.mark.parametrize("players, rounds", [(200, 13), (99, 11), (40, 30)])
def test_c04_5_every_round_of_a_whole_tournament_is_legal_and_little_work(
    players: int, rounds: int
) -> None:
    """The work is counted in calls; ``python -m pairing bench --hard`` measures the time."""
    most = 0

    def counted(state: TournamentState) -> Pairing:
        nonlocal most
        pairing, calls = work_of(lambda: pair(state))
        most = max(most, calls)
        assert check(state, pairing) == ()
        return pairing

    plan = EventPlan(
        players=players, rounds=rounds, forfeits=500, byes=500, system="double_swiss_2026"
    )
    event = generate(plan, Random(players), counted)
    assert (event.state.round_number, event.ended_early) == (rounds + 1, False)
    assert most < MOST_CALLS


# -- input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines, code",
    [
        ({1: "2w1", 2: "1b0"}, "state.one_game"),
        ({1: "2w11", 2: "1b0"}, "state.one_game"),
        ({1: "2w11", 2: "1b0-"}, "state.opponent_mismatch"),
        ({1: "2w-1", 2: "1w+0"}, "state.colour_clash"),
        ({1: "2w1H", 2: "1b0Z"}, "state.bye_with_opponent"),
        ({1: "2wH1", 2: "1b00"}, "state.bye_with_opponent"),
        ({1: "UU", 2: "Z"}, "state.bye_of_two"),
    ],
)
def test_c04_5_0_a_round_is_a_match_or_a_bye(lines: dict[int, str], code: str) -> None:
    records = {tpn: _record(word) for tpn, word in lines.items()}
    state = replace(
        match_position({1: "U", 2: "Z"}),
        players=tuple(Player(TPN(tpn), (record,)) for tpn, record in records.items()),
    )
    with pytest.raises(InputError) as caught:
        pair(state)
    assert caught.value.code == code


def _record(word: str) -> RoundRecord:
    opponent = TPN(int(word[0])) if word[0].isdigit() else None
    letters = word[2:] if opponent else word
    second = Result(letters[1]) if len(letters) > 1 else None
    return RoundRecord(opponent, Colour(word[1]) if opponent else None, Result(letters[0]), second)


def test_c04_5_the_order_of_the_players_does_not_matter() -> None:
    state = match_position({1: "2w11", 2: "1b00", 3: "4w=1", 4: "3b=0", 5: "U"})
    assert pair(replace(state, players=state.players[::-1])) == pair(state)
