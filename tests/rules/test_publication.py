"""Published pairings change in five situations only [C.04.2/2026 4.4]."""

from dataclasses import replace

import pytest

from pairing.engine.model import TPN
from pairing.rules.handling import HANDLING, HandlingRules
from pairing.rules.publication import (
    GROUNDS_2026,
    Arrangement,
    Ground,
    Published,
    affected,
    boards_met_again,
    changed_boards,
    may_change,
    needs_consent,
    new_pairs,
    newcomers,
    smallest_change,
    without_opponent,
)
from pairing.rules.rounds import Stage
from pairing.rules.verdict import Allowed


def arrangement(text: str, **byes: str) -> Arrangement:
    """``"1-2 3-4"`` are boards 1 and 2; ``U="5"`` is a bye. ``"1-2 . 3-4"`` leaves board 2 out."""
    pairs = {n: pair for n, pair in enumerate(text.split(), start=1) if pair != "."}
    boards = {n: (TPN(int(pair.split("-")[0])), TPN(int(pair.split("-")[1]))) for n, pair in pairs.items()}
    return Arrangement(boards, {TPN(int(tpn)): letter for letter, all_ in byes.items() for tpn in all_.split()})


def pairs(*texts: str) -> frozenset[frozenset[TPN]]:
    return frozenset(frozenset(TPN(int(tpn)) for tpn in text.split("-")) for text in texts)


def published(now: Arrangement, **facts) -> Published:
    usual = {
        "number": 3, "stage": Stage.PUBLISHED, "is_last": False, "results": {}, "met": frozenset(),
        "points": {TPN(n): 10 for n in range(1, 12)},
    }  # fmt: skip
    return Published(now=now, **(usual | facts))


def ask(facts: Published, after: Arrangement, ground: Ground, *, agreed: str = "1 2 3 4 5 6 7 8 9 10 11") -> str:
    """The answer: ``allowed``, or the code and the article it is refused under."""
    consents = frozenset(TPN(int(tpn)) for tpn in agreed.split())
    verdict = may_change(facts, after, ground, consents=consents)
    return "allowed" if isinstance(verdict, Allowed) else f"{verdict.code} [{verdict.article}]"


NOW = arrangement("1-2 3-4 5-6")
SWAPPED = arrangement("1-4 3-2 5-6")


@pytest.mark.parametrize("ground", GROUNDS_2026)
@pytest.mark.parametrize(
    "stage, expected",
    [
        (Stage.PLANNED, "change.not_published []"),
        (Stage.DRAFT, "change.not_published []"),
        (Stage.RESULTS, "change.round_over [C.04.2 4.4]"),
    ],
)
def test_c04_2_4_4_only_a_published_round_that_is_not_over(ground, stage, expected):
    assert ask(published(NOW, stage=stage), SWAPPED, ground) == expected


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
        (arrangement("1-7 3-4 5-6", Z="2"), {"late": frozenset({TPN(7)})}, "change.newcomer [C.04.2 4.4.4]"),
    ],
)
def test_c04_2_4_4_a_pairing_stays_a_pairing(after, facts, expected):
    assert ask(published(NOW, clause="7.3", **facts), after, Ground.REGULATIONS) == expected


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
def test_c04_2_4_4_1_two_have_really_met(met, after, expected):
    assert ask(published(NOW, met=met), after, Ground.ALREADY_MET, agreed="") == expected


