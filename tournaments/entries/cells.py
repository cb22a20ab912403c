"""Check a participant's data as typed: a row becomes a participant, or has problems.

Nothing here uses the database. Every problem has its field and the expected value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from pairing.record.player_fields import TEXTS, Texts
from pairing.rules.federations import FEDERATIONS
from pairing.rules.names import repaired
from tournaments.core.amounts import amount_of
from tournaments.core.birth_dates import birth_date_of
from tournaments.core.cell_texts import (
    plain,
    says_nothing,
    shortened,
    unquoted,
    without_formula,
    without_quotes,
)
from tournaments.core.errors import BadInput
from tournaments.entries.federations import read_as, suggested
from tournaments.models import DeskData, Entry

MAX_RATING: Final = 4_000
LOWEST: Final = {"fide_rating": 1_000, "national_rating": 100}
"""The lowest floor that FIDE's ratings ever had, and that of US Chess."""
MAX_K: Final = 40
MAX_LIST_GAMES: Final = 999
MIN_FIDE_ID: Final = 10_000
MAX_FIDE_ID: Final = 99_999_999_999

TITLES: Final = {
    **{title.lower(): title for title in ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")},
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
    "gmi": "GM",
    "mi": "IM",
    "mf": "FM",
    "gmf": "WGM",
    "mif": "WIM",
    "mff": "WFM",
    "cmf": "WCM",
    "mc": "CM",
}
SEXES: Final = {
    **dict.fromkeys(
        (
            "m", "h", "male", "man", "mr", "boy", "homme", "masculin", "monsieur", "garcon", "mannlich", "herr",
            "hombre", "masculino", "uomo", "maschio", "maschile", "mannelijk", "heer", "homem", "mezczyzna", "sr",
        ),
        "m",
    ),
    **dict.fromkeys(
        (
            "w", "f", "k", "female", "woman", "ms", "mrs", "girl", "femme", "feminin", "madame", "mme", "fille",
            "weiblich", "frau", "mujer", "femenino", "femenina", "donna", "femmina", "femminile", "vrouw",
            "vrouwelijk", "mulher", "feminino", "feminina", "kobieta", "sra", "z", "zena",
        ),
        "w",
    ),
}  # fmt: skip
"""Letters and words in eight languages; :func:`tournaments.lists.imports.column_values.sexes_of`
tells "M" in "H/M".
"""
LENGTHS: Final = {"name": 120, "phone": 40, "note": 500, "national_id": 20} | {
    name: Entry._meta.get_field(name).max_length or 0  # type: ignore[union-attr]
    for name in TEXTS
}
MOST_CENTS: Final = 10_000_000
"""The largest fee, in cents."""


@dataclass(frozen=True, slots=True)
class ImportRow(Texts):
    """One participant from a file; ``line`` is its line."""

    line: int
    name: str
    fide_id: int | None = None
    federation: str = ""
    sex: str = ""
    title: str = ""
    birth_date: str = ""
    initials: bool = False
    """The player wants to be shown with initials."""
    fide_rating: int | None = None
    national_rating: int | None = None
    estimate: int | None = None
    """The rating that a federation or an arbiter estimates for an unrated player."""
    section: str = ""
    """The section of an event that the list names, as it is written there."""
    phone: str = ""
    fee_paid: int | None = None
    """In cents. Phone number and paid fee are for the check-in desk only."""
    paid_in_full: bool = False
    """The list says that the fee is paid, and no amount."""
    note: str = ""
    """A remark of the list, for the check-in desk only."""
    national_id: str = ""
    women_title: str = ""
    k_factor: int | None = None
    list_games: int | None = None


FIGURES: Final = ("women_title", "k_factor", "list_games")
"""What a rating list has besides rating and highest title."""
FIELDS: Final = (
    "name", "last_name", "first_name", "fide_rating", "national_rating", "title", *FIGURES, "federation", "fide_id",
    "national_id", "sex", "birth_date", *TEXTS, "initials", "phone", "fee_paid", "note", "rating_type",
)  # fmt: skip
"""What a column can contain.

``rating_type`` is the letter that :func:`read_row` wants behind the rating.
"""
VALUES: Final = tuple(
    name for name in FIELDS if name not in ("last_name", "first_name", "rating_type")
)
"""What a row contains, once the name and the rating are put together; a row that waits keeps it."""


def read_row(
    values: Mapping[str, str], *, line: int = 0, accepted: bool = False
) -> tuple[ImportRow | None, list[BadInput]]:
    """Return the participant with *values*, or None and the problems with their fields.

    *values* has texts by :data:`FIELDS`, without blanks around them. *accepted*: the arbiter has
    confirmed what is unusual and possible: a code of a federation that is not on FIDE's list, a
    very low rating, letters such as Ã.
    """
    problems = []
    clean_values: dict[str, object] = {}
    values = {name: without_formula(text) for name, text in values.items()}
    for name, clean in (*_CLEANERS.items(), *OF_THE_DESK.items()):
        text = values.get(name, "")
        try:
            clean_values[name] = clean(text, name)
        except BadInput as problem:
            if accepted and problem.code == "csv.federation_new":
                clean_values[name] = text.upper()
                continue
            problem.field = name
            problems.append(problem)
    _sort_ratings(clean_values, {name: values.get(name, "")[-1:].upper() for name in LOWEST})
    name = full_name(values)
    name_field = "last_name" if "last_name" in values else "name"
    problems += _name_problems(name, name_field)
    if not accepted:
        problems += _unusual(
            clean_values, {each: values.get(each, "") for each in TEXTS} | {name_field: name}
        )
    if problems:
        return None, problems
    # Each cleaner gives the type of its field.
    more = {
        "section": values.get("section", ""),
        "paid_in_full": _is_paid_in_full(values.get("fee_paid", "")),
    }
    return ImportRow(line=line, name=name, **more, **clean_values), []  # type: ignore[arg-type]


def _name_problems(name: str, name_field: str) -> list[BadInput]:
    problems = []
    if not name:
        problems.append(BadInput("csv.name_missing", field=name_field))
    elif len(name) > LENGTHS["name"]:
        problems.append(
            BadInput("csv.too_long", field=name_field, value=shortened(name), limit=LENGTHS["name"])
        )
    elif not any(letter.isalpha() for letter in name):
        problems.append(
            BadInput("csv.name_without_letters", field=name_field, value=shortened(name))
        )
    elif not name.isprintable():
        problems.append(BadInput("csv.unprintable", field=name_field, value=ascii(shortened(name))))
    return problems


def _unusual(values: Mapping[str, object], words: Mapping[str, str]) -> list[BadInput]:
    """Return the problems that an arbiter can set aside:
    very low ratings, and letters whose UTF-8 was read twice.
    """
    problems = []
    for name, low in LOWEST.items():
        rating = values.get(name)
        if isinstance(rating, int) and rating < low:
            problems.append(
                BadInput(
                    "csv.rating_low", field=name, value=rating, low=low, field_name=label(name)
                )
            )
    for name, text in words.items():
        if meant := repaired(text):
            problems.append(
                BadInput(
                    "csv.letters_doubled", field=name, value=shortened(text), meant=shortened(meant)
                )
            )
    return problems


def full_name(values: Mapping[str, str]) -> str:
    """Return the name in *values*: one text, or last and first name with a comma.

    A blank follows each comma.
    """
    if "last_name" in values:
        parts = (unquoted(values["last_name"]), unquoted(values.get("first_name", "")))
        return ", ".join(part for part in parts if part)
    return re.sub(r"\s*,(?=\S)", ", ", unquoted(values.get("name", "")))


def fields_of(row: ImportRow) -> dict[str, object]:
    """Return the fields of a participant, without the desk's; an estimate is the rating."""
    fields: dict[str, object] = {name: getattr(row, name) for name in (*_CLEANERS, "name")}
    if row.estimate:
        fields["rating"] = row.estimate
    return fields


def texts_of(row: ImportRow) -> dict[str, str]:
    """Return the values of *row* as :func:`read_row` reads them."""
    texts = {name: str(getattr(row, name) or "") for name in FIELDS if hasattr(row, name)}
    if row.estimate:
        texts["fide_rating"] = f"{row.estimate} E"
    texts["initials"] = "yes" if row.initials else ""
    texts["section"] = row.section
    texts["fee_paid"] = (
        "yes" if row.paid_in_full else f"{row.fee_paid / 100:.2f}" if row.fee_paid else ""
    )
    return {name: text for name, text in texts.items() if text}


def _sort_ratings(values: dict[str, object], letters: Mapping[str, str]) -> None:
    """Assign each rating by its letter: F for FIDE, N national, E an estimate: "1500 F".

    A value in the rating's own column has priority.
    """
    places = {"F": "fide_rating", "N": "national_rating", "E": "estimate"}
    moved = [
        (places[letter], values.pop(name, None))
        for name, letter in letters.items()
        if letter in places
    ]
    for place, rating in moved:
        values[place] = values.get(place) or rating
    if values.get("fide_rating") or values.get("national_rating"):
        values.pop("estimate", None)


def _whole_number(text: str, name: str, high: int) -> int | None:
    text = without_quotes(text)
    if says_nothing(text):
        return None
    # 2,000 and 2.000 are two thousand, and 2000.0 is what spreadsheets write.
    if re.fullmatch(r"[1-9][0-9]{0,2}([.,’' ])[0-9]{3}(\1[0-9]{3})*", text):
        text = re.sub("[^0-9]", "", text)
    if not re.fullmatch(r"[+-]?[0-9]+([.,]0{1,2})?", text):
        raise BadInput("csv.not_a_number", value=shortened(text), field_name=label(name))
    digits = re.split("[.,]", text)[0]
    # Python refuses to read thousands of digits; no field here has more than eleven.
    number = int(digits) if len(digits) <= 20 else high + 1
    if not 0 <= number <= high:
        raise BadInput(
            "csv.number_range", value=shortened(digits), low=0, high=high, field_name=label(name)
        )
    return number or None


def rating_number(text: str, name: str) -> int | None:
    """Return the rating in *text*, without the letter or mark after it; None for none.

    ``BadInput`` if it is not a number. US Chess marks a provisional rating with its games:
    ``1500P12``, ``1500/12``.
    """
    text = re.sub(
        r"(?<=[0-9])\s*(?:[FNE]|P\s*[0-9]{1,2}|/\s*[0-9]{1,2}|\*)$", "", text, flags=re.IGNORECASE
    )
    return _whole_number(text, name, MAX_RATING)


def _fide_id(text: str, name: str) -> int | None:
    number = _whole_number(text, name, MAX_FIDE_ID)
    if number is not None and number < MIN_FIDE_ID:
        raise BadInput("csv.fide_id_short", value=shortened(text))
    return number


def _national_id(text: str, name: str) -> str:
    number = without_quotes(text)
    if says_nothing(number):
        return ""
    if len(number) > LENGTHS[name] or not number.isprintable():
        raise BadInput("csv.too_long", value=shortened(ascii(number)), limit=LENGTHS[name])
    return number


def _title(text: str, name: str) -> str:
    letters = "" if says_nothing(text) else plain(text)
    if letters and letters not in TITLES:
        raise BadInput("csv.title_unknown", value=shortened(text))
    return TITLES.get(letters, "")


def _women_title(text: str, name: str) -> str:
    if (title := _title(text, name)) and not title.startswith("W"):
        raise BadInput("csv.title_unknown", value=shortened(text))
    return title


def _k_factor(text: str, name: str) -> int | None:
    return _whole_number(text, name, MAX_K)


def _list_games(text: str, name: str) -> int | None:
    return _whole_number(text, name, MAX_LIST_GAMES)


def _sex(text: str, name: str) -> str:
    letters = "" if says_nothing(text) else plain(text)
    if letters and letters not in SEXES:
        raise BadInput("csv.sex_unknown", value=shortened(text))
    return SEXES.get(letters, "")


def _federation(text: str, name: str) -> str:
    code = text.upper()
    if not code or code in FEDERATIONS:
        return code
    if not text.strip("-–—./ "):
        return ""
    if read := read_as(text):
        return read
    if meant := suggested(text):
        raise BadInput("csv.federation_meant", value=shortened(text), meant=meant)
    if not re.fullmatch("[A-Z]{3}", code):
        raise BadInput("csv.federation_unknown", value=shortened(text))
    raise BadInput("csv.federation_new", value=code)


def _text(text: str, name: str) -> str:
    if len(text) > LENGTHS[name]:
        raise BadInput("csv.too_long", value=shortened(text), limit=LENGTHS[name])
    return text


def _printable(text: str, name: str) -> str:
    return _text("".join(sign for sign in text if sign.isprintable()), name)


def _fee_paid(text: str, name: str) -> int | None:
    if not text or plain(text) in _NOT_PAID or _is_paid_in_full(text):
        return None
    cents = amount_of(text)
    if cents is None or cents > MOST_CENTS:
        raise BadInput("csv.amount", value=shortened(text), field_name=label(name))
    return cents or None


def _is_yes(text: str, name: str) -> bool:
    if text in ("✓", "✔") or plain(text) in _YES:
        return True
    if plain(text) in _NO:
        return False
    raise BadInput("csv.yes_or_no", value=shortened(text), field_name=label(name))


def _is_paid_in_full(text: str) -> bool:
    return text in ("✓", "✔") or plain(text) in _PAID


_CLEANERS: Final[Mapping[str, Callable[[str, str], object]]] = {
    "fide_id": _fide_id,
    "national_id": _national_id,
    "federation": _federation,
    **dict.fromkeys(TEXTS, _text),
    "sex": _sex,
    "title": _title,
    "women_title": _women_title,
    "k_factor": _k_factor,
    "list_games": _list_games,
    "birth_date": birth_date_of,
    "initials": _is_yes,
    "fide_rating": rating_number,
    "national_rating": rating_number,
}
OF_THE_DESK: Final[Mapping[str, Callable[[str, str], object]]] = {
    "phone": _printable,
    "fee_paid": _fee_paid,
    "note": _printable,
}
_YES: Final = frozenset({"yes", "y", "oui", "o", "x", "on", "ok", "true", "vrai", "1"})
_NO: Final = frozenset({"", "no", "n", "non", "false", "faux", "0"})
"""Words of a column that says yes or no; a dash too is no."""
_PAID: Final = frozenset(
    {"yes", "y", "oui", "o", "x", "ok", "true", "paid", "paye", "payee", "regle", "reglee"}
)
_NOT_PAID: Final = frozenset({"", "no", "n", "non", "false", "unpaid", "impaye", "impayee"})
"""Words of a column about paid fees; a dash too is not paid."""


def label(name: str) -> str:
    """Return the label of the field *name* in the reader's language."""
    match name:
        case "last_name":
            return gettext("last name")
        case "first_name":
            return gettext("first name")
        case "section":
            return gettext("section")
        case "initials":
            return gettext("initials only")
        case "rating_type":
            return gettext("kind of the rating (F, N or E)")
        case "phone" | "fee_paid" | "note":
            return str(DeskData._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
        case _:
            return str(Entry._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
