"""Published pairings change only in five situations [C.04.2/2026 4.4]."""

from dataclasses import replace

import pytest

from pairing.engine.model import TPN
from pairing.rules.handling import HANDLING
from pairing.rules.publication import may_change, needs_consent
from pairing.rules.published import (
    SITUATIONS_2026,
    Arrangement,
    Published,
    Situation,
    affected,
    boards_met_again,
    changed_boards,
    new_pairs,
    without_opponent,
)
from pairing.rules.rounds import RoundState
from pairing.rules.situations import newcomers, smallest_change
from pairing.rules.verdict import Allowed


def arrangement(text: str, **byes: str) -> Arrangement:
    """Return the arrangement: ``"1-2 3-4"`` are boards 1 and 2.

    ``"1-2 . 3-4"`` skips board 2, ``U="5"`` is a bye.
    """
    pairs = {n: pair for n, pair in enumerate(text.split(), start=1) if pair != "."}
    boards = {
        n: (TPN(int(pair.split("-")[0])), TPN(int(pair.split("-")[1]))) for n, pair in pairs.items()
    }
    return Arrangement(
        boards, {TPN(int(tpn)): letter for letter, all_ in byes.items() for tpn in all_.split()}
    )


def pairs(*texts: str) -> frozenset[frozenset[TPN]]:
    return frozenset(frozenset(TPN(int(tpn)) for tpn in text.split("-")) for text in texts)


def published(now: Arrangement, **facts) -> Published:
    usual = {
        "number": 3, "state": RoundState.PAIRINGS_PUBLISHED, "is_last": False, "results": {}, "met": frozenset(),
        "points": {TPN(n): 10 for n in range(1, 12)},
    }  # fmt: skip
    return Published(now=now, **(usual | facts))


def verdict(
    facts: Published,
    after: Arrangement,
    situation: Situation,
    *,
    agreed: str = "1 2 3 4 5 6 7 8 9 10 11",
) -> str:
    """Return ``allowed``, or the code and the article of the refusal."""
    consents = frozenset(TPN(int(tpn)) for tpn in agreed.split())
    verdict = may_change(facts, after, situation, consents=consents)
    return "allowed" if isinstance(verdict, Allowed) else f"{verdict.code} [{verdict.article}]"


NOW = arrangement("1-2 3-4 5-6")
SWAPPED = arrangement("1-4 3-2 5-6")


@pytest.mark.parametrize("situation", SITUATIONS_2026)
@pytest.mark.parametrize(
    "state, expected",
    [
        (RoundState.PLANNED, "change.not_published []"),
        (RoundState.DRAFT, "change.not_published []"),
        (RoundState.RESULTS_PUBLISHED, "change.round_over [C.04.2 4.4]"),
    ],
)
def test_c04_2_4_4_only_a_published_round_that_is_not_over(situation, state, expected):
    assert verdict(published(NOW, state=state), SWAPPED, situation) == expected


@pytest.mark.parametrize(
    "after, facts, expected",
    [
        (arrangement("1-2 3-4 5-1"), {}, "change.two_places []"),
        (arrangement("1-2 3-4"), {}, "change.no_place []"),
        (arrangement("1-2 3-4", U="5 6"), {}, "change.two_allocated_byes [C.04.1 3]"),
        (NOW, {}, "change.nothing []"),
        (SWAPPED, {"results": {1: "10"}}, "change.played [C.04.2 4.4]"),
        (SWAPPED, {"results": {2: "??"}}, "change.played [C.04.2 4.4]"),
        (SWAPPED, {"results": {3: "10"}}, "allowed"),
        (SWAPPED, {"met": pairs("1-4")}, "change.would_meet_again [C.04.1 2]"),
        (SWAPPED, {"prohibited": pairs("2-3")}, "change.prohibited [C.04.2 1.5]"),
        (arrangement("1-7 3-4 5-6", Z="2"), {}, "change.newcomer [C.04.2 4.4.4]"),
        (
            arrangement("1-7 3-4 5-6", Z="2"),
            {"late": frozenset({TPN(7)})},
            "change.newcomer [C.04.2 4.4.4]",
        ),
    ],
)
def test_c04_2_4_4_a_pairing_stays_a_pairing(after, facts, expected):
    assert verdict(published(NOW, clause="7.3", **facts), after, Situation.REGULATIONS) == expected