@pytest.mark.parametrize("rules", [HANDLING["c04_2_2026"], HANDLING["c04_2_2017"]], ids=lambda rules: rules.code)
@pytest.mark.parametrize(
    "met, facts, after, expected",
    [
        # Board 1 met before; any one other board parts them.
        ("1-2", {}, arrangement("1-4 3-2 5-6", U="7", Z="8"), "allowed"),
        ("1-2", {}, arrangement("1-6 3-4 5-2", U="7", Z="8"), "allowed"),
        ("1-2", {}, arrangement("1-4 3-6 5-2", U="7", Z="8"), "change.not_minimal"),
        # Other colours at a third board are one board too many as well.
        ("1-2", {}, arrangement("1-4 3-2 6-5", U="7", Z="8"), "change.not_minimal"),
        # A third board is touched where one other board does not do: here 1 has met everybody else.
        ("1-2 1-3 1-4 1-5 1-6", {}, arrangement("1-4 3-6 5-2", U="7", Z="8"), "change.would_meet_again"),
        ("1-2 1-3 1-4 2-5 2-6", {}, arrangement("1-6 2-4 5-3", U="7", Z="8"), "allowed"),
        ("1-2 1-3 1-4 2-5 2-6", {}, arrangement("1-6 2-4 3-5", U="7", Z="8"), "allowed"),
        # A board with a result helps nobody.
        ("1-2 1-3 1-4 2-5 2-6", {"results": {2: "10"}}, arrangement("1-6 3-4 5-2", U="7", Z="8"), "change.would_meet"),
        # With the bye no other board is touched; who has it does not get another board for nothing.
        ("1-2", {}, arrangement("1-7 3-4 5-6", U="2", Z="8"), "allowed"),
        ("1-2", {}, arrangement("1-7 3-2 5-6", U="4", Z="8"), "change.not_minimal"),
        ("1-2", {"no_bye": frozenset({TPN(2)})}, arrangement("1-7 3-4 5-6", U="2", Z="8"), "change.second_bye"),
        ("1-2", {"no_bye": frozenset({TPN(2), TPN(1)})}, arrangement("1-7 3-2 5-6", U="4", Z="8"), "allowed"),
        # Who had asked for the round off is not called in.
        ("1-2", {}, arrangement("1-8 3-4 5-6 2-7"), "change.more_than_needed"),
    ],
)
def test_c04_2_4_4_1_no_more_boards_than_part_them(rules, met, facts, after, expected):
    given = {"met": pairs(*met.split()), "grounds": rules.grounds, "forbids": rules.changes}
    assert ask(published(ODD, **(given | facts)), after, Ground.ALREADY_MET, agreed="").startswith(expected)


def test_c04_2_4_4_1_beyond_two_other_boards_it_is_the_chief_arbiters_judgement():
    """1 may only meet 4, and 2 only 6, whose opponents 3 and 5 have met: three other boards are touched at least."""
    others = range(3, 11)
    met = pairs("1-2", "3-5", *(f"1-{n}" for n in others if n != 4), *(f"2-{n}" for n in others if n != 6))
    facts = published(arrangement("1-2 3-4 5-6 7-8 9-10"), met=met)
    assert ask(facts, arrangement("1-4 2-6 3-8 5-7 9-10"), Ground.ALREADY_MET) == "allowed"


def test_c04_2_4_4_1_the_search_stays_small():
    """A round of 400 boards, all of them rearranged because of one: the smallest change is found all the same."""
    now = arrangement(" ".join(f"{n}-{n + 1}" for n in range(1, 801, 2)))
    turned = arrangement(" ".join(f"{n}-{(n + 2) % 800 + 1}" for n in range(1, 801, 2)))
    facts = published(now, met=pairs("1-2"))
    assert ask(facts, turned, Ground.ALREADY_MET) == "change.not_minimal [C.04.2 4.4.1]"


@pytest.mark.parametrize(
    "after, facts, expected",
    [
        # Seated players are not sent home, nor is who has the bye.
        (arrangement("1-3 . 5-6", U="7", Z="8 2 4"), {}, "change.sent_home [C.04.2 4.4]"),
        (arrangement("1-4 3-2 5-6", Z="7 8"), {}, "change.sent_home [C.04.2 4.4]"),
        # Who did not come is.
        (arrangement("1-3 . 5-6", U="7", Z="8 2 4"), {"results": {1: "+-", 2: "+-"}}, "allowed"),
        (arrangement("1-2 3-7 5-6", Z="8 4"), {"results": {2: "+-"}}, "allowed"),
        (arrangement("1-2 . 5-6", U="7", Z="8 3 4"), {"results": {2: "--"}}, "allowed"),
        # A second allocated bye, by no regulation.
        (arrangement("1-7 3-4 5-6", U="2", Z="8"), {}, "allowed"),
        (arrangement("1-7 3-4 5-6", U="2", Z="8"), {"no_bye": frozenset({TPN(2)})}, "change.second_bye [C.04.1 4]"),
        (arrangement("1-4 3-2 5-6", U="7", Z="8"), {"no_bye": frozenset({TPN(7)})}, "allowed"),
        # Boards whose players stay together stay where they are.
        (arrangement("3-4 1-2 6-5", U="7", Z="8"), {}, "change.board_moved [C.04.2 4.4]"),
        # Play has begun.
        (arrangement("1-4 3-2 5-6", U="7", Z="8"), {"begun": True}, "change.begun [C.04.2 4.4.2]"),
        (arrangement("1-2 3-7 5-6", Z="8 4"), {"begun": True, "results": {2: "+-"}}, "allowed"),
    ],
)
def test_c04_2_4_4_2_what_no_regulation_opens(after, facts, expected):
    assert ask(published(ODD, clause="7.3", **facts), after, Ground.REGULATIONS, agreed="") == expected


