"""The fields of a player: one row for each, and the type of its value in the record.

The replay, the comparison with the tables, private and deleted values, entering, correcting and
undoing read this table (``docs/developer/add-a-player-field.md``). A default stays as it is once it
is released, even if new rows begin with another one: old lines that do not name the field mean the
old one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Final, TypedDict


class SetBy(Enum):
    """How a field gets its value."""

    ARBITER = "typed or imported, and corrected at any time"
    PROGRAM = "follows from other data or actions, and is in the line of the player"
    NUMBERING = "the pairing number"
    OWN_ACTION = "an action of its own: no new player begins with another value than the default"


@dataclass(frozen=True, slots=True)
class PlayerField:
    """A column of a player. ``default``: its value if the line of the record does not name it.

    ``is_private``: visitors never read the value, fingerprints cover it as a salted hash, and it is
    deleted with the personal data; ``is_deleted``: deleted with them, but public.
    """

    name: str
    default: str | int | None = ""
    set_by: SetBy = SetBy.ARBITER
    is_private: bool = False
    is_deleted: bool = False


FIELDS: Final = (
    PlayerField("tpn", None, SetBy.NUMBERING),
    PlayerField("name"),
    PlayerField("full_name", is_private=True),
    PlayerField("fide_id", None),
    PlayerField("national_id", is_private=True),
    PlayerField("federation"),
    PlayerField("club"),
    PlayerField("sex"),
    PlayerField("title"),
    PlayerField("women_title"),
    PlayerField("k_factor", None),
    PlayerField("list_games", None),
    PlayerField("rating_list"),
    PlayerField("birth_date", is_private=True),
    PlayerField("fide_rating", None),
    PlayerField("national_rating", None),
    PlayerField("second_rating", None),
    PlayerField("rating", 0, SetBy.PROGRAM),
    PlayerField("rating_source", "", SetBy.PROGRAM),
    PlayerField("first_round", 1, SetBy.PROGRAM),
    PlayerField("fixed_table", None),
    PlayerField("no_byes_with_points", False),
    PlayerField("checked_in", False, SetBy.PROGRAM, is_private=True),
    PlayerField("withdrawn_from", None, SetBy.OWN_ACTION),
    PlayerField("answer", "", SetBy.OWN_ACTION, is_deleted=True),
    PlayerField("national_federation", "", SetBy.OWN_ACTION),
)


class PlayerValues(TypedDict, total=False):
    """The types of the fields that the line of a new or changed player names."""

    name: str
    full_name: str
    fide_id: int | None
    national_id: str
    federation: str
    club: str
    sex: str
    title: str
    women_title: str
    k_factor: int | None
    list_games: int | None
    rating_list: str
    birth_date: str
    fide_rating: int | None
    national_rating: int | None
    second_rating: int | None
    rating: int
    rating_source: str
    first_round: int
    fixed_table: int | None
    no_byes_with_points: bool
    checked_in: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The fields with texts that have no rule of their own.

    Lists, rows that wait, the form of a player, the API and its files read them from here: a field
    more has a line here, and no other code.
    """

    club: str = ""
    rating_list: str = ""


TEXTS: Final = tuple(field.name for field in fields(Texts))
"""The fields with texts that have no rule of their own."""
TYPED: Final = frozenset(field.name for field in FIELDS if field.set_by is SetBy.ARBITER)
"""The fields that an arbiter or a list enters."""
RECORDED: Final = TYPED | {field.name for field in FIELDS if field.set_by is SetBy.PROGRAM}
"""The fields that the line of a player names, besides the pairing number."""
PRIVATE: Final = frozenset(field.name for field in FIELDS if field.is_private)
"""The fields that visitors never read."""
AFTER_DELETION: Final[Mapping[str, Any]] = {
    field.name: field.default for field in FIELDS if field.is_private or field.is_deleted
}
"""What is left of the personal data of a player after they were deleted."""
