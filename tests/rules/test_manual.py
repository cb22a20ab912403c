"""Warnings for the chief arbiter about a pairing made by hand [C.04.3/2026 1.9.3]."""

import pytest

from pairing.engine.model import TPN, Colour, Player, Result, RoundRecord, TournamentState
from pairing.rules.manual import (
    barred_colours,
    cautions,
    may_arrange,
    may_pair_by_hand,
    new_cautions,
)
from pairing.rules.published import Arrangement
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused


def game(opponent: int, colour: str) -> RoundRecord:
    return RoundRecord(TPN(opponent), Colour(colour), Result.DRAW)


BYE = RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE)
STATE = TournamentState(
    round_number=3,
    total_rounds=5,
    players=(
        Player(TPN(1), (game(2, "w"), game(4, "w"))),
        Player(TPN(2), (game(1, "b"), game(5, "b"))),
        Player(TPN(3), (BYE, game(6, "w"))),
        Player(TPN(4), (game(5, "w"), game(1, "b"))),
        Player(TPN(5), (game(4, "b"), game(2, "w"))),
        Player(TPN(6), (RoundRecord(TPN(7), Colour.WHITE, Result.FORFEIT_WIN), game(3, "b"))),
    ),
    prohibited=frozenset({frozenset({TPN(3), TPN(5)})}),
)


