"""The players' reports: both report the result of their game, and an arbiter accepts it.

A report is not a result and no line of the record: points, standings and files know nothing of it.
Accepting one is the ordinary action of the arbiter (:mod:`pairing.rounds.report_acceptance`). As
soon as a game has a result, players cannot report it any more and nobody sees the reports;
publishing the results of the round deletes them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Final

from django.db import transaction
from django.db.models import F, Q

from pairing.rules.rounds import RoundState
from pairing.rules.verdict import Refused
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Game, GameResult, PlayersReport, Round, TableCodes, Tournament

OFFERED: Final = (GameResult.WHITE_WINS, GameResult.DRAW, GameResult.BLACK_WINS)
"""The results that players can report; a forfeit, for instance, is for the arbiter."""
SIDES: Final = ("w", "b")


class ReportedBy(Enum):
    """The players who have reported the result of a game."""

    NOBODY = ""
    WHITE = "white"
    BLACK = "black"
    BOTH = "both"
    DIFFERENT = "different"
    """Both, with different results."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What White and Black have reported for a game, and when last; empty: nothing."""

    white: str = ""
    black: str = ""
    at: datetime | None = field(default=None, compare=False)

    @property
    def by(self) -> ReportedBy:
        if self.white and self.black:
            return ReportedBy.BOTH if self.white == self.black else ReportedBy.DIFFERENT
        if self.white:
            return ReportedBy.WHITE
        return ReportedBy.BLACK if self.black else ReportedBy.NOBODY

    @property
    def result(self) -> str:
        """The reported result; empty if there is none, or if the two differ."""
        return "" if self.by is ReportedBy.DIFFERENT else self.white or self.black


NOTHING: Final = Reported()


def players_report_give(
    *, game_id: int, side: str, result: str, now: datetime, seen_version: int
) -> PlayersReport:
    """Save what *side* (``w`` or ``b``) reports; a later report of it replaces this one.

    Nobody needs an account. Refused with ``players_report.off`` while reports are switched off and
    in a copy that was handed over, with ``players_report.round_over`` unless the round is running,
    and with ``players_report.entered`` if an arbiter has entered a result, which is never
    overwritten. :class:`Conflict` ``players_report.moved`` if the game is gone or has changed since
    *seen_version*: other players, other colours. ``BadInput`` for another side or result. The
    tournament is locked as for an action of an arbiter.
    """
    if side not in SIDES or result not in OFFERED:
        raise BadInput("players_report.unknown", field="result", expected=list(OFFERED))
    with transaction.atomic():
        game = _locked(game_id)
        tournament = game.round.tournament
        codes = TableCodes.objects.filter(tournament=tournament, takes_reports=True)
        if tournament.handed_over_at is not None or not codes.exists():
            raise RuleRefused(Refused("players_report.off"))
        if game.round.state != RoundState.PAIRINGS_PUBLISHED or tournament.final_at is not None:
            raise RuleRefused(Refused("players_report.round_over"))
        if game.result != GameResult.NOT_YET:
            raise RuleRefused(Refused("players_report.entered"))
        if game.version != seen_version:
            raise Conflict("players_report.moved")
        report = PlayersReport.objects.filter(game=game, side=side).first() or PlayersReport(
            game=game, side=side
        )
        if report.result == result:
            return report
        report.result, report.at = result, now
        report.save()
        codes.update(reports=F("reports") + 1)
        return report


def reports_of(tournament: Tournament, number: int) -> dict[int, Reported]:
    """Return the players' reports of round *number* by game, of games without a result only.

    One query.
    """
    return _by_game(Q(game__round__tournament=tournament, game__round__number=number))


def reports_of_games(games: Collection[Game]) -> dict[int, Reported]:
    """Return the players' reports of *games* by game, of those without a result only. One query."""
    return _by_game(Q(game__in=games))


def swap_colours_of_reports(games: Collection[Game]) -> None:
    """Turn the reports of *games* whose colours an open transaction swaps. Two queries."""
    reports = list(PlayersReport.objects.filter(game__in=games))
    if not reports:
        return
    PlayersReport.objects.filter(game__in=games).delete()
    for report in reports:
        report.pk = None
        report.side, report.result = "b" if report.side == "w" else "w", report.result[::-1]
    PlayersReport.objects.bulk_create(reports)


def delete_reports(round_: Round) -> None:
    """Delete the players' reports of a round whose results are published now. One query."""
    PlayersReport.objects.filter(game__round=round_).delete()


def _locked(game_id: int) -> Game:
    """Return the game in its locked tournament."""
    try:
        tournament = Tournament.objects.select_for_update(of=("self",)).get(rounds__games=game_id)
        game = Game.objects.select_related("round").get(pk=game_id)
    except (Tournament.DoesNotExist, Game.DoesNotExist) as error:
        raise Conflict("players_report.moved") from error
    game.round.tournament = tournament
    return game


def _by_game(which: Q) -> dict[int, Reported]:
    sides: defaultdict[int, dict[str, PlayersReport]] = defaultdict(dict)
    for row in PlayersReport.objects.filter(which, game__result=GameResult.NOT_YET):
        sides[row.game_id][row.side] = row
    return {
        game: Reported(
            rows["w"].result if "w" in rows else "",
            rows["b"].result if "b" in rows else "",
            max(row.at for row in rows.values()),
        )
        for game, rows in sides.items()
    }
