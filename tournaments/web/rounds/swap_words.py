"""Say what changed in a draft and what the rules say, also for screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _, ngettext

from pairing.engine.model import TPN, Colour
from pairing.rounds.checklist import NO_RULE
from pairing.rounds.swapping import Change
from pairing.rules.board_checks import BoardCheck
from pairing.rules.swapping import GiveBye, Seat, Swap, SwapColours, TakeOut
from tournaments.models import Entry
from tournaments.web.rounds.board_parts import Board
from tournaments.web.rounds.swap_parts import SwapParts
from tournaments.web.templatetags.decisions import caution_label
from tournaments.web.templatetags.numbers import colon, point_count, points

Entries = Mapping[TPN, Entry]


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One line beside a board.

    ``kind`` is ``bad`` (a broken rule), ``note`` or ``good``; *article* may be empty.
    """

    kind: str
    text: str
    article: str = ""


def check_lines(check: BoardCheck, entries: Entries) -> tuple[CheckLine, ...]:
    """Return the lines of *check*, the broken rules first."""
    return tuple(_lines(check, entries))


def _lines(check: BoardCheck, entries: Entries) -> Iterator[CheckLine]:
    for caution in check.cautions:
        names = " – ".join(entries[tpn].real_name for tpn in caution.players)
        kind = "note" if caution.code == NO_RULE else "bad"
        yield CheckLine(kind, f"{names}{colon()} {caution_label(caution.code)}", caution.article)
    for tpn, wanted in check.refused:
        sentence = (
            _("%(name)s prefers White") if wanted is Colour.WHITE else _("%(name)s prefers Black")
        )
        yield CheckLine("note", sentence % {"name": entries[tpn].real_name})
    if check.float_of is not None:
        yield from _float(check, entries)
    if check.board is not None and check.is_fine:
        yield CheckLine("good", _("no rule is broken"))
    if check.is_engines is False:
        yield CheckLine("note", _("differs from the engine’s pairing"))
    elif check.is_engines:
        yield CheckLine("good", _("as in the engine’s pairing"))


def _float(check: BoardCheck, entries: Entries) -> Iterator[CheckLine]:
    found = check.float_of
    assert found is not None
    names = {
        "down": entries[found.down].real_name,
        "up": entries[found.up].real_name,
        "points": points(found.difference),
    }
    sentence = ngettext(
        "float: %(down)s has %(points)s point more than %(up)s",
        "float: %(down)s has %(points)s points more than %(up)s",
        point_count(found.difference),
    )
    yield CheckLine("note", sentence % names)
    for tpn in found.again:
        yield CheckLine(
            "note",
            _("%(name)s floated the same way in the last round") % {"name": entries[tpn].real_name},
        )


def change_words(change: Change, entries: Entries) -> str:
    """Return what one click changed."""
    if len(change) > 1:
        return _("the players left over are paired")
    match change[0]:
        case Swap(one, other):
            return f"{entries[one].real_name} ⇄ {entries[other].real_name}"
        case SwapColours(board):
            return _("board %(board)s: colours swapped") % {"board": board}
        case TakeOut(player):
            return _("%(name)s is taken out") % {"name": entries[player].real_name}
        case GiveBye(player):
            return _("%(name)s gets the bye") % {"name": entries[player].real_name}
        case Seat(white, black):
            return f"{entries[white].real_name} – {entries[black].real_name}"


def summary(change: Change, checks: Mapping[int | None, BoardCheck], entries: Entries) -> str:
    """Return the last *change* and the checks of its boards as one text for a screen reader."""
    moving = {tpn for move in change for tpn in _players(move)}
    texts = [change_words(change, entries)]
    for board, check in checks.items():
        turned = any(isinstance(move, SwapColours) and move.board == board for move in change)
        if board is None or turned or moving & {*check.players}:
            lines = ", ".join(line.text for line in check_lines(check, entries))
            texts.append(
                f"{_('Board %(n)s') % {'n': board}}{colon()} {lines}"
                if board is not None
                else lines
            )
    return ". ".join(texts) + "."


def search_summary(parts: SwapParts[Any] | None) -> str:
    """Return what a search has found, as one text for a screen reader; empty if nobody searched."""
    if parts is None:
        return ""
    if parts.finds_nothing:
        return _("No board of this round fits.")
    if parts.only is not None:
        return _board_summary(parts.only.row)
    boards = ", ".join(_board_summary(each.row) for each in parts.found)
    return f"{_('These boards fit:')} {boards}" if boards else ""


def _board_summary(row: Board) -> str:
    return f"{_('Board %(n)s') % {'n': row.board}}{colon()} {row.white.name} – {row.black.name}"


def _players(move: Swap | SwapColours | TakeOut | GiveBye | Seat) -> tuple[TPN, ...]:
    match move:
        case Swap(one, other) | Seat(one, other):
            return (one, other)
        case TakeOut(player) | GiveBye(player):
            return (player,)
        case SwapColours():
            return ()
