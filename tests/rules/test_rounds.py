"""When a round may be paired, published and closed [C.04.2/2026 3, 4]."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from pairing.rules.rounds import (
    FieldFacts,
    RoundFacts,
    RoundState,
    may_discard,
    may_pair,
    may_publish,
    may_publish_results,
    may_record_result,
    minutes_after,
    minutes_late,
    next_unpublished,
)
from pairing.rules.verdict import ALLOWED, Allowed, Refused, Verdict

FIELD = FieldFacts(present=8)


def rounds(*states: RoundState, missing: tuple[int, ...] = ()) -> list[RoundFacts]:
    """Return rounds in these states; *missing* are the boards without
    a result in the last published one.
    """
    last_public = max((i for i, state in enumerate(states) if state.is_public), default=-1)
    return [
        RoundFacts(number=i + 1, state=state, missing=missing if i == last_public else ())
        for i, state in enumerate(states)
    ]


def code(verdict: Verdict) -> str:
    match verdict:
        case Allowed():
            return "allowed"
        case Refused():
            return f"{verdict.code} [{verdict.article}]"


@pytest.mark.parametrize(
    "state, stale, expected",
    [
        (RoundState.PLANNED, False, "allowed"),
        (RoundState.DRAFT, False, "round.already_paired []"),
        (RoundState.DRAFT, True, "allowed"),
        (RoundState.PAIRINGS_PUBLISHED, False, "round.already_published [C.04.2 4.4]"),
        (RoundState.RESULTS_PUBLISHED, False, "round.already_published [C.04.2 4.4]"),
    ],
)
def test_c04_2_4_4_a_round_is_paired_again_only_while_it_is_not_published(state, stale, expected):
    assert code(may_pair(rounds(state), 1, FIELD, draft_is_stale=stale)) == expected


@pytest.mark.parametrize(
    "previous, missing, expected",
    [
        (RoundState.PLANNED, (), "previous.not_paired []"),
        (RoundState.DRAFT, (), "previous.not_published []"),
        (RoundState.PAIRINGS_PUBLISHED, (), "previous.results_not_published [C.04.2 4.2]"),
        (RoundState.RESULTS_PUBLISHED, (), "allowed"),
    ],
)
def test_c04_2_4_2_the_next_round_waits_for_published_results(previous, missing, expected):
    assert (
        code(may_pair(rounds(previous, RoundState.PLANNED, missing=missing), 2, FIELD)) == expected
    )


def test_c04_2_4_2_boards_without_a_result_are_listed():
    verdict = may_pair(
        rounds(RoundState.PAIRINGS_PUBLISHED, RoundState.PLANNED, missing=(2, 7)), 2, FIELD
    )
    assert verdict == Refused("results.missing", "C.04.2 4.2", {"round": 1, "boards": (2, 7)})


def test_c04_2_2_3_everybody_has_a_number_before_pairing():
    field = FieldFacts(present=8, unnumbered=("Ann Late", "Bob Later"))
    assert may_pair(rounds(RoundState.PLANNED), 1, field) == Refused(
        "numbers.missing", "C.04.2 2.3", {"names": ("Ann Late", "Bob Later")}
    )


def test_c04_3_5_1_the_initial_colour_is_drawn_before_round_1_is_paired():
    field = FieldFacts(present=8, initial_colour_known=False)
    assert may_pair(rounds(RoundState.PLANNED), 1, field) == Refused(
        "colour.not_drawn", "C.04.3 5.1"
    )


@pytest.mark.parametrize(
    "present, entered, decides, confirmed, expected",
    [
        (0, 0, True, True, "players.too_few []"),
        (0, 5, True, False, "round.byes_only [C.04.2 3.3]"),
        (0, 5, False, True, "round.byes_only_decided [C.04.2 3.3]"),
        (0, 5, True, True, "allowed"),
        (1, 5, False, False, "allowed"),
        (2, 5, False, False, "allowed"),
    ],
)
def test_c04_1_3_one_player_has_the_bye_and_the_chief_arbiter_confirms_that_nobody_plays(
    present, entered, decides, confirmed, expected
):
    field = FieldFacts(present=present, entered=entered, decides=decides, byes_only=confirmed)
    assert code(may_pair(rounds(RoundState.PLANNED), 1, field)) == expected


@pytest.mark.parametrize(
    "state, discard, publish, publish_stale, close",
    [
        (
            RoundState.PLANNED,
            "round.not_paired []",
            "round.not_paired []",
            "round.not_paired []",
            "result.round_not_published []",
        ),
        (
            RoundState.DRAFT,
            "allowed",
            "allowed",
            "draft.stale [C.04.2 4.4]",
            "result.round_not_published []",
        ),
        (RoundState.PAIRINGS_PUBLISHED, *["round.already_published [C.04.2 4.4]"] * 3, "allowed"),
        (
            RoundState.RESULTS_PUBLISHED,
            *["round.already_published [C.04.2 4.4]"] * 3,
            "results.already_published [C.04.2 4.2]",
        ),
    ],
)
def test_c04_2_4_4_published_pairings_are_neither_discarded_nor_published_again(
    state, discard, publish, publish_stale, close
):
    facts = RoundFacts(number=3, state=state)
    assert (
        code(may_discard(facts)),
        code(may_publish(facts, draft_is_stale=False)),
        code(may_publish(facts, draft_is_stale=True)),
        code(may_publish_results(facts)),
    ) == (discard, publish, publish_stale, close)


def test_c04_2_4_2_results_are_not_published_with_boards_open():
    facts = RoundFacts(number=3, state=RoundState.PAIRINGS_PUBLISHED, missing=(1, 4))
    assert may_publish_results(facts) == Refused(
        "results.missing", "C.04.2 4.2", {"round": 3, "boards": (1, 4)}
    )


@pytest.mark.parametrize(
    "missing, adjourning, is_last, adjourned, expected",
    [
        ((1, 4), (1, 4), False, (), "allowed"),
        ((1, 4), (1,), False, (), "results.missing [C.04.2 4.2]"),
        ((), (7,), False, ("2/5",), "allowed"),
        ((), (), True, (), "allowed"),
        ((4,), (4,), True, (), "results.adjourned [C.04.2 3.1]"),
        ((), (), True, ("2/5",), "results.adjourned [C.04.2 3.1]"),
    ],
)
def test_c04_2_3_1_boards_may_be_adjourned_but_not_in_final_standings(
    missing, adjourning, is_last, adjourned, expected
):
    facts = RoundFacts(number=3, state=RoundState.PAIRINGS_PUBLISHED, missing=missing)
    verdict = may_publish_results(
        facts, adjourning=adjourning, is_last=is_last, adjourned=adjourned
    )
    assert code(verdict) == expected


def test_c04_2_4_3_published_results_are_closed_to_ordinary_entry_and_3_1_adjourned_games_are_not():
    table = {
        (state, adjourned, clears): code(
            may_record_result(RoundFacts(number=1, state=state), adjourned=adjourned, clears=clears)
        )
        for state, adjourned, clears in product(RoundState, (False, True), (False, True))
    }
    not_yet, closed = "result.round_not_published []", "result.closed [C.04.2 4.3]"
    assert table == {
        (RoundState.PLANNED, False, False): not_yet,
        (RoundState.PLANNED, False, True): not_yet,
        (RoundState.PLANNED, True, False): not_yet,
        (RoundState.PLANNED, True, True): not_yet,
        (RoundState.DRAFT, False, False): not_yet,
        (RoundState.DRAFT, False, True): not_yet,
        (RoundState.DRAFT, True, False): not_yet,
        (RoundState.DRAFT, True, True): not_yet,
        (RoundState.PAIRINGS_PUBLISHED, False, False): "allowed",
        (RoundState.PAIRINGS_PUBLISHED, False, True): "allowed",
        (RoundState.PAIRINGS_PUBLISHED, True, False): "allowed",
        (RoundState.PAIRINGS_PUBLISHED, True, True): "allowed",
        (RoundState.RESULTS_PUBLISHED, False, False): closed,
        (RoundState.RESULTS_PUBLISHED, False, True): closed,
        (RoundState.RESULTS_PUBLISHED, True, False): "allowed",
        (RoundState.RESULTS_PUBLISHED, True, True): closed,
    }


@pytest.mark.parametrize(
    "states, expected",
    [
        ((RoundState.PLANNED, RoundState.PLANNED), 1),
        ((RoundState.DRAFT, RoundState.PLANNED), 1),
        ((RoundState.PAIRINGS_PUBLISHED, RoundState.PLANNED), 2),
        ((RoundState.RESULTS_PUBLISHED, RoundState.PAIRINGS_PUBLISHED), None),
    ],
)
def test_the_next_unpublished_round(states, expected):
    assert next_unpublished(rounds(*states)) == expected


def test_allowed_is_a_single_value():
    assert Allowed() == ALLOWED


@pytest.mark.parametrize(
    "seconds, minutes", [(-3600, -60), (-90, -1), (-59, 0), (0, 0), (1, 1), (60, 1), (61, 2)]
)
def test_c04_2_4_2_late_is_rounded_up_and_early_down(seconds, minutes):
    announced = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
    assert minutes_after(announced, announced + timedelta(seconds=seconds)) == minutes


def test_c04_2_4_1_missing_players_and_late_entries_are_settled_before_pairing():
    planned = rounds(RoundState.PLANNED)
    missing = FieldFacts(present=8, unconfirmed=("Ann",), not_arrived=("Bob",))
    unsettled = Refused("check_in.unsettled", "C.04.2 4.1", {"round": 1, "names": ("Ann",)})
    assert may_pair(planned, 1, missing) == unsettled
    late = FieldFacts(present=8, not_arrived=("Bob",))
    assert may_pair(planned, 1, late) == Refused(
        "entry.not_arrived", "C.04.2 2.4", {"names": ("Bob",)}
    )
    draft = rounds(RoundState.DRAFT)[0]
    assert may_publish(draft, draft_is_stale=False, unconfirmed=("Ann",)) == unsettled
    assert may_publish(draft, draft_is_stale=False) == ALLOWED


def test_c04_2_3_1_older_open_games_are_acknowledged_before_pairing():
    field = FieldFacts(present=8, older_adjourned=("1/3",))
    expected = Refused("round.older_adjourned", "C.04.2 3.1", {"games": ("1/3",)})
    assert may_pair(rounds(RoundState.RESULTS_PUBLISHED, RoundState.PLANNED), 2, field) == expected


@pytest.mark.parametrize(
    "seconds, minutes", [(0, 0), (59, 0), (60, 1), (119, 1), (-59, 0), (-60, -1), (-119, -1)]
)
def test_c04_2_4_2_what_happens_in_the_announced_minute_is_on_time(seconds, minutes):
    announced = datetime(2026, 11, 21, 15, 0, tzinfo=UTC)
    assert minutes_late(announced, announced + timedelta(seconds=seconds)) == minutes


def test_refusals_name_their_round():
    this = {"round": 1}
    planned, draft, published, over = (rounds(state)[0] for state in RoundState)
    assert (
        may_discard(planned)
        == may_publish(planned, draft_is_stale=False)
        == Refused("round.not_paired", "", this)
    )
    taken = Refused("round.already_published", "C.04.2 4.4", this)
    assert (
        may_discard(published)
        == may_discard(over)
        == may_publish(over, draft_is_stale=False)
        == taken
    )
    assert may_publish(draft, draft_is_stale=True) == Refused("draft.stale", "C.04.2 4.4", this)
    assert may_pair([planned], 1, FieldFacts(present=0, entered=0)) == Refused("players.too_few")
    assert may_pair([published], 1, FIELD, draft_is_stale=True) == taken
    assert may_pair([draft], 1, FIELD) == Refused("round.already_paired", "", this)
    entry = [
        may_record_result(facts, adjourned=False, clears=False)
        for facts in (draft, published, over)
    ]
    not_yet, closed = (
        Refused("result.round_not_published", "", this),
        Refused("result.closed", "C.04.2 4.3", this),
    )
    assert entry == [not_yet, ALLOWED, closed]


def test_c04_2_3_1_the_end_of_an_adjourned_game_is_confirmed_unless_it_is_the_draw_that_was_counted() -> (
    None
):
    over = RoundFacts(number=2, state=RoundState.RESULTS_PUBLISHED)
    not_the_draw = may_record_result(over, adjourned=True, clears=False, needs_confirmation=True)
    assert not_the_draw == Refused("result.not_the_draw", "C.04.2 3.1", {"round": 2})
    assert may_record_result(over, adjourned=True, clears=False) == ALLOWED


def test_c04_2_3_1_only_the_last_round_waits_for_adjourned_games_and_names_them() -> None:
    facts = RoundFacts(number=3, state=RoundState.PAIRINGS_PUBLISHED, missing=(4,))
    assert may_publish_results(facts, adjourning=(4,), adjourned=("2/5",)) == ALLOWED
    final = may_publish_results(facts, adjourning=(4,), adjourned=("2/5",), is_last=True)
    assert final == Refused("results.adjourned", "C.04.2 3.1", {"games": ("2/5", "3/4")})
