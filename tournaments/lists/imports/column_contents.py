"""Find out by the cells what a column of a list contains."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from statistics import StatisticsError, correlation
from typing import Final

from django.utils import timezone

from pairing.rules.federations import FEDERATIONS
from tournaments.core.birth_dates import FIRST_YEAR, birth_date_of
from tournaments.core.cell_texts import plain, says_nothing
from tournaments.core.errors import BadInput
from tournaments.entries.cells import SEXES, TITLES

MOST: Final = 0.7
"""The part of the cells that must look like a value, so that a column is taken for it."""
_FAR: Final = 400
"""Two ratings of one player seldom differ by so much; a rating and a year of birth often do."""
_MANY: Final = 12
"""Players from which on a column can show that it does not rise with the ratings."""
_RISE: Final = 0.2
"""The correlation from which on two columns rise together."""
_YOUNGEST: Final = 3
"""No player is younger, in years."""
_RATING: Final = re.compile(r"([0-9]{3,4})(?:[.,]0+)?\s*[FNEfne]?")
_MIDNIGHT: Final = re.compile(r"(?:T|\s+)0{1,2}[:.h]00(?:[:.]00(?:[.,]0+)?)?Z?$")
_WITH_TIME: Final = re.compile(r"[0-9](?:T|\s+)[0-9]{1,2}[:.h][0-9]{2}")

Samples = Mapping[int, Sequence[str]]
"""The cells at the top of each column, by its number from 0,
without those that say nothing (:func:`samples_of`).
"""


def samples_of(rows: Sequence[Sequence[str]], width: int) -> Samples:
    """Return the cells of each of *width* columns that say something."""
    return {
        number: [
            cell
            for cells in rows
            if number < len(cells) and not says_nothing(cell := cells[number])
        ]
        for number in range(width)
    }


def is_mostly(looks_like: Callable[[str], bool], cells: Sequence[str], most: float = MOST) -> bool:
    """Return whether most of *cells* look like a value; False without cells."""
    return bool(cells) and sum(map(looks_like, cells)) >= most * len(cells)


def _is_federation(cell: str) -> bool:
    return cell in FEDERATIONS


def _is_k(cell: str) -> bool:
    return cell in ("10", "15", "20", "30", "40")


def _is_title(cell: str) -> bool:
    return len(cell) > 1 and plain(cell) in TITLES


def _is_sex(cell: str) -> bool:
    return plain(cell) in SEXES


def _is_birth(cell: str) -> bool:
    """Return whether *cell* can be a date of birth: no time of entry, no recent date."""
    if _WITH_TIME.search(cell) and not _MIDNIGHT.search(cell):
        return False
    try:
        born = birth_date_of(cell, "birth_date")
        return bool(born) and int(born[:4]) <= timezone.localdate().year - _YOUNGEST
    except BadInput as problem:
        return problem.code == "csv.birth_century"


def is_year(cell: str) -> bool:
    """Return whether *cell* can be the year of birth of somebody who lives."""
    return (
        re.fullmatch("[0-9]{4}", cell) is not None
        and FIRST_YEAR <= int(cell) <= timezone.localdate().year
    )


def _is_rating(cell: str) -> bool:
    number = _RATING.fullmatch(cell)
    return number is not None and 800 <= int(number[1]) <= 2900


def is_fide_id(cell: str) -> bool:
    """Return whether *cell* looks like a FIDE ID: five to nine digits."""
    return re.fullmatch("[1-9][0-9]{4,8}", cell) is not None


def is_long_id(cell: str) -> bool:
    """Return whether *cell* has as many digits as FIDE IDs: other numbers have fewer."""
    return re.fullmatch("[1-9][0-9]{5,8}", cell) is not None


def is_low_number(cell: str) -> bool:
    """Return whether *cell* can be a rating: numbers of members are seldom so short."""
    return (
        re.fullmatch(r"(?:[1-9][0-9]{2}|[12][0-9]{3})(?:\s*[Pp/]\s*[0-9]{1,2}|\*)?", cell)
        is not None
    )


def are_sexes(cells: Sequence[str]) -> bool:
    """Return whether all cells are letters of the sexes: M and F alone are seldom IM and FM."""
    letters = {plain(cell) for cell in cells}
    return bool(letters) and letters <= {"m", "f", "w", "h", "k", "v", "d", "x"}


def is_rating_type(cell: str) -> bool:
    """Return whether *cell* is a letter that says whose a rating is."""
    return cell in ("F", "N", "E")


def _is_words(cell: str) -> bool:
    return len(cell) > 1 and re.search(r"[0-9@]", cell) is None


def is_full_name(cell: str) -> bool:
    """Return whether *cell* can be a whole name."""
    return _is_words(cell) and (" " in cell or "," in cell)


LOOKS_LIKE: Final[Mapping[str, Callable[[str], bool]]] = {
    "federation": _is_federation,
    "title": _is_title,
    "k_factor": _is_k,
    "sex": _is_sex,
    "birth_date": _is_birth,
    "fide_rating": _is_rating,
    "national_rating": _is_rating,
    "rating": _is_rating,
    "fide_id": is_fide_id,
}


def looks_like(kind: str, cells: Sequence[str]) -> bool:
    """Return whether *cells* look like a column of *kind*; True for a kind without a look."""
    return kind not in LOOKS_LIKE or is_mostly(LOOKS_LIKE[kind], cells)


def find_words(samples: Samples, places: dict[str, int]) -> None:
    """Add to *places* the federation and the title, which may have an unknown heading."""
    for name in ("federation", "title"):
        for number, cells in samples.items():
            if (
                name not in places
                and number not in places.values()
                and is_mostly(LOOKS_LIKE[name], cells)
            ):
                places[name] = number


def find_numbers(
    samples: Samples, rows: Sequence[Sequence[str]], places: dict[str, int]
) -> dict[int, tuple[str, str]]:
    """Add to *places* what columns without a heading contain;
    return the columns to ask about, with two fields each.

    Numbers from 1920 to this year can be years of birth and ratings. Another column decides: if it
    has ratings that cannot be of the same kind, these are years, and if it has dates of birth,
    these are ratings. If nothing decides, it is not known either whose the ratings beside are.
    """
    free = {number: cells for number, cells in samples.items() if number not in places.values()}
    years = [number for number, cells in free.items() if is_mostly(is_year, cells)]
    for name in ("sex", "birth_date", "fide_id"):
        for number, cells in free.items():
            is_fitting = (
                is_mostly(is_long_id, cells) if name == "fide_id" else looks_like(name, cells)
            )
            if name not in places and number not in (*places.values(), *years) and is_fitting:
                places[name] = number
    ratings = [
        number
        for number, cells in free.items()
        if number not in (*places.values(), *years) and is_mostly(_is_rating, cells)
    ]
    years, ratings = _settled(free, rows, years, ratings, places)
    if years:
        questions = dict.fromkeys(years, ("fide_rating", "birth_date"))
        return questions | dict.fromkeys(ratings, ("fide_rating", "national_rating"))
    wanted = [name for name in ("fide_rating", "national_rating") if name not in places]
    places.update(zip(wanted, ratings, strict=False))
    return {}


def _settled(
    free: Samples,
    rows: Sequence[Sequence[str]],
    years: list[int],
    ratings: list[int],
    places: dict[str, int],
) -> tuple[list[int], list[int]]:
    """Return the columns whose numbers stay undecided, and those of ratings in order."""
    for born in years if "birth_date" not in places else ():
        # FIDE's search: standard, rapid and blitz, then the year. Rapid and blitz are another rate
        # of play.
        before = [born - 3, born - 2, born - 1]
        if all(each in free and _is_number(free[each]) for each in before) and any(
            each in ratings for each in before
        ):
            places["birth_date"] = born
            return [], [born - 3]
    if "birth_date" in places:
        return [], sorted(ratings + years)
    known = [
        *ratings,
        *(places[name] for name in ("fide_rating", "national_rating") if name in places),
    ]
    is_alone = len(years) == 1 and bool(known) and all(map(_is_birth, free[years[0]]))
    if is_alone and not any(_can_be_ratings(rows, years[0], each) for each in known):
        places["birth_date"] = years[0]
        return [], ratings
    return years, ratings


def _is_number(cells: Sequence[str]) -> bool:
    return is_mostly(_is_rating, cells)


def _can_be_ratings(rows: Sequence[Sequence[str]], years: int, ratings: int) -> bool:
    """Return whether the column *years* can be ratings of those with *ratings* too.

    Two ratings of one player are seldom far apart, and in a long list they rise together. A child
    of seven seldom has a rating of 1500.
    """
    pairs = [
        (int(cells[years]), int(found[1]))
        for cells in rows
        if max(years, ratings) < len(cells)
        and is_year(cells[years])
        and (found := _RATING.fullmatch(cells[ratings])) is not None
    ]
    if any(timezone.localdate().year - year < 8 and rating >= 1500 for year, rating in pairs):
        return True
    far = sum(abs(year - rating) >= _FAR for year, rating in pairs)
    if not pairs or far * 4 >= len(pairs):
        return False
    if len(pairs) < _MANY:
        return True
    try:
        return correlation(*zip(*pairs, strict=True)) > _RISE
    except StatisticsError:  # a column with one number only
        return True


def find_names(samples: Samples, places: dict[str, int], *, has_header: bool) -> None:
    """Add the column with names: the first one of letters, with the next if it is short.

    *has_header*: the headings are in an unknown language, so the names must be in the only column
    that can have them.
    """
    words = [
        number
        for number, cells in samples.items()
        if number not in places.values() and is_mostly(_is_words, cells)
    ]
    if has_header:
        full = [number for number in words if is_mostly(is_full_name, samples[number])]
        with_comma = [
            number for number in full if is_mostly(lambda cell: "," in cell, samples[number])
        ]
        words = with_comma if len(with_comma) == 1 else full if len(full) == 1 else words
        if len(words) == 1:
            places["name"] = words[0]
    elif words:
        first = words[0]
        if (
            not is_mostly(lambda cell: " " in cell or "," in cell, samples[first])
            and first + 1 in words
        ):
            places["last_name"], places["first_name"] = first, first + 1
        else:
            places["name"] = first
