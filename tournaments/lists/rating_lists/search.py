"""Search the lists in use for a player, and unite what FIDE and the federation say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from django.utils import timezone

from tournaments.lists.rating_lists.list_file import HITS, ListFile
from tournaments.lists.rating_lists.rows import RATES_OF_PLAY, Row
from tournaments.models import RateOfPlay, RatingList, RatingListState, Tournament

MAX_QUERY: Final = 100
MAX_LIST_NAMES: Final = 40
"""Letters in the field of an entry."""

RATES: Final = {
    RateOfPlay.STANDARD: ("standard",),
    RateOfPlay.RAPID: ("rapid", "standard"),
    RateOfPlay.BLITZ: ("blitz", "standard"),
}
"""For each rate of play, the ratings that are taken, the first one that the player has."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A listed player: FIDE's row, the federation's, or both; ``key`` finds it again.

    ``rate`` is the rate of play of the tournament, ``second`` its second rating method.
    """

    key: str
    fide: Row | None
    national: Row | None
    rate: RateOfPlay
    second: str = ""
    lists: tuple[str, str] = ("", "")
    """The lists of the FIDE and of the national rating with their months: ``FIDE 2026-11``."""
    federation: str = ""
    """Whose national row it is."""

    @property
    def row(self) -> Row:
        """The row with the name: FIDE's if there is one."""
        row = self.fide or self.national
        assert row is not None
        return row

    @property
    def identity(self) -> str:
        """The number of the federation of a player without FIDE ID; empty if there is none."""
        if self.fide is not None or self.national is None:
            return ""
        return self.national.national_id and f"{self.federation} {self.national.national_id}"

    @property
    def fide_rating(self) -> int | None:
        """The FIDE rating for the rate; without FIDE's list, as the federation's repeats it."""
        if self.fide is None:
            return _rating(self.national, [f"fide_{rate}" for rate in self._rates])
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
        """The rates of play whose rating is taken."""
        return rates_taken(self.rate, self.second)

    @property
    def values(self) -> dict[str, str | int | None]:
        """The data for an entry, by field, without empty values: nothing typed is lost."""
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
            "rating_list": self.list_names,
            "club": self.national.club if self.national else row.club,
            "national_id": self.national.national_id if self.national else "",
        }
        return {name: value for name, value in found.items() if value}

    @property
    def list_names(self) -> str:
        """The lists of the ratings, the one of FIDE first: ``FIDE 2026-11 rapid; FRA 2026-11``.

        The rate of play is named if it is not standard play, or not that of the tournament.
        """
        names: list[str] = []
        before = "" if self.fide else "fide_"
        rows = (self.fide or self.national, before), (self.national, "")
        for name, (row, prefix) in zip(self.lists, rows, strict=True):
            used = [rate for rate in self._rates if row and getattr(row, prefix + rate)]
            if name and used:
                is_plain = used[0] == self.rate == RateOfPlay.STANDARD
                names.append(name if is_plain else f"{name} {used[0]}")
        names = names or [name for name in self.lists if name][:1]
        text = "; ".join(dict.fromkeys(names))
        return text if len(text) <= MAX_LIST_NAMES else names[0]

    def _figure(self, name: str) -> int | None:
        """Return a figure of FIDE's list for the rate of play of the tournament only."""
        return getattr(self.fide, f"{self.rate}_{name}") if self.fide else None


def rates_taken(rate: RateOfPlay, second: str) -> tuple[str, ...]:
    """Return the rates of play taken: only the tournament's own if there is a *second* method."""
    return RATES[rate][:1] if second else RATES[rate]


def _rating(row: Row | None, rates: Sequence[str]) -> int | None:
    if row is None:
        return None
    return next((value for name in rates if (value := getattr(row, name))), None)


