"""Search the lists in use for one player, and put together what FIDE
and the federation say about that player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tournaments.lists.rating_lists.list_file import HITS, ListFile
from tournaments.lists.rating_lists.rows import RATES_OF_PLAY, Row
from tournaments.models import RateOfPlay, RatingList, Tournament

MAX_QUERY: Final = 100

RATES: Final = {
    RateOfPlay.STANDARD: ("standard",),
    RateOfPlay.RAPID: ("rapid", "standard"),
    RateOfPlay.BLITZ: ("blitz", "standard"),
}
"""For each rate of play, the ratings that are taken, the first one that the player has."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in the lists: FIDE's row, the row of the federation, or both;
    ``key`` finds the player again.

    ``rate`` is the rate of play of the tournament, ``second`` its second rating method.
    """

    key: str
    fide: Row | None
    national: Row | None
    rate: RateOfPlay
    second: str = ""
    list_name: str = ""
    """The list of the rating and its month, such as ``FIDE 2026-11``."""

    @property
    def row(self) -> Row:
        """The row with the name: FIDE's if there is one."""
        row = self.fide or self.national
        assert row is not None
        return row

    @property
    def fide_rating(self) -> int | None:
        """The FIDE rating for the rate of play."""
        return _rating(self.fide, self._rates)

    @property
    def national_rating(self) -> int | None:
        """The national rating for the rate of play."""
        return _rating(self.national, self._rates)

    @property
    def second_rating(self) -> int | None:
        """The rating by the second method."""
        whose, _, rate = self.second.partition("_")
        return _rating(self.fide if whose == "fide" else self.national, (rate,)) if rate else None

    @property
    def _rates(self) -> tuple[str, ...]:
        """The rates of play whose rating is taken: only the tournament's
        own if there is a second method.
        """
        return RATES[self.rate][:1] if self.second else RATES[self.rate]

    @property
    def values(self) -> dict[str, str | int | None]:
        """The data for an entry, by field; empty values are left out,
        so that nothing typed is lost.
        """
        row = self.row
        birth = row.birth or (self.national.birth if self.national else "")
        found: dict[str, str | int | None] = {
            "name": row.name,
            "fide_id": row.fide_id,
            "federation": row.federation,
            "sex": row.sex,
            "title": row.title,
            "birth_date": birth,
            "fide_rating": self.fide_rating,
            "national_rating": self.national_rating,
            "second_rating": self.second_rating,
            "women_title": row.women_title,
            "k_factor": self._figure("k"),
            "list_games": self._figure("games"),
            "rating_list": self.list_name,
            "club": self.national.club if self.national else row.club,
            "national_id": self.national.national_id if self.national else "",
        }
        return {name: value for name, value in found.items() if value}

    def _figure(self, name: str) -> int | None:
        """Return a figure of FIDE's list for the rate of play of the tournament only."""
        return getattr(self.fide, f"{self.rate}_{name}") if self.fide else None


def _rating(row: Row | None, rates: tuple[str, ...]) -> int | None:
    if row is None:
        return None
    return next((value for name in rates if (value := getattr(row, name))), None)


def lists_in_use(tournament: Tournament | None = None) -> list[RatingList]:
    """Return the lists in use, FIDE's first; with *tournament*
    only those that concern it. One query.

    These are FIDE's and those of the tournament's federation, or of all federations if it has none.
    """
    lists = [
        each
        for each in RatingList.objects.filter(is_current=True).select_related("loaded_by")
        if each.path.exists()
    ]
    if tournament is not None:
        wanted = (
            {"", tournament.federation}
            if tournament.federation
            else {each.federation for each in lists}
        )
        rates = ("", *RATES[rate_of(tournament)], tournament.second_rating_method.partition("_")[2])
        lists = [each for each in lists if each.federation in wanted and each.rate in rates]
    # The list for the rate of play of the tournament, then the one of all rates; the newest first.
    lists.sort(key=lambda each: each.month or each.begun_at.date(), reverse=True)
    return sorted(
        lists,
        key=lambda each: (
            each.federation != "",
            tournament is None or each.rate != rate_of(tournament),
        ),
    )


def rate_of(tournament: Tournament) -> RateOfPlay:
    """Return the rate of play of *tournament*."""
    return RateOfPlay(tournament.rate_of_play)