@pytest.mark.parametrize(
    "met, after, expected",
    [
        (pairs("1-2"), SWAPPED, "allowed"),
        (pairs("1-3"), arrangement("1-6 3-4 5-2"), "change.nobody_met [C.04.2 4.4.1]"),
        (pairs("1-2"), arrangement("1-2 3-6 5-4"), "change.still_meet [C.04.2 4.4.1]"),
        (pairs("1-2", "3-4"), arrangement("1-6 3-4 5-2"), "change.still_meet [C.04.2 4.4.1]"),
        (pairs("1-2"), arrangement("2-1 3-4 5-6"), "change.would_meet_again [C.04.1 2]"),
    ],
)
def test_c04_2_4_4_1_the_players_must_have_met(met, after, expected):
    assert verdict(published(NOW, met=met), after, Situation.ALREADY_MET, agreed="") == expected


@pytest.mark.parametrize(
    "rules", [HANDLING["c04_2_2026"], HANDLING["c04_2_2017"]], ids=lambda rules: rules.code
)
@pytest.mark.parametrize(
    "met, facts, after, expected",
    [
        # The players of board 1 have met; any one other board separates them.
        ("1-2", {}, arrangement("1-4 3-2 5-6", U="7", Z="8"), "allowed"),
        ("1-2", {}, arrangement("1-6 3-4 5-2", U="7", Z="8"), "allowed"),
        ("1-2", {}, arrangement("1-4 3-6 5-2", U="7", Z="8"), "change.not_minimal"),
        # Changed colours at a third board count as one board too many.
        ("1-2", {}, arrangement("1-4 3-2 6-5", U="7", Z="8"), "change.not_minimal"),
        # A third board may change if one other board is not enough: here 1 has met everybody else.
        (
            "1-2 1-3 1-4 1-5 1-6",
            {},
            arrangement("1-4 3-6 5-2", U="7", Z="8"),
            "change.would_meet_again",
        ),
        ("1-2 1-3 1-4 2-5 2-6", {}, arrangement("1-6 2-4 5-3", U="7", Z="8"), "allowed"),
        ("1-2 1-3 1-4 2-5 2-6", {}, arrangement("1-6 2-4 3-5", U="7", Z="8"), "allowed"),
        # A board with a result cannot help.
        (
            "1-2 1-3 1-4 2-5 2-6",
            {"results": {2: "10"}},
            arrangement("1-6 3-4 5-2", U="7", Z="8"),
            "change.would_meet",
        ),
        # With the bye no other board has to change, and its holder gets no different board without
        # need.
        ("1-2", {}, arrangement("1-7 3-4 5-6", U="2", Z="8"), "allowed"),
        ("1-2", {}, arrangement("1-7 3-2 5-6", U="4", Z="8"), "change.not_minimal"),
        (
            "1-2",
            {"no_bye": frozenset({TPN(2)})},
            arrangement("1-7 3-4 5-6", U="2", Z="8"),
            "change.second_bye",
        ),
        (
            "1-2",
            {"no_bye": frozenset({TPN(2), TPN(1)})},
            arrangement("1-7 3-2 5-6", U="4", Z="8"),
            "allowed",
        ),
        # A player who requested a bye for the round is not paired.
        ("1-2", {}, arrangement("1-8 3-4 5-6 2-7"), "change.more_than_needed"),
    ],
)
def test_c04_2_4_4_1_only_the_boards_needed_to_separate_them_change(
    rules, met, facts, after, expected
):
    given = {"met": pairs(*met.split()), "situations": rules.situations, "forbids": rules.changes}
    assert verdict(
        published(ODD, **(given | facts)), after, Situation.ALREADY_MET, agreed=""
    ).startswith(expected)


def test_c04_2_4_4_1_beyond_two_other_boards_the_chief_arbiter_decides():
    """1 may only meet 4, and 2 only 6, whose opponents 3 and 5 have met:
    at least three other boards have to change.
    """
    others = range(3, 11)
    met = pairs(
        "1-2", "3-5", *(f"1-{n}" for n in others if n != 4), *(f"2-{n}" for n in others if n != 6)
    )
    facts = published(arrangement("1-2 3-4 5-6 7-8 9-10"), met=met)
    assert verdict(facts, arrangement("1-4 2-6 3-8 5-7 9-10"), Situation.ALREADY_MET) == "allowed"


@pytest.mark.costly
def test_c04_2_4_4_1_the_search_is_fast():
    """In a round of 400 boards, all rearranged because of one,
    the smallest change is found quickly.
    """
    now = arrangement(" ".join(f"{n}-{n + 1}" for n in range(1, 801, 2)))
    turned = arrangement(" ".join(f"{n}-{(n + 2) % 800 + 1}" for n in range(1, 801, 2)))
    facts = published(now, met=pairs("1-2"), points={TPN(n): 10 for n in range(1, 801)})
    assert verdict(facts, turned, Situation.ALREADY_MET) == "change.not_minimal [C.04.2 4.4.1]"


