"""Why a round is paired as it is, for the arbiter at the desk [C.04.1/2026 9]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.past import pasts
from pairing.explaining import explainer_of
from pairing.rounds.seats import seating
from pairing.rounds.snapshot import snapshot
from pairing.rules.names import fold
from pairing.rules.publication import Arrangement
from tournaments.models import ByeKind, Entry, Round, Tournament


@dataclass(frozen=True, slots=True)
class Passage:
    """What belongs to one heading: a bracket, a board, the bye. ``lines`` are (steps in, words)."""

    heading: str
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PairedBy:
    """What a player was paired by, in tenths: the points, and the virtual points of the round [C.04.7/2026]."""

    entry: Entry
    points: int
    virtual: int


@dataclass(frozen=True, slots=True)
class Why:
    """The answer about one player: the brackets and the board, and why another was not met.

    ``board`` is where the player sits, with White and Black. ``differs``: the rules give another round from what is
    known today than the one that stands (a change, a correction, a pairing by hand). ``is_paired`` is False for who had
    no place to be paired for, ``can_be_paired`` False where no legal pairing is left. ``paired_by`` are the players of
    the answer where the round has virtual points, else nobody.
    """

    asked: Entry
    board: tuple[int, Entry, Entry] | None = None
    passages: tuple[Passage, ...] = ()
    why_not: tuple[Passage, ...] = ()
    differs: bool = False
    is_paired: bool = True
    can_be_paired: bool = True
    paired_by: tuple[PairedBy, ...] = ()


def people(tournament: Tournament) -> list[Entry]:
    """Everybody who has a number, by name. One query."""
    entries = Entry.objects.filter(tournament=tournament, tpn__isnull=False)
    return sorted(entries, key=lambda entry: (fold(entry.name), entry.tpn))


def why(tournament: Tournament, row: Round, *, asked: Entry, other: Entry | None, language: str) -> Why:
    """What the rules say about the place of *asked* in the round, and why *other* was not met. Six queries.

    Costs about as much as pairing the round, with *other* twice as much.
    """
    state, entries = snapshot(tournament, row.number)
    tpn = TPN(asked.tpn or 0)
    if tpn in state.absent:
        return Why(asked, is_paired=False)
    explainer = explainer_of(state)
    names: dict[int, str] = {number: entry.name for number, entry in entries.items()}
    try:
        explained = explainer.explain(state, [tpn])
        passages = _passages(explainer.sentences(explained, language, names))
        found: tuple[Passage, ...] = ()
        if other is not None and other != asked:
            answer = explainer.why_not(state, tpn, TPN(other.tpn or 0))
            found = _passages(explainer.why_not_sentences(answer, language, names))
    except NoLegalPairingError:
        return Why(asked, can_be_paired=False)
    # The first passage counts the brackets of the answer.
    now, _ = seating(row, entries)
    seats = ((n, entries[white], entries[black]) for n, (white, black) in now.boards.items() if tpn in (white, black))
    board = next(seats, None)
    differs = not _stands(now, explained.pairing)
    told = (entry for entry in (asked, *(board or ())[1:], other) if isinstance(entry, Entry) and entry.tpn is not None)
    paired_by = _paired_by(state, entries, dict.fromkeys(TPN(entry.tpn or 0) for entry in told))
    return Why(asked, board, passages[1:], found, differs=differs, paired_by=paired_by)


def _paired_by(state: TournamentState, entries: Mapping[TPN, Entry], told: Iterable[TPN]) -> tuple[PairedBy, ...]:
    """What those of *told* are paired by; nothing where nobody has virtual points in the round of *state*."""
    players, read = state.by_tpn(), pasts(state)
    virtual = {tpn: player.virtual_points_in(state.round_number) - player.decided for tpn, player in players.items()}
    if not any(virtual.values()):
        return ()
    return tuple(PairedBy(entries[tpn], read[tpn].score + players[tpn].decided, virtual[tpn]) for tpn in told)


def _passages(sentences: Iterable[str]) -> tuple[Passage, ...]:
    return tuple(_gathered(sentences))


def _gathered(sentences: Iterable[str]) -> Iterator[Passage]:
    """Sentences under their headings: what belongs to one stands two spaces in for every step."""
    heading, lines = "", list[tuple[int, str]]()
    for sentence in sentences:
        words = sentence.lstrip()
        if not words:
            continue
        if words != sentence:
            lines.append(((len(sentence) - len(words)) // 2, words))
            continue
        if heading:
            yield Passage(heading, tuple(lines))
        heading, lines = words, []
    if heading:
        yield Passage(heading, tuple(lines))


def _stands(now: Arrangement, pairing: Pairing) -> bool:
    """Whether the round is the one of *pairing*, colours and bye included."""
    bye = next((tpn for tpn, letter in now.byes.items() if letter == ByeKind.PAIRING_ALLOCATED), None)
    return ({*now.boards.values()}, bye) == ({*pairing.pairs}, pairing.bye)
