"""Read documents are written back unchanged; built documents read back as they were built."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pairing.trf.document import TextRecord, TrfDocument
from pairing.trf.reader import read
from pairing.trf.writer import write
from tests.plugins.shared import shared_params
from tests.trf.reports import FOUR
from tests.trf.strategies import documents

LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
KEPT = st.one_of(
    st.just(""),
    st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=30).map(
        lambda text: "### " + text
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=30).map(
        lambda text: "ZZZ" + text
    ),
)


@pytest.mark.costly
@given(documents())
def test_a_document_that_was_built_reads_back_as_it_was_built(document: TrfDocument) -> None:
    text = write(document)
    again = read(text)
    assert again.records == document.records
    assert write(again) == text


@pytest.mark.costly
@given(documents(), st.data())
def test_any_text_that_is_read_is_written_back_byte_for_byte(
    document: TrfDocument, data: st.DataObject
) -> None:
    """Mixed line ends, blanks after lines, unknown lines, no end after the last line,
    a byte order mark.
    """
    lines = write(document).splitlines()
    for _ in range(data.draw(st.integers(0, 3))):
        lines.insert(data.draw(st.integers(0, len(lines))), data.draw(KEPT))
    text = data.draw(st.sampled_from(["", "\ufeff"]))
    for line in lines:
        text += line + " " * data.draw(st.integers(0, 3)) + data.draw(LINE_ENDS)
    text = text.removesuffix(data.draw(st.sampled_from(["", "\n"])))
    assert write(read(text)) == text
    assert write(read(text.encode())).encode() == text.encode()


@pytest.mark.parametrize(
    "path", shared_params("corpus/2026/*00.trf") + shared_params("golden/*.trf")
)
def test_files_of_other_programs_are_written_back_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    assert write(read(data)).encode() == data


@pytest.mark.slow
def test_all_files_of_other_programs_are_written_back_byte_for_byte(shared: Path) -> None:
    paths = [path for pattern in ("*.trf", "*.input") for path in shared.rglob(pattern)]
    assert len(paths) > 700
    for path in paths:
        data = path.read_bytes()
        assert write(read(data)).encode() == data, path


def test_only_changed_records_are_written_anew() -> None:
    text = FOUR.replace("152 W", "152 W   ").replace("\n", "\r\n")
    document = read(text)
    changed = [
        replace(record, rating=2222) if record in document.players[:1] else record
        for record in document.records
    ]
    written = write(replace(document, records=tuple(changed)))
    before, after = text.split("\r\n"), written.split("\r\n")
    assert len(before) == len(after)
    assert [
        index for index, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]
    ] == [3]
    assert after[3] == before[3].replace(" 2000 ", " 2222 ") + "  "


def test_a_record_after_a_last_line_without_an_end_gets_a_line_of_its_own() -> None:
    document = read(FOUR.rstrip("\n"))
    longer = replace(document, records=(*document.records, TextRecord("###", "added")))
    assert write(longer) == FOUR + "### added\n"
