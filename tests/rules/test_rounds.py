"""When a round may be paired, published and closed [C.04.2/2026 3, 4]."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from pairing.rules.rounds import (
    FieldFacts,
    RoundFacts,
    Stage,
    may_discard,
    may_pair,
    may_publish,
    may_publish_results,
    may_record_result,
    minutes_after,
    next_unpublished,
)
from pairing.rules.verdict import ALLOWED, Allowed, Refused, Verdict

FIELD = FieldFacts(present=8)


def rounds(*stages: Stage, missing: tuple[int, ...] = ()) -> list[RoundFacts]:
    """Return rounds in these stages; *missing* are the boards without a result in the last published one."""
    last_public = max((i for i, stage in enumerate(stages) if stage.is_public), default=-1)
    return [
        RoundFacts(number=i + 1, stage=stage, missing=missing if i == last_public else ())
        for i, stage in enumerate(stages)
    ]


def code(verdict: Verdict) -> str:
    match verdict:
        case Allowed():
            return "allowed"
        case Refused():
            return f"{verdict.code} [{verdict.article}]"


@pytest.mark.parametrize(
    "stage, stale, expected",
    [
        (Stage.PLANNED, False, "allowed"),
        (Stage.DRAFT, False, "round.already_paired []"),
        (Stage.DRAFT, True, "allowed"),
        (Stage.PUBLISHED, False, "round.already_published [C.04.2 4.4]"),
        (Stage.RESULTS, False, "round.already_published [C.04.2 4.4]"),
    ],
)
def test_c04_2_4_4_a_round_is_paired_again_only_while_it_is_not_published(stage, stale, expected):
    assert code(may_pair(rounds(stage), 1, FIELD, draft_is_stale=stale)) == expected


@pytest.mark.parametrize(
    "previous, missing, expected",
    [
        (Stage.PLANNED, (), "previous.not_paired []"),
        (Stage.DRAFT, (), "previous.not_published []"),
        (Stage.PUBLISHED, (), "previous.results_not_published [C.04.2 4.2]"),
        (Stage.RESULTS, (), "allowed"),
    ],
)
def test_c04_2_4_2_the_next_round_waits_for_published_results(previous, missing, expected):
    assert code(may_pair(rounds(previous, Stage.PLANNED, missing=missing), 2, FIELD)) == expected


def test_c04_2_4_2_boards_without_a_result_are_listed():
    verdict = may_pair(rounds(Stage.PUBLISHED, Stage.PLANNED, missing=(2, 7)), 2, FIELD)
    assert verdict == Refused("results.missing", "C.04.2 4.2", {"round": 1, "boards": (2, 7)})


def test_c04_2_2_3_everybody_has_a_number_before_pairing():
    field = FieldFacts(present=8, unnumbered=("Ann Late", "Bob Later"))
    assert may_pair(rounds(Stage.PLANNED), 1, field) == Refused(
        "numbers.missing", "C.04.2 2.3", {"names": ("Ann Late", "Bob Later")}
    )


def test_c04_3_5_1_the_initial_colour_is_drawn_before_round_1_is_paired():
    field = FieldFacts(present=8, initial_colour_known=False)
    assert may_pair(rounds(Stage.PLANNED), 1, field) == Refused("colour.not_drawn", "C.04.3 5.1")


@pytest.mark.parametrize("present, expected", [(0, "players.too_few []"), (1, "players.too_few []"), (2, "allowed")])
def test_one_player_is_too_few(present, expected):
    assert code(may_pair(rounds(Stage.PLANNED), 1, FieldFacts(present=present))) == expected


@pytest.mark.parametrize(
    "stage, discard, publish, publish_stale, close",
    [
        (
            Stage.PLANNED,
            "round.not_paired []",
            "round.not_paired []",
            "round.not_paired []",
            "result.round_not_published []",
        ),
        (Stage.DRAFT, "allowed", "allowed", "draft.stale [C.04.2 4.4]", "result.round_not_published []"),
        (Stage.PUBLISHED, *["round.already_published [C.04.2 4.4]"] * 3, "allowed"),
        (Stage.RESULTS, *["round.already_published [C.04.2 4.4]"] * 3, "results.already_published [C.04.2 4.2]"),
    ],
)
def test_c04_2_4_4_published_pairings_are_neither_discarded_nor_published_again(
    stage, discard, publish, publish_stale, close
):
    facts = RoundFacts(number=3, stage=stage)
    assert (
        code(may_discard(facts)),
        code(may_publish(facts, draft_is_stale=False)),
        code(may_publish(facts, draft_is_stale=True)),
        code(may_publish_results(facts)),
    ) == (discard, publish, publish_stale, close)


def test_c04_2_4_2_results_are_not_published_with_boards_open():
    facts = RoundFacts(number=3, stage=Stage.PUBLISHED, missing=(1, 4))
    assert may_publish_results(facts) == Refused("results.missing", "C.04.2 4.2", {"round": 3, "boards": (1, 4)})


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
    facts = RoundFacts(number=3, stage=Stage.PUBLISHED, missing=missing)
    verdict = may_publish_results(facts, adjourning=adjourning, is_last=is_last, adjourned=adjourned)
    assert code(verdict) == expected


def test_c04_2_4_3_published_results_are_closed_to_ordinary_entry_and_3_1_adjourned_games_are_not():
    table = {
        (stage, adjourned, clears): code(
            may_record_result(RoundFacts(number=1, stage=stage), adjourned=adjourned, clears=clears)
        )
        for stage, adjourned, clears in product(Stage, (False, True), (False, True))
    }
    not_yet, closed = "result.round_not_published []", "result.closed [C.04.2 4.3]"
    assert table == {
        (Stage.PLANNED, False, False): not_yet,
        (Stage.PLANNED, False, True): not_yet,
        (Stage.PLANNED, True, False): not_yet,
        (Stage.PLANNED, True, True): not_yet,
        (Stage.DRAFT, False, False): not_yet,
        (Stage.DRAFT, False, True): not_yet,
        (Stage.DRAFT, True, False): not_yet,
        (Stage.DRAFT, True, True): not_yet,
        (Stage.PUBLISHED, False, False): "allowed",
        (Stage.PUBLISHED, False, True): "allowed",
        (Stage.PUBLISHED, True, False): "allowed",
        (Stage.PUBLISHED, True, True): "allowed",
        (Stage.RESULTS, False, False): closed,
        (Stage.RESULTS, False, True): closed,
        (Stage.RESULTS, True, False): "allowed",
        (Stage.RESULTS, True, True): closed,
    }


@pytest.mark.parametrize(
    "stages, expected",
    [
        ((Stage.PLANNED, Stage.PLANNED), 1),
        ((Stage.DRAFT, Stage.PLANNED), 1),
        ((Stage.PUBLISHED, Stage.PLANNED), 2),
        ((Stage.RESULTS, Stage.PUBLISHED), None),
    ],
)
def test_the_next_unpublished_round(stages, expected):
    assert next_unpublished(rounds(*stages)) == expected


def test_allowed_is_a_single_value():
    assert Allowed() == ALLOWED


@pytest.mark.parametrize("seconds, minutes", [(-3600, -60), (-90, -1), (-59, 0), (0, 0), (1, 1), (60, 1), (61, 2)])
def test_c04_2_4_2_late_is_rounded_up_and_early_down(seconds, minutes):
    announced = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)
    assert minutes_after(announced, announced + timedelta(seconds=seconds)) == minutes
