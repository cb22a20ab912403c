"""What a picture is, read from its bytes; and files that only look like one."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from tests.tournaments.pictures import chunk, jpeg, png, webp
from tournaments.core.pictures import NoPictureError, read_picture

PICTURES = {
    "png": png(300, 120),
    "jpg": jpeg(300, 120),
    "webp": webp(300, 120),
    "webp without loss": webp(300, 120, kind="VP8L"),
    "webp with parts": webp(300, 120, kind="VP8X"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_says_its_kind_and_its_size(name: str) -> None:
    found = read_picture(PICTURES[name])
    assert (found.ending, found.width, found.height) == (name.split()[0], 300, 120)
    assert found.data == PICTURES[name]
    assert not found.moves


@pytest.mark.parametrize("name", PICTURES)
def test_what_somebody_puts_behind_a_picture_is_cut_off(name: str) -> None:
    for more in (b"<script>alert(1)</script>", b"PK\x03\x04 an archive", PICTURES["png"]):
        assert read_picture(PICTURES[name] + more).data == PICTURES[name]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_ends_too_early_is_none(name: str) -> None:
    data = PICTURES[name]
    for length in range(len(data)):
        with pytest.raises(NoPictureError):
            read_picture(data[:length])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"<html>",
        b"GIF89a\4\0\2\0",
        b"%PDF-1.7",
        b"\x89PNG\r\n\x1a\n<html>",
        b"\xff\xd8\xff<html>" + b" " * 80,
        b"RIFF\4\0\0\0WAVE",
        webp().replace(b"VP8 ", b"HTML"),
        png(0, 5),
        jpeg(5, 0),
        png().replace(b"IDAT", b"IDAX"),  # the checksum is another
        png()[:8] + chunk(b"IDAT") + chunk(b"IEND"),
        b"\xff\xd8" + b"\xff\xe0\xff\xff" + b"\0" * 80,
    ],
)
def test_another_file_is_no_picture(data: bytes) -> None:
    with pytest.raises(NoPictureError):
        read_picture(data)


def test_a_picture_that_moves_is_named() -> None:
    assert read_picture(png(more=chunk(b"acTL", b"\0" * 8))).moves
    assert read_picture(webp(kind="VP8X", moves=True)).moves


def test_damaged_bytes_are_refused_or_read_but_never_an_error_of_the_program() -> None:
    chance = random.Random(32)
    for data in PICTURES.values():
        for _ in range(300):
            damaged = bytearray(data)
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            with suppress(NoPictureError):
                assert len(read_picture(bytes(damaged)).data) <= len(data)
