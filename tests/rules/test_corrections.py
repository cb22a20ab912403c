"""The effect of a mistake that is reported late [C.04.2/2026 4.3]."""

from datetime import UTC, datetime, timedelta

import pytest

from pairing.rules.corrections import (
    Classification,
    CorrectionEffect,
    CorrectionKind,
    Moment,
    Timeline,
    classify,
    classify_remaining,
    deadline_after,
    may_choose,
    may_correct_game,
    may_mend_rating,
)
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def at(minute: int | None) -> datetime | None:
    return None if minute is None else NOON + timedelta(minutes=minute)


def timeline(
    *,
    results: int | None = 0,
    deadline: int | None = 30,
    pairing: int | None = None,
    ended: int | None = None,
    is_last=False,
) -> Timeline:
    """Return a timeline in minutes after noon, the time when the results were published."""
    return Timeline(3, is_last, at(results), at(deadline), at(pairing), at(ended))


NEXT, AFTER, RATING = (
    CorrectionEffect.NEXT_ROUND,
    CorrectionEffect.NEXT_PAIRING,
    CorrectionEffect.RATING_ONLY,
)


@pytest.mark.parametrize(
    "known, reported, moment, effects",
    [
        # Nothing else has happened yet.
        (timeline(), -5, Moment.BEFORE_PUBLICATION, (NEXT,)),
        (timeline(results=None, deadline=None), -5, Moment.BEFORE_PUBLICATION, (NEXT,)),
        (timeline(), 0, Moment.IN_TIME, (NEXT,)),
        (timeline(), 30, Moment.IN_TIME, (NEXT,)),
        (timeline(), 31, Moment.SILENT, (NEXT, AFTER)),
        # Only the next pairing ends the time for reports.
        (timeline(deadline=None), 600, Moment.IN_TIME, (NEXT,)),
        (timeline(deadline=None, pairing=40), 39, Moment.OVERTAKEN, (AFTER,)),
        (timeline(deadline=None, pairing=40), 40, Moment.AFTER_PAIRING, (AFTER,)),
        # The next pairings are published.
        (timeline(pairing=40), 10, Moment.OVERTAKEN, (AFTER,)),
        (timeline(pairing=40), 35, Moment.SILENT, (AFTER,)),
        (timeline(pairing=40), 40, Moment.AFTER_PAIRING, (AFTER,)),
        (timeline(pairing=10), 20, Moment.AFTER_PAIRING, (AFTER,)),
        # The next round is over.
        (timeline(pairing=40, ended=200), 10, Moment.ENTERED_LATE, (RATING,)),
        (timeline(pairing=40, ended=200), 199, Moment.ENTERED_LATE, (RATING,)),
        (timeline(pairing=40, ended=200), 200, Moment.AFTER_NEXT_ROUND, (RATING,)),
        (timeline(pairing=40, ended=200), 900, Moment.AFTER_NEXT_ROUND, (RATING,)),
        # The last round.
        (timeline(is_last=True), 30, Moment.IN_TIME, (NEXT,)),
        (timeline(is_last=True), 31, Moment.SILENT, (NEXT, RATING)),
        (timeline(is_last=True, deadline=None), -1, Moment.BEFORE_PUBLICATION, (NEXT,)),
        (timeline(is_last=True, deadline=None), 1, Moment.SILENT, (NEXT, RATING)),
    ],
)
def test_c04_2_4_3_effects_of_a_report(known, reported, moment, effects):
    assert classify(known, NOON + timedelta(minutes=reported)) == Classification(moment, effects)


@pytest.mark.parametrize(
    "effects, chosen, expected",
    [
        ((NEXT,), None, ALLOWED),
        ((NEXT,), NEXT, ALLOWED),
        ((NEXT,), RATING, Refused("correction.not_open", "C.04.2 4.3.1")),
        ((NEXT, AFTER), None, Refused("correction.choice_needed", "C.04.2 4.3.1")),
        ((NEXT, AFTER), AFTER, ALLOWED),
        ((NEXT, AFTER), RATING, Refused("correction.not_open", "C.04.2 4.3.1")),
    ],
)
def test_c04_2_4_3_there_is_a_choice_only_where_the_text_gives_no_rule(effects, chosen, expected):
    assert (
        may_choose(Classification(Moment.SILENT, effects), chosen, article="C.04.2 4.3.1")
        == expected
    )


def test_c04_2_4_3_the_deadline_runs_from_the_publication():
    assert deadline_after(NOON, 30) == at(30)
    assert deadline_after(NOON, 0) == NOON
    assert deadline_after(NOON, None) is None
    assert deadline_after(None, 30) is None


