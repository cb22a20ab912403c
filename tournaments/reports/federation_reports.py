"""The rating reports in formats of their own: one row for each federation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Final

from tournaments.models import Tournament
from tournaments.reports import ecf, us_chess

Sections = Sequence[tuple[str, Tournament]]
"""The sections of an event, each a label and a tournament."""
Made = tuple[Mapping[str, bytes], Sequence[str]]
"""Files by name, and what they do not say."""


@dataclass(frozen=True, slots=True)
class FederationReport:
    """A report: the ``title`` of its federation, the names of the values that the arbiter enters
    for it, and the function that makes the files of an event from its sections, its name, these
    values and the day.
    """

    title: str
    names: tuple[str, ...]
    files: Callable[[Sections, str, Mapping[str, str], date], Made]


def _us_chess(sections: Sections, name: str, values: Mapping[str, str], today: date) -> Made:
    report = us_chess.us_chess_report(sections, name, us_chess.Facts(**values), today)
    return report.files, report.left_out


def _ecf(sections: Sections, name: str, values: Mapping[str, str], today: date) -> Made:
    facts = ecf.Facts(**values)
    submission = ecf.ecf_submission(sections, name, facts, today)
    file = f"{facts.ecf_code or 'ecf'}{facts.ecf_index or 1:0>2}.txt"
    return {file: submission.content}, submission.left_out


REPORTS: Final[Mapping[str, FederationReport]] = {
    "ecf": FederationReport("ECF", tuple(each.name for each in fields(ecf.Facts)), _ecf),
    "us-chess": FederationReport(
        "US Chess", tuple(each.name for each in fields(us_chess.Facts)), _us_chess
    ),
}
"""By the code in the profile of the federation."""
