"""Find the records of a TRF file that are kept but not used, and the private data in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from pairing.ratings.time_controls import read_time_control
from pairing.rules.kept_records import is_public_record, without_contact_data
from pairing.trf.crosstable import (
    is_about_lots,
    is_edition_remark,
    is_expelled_remark,
    is_lots_remark,
    is_national_id_remark,
    is_rating_remark,
)
from pairing.trf.dates import read_date
from pairing.trf.document import PlayerRecord, RoundDates, TextRecord, TrfDocument
from tournaments.core.errors import BadInput

USED_TEXTS: Final = frozenset(
    {"", "012", "022", "032", "042", "052", "102", "112", "122", "192", "202", "212"}
)
"""Text records that become fields of the tournament."""
DERIVED_TEXTS: Final = frozenset({"062", "072", "092", "182"})
"""Text records that an export computes again."""
SHOWN_TEXTS: Final = ("012", "022", "102", "112", "122")
"""Text records that everybody reads on the pages of the tournament."""

_LONGEST_TIME_CONTROL: Final = 60


def kept_records(document: TrfDocument) -> Iterator[tuple[int, str]]:
    """Yield number and line of the records of *document* that are kept but not used."""
    for number, record in enumerate(document.records, start=1):
        if record.source is not None and _is_kept(record):
            yield number, record.source.rstrip("\r\n")


def _is_kept(record: object) -> bool:
    if isinstance(record, TextRecord):
        if record.code in ("042", "052"):  # a date that cannot be read is kept unchanged
            return bool(record.text) and read_date(record.text).day is None
        if record.code == "222":
            return not is_time_control(record.text)
        is_ours = any(
            test(record)
            for test in (
                is_lots_remark,
                is_edition_remark,
                is_rating_remark,
                is_national_id_remark,
                is_expelled_remark,
            )
        )
        return record.code not in USED_TEXTS | DERIVED_TEXTS and not is_ours
    return isinstance(record, RoundDates)


def is_time_control(text: str) -> bool:
    """Return whether *text* of record 222 becomes the setting."""
    return len(text) <= _LONGEST_TIME_CONTROL and read_time_control(text) is not None


def privacy_remarks(document: TrfDocument) -> Iterator[BadInput]:
    """Yield a remark on records for arbiters only, and on addresses and numbers left out."""
    private = [
        (number, line[:3].strip())
        for number, line in kept_records(document)
        if not is_public_record(line)
    ]
    if private:
        codes = ", ".join(
            f"{code} ({times})"
            for code, times in Counter(code for _, code in private).most_common(8)
        )
        yield BadInput(
            "trf.kept_private", line=private[0][0], column=1, codes=codes, count=len(private)
        )
    for number, record in document.numbered(TextRecord):
        if is_about_lots(record) and not is_lots_remark(record):
            yield BadInput("trf.lots_no_seed", line=number, column=1)
        if record.code in SHOWN_TEXTS and without_contact_data(record.text) != record.text:
            yield BadInput("trf.contact_data", line=number, column=5, record=record.code)
    for number, player in document.numbered(PlayerRecord):
        if without_contact_data(player.name) != player.name:
            yield BadInput("trf.contact_data", line=number, column=15, record="001")