@pytest.mark.parametrize(
    "state, kind, played, adjourned, code",
    [
        (RoundState.PLANNED, CorrectionKind.RESULT, True, False, "result.round_not_published"),
        (RoundState.DRAFT, CorrectionKind.COLOURS, True, False, "result.round_not_published"),
        (
            RoundState.PAIRINGS_PUBLISHED,
            CorrectionKind.RESULT,
            True,
            False,
            "correction.enter_the_result",
        ),
        (RoundState.PAIRINGS_PUBLISHED, CorrectionKind.COLOURS, True, False, None),
        (
            RoundState.PAIRINGS_PUBLISHED,
            CorrectionKind.COLOURS,
            False,
            False,
            "correction.not_played",
        ),
        (RoundState.RESULTS_PUBLISHED, CorrectionKind.RESULT, True, False, None),
        (RoundState.RESULTS_PUBLISHED, CorrectionKind.RESULT, False, False, None),
        (
            RoundState.RESULTS_PUBLISHED,
            CorrectionKind.RESULT,
            True,
            True,
            "correction.enter_the_result",
        ),
        (RoundState.RESULTS_PUBLISHED, CorrectionKind.COLOURS, True, True, None),
        (
            RoundState.RESULTS_PUBLISHED,
            CorrectionKind.COLOURS,
            False,
            False,
            "correction.not_played",
        ),
    ],
)
def test_c04_2_4_3_which_boards_can_be_corrected(state, kind, played, adjourned, code):
    verdict = may_correct_game(
        RoundFacts(3, state), kind, played=played, adjourned=adjourned, article="C.04.2 4.3.1"
    )
    assert (verdict.code if isinstance(verdict, Refused) else None) == code


@pytest.mark.parametrize(
    "states, expected",
    [
        ((RoundState.PLANNED, RoundState.PLANNED), ALLOWED),
        ((RoundState.PAIRINGS_PUBLISHED, RoundState.PLANNED), ALLOWED),
        (
            (RoundState.RESULTS_PUBLISHED, RoundState.PLANNED),
            Refused("rating.results_published", "C.04.2 4.3.3"),
        ),
        (
            (RoundState.RESULTS_PUBLISHED, RoundState.DRAFT),
            Refused("rating.results_published", "C.04.2 4.3.3"),
        ),
    ],
)
def test_c04_2_4_3_3_a_rating_is_a_correction_once_results_are_published(states, expected):
    rounds = [RoundFacts(number, state) for number, state in enumerate(states, start=1)]
    assert may_mend_rating(rounds, article="C.04.2 4.3.3") == expected


@pytest.mark.parametrize(
    "known, reported, moment, effect",
    [
        (timeline(), -5, Moment.BEFORE_PUBLICATION, NEXT),
        (timeline(), 20_000, Moment.IN_TIME, NEXT),
        (timeline(pairing=40), 10, Moment.AFTER_PAIRING, AFTER),
        (timeline(pairing=40, ended=200), 20_000, Moment.AFTER_PAIRING, AFTER),
        (timeline(is_last=True), 20_000, Moment.IN_TIME, NEXT),
    ],
)
def test_c04_3_pre2017_f7_a_mistake_affects_the_pairings_to_be_done(
    known, reported, moment, effect
):
    assert classify_remaining(known, NOON + timedelta(minutes=reported)) == Classification(
        moment, (effect,)
    )


def test_c04_2_4_3_the_answer_about_a_game_names_its_round_and_article():
    def ask(
        state: RoundState, kind: CorrectionKind, *, played: bool = True, adjourned: bool = False
    ):
        return may_correct_game(
            RoundFacts(2, state), kind, played=played, adjourned=adjourned, article="x"
        )

    result, colours, over = (
        CorrectionKind.RESULT,
        CorrectionKind.COLOURS,
        RoundState.RESULTS_PUBLISHED,
    )
    assert ask(RoundState.DRAFT, result) == Refused("result.round_not_published", "", {"round": 2})
    entered = {"round": 2}
    assert ask(RoundState.PAIRINGS_PUBLISHED, result) == Refused(
        "correction.enter_the_result", "C.04.2 4.2", entered
    )
    assert ask(over, result, adjourned=True) == Refused(
        "correction.enter_the_result", "C.04.2 3.1", entered
    )
    assert ask(over, colours, played=False) == Refused(
        "correction.not_played", "C.04.2 3.4", entered
    )
    assert ask(over, result) == ask(over, colours) == ALLOWED


def test_c04_3_pre2017_f7_a_report_at_the_publication_is_in_time():
    for known, reported, moment in (
        (timeline(results=None, deadline=None), 5, Moment.BEFORE_PUBLICATION),
        (timeline(), -1, Moment.BEFORE_PUBLICATION),
        (timeline(), 0, Moment.IN_TIME),
    ):
        assert classify_remaining(known, at(reported)) == Classification(moment, (NEXT,))
