"""What a screen shows, as visitors see the event: lists with their lines, and single pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from pairing.rounds.attendance import attendance, check_in_of
from pairing.rounds.round_page import NameLine, RoundPage
from pairing.rounds.running_results import running_results
from pairing.rules.names import fold
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.namesakes import disambiguate
from tournaments.models import Round, Screen, ScreenContent, Tournament
from tournaments.standings.prizes import prize_list
from tournaments.standings.ranked_field import round_for
from tournaments.standings.standings import standings

MOST_COLUMNS: Final = 3
"""The number of tie-breaks for which there is room next to the names."""
NEXT_ROUNDS: Final = 2
"""The number of rounds below the clock: the one that is played, and the next."""


@dataclass(frozen=True, slots=True)
class Source:
    """A tournament as visitors see it, with its rounds by number."""

    tournament: Tournament
    frame: Frame
    rounds: Mapping[int, Round]

    @property
    def label(self) -> str:
        """The name of the section; empty for a tournament of its own."""
        section = getattr(self.tournament, "section", None)
        return section.label if section else ""

    def round(self, number: int) -> RoundPage:
        return round_for(self.frame, self.rounds[number])


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of a screen. ``about`` names what it shows: a new name is new to the readers."""

    kind: str
    about: str
    title: str
    label: str
    lines: Sequence[Any]
    more: Mapping[str, Any] = field(default_factory=dict)


def source_of(tournament: Tournament) -> Source:
    """Return *tournament* as visitors see it. Two queries."""
    rows = Round.objects.filter(tournament=tournament)
    return Source(
        tournament, tournament_frame(tournament, runs=False), {row.number: row for row in rows}
    )


def listings(screen: Screen, sources: Sequence[Source], kind: str) -> list[Listing]:
    """Return the lists of this *kind*, one of each source that has something to show."""
    found = (LISTS[kind](screen, source) for source in sources)
    return [listing for listing in found if listing is not None]


def _boards(screen: Screen, source: Source) -> Listing | None:
    number = source.frame.latest_published
    if number is None:
        return None
    page = source.round(number)
    title = _("Round %(n)s: pairings by board") % {"n": number}
    return _listing("boards", source, number, title, [*page.boards, *page.byes])


def _names(screen: Screen, source: Source) -> Listing | None:
    number = source.frame.latest_published
    if number is None:
        return None
    title = _("Round %(n)s: pairings by name") % {"n": number}
    return _listing("names", source, number, title, source.round(number).by_name())


def _results(screen: Screen, source: Source) -> Listing | None:
    """Return the newest results that visitors may read, those of the running round if the
    tournament shows them to everybody; None if they are on the screen with the boards.
    """
    number = source.frame.latest_published
    if number is None:
        return None
    if (running := running_results(source.frame)) and running.finished:
        title = _("Round %(n)s: results as they come in") % {"n": number}
        return _listing("results", source, number, title, running.boards)
    if not any(game.result for game in source.round(number).games):
        number = source.frame.latest_results
    elif ScreenContent.BOARDS in screen.contents and screen.shown_now != ScreenContent.RESULTS:
        return None
    if not number:
        return None
    title = _("Round %(n)s: results") % {"n": number}
    return _listing("results", source, number, title, source.round(number).boards)


def _standings(screen: Screen, source: Source) -> Listing | None:
    after = source.frame.latest_results
    if not after:
        return None
    page = standings(source.frame, after_round=after)
    is_last = after == len(source.frame.rounds)
    title = (
        _("Final standings") if is_last else _("Standings after round %(after)s") % {"after": after}
    )
    more = {"columns": page.columns[:MOST_COLUMNS], "shown_columns": f":{MOST_COLUMNS}"}
    return _listing("standings", source, after, title, page.lines, more)


def _missing(screen: Screen, source: Source) -> Listing | None:
    """Return the players who are not checked in, while the check-in is open."""
    check_in = check_in_of(source.tournament)
    if not check_in.is_open:
        return None
    found = attendance(source.tournament)
    if found.round_number is None or check_in.round_number != found.round_number:
        return None
    disambiguate(found.not_there, is_public=True)
    number = found.round_number
    title = _("Round %(n)s: not checked in yet") % {"n": number}
    return _listing("missing", source, number, title, found.not_there)


def _listing(
    kind: str,
    source: Source,
    number: int,
    title: str,
    lines: Sequence[Any],
    more: Mapping[str, Any] | None = None,
) -> Listing | None:
    about = f"{kind}-{source.tournament.pk}-{number}"
    return Listing(kind, about, title, source.label, lines, more or {}) if lines else None


LISTS: Final[Mapping[str, Callable[[Screen, Source], Listing | None]]] = {
    ScreenContent.BOARDS.value: _boards,
    ScreenContent.NAMES.value: _names,
    ScreenContent.RESULTS.value: _results,
    ScreenContent.STANDINGS.value: _standings,
    ScreenContent.MISSING.value: _missing,
}


@dataclass(frozen=True, slots=True)
class Times:
    """A section below the clock: its time control and its next rounds."""

    label: str
    time_control: str
    rounds: Sequence[Round]


def times_of(source: Source) -> Times:
    """Return the rounds without published results, at most :data:`NEXT_ROUNDS`. No query."""
    after = source.frame.latest_results
    rounds = [row for number, row in sorted(source.rounds.items()) if number > after]
    return Times(source.label, source.tournament.time_control, rounds[:NEXT_ROUNDS])


def awards(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the prizes of a ceremony from the last to the first; none before the last results.

    At most four queries.
    """
    found = prize_list(source.frame)
    if not found.is_handed_out:
        return
    for category in reversed(found.categories):
        for award in reversed(category.teams or category.winners):
            yield {
                "prizes": found,
                "heading": category.heading,
                "award": award,
                "label": source.label,
            }


def initials(sources: Sequence[Source]) -> list[str]:
    """Return the first letters of the players of the newest public rounds."""
    return sorted({_initial(line) for source in sources for line in _everybody(source)})


def found_by(sources: Sequence[Source], letter: str) -> list[Listing]:
    """Return the players whose names begin with *letter*, with their boards."""
    listed = []
    for source in sources:
        lines = [line for line in _everybody(source) if _initial(line) == letter.upper()]
        number = source.frame.latest_published or 0
        title = _("Round %(n)s: pairings by name") % {"n": number}
        if listing := _listing("names", source, number, title, lines):
            listed.append(listing)
    return listed


def _everybody(source: Source) -> Sequence[NameLine]:
    number = source.frame.latest_published
    return source.round(number).by_name() if number else ()


def _initial(line: NameLine) -> str:
    return fold(line.player.name)[:1].upper()
