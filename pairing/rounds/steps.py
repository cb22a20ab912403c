"""Helpers for all actions on a round: its facts and its version."""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from pairing.rounds.versions import round_version
from pairing.rules import rounds as policy
from pairing.rules.rounds import RoundFacts
from tournaments.core.actions import require_seen
from tournaments.models import Action, Decision, Game, Round
from tournaments.models.payloads import GamesAdjourned


def require_seen_version(round_: Round, seen_version: int | None) -> None:
    """Raise :class:`Conflict` if boards or results of *round_* have changed since *seen_version*.

    One query.
    """
    if seen_version is not None:
        version = round_version(round_.tournament, round_.number)
        require_seen(seen_version, version, "round.changed_meanwhile", round=round_.number)


RESULTS: Final = (
    Action.RESULT_RECORDED,
    Action.RESULT_UNDONE,
    Action.RESULT_CORRECTED,
    Action.COLOURS_CORRECTED,
)


def require_result_as_seen(game: Game, seen_version: int | None) -> None:
    """Raise :class:`Conflict` with the person and the time,
    if the result of *game* has changed since *seen_version*.

    No query if it has not, else two.
    """
    if seen_version in (None, game.version):
        return
    last = last_result_line(game)
    require_seen(
        seen_version,
        game.version,
        "result.changed_meanwhile",
        board=game.board,
        result=game.get_result_display(),
        by=last.actor_name if last else "–",
        at=last.at if last else "–",
    )


def last_result_line(game: Game) -> Decision | None:
    """Return the newest line of the record that entered or changed the result of *game*.

    Two queries.
    """
    lines = Decision.objects.filter(
        tournament=game.round.tournament_id, round_number=game.round.number
    )
    # A line without the number of a game is about both games of a match, or about the only one.
    same_game = Q(after__game=game.number) | Q(after__game__isnull=True)
    last = (
        lines.filter(same_game, action__in=RESULTS, after__board=game.board)
        .order_by("sequence")
        .last()
    )
    later = lines.filter(action=Action.GAMES_ADJOURNED, sequence__gt=last.sequence if last else 0)
    for line in later.order_by("sequence"):
        if isinstance(line.payload, GamesAdjourned) and game.board in line.payload.after["boards"]:
            last = line
    return last


def facts_of(round_: Round, missing: tuple[int, ...] = ()) -> RoundFacts:
    """Return the round as the policies read it; *missing* are the boards without a result."""
    return RoundFacts(number=round_.number, state=policy.RoundState(round_.state), missing=missing)
