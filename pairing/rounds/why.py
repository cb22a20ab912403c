"""Explain the pairing of a round to the arbiter at the desk [C.04.1/2026 9]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.past import pasts
from pairing.engine.plain.reasons import (
    Facts,
    first_opponent,
    plain_colour,
    plain_reason,
    plain_why_not,
)
from pairing.engine.plain.words import plain_sentence
from pairing.explaining import explainer_of, obstacle_of
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from pairing.rules.names import fold
from pairing.rules.published import Arrangement
from tournaments.models import ByeKind, Entry, Round, Tournament


@dataclass(frozen=True, slots=True)
class Passage:
    """The lines under one heading: a bracket, a board, the bye.

    ``lines`` are (indentation steps, words).
    """

    heading: str
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PairedBy:
    """A pairing score in tenths: points, and virtual points of the round [C.04.7/2026]."""

    entry: Entry
    points: int
    virtual: int


@dataclass(frozen=True, slots=True)
class Why:
    """The explanation for one player: brackets, board, and why the player did not meet another.

    ``board`` is the player's board with White and Black. ``differs``: from today's data the rules
    give another round than the existing one (after a pairing change, a correction or a pairing by
    hand). ``is_paired`` is False if the player was not due to be paired, ``can_be_paired`` is False
    if no legal pairing is left. ``paired_by`` lists the players of the explanation if the round has
    virtual points, otherwise it is empty.

    ``plain`` are the sentences to say to the player: why this opponent, why this colour.
    ``plain_why_not`` is the same for the other player. ``first`` is why the opponent whom the rules
    try first was not possible, or not as good.
    """

    player: Entry
    board: tuple[int, Entry, Entry] | None = None
    passages: tuple[Passage, ...] = ()
    why_not: tuple[Passage, ...] = ()
    differs: bool = False
    is_paired: bool = True
    can_be_paired: bool = True
    paired_by: tuple[PairedBy, ...] = ()
    plain: tuple[str, ...] = ()
    plain_why_not: str = ""
    first: tuple[Passage, ...] = ()


def people(tournament: Tournament) -> list[Entry]:
    """Return every player with a number, by name. One query."""
    entries = Entry.objects.filter(tournament=tournament, tpn__isnull=False)
    return sorted(entries, key=lambda entry: (fold(entry.name), entry.tpn))


def why(
    tournament: Tournament, row: Round, *, player: Entry, other: Entry | None, language: str
) -> Why:
    """Explain the place of *player*, and why the player did not meet *other*. Six queries.

    It takes a few times as long as pairing the round: the player whom the rules try first, and
    *other*, are paired with *player* in a round of their own.
    """
    state, entries = snapshot(tournament, row.number)
    tpn = TPN(player.tpn or 0)
    if tpn in state.absent:
        return Why(player, is_paired=False)
    explainer = explainer_of(state)
    names: dict[int, str] = {number: entry.name for number, entry in entries.items()}
    try:
        explained = explainer.explain(state, [tpn])
        passages = _passages(explainer.sentences(explained, language, names))
        facts = Facts(state, explained.pairing)
        tried, obstacle, first = first_opponent(facts, tpn, explained), None, tuple[Passage, ...]()
        if tried is not None and tried != facts.opponent_of(tpn):
            answer = explainer.why_not(state, tpn, tried)
            obstacle = obstacle_of(answer, state)
            first = _passages(explainer.why_not_sentences(answer, language, names))
        plain = [plain_reason(facts, tpn, explained, tried, obstacle), plain_colour(facts, tpn)]
        found: tuple[Passage, ...] = ()
        why_not = ""
        if other is not None and other != player:
            answer = explainer.why_not(state, tpn, TPN(other.tpn or 0))
            found = _passages(explainer.why_not_sentences(answer, language, names))
            reason = plain_why_not(facts, tpn, TPN(other.tpn or 0), obstacle_of(answer, state))
            why_not = plain_sentence(reason, language, names)
    except NoLegalPairingError:
        return Why(player, can_be_paired=False)
    # The first passage counts the brackets of the explanation.
    now, _ = arrangement_of(row, entries)
    seats = (
        (n, entries[white], entries[black])
        for n, (white, black) in now.boards.items()
        if tpn in (white, black)
    )
    board = next(seats, None)
    differs = not _stands(now, explained.pairing)
    named = (
        entry
        for entry in (player, *(board or ())[1:], other)
        if isinstance(entry, Entry) and entry.tpn is not None
    )
    paired_by = _paired_by(state, entries, dict.fromkeys(TPN(entry.tpn or 0) for entry in named))
    return Why(
        player,
        board,
        passages[1:],
        found,
        differs=differs,
        paired_by=paired_by,
        plain=tuple(plain_sentence(one, language, names) for one in plain if one is not None),
        plain_why_not=why_not,
        first=first,
    )


def _paired_by(
    state: TournamentState, entries: Mapping[TPN, Entry], tpns: Iterable[TPN]
) -> tuple[PairedBy, ...]:
    """Return the pairing scores of *tpns*; empty without virtual points in the round."""
    players, read = state.by_tpn(), pasts(state)
    virtual = {
        tpn: player.virtual_points_in(state.round_number) - player.decided
        for tpn, player in players.items()
    }
    if not any(virtual.values()):
        return ()
    return tuple(
        PairedBy(entries[tpn], read[tpn].score + players[tpn].decided, virtual[tpn]) for tpn in tpns
    )


def _passages(sentences: Iterable[str]) -> tuple[Passage, ...]:
    return tuple(_gathered(sentences))


def _gathered(sentences: Iterable[str]) -> Iterator[Passage]:
    """Group sentences under their headings; each step of detail is indented by two spaces."""
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
    """Return whether the round equals *pairing*, colours and bye included."""
    bye = next(
        (tpn for tpn, letter in now.byes.items() if letter == ByeKind.PAIRING_ALLOCATED), None
    )
    return ({*now.boards.values()}, bye) == ({*pairing.pairs}, pairing.bye)
