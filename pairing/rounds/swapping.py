"""Arrange a draft click by click: the changes are in the address of the page, and nothing is
written until they are saved [C.04.3/2026 1.9.3].
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from pairing.engine.due_colours import due_colours
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.systems import pair, system_by_code
from pairing.rounds.paired_before import PAIRED, engine_gave
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import not_in_round, snapshot
from pairing.rules.board_checks import BoardCheck, board_checks
from pairing.rules.manual import not_gone
from pairing.rules.published import Arrangement, new_pairs, with_bye
from pairing.rules.swapping import (
    GiveBye,
    Move,
    Seat,
    Swap,
    SwapColours,
    TakeOut,
    left_over,
    moved,
    settled,
)
from pairing.rules.verdict import Refused
from tournaments.models import Decision, Entry, Round, Tournament

MOST_CHANGES: Final = 100
"""The most changes that can wait to be saved."""

Change = tuple[Move, ...]
"""What one click did: one move, or all boards of the players who were left over."""


@dataclass(frozen=True, slots=True)
class Click:
    """A click: the marked player and another one by entry id, or a button.

    ``button`` is ``turn-N`` for board N, ``out`` or ``bye`` for the marked player, or ``rest``.
    """

    mark: int | None = None
    other: int | None = None
    button: str = ""


@dataclass(frozen=True, slots=True)
class Swapping:
    """A draft with unsaved changes. ``after`` can have players left over (:data:`LEFT_OVER`).

    ``changes`` are those made so far; ``refused`` is why the last click, or an old change, is not
    among them. ``checks`` are those of the boards that differ from the draft, and of the bye; none
    without changes.
    """

    state: TournamentState
    entries: Mapping[TPN, Entry]
    draft: Arrangement
    after: Arrangement
    changes: tuple[Change, ...]
    checks: Mapping[int | None, BoardCheck]
    refused: Refused | None = None

    @property
    def changed(self) -> tuple[int, ...]:
        """The boards whose players or colours are not those of a board of the draft."""
        return new_pairs(self.draft, self.after)

    @property
    def left(self) -> tuple[TPN, ...]:
        return left_over(self.after)

    @property
    def saved_as(self) -> Arrangement:
        """The arrangement to save: players who are left over have no game."""
        return settled(self.after)

    @property
    def token(self) -> str:
        """The changes as the page sends them back."""
        pk = {tpn: entry.pk for tpn, entry in self.entries.items()}
        return ".".join("_".join(_written(move, pk) for move in change) for change in self.changes)

    @property
    def token_before(self) -> str:
        """The same without the last change."""
        return self.token.rpartition(".")[0]


def swapping(
    tournament: Tournament, row: Round, token: str, click: Click | None = None
) -> Swapping:
    """Return the draft *row* with the changes of *token*, and then that
    of *click*. At most five queries, no write.

    A change that no longer fits, because the draft has changed, is refused, and so are those after
    it.
    """
    state, entries = snapshot(tournament, row.number)
    draft, _results = arrangement_of(row, entries)
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    made, unread = _read(token, tpn_of)
    # A player who left since the round was paired makes the draft out of date, which the page says.
    gone = not_in_round(entries, row.number) - {*draft.opponents(), *with_bye(draft)}
    now, kept, refused = _with(draft, draft, (), made, gone)
    refused = refused or unread
    if refused is None and click is not None:
        clicked = _change(click, state, now, tpn_of)
        if isinstance(clicked, Refused):
            refused = clicked
        elif clicked and len(kept) == MOST_CHANGES:
            refused = _too_many()
        elif clicked:
            now, kept, refused = _with(draft, now, kept, (clicked,), gone)
    if not kept:
        return Swapping(state, entries, draft, now, kept, {}, refused)
    checks = board_checks(
        state, now, new_pairs(draft, now), engine=_engine(tournament, row, tpn_of)
    )
    return Swapping(state, entries, draft, now, kept, checks, refused)


def _with(
    draft: Arrangement,
    now: Arrangement,
    kept: tuple[Change, ...],
    changes: Iterable[Change],
    gone: frozenset[TPN],
) -> tuple[Arrangement, tuple[Change, ...], Refused | None]:
    """Return *now* (*draft* after *kept*) with *changes* too, up to the first that is refused.

    A change that gives a place to one of *gone*, who have withdrawn or not arrived, is refused.
    """
    for change in changes:
        result = moved(draft, (move for one in (*kept, change) for move in one))
        if isinstance(result, Refused):
            return now, kept, result
        if isinstance(verdict := not_gone(gone, result), Refused):
            return now, kept, verdict
        now, kept = result, (*kept, change)
    return now, kept, None


def _engine(
    tournament: Tournament, row: Round, tpn_of: Mapping[int, TPN]
) -> frozenset[tuple[TPN, TPN]] | None:
    """Return the engine's pairs of the draft; None if they are not on record. One query."""
    lines = Decision.objects.filter(
        tournament=tournament, action__in=PAIRED, round_number=row.number
    )
    given = engine_gave(lines.order_by("-sequence").first())
    if given is None:
        return None
    return frozenset(
        (tpn_of[white], tpn_of[black]) for white, black in given if {white, black} <= tpn_of.keys()
    )


