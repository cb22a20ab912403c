"""The players beside the boards of a round: without a game, absent, late, withdrawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import QuerySet

from pairing.rounds.round_page import RoundPage
from pairing.rounds.versions import pairing_action
from pairing.rules.names import fold
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import Frame
from tournaments.core.namesakes import disambiguate
from tournaments.models import Action, ByeKind, Entry, GameResult, Tournament


class NotPlayingKind(StrEnum):
    """Why players are beside the boards, the most urgent first."""

    UNPAIRED = "unpaired"
    """They take part in the round, but have no place in it: entered or back since it was paired."""
    NOT_CHECKED_IN = "not-checked-in"
    ABSENT = "absent"
    """They lost their game by forfeit [C.04.2/2026 3.3]."""
    BYE = "bye"
    LATE = "late"
    """They arrive for a later round [C.04.2/2026 2.4]."""
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class NotPlaying:
    """A player beside the boards: with the kind of a bye, the round of an arrival or a withdrawal,
    or the board of a forfeit.
    """

    entry_id: int
    tpn: int | None
    name: str
    bye: ByeKind | None = None
    round_number: int | None = None
    board: int | None = None


@dataclass(frozen=True, slots=True)
class NotPlayingGroup:
    """Players who are beside the boards for the same reason; never empty."""

    kind: NotPlayingKind
    players: tuple[NotPlaying, ...]


_LOST_BY_FORFEIT = {
    GameResult.WHITE_FORFEITS: ("white",),
    GameResult.BLACK_FORFEITS: ("black",),
    GameResult.BOTH_FORFEIT: ("white", "black"),
}


def not_playing_groups(
    frame: Frame, page: RoundPage, *, away: Collection[int] | None = None, with_byes: bool = True
) -> tuple[NotPlayingGroup, ...]:
    """Return the groups of players beside the boards of *page*, without empty ones.

    Two queries at most. *away* are the entries that do not play in a round that is not paired yet;
    None if such a round is not the next one. Without *with_byes* the byes are left out, because the
    page shows them elsewhere. A check-in counts once somebody is checked in.
    """
    if page.state == RoundState.PLANNED and away is None:
        return ()
    rows = Entry.objects.filter(tournament=frame.tournament)
    if page.state in PUBLIC_STATES:
        rows = rows.filter(pk__in=_maybe_not_playing(rows, page))
    entries = sorted(rows, key=lambda entry: fold(entry.real_name))
    disambiguate(entries)
    found = {
        NotPlayingKind.UNPAIRED: _unpaired(entries, page),
        NotPlayingKind.NOT_CHECKED_IN: _not_checked_in(entries, page, away or ()),
        NotPlayingKind.ABSENT: _forfeits(page),
        NotPlayingKind.BYE: tuple(_line_of_bye(page)) if with_byes else (),
    }
    if page.state != RoundState.PLANNED:
        found |= {
            NotPlayingKind.LATE: tuple(
                NotPlaying(entry.pk, entry.tpn, entry.name_apart, round_number=entry.first_round)
                for entry in entries
                if entry.first_round > page.number and not _is_withdrawn(entry, page.number)
            ),
            NotPlayingKind.WITHDRAWN: tuple(
                NotPlaying(entry.pk, entry.tpn, entry.name_apart, round_number=entry.withdrawn_from)
                for entry in entries
                if _is_withdrawn(entry, page.number)
            ),
        }
    return tuple(NotPlayingGroup(kind, players) for kind, players in found.items() if players)


def _maybe_not_playing(rows: QuerySet[Entry], page: RoundPage) -> list[int]:
    """Return the few players without a simple place in the round, and their namesakes."""
    seated = _seated(page)
    columns = rows.values_list("pk", "name", "full_name", "withdrawn_from")
    names = {pk: fold(full or name) for pk, name, full, _gone in columns}
    found = {
        names[pk] for pk, _name, _full, gone in columns if pk not in seated or gone is not None
    }
    return [pk for pk, name in names.items() if name in found]


def is_changed_by_hand(tournament: Tournament, page: RoundPage) -> bool:
    """Return whether the pairings of *page* are not those of the program: paired or arranged by
    hand, or changed after publication [C.04.2/2026 4.4]. One query; none if the round is not
    paired.
    """
    if page.state == RoundState.PLANNED:
        return False
    return pairing_action(tournament, page.number) not in (None, Action.ROUND_PAIRED)


def _is_withdrawn(entry: Entry, number: int) -> bool:
    return entry.withdrawn_from is not None and entry.withdrawn_from <= number


def _seated(page: RoundPage) -> set[int]:
    at_boards = {player.entry_id for line in page.boards for player in (line.white, line.black)}
    return at_boards | {line.player.entry_id for line in page.byes}


def _unpaired(entries: Iterable[Entry], page: RoundPage) -> tuple[NotPlaying, ...]:
    if page.state == RoundState.PLANNED:
        return ()
    seated = _seated(page)
    return tuple(
        NotPlaying(entry.pk, entry.tpn, entry.name_apart)
        for entry in entries
        if entry.pk not in seated
        and entry.first_round <= page.number
        and not _is_withdrawn(entry, page.number)
    )


def _not_checked_in(
    entries: Collection[Entry], page: RoundPage, away: Collection[int]
) -> tuple[NotPlaying, ...]:
    """Return the players who are expected but not checked in, until the pairings are published."""
    if page.state in PUBLIC_STATES or not any(entry.checked_in for entry in entries):
        return ()
    if page.state == RoundState.PLANNED:
        expected = {entry.pk for entry in entries} - {*away}
    else:
        expected = _seated(page) - {line.player.entry_id for line in page.other_byes}
    return tuple(
        NotPlaying(entry.pk, entry.tpn, entry.name_apart)
        for entry in entries
        if entry.pk in expected and not entry.checked_in and not entry.answer
    )


def _forfeits(page: RoundPage) -> tuple[NotPlaying, ...]:
    """Return the players who lost by forfeit, each once, by board."""
    found: dict[int, NotPlaying] = {}
    for game in page.games:
        for colour in _LOST_BY_FORFEIT.get(GameResult(game.result), ()) if game.result else ():
            player = game.white if colour == "white" else game.black
            found.setdefault(
                player.entry_id,
                NotPlaying(player.entry_id, player.tpn, player.name, board=game.board),
            )
    return tuple(found.values())


def _line_of_bye(page: RoundPage) -> Iterable[NotPlaying]:
    for line in page.byes:
        yield NotPlaying(line.player.entry_id, line.player.tpn, line.player.name, bye=line.kind)