@pytest.mark.parametrize(
    "after, facts, expected",
    [
        # Paired players and the holder of the bye must keep a place.
        (arrangement("1-3 . 5-6", U="7", Z="8 2 4"), {}, "change.sent_home [C.04.2 4.4]"),
        (arrangement("1-4 3-2 5-6", Z="7 8"), {}, "change.sent_home [C.04.2 4.4]"),
        # Players who did not come may lose theirs.
        (arrangement("1-3 . 5-6", U="7", Z="8 2 4"), {"results": {1: "+-", 2: "+-"}}, "allowed"),
        (arrangement("1-2 3-7 5-6", Z="8 4"), {"results": {2: "+-"}}, "allowed"),
        (arrangement("1-2 . 5-6", U="7", Z="8 3 4"), {"results": {2: "--"}}, "allowed"),
        # No regulation allows a second allocated bye.
        (arrangement("1-7 3-4 5-6", U="2", Z="8"), {}, "allowed"),
        (
            arrangement("1-7 3-4 5-6", U="2", Z="8"),
            {"no_bye": frozenset({TPN(2)})},
            "change.second_bye [C.04.1 4]",
        ),
        (arrangement("1-4 3-2 5-6", U="7", Z="8"), {"no_bye": frozenset({TPN(7)})}, "allowed"),
        # Boards with the same players keep their numbers.
        (arrangement("3-4 1-2 6-5", U="7", Z="8"), {}, "change.board_moved [C.04.2 4.4]"),
        # Play has begun.
        (arrangement("1-4 3-2 5-6", U="7", Z="8"), {"begun": True}, "change.begun [C.04.2 4.4.2]"),
        (arrangement("1-2 3-7 5-6", Z="8 4"), {"begun": True, "results": {2: "+-"}}, "allowed"),
    ],
)
def test_c04_2_4_4_2_limits_that_no_regulation_lifts(after, facts, expected):
    assert (
        verdict(published(ODD, clause="7.3", **facts), after, Situation.REGULATIONS, agreed="")
        == expected
    )


def test_c04_2_4_4_5_not_once_play_has_begun():
    facts = published(NOW, is_last=True, top_boards=2, begun=True)
    assert verdict(facts, SWAPPED, Situation.TOP_BOARDS) == "change.begun [C.04.2 4.4.5]"


def test_c04_2_4_4_which_pairs_are_new_whatever_their_number():
    assert new_pairs(NOW, arrangement("1-2 5-6 4-3")) == (3,)


def test_c04_2_4_4_1_which_boards_meet_again():
    assert boards_met_again(published(NOW, met=pairs("3-4", "1-6"))) == (2,)


@pytest.mark.parametrize(
    "clause, expected", [("7.3", "allowed"), (" ", "change.no_clause [C.04.2 4.4.2]")]
)
def test_c04_2_4_4_2_the_regulations_allow_it(clause, expected):
    assert (
        verdict(published(NOW, clause=clause), SWAPPED, Situation.REGULATIONS, agreed="")
        == expected
    )


ODD = arrangement("1-2 3-4 5-6", U="7", Z="8")
AWAY = arrangement("1-2 3-4 5-6", U="7", Z="8 9", H="10")
MISSING_4 = {2: "+-"}


