"""Check late entries, withdrawals, returns and requested byes [C.04.2/2026 2.4, 3.2, 3.3]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from .rounds import RoundFacts, RoundState, is_over, next_unpublished
from .verdict import ALLOWED, Refused, Verdict


def may_enter(
    rounds: Sequence[RoundFacts],
    first_round: int | None,
    *,
    list_closed: bool = False,
    last_late_round: int | None = None,
    may_be_admitted: bool = False,
) -> Verdict:
    """Check whether a player may join and be paired from *first_round* (None: the next) on.

    Nobody may join while the list of participants is closed: its numbers are final, and a new
    player would move the players ranked below [C.04.2/2026 2.5].

    A late entry is paired only once the player has arrived [C.04.2/2026 2.4], so never in a
    published round. *last_late_round* is the last round for which the edition accepts a late entry
    [C.04.2/2017 C.2]. *may_be_admitted*: the edition admits a late entry to published pairings
    [C.04.2/2026 4.4.4], so a player may still enter while the last round is played.
    """
    following = next_unpublished(rounds) or (after_the_last(rounds) if may_be_admitted else None)
    if following is None:
        return Refused("entry.too_late", "C.04.2 2.4")
    if last_late_round is not None and (first_round or following) > last_late_round:
        return Refused("entry.too_late_in_edition", "C.04.2 2.4", {"round": last_late_round})
    if list_closed:
        return Refused("entry.list_closed", "C.04.2 2.5")
    if first_round is None:
        return ALLOWED
    return _unpublished(rounds, first_round, "entry.round_published", "C.04.2 2.4")


def may_change_first_round(rounds: Sequence[RoundFacts], present: int) -> Verdict:
    """Check whether a player paired from round *present* on may be paired from another on.

    This is not possible once that round is published: the player takes part and cannot become a
    late entry [C.04.2/2026 2.4]. A player who cannot play gets a bye or withdraws
    [C.04.2/2026 3.2, 3.3].
    """
    if present <= len(rounds) and rounds[present - 1].state.is_public:
        return Refused("entry.takes_part", "C.04.2 2.4", {"round": present})
    return ALLOWED


def may_remove(
    rounds: Sequence[RoundFacts], *, decides: bool = True, ever_paired: bool = False
) -> Verdict:
    """Check whether an entry may be removed: only before the first round is paired.

    After that a player withdraws [C.04.2/2026 3.2], and the games played stay. *ever_paired*: there
    was a draft of round 1, discarded since. A removed player could be entered again with other
    data, which would change the draft: then only the chief arbiter removes an entry (*decides*).
    """
    if rounds[0].state is not RoundState.PLANNED:
        return Refused("entry.event_begun", "C.04.2 3.2")
    if ever_paired and not decides:
        return Refused("entry.chief_arbiter_removes", "C.04.2 3.2")
    return ALLOWED


def may_withdraw(
    rounds: Sequence[RoundFacts],
    from_round: int,
    *,
    gone_from: int | None = None,
    expelled: bool = False,
) -> Verdict:
    """Check whether a player may withdraw with effect from round *from_round*.

    A withdrawn player is no longer paired [C.04.2/2026 3.2]. A published pairing remains
    [C.04.2/2026 4.4], and its game is lost by forfeit. A player already withdrawn from a published
    round on (*gone_from*) cannot return by withdrawing later; one who is *expelled* has withdrawn
    for good. Who leaves during the last round withdraws from the round after it; once its results
    are published, nobody leaves any more.
    """
    if expelled:
        return Refused("expulsion.done", "C.04.2 3.2")
    if from_round == len(rounds) + 1 and is_over(rounds):
        return Refused("withdrawal.over", "C.04.2 3.2")
    if (
        gone_from is not None
        and gone_from < min(from_round, len(rounds) + 1)
        and rounds[gone_from - 1].state.is_public
    ):
        return Refused("withdrawal.later", "C.04.2 3.2", {"round": gone_from})
    if from_round == after_the_last(rounds):
        return ALLOWED
    return _unpublished(rounds, from_round, "withdrawal.round_published", "C.04.2 4.4")


def after_the_last(rounds: Sequence[RoundFacts]) -> int | None:
    """Return the number after that of the last round while the last round is being played;
    None at another time.

    It is the first round without a player who leaves during the last round, and the first of a
    player who enters then.
    """
    return len(rounds) + 1 if rounds[-1].state is RoundState.PAIRINGS_PUBLISHED else None


def may_expel(*, expelled: bool, removable: bool) -> Verdict:
    """Check whether a player may be expelled: once, not while removable [C.04.2/2026 3.2]."""
    if expelled:
        return Refused("expulsion.done", "C.04.2 3.2")
    if removable:
        return Refused("expulsion.not_begun", "C.04.2 3.2")
    return ALLOWED


def may_return(*, withdrawn: bool) -> Verdict:
    """Check whether a player may return: only a *withdrawn* player can.

    No article mentions a return, and withdrawn players are no longer paired [C.04.2/2026 3.2], so
    the Chief Arbiter decides.
    """
    return ALLOWED if withdrawn else Refused("entry.not_withdrawn")


def may_change_bye(rounds: Sequence[RoundFacts], round_number: int) -> Verdict:
    """Check whether a bye for round *round_number* may be requested or cancelled.

    Only players known *in advance* not to play are left out of the pairing [C.04.2/2026 3.3].
    """
    return _unpublished(rounds, round_number, "bye.round_published", "C.04.2 3.3")


@dataclass(frozen=True, slots=True)
class ByeRules:
    """The limits of the regulations for byes with points; None:
    no limit. A bye without points is always possible.

    ``most`` is the number of such byes a player may have, ``last_round`` the last round for which
    one may be requested. ``in_advance``: it must be requested before the pairings of the previous
    round are published.
    """

    most: int | None = None
    last_round: int | None = None
    in_advance: bool = False


def may_ask_for_points(
    regulations: ByeRules,
    round_number: int,
    *,
    others: int,
    rounds: Sequence[RoundFacts] = (),
    entitled: bool = True,
) -> Verdict:
    """Check whether a player with *others* byes with points may request one more,
    in *round_number* of *rounds*.

    A player known in advance not to play scores zero unless the rules of the tournament say
    otherwise [C.04.2/2026 3.3]. *regulations* are the limits of those rules; a player may not be
    *entitled* at all.
    """
    if not entitled:
        return Refused("bye.not_entitled", "C.04.2 3.3")
    if regulations.last_round is not None and round_number > regulations.last_round:
        return Refused("bye.too_late", "C.04.2 3.3", {"last": regulations.last_round})
    if regulations.in_advance and any(
        facts.number == round_number - 1 and facts.state.is_public for facts in rounds
    ):
        return Refused("bye.not_in_advance", "C.04.2 3.3", {"round": round_number - 1})
    if regulations.most is not None and others >= regulations.most:
        return Refused("bye.too_many", "C.04.2 3.3", {"limit": regulations.most})
    return ALLOWED


class ByeWarning(Enum):
    """A reason to ask for confirmation before a bye with points is recorded.

    The regulations may still allow the bye.
    """

    SECOND = "second"
    """The player already has a bye with points."""
    FULL_POINT = "full_point"
    """A point without a game is discouraged.

    Like a forfeit win it bars the player from the allocated bye [C.04.1/2026 4].
    """


def bye_warnings(kind: str, *, others: int) -> tuple[ByeWarning, ...]:
    """Return the warnings before a bye *kind* (TRF letter) is recorded
    for a player with *others* byes with points.
    """
    found = []
    if kind in ("H", "F") and others:
        found.append(ByeWarning.SECOND)
    if kind == "F":
        found.append(ByeWarning.FULL_POINT)
    return tuple(found)


def _unpublished(rounds: Sequence[RoundFacts], number: int, code: str, article: str) -> Verdict:
    if not 1 <= number <= len(rounds):
        return Refused("round.unknown", "C.04.1 1", {"round": number, "total": len(rounds)})
    if rounds[number - 1].state.is_public:
        return Refused(code, article, {"round": number})
    return ALLOWED