def test_c04_2_4_4_5_not_once_play_has_begun():
    facts = published(NOW, is_last=True, top_boards=2, begun=True)
    assert ask(facts, SWAPPED, Ground.TOP_BOARDS) == "change.begun [C.04.2 4.4.5]"


def test_c04_2_4_4_which_pairs_are_new_whatever_their_number():
    assert new_pairs(NOW, arrangement("1-2 5-6 4-3")) == (3,)


def test_c04_2_4_4_1_which_boards_meet_again():
    assert boards_met_again(published(NOW, met=pairs("3-4", "1-6"))) == (2,)


@pytest.mark.parametrize("clause, expected", [("7.3", "allowed"), (" ", "change.no_clause [C.04.2 4.4.2]")])
def test_c04_2_4_4_2_the_regulations_allow_it(clause, expected):
    assert ask(published(NOW, clause=clause), SWAPPED, Ground.REGULATIONS, agreed="") == expected


ODD = arrangement("1-2 3-4 5-6", U="7", Z="8")
MISSING_4 = {2: "+-"}


@pytest.mark.parametrize(
    "now, results, after, agreed, expected",
    [
        # Black of board 2 and of board 3 did not come.
        (NOW, {2: "+-", 3: "+-"}, arrangement("1-2 3-5", Z="4 6"), "3 5", "allowed"),
        (NOW, {2: "+-", 3: "-+"}, arrangement("1-2 3-6", Z="4 5"), "3 6", "allowed"),
        # Who has the bye plays whose opponent is missing.
        (ODD, MISSING_4, arrangement("1-2 3-7 5-6", Z="4 8"), "3 7", "allowed"),
        (ODD, MISSING_4, arrangement("1-2 3-7 5-6", Z="4 8"), "3", "change.consent_missing [C.04.2 4.4.3]"),
        # 5 has an opponent; 8 had asked for the round off.
        (ODD, MISSING_4, arrangement("1-2 5-7", Z="4 8 3 6"), "", "change.not_alone [C.04.2 4.4.3]"),
        (ODD, MISSING_4, arrangement("1-2 3-8 5-6", U="7", Z="4"), "", "change.not_alone [C.04.2 4.4.3]"),
        (ODD, {}, arrangement("1-2 3-7 5-6", Z="4 8"), "", "change.not_alone [C.04.2 4.4.3]"),
        # Two new boards are one too many; a third board is nobody's business.
        (ODD, {1: "+-", 2: "+-"}, arrangement("1-7 3-2 5-6", Z="4 8"), "", "change.not_alone [C.04.2 4.4.3]"),
        (ODD, MISSING_4, arrangement("1-2 3-7 6-5", Z="4 8"), "3 7", "change.others_touched [C.04.2 4.4.3]"),
    ],
)
def test_c04_2_4_4_3_two_without_an_opponent_agree(now, results, after, agreed, expected):
    assert ask(published(now, results=results), after, Ground.WITHOUT_OPPONENT, agreed=agreed) == expected


@pytest.mark.parametrize("apart, expected", [(10, "allowed"), (15, "change.not_close [C.04.2 4.4.3]")])
def test_c04_2_4_4_3_they_stand_close(apart, expected):
    points = {TPN(n): 10 for n in range(1, 9)} | {TPN(7): 10 + apart}
    facts = published(ODD, results=MISSING_4, points=points)
    assert ask(facts, arrangement("1-2 3-7 5-6", Z="4 8"), Ground.WITHOUT_OPPONENT) == expected


