"""Warn the chief arbiter about each board of a pairing made by hand [C.04.3/2026 1.9.3]."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pairing.engine.due_colours import DueColours, due_colours
from pairing.engine.model import TPN, TournamentState
from pairing.engine.past import pasts

from .publication import sound
from .published import Arrangement, changed_boards, with_bye
from .rounds import RoundFacts, RoundState
from .verdict import ALLOWED, Refused, Verdict

MAX_DIFFERENCE = 2
"""The largest colour difference that a player should have [C.04.1/2026 6]."""


COLOUR_CODES = frozenset({"third_colour", "colour_difference"})
"""The codes of the cautions about colours."""


@dataclass(frozen=True, slots=True)
class Caution:
    """A rule that a board, or the bye, would break.

    ``board`` None is the bye; ``players`` are those concerned.
    """

    code: str
    article: str
    board: int | None
    players: tuple[TPN, ...]


def cautions(
    state: TournamentState, arrangement: Arrangement, due: DueColours | None = None
) -> tuple[Caution, ...]:
    """Return the basic rules that *arrangement* breaks, in board order, the bye last.

    The rules: players met before [C.04.1/2026 2], a prohibited pair, a third game in a row with one
    colour [C.04.1/2026 7], a colour difference beyond ±2 [C.04.1/2026 6], a second allocated bye
    [C.04.1/2026 4]. Both colours of a board are the wrong way round if each player prefers the
    other one [C.04.1/2026 8]. In a match both players have both colours. *due* are the colours of
    everybody in *arrangement*, if they are known already.
    """
    read = pasts(state)
    due = due or due_colours(state, arrangement.everybody)
    found: list[Caution] = []
    for board, (white, black) in sorted(arrangement.boards.items()):
        pair = (white, black)
        if black in read[white].met:
            found.append(Caution("met_before", "C.04.1 2", board, pair))
        if frozenset(pair) in state.prohibited:
            found.append(Caution("prohibited", "C.04.2 1.5", board, pair))
        if sum(due.refused(white, black)) == len(pair):
            found.append(Caution("both_colours", "C.04.1 8", board, pair))
        for tpn, colour in ((white, "w"), (black, "b")):
            history = read[tpn].colours
            if history.endswith(colour * 2):
                found.append(Caution("third_colour", "C.04.1 7", board, (tpn,)))
            if _difference(history, colour) > MAX_DIFFERENCE:
                found.append(Caution("colour_difference", "C.04.1 6", board, (tpn,)))
    for tpn, letter in sorted(arrangement.byes.items()):
        if letter == "U" and not read[tpn].may_receive_pab:
            found.append(Caution("second_bye", "C.04.1 4", None, (tpn,)))
    return tuple(found)


def new_cautions(
    state: TournamentState, before: Arrangement, after: Arrangement
) -> tuple[Caution, ...]:
    """Return the :func:`cautions` of *after* for boards not in *before*, and for a new bye."""
    touched = {*changed_boards(before, after)}
    return tuple(
        caution
        for caution in cautions(state, after)
        if (
            caution.board in touched
            if caution.board is not None
            else before.byes.get(caution.players[0]) != "U"
        )
    )


def barred_colours(history: str) -> str:
    """Return the colours, ``w`` and ``b``, that *history* bars: a third in a row, or beyond ±2."""
    return "".join(
        colour
        for colour in "wb"
        if history.endswith(colour * 2) or _difference(history, colour) > MAX_DIFFERENCE
    )


def _difference(history: str, colour: str) -> int:
    """Return the colour difference in favour of *colour* after one more game with it."""
    return 2 * history.count(colour) - len(history) + 1


def may_pair_by_hand(
    present: frozenset[TPN], after: Arrangement, *, no_legal_pairing: str
) -> Verdict:
    """Check whether a round that has no pairing may be paired by hand as *after*.

    This is possible only where the engine finds no legal pairing; then the Chief Arbiter decides
    [C.04.3/2026 1.9.3]. *no_legal_pairing* is that article, or empty where a pairing exists.
    *present* are the players to be paired: each has exactly one place, a board or a bye, and nobody
    else has a board [C.04.2/2026 3.2, 3.3]. One player alone, who had the allocated bye before
    [C.04.1/2026 4], needs no board.
    """
    if not no_legal_pairing:
        return Refused("manual.legal_pairing_exists", "C.04.2 1.5")
    strangers = sorted({*after.everybody} - present)
    if strangers:
        return Refused("manual.absent", "C.04.2 3.3", {"players": strangers})
    if not after.boards and len(present) > 1:
        return Refused("manual.no_board", no_legal_pairing)
    return sound(Arrangement({}, dict.fromkeys(present, "")), after)


def not_gone(gone: Collection[TPN], after: Arrangement) -> Verdict:
    """Check that nobody of *gone* has a board or the allocated bye in *after*.

    They have withdrawn [C.04.2/2026 3.2] or have not arrived, and are not paired.
    """
    placed = sorted({*after.opponents(), *with_bye(after)} & {*gone})
    return Refused("manual.absent", "C.04.2 3.2", {"players": placed}) if placed else ALLOWED


def may_arrange(
    facts: RoundFacts,
    before: Arrangement,
    after: Arrangement,
    *,
    draft_is_stale: bool,
    gone: Collection[TPN] = (),
) -> Verdict:
    """Check whether a draft may be arranged by hand as *after*:
    each player keeps one place, and something changes.

    A published pairing changes only under [C.04.2/2026 4.4]. A draft that is out of date must be
    paired again first. The players *gone* get no game (:func:`not_gone`).
    """
    params: dict[str, object] = {"round": facts.number}
    match facts.state:
        case RoundState.PLANNED:
            return Refused("round.not_paired", "", params)
        case RoundState.PAIRINGS_PUBLISHED | RoundState.RESULTS_PUBLISHED:
            return Refused("round.already_published", "C.04.2 4.4", params)
        case RoundState.DRAFT if draft_is_stale:
            return Refused("draft.stale", "C.04.2 4.4", params)
        case RoundState.DRAFT:
            verdict = not_gone(gone, after)
            return verdict if isinstance(verdict, Refused) else sound(before, after)
