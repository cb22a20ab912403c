"""The code of a round: the same boards come out, and nothing else is taken for a code."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from pairing.record import round_code
from pairing.record.round_code import BYE_KINDS, RoundCode
from tests.record import round_code_reading

NUMBERS = st.integers(1, 9_999)


@st.composite
def codes(draw: st.DrawFn) -> RoundCode:
    first = draw(st.integers(1, 5_000))
    boards = draw(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=round_code.MOST_BOARDS))
    parts = draw(st.integers(1, round_code.MOST_CODES))
    moved = (
        draw(st.lists(st.sampled_from(range(len(boards))), unique=True, max_size=5))
        if boards
        else []
    )
    return RoundCode(
        event=draw(st.text("0123456789abcdef", min_size=4, max_size=4)),
        round_number=draw(st.integers(1, 99)),
        version=draw(st.integers(1, 63)),
        published=draw(st.integers(0, 2**32 - 1)),
        numbers=draw(st.integers(0, 2**32 - 1)),
        part=draw(st.integers(1, parts)),
        parts=parts,
        first_board=first,
        boards=tuple(boards),
        byes=tuple(draw(st.lists(st.tuples(NUMBERS, st.sampled_from(BYE_KINDS)), max_size=30))),
        tables=tuple((first + place, draw(st.integers(1, 8_000))) for place in moved),
    )


def test_a_code_is_signed_for_its_tournament_only() -> None:
    assert round_code.message("5eed", b"\x01\xff") == "round-code 5eed 01ff"
    assert round_code.message("5eed", b"\x01\xff") != round_code.message("5eee", b"\x01\xff")


@pytest.mark.costly
@given(codes())
def test_the_same_round_comes_out(code: RoundCode) -> None:
    assert round_code_reading.unpack(round_code.pack(code)) == code


@given(st.binary(max_size=400))
def test_the_same_bytes_come_out_of_the_digits(content: bytes) -> None:
    digits = round_code.to_digits(content)
    assert digits.isdecimal() or not content
    assert not content or round_code_reading.from_digits(digits) == content


@pytest.mark.costly
@given(st.binary(max_size=60))
def test_other_bytes_are_refused_or_are_a_code(content: bytes) -> None:
    try:
        code = round_code_reading.unpack(content)
    except ValueError:
        return
    assert round_code_reading.unpack(round_code.pack(code)) == code


def test_what_is_cut_off_or_too_large_is_refused() -> None:
    code = RoundCode(
        "00ff",
        7,
        1,
        1_790_000_000,
        5,
        1,
        2,
        1,
        ((1, 300), (2, 299)),
        ((17, "U"), (4, "Z")),
        ((2, 9),),
    )
    packed = round_code.pack(code)
    for wrong in (packed[:-1], packed + b"\0", b"\xf0" + packed[1:], b""):
        with pytest.raises(ValueError, match="code"):
            round_code_reading.unpack(wrong)
    for wrong_digits in ("", "12a", "²", "99999999999999999", "1"):
        with pytest.raises(ValueError, match=r"."):
            round_code_reading.from_digits(wrong_digits)
    for wrong_code in (
        replace(code, round_number=128),
        replace(code, part=65),
        replace(code, published=-1),
    ):
        with pytest.raises(ValueError, match="no room"):
            round_code.pack(wrong_code)
    assert round_code_reading.unpack(round_code.pack(replace(code, version=80))).version == 63


def test_boards_are_shared_equally() -> None:
    assert round_code.shares(0) == [range(0)]
    assert round_code.shares(150) == [range(75), range(75, 150)]
    assert [len(share) for share in round_code.shares(100)] == [100]
    assert [len(share) for share in round_code.shares(2_500)] == [100] * 25


def test_the_mark_is_fnv_1a_of_the_numbers_in_order() -> None:
    assert round_code.numbers_mark([]) == 0x811C9DC5
    assert round_code.numbers_mark([(2, 1), (1, 2)]) == round_code.numbers_mark([(1, 2), (2, 1)])
    assert round_code.numbers_mark([(1, 1), (2, 2)]) != round_code.numbers_mark([(1, 2), (2, 1)])
    assert round_code.numbers_mark([(1, 2)]) == 0x87DB3401
