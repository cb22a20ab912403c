"""The ranking: points, the list, shared places, lots, and values with their parts."""

import random
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Colour, Player, PointSystem, Result, RoundRecord
from pairing.standings.codes import codes_unknown_to, parse_code
from pairing.standings.editions import EDITIONS
from pairing.standings.lots import in_order_of_lots, lot
from pairing.standings.ranking import Rules, explain, standings
from pairing.standings.values import Formula
from tests.standings.fields import HELD, HELD_RATINGS, STANDARD, field, player
from tests.work import calls_of

PRESENT = EDITIONS["fide-2026"]
EVERYTHING = "DE,BH,BH/C2,BH/M1,FB,FB/C1/P,AOB,AOB/F,SB,SB/C2,SB/P,KS,KS/L-1,WIN,WON,BPG,BWG,PS/C1,REP,STD,TPN/R"


def ranks(rounds: dict[int, str], codes: str, *, lots: str | None = None) -> list[tuple[int, int]]:
    return [
        (line.rank, line.tpn)
        for line in standings(field(rounds), STANDARD, Rules.from_codes(codes, lots=lots)).lines
    ]


def test_c07_4_2_each_tie_break_applies_within_those_still_tied() -> None:
    # 1 and 2 (2 points, 1 beat 2), 3 and 4 (1 point, a draw).
    rounds = {1: "+W2 =W3 =W4", 2: "-B1 +W4 +B3", 3: "=W4 =B1 -W2", 4: "=B3 -B2 =B1"}
    assert ranks(rounds, "DE") == [(1, 1), (2, 2), (3, 3), (3, 4)]
    assert ranks(rounds, "WIN") == [(1, 2), (2, 1), (3, 3), (3, 4)]
    assert ranks(rounds, "DE,TPN/R") == [(1, 1), (2, 2), (3, 4), (4, 3)]


def test_players_equal_in_everything_share_the_place() -> None:
    assert ranks({1: "=W2", 2: "=B1", 3: "Z"}, "BH/C1,BH,SB,DE,WIN") == [(1, 1), (1, 2), (3, 3)]
    assert ranks({1: "", 2: ""}, "BH,DE") == [(1, 1), (1, 2)]
    assert standings([], STANDARD, Rules.from_codes()).lines == ()


def test_c07_6_direct_encounter_has_a_value_only_for_the_tied() -> None:
    lines = standings(field({1: "+W2", 2: "-B1", 3: "U"}), STANDARD, Rules.from_codes("DE")).lines
    assert {line.tpn: line.values[0].amount for line in lines} == {1: 1, 3: 1, 2: None}


def test_c07_10_an_unrated_player_removes_the_ratings_from_the_list_with_a_note() -> None:
    rounds = {1: "+W2 =B3", 2: "-B1 +W4", 3: "U =W1", 4: "H -B2"}
    rules = Rules.from_codes("ARO,BH,TPR")
    table = standings(field(rounds), STANDARD, rules, ratings={TPN(1): 2000, TPN(3): 1900})
    assert [str(code) for code in table.codes] == ["BH"]
    assert ([str(code) for code in table.left_out], table.without_rating) == (
        ["ARO", "TPR"],
        (2, 4),
    )
    given = standings(
        field(rounds),
        STANDARD,
        Rules.from_codes("ARO,BH", unrated=1400),
        ratings={TPN(1): 2000, TPN(3): 1900},
    )
    assert [str(code) for code in given.codes] == ["ARO", "BH"]


def test_c07_4_2_lots_order_tied_players_in_a_repeatable_way() -> None:
    rounds = dict.fromkeys(range(1, 7), "H")
    drawn = ranks(rounds, "BH", lots="a seed")
    assert drawn == ranks(dict(sorted(rounds.items(), reverse=True)), "BH", lots="a seed")
    assert [rank for rank, _ in drawn] == [1, 2, 3, 4, 5, 6]
    assert [tpn for _, tpn in drawn] == in_order_of_lots("a seed", [TPN(tpn) for tpn in rounds])
    assert drawn != ranks(rounds, "BH", lots="another")
    # Computed by hand: the SHA-256 of "a seed:1".
    assert lot("a seed", TPN(1)).startswith("49b7")
    lines = standings(
        field({1: "+W2", 2: "-B1"}), STANDARD, Rules.from_codes("BH", lots="a seed")
    ).lines
    assert [line.by_lot for line in lines] == [False, False]


def test_c07_4_2_the_arbiter_may_decide_the_order_of_a_group_instead_of_the_lots() -> None:
    rounds = {1: "+W2", 2: "-B1", 3: "+W4", 4: "-B3", 5: "+W6", 6: "-B5"}

    def lines(*order: int, lots: str | None = None) -> list[tuple[int, int, bool]]:
        rules = Rules.from_codes("WIN", lots=lots, order=tuple(TPN(tpn) for tpn in order))
        return [
            (line.rank, line.tpn, line.by_hand)
            for line in standings(field(rounds), STANDARD, rules).lines
        ]

    shared = [(4, 2, False), (4, 4, False), (4, 6, False)]
    assert lines(5, 1, 3) == [(1, 5, True), (2, 1, True), (3, 3, True), *shared]
    # It counts for a group that it names wholly, and for players who are equal in everything.
    assert lines(5, 1, 2) == [(1, 1, False), (1, 3, False), (1, 5, False), *shared]
    drawn = [tpn for _rank, tpn, _by_hand in lines(lots="a seed")]
    assert lines(5, 1, 3, lots="a seed")[:3] == [(1, 5, True), (2, 1, True), (3, 3, True)]
    assert [tpn for _rank, tpn, _by_hand in lines(5, 1, 3, lots="a seed")[3:]] == drawn[3:]