def warnings(white: int, black: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return the warnings about a board with these two players."""
    found = cautions(STATE, Arrangement({1: (TPN(white), TPN(black))}))
    assert {caution.board for caution in found} <= {1}
    return [(caution.code, caution.players) for caution in found]


@pytest.mark.parametrize("white, black", [(4, 1), (2, 1)])
def test_c04_1_2_players_who_have_met(white, black):
    assert warnings(white, black) == [("met_before", (white, black))]


def test_prohibited_pairs_and_boards_without_a_warning():
    assert (warnings(3, 5), warnings(2, 4)) == ([("prohibited", (3, 5))], [])


@pytest.mark.parametrize("white, black, tpn", [(1, 3, 1), (4, 2, 2)])
def test_c04_1_7_a_third_game_with_one_colour(white, black, tpn):
    assert ("third_colour", (tpn,)) in warnings(white, black)


@pytest.mark.parametrize("white, black, tpn", [(1, 3, 1), (4, 2, 2)])
def test_c04_1_6_a_colour_difference_beyond_two(white, black, tpn):
    assert warnings(white, black) == [("third_colour", (tpn,)), ("colour_difference", (tpn,))]


def test_c04_1_8_both_players_prefer_the_other_colour():
    """Player 3 had White once, player 4 Black in the last round."""
    assert warnings(3, 4) == [("both_colours", (3, 4))]
    assert warnings(4, 3) == []
    assert ("both_colours", (1, 2)) in warnings(1, 2)


@pytest.mark.parametrize("tpn, expected", [(3, ["C.04.1 4"]), (6, ["C.04.1 4"]), (4, [])])
def test_c04_1_4_a_second_bye(tpn, expected):
    assert [
        caution.article for caution in cautions(STATE, Arrangement({}, {TPN(tpn): "U"}))
    ] == expected
    assert cautions(STATE, Arrangement({}, {TPN(tpn): "Z"})) == ()


def test_each_caution_cites_its_article():
    arrangement = Arrangement(
        {1: (TPN(4), TPN(1)), 2: (TPN(3), TPN(5)), 3: (TPN(1), TPN(3)), 4: (TPN(3), TPN(4))}
    )
    assert {caution.code: caution.article for caution in cautions(STATE, arrangement)} == {
        "met_before": "C.04.1 2",
        "prohibited": "C.04.2 1.5",
        "colour_difference": "C.04.1 6",
        "third_colour": "C.04.1 7",
        "both_colours": "C.04.1 8",
    }


@pytest.mark.parametrize(
    "history, barred",
    [
        ("", ""), ("w", ""), ("b", ""), ("wb", ""), ("wbw", ""),
        # A third in a row [C.04.1 7], also where the difference would be small.
        ("ww", "w"), ("bb", "b"), ("bbww", "w"), ("wwbb", "b"),
        # A difference of three [C.04.1 6], also without a third in a row.
        ("wwbw", "w"), ("bbwb", "b"), ("wwbwb", ""),
    ],
)  # fmt: skip
def test_c04_1_6_and_7_the_colours_that_a_history_bars(history, barred):
    assert barred_colours(history) == barred


BEFORE = Arrangement({1: (TPN(1), TPN(2))})
AFTER = Arrangement({1: (TPN(2), TPN(1))})


@pytest.mark.parametrize(
    "state, stale, after, expected",
    [
        (RoundState.PLANNED, False, AFTER, "round.not_paired"),
        (RoundState.DRAFT, True, AFTER, "draft.stale"),
        (RoundState.DRAFT, False, BEFORE, "change.nothing"),
        (RoundState.DRAFT, False, AFTER, None),
        (RoundState.PAIRINGS_PUBLISHED, False, AFTER, "round.already_published"),
        (RoundState.RESULTS_PUBLISHED, False, AFTER, "round.already_published"),
    ],
)
def test_c04_2_4_4_only_a_fresh_draft_is_arranged_by_hand(state, stale, after, expected):
    verdict = may_arrange(RoundFacts(3, state), BEFORE, after, draft_is_stale=stale)
    assert (verdict.code if isinstance(verdict, Refused) else None) == expected


def test_c04_2_3_2_a_player_who_is_gone_gets_no_game_and_no_bye_in_a_draft():
    before = Arrangement({1: (TPN(1), TPN(2))}, {TPN(3): "U", TPN(4): "Z"})

    def verdict(boards, byes):
        after = Arrangement(
            {n: (TPN(w), TPN(b)) for n, (w, b) in boards.items()},
            {TPN(n): k for n, k in byes.items()},
        )
        return may_arrange(
            RoundFacts(3, RoundState.DRAFT), before, after, draft_is_stale=False, gone={TPN(4)}
        )

    refused = Refused("manual.absent", "C.04.2 3.2", {"players": [4]})
    assert (
        verdict({1: (1, 4)}, {2: "U", 3: "Z"}) == verdict({1: (1, 2)}, {3: "Z", 4: "U"}) == refused
    )
    assert verdict({1: (3, 2)}, {1: "U", 4: "Z"}) == ALLOWED


def test_a_refused_arrangement_names_the_round_and_the_article():
    def verdict(state, *, stale=False):
        return may_arrange(RoundFacts(3, state), BEFORE, AFTER, draft_is_stale=stale)

    assert verdict(RoundState.PLANNED) == Refused("round.not_paired", "", {"round": 3})
    published = Refused("round.already_published", "C.04.2 4.4", {"round": 3})
    assert (
        verdict(RoundState.PAIRINGS_PUBLISHED) == verdict(RoundState.RESULTS_PUBLISHED) == published
    )
    assert verdict(RoundState.DRAFT, stale=True) == Refused(
        "draft.stale", "C.04.2 4.4", {"round": 3}
    )


def test_a_pairing_by_hand_that_is_refused_cites_the_article_and_names_the_players():
    def verdict(boards, byes, article="C.04.3 1.9.3"):
        return may_pair_by_hand(PRESENT, Arrangement(boards, byes), no_legal_pairing=article)

    assert verdict({1: (1, 2)}, {3: "U"}, "") == Refused(
        "manual.legal_pairing_exists", "C.04.2 1.5"
    )
    absent = Refused("manual.absent", "C.04.2 3.3", {"players": [4, 5]})
    assert verdict({1: (1, 5), 2: (2, 4)}, {3: "Z"}) == absent
    assert verdict({}, {1: "Z", 2: "Z", 3: "U"}) == Refused("manual.no_board", "C.04.3 1.9.3")


PRESENT = frozenset(TPN(tpn) for tpn in (1, 2, 3))


@pytest.mark.parametrize(
    "boards, byes, article, expected",
    [
        ({1: (1, 2)}, {3: "U"}, "C.04.3 1.9.3", None),
        ({1: (2, 1)}, {3: "Z"}, "C.04.3 1.9.3", None),
        ({1: (1, 2)}, {3: "U"}, "", "manual.legal_pairing_exists"),
        ({1: (1, 4)}, {2: "Z", 3: "Z"}, "C.04.3 1.9.3", "manual.absent"),
        ({}, {1: "Z", 2: "Z", 3: "U"}, "C.04.3 1.9.3", "manual.no_board"),
        ({1: (1, 2)}, {}, "C.04.3 1.9.3", "change.no_place"),
        ({1: (1, 2)}, {2: "U", 3: "U"}, "C.04.3 1.9.3", "change.two_places"),
    ],
)
def test_c04_3_1_9_3_by_hand_from_nothing_only_where_there_is_no_legal_pairing(
    boards, byes, article, expected
):
    verdict = may_pair_by_hand(PRESENT, Arrangement(boards, byes), no_legal_pairing=article)
    assert (verdict.code if isinstance(verdict, Refused) else None) == expected


def test_c04_1_only_the_cautions_of_changed_boards_and_of_a_new_bye_are_new():
    def met(tpn: int, other: int, colour: str) -> Player:
        return Player(TPN(tpn), (RoundRecord(TPN(other), Colour(colour), Result("=")),))

    had_the_bye = Player(TPN(5), (RoundRecord(None, None, Result("U")),))
    state = TournamentState(
        2, 5, (met(1, 2, "w"), met(2, 1, "b"), met(3, 4, "w"), met(4, 3, "b"), had_the_bye)
    )
    again = Arrangement({1: (TPN(2), TPN(1)), 2: (TPN(4), TPN(3))}, {TPN(5): "U"})
    whole = [(caution.code, caution.board) for caution in cautions(state, again)]
    assert whole == [("met_before", 1), ("met_before", 2), ("second_bye", None)]

    def new(
        boards: dict[int, tuple[TPN, TPN]], byes: dict[TPN, str]
    ) -> list[tuple[str, int | None]]:
        found = new_cautions(state, Arrangement(boards, byes), again)
        return [(caution.code, caution.board) for caution in found]

    assert new(dict(again.boards), {TPN(5): "U"}) == []
    assert new({1: (TPN(2), TPN(1)), 2: (TPN(3), TPN(4))}, {TPN(5): "U"}) == [("met_before", 2)]
    assert new(dict(again.boards), {TPN(5): "Z"}) == [("second_bye", None)]


@pytest.mark.parametrize("letter", ["U", "Z"])
def test_c04_1_4_one_player_who_had_the_bye_needs_no_board(letter):
    """The engine gives no second allocated bye, so the Chief Arbiter decides."""
    alone = frozenset({TPN(1)})
    assert (
        may_pair_by_hand(alone, Arrangement({}, {TPN(1): letter}), no_legal_pairing="C.04.3 1.9.3")
        == ALLOWED
    )
