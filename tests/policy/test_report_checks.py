"""The checks of a report before it is sent: each finds its fault, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pairing.ratings.model import Event, Rate
from pairing.rules.arbiters import Arbiter
from pairing.rules.report_checks import (
    CHECKS,
    Finding,
    Listed,
    Player,
    ReportFacts,
    Severity,
    Subject,
    is_short_name,
)
from pairing.rules.report_profiles import PROFILES, Profile, findings, profile_of

FIRST, LAST = date(2026, 9, 1), date(2026, 9, 5)
ANNA = Player(1, "Rossi, Anna", 2000016, "A1", "w", "1990/01/02", "ITA")
PER = Player(2, "Blom, Per", 2000024, "A2", "m", "2001/00/00", "SWE")
GAME = Subject(2, "2: Rossi, Anna – Blom, Per")
WHOLE = ReportFacts(
    event=Event(
        rounds=2, rate=Rate.STANDARD, host="ITA", start=FIRST, end=LAST, seconds=90 * 60 + 30 * 60
    ),
    city="Graz",
    event_code="412345",
    organiser="Chess Club",
    has_time_control=True,
    chief=Arbiter("Naves, Iara", "IA", 2000032),
    deputies=(Arbiter("Roy, Luc", "FA", 2000040),),
    players=(ANNA, PER),
    listed=Listed(),
    days=((1, FIRST), (2, LAST)),
    not_over=(),
    open_games=(),
    forfeits=(),
    unrated=(),
    protests=(),
    is_final=True,
)
ONE = (Subject(),)
ENTRY = (Subject(2, "Blom, Per"),)


def player(**values: Any) -> Callable[[ReportFacts], ReportFacts]:
    return lambda facts: replace(facts, players=(ANNA, replace(PER, **values)))


def event(**values: Any) -> Callable[[ReportFacts], ReportFacts]:
    return lambda facts: replace(facts, event=replace(facts.event, **values))


def other(**values: Any) -> Callable[[ReportFacts], ReportFacts]:
    return lambda facts: replace(facts, **values)


RED: dict[str, tuple[Callable[[ReportFacts], ReportFacts], tuple[Subject, ...]]] = {
    "no_first_day": (event(start=None), ONE),
    "no_last_day": (event(end=None), ONE),
    "no_place": (other(city=""), ONE),
    "no_host": (event(host=""), ONE),
    "unknown_host": (event(host="XXX"), ONE),
    "no_event_code": (other(event_code=""), ONE),
    "no_organiser": (other(organiser=""), ONE),
    "no_time_control": (other(has_time_control=False), ONE),
    "other_rate": (event(seconds=15 * 60), ONE),
    "no_day": (other(days=((1, FIRST), (2, None))), (Subject(2),)),
    "other_day": (other(days=((1, date(2026, 8, 31)), (2, LAST))), (Subject(1),)),
    "no_chief": (other(chief=None), ONE),
    "chief_without_id": (
        other(chief=Arbiter("Naves, Iara", "IA")),
        (Subject(None, "Naves, Iara"),),
    ),
    "chief_without_title": (other(chief=Arbiter("Naves, Iara", "", 2000032)), ONE),
    "deputy_without_id": (other(deputies=(Arbiter("Roy, Luc"),)), (Subject(None, "Roy, Luc"),)),
    "no_players": (other(players=()), ONE),
    "no_fide_id": (player(fide_id=None), ENTRY),
    "foreigner_without_id": (player(fide_id=None), ENTRY),
    "no_national_id": (player(national_id=""), ENTRY),
    "no_federation": (player(federation=""), ENTRY),
    "unknown_federation": (player(federation="XXX"), ENTRY),
    "womens_title": (player(titles=frozenset({"GM", "WFM"})), ENTRY),
    "no_sex": (player(sex=""), ENTRY),
    "no_birth": (player(birth_date=""), ENTRY),
    "short_name": (player(name="Blom, P.", fide_id=None), (Subject(2, "Blom, P."),)),
    "not_in_list": (other(listed=Listed(missing=frozenset({2}))), ENTRY),
    "other_name": (other(listed=Listed(names=frozenset({2}))), ENTRY),
    "other_rating": (other(listed=Listed(ratings=frozenset({2}))), ENTRY),
    "not_over": (other(not_over=(2,)), (Subject(2),)),
    "no_result": (other(open_games=(GAME,)), (GAME,)),
    "forfeit": (other(forfeits=(GAME,)), (GAME,)),
    "unrated": (other(unrated=(Subject(3, "gap"),)), (Subject(3, "gap"),)),
    "protest": (other(protests=(Subject(1, "1. Blom"),)), (Subject(1, "1. Blom"),)),
    "not_final": (other(is_final=False), ONE),
}


def with_check(code: str) -> Profile:
    """Return FIDE's profile with the check *code*, whoever asks for it."""
    return replace(PROFILES["fide"], further=frozenset({code}))