def lists_in_use(tournament: Tournament | None = None) -> list[RatingList]:
    """Return the lists in use, FIDE's first, or those for *tournament*. One query.

    These are FIDE's and the national ones of :func:`national_order`, in this order.
    From its first day on a tournament has the lists of that day, as long as their files are kept:
    a later list changes none of its ratings.
    """
    loaded = RatingList.objects.filter(state=RatingListState.LOADED).select_related("loaded_by")
    first = tournament.start_date if tournament is not None else None
    if first is None or first > timezone.localdate():
        loaded = loaded.filter(is_current=True)
        first = None
    lists = [each for each in of_day(loaded, first) if each.path.exists()]
    order: tuple[str, ...] = ()
    if tournament is not None:
        order = national_order(tournament)
        rates = ("", *RATES[rate_of(tournament)], tournament.second_rating_method.partition("_")[2])
        lists = [each for each in lists if each.rate in rates]
        lists = [each for each in lists if not order or each.federation in ("", *order)]
    # The list for the rate of play of the tournament, then the one of all rates; the newest first.
    lists.sort(key=lambda each: each.month or each.begun_at.date(), reverse=True)
    return sorted(
        lists,
        key=lambda each: (
            each.federation != "",
            order.index(each.federation) if each.federation in order else 0,
            tournament is None or each.rate != rate_of(tournament),
        ),
    )


def national_order(tournament: Tournament) -> tuple[str, ...]:
    """Return the federations whose lists give national ratings in *tournament*, the first one
    first; empty: all, in no order.

    The first list that has a rating of the player for the rate of play gives it [C.04.2/2026 2.1].
    Whether FIDE's or the national rating ranks the players is the ``rating_method``.
    """
    return tuple((tournament.national_lists or tournament.federation).split())


def of_day(lists: Iterable[RatingList], first: date | None) -> list[RatingList]:
    """Return of each federation and rate the list of the day *first*: the current one unless it is
    of a later month; else the one before it that is not, and whose file is kept.
    """
    found: dict[tuple[str, str], RatingList] = {}
    # The one that was replaced last comes last, then the current one.
    for each in sorted(lists, key=lambda one: (one.is_current, one.progress_at)):
        is_of_day = first is None or each.month is None or each.month <= first
        key = (each.federation, each.rate)
        if each.is_current:
            takes = is_of_day or key not in found
        else:
            takes = first is not None and is_of_day and each.path.exists()
        if takes:
            found[key] = each
    return list(found.values())


def rate_of(tournament: Tournament) -> RateOfPlay:
    """Return the rate of play of *tournament*."""
    return RateOfPlay(tournament.rate_of_play)


