"""The federations that get reports: what each checks besides the usual, and the files it takes.

One row for each. The FIDE report file (TRF) and the sheets for FIDE are in every archive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .report_checks import CHECKS, Finding, ReportFacts, Severity


@dataclass(frozen=True, slots=True)
class Profile:
    """A federation. ``host`` is the federation of the events that it gets by default.

    ``errors`` and ``warnings`` are the checks with another severity than usual, and ``further`` the
    ones that only some federations make. ``files`` are the codes of its own formats; ``not_made``
    names the ones that the program cannot write.
    """

    code: str
    host: str = ""
    errors: frozenset[str] = frozenset()
    warnings: frozenset[str] = frozenset()
    further: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    not_made: tuple[str, ...] = ()


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NATIONAL: Final = _codes(
    "no_fide_id no_event_code no_host chief_without_id deputy_without_id no_federation"
)
"""What FIDE needs, and a report for a national rating alone does not."""

PROFILES: Final = {
    profile.code: profile
    for profile in (
        Profile("fide"),
        Profile(
            "ffe", "FRA", further=_codes("no_national_id"),
            warnings=_codes("no_fide_id chief_without_id deputy_without_id"), not_made=(".papi",),
        ),
        Profile(
            "dsb", "GER", errors=_codes("no_birth short_name no_day"), warnings=_NATIONAL,
            further=_codes("foreigner_without_id"), not_made=(".swi",),
        ),
        Profile(
            "ecf", "ENG", further=_codes("no_national_id"), warnings=_NATIONAL,
            files=("ecf",),
        ),
        Profile("knsb", "NED", warnings=_codes("no_event_code")),
        Profile(
            "us_chess", "USA", further=_codes("no_national_id"), warnings=_NATIONAL,
            files=("us-chess",),
        ),
    )
}  # fmt: skip
"""By code."""


def profile_of(chosen: str, host: str) -> Profile:
    """Return the profile with the code *chosen*; if it is empty, that of the federation *host*."""
    by_host = (each for each in PROFILES.values() if each.host and each.host == host.upper())
    return PROFILES.get(chosen) or next(by_host, PROFILES["fide"])


def findings(facts: ReportFacts, profile: Profile) -> tuple[Finding, ...]:
    """Return what the federation of *profile* would send back, in the order of the page."""
    made = []
    for check in CHECKS:
        if not check.is_usual and check.code not in profile.further:
            continue
        if subjects := tuple(check.found(facts)):
            severity = check.severity
            if check.code in profile.errors:
                severity = Severity.ERROR
            elif check.code in profile.warnings:
                severity = Severity.WARNING
            made.append(Finding(check, severity, subjects))
    return tuple(made)
