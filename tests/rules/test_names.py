"""Folding names for searching, comparing and sorting."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pairing.rules.initial_order import Participant, initial_order
from pairing.rules.names import (
    as_shown,
    begins,
    fold,
    folded_parts,
    initials_of,
    is_same_name,
    namesakes,
    search_words,
    words_of,
)

IN_ORDER = [
    "de la Cruz, A",
    "Étienne, B",
    "Horváth, C",
    "Łukasiewicz, D",
    "Œuvrard, E",
    "Pólya, F",
    "Šimić, G",
]


@pytest.mark.parametrize(
    "name, plain",
    [
        ("Łukasiewicz, Jan", "lukasiewicz jan"),
        ("Weiß", "weiss"),
        ("WEISS", "weiss"),
        ("Þórsson", "thorsson"),
        ("O’Connor  Sean", "o'connor sean"),
        ("Ångström,Ä", "angstrom a"),
    ],
)
def test_a_name_is_folded(name, plain):
    assert fold(name) == plain
    assert fold(plain) == plain


def test_letters_that_are_no_letter_with_an_accent_have_a_plain_one() -> None:
    letters = ("ł", "ø", "đ", "ð", "þ", "æ", "œ", "ı", "ŋ", "’", "ʼ")
    plain = ("l", "o", "d", "d", "th", "ae", "oe", "i", "n", "'", "'")
    assert tuple(fold(f"a{letter}b") for letter in letters) == tuple(f"a{each}b" for each in plain)


@pytest.mark.parametrize(
    "cyrillic, latin",
    [
        ("Иванов, Иван", "Ivanov, Ivan"),
        ("Шевченко, Тарас", "Shevchenko, Taras"),
        ("Андрей Есипенко", "Andrey Esipenko"),
        ("Дмитрий Алексеев", "Dmitry Alexeev"),
        ("Щербань, В’ячеслав", "Shcherban, Viacheslav"),
        ("Яковенко, Згурський", "Yakovenko, Zghurskyi"),
    ],
)
def test_a_name_in_cyrillic_letters_is_that_in_latin_ones(cyrillic: str, latin: str) -> None:
    assert is_same_name(cyrillic, latin)
    assert not is_same_name(cyrillic, "Petrov, Petr")


def test_c04_2_2_2_3_names_of_all_languages_are_sorted_in_one_alphabet():
    players = [Participant(i, 0, "", name) for i, name in enumerate(reversed(IN_ORDER))]
    assert [player.name for player in initial_order(players)] == IN_ORDER
    assert all(fold(a) < fold(b) for a, b in pairwise(IN_ORDER))


def test_words_of_a_name_and_of_a_search() -> None:
    assert folded_parts("Łukasiewicz-Nowak, J") == ("lukasiewicz", "nowak", "j")
    assert words_of("O’Brien-Smith, D'") == ["obrien", "brien", "smith", "d"]
    assert words_of('O\'Brien "Mac" (Jr)') == ["obrien", "brien", "mac", "jr"]
    assert search_words("„mac“ [b] «c»") == ["mac", "b", "c"]
    assert search_words("O'Brien-Smith, D’") == ["obrien", "smith", "d"]
    assert begins(words_of("O'Brien, Seán"), search_words("sea bri"))
    assert begins(["a"], [])
    assert not begins(words_of("O'Brien, Sean"), ["rien"])
    assert not begins(words_of("O'Brien, Sean"), ["sean", "x"])


@pytest.mark.parametrize(
    "name, typed",
    [
        ("Müller, Jörg", "mueller joerg"),
        ("Müller, Jörg", "muller jorg"),
        ("Mu\N{COMBINING DIAERESIS}ller", "mueller"),
        ("Mueller", "Müller"),
        ("Mueller", "mueller"),
        ("Sørensen, Åse", "soerensen aase"),
        ("Aasen", "Åsen"),
        ("Jägermann", "jaegermann"),
        ("Jaegermann", "jägermann"),
        ("Goethe", "goethe"),
        ("Ben\N{HEBREW PUNCTUATION MAQAF}Gurion", "ben-gurion"),
        ("Ben-Gurion", "ben\N{HEBREW PUNCTUATION MAQAF}gurion"),
        ("Lloyd\N{EN DASH}Jones", "lloyd-jones"),
    ],
)
def test_a_search_finds_the_other_spelling_and_the_other_hyphen(name: str, typed: str) -> None:
    assert begins(words_of(name), search_words(typed))


def test_only_hyphens_quotation_marks_and_brackets_divide_a_word_that_is_searched() -> None:
    for between in (
        "-",
        "\N{HYPHEN}",
        "\N{EN DASH}",
        "\N{HEBREW PUNCTUATION MAQAF}",
        *'"“”„«»()[]',
    ):
        assert (
            search_words(f"Lloyd{between}Jones")
            == words_of(f"Lloyd{between}Jones")
            == ["lloyd", "jones"]
        )
    assert search_words("Lloyd?Jones") == ["lloyd?jones"]


def test_two_spellings_do_not_find_more_names_and_the_order_stays() -> None:
    assert not begins(words_of("Jones"), search_words("joe"))
    assert not begins(words_of("Susan"), search_words("sue"))
    assert fold("Müller") == "muller"
    assert words_of("Müller") == ["muller", "mueller"]


@pytest.mark.parametrize(
    "name, initials",
    [
        ("Andersson, David", "A. D."),
        ("van der Berg, Jan Piet", "B. J."),
        ("o'neill smith, x", "O. X."),
        ("David Åke Andersson", "D. A."),
        ("David Andersson", "D. A."),
        ("Andersson", "A."),
        ("(Berg), 'Jan'", "B. J."),
        ("Berg, 7", "B."),
        (", Jan", "J."),
        ("12, 7", "–"),
        ("", "–"),
    ],
)
def test_initials_give_nobody_away(name: str, initials: str) -> None:
    assert initials_of(name) == initials


def test_a_published_name_stays_unless_the_player_has_initials_today() -> None:
    assert as_shown("Berg, Jan", "Berg, Piet") == "Berg, Jan"
    assert as_shown("Berg, Jan", "B. J.") == "B. J."
    assert as_shown("Berg, Jan", "B. K.") == "Berg, Jan"


def test_only_equal_names_are_namesakes_however_they_are_written() -> None:
    assert namesakes({1: "Ng, X", 2: "Müller, J", 3: "MULLER J.", 4: "ng x", 5: "Muller, J."}) == {
        1,
        3,
        4,
        5,
    }
    assert namesakes({1: "Ng, X"}) == frozenset()