class OpenLists:
    """The lists of a tournament, open for reading; use it with ``with``.

    ``is_ordered``: the national lists are those of :func:`national_order`, not all that are loaded.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.rate, self.second = rate_of(tournament), tournament.second_rating_method
        self.lists = lists_in_use(tournament)
        self.is_ordered = bool(national_order(tournament))
        self._rates = rates_taken(self.rate, self.second)
        self._files = [(each, ListFile(each.path)) for each in self.lists]

    def __enter__(self) -> OpenLists:
        return self

    def __exit__(self, *error: object) -> None:
        for _, file in self._files:
            file.close()

    def search(self, query: str, *, most: int = HITS) -> list[Listed]:
        """Return players who match *query* (:meth:`ListFile.search`), each once, up to *most*."""
        found: dict[str, tuple[str, Row, RatingList]] = {}
        for each, file in self._files:
            for number, row in file.search(query[:MAX_QUERY], most=most):
                identity = str(row.fide_id) if row.fide_id else f"{each.key}-{number}"
                found.setdefault(identity, (f"{each.key}-{number}", row, each))
        hits = [self._listed(key, row, each) for key, row, each in list(found.values())]
        # A national row without FIDE ID may belong to a player whom FIDE's list has too, and one
        # player may be in the lists of several rates of play.
        joined = {hit.national for hit in hits if hit.fide and hit.national}
        hits = [hit for hit in hits if hit.fide or hit.national not in joined]
        return list({hit.identity or hit.key: hit for hit in reversed(hits)}.values())[::-1][:most]

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
        fide, of_fide = self._rows(numbers, is_fide=True)
        national, of_federation = self._rows(numbers, is_fide=False)
        if any(each.federation for each, _ in self._files):
            for number in fide.keys() - national.keys():
                if (found := self._nationally(fide[number])) is not None:
                    national[number], of_federation[number] = found[0], str(found[1])
        return {
            number: Listed(
                str(number),
                fide.get(number),
                national.get(number),
                self.rate,
                self.second,
                (
                    of_fide.get(number)
                    or (of_federation[number] if self._repeats(national[number]) else ""),
                    of_federation.get(number, ""),
                ),
            )
            for number in numbers
            if number in fide or number in national
        }

    def by_name(self, name: str) -> Iterator[Listed]:
        """Yield the players of exactly this name in FIDE's lists, or else the national ones."""
        for is_fide in (True, False):
            found: dict[str, tuple[Row, RatingList]] = {}
            for each, file in self._files:
                if (not each.federation) is is_fide:
                    for row in file.by_name(name):
                        number = row.national_id or str(-len(found))
                        identity = (
                            str(row.fide_id) if row.fide_id else f"{each.federation} {number}"
                        )
                        found.setdefault(identity, (row, each))
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
            if national is not None:
                national = self._joined(national, origin)
            name = str(origin)
            names = (name, "") if fide else (name if self._repeats(row) else "", name)
            return Listed(key, fide, national, self.rate, self.second, names, origin.federation)
        return replace(self.by_fide_ids([row.fide_id])[row.fide_id], key=key)

    def _joined(self, row: Row, origin: RatingList) -> Row:
        """Return *row* with the ratings that other lists of the federation of *origin* have under
        the number of the player: some publish a list for each rate of play.
        """
        for each, file in self._files:
            if each != origin and each.federation == origin.federation and row.national_id:
                other = file.by_national_id(row.national_id)
                row = _filled(row, other) if other else row
        return row

    def _repeats(self, row: Row) -> bool:
        """Return whether a national *row* has the rating of FIDE for the tournament."""
        return any(getattr(row, f"fide_{rate}") for rate in RATES[self.rate])

    def _nationally(self, row: Row) -> tuple[Row, RatingList] | None:
        """Return the only row of a national list with the name and the year
        of birth of FIDE's *row*, and no FIDE ID.

        Many federations do not publish FIDE IDs. With an order of the lists it is the first list
        with a rating, among those in which only one player has that name and year.
        """
        found: dict[str, dict[str, tuple[Row, RatingList]]] = {}
        for each, file in self._files:
            if each.federation:
                for number, other in enumerate(file.by_name(row.name)):
                    if not other.fide_id and row.birth[:4] and other.birth[:4] == row.birth[:4]:
                        identity = other.national_id or f"{each.key}-{number}"
                        of_list = each.federation if self.is_ordered else ""
                        of_one = found.setdefault(of_list, {})
                        of_one.setdefault(f"{each.federation} {identity}", (other, each))
        alone = [next(iter(rows.values())) for rows in found.values() if len(rows) == 1]
        joined = [(self._joined(other, each), each) for other, each in alone]
        rated = [pair for pair in joined if _rating(pair[0], self._rates)]
        return next(iter(rated or joined), None)

    def _rows(
        self, numbers: Sequence[int], *, is_fide: bool
    ) -> tuple[dict[int, Row], dict[int, str]]:
        """Return the rows by FIDE ID, and the list of the rating for the rate of play of each;
        where several lists have a player, the ratings of the later fill the gaps. A list of another
        federation has nothing to fill if there is a rating of the player.
        """
        names: dict[int, str] = {}
        found: dict[int, Row] = {}
        whose: dict[int, str] = {}
        for each, file in self._files:
            if (not each.federation) is is_fide:
                for number, row in file.by_fide_id(numbers).items():
                    before = found.get(number)
                    is_other = whose.setdefault(number, each.federation) != each.federation
                    if is_other and _rating(before, self._rates):
                        continue
                    whose[number] = each.federation
                    fills = before and not getattr(before, self.rate) and getattr(row, self.rate)
                    if before is None or fills:
                        names[number] = str(each)
                    found[number] = _filled(before, row) if before else row
        return found, names


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
