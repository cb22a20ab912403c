"""The JSON of a participant in the record; see :mod:`tournaments.models.payload_data`."""

from __future__ import annotations

from typing import Required, TypedDict


class EntryData(TypedDict):
    """All data of a participant. Who is shown with initials has them as ``name``, and the whole name beside it."""

    entry: int
    tpn: int | None
    birth_date: str
    checked_in: bool
    club: str
    federation: str
    fide_id: int | None
    fide_rating: int | None
    first_round: int
    fixed_table: int | None
    full_name: str
    name: str
    national_id: str
    national_rating: int | None
    no_byes_with_points: bool
    rating: int
    rating_source: str
    second_rating: int | None
    sex: str
    title: str


class EntryChange(TypedDict, total=False):
    """The changed data of a participant."""

    entry: Required[int]
    birth_date: str
    checked_in: bool
    club: str
    federation: str
    fide_id: int | None
    fide_rating: int | None
    first_round: int
    fixed_table: int | None
    full_name: str
    name: str
    national_id: str
    national_rating: int | None
    no_byes_with_points: bool
    rating: int
    rating_source: str
    second_rating: int | None
    sex: str
    title: str
