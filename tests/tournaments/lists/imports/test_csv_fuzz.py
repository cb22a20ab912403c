"""Read or refuse any random entry list; a refusal names the place,
and no other exception is raised.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from tournaments.core.errors import BadInput
from tournaments.lists.imports.comparing import compare
from tournaments.lists.imports.reading import read_list

HEADERS = (
    "Name;Rating;Title;Fed;FIDE ID;Club;Sex;Birth",
    "Last name,First name,Rtg,Nat",
    "Nom\tPrénom\tElo\tNaissance\tSexe",
)
CELLS = st.one_of(
    st.sampled_from(
        ["", "Müller, Jo", '"a;b"', '"open', "2000", "+2000", "2000,0", "-1", "9" * 5_000, "٣", "1990", "1990-13-40",
         "31/12/1990", "0/0/0000", "GM", "gm ", "W", "FRA", "FR", "12345678", "0", "-", "—", "x" * 200, "\u2028", "\r"]
    ),
    st.text(max_size=12),
)  # fmt: skip
LINES = st.one_of(
    st.sampled_from(HEADERS),
    st.tuples(st.sampled_from(";,\t|"), st.lists(CELLS, max_size=9)).map(
        lambda parts: parts[0].join(parts[1])
    ),
)


def outcome(data: str | bytes) -> str:
    try:
        reading = read_list(data)
    except BadInput as refused:
        return sentence_of(refused)
    found = compare(reading, None)
    for problem in (
        *reading.remarks,
        *(problem for row in found.doubtful for problem in row.problems),
    ):
        sentence_of(problem)
    return "read" if found.new else "problems"


def sentence_of(problem: BadInput) -> str:
    """Return the sentence of *problem*: one line, shorter than the list."""
    sentence = str(problem)
    assert sentence
    assert "%(" not in sentence
    assert len(sentence) < 1_000
    assert problem.line is None or problem.line >= 1
    assert problem.column is None or problem.column >= 1
    return "refused"


@pytest.mark.costly
@settings(max_examples=500)
@given(st.sampled_from(HEADERS), st.lists(LINES, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_list_is_read_or_refused_with_its_place(
    header: str, lines: list[str], end: str
) -> None:
    outcome(end.join([header, *lines]))


@pytest.mark.costly
@settings(max_examples=300)
@given(
    st.sampled_from(HEADERS),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=6),
)
def test_changed_bytes_are_read_or_refused(header: str, changes: list[tuple[int, int]]) -> None:
    data = bytearray(
        (header + "\nA, B;2000;GM;FRA;1234;Club;m;1990\nC, D;1900;;GER;;;;\n").encode()
    )
    for place, byte in changes:
        data[place % len(data)] = byte
    outcome(bytes(data))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    outcome(data)


@pytest.mark.parametrize("header", HEADERS)
def test_a_very_long_number_does_not_crash(header: str) -> None:
    """Python itself refuses to read more than 4,300 digits."""
    cells = ["Name"] + ["9" * 5_000] * 3
    assert outcome(f"{header}\n{';'.join(cells)}\n{','.join(cells)}\n" + "\t".join(cells)) in (
        "problems",
        "refused",
    )