class OpenLists:
    """The lists of a tournament, open for reading; use it with ``with``."""

    def __init__(self, tournament: Tournament) -> None:
        self.rate, self.second = rate_of(tournament), tournament.second_rating_method
        self.lists = lists_in_use(tournament)
        self._files = [(each, ListFile(each.path)) for each in self.lists]

    def __enter__(self) -> OpenLists:
        return self

    def __exit__(self, *error: object) -> None:
        for _, file in self._files:
            file.close()

    def search(self, query: str, *, most: int = HITS) -> list[Listed]:
        """Return the players that match *query* (:meth:`ListFile.search`), each once,
        at most *most*.
        """
        found: dict[str, tuple[str, Row, RatingList]] = {}
        for each, file in self._files:
            for number, row in file.search(query[:MAX_QUERY], most=most):
                identity = str(row.fide_id) if row.fide_id else f"{each.key}-{number}"
                found.setdefault(identity, (f"{each.key}-{number}", row, each))
        hits = [self._listed(key, row, each) for key, row, each in list(found.values())]
        # A national row without FIDE ID may belong to a player whom FIDE's list has too.
        joined = {hit.national for hit in hits if hit.fide and hit.national}
        return [hit for hit in hits if hit.fide or hit.national not in joined][:most]

    def find(self, key: str) -> Listed | None:
        """Return the player with the ``key`` of a hit; None if the list is no longer in use."""
        name, _, number = key.partition("-")
        for each, file in self._files:
            if each.key == name and number.isascii() and number.isdigit() and len(number) < 12:
                row = file.player(int(number))
                return self._listed(key, row, each) if row else None
        return None

    def by_fide_ids(self, numbers: Sequence[int]) -> dict[int, Listed]:
        """Return the players with these FIDE IDs, national rows also by name and year of birth."""
        names: dict[int, str] = {}
        fide, national = (self._rows(numbers, names, is_fide=is_fide) for is_fide in (True, False))
        if any(each.federation for each, _ in self._files):
            for number in fide.keys() - national.keys():
                if (row := self._nationally(fide[number])) is not None:
                    national[number] = row
        return {
            number: Listed(
                str(number),
                fide.get(number),
                national.get(number),
                self.rate,
                self.second,
                names[number],
            )
            for number in numbers
            if number in fide or number in national
        }

    def by_name(self, name: str) -> Iterator[Listed]:
        """Yield the players of exactly this name in FIDE's lists,
        or without them in the national ones.
        """
        for is_fide in (True, False):
            found: dict[int, tuple[Row, RatingList]] = {}
            for each, file in self._files:
                if (not each.federation) is is_fide:
                    for row in file.by_name(name):
                        found.setdefault(row.fide_id or -len(found) - 1, (row, each))
            if found:
                yield from (
                    self._listed(str(row.fide_id), row, each) for row, each in found.values()
                )
                return

    def _listed(self, key: str, row: Row, origin: RatingList) -> Listed:
        """Return the player of *row* in the list *origin* with the row of the other kind of list
        and the ratings of further lists.
        """
        if not row.fide_id or len(self._files) == 1:
            fide, national = (None, row) if origin.federation else (row, None)
            return Listed(key, fide, national, self.rate, self.second, str(origin))
        return replace(self.by_fide_ids([row.fide_id])[row.fide_id], key=key)

    def _nationally(self, row: Row) -> Row | None:
        """Return the only row of a national list with the name and the year
        of birth of FIDE's *row*, and no FIDE ID.

        Many federations do not publish FIDE IDs.
        """
        found = [
            other
            for each, file in self._files
            if each.federation
            for other in file.by_name(row.name)
            if not other.fide_id and row.birth[:4] and other.birth[:4] == row.birth[:4]
        ]
        return found[0] if len(found) == 1 else None

    def _rows(
        self, numbers: Sequence[int], names: dict[int, str], *, is_fide: bool
    ) -> dict[int, Row]:
        """Return the rows by FIDE ID; where several lists have a player,
        the ratings of the later fill the gaps.

        Adds to *names* the list of the rating for the rate of play, FIDE's first.
        """
        known = set(names)
        found: dict[int, Row] = {}
        for each, file in self._files:
            if (not each.federation) is is_fide:
                for number, row in file.by_fide_id(numbers).items():
                    before = found.get(number)
                    fills = before and not getattr(before, self.rate) and getattr(row, self.rate)
                    if number not in known and (before is None or fills):
                        names[number] = str(each)
                    found[number] = _filled(before, row) if before else row
        return found


def _filled(row: Row, other: Row) -> Row:
    gaps = {
        name: getattr(other, name)
        for rate in RATES_OF_PLAY
        if not getattr(row, rate)
        for name in (rate, f"{rate}_k", f"{rate}_games")
    }
    return row._replace(**gaps)


def search_lists(tournament: Tournament, query: str, *, most: int = HITS) -> list[Listed]:
    """Return the players that match *query* in the lists of *tournament*, at most *most*."""
    with OpenLists(tournament) as lists:
        return lists.search(query, most=most)


def find_listed(tournament: Tournament, key: str) -> Listed | None:
    """Return the player with the ``key`` of a hit."""
    with OpenLists(tournament) as lists:
        return lists.find(key)
