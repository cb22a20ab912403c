"""Files in other encodings than UTF-8: which one is assumed; no file is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pairing.trf.encoding import Encoding, as_utf8, decoded

NAMES = "Léa Łukasz Žofia Őri 李"
WESTERN = "Léa Jürgen “Nuñez” Šimon €"


@pytest.mark.parametrize(
    "data, text, encoding",
    [
        (b"", "", Encoding.UTF_8),
        (b"Ann", "Ann", Encoding.UTF_8),
        (NAMES.encode(), NAMES, Encoding.UTF_8),
        (NAMES.encode("utf-8-sig"), "\ufeff" + NAMES, Encoding.UTF_8),
        (NAMES.encode("utf-16"), NAMES, Encoding.UTF_16),
        (b"\xfe\xff" + NAMES.encode("utf-16-be"), NAMES, Encoding.UTF_16),
        (b"\xff\xfe" + NAMES.encode("utf-16-le") + b"x", NAMES + "\ufffd", Encoding.UTF_16),
        (WESTERN.encode("cp1252"), WESTERN, Encoding.WINDOWS_1252),
        ("Léa Jürgen".encode("latin-1"), "Léa Jürgen", Encoding.LATIN_1),
        # Windows-1252 has no letter 0x81.
        (b"L\xe9a \x81\x80", "Léa \x81\x80", Encoding.LATIN_1),
    ],
)
def test_the_encoding_is_found(data: bytes, text: str, encoding: Encoding) -> None:
    assert decoded(data) == (text, encoding)


def test_an_encoding_without_proof_is_assumed() -> None:
    assert [encoding.name for encoding in Encoding if encoding.is_assumed] == ["WINDOWS_1252", "LATIN_1"]


@given(st.binary(max_size=200))
def test_no_file_is_refused_and_utf_8_stays_as_it_is(data: bytes) -> None:
    text, encoding = decoded(data)
    assert as_utf8(data).decode() == text
    if encoding is Encoding.UTF_8:
        assert as_utf8(data) == data
