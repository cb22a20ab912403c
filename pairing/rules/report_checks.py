"""What a federation would send back: the checks of a report before it is sent, one row for each.

A check finds the players, rounds or games that it is about. It names the page and the field where
they are corrected; the sentence for each code is in
``tournaments/web/templatetags/report_checks.py``.
:mod:`.report_profiles` says what else a federation asks for, and what it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final

from pairing.ratings.model import Event
from pairing.ratings.rated_games import rate_of

from .arbiters import Arbiter
from .federations import FEDERATIONS


class Severity(Enum):
    """Whether a report with the fault is sent back."""

    ERROR = "error"
    WARNING = "warning"


class Topic(Enum):
    """The parts of the page, in order."""

    EVENT = "event"
    ARBITERS = "arbiters"
    PLAYERS = "players"
    GAMES = "games"


@dataclass(frozen=True, slots=True)
class Subject:
    """A player, round or game with a fault; ``key`` is the entry or the round for the address.

    Of games that are not rated ``text`` is the reason, and ``key`` their number.
    """

    key: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the report has one."""

    entry_id: int
    name: str
    fide_id: int | None
    national_id: str
    sex: str
    birth_date: str
    federation: str
    titles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Listed:
    """What the comparison with the rating lists found, by entry.

    ``missing`` are players with a FIDE ID that is not in the list; everything is empty without one.
    """

    names: frozenset[int] = frozenset()
    ratings: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """The event as the report will have it.

    ``days`` are the days of the rounds, None for a round without a time. ``not_over`` are the
    rounds without published results; ``open_games`` and ``forfeits`` name each game.
    """

    event: Event
    city: str
    event_code: str
    organiser: str
    has_time_control: bool
    chief: Arbiter | None
    deputies: Sequence[Arbiter]
    players: Sequence[Player]
    listed: Listed
    days: Sequence[tuple[int, date | None]]
    not_over: Sequence[int]
    open_games: Sequence[Subject]
    forfeits: Sequence[Subject]
    unrated: Sequence[Subject]
    protests: Sequence[Subject]
    is_final: bool


Found = Callable[[ReportFacts], Iterable[Subject]]


@dataclass(frozen=True, slots=True)
class Check:
    """A row: its ``page`` and ``field`` are where the fault is corrected.

    ``is_usual``: every federation asks for it, unless its profile says otherwise.
    """

    code: str
    topic: Topic
    severity: Severity
    page: str
    field: str
    found: Found
    is_usual: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """A check that found something."""

    check: Check
    severity: Severity
    subjects: tuple[Subject, ...]

    @property
    def is_error(self) -> bool:
        """Whether the report would be sent back."""
        return self.severity is Severity.ERROR


def _where(is_wrong: Callable[[ReportFacts], object]) -> Found:
    return lambda facts: (Subject(),) if is_wrong(facts) else ()


def _players(is_wrong: Callable[[Player, ReportFacts], object]) -> Found:
    def found(facts: ReportFacts) -> Iterator[Subject]:
        return (
            Subject(player.entry_id, player.name)
            for player in facts.players
            if is_wrong(player, facts)
        )

    return found


def is_short_name(name: str) -> bool:
    """Return whether *name* has no first name, or initials in its place."""
    _family, _comma, given = name.partition(",")
    return all(len(part) == 1 for part in given.replace(".", " ").split())


def _other_days(facts: ReportFacts) -> Iterator[Subject]:
    first, last = facts.event.start, facts.event.end
    for number, day in facts.days:
        if day and ((first and day < first) or (last and day > last)):
            yield Subject(number)


def _has_other_rate(facts: ReportFacts) -> bool:
    seconds = facts.event.seconds
    return seconds is not None and rate_of(seconds) is not facts.event.rate


def _is_unknown(federation: str) -> bool:
    """Return whether *federation* is given and none of FIDE."""
    return federation.upper() not in FEDERATIONS | {""}


def _no_id(arbiters: Iterable[Arbiter | None]) -> tuple[Subject, ...]:
    return tuple(Subject(None, each.name) for each in arbiters if each and each.fide_id is None)


_E, _A, _P, _G = Topic.EVENT, Topic.ARBITERS, Topic.PLAYERS, Topic.GAMES
_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
_SETTINGS, _FIDE, _ENTRY = "tournament-edit", "settings-fide", "entry-edit"

