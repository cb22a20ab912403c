"""Fold names to search, compare and sort them, and repair their letters; all code uses this.

The search of result entry in ``static/js/results.js`` does the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Final, TypeVar

Key = TypeVar("Key", bound=Hashable)

# Letters that Unicode does not decompose into a plain letter and an accent, and the apostrophes
# that phones use.
_PLAIN: Final = str.maketrans(
    {
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ŋ": "n",
        "’": "'",
        "ʼ": "'",
    }
)
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_TWO_LETTERS: Final = re.compile("[aou]e|aa")
_DJ: Final = {ord("đ"): "dj", ord("Đ"): "dj"}
_APOSTROPHES: Final = dict.fromkeys(map(ord, "'’‘ʼ`´′"))
_BETWEEN_WORDS: Final = dict.fromkeys(
    map(ord, '-\N{HYPHEN}\N{EN DASH}\N{HEBREW PUNCTUATION MAQAF}"“”„«»()[]'), " "
)
"""What a search reads as a space: hyphens, quotation marks, brackets."""
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
# fmt: off
_RUSSIAN: Final = str.maketrans({
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z",
    "и": "i", "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r",
    "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh",
    "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
})
_UKRAINIAN: Final = _RUSSIAN | str.maketrans({
    "г": "h", "ґ": "g", "є": "ie", "и": "y", "і": "i", "ї": "i", "й": "i", "ю": "iu", "я": "ia",
})
# fmt: on
_AT_THE_BEGINNING: Final = {"є": "ye", "ї": "yi", "й": "y", "ю": "yu", "я": "ya"}
_FIRST_BYTE: Final = "[\xc2-\xd1]"
"""The first of the two bytes of a Latin, Greek or Cyrillic letter, as Windows-1252 reads it."""
_AT_END: Final = re.compile(rf"(?<=[a-z]{_FIRST_BYTE})(?=[\s,;|]|$)(?!\xa0)(?! [a-z])")
_BEFORE_SMALL: Final = re.compile(rf"(?<={_FIRST_BYTE}) (?=[a-z])")


@lru_cache(maxsize=16_000)
def fold(text: str) -> str:
    """Return *text* in lower case without accents, commas as spaces: ``Łuk, J`` is ``luk j``."""
    if not text.isascii():
        text = "".join(
            c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)
        )
    return " ".join(text.casefold().translate(_PLAIN).replace(",", " ").split())


def namesakes(names: Mapping[Key, str]) -> frozenset[Key]:
    """Return the keys of *names* whose name another key has too, however it is written."""
    folded = {key: fold(name) for key, name in names.items()}
    times = Counter(folded.values())
    return frozenset(key for key, name in folded.items() if times[name] > 1)


def written(name: str) -> tuple[str, ...]:
    """Return the ways in which lists write one *name*, folded:
    Müller is also Mueller, as FIDE's own list has it.

    Đorđević is also Djordjevic, and Шевченко Shevchenko. Hyphens are spaces, and apostrophes are
    left out: Smith-Jones, O'Neil.
    """
    name = name.translate(_APOSTROPHES)
    ways = (fold(name), fold(_as_two_letters(name)), fold(name.translate(_DJ)), *_in_latin(name))
    return tuple(dict.fromkeys(" ".join(way.translate(_BETWEEN_WORDS).split()) for way in ways))


def _in_latin(name: str) -> list[str]:
    """Return a *name* in Cyrillic letters in Latin ones, folded: as FIDE writes Russian names, with
    x too, and as Ukrainian passports do. Other names give nothing.
    """
    if not _CYRILLIC.search(name):
        return []
    small = unicodedata.normalize("NFC", name).lower()
    russian = re.sub(r"[иы]й\b", "y", small).translate(_RUSSIAN)
    first = re.sub(r"\b[єїйюя]", lambda letter: _AT_THE_BEGINNING[letter[0]], small)
    ukrainian = first.replace("зг", "zgh").translate(_UKRAINIAN)
    return [fold(way) for way in (russian, russian.replace("ks", "x"), ukrainian)]


def is_same_name(one: str, other: str) -> bool:
    """Return whether two names are one, with accents and letters as FIDE writes them left out."""
    return not set(written(one)).isdisjoint(written(other))


def in_any_order(name: str) -> tuple[str, ...]:
    """Return :func:`written` *name* with its words in the order of the alphabet."""
    return tuple(" ".join(sorted(way.split())) for way in written(name))


def spellings(text: str) -> list[str]:
    """Return the ways to write *text* in a search, folded: Müller has "muller" and "mueller".

    Mueller has both too, because the list and the reader may each write it the other way; so have
    Đorđević and Djordjevic. Hyphens, quotation marks and brackets are spaces.
    """
    plain = fold(text).translate(_BETWEEN_WORDS)
    as_two = (_as_two_letters(text), text.translate(_DJ))
    two_letters = () if text.isascii() else tuple(fold(t).translate(_BETWEEN_WORDS) for t in as_two)
    as_one = (_TWO_LETTERS.sub(lambda two: two[0][0], plain), plain.replace("dj", "d"))
    return list(dict.fromkeys((plain, *two_letters, *as_one)))


def _as_two_letters(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower().translate(_UMLAUTS)


def words_of(text: str) -> list[str]:
    """Return the words of *text* for searching, without apostrophes;
    O'Brien has "obrien", and "brien" too.

    A word with an umlaut is there with both spellings (:func:`spellings`).
    """
    words = [word for spelling in spellings(text) for word in spelling.split()]
    parts = [
        part for word in words for part in (word.replace("'", ""), *word.split("'")[1:]) if part
    ]
    return list(dict.fromkeys(parts))


@lru_cache(maxsize=16_000)
def folded_parts(text: str) -> tuple[str, ...]:
    """Return :func:`words_of` *text*, kept for the next search."""
    return tuple(words_of(text))


def search_words(text: str) -> list[str]:
    """Return the folded words that somebody typed to search, without apostrophes."""
    return fold(text).translate(_BETWEEN_WORDS).replace("'", "").split()


def begins(words: Collection[str], wanted: Iterable[str]) -> bool:
    """Return whether each of *wanted* (:func:`search_words`) begins one of *words*."""
    for begin in wanted:  # A list of 300 players asks this 300 times for each search.
        for word in words:
            if word.startswith(begin):
                break
        else:
            return False
    return True


def repaired(text: str) -> str:
    """Return what *text* was before its UTF-8 was read as Windows-1252: ``JÃ¶rg`` gives Jörg;
    empty if it was not.

    Blanks instead of no-break spaces, which tables lose, are put back.
    """
    if text.isascii():
        return ""
    for tried in (text, _with_lost(text)):
        try:
            meant = b"".join(map(_byte, tried)).decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
        if len(meant) <= len(text) and meant != text and meant.isprintable():
            return meant
    return ""


def all_repaired(text: str) -> str:
    """Return the *text* of a whole list with each word :func:`repaired` that needs it."""
    return re.sub(r"[^\x00-\x7f]+", lambda run: repaired(run[0]) or run[0], _with_lost(text))


def _with_lost(text: str) -> str:
    """Return *text* with the no-break spaces that were the second byte
    of a letter and became blanks, or were lost.

    JOÃO and GRÅ ANNA are names: only a small letter after the blank, or one before the letter that
    ends the word, shows that it was a letter itself.
    """
    text = _AT_END.sub("\xa0", text)
    return _BEFORE_SMALL.sub("\xa0", text)


def _byte(letter: str) -> bytes:
    try:
        return letter.encode("cp1252")
    except UnicodeEncodeError:
        return letter.encode("latin-1")  # five bytes have no sign in Windows-1252


def initials_of(name: str) -> str:
    """Return the initials for lists of a player who does not want the name there:
    ``Andersson, David`` gives ``A. D.``.

    The last name comes first, as in every list. One letter of each: of double names, particles and
    further names nothing is left, because they would give the player away. Without a comma they are
    those of the first and the last word, in the order as written; a name of one word has one. ``–``
    if there is no letter.
    """
    last, comma, first = name.partition(",")
    words = last.split()
    # "van der Berg": the part that is written with a capital is the name.
    capital = [word for word in words if word[:1].isupper()] or words
    parts = [capital, first.split()] if comma else [words[:1], words[1:][-1:]]
    letters = [
        next((letter for letter in part[0] if letter.isalpha()), "") for part in parts if part
    ]
    return " ".join(f"{letter.upper()}." for letter in letters if letter) or "–"


def as_shown(published: str, today: str) -> str:
    """Return a name as everybody may read it: *published*, or *today* if that is its initials."""
    return today if today == initials_of(published) else published
