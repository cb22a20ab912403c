"""What the smallest change of published pairings prefers,
criterion by criterion [C.04.2/2026 4.4].
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.basics.colours import colour_record
from pairing.engine.due_colours import DueColours
from pairing.engine.dutch.colours import colour_of_higher
from pairing.engine.model import TPN, Colour
from pairing.rules.manual import barred_colours
from pairing.rules.publication import may_change
from pairing.rules.published import Arrangement, Published, Situation
from pairing.rules.smallest import proposal
from pairing.rules.verdict import ALLOWED
from tests.rules.test_publication import arrangement, pairs, published

WHITE, BLACK, STRONGLY_WHITE = "wb", "bw", "bwb"
"""Histories after which a player prefers this colour: mildly, or strongly."""


def facts(now: Arrangement, histories: dict[int, str], *met: str, **others) -> Published:
    """Return a round with board 1 to be changed, whose players have met;
    the others in *met* have met too.
    """
    points = {TPN(n): others.get("points", {}).get(n, 10) for n in range(1, 12)}
    records = {tpn: colour_record(histories.get(tpn, "")) for tpn in points}

    def by_the_rules(higher: TPN, lower: TPN) -> Colour:
        return colour_of_higher(records[higher], records[lower], higher, Colour.WHITE)

    barred = {tpn: barred_colours(record.history) for tpn, record in records.items()}
    due = DueColours(records, points, by_the_rules)
    return published(
        now,
        **(
            others
            | {"points": points, "met": pairs(*met), "barred": barred, "due": lambda _new: due}
        ),
    )


def proposed(
    round_: Published, situation: Situation = Situation.ALREADY_MET, **given
) -> Arrangement:
    found = proposal(round_, situation, **given)
    assert found is not None
    return found.after


def away(now: str, *numbers: int) -> Arrangement:
    """Return the boards of *now* with other numbers."""
    return Arrangement(dict(zip(numbers, arrangement(now).boards.values(), strict=True)), {})


@pytest.mark.parametrize("far", [900, 3])
def test_c04_2_4_4_1_the_difference_of_score_counts_more_than_any_distance(far):
    """A tenth of a point more with 3 and 4 at the next board than with 5 and 6 at the last."""
    round_ = facts(away("1-2 3-4 5-6", 1, 2, far), {}, "1-2", points={3: 11})
    assert proposed(round_) == away("1-6 3-4 5-2", 1, 2, far)


@pytest.mark.parametrize("lowest", [0, -20])
def test_c04_2_4_4_1_a_preference_counts_more_than_the_scores_even_among_three(lowest):
    """2 and 7 would like Black, so 1 plays 7, two points above 1.

    2, who gets the bye, has two points more too.
    """
    points = {1: lowest, 2: lowest + 20, 7: lowest + 20}
    round_ = facts(arrangement("1-2", U="7"), {2: BLACK, 7: BLACK}, "1-2", points=points)
    assert proposed(round_) == arrangement("1-7", U="2")


def test_c04_2_4_4_4_preferences_count_in_a_round_without_points_and_boards():
    round_ = facts(
        arrangement("", U="7"),
        {7: WHITE, 8: WHITE, 9: BLACK, 10: BLACK},
        "7-9",
        points=dict.fromkeys(range(1, 12), 0),
        late=frozenset(TPN(n) for n in (8, 9, 10)),
    )
    assert proposed(round_, Situation.LATE_ENTRY) == arrangement("7-10 8-9")


SHORT, LONG, BEHIND = (2, 1, 3), (2, 1, 5), (4, 5, 1)
"""The numbers of the boards 1-2, 3-4 and 5-6:
boards 3-4 are 1 away, and 5-6 are 1, 3 and 3 away.
"""


@pytest.mark.parametrize(
    "histories, points, numbers, is_missed",
    [
        ({1: STRONGLY_WHITE, 3: STRONGLY_WHITE, 2: WHITE, 7: WHITE}, {}, SHORT, True),
        ({1: STRONGLY_WHITE, 5: STRONGLY_WHITE, 2: WHITE, 4: WHITE}, {}, SHORT, False),
        ({2: WHITE, 4: WHITE}, {7: 20}, SHORT, True),
        ({2: WHITE, 7: WHITE}, {4: 20}, SHORT, False),
        ({}, {4: 11}, LONG, True),
        ({}, {7: 11}, SHORT, False),
        ({}, {}, SHORT, True),
        ({}, {}, LONG, False),
        ({}, {}, BEHIND, False),
    ],
)
def test_c04_2_4_4_1_a_missing_player_counts_neither_for_a_change_nor_against_it(
    histories, points, numbers, is_missed
):
    """Either 1 and 2 play 3 and 4, and 7 keeps the bye, or they play 5,
    whose opponent did not come, and 7.

    The second is better by one strong preference, one mild one, a tenth of a point, or one board;
    or worse.
    """
    played = away("1-2 3-4 5-6", *numbers).boards
    now = Arrangement({n: played[n] for n in sorted(numbers)}, {TPN(7): "U"})
    round_ = facts(
        now, histories, "1-2", "1-4", "2-3", "1-7", "2-5", points=points, results={numbers[2]: "+-"}
    )
    after = proposed(replace(round_, no_bye=frozenset(round_.points) - {TPN(7)}))
    opponents = after.opponents()
    assert [opponents.get(TPN(n)) for n in (1, 2, 3, 7)] == (
        [5, 7, 4, 2] if is_missed else [3, 4, 1, None]
    )
    assert after.byes == ({6: "Z"} if is_missed else {7: "U"})


def test_c04_2_4_4_2_a_board_that_is_not_there_needs_no_change():
    round_ = published(arrangement("1-2 3-4"), clause="7.3")
    assert proposal(round_, Situation.REGULATIONS, concerned=[9]) is None
    found = proposal(round_, Situation.REGULATIONS, concerned=[9, 1])
    assert found is not None
    assert found.games == (1, 2)


def test_c04_2_4_4_3_nobody_is_without_an_opponent_in_an_empty_round():
    assert proposal(published(Arrangement({}), points={}), Situation.WITHOUT_OPPONENT) is None


def test_c04_3_pre2017_f6_colours_are_turned_at_their_board():
    round_ = facts(arrangement("1-2 3-4 5-6"), {1: "ww", 2: "bb"}, broken=frozenset({1}))
    assert proposed(round_, Situation.ABSOLUTE_CRITERION) == arrangement("2-1 3-4 5-6")


def test_c04_2_4_4_1_a_new_bye_is_no_game_that_is_broken_up():
    """Everybody but 2 had White twice, so every change has one third colour.

    1 can play 7, and 2 has the bye then.
    """
    round_ = facts(
        arrangement("1-2 3-4 5-6", U="7"), dict.fromkeys((1, 3, 4, 5, 6, 7), "ww"), "1-2"
    )
    after = proposed(replace(round_, no_bye=frozenset({TPN(1)})))
    assert (after.opponents()[TPN(1)], after.byes) == (7, {2: "U"})


@pytest.mark.parametrize(
    "histories, opponent", [({7: STRONGLY_WHITE}, 3), ({3: STRONGLY_WHITE}, 7)]
)
def test_c04_2_4_4_1_with_equally_many_games_colours_decide_and_not_the_number_of_new_boards(
    histories, opponent
):
    """8 and 10 did not come.

    Two boards change beside the first: either 1-3 2-5 4-6 are played, or 1-7 2-9.
    """
    met = [f"1-{n}" for n in range(2, 11) if n not in (3, 7)] + [
        f"2-{n}" for n in range(3, 11) if n not in (5, 9)
    ]
    now = arrangement("1-2 3-4 5-6 7-8 9-10")
    round_ = facts(now, {1: STRONGLY_WHITE} | histories, *met, results={4: "+-", 5: "+-"})
    after = proposed(replace(round_, no_bye=frozenset(round_.points)))
    assert after.opponents()[TPN(1)] == opponent


class TestWithoutOpponent:
    """3 and 5 have opponents who did not come, and 7 has the bye."""

    NOW = arrangement("1-2 3-4 5-6", U="7")
    MISSING = {"results": {2: "+-", 3: "+-"}}

    def test_c04_2_4_4_3_the_first_two_of_several_who_are_equally_close(self):
        found = proposal(facts(self.NOW, {}, **self.MISSING), Situation.WITHOUT_OPPONENT)
        assert found is not None
        assert (found.after, found.games, found.breaches) == (
            arrangement("1-2 3-7 5-6", Z="4"),
            (2,),
            0,
        )

    def test_c04_2_4_4_3_the_two_who_are_closest(self):
        round_ = facts(self.NOW, {}, points={3: 15}, **self.MISSING)
        assert proposed(round_, Situation.WITHOUT_OPPONENT) == arrangement("1-2 3-4 5-7", Z="6")

    def test_c04_2_4_4_3_the_holder_of_the_bye_may_have_the_lower_number(self):
        round_ = facts(arrangement("2-3 5-4", U="1"), {}, results={2: "-+"})
        assert proposed(round_, Situation.WITHOUT_OPPONENT) == arrangement("2-3 1-4", Z="5")

    @pytest.mark.parametrize("apart, is_close", [(10, True), (11, False)])
    def test_c04_2_4_4_3_as_close_as_a_win(self, apart, is_close):
        round_ = facts(self.NOW, {}, points={7: 10 + apart}, results={2: "+-"})
        assert (proposal(round_, Situation.WITHOUT_OPPONENT) is not None) == is_close

    @pytest.mark.parametrize(
        "chosen, pair", [((5, 7), "5-7"), ((5,), "5-7"), ((7,), "3-7"), ((1, 2), "3-7")]
    )
    def test_c04_2_4_4_3_the_two_are_among_the_chosen_players(self, chosen, pair):
        found = proposed(
            facts(self.NOW, {}, **self.MISSING), Situation.WITHOUT_OPPONENT, chosen=map(TPN, chosen)
        )
        assert arrangement(pair).boards[1] in found.boards.values()

    def test_c04_2_4_4_3_players_who_were_seen_come_first(self):
        round_ = facts(self.NOW, {}, unseen=frozenset({TPN(3)}), **self.MISSING)
        assert proposed(round_, Situation.WITHOUT_OPPONENT).opponents()[TPN(5)] == 7


LATE = {"late": frozenset({TPN(8)}), "results": {2: "+-"}}


@pytest.mark.parametrize(
    "chosen, opponent", [((), 7), ((8,), 7), ((8, 7), 7), ((8, 3, 4), 3), ((3, 4), 3)]
)
def test_c04_2_4_4_4_the_chosen_players_get_the_late_entry(chosen, opponent):
    """4 did not come; 7 has the bye."""
    round_ = facts(arrangement("1-2 3-4 5-6", U="7"), {}, **LATE)
    after = proposed(round_, Situation.LATE_ENTRY, chosen=[TPN(n) for n in chosen])
    assert after.opponents()[TPN(8)] == opponent


def test_c04_2_4_4_4_nobody_unseen_is_the_smallest_partner():
    round_ = facts(
        arrangement("1-2 3-4 5-6", U="7"), {}, unseen=frozenset({TPN(4), TPN(7)}), **LATE
    )
    assert proposed(round_, Situation.LATE_ENTRY) == arrangement("1-2 3-8 5-6", U="7", Z="4")
    assert proposal(facts(arrangement("", U="7"), {}, late=LATE["late"], unseen=frozenset({TPN(7)})),
                    Situation.LATE_ENTRY) is None  # fmt: skip


def allowed(round_: Published, after: Arrangement) -> bool:
    return may_change(round_, after, Situation.ALREADY_MET, consents=frozenset()) == ALLOWED


def test_c04_2_4_4_1_a_change_that_moves_the_bye_is_compared_with_changes_that_move_it():
    """7 can only play 5 and 6, with whom 1 and 2 cannot play: two boards change.

    With the bye for 7, one would do.
    """
    met = ["1-2", "1-5", "1-6", "2-5", "2-6", *(f"7-{n}" for n in range(1, 5))]
    round_ = facts(arrangement("1-2 3-4 5-6", U="7"), {}, *met)
    assert allowed(round_, arrangement("1-4 3-6 5-7", U="2"))
    assert allowed(round_, arrangement("1-4 3-2 5-6", U="7"))


def test_c04_2_4_4_1_nobody_else_gets_a_bye_if_it_stays():
    """4 and 6 did not come. If 7 keeps the bye, two boards are needed for 1 and 2."""
    round_ = facts(arrangement("1-2 3-4 5-6", U="7"), {}, "1-2", results={2: "+-", 3: "+-"})
    assert allowed(round_, arrangement("1-3 2-5", U="7", Z="4 6"))
