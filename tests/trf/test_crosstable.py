"""Comments of our own in a report: ratings, lots, expulsions and the edition;
and dates of matches.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.engine.model import TPN
from pairing.trf.abnormal import by_decision
from pairing.trf.crosstable import (
    ESTIMATE,
    NATIONAL_RATING,
    edition_remark,
    edition_remarks,
    expelled_players,
    expelled_remark,
    is_about_lots,
    is_edition_remark,
    is_expelled_remark,
    is_lots_remark,
    is_rating_remark,
    lots_remark,
    lots_seed,
    rating_remark,
    ratings,
    ratings_in_remarks,
)
from pairing.trf.document import TextRecord, TrfDocument
from pairing.trf.errors import TrfError
from pairing.trf.reader import read
from pairing.trf.writer import write
from tests.trf.reports import FOUR, report

SEED, OTHER_SEED = "5f3a91c0" * 4, "0" * 32
REMARKS = {
    is_rating_remark: rating_remark(TPN(3), 1450, ESTIMATE),
    is_lots_remark: lots_remark(SEED),
    is_expelled_remark: expelled_remark(TPN(2), 4),
    is_edition_remark: edition_remark("fide-2024"),
}


def with_remarks(*remarks: TextRecord) -> TrfDocument:
    """Return the report of four players with *remarks*, written and read again."""
    document = read(FOUR)
    return read(write(replace(document, records=(*document.records, *remarks))))


def test_each_comment_is_recognised_as_its_own_kind_only() -> None:
    plain = TextRecord("###", "Lots of fun")
    for recognises, own in REMARKS.items():
        assert [recognises(remark) for remark in REMARKS.values()] == [
            remark is own for remark in REMARKS.values()
        ]
        assert not recognises(plain)
        assert not recognises(replace(own, code="012"))


def test_comments_read_back_as_they_were_written() -> None:
    document = with_remarks(*REMARKS.values())
    assert ratings_in_remarks(document) == {(3, ESTIMATE): 1450}
    assert lots_seed(document) == SEED
    assert expelled_players(document) == {2: 4}
    assert edition_remarks(document) == [(11, "fide-2024")]
    nothing = read(FOUR)
    assert (ratings_in_remarks(nothing), lots_seed(nothing), expelled_players(nothing)) == (
        {},
        None,
        {},
    )


def test_c07_10_the_fide_rating_counts_before_a_national_one_and_that_before_a_comment() -> None:
    unrated = FOUR.replace("2000 FRA", "     FRA", 3)
    remarks = [rating_remark(TPN(tpn), 1450, NATIONAL_RATING) for tpn in (1, 2, 4)]
    remarks.append(rating_remark(TPN(1), 1460, NATIONAL_RATING))  # the first comment counts
    national = "FRA    2" + " " * 40 + "1874\n"
    document = read(unrated + national + report(*(f"### {remark.text}" for remark in remarks)))
    assert ratings(document) == {1: 1450, 2: 1874, 4: 2000}


def test_c07_4_2_two_draws_of_lots_with_different_seeds_are_refused() -> None:
    assert lots_seed(with_remarks(lots_remark(SEED), lots_remark(SEED))) == SEED
    with pytest.raises(TrfError) as caught:
        lots_seed(with_remarks(lots_remark(SEED), lots_remark(OTHER_SEED)))
    assert (caught.value.code, caught.value.line, caught.value.column) == ("trf.lots_twice", 9, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5f3a91",
        "ada@example.org",
        f"{SEED} ada@example.org",
        SEED.upper(),
        SEED + "0",
        "٣" * 32,
    ],
)
def test_c07_4_2_only_a_seed_as_this_program_draws_it_is_taken(text: str) -> None:
    remark = lots_remark(text)
    assert (is_about_lots(remark), is_lots_remark(remark)) == (True, False)
    assert lots_seed(with_remarks(remark)) is None
    assert lots_seed(with_remarks(remark, lots_remark(SEED))) == SEED


def test_points_for_all_results_of_a_kind_are_no_decision_about_a_player() -> None:
    document = read(
        FOUR
        + report(
            "299 W         2.0  000", "299          -1.0  001    1", "299 W         2.0  000    2"
        )
    )
    assert [line for line, _record in by_decision(document)] == [9, 10]