def test_c04_2_4_4_3_who_is_without_an_opponent():
    assert without_opponent(published(ODD, results={1: "-+", 2: "+-", 3: "--"})) == (2, 3, 7)


LATE = {"late": frozenset({TPN(9), TPN(10)})}


@pytest.mark.parametrize(
    "now, after, agreed, expected",
    [
        (ODD, arrangement("1-2 3-4 5-6 7-9", Z="8"), "7 9", "allowed"),
        (ODD, arrangement("1-2 3-4 5-6 7-9", Z="8"), "7", "change.consent_missing [C.04.2 4.4.4]"),
        (NOW, arrangement("1-2 3-4 5-6", U="9"), "9", "allowed"),
        (ODD, arrangement("1-2 3-4 5-6 9-10", U="7", Z="8"), "9 10", "allowed"),
        (ODD, arrangement("1-9 3-4 5-6 7-2", Z="8"), "1 2 7 9", "change.not_minimal [C.04.2 4.4.4]"),
        (ODD, arrangement("2-1 3-4 5-6 7-9", Z="8"), "1 2 7 9", "change.more_than_needed [C.04.2 4.4.4]"),
        (ODD, arrangement("1-2 3-4 5-6 7-9", H="8"), "7 8 9", "change.more_than_needed [C.04.2 4.4.4]"),
        (NOW, arrangement("1-9 3-4 5-6", U="2"), "1 2 9", "change.not_minimal [C.04.2 4.4.4]"),
        (NOW, SWAPPED, "1 2 3 4", "change.no_late_entry [C.04.2 4.4.4]"),
    ],
)
def test_c04_2_4_4_4_a_late_entry_comes_in_with_the_smallest_change(now, after, agreed, expected):
    assert ask(published(now, **LATE), after, Ground.LATE_ENTRY, agreed=agreed) == expected


def test_c04_2_4_4_4_one_game_goes_where_the_bye_may_not_play_the_late_entry():
    facts = published(ODD, prohibited=pairs("7-9"), **LATE)
    assert (smallest_change(facts, frozenset({TPN(9)})), smallest_change(facts, facts.late)) == (1, 0)
    assert ask(facts, arrangement("1-9 3-4 5-6 7-2", Z="8"), Ground.LATE_ENTRY) == "allowed"


def test_c04_2_4_4_4_who_was_to_come_later_is_a_newcomer_and_who_is_absent_is_not():
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
    assert ask(published(NOW, is_last=last, top_boards=top), SWAPPED, Ground.TOP_BOARDS, agreed="") == expected


def test_c04_2_4_4_consent_is_asked_where_the_text_asks_for_it():
    assert [ground.value for ground in Ground if needs_consent(ground)] == ["4.4.3", "4.4.4"]


def test_who_is_affected_and_which_boards():
    after = arrangement("2-1 5-6 3-4")
    assert (affected(NOW, after), changed_boards(NOW, after)) == ((1, 2), (1, 2, 3))
    assert affected(NOW, replace(NOW, byes={TPN(9): "U"})) == (9,)