def _change(
    click: Click, state: TournamentState, now: Arrangement, tpn_of: Mapping[int, TPN]
) -> Change | Refused:
    """Return the moves that *click* makes; none for a mark, or what cannot be clicked."""
    mark, other = (tpn_of.get(pk) if pk is not None else None for pk in (click.mark, click.other))
    if click.button == "rest":
        return _rest(state, now)
    if turned := re.fullmatch(r"turn-(\d{1,6})", click.button):
        return (SwapColours(int(turned[1])),)
    if mark is None:
        return ()
    if click.button == "out":
        return (TakeOut(mark),)
    if click.button == "bye":
        return (GiveBye(mark),)
    if other is None or other == mark:
        return ()
    waiting = [tpn for tpn in (mark, other) if now.byes.get(tpn, "U") != "U"]
    if len(waiting) < 2:
        return (Swap(mark, other),)
    seated = frozenset([*now.opponents(), *with_bye(now), *waiting])
    return (Seat(*due_colours(state, seated).white_and_black(mark, other)),)


def _rest(state: TournamentState, now: Arrangement) -> Change | Refused:
    """Return the boards that the engine gives to the players who are left over,
    with all other boards as they are.

    The engine gives the bye to one of an odd number. Colours follow from all players of the round
    [C.04.3/2026 5.2.5].
    """
    left = left_over(now)
    if not left:
        return Refused("swap.nobody_left")
    if len(left) % 2 and with_bye(now):
        return Refused("swap.one_too_many", "C.04.1 3")
    others = frozenset(player.tpn for player in state.players) - {*left}
    try:
        rest = pair(replace(state, absent=others))
    except NoLegalPairingError:
        return Refused("swap.no_legal_pairing", system_by_code(state.system).no_legal_pairing)
    due = due_colours(state, frozenset([*now.opponents(), *with_bye(now), *left]))
    moves: list[Move] = [Seat(*due.white_and_black(one, other)) for one, other in rest.pairs]
    return (*moves, *(GiveBye(tpn) for tpn in (rest.bye,) if tpn is not None))


# ------------------------------------------------------------------------------------- changes in
# an address

_MOVE: Final = re.compile(r"(\d{1,18})([xvou])(\d{0,18})|c(\d{1,6})")


def _written(move: Move, pk: Mapping[TPN, int]) -> str:
    match move:
        case Swap(one, other):
            return f"{pk[one]}x{pk[other]}"
        case Seat(white, black):
            return f"{pk[white]}v{pk[black]}"
        case TakeOut(player):
            return f"{pk[player]}o"
        case GiveBye(player):
            return f"{pk[player]}u"
        case SwapColours(board):
            return f"c{board}"
        case _:
            assert_never(move)


def _read(token: str, tpn_of: Mapping[int, TPN]) -> tuple[Sequence[Change], Refused | None]:
    """Return the changes of *token* up to the first unreadable one, and its refusal."""
    changes: list[Change] = []
    for text in token.split(".") if token else ():
        if len(changes) == MOST_CHANGES:
            return changes, _too_many()
        moves = [_move(word, tpn_of) for word in text.split("_")]
        known = tuple(_known(moves))
        if len(known) < len(moves):
            return changes, Refused("swap.does_not_fit")
        changes.append(known)
    return changes, None


def _too_many() -> Refused:
    return Refused("swap.too_many", params={"most": MOST_CHANGES})


def _known(moves: Iterable[Move | None]) -> Iterable[Move]:
    return (move for move in moves if move is not None)


def _move(word: str, tpn_of: Mapping[int, TPN]) -> Move | None:
    found = _MOVE.fullmatch(word)
    if found is None:
        return None
    first, kind, second, board = found.groups()
    if board:
        return SwapColours(int(board))
    one = tpn_of.get(int(first))
    other = tpn_of.get(int(second)) if second else None
    if one is None or (other is None) != (kind in "ou"):
        return None
    match kind:
        case "x" if other is not None:
            return Swap(one, other)
        case "v" if other is not None:
            return Seat(one, other)
        case "o":
            return TakeOut(one)
        case _:
            return GiveBye(one)
