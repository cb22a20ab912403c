"""Some players of an event, as somebody follows them: board, opponent, rank and points of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from pairing.rounds.round_page import NameLine, round_page
from pairing.rules.name_search import find_lines
from pairing.rules.names import fold
from tournaments.core.frame import Frame, tournament_frame
from tournaments.events.event_page import sections_of
from tournaments.models import Entry, Round, Tournament
from tournaments.standings.standings import places

MOST_FOLLOWED: Final = 100
_AFTER_ALL_BOARDS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class PlayerFound:
    """A player of the event with the label of the section, empty in a single tournament."""

    entry: Entry
    slug: str
    label: str


@dataclass(frozen=True, slots=True)
class Followed:
    """A player with the place in the newest published round; ``seat`` is None without one.

    ``rank`` is 0 before the first results; ``points`` are those of the standings, in tenths.
    """

    entry: Entry
    frame: Frame
    label: str
    seat: NameLine | None
    rank: int
    points: int

    @property
    def round_number(self) -> int:
        return self.frame.latest_published or 0

    @property
    def after_round(self) -> int:
        """The round after which rank and points are."""
        return self.frame.latest_results


def tournaments_of(tournament: Tournament) -> dict[int, tuple[Tournament, str]]:
    """Return the tournaments in which the same visitor follows players, with their labels:
    all sections of the event of *tournament* in their order, or it alone. At most one query if
    its section has been read.
    """
    section = getattr(tournament, "section", None)
    if section is None:
        return {tournament.pk: (tournament, "")}
    return {
        each.tournament_id: (each.tournament, each.label) for each in sections_of(section.event)
    }


def players_found(tournament: Tournament, words: str) -> list[PlayerFound]:
    """Return the numbered players of the event that fit *words*, by name. Two queries.

    *words* are of a name, club or federation, or a number.
    """
    known = tournaments_of(tournament)
    entries = find_lines(
        list(Entry.objects.filter(tournament__in=known, tpn__isnull=False)),
        words,
        text_of=lambda entry: f"{entry.name} {entry.club} {entry.federation}",
        numbers_of=lambda entry: (entry.tpn,),
    )
    entries.sort(key=lambda entry: (fold(entry.name), entry.pk))
    return [
        PlayerFound(entry, known[entry.tournament_id][0].slug, known[entry.tournament_id][1])
        for entry in entries
    ]


def followed_players(tournament: Tournament, numbers: Collection[int]) -> list[Followed]:
    """Return the numbered players with these ids in the event of *tournament*, in the order of
    sections and boards. Ids of other events are left out.

    Two queries, and five for each section with such players; more while the places of the state
    are not in the store.
    """
    known = tournaments_of(tournament)
    in_section: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(tournament__in=known, pk__in=numbers, tpn__isnull=False):
        in_section[entry.tournament_id].append(entry)
    found = []
    for pk, (own, label) in known.items():
        if pk not in in_section:
            continue
        frame = tournament_frame(own, runs=False)
        entries = in_section[pk]
        seats, after = _seats(frame, {entry.pk for entry in entries}), frame.latest_results
        ranks, points, _ = places(frame, after) if after else ({}, {}, ())
        players = [
            Followed(
                entry,
                frame,
                label,
                seats.get(entry.pk),
                rank=ranks.get(entry.tpn or 0, 0),
                points=points.get(entry.tpn or 0, 0),
            )
            for entry in entries
        ]
        found.extend(sorted(players, key=_place))
    return found


def _place(player: Followed) -> tuple[int, int]:
    board = player.seat.board if player.seat is not None else None
    return board or _AFTER_ALL_BOARDS, player.entry.tpn or 0


def _seats(frame: Frame, players: Collection[int]) -> dict[int, NameLine]:
    """Return the places of *players* (entry ids) in the newest published round."""
    if frame.latest_published is None:
        return {}
    row = Round.objects.get(tournament=frame.tournament, number=frame.latest_published)
    page = round_page(frame, row, players=players)
    return {line.player.entry_id: line for line in page.by_name()}