class TestBefore2026:
    C2017 = HANDLING["c04_2_2017"]
    PRE2017 = HANDLING["pre2017"]

    def under(self, rules: HandlingRules, **facts) -> Published:
        return published(NOW, grounds=rules.grounds, forbids=rules.changes, **facts)

    @pytest.mark.parametrize("ground", [ground for ground in Ground if ground is not Ground.ALREADY_MET])
    def test_c04_2_2017_d_10_only_for_a_repeated_game(self, ground):
        facts = self.under(self.C2017, clause="7.3", is_last=True, top_boards=9, met=pairs("1-2"))
        assert ask(facts, SWAPPED, ground) == "change.no_such_ground [C.04.2 D.10]"
        assert ask(facts, SWAPPED, Ground.ALREADY_MET) == "allowed"
        assert ask(self.under(self.C2017), SWAPPED, Ground.ALREADY_MET) == "change.nobody_met [C.04.2 D.10]"

    @pytest.mark.parametrize("ground", GROUNDS_2026)
    def test_c04_3_pre2017_f6_none_of_the_situations_of_today(self, ground):
        facts = self.under(self.PRE2017, clause="7.3", is_last=True, top_boards=9, met=pairs("1-2"))
        assert ask(facts, SWAPPED, ground) == "change.no_such_ground [C.04.3 F6]"

    @pytest.mark.parametrize(
        "broken, after, expected",
        [
            ({1}, SWAPPED, "allowed"),
            ({1}, arrangement("1-4 3-6 5-2"), "change.not_minimal [C.04.3 F6]"),
            (set(), SWAPPED, "change.nothing_broken [C.04.3 F6]"),
            ({1, 3}, SWAPPED, "change.still_broken [C.04.3 F6]"),
        ],
    )
    def test_c04_3_pre2017_f6_a_broken_absolute_criterion(self, broken, after, expected):
        """Both players of board 1 had White twice running."""
        facts = self.under(self.PRE2017, broken=frozenset(broken), barred={TPN(1): "w", TPN(2): "w"})
        assert ask(facts, after, Ground.ABSOLUTE_CRITERION) == expected

    def test_c04_3_pre2017_f6_colours_alone_are_mended_at_their_board(self):
        facts = self.under(self.PRE2017, broken=frozenset({1}), barred={TPN(1): "w"})
        assert ask(facts, arrangement("2-1 3-4 5-6"), Ground.ABSOLUTE_CRITERION) == "allowed"
        assert ask(facts, SWAPPED, Ground.ABSOLUTE_CRITERION) == "change.not_minimal [C.04.3 F6]"

    @pytest.mark.parametrize(
        "after, expected",
        [
            (arrangement("1-7 3-4 5-6", U="2", Z="8"), "allowed"),
            (arrangement("1-4 3-2 5-6", U="7", Z="8"), "change.bye_still_broken [C.04.3 F6]"),
            (arrangement("1-7 3-2 5-6", U="4", Z="8"), "change.not_minimal [C.04.3 F6]"),
            (arrangement("7-2 3-4 5-6", U="1", Z="8"), "change.second_bye [C.04.1 4]"),
        ],
    )
    def test_c04_3_pre2017_f6_a_bye_that_breaks_it(self, after, expected):
        facts = replace(self.under(self.PRE2017, broken=frozenset({None}), no_bye=frozenset({TPN(7), TPN(1)})), now=ODD)
        assert ask(facts, after, Ground.ABSOLUTE_CRITERION) == expected

    @pytest.mark.parametrize(
        "after, facts, expected",
        [
            (SWAPPED, {}, "allowed"),
            (SWAPPED, {"corrected": False}, "change.nothing_corrected [C.04.3 F7]"),
            (SWAPPED, {"results": {3: "10"}}, "change.being_played [C.04.3 F7]"),
            (SWAPPED, {"begun": True}, "change.begun [C.04.3 F7]"),
            # The engine pairs as before, or other boards than these.
            (SWAPPED, {"follows": None}, "change.nothing_follows [C.04.3 F7]"),
            (SWAPPED, {"follows": arrangement("5-6 1-2 3-4")}, "change.nothing_follows [C.04.3 F7]"),
            (arrangement("1-6 3-4 5-2"), {}, "change.does_not_follow [C.04.3 F7]"),
            (arrangement("1-4 3-2 6-5"), {}, "change.does_not_follow [C.04.3 F7]"),
        ],
    )
    def test_c04_3_pre2017_f7_what_follows_from_a_correction_and_a_round_not_yet_played(self, after, facts, expected):
        given = {"corrected": True, "follows": arrangement("3-2 1-4 5-6")} | facts
        assert ask(self.under(self.PRE2017, **given), after, Ground.CORRECTION) == expected

    def test_c04_3_pre2017_f7_the_bye_follows_too(self):
        facts = self.under(self.PRE2017, corrected=True, follows=arrangement("1-7 3-4 5-6", U="2"))
        right = arrangement("1-7 3-4 5-6", U="2", Z="8")
        assert ask(replace(facts, now=ODD), right, Ground.CORRECTION) == "allowed"
        wrong = replace(facts, now=ODD, follows=arrangement("1-7 3-4 5-6", U="8"))
        assert ask(wrong, right, Ground.CORRECTION) == "change.does_not_follow [C.04.3 F7]"
