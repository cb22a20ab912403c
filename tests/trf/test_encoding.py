"""Files in other encodings than UTF-8: which one is assumed; no file is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pairing.trf.encoding import Encoding, as_utf8, decoded

NAMES = "Léa Łukasz Žofia Őri 李"
CYRILLIC = "Прова Олег;1850;Москва\nДовга Марія;1712;КИЕВ\n"
GREEK = "Δοκιμή Άννα;1850\nΠαράδειγμα Νίκος;1712\n"
NORDIC = "Prøve Åge;Bergen;1850\nSøgård, Bjørn;Århus;1712\nÆrlig, Örjan;;1500\n"
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
        *(
            (CYRILLIC.encode(each.codec), CYRILLIC, each)
            for each in (Encoding.WINDOWS_1251, Encoding.KOI8)
        ),
        (CYRILLIC.encode("cp866", "replace"), CYRILLIC.replace("і", "?"), Encoding.DOS_866),
        (GREEK.encode("cp1253"), GREEK, Encoding.WINDOWS_1253),
        # Of DOS for western Europe and for the north, which differ in signs only.
        *((NORDIC.encode(codec), NORDIC, Encoding.DOS_850) for codec in ("cp850", "cp865")),
        ("Müller, Élise;Peña".encode("cp850"), "Müller, Élise;Peña", Encoding.DOS_850),
    ],
)
def test_the_encoding_is_found(data: bytes, text: str, encoding: Encoding) -> None:
    assert decoded(data) == (text, encoding)


def test_an_encoding_without_proof_is_assumed() -> None:
    assert [encoding.name for encoding in Encoding if not encoding.is_assumed] == [
        "UTF_8",
        "UTF_16",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "O’Neil, Máire;’t Hart, Jan;Smith–Jones",
        "“Bo” Birch;Zoë Šimek;5 € ———;Ann\xa0Álder",
        "Žofia Ångström;¡Olé!;Nuñez ½;Gruß",
        "ÉLODIE;ÀÉÈ test;çà et là;Łódź".replace("Ł", "L").replace("ź", "z"),
    ],
)
def test_western_letters_and_signs_stay_so(text: str) -> None:
    assert decoded(text.encode("cp1252")).text == text


@given(st.binary(max_size=200))
def test_no_file_is_refused_and_utf_8_stays_as_it_is(data: bytes) -> None:
    text, encoding = decoded(data)
    assert as_utf8(data).decode() == text
    if encoding is Encoding.UTF_8:
        assert as_utf8(data) == data