@pytest.mark.parametrize(
    "now, results, after, agreed, expected",
    [
        # Black of board 2 and of board 3 did not come.
        (NOW, {2: "+-", 3: "+-"}, arrangement("1-2 3-5", Z="4 6"), "3 5", "allowed"),
        (NOW, {2: "+-", 3: "-+"}, arrangement("1-2 3-6", Z="4 5"), "3 6", "allowed"),
        # The holder of the bye plays a player whose opponent is missing.
        (ODD, MISSING_4, arrangement("1-2 3-7 5-6", Z="4 8"), "3 7", "allowed"),
        (
            ODD,
            MISSING_4,
            arrangement("1-2 3-7 5-6", Z="4 8"),
            "3",
            "change.consent_missing [C.04.2 4.4.3]",
        ),
        # 8 requested a bye for the round, and came after all.
        (ODD, MISSING_4, arrangement("1-2 3-8 5-6", U="7", Z="4"), "3 8", "allowed"),
        (ODD, {}, arrangement("1-2 3-4 5-6 7-8"), "7 8", "allowed"),
        (ODD, {}, arrangement("1-2 3-4 5-6 7-8"), "7", "change.consent_missing [C.04.2 4.4.3]"),
        # 8 and 9 missed the check-in, had a bye, or withdrew and came back.
        (AWAY, {}, arrangement("1-2 3-4 5-6 8-9", U="7", H="10"), "8 9", "allowed"),
        (AWAY, {}, arrangement("1-2 3-4 5-6 9-10", U="7", Z="8"), "9 10", "allowed"),
        # A third player gets no other bye, and a missing one no points.
        (
            AWAY,
            {},
            arrangement("1-2 3-4 5-6 8-9", U="7", Z="10"),
            "8 9 10",
            "change.others_touched [C.04.2 4.4.3]",
        ),
        (
            ODD,
            MISSING_4,
            arrangement("1-2 3-7 5-6", U="4", Z="8"),
            "3 7",
            "change.missing_paid [C.04.2 4.4]",
        ),
        # 5 has an opponent.
        (
            ODD,
            MISSING_4,
            arrangement("1-2 5-7", Z="4 8 3 6"),
            "",
            "change.not_alone [C.04.2 4.4.3]",
        ),
        (ODD, {}, arrangement("1-2 3-7 5-6", Z="4 8"), "", "change.not_alone [C.04.2 4.4.3]"),
        # Two new boards are one too many, and the third board may not change.
        (
            ODD,
            {1: "+-", 2: "+-"},
            arrangement("1-7 3-2 5-6", Z="4 8"),
            "",
            "change.not_alone [C.04.2 4.4.3]",
        ),
        (
            ODD,
            MISSING_4,
            arrangement("1-2 3-7 6-5", Z="4 8"),
            "3 7",
            "change.others_touched [C.04.2 4.4.3]",
        ),
    ],
)
def test_c04_2_4_4_3_two_without_an_opponent_agree(now, results, after, agreed, expected):
    assert (
        verdict(published(now, results=results), after, Situation.WITHOUT_OPPONENT, agreed=agreed)
        == expected
    )


@pytest.mark.parametrize(
    "apart, expected", [(10, "allowed"), (15, "change.not_close [C.04.2 4.4.3]")]
)
def test_c04_2_4_4_3_they_stand_close(apart, expected):
    points = {TPN(n): 10 for n in range(1, 9)} | {TPN(7): 10 + apart}
    facts = published(ODD, results=MISSING_4, points=points)
    assert (
        verdict(facts, arrangement("1-2 3-7 5-6", Z="4 8"), Situation.WITHOUT_OPPONENT) == expected
    )


def test_c04_2_4_4_3_players_without_an_opponent():
    assert without_opponent(published(ODD, results={1: "-+", 2: "+-", 3: "--"})) == (2, 3, 7, 8)
    assert without_opponent(published(AWAY, late=frozenset({TPN(7), TPN(11)}))) == (7, 8, 9, 10, 11)


def test_c04_2_4_4_3_a_withdrawn_or_expelled_player_is_not_one_of_the_two():
    facts = published(AWAY, away=frozenset({TPN(8)}))
    assert without_opponent(facts) == (7, 9, 10)
    after = arrangement("1-2 3-4 5-6 8-9", U="7", H="10")
    assert verdict(facts, after, Situation.WITHOUT_OPPONENT) == "manual.absent [C.04.2 3.2]"
    regulations = replace(facts, clause="7.3")
    assert verdict(regulations, after, Situation.REGULATIONS) == "manual.absent [C.04.2 3.2]"


def test_c04_2_4_4_3_a_late_entry_and_another_player_without_an_opponent():
    facts = published(AWAY, late=frozenset({TPN(11)}))
    after = arrangement("1-2 3-4 5-6 8-11", U="7", Z="9", H="10")
    assert verdict(facts, after, Situation.WITHOUT_OPPONENT) == "allowed"
    assert verdict(facts, after, Situation.WITHOUT_OPPONENT, agreed="8").startswith(
        "change.consent_missing"
    )


LATE = {"late": frozenset({TPN(9), TPN(10)})}