CHECKS: Final = (
    Check("no_first_day", _E, _ERROR, _SETTINGS, "start_date", _where(lambda f: not f.event.start)),
    Check("no_last_day", _E, _ERROR, _SETTINGS, "end_date", _where(lambda f: not f.event.end)),
    Check("no_place", _E, _WARNING, _SETTINGS, "city", _where(lambda f: not f.city)),
    Check("no_host", _E, _ERROR, _SETTINGS, "federation", _where(lambda f: not f.event.host)),
    Check(
        "unknown_host", _E, _WARNING, _SETTINGS, "federation",
        _where(lambda f: _is_unknown(f.event.host)),
    ),
    Check("no_event_code", _E, _ERROR, _FIDE, "event_code", _where(lambda f: not f.event_code)),
    Check("no_organiser", _E, _WARNING, _FIDE, "organiser", _where(lambda f: not f.organiser)),
    Check(
        "no_time_control", _E, _ERROR, _FIDE, "encoded_time_control",
        _where(lambda f: not f.has_time_control),
    ),
    Check("other_rate", _E, _WARNING, "settings-ratings", "rate_of_play", _where(_has_other_rate)),
    Check(
        "no_day", _E, _WARNING, "schedule", "",
        lambda f: (Subject(number) for number, day in f.days if day is None),
    ),
    Check("other_day", _E, _WARNING, "schedule", "", _other_days),
    Check("no_chief", _A, _ERROR, _SETTINGS, "chief_arbiter", _where(lambda f: f.chief is None)),
    Check(
        "chief_without_id", _A, _ERROR, _SETTINGS, "chief_arbiter", lambda f: _no_id([f.chief])
    ),
    Check(
        "chief_without_title", _A, _WARNING, _SETTINGS, "chief_arbiter",
        _where(lambda f: f.chief and not f.chief.title),
    ),
    Check(
        "deputy_without_id", _A, _ERROR, _SETTINGS, "deputy_arbiters",
        lambda f: _no_id(f.deputies),
    ),
    Check("no_players", _P, _ERROR, "entries", "", _where(lambda f: not f.players)),
    Check("no_fide_id", _P, _ERROR, _ENTRY, "fide_id", _players(lambda p, _: not p.fide_id)),
    Check(
        "foreigner_without_id", _P, _ERROR, _ENTRY, "fide_id",
        _players(lambda p, f: not p.fide_id and p.federation != f.event.host), is_usual=False,
    ),
    Check(
        "no_national_id", _P, _ERROR, _ENTRY, "national_id",
        _players(lambda p, _: not p.national_id), is_usual=False,
    ),
    Check(
        "no_federation", _P, _ERROR, _ENTRY, "federation", _players(lambda p, _: not p.federation)
    ),
    Check(
        "unknown_federation", _P, _WARNING, _ENTRY, "federation",
        _players(lambda p, _: _is_unknown(p.federation)),
    ),
    Check(
        "womens_title", _P, _WARNING, _ENTRY, "sex",
        _players(lambda p, _: p.sex == "m" and any(each.startswith("W") for each in p.titles)),
    ),
    Check("no_sex", _P, _WARNING, _ENTRY, "sex", _players(lambda p, _: not p.sex)),
    Check("no_birth", _P, _WARNING, _ENTRY, "birth_date", _players(lambda p, _: not p.birth_date)),
    Check(
        "short_name", _P, _WARNING, _ENTRY, "name",
        # Of others the rating list has the name.
        _players(lambda p, _: not p.fide_id and is_short_name(p.name)),
    ),
    Check(
        "not_in_list", _P, _WARNING, _ENTRY, "fide_id",
        _players(lambda p, f: p.entry_id in f.listed.missing),
    ),
    Check(
        "other_name", _P, _WARNING, "ratings-check", "",
        _players(lambda p, f: p.entry_id in f.listed.names),
    ),
    Check(
        "other_rating", _P, _WARNING, "ratings-check", "",
        _players(lambda p, f: p.entry_id in f.listed.ratings),
    ),
    Check(
        "not_over", _G, _ERROR, "round", "",
        lambda f: (Subject(number) for number in f.not_over),
    ),
    Check("no_result", _G, _ERROR, "round", "", lambda f: f.open_games),
    Check("forfeit", _G, _WARNING, "round", "", lambda f: f.forfeits),
    Check("unrated", _G, _WARNING, "event-report", "", lambda f: f.unrated),
    Check("protest", _G, _ERROR, "protests", "", lambda f: f.protests),
    Check("not_final", _G, _WARNING, "final-standings", "", _where(lambda f: not f.is_final)),
)  # fmt: skip
"""All checks, in the order of the page."""
