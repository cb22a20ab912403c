"""Deciding on the system and edition for a report, and the reason."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pairing.cli.main import main
from pairing.engine.errors import InputError
from pairing.standings_recheck import decide_tie_break_edition
from pairing.trf.crosstable import edition_remark
from pairing.trf.dates import read_date
from pairing.trf.editions import decide_system, is_newer_than
from pairing.trf.errors import TrfError
from pairing.trf.reader import read

from .reports import player, report

GAME = player(1, "1.0", "   2 w 1"), player(2, "0.0", "   1 b 0")
FORMATS = {
    "TRF": "%Y/%m/%d",
    "ISO": "%Y-%m-%d",
    "day first": "%d/%m/%Y",
    "dots": "%d.%m.%Y",
    "month by name": "%d-%b-%Y",
    "TRF, two digits": "%y/%m/%d",
    "dots, two digits": "%d.%m.%y",
    "together": "%Y%m%d",
    "with a time": "%Y-%m-%d 10:00",
    "American, by name": "%B %d, %Y",
}
YEARS = 2009, 2016, 2019, 2025, 2026
MONTHS_AND_DAYS = (1, 31), (3, 14), (5, 4), (7, 1), (8, 5), (12, 25)
DAYS = [date(year, month, day) for year in YEARS for month, day in MONTHS_AND_DAYS]
"""Thirty first days, before, between and after the changes of the rules."""


def by(*lines: str) -> str:
    return decide_system(read(report(*lines, *GAME))).code


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_edition_is_the_same_however_record_042_writes_the_day(day: date) -> None:
    system = (
        "dutch_2026"
        if day >= date(2026, 2, 1)
        else "dutch_2017"
        if day >= date(2017, 7, 1)
        else "dutch_pre2017"
    )
    ties = "fide-2026" if day >= date(2026, 3, 1) else "fide-2024"
    found = {}
    for name, layout in FORMATS.items():
        document = read(report(f"042 {day.strftime(layout)}", "192 FIDE_DUTCH", *GAME))
        found[name] = (decide_system(document).code, decide_tie_break_edition(document).code)
    assert found == dict.fromkeys(FORMATS, (system, ties))


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_every_way_to_write_a_day_is_read_as_that_day(day: date) -> None:
    assert {
        name: read_date(day.strftime(layout)).day for name, layout in FORMATS.items()
    } == dict.fromkeys(FORMATS, day)


@pytest.mark.parametrize(
    "text, day, is_ambiguous",
    [
        ("2026-03-14", date(2026, 3, 14), False),
        ("24/09/2010", date(2010, 9, 24), False),
        ("09/24/2010", date(2010, 9, 24), False),  # There is no month 24.
        ("04/05/2025", date(2025, 5, 4), True),  # the day is before the month
        ("05/05/2025", date(2025, 5, 5), False),
        ("26/03/14", date(2026, 3, 14), True),  # As in the TRF.
        ("14.03.26", date(2026, 3, 14), True),  # But not with dots.
        ("14/33/26", None, False),
        ("123/04/05", None, False),  # A year has two or four digits.
        ("05/04/123", None, False),
        ("31/12/99", date(1999, 12, 31), False),
        ("98/05/01", date(1998, 5, 1), False),
        ("2026/3/4", date(2026, 3, 4), False),
        ("14 mars 2026", date(2026, 3, 14), False),
        ("1er août 2024", date(2024, 8, 1), False),
        ("14. März 2026", date(2026, 3, 14), False),
        ("3-dic-2025", date(2025, 12, 3), False),
        ("2026-Mar-14", date(2026, 3, 14), False),
        ("20260314", date(2026, 3, 14), False),
        ("2026-03-14T09:30:00Z", date(2026, 3, 14), False),
        ("2026/02/30", None, False),
        ("2026/00/00", None, False),
        ("next spring", None, False),
        ("14 Foo 2026", None, False),
        ("٢٠٢٦/٠٣/١٤", None, False),
        ("1" * 5_000, None, False),
        ("1" + " " * 100_000 + "x", None, False),
        ("", None, False),
    ],
)
def test_dates_that_are_unusual_ambiguous_or_no_dates(
    text: str, day: date | None, is_ambiguous: bool
) -> None:
    written = read_date(text)
    assert (written.day, written.is_ambiguous) == (day, is_ambiguous)


@pytest.mark.parametrize(
    "lines, system, why, is_guess",
    [
        (("192 FIDE_DUTCH_2017",), "dutch_2017", "record 192 says FIDE_DUTCH_2017", False),
        (
            ("042 2026-03-14", "192 FIDE_DUTCH"),
            "dutch_2026",
            "record 192 says FIDE_DUTCH without an edition; the first day is 2026-03-14 (042)",
            False,
        ),
        (
            ("042 04/05/2025", "192 FIDE_DUTCH_BAKU"),
            "dutch_2017",
            (
                "record 192 says FIDE_DUTCH_BAKU without an edition; the first day is 2025-05-04, "
                "04/05/2025 (042)"
            ),
            True,
        ),
        (
            ("042 in spring", "192 FIDE_DUTCH"),
            "dutch_2026",
            (
                "record 192 says FIDE_DUTCH without an edition, and “in spring” is not a valid "
                "date (042), so"
                " the current edition is used"
            ),
            True,
        ),
        (
            ("042 24/09/2010",),
            "dutch_pre2017",
            (
                "no record 192 names a system, so the Dutch System is used; the first day is "
                "2010-09-24, 24/09/2010 (042)"
            ),
            True,
        ),
    ],
)
def test_the_reason_explains_the_decision(
    lines: tuple[str, ...], system: str, why: str, is_guess: bool
) -> None:
    decided = decide_system(read(report(*lines, *GAME)))
    assert (decided.code, str(decided), decided.is_guess) == (system, why, is_guess)


def test_a_requested_system_is_not_a_guess() -> None:
    decided = decide_system(read(report(*GAME)), "dutch_2017")
    assert (decided.code, str(decided), decided.is_guess) == (
        "dutch_2017",
        "it was chosen by the user",
        False,
    )


def test_a_requested_system_keeps_the_reason_of_a_file_that_names_it() -> None:
    document = read(report("192 FIDE_DUTCH_2017", *GAME))
    assert str(decide_system(document, "dutch_2017")) == "record 192 says FIDE_DUTCH_2017"
    assert str(decide_system(document, "dutch_2026")) == "it was chosen by the user"
    other = read(report("192 LIM", *GAME), system="dutch_2017")
    assert str(decide_system(other, "dutch_2017")) == "it was chosen by the user"


def test_c07_a_comment_names_the_edition_whatever_the_day() -> None:
    remark = f"### {edition_remark('fide-2024').text}"
    decided = decide_tie_break_edition(read(report("042 2026/06/01", remark, *GAME)))
    assert (decided.code, str(decided)) == ("fide-2024", "a comment (###) in the file gives it")


@pytest.mark.parametrize(
    "editions, code, line",
    [
        (("fide-2024", "fide-2026"), "trf.edition_twice", 2),
        (("fide-1900",), "tie_break.edition_unknown", 1),
    ],
)
def test_comments_that_name_two_editions_or_an_unknown_one_are_refused(
    editions: tuple[str, ...], code: str, line: int
) -> None:
    text = report(*(f"### {edition_remark(edition).text}" for edition in editions), *GAME)
    with pytest.raises(InputError) as caught:
        decide_tie_break_edition(read(text))
    assert isinstance(caught.value, TrfError)
    assert (caught.value.code, caught.value.line) == (code, line)


@pytest.mark.parametrize(
    "options, line",
    [
        (
            (),
            (
                "paired by dutch_2017 (FIDE Dutch System 2017): record 192 says FIDE_DUTCH "
                "without an edition; the"
                " first day is 2025-05-04, 04/05/2025 (042); please check"
            ),
        ),
        (
            ("--system", "dutch_2026"),
            "paired by dutch_2026 (FIDE Dutch System 2026): it was chosen by the user",
        ),
        (
            ("--standings", "--tie-breaks", "BH"),
            (
                "tie-breaks by fide-2024 (FIDE C.07, applied from 1 August 2024 to 28 February "
                "2026): the first day is"
                " 2025-05-04, 04/05/2025 (042); please check"
            ),
        ),
    ],
)
def test_check_prints_the_rules_and_the_reason(
    options: tuple[str, ...], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "event.trf"
    path.write_text(report("042 04/05/2025", "192 FIDE_DUTCH", *GAME))
    main(["check", *options, str(path)])
    assert capsys.readouterr().out.splitlines()[0] == f"{path}: {line}"


@pytest.mark.parametrize(
    "system, day, newer",
    [
        ("dutch_2026", date(2026, 2, 1), False),
        ("dutch_2026", date(2026, 1, 31), True),
        ("dutch_2017", date(2017, 6, 30), True),
        ("dutch_2017", date(2025, 5, 1), False),
        ("dutch_pre2017", date(2026, 5, 1), False),
        ("double_swiss_2026", date(2015, 5, 1), False),
    ],
)
def test_a_dutch_system_is_newer_than_a_day_before_it_was_in_force(
    system: str, day: date, newer: bool
) -> None:
    assert is_newer_than(system, day) is newer