@pytest.mark.parametrize(
    "now, after, agreed, expected",
    [
        (ODD, arrangement("1-2 3-4 5-6 7-9", Z="8"), "7 9", "allowed"),
        (ODD, arrangement("1-2 3-4 5-6 7-9", Z="8"), "7", "change.consent_missing [C.04.2 4.4.4]"),
        (NOW, arrangement("1-2 3-4 5-6", U="9"), "9", "allowed"),
        (ODD, arrangement("1-2 3-4 5-6 9-10", U="7", Z="8"), "9 10", "allowed"),
        (
            ODD,
            arrangement("1-9 3-4 5-6 7-2", Z="8"),
            "1 2 7 9",
            "change.not_minimal [C.04.2 4.4.4]",
        ),
        (
            ODD,
            arrangement("2-1 3-4 5-6 7-9", Z="8"),
            "1 2 7 9",
            "change.more_than_needed [C.04.2 4.4.4]",
        ),
        (
            ODD,
            arrangement("1-2 3-4 5-6 7-9", H="8"),
            "7 8 9",
            "change.more_than_needed [C.04.2 4.4.4]",
        ),
        (NOW, arrangement("1-9 3-4 5-6", U="2"), "1 2 9", "change.not_minimal [C.04.2 4.4.4]"),
        (NOW, SWAPPED, "1 2 3 4", "change.no_late_entry [C.04.2 4.4.4]"),
    ],
)
def test_c04_2_4_4_4_a_late_entry_comes_in_with_the_smallest_change(now, after, agreed, expected):
    assert verdict(published(now, **LATE), after, Situation.LATE_ENTRY, agreed=agreed) == expected


@pytest.mark.parametrize(
    "after, agreed, expected",
    [
        # 4 did not come: 9 plays 3 instead, although 7 has the bye.
        (arrangement("1-2 3-9 5-6", U="7", Z="8 4"), "3 9", "allowed"),
        (arrangement("1-2 3-9 5-6", U="7", Z="8 4"), "9", "change.consent_missing [C.04.2 4.4.4]"),
        (arrangement("1-2 3-4 5-6 7-9", Z="8"), "7 9", "allowed"),
        # Nobody needs a board with a missing player to be dissolved, or a further board.
        (
            arrangement("1-2 . 5-6 7-9", U="3", Z="8 4"),
            "3 7 9",
            "change.more_than_needed [C.04.2 4.4.4]",
        ),
        (
            arrangement("1-2 3-7 5-6", U="9", Z="8 4"),
            "3 7 9",
            "change.more_than_needed [C.04.2 4.4.4]",
        ),
        (arrangement("1-2 3-9 5-6", U="4", Z="8 7"), "3 7 9", "change.missing_paid [C.04.2 4.4]"),
        (arrangement("1-9 3-4 5-6 2-7", Z="8"), "1 2 7 9", "change.not_minimal [C.04.2 4.4.4]"),
    ],
)
def test_c04_2_4_4_4_a_board_decided_by_forfeit_is_no_game(after, agreed, expected):
    facts = published(ODD, results=MISSING_4, **LATE)
    assert verdict(facts, after, Situation.LATE_ENTRY, agreed=agreed) == expected


def test_c04_2_4_4_4_one_game_is_broken_up_if_the_bye_may_not_play_the_late_entry():
    facts = published(ODD, prohibited=pairs("7-9"), **LATE)
    assert (smallest_change(facts, frozenset({TPN(9)})), smallest_change(facts, facts.late)) == (
        1,
        0,
    )
    assert verdict(facts, arrangement("1-9 3-4 5-6 7-2", Z="8"), Situation.LATE_ENTRY) == "allowed"


def test_c04_2_4_4_4_a_player_due_later_is_a_newcomer_and_an_absent_one_is_not():
    now = arrangement("1-2", Z="9 3")
    assert newcomers(published(now, **LATE), arrangement("1-2", Z="3", U="9")) == {9}
    assert newcomers(published(now, **LATE), arrangement("1-2", Z="3 9 10")) == set()


@pytest.mark.parametrize(
    "last, top, expected",
    [
        (True, 2, "allowed"),
        (True, 1, "change.below_top_boards [C.04.2 4.4.5]"),
        (True, 0, "change.below_top_boards [C.04.2 4.4.5]"),
        (False, 2, "change.not_last_round [C.04.2 4.4.5]"),
    ],
)
def test_c04_2_4_4_5_the_top_boards_of_the_final_round(last, top, expected):
    assert (
        verdict(
            published(NOW, is_last=last, top_boards=top), SWAPPED, Situation.TOP_BOARDS, agreed=""
        )
        == expected
    )


def test_c04_2_4_4_consent_is_needed_where_the_text_requires_it():
    assert [situation.value for situation in Situation if needs_consent(situation)] == [
        "4.4.3",
        "4.4.4",
    ]


def test_affected_players_and_boards():
    after = arrangement("2-1 5-6 3-4")
    assert (affected(NOW, after), changed_boards(NOW, after)) == ((1, 2), (1, 2, 3))
    assert affected(NOW, replace(NOW, byes={TPN(9): "U"})) == (9,)
    assert affected(NOW, SWAPPED) == (1, 2, 3, 4)
    assert affected(NOW, arrangement("1-2 3-4")) == (5, 6)
