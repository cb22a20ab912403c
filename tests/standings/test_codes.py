"""Reading lists of tie-breaks."""

import pytest

from pairing.engine.errors import InputError
from pairing.standings.codes import DEFAULT_LIST, format_list, parse_code, parse_list
from pairing.standings.editions import EDITIONS, edition_by_code, edition_on

PRESENT = EDITIONS["fide-2026"]
OFFERED = (  # noqa: SIM905
    "DE DE/P BPG BWG REP STD SB SB/C1 SB/C2 SB/P SB/C1/P SB/C2/P ARO ARO/C1 ARO/C2 ARO/M1 ARO/M2 "
    "TPR PTP APRO APPO "
    "RTNG RTNG/R WIN WON PS PS/C1 PS/C2 TPN TPN/R BH BH/C1 BH/C2 BH/M1 BH/M2 BH/P BH/C1/P BH/F FB "
    "FB/C1 FB/C2 FB/M1 "
    "FB/M2 FB/P AOB AOB/F KS KS/L+1 KS/L-2"
).split()


@pytest.mark.parametrize("text", OFFERED)
def test_c07_5_c07_14_every_code_a_program_must_offer_is_read_and_written_back(text: str) -> None:
    assert str(parse_code(text, PRESENT)) == text
    assert str(parse_code(text.lower(), PRESENT)) == text


def test_a_list_is_read_from_text_or_words_and_written_as_record_202_has_it() -> None:
    assert format_list(parse_list("bh/c1, BH ,SB,DE,WIN", PRESENT)) == ",".join(DEFAULT_LIST)
    assert parse_list("PTS,BH/C1", PRESENT) == parse_list(["BH/C1"], PRESENT)
    assert parse_list("PTS; bh-c1\nKS-L-1;;KS/L+1", PRESENT) == parse_list(
        "BH/C1,KS/L-1,KS/L+1", PRESENT
    )
    assert format_list(parse_list("BH C1, FB-C1-P, DE /P", PRESENT)) == "BH/C1,FB/C1/P,DE/P"
    assert parse_list("", PRESENT) == parse_list("PTS", PRESENT) == ()


@pytest.mark.parametrize(
    "text, code, sentence",
    [
        ("BH,XYZ", "tie_break.unknown", "There is no tie-break 'XYZ'; known: DE WIN WON"),
        ("BH,PTS", "tie_break.unknown", "There is no tie-break 'PTS'"),
        ("OTHER_ABC", "tie_break.unknown", "There is no tie-break 'OTHER_ABC'"),
        ("BH/C3", "tie_break.modifier", "'BH/C3'; BH has /C1, /C2, /M1, /M2, /P, /F."),
        ("BH/C1/M1", "tie_break.modifier", "'BH/C1/M1'"),
        ("BH/P/P", "tie_break.modifier", "'BH/P/P'"),
        ("WIN/C1", "tie_break.modifier", "'WIN/C1'; WIN has none."),
        ("KS/L", "tie_break.modifier", "'KS/L'; KS has /L+n or /L-n."),
        ("BH/L+1", "tie_break.modifier", "'BH/L+1'"),
        ("DE,BH,DE", "tie_break.twice", "DE stands twice in the list, at places 1 and 3"),
        (
            "BH/P/C1,BH/C1/P",
            "tie_break.twice",
            "BH/C1/P stands twice in the list, at places 1 and 2",
        ),
    ],
)
def test_an_impossible_list_is_refused_with_its_code(text: str, code: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_list(text, PRESENT)
    assert caught.value.code == code
    assert sentence in str(caught.value)


@pytest.mark.parametrize("text", ["STD", "TPN", "TPN/R", "RTNG", "AOB/F"])
def test_c07_2024_knows_no_code_of_a_later_text(text: str) -> None:
    with pytest.raises(InputError, match="came with a later text") as caught:
        parse_code(text, EDITIONS["fide-2024"])
    assert caught.value.code == "tie_break.not_in_edition"
    assert str(parse_code("AOB", EDITIONS["fide-2024"])) == "AOB"


@pytest.mark.parametrize(
    "text, least_is_best",
    [
        ("DE", True),
        ("TPN", True),
        ("TPN/R", False),
        ("RTNG", False),
        ("RTNG/R", True),
        ("BH", False),
    ],
)
def test_which_end_of_a_column_is_better(text: str, least_is_best: bool) -> None:
    assert parse_code(text, PRESENT).least_is_best is least_is_best


def test_the_edition_is_that_in_force_on_the_first_day() -> None:
    days = {
        "2026-03-01": "fide-2026",
        "2026-02-28": "fide-2024",
        "2023-10-01": "fide-2024",
        "": "fide-2026",
    }
    assert {day: edition_on(day).code for day in days} == days


def test_an_unknown_edition_is_refused_with_a_list_of_the_known_ones() -> None:
    with pytest.raises(InputError, match="known: fide-2026, fide-2024") as caught:
        edition_by_code("fide-1999")
    assert caught.value.code == "tie_break.edition_unknown"