def test_every_check_has_a_case() -> None:
    assert [check.code for check in CHECKS] == list(RED)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_whole_report_has_no_findings(profile: str) -> None:
    assert findings(WHOLE, PROFILES[profile]) == ()


@pytest.mark.parametrize("code", RED)
def test_a_check_finds_its_fault(code: str) -> None:
    change, subjects = RED[code]
    found = {each.check.code: each.subjects for each in findings(change(WHOLE), with_check(code))}
    assert found.pop(code) == subjects
    # These two are about players without FIDE ID, who are in that list too.
    is_more = code in ("foreigner_without_id", "short_name")
    assert set(found) == ({"no_fide_id"} if is_more else set())


def test_an_empty_event_has_findings_about_everything_once() -> None:
    empty = replace(
        WHOLE, event=Event(2), city="", event_code="", organiser="", has_time_control=False,
        chief=None, deputies=(), players=(), days=((1, None),), not_over=(1,), is_final=False,
    )  # fmt: skip
    assert [each.check.code for each in findings(empty, PROFILES["fide"])] == [
        "no_first_day", "no_last_day", "no_place", "no_host", "no_event_code", "no_organiser",
        "no_time_control", "no_day", "no_chief", "no_players", "not_over", "not_final",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name, is_short",
    [
        ("Rossi", True),
        ("", True),
        ("Rossi,", True),
        ("Rossi, A", True),
        ("Rossi, A.", True),
        ("Rossi, A. B.", True),
        ("Li, Bo", False),
        ("Rossi, Anna B.", False),
        ("Rossi, Ana", False),
    ],
)
def test_initials_are_no_first_name(name: str, is_short: bool) -> None:
    assert is_short_name(name) is is_short


class TestProfiles:
    """The federations ask for different things."""

    @pytest.mark.parametrize(
        "chosen, host, code",
        [
            ("", "", "fide"),
            ("", "AUT", "fide"),
            ("", "FRA", "ffe"),
            ("", "ger", "dsb"),
            ("", "ENG", "ecf"),
            ("", "NED", "knsb"),
            ("", "USA", "us_chess"),
            ("fide", "FRA", "fide"),
            ("us_chess", "CAN", "us_chess"),
            ("of an older version", "FRA", "ffe"),
        ],
    )
    def test_the_default_is_that_of_the_event(self, chosen: str, host: str, code: str) -> None:
        assert profile_of(chosen, host).code == code

    def test_every_code_in_a_profile_is_a_check(self) -> None:
        known = {check.code for check in CHECKS}
        for profile in PROFILES.values():
            assert profile.errors | profile.warnings | profile.further <= known
            assert not profile.errors & profile.warnings

    @pytest.mark.parametrize(
        "code, found",
        [
            ("fide", {"no_fide_id": "error", "no_birth": "warning"}),
            (
                "ffe",
                {"no_fide_id": "warning", "no_birth": "warning", "no_national_id": "error"},
            ),
            (
                "dsb",
                {"no_fide_id": "warning", "foreigner_without_id": "error", "no_birth": "error"},
            ),
            ("ecf", {"no_fide_id": "warning", "no_birth": "warning", "no_national_id": "error"}),
            ("knsb", {"no_fide_id": "error", "no_birth": "warning"}),
            (
                "us_chess",
                {"no_fide_id": "warning", "no_birth": "warning", "no_national_id": "error"},
            ),
        ],
    )
    def test_severity_follows_the_federation(self, code: str, found: dict[str, str]) -> None:
        facts = player(fide_id=None, birth_date="", national_id="")(WHOLE)
        made: tuple[Finding, ...] = findings(facts, PROFILES[code])
        assert {each.check.code: each.severity for each in made} == {
            name: Severity(severity) for name, severity in found.items()
        }
