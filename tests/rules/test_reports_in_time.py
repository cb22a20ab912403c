"""When a mistake was reported, who may say so afterwards,
and when the reporting time may end [C.04.2/2026 4.3].
"""

from datetime import UTC, datetime, timedelta

import pytest

from pairing.rules.corrections import (
    Timeline,
    is_backdated,
    may_cut_short,
    may_report,
    may_still_report,
    minutes_back,
)
from pairing.rules.verdict import ALLOWED, Refused

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def at(minute: float) -> datetime:
    return NOON + timedelta(minutes=minute)


# The pairings were published an hour before the results, at noon; the next ones 40 minutes after,
# which ended at 200.
KNOWN = Timeline(3, False, at(0), at(30), at(40), at(200), at(-60))


@pytest.mark.parametrize(
    "reported, now, code",
    [
        (5, 5, ""),
        (5, 15, ""),
        (4.9, 15, "correction.backdated"),
        # Over the publication of the results, the next pairings and the next results.
        (-1, -0.5, ""),
        (-1, 0, "correction.backdated_over_publication"),
        (0, 1, ""),
        (38, 39.9, ""),
        (39, 40, "correction.backdated_over_publication"),
        (40, 41, ""),
        (199, 200, "correction.backdated_over_publication"),
        (200, 201, ""),
        # A report at the deadline is in time.
        (29, 30, ""),
        (30, 30.1, "correction.backdated_over_deadline"),
        (30.1, 31, ""),
        # Both: the deadline is what it is about; and the age comes before it.
        (29, 31, "correction.backdated_over_deadline"),
        (20, 31, "correction.backdated"),
    ],
)
def test_c04_2_4_3_only_the_chief_arbiter_dates_a_report_back(
    reported: float, now: float, code: str
) -> None:
    assert is_backdated(KNOWN, at(reported), at(now)) is bool(code)
    refused = Refused(code, "C.04.2 4.3.1", {"minutes": int(now - reported)}) if code else ALLOWED
    assert (
        may_report(KNOWN, at(reported), at(now), decides=False, article="C.04.2 4.3.1") == refused
    )
    assert may_report(KNOWN, at(reported), at(now), decides=True, article="C.04.2 4.3.1") == ALLOWED


@pytest.mark.parametrize("decides", [True, False])
def test_c04_2_4_3_no_report_comes_from_the_future_or_from_before_the_pairings(
    decides: bool,
) -> None:
    def code(reported: datetime, known: Timeline = KNOWN) -> str:
        verdict = may_report(known, reported, at(-55), decides=decides, article="C.04.2 4.3.2")
        assert verdict == ALLOWED or (
            isinstance(verdict, Refused) and verdict.article == "C.04.2 4.3.2"
        )
        return verdict.code if isinstance(verdict, Refused) else ""

    assert code(at(-55) + SECOND) == "correction.from_the_future"
    assert code(at(-55)) == code(at(-60)) == ""
    assert code(at(-60) - SECOND) == "correction.before_pairings"
    assert code(at(-60) - SECOND, Timeline(3, False)) == ""


def test_c04_2_4_3_minutes_are_whole_and_the_deadline_itself_is_in_time() -> None:
    assert [minutes_back(at(0), at(minutes)) for minutes in (0, 0.9, 1, 2.5)] == [0, 0, 1, 2]
    assert [may_still_report(at(30), now) for now in (at(29), at(30), at(30) + SECOND)] == [
        True,
        True,
        False,
    ]
    assert may_still_report(None, at(0)) is False


def test_c04_2_4_3_only_a_decision_of_the_chief_arbiter_ends_the_reporting_time() -> None:
    def code(until: datetime | None, *, decides: bool, decided: bool) -> tuple[str, object]:
        verdict = may_cut_short(until, at(0), decides=decides, decided=decided)
        if verdict == ALLOWED:
            return "", None
        assert isinstance(verdict, Refused)
        assert verdict.article == "C.04.2 4.3"
        return verdict.code, verdict.params["minutes"]

    for until in (None, at(-1), at(0)):
        assert code(until, decides=False, decided=False) == ("", None)
    # A minute that has begun counts.
    assert code(at(1.5), decides=False, decided=False) == ("deadline.chief_arbiter_decides", 2)
    assert code(at(1.5), decides=False, decided=True) == ("deadline.chief_arbiter_decides", 2)
    assert code(at(1), decides=True, decided=False) == ("deadline.running", 1)
    assert code(at(1), decides=True, decided=True) == ("", None)


def test_c04_2_4_3_without_a_deadline_only_publications_end_the_time_for_reports() -> None:
    known = Timeline(3, False, at(0), None, at(30), None, at(-60))
    over = Refused("correction.backdated_over_publication", "C.04.2 4.3.1", {"minutes": 10})
    assert may_report(known, at(20), at(30), decides=False, article="C.04.2 4.3.1") == over
    # At the deadline itself it has not passed.
    at_once = Timeline(3, False, at(0), at(30), at(30), None, at(-60))
    assert may_report(at_once, at(20), at(30), decides=False, article="C.04.2 4.3.1") == over
