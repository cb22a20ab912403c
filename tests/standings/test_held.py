"""Held's exercise: all values as published for the text of that time,
and computed again for the text of 2026.
"""

from fractions import Fraction

import pytest

from pairing.standings.ranking import Rules, standings
from tests.standings.fields import HELD, HELD_RATINGS, STANDARD, amounts, column, field

CODES = "BH BH/C1 AOB FB SB SB/C1 WIN WON BPG BWG REP PS PS/C1 ARO TPR PTP APRO APPO".split()  # noqa: SIM905
OF_THE_OPPONENTS = {"BH", "BH/C1", "AOB", "FB", "SB", "SB/C1"}

# By number, in the order of CODES, as the paper prints them (AOB to two decimals).
PUBLISHED = {
    2: "13 12 13.6 13.5 9.5 8.5 3 3 3 1 5 13 12 1880 2120 2216 1856 1852",
    3: "15.5 13 13.4 15 10.5 9.25 2 2 2 1 5 11 10.5 1940 2089 2112 1904 1934",
    4: "15 11.5 13.38 15.5 9.75 8 2 2 2 1 4 11.5 10.5 1888 2081 2168 1772 1784",
    1: "12.5 11 12.6 13.5 8 7.25 2 2 2 1 5 11 10 1820 1969 2029 1789 1769",
    16: "12.5 11 13.3 13.5 7.25 5.75 3 3 2 1 5 10.5 10 1820 1969 2013 1805 1799",
    6: "12 11 13.25 12 6.5 5.5 3 2 2 1 5 6 6 1813 1813 1810 1846 1836",
    8: "13.5 12 13 12.5 5.25 3.75 2 2 2 0 5 8.5 8 1730 1730 1715 1915 1924",
    11: "13.5 12 12.75 12.5 5.75 4.25 2 1 2 0 5 5.5 5 1863 1776 1763 1840 1836",
    5: "8.5 7.5 13.4 10 4.25 3.25 2 2 2 0 5 5 5 1690 1690 1689 1719 1676",
    15: "12 11 12.2 12 3.5 2.5 2 2 3 1 5 7 7 1860 1788 1768 1776 1767",
    12: "11.5 9.5 15 11.5 4 4 2 0 0 0 3 7 7 2050 1250 1250 2081 2168",
    14: "11 9 13.17 10.5 4.5 3 2 2 2 1 3 6 5 1800 1925 1942 1775 1756",
    7: "14.5 12.5 11.9 13.5 3.25 1.25 1 1 3 0 5 6 5 1760 1611 1531 1869 1890",
    13: "14 12 12.1 13.5 4.25 4.25 1 1 3 1 5 7 6 1930 1781 1744 1879 1909",
    9: "9 7.5 12.75 9.5 2.25 2.25 1 0 1 0 3 2.5 2.5 1975 1175 950 1805 1802",
    10: "13 11.5 10.9 12.5 1.5 0 1 1 3 1 5 4 4 1880 1640 1575 1717 1687",
}


@pytest.mark.parametrize("code", CODES)
def test_c07_2024_every_value_of_the_exercise_is_as_published(code: str) -> None:
    found = column(HELD, code, edition="fide-2024", ratings=HELD_RATINGS)
    published = {
        tpn: Fraction(values.split()[CODES.index(code)]) for tpn, values in PUBLISHED.items()
    }
    decimals = {
        tpn: round(Fraction(value.amount or 0, found.scale), 2)
        for tpn, value in found.values.items()
    }
    assert decimals == published


@pytest.mark.parametrize("code", [code for code in CODES if code not in OF_THE_OPPONENTS])
def test_c07_16_4_the_cap_of_2026_only_changes_tie_breaks_from_the_opponents_results(
    code: str,
) -> None:
    of_2026, of_2024 = (
        amounts(HELD, code, edition=edition, ratings=HELD_RATINGS)
        for edition in ("fide-2026", "fide-2024")
    )
    assert of_2026 == of_2024


@pytest.mark.parametrize(
    "tpn, buchholz, cut_1, sonneborn_berger, sonneborn_berger_cut_1",
    [
        # HPB: dummy min(3½, 5 × ½) = 2½. BH 3 + 2½ + 1½ + 3½ + 3½; the HPB is cut.
        # SB 3 + 1¼ + 1½ + 1¾ + 1¾; least is 1½ × 1 of #13, the voluntary one 1¼ is lower: 1½ is
        # cut.
        (4, 140, 115, 925, 775),
        # PAB: min(3, 2½). BH 2 + 3½ + 2½ + 1 + 2½, cut 1. SB 2½ + 1 + 2½, cut 1 × 1.
        (6, 115, 105, 600, 500),
        # HPB min(1½, 2½), forfeit loss to 11 min(1½, 2½), PAB 1½. BH 3½ + 1 + 1½ + 1½ + 1½, a
        # voluntary 1½ is cut. SB ¾ + 1½; least is 1 × 0 of #10, the lowest voluntary one 1½ × 0 of
        # the forfeit: 0 is cut.
        (9, 90, 75, 225, 225),
        # Forfeit win over 9: min(2½, 1½) = 1½. BH 3½ + 3½ + 2½ + 1½ + 1½, cut 1½. SB 1¾ + 1½ + 1½,
        # cut 1½ × 1.
        (11, 125, 110, 475, 325),
        # PAB 2, forfeit win over 14 min(2, 2), two ZPB of min(2, 2½). BH 3½ + 2 + 2 + 2 + 2, a ZPB
        # is cut. SB 2 + 2.
        (12, 115, 95, 400, 400),
        # Forfeit loss to 12: min(2, 3) = 2, ZPB 2. BH 3 + 2½ + 2 + 2 + 1½, a voluntary 2 is cut. SB
        # 3 + 1½, cut 1½.
        (14, 110, 90, 450, 300),
    ],
)
def test_c07_16_4_c07_16_5_rows_with_an_unplayed_round_recomputed_by_the_text_of_2026(
    tpn: int, buchholz: int, cut_1: int, sonneborn_berger: int, sonneborn_berger_cut_1: int
) -> None:
    found = [amounts(HELD, code)[tpn] for code in ("BH", "BH/C1", "SB", "SB/C1")]
    assert found == [buchholz, cut_1, sonneborn_berger, sonneborn_berger_cut_1]


def test_c07_16_4_rows_without_an_unplayed_round_are_the_same_in_both_editions() -> None:
    complete = {tpn for tpn, rounds in HELD.items() if not set("HUZF") & set(rounds)}
    assert complete == {1, 2, 3, 5, 7, 8, 10, 13, 15, 16}
    for code in ("BH", "BH/C1", "SB", "SB/C1"):
        of_2026, of_2024 = (
            amounts(HELD, code, edition=edition) for edition in ("fide-2026", "fide-2024")
        )
        assert {tpn: of_2026[tpn] for tpn in complete} == {tpn: of_2024[tpn] for tpn in complete}


def test_c07_4_2_the_ranking_of_the_exercise_by_the_default_list() -> None:
    lines = standings(field(HELD), STANDARD, Rules.from_codes()).lines
    # Fourth to eighth BH/C1 decides, after that BH between 1 and 16 (both 12½), then SB 8 against
    # 7¼.
    assert [(line.rank, line.tpn) for line in lines] == [
        (1, 2), (2, 3), (3, 4), (4, 1), (5, 16), (6, 6), (7, 8), (8, 11), (9, 5), (10, 15), (11, 12), (12, 14),
        (13, 7), (14, 13), (15, 9), (16, 10),
    ]  # fmt: skip
