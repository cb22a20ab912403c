"""Records of an imported file are public only if everything in them is known."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pairing.rules.handling import ARTICLES_2017, ARTICLES_PRE2017
from pairing.rules.kept_records import (
    NOTE_ON_MATCHES,
    is_public_record,
    private_records,
    records_in_the_open,
    without_contact_data,
)

OURS = (
    "### Correction @ Round 2: board 3, result 10 -> ==, C.04.2 4.3.1, standings and next pairing",
    "### Correction @ Round 2: board 3 game 2, colours reversed, C.04.2 D.9, rating report only",
    "### Correction @ Round 1: TPN 4, fide_rating None -> 1950, C.04.2 4.3.3, rating report only",
    (
        "### Correction @ Round 1: board 1, colours reversed, C.04.3 F7, rating report only, "
        "reported 45 minutes before its entry"
    ),
    "### FIDE mode left @ Round 3",
    "### FIDE mode left @ Round 0: rules no longer in force, C.04.2 1.1",
    "### FIDE mode left @ Round 0: rules no longer in force",
    "### Open games @ Round 2: 1/2, 1/14, draws for this pairing, C.04.2 3.1",
    "### Full-point bye @ Round 2: TPN 3, 12, C.04.2 3.3",
    "### Import @ Round 2: pairings differ from the engine's, C.04.2 1.4",
    "### Rounds @ Round 3: 7 -> 6, C.04.1 1",
    "### Configuration @ Round 3: boards 1, 2 differ with the new number of rounds, C.04.1 1",
    "### Late entry @ Round 1: TPN 2, C.04.2 2.4",
    "### Tie-breaks @ Round 3: BH,SB -> BH/C1,DE, C.07 4.1.1",
    "### Tie-breaks: none -> BH:GP/C1-P",
    "### Adjournment @ Round 1: boards 2, ended without a draw, C.04.2 3.1",
    "### MPA @ Round 4: boards 1, 2, C.04.2 4.4, 4.4.1",
    "### MPA @ Round 1: bye of TPN 9, C.04.2 4.4.4",
    "### Order of tied players @ Round 5: TPN 3, 1, C.07 4.2",
    "### Expelled @ Round 2: TPN 4",
    "### Rating report 2: 12 games played until 2026-03-15; blank rounds are not in this report",
    f"### Rating report 1, 2026-03-14: 1 games, SHA-256 {'0a' * 32}",
    "### Open game @ Round 1: 4 – 2",
    "### Correction of rating report 1 @ Round 1: 1 – 3 10 == -> 1 – 3 == 01",
    "### Points @ Round 3: TPN 8 -0.5, Laws 12.9",
    "### Points withdrawn @ Round 3: TPN 8 -0.5, Laws 12.9",
    "### Numbers @ Round 2: assigned again, 3 moved, C.04.2 2.2",
    f"### {NOTE_ON_MATCHES}",
    "172 FRA FIDON",
    "222 40/6000+30:900+30",
    "222 5400+30",
    "222 W300-B240",
    "132" + " " * 88 + "26/03/14  26/03/15",
    "042 2026/03/14",
    "042 14.03.2026",
    "052 2026-03-15",
)
PRIVATE = (
    "DAT 0001 EMAIL ann@example.org",
    "### noted by hand",
    "### Correction @ Round 2: Ann was ill, 079 123 45 67",
    "### Correction @ Round 2: board 3, result 10 -> ==, C.04.2 4.3.1, ask ann@example.org",
    "### FIDE mode left @ Round 3 because Bo wept",
    "### FIDE mode left @ Round 0: rules no longer in force, Bo wept",
    "### MPA @ Round 1: bye of Bo Birch, C.04.2 4.4.4",
    "### Rating report 2: 12 games of Bo; blank rounds are not in this report",
    "### Points @ Round 3: TPN 8 -0.5, Laws 12.9 Ann",
    "### Tie-breaks @ Round 3: ANN MUSTER -> BH",
    "302 something new",
    "101    7      Player 7",
    "FRA    1 m    Alder, Ann            1990/01/01",
    "042 ask Ann",
    "042 0612349907",
    "052 06 12 34 99 07",
    "052 06.12.34",
    "132 06 12 34 99 02  079 555 99 03",
    "222 +33612349904",
    "222 06-12-34-99",
    "222 0612349904",
    "172 FRA FIDON ann@example.org",
    "XYZ",
)


@pytest.mark.parametrize("line", OURS)
def test_comments_of_our_own_exports_and_codes_are_public(line: str) -> None:
    assert is_public_record(line)


@pytest.mark.parametrize("articles", [ARTICLES_2017, ARTICLES_PRE2017])
def test_the_articles_of_every_edition_are_public(articles: Mapping[str, str]) -> None:
    for article in {*articles, *articles.values()}:
        assert is_public_record(f"### Rounds @ Round 6: 7 -> 8, {article}"), article
    assert not is_public_record("### Rounds @ Round 6: 7 -> 8, C.04.1 ann")


@pytest.mark.parametrize("line", PRIVATE)
def test_a_record_with_free_words_is_private(line: str) -> None:
    assert private_records([line]) == [line]


def test_blank_lines_are_no_records() -> None:
    assert private_records(["", "  "]) == []


def test_only_lines_of_imports_have_records_in_the_open() -> None:
    after = {"settings": {"trf_extras": ["172 FRA FIDON", PRIVATE[0]]}}
    assert records_in_the_open("tournament.imported", after) == [PRIVATE[0]]
    assert records_in_the_open("tournament.updated", after) == []
    assert (
        records_in_the_open("tournament.imported", {"settings": {"trf_extras": {"hash": "0"}}})
        == []
    )


@pytest.mark.parametrize(
    "text, left",
    [
        ("Clara Chief (clara.chief@example.org)", "Clara Chief"),
        ("IA Chief, Clara 12345678, Tel. +41 79 123 45 67", "IA Chief, Clara 12345678"),
        ("Clara Chief, mobile: 0660/1234567", "Clara Chief"),
        ("Clara Chief <clara@example.org> 06 12 34 56 78", "Clara Chief"),
        ("Clara Chief (12345678)", "Clara Chief (12345678)"),
        ("90min/40moves + 30min + 30sec/move", "90min/40moves + 30min + 30sec/move"),
        ("40/5400+30:1800+30", "40/5400+30:1800+30"),
        ("Open 2026 / 1500-2000", "Open 2026 / 1500-2000"),
        ("Cup 0-2000 (2026)", "Cup 0-2000 (2026)"),
        ("Open 05/06/2026 - 12/06/2026", "Open 05/06/2026 - 12/06/2026"),
        ("Town, 01.02.2026 09.00", "Town, 01.02.2026 09.00"),
        ("Open 2026/03/14-2026/03/15", "Open 2026/03/14-2026/03/15"),
    ],
)
def test_contact_data_go_and_everything_else_stays(text: str, left: str) -> None:
    assert without_contact_data(text) == left