def test_a_value_is_explained_by_its_parts_and_their_articles() -> None:
    table = standings(field(HELD), STANDARD, Rules.from_codes("BH/C1,BH,TPR"), ratings=HELD_RATINGS)
    opened = explain(table, TPN(4), parse_code("BH/C1", PRESENT))
    assert (opened.amount, opened.scale, opened.article, opened.formula) == (
        115,
        10,
        "8.1",
        Formula.SUM,
    )
    assert [
        (part.round, part.opponent, part.amount, article) for part, article in opened.parts
    ] == [
        (1, 12, 30, "16.3"),
        (2, None, 25, "16.5"),
        (3, 13, 15, "8.1"),
        (4, 3, 35, "8.1"),
        (5, 1, 35, "8.1"),
    ]
    uncut = explain(table, TPN(4), parse_code("BH", PRESENT))
    assert uncut.parts[1][1] == "16.4.2"
    assert explain(table, TPN(2), parse_code("TPR", PRESENT)).parts[-1][1] == "10.2"
    with pytest.raises(InputError, match="no SB of player 4"):
        explain(table, TPN(4), parse_code("SB", PRESENT))


@pytest.mark.parametrize(
    "players, code",
    [
        ([player(1, "+W2 U"), player(2, "-B1")], "standings.rounds"),
        ([player(1, "+W2"), player(3, "U")], "standings.unknown_opponent"),
    ],
)
def test_rounds_that_do_not_agree_are_bad_input(players: list[Player], code: str) -> None:
    with pytest.raises(InputError) as caught:
        standings(players, STANDARD, Rules.from_codes())
    assert caught.value.code == code


def event(seed: int, players: int, rounds: int) -> list[Player]:
    """Return a random event with byes and forfeits of every kind, paired without any rules."""
    chance = random.Random(seed)
    records: dict[int, list[RoundRecord]] = {tpn: [] for tpn in range(1, players + 1)}
    byes = [Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE]
    games = ["10", "01", "==", "==", "+-", "-+", "--", "00", "WL", "DD"]
    for _ in range(rounds):
        waiting = list(records)
        chance.shuffle(waiting)
        away = [waiting.pop() for _ in range(chance.randint(0, players // 6))]
        if len(waiting) % 2:
            records[waiting.pop()].append(RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE))
        for tpn in away:
            records[tpn].append(RoundRecord(None, None, chance.choice(byes)))
        for white, black in zip(waiting[::2], waiting[1::2], strict=True):
            ours, theirs = chance.choice(games)
            records[white].append(RoundRecord(TPN(black), Colour.WHITE, Result(ours)))
            records[black].append(RoundRecord(TPN(white), Colour.BLACK, Result(theirs)))
    return [Player(TPN(tpn), tuple(own)) for tpn, own in records.items()]


@pytest.mark.costly
@settings(max_examples=60)
@given(
    st.integers(0, 10_000), st.integers(2, 14), st.integers(0, 7), st.sampled_from(sorted(EDITIONS))
)
def test_the_parts_make_up_the_value_and_the_order_of_players_does_not_matter(
    seed: int, players: int, rounds: int, edition: str
) -> None:
    unknown = codes_unknown_to(EDITIONS[edition])
    codes = [code for code in EVERYTHING.split(",") if code not in unknown and code != "TPN/R"]
    rules = Rules.from_codes([*codes, "ARO/C1", "TPR", "PTP", "APRO", "APPO"], edition)
    field_ = event(seed, players, rounds)
    ratings = {player.tpn: 1000 + 37 * player.tpn for player in field_}
    table = standings(field_, STANDARD, rules, ratings=ratings)
    assert standings(list(reversed(field_)), STANDARD, rules, ratings=ratings) == table
    for line in table.lines:
        for value in line.values:
            if value.formula is Formula.SUM:
                assert value.amount == sum(part.amount for part in value.parts if part.cut is None)
    assert sorted(line.tpn for line in table.lines) == list(range(1, players + 1))
    places = [line.rank for line in table.lines]
    assert all(rank in (before, place) for place, (before, rank) in enumerate(pairwise(places), 2))


def test_a_point_system_of_its_own() -> None:
    three_points = PointSystem.from_values(win=30, draw=10, loss=0)
    table = standings(
        field({1: "+W2 =B3", 2: "-B1 U", 3: "Z =W1"}), three_points, Rules.from_codes("BH,SB")
    )
    # 1: opponents 2 (3) and 3 (1). 2: 1 (4), and a dummy of min(3, 2 draws). 3: a dummy of min(1,
    # 2), and 1 (4).
    assert [
        (line.rank, line.tpn, line.points, *(v.amount for v in line.values)) for line in table.lines
    ] == [
        (1, 1, 40, 40, 30 * 30 + 10 * 10),
        (2, 2, 30, 60, 20 * 30),
        (3, 3, 10, 50, 40 * 10),
    ]


def test_c04_2_3_1_an_adjourned_game_gives_no_points_yet() -> None:
    table = standings(field({1: "?W2", 2: "?B1"}), STANDARD, Rules.from_codes())
    assert [(line.rank, line.points) for line in table.lines] == [(1, 0), (1, 0)]


@pytest.mark.costly
def test_the_default_list_costs_in_proportion_to_the_field() -> None:
    """A field four times as large needs at most five times as many calls."""
    fields = event(1, 200, 9), event(1, 800, 9)
    small, large = (
        calls_of(partial(standings, field_, STANDARD, Rules.from_codes())) for field_ in fields
    )
    assert small < large < 5 * small
