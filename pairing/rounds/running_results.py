"""The results of the running round as they come in, where the tournament shows them to everybody.

They are provisional until the results of the round are published [C.04.2/2026 4.2]: standings,
tie-breaks and files know nothing of them. Pages and screens read them here only, so the setting
``entered_results`` has one guard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Max, Sum

from pairing.rounds.round_page import BoardLine, GameLine, RoundPage, round_page
from pairing.rules.plausible import PlayedBoard, upsets
from pairing.rules.rounds import RoundState
from tournaments.core.frame import Frame
from tournaments.models import EnteredResults, Game, GameResult, Round, Tournament

SURPRISE: Final = 100
"""From this difference of ratings on, a win of the lower one is listed."""
MOST_SURPRISES: Final = 10
NOT_FINISHED: Final = (GameResult.NOT_YET, GameResult.ADJOURNED)


@dataclass(frozen=True, slots=True)
class Surprise:
    """A win against a player who is rated ``difference`` points higher."""

    game: GameLine
    difference: int


@dataclass(frozen=True, slots=True)
class RunningResults:
    """The running round with the results entered so far; initials where names are hidden."""

    page: RoundPage

    @property
    def games(self) -> int:
        return len(self.page.games)

    @property
    def finished(self) -> int:
        """The games with a result; an adjourned game has none yet."""
        return sum(game.result not in NOT_FINISHED for game in self.page.games)

    @property
    def boards(self) -> tuple[BoardLine, ...]:
        """All boards, the top board first [C.04.2/2026 3.6]."""
        return self.page.boards

    @property
    def surprises(self) -> tuple[Surprise, ...]:
        """The wins against players rated :data:`SURPRISE` points higher or more, largest first."""
        games = {game.game_id: game for game in self.page.games}
        played = [
            PlayedBoard(
                game.board,
                game.white.entry_id,
                game.black.entry_id,
                game.white.rating,
                game.black.rating,
                game.result,
                game.game_id,
            )
            for game in self.page.games
        ]
        found = [
            Surprise(games[each.board.game], each.difference)
            for each in upsets(played, difference=SURPRISE)
            if each.board.game is not None
        ]
        found.sort(key=lambda each: (-each.difference, each.game.board))
        return tuple(found[:MOST_SURPRISES])


def shows_all_results(tournament: Tournament) -> bool:
    """Return whether everybody may read results before they are published."""
    return tournament.entered_results == EnteredResults.ALL


def hides_results(tournament: Tournament) -> bool:
    """Return whether not even the players of a game read its result before it is published."""
    return tournament.entered_results == EnteredResults.NONE


def running_results(frame: Frame) -> RunningResults | None:
    """Return the running round with its entered results; None between rounds, and where the
    tournament does not show them to everybody. Three queries.
    """
    number = frame.latest_published
    if number is None or not shows_all_results(frame.tournament):
        return None
    if frame.state_of(number) != RoundState.PAIRINGS_PUBLISHED:
        return None
    row = Round.objects.get(tournament=frame.tournament, number=number)
    return RunningResults(round_page(frame, row, with_entered=True))


def running_key(tournament: Tournament) -> str:
    """Return a key that changes with each entered result of a running round. One query."""
    running = Game.objects.filter(
        round__tournament=tournament, round__state=RoundState.PAIRINGS_PUBLISHED
    )
    found = running.aggregate(Count("pk"), Max("pk"), Sum("version"))
    return ".".join(str(value or 0) for value in found.values())
