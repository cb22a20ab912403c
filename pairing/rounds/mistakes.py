"""A player reports a mistake in a result, and an arbiter finds it with its time.

A report changes nothing and is not a line of the record: the correction of an arbiter is, with the
time of the report, which decides the effect [C.04.2/2026 4.3].
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from pairing.rounds.running import TableGame, games_at, games_of
from pairing.rules.corrections import MistakeFacts, may_report_mistake
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.rules.verdict import Refused, Verdict
from tournaments.core.actions import in_own_edition, lock_if_live
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import (
    EnteredResults,
    Entry,
    Game,
    GameResult,
    MistakeReport,
    Round,
    Seat,
    Tournament,
)
from tournaments.models.mistake_report import ANSWERS, COLOURS

NOT_ENTERED: Final = (GameResult.NOT_YET, GameResult.ADJOURNED)


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """A game whose result can be reported as wrong; ``reports`` wait, the oldest first."""

    game: TableGame
    entries: dict[str, int]
    """The entries of White (``w``) and Black (``b``)."""
    reports: tuple[MistakeReport, ...]


@dataclass(frozen=True, slots=True)
class Reportable:
    """The newest public round for a report of a mistake, its games, and if it is possible now."""

    round: Round | None
    games: tuple[ReportedGame, ...]
    verdict: Verdict
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A report that waits, for an arbiter; ``result`` is what was entered."""

    report: MistakeReport
    round_number: int
    is_published: bool
    board: int
    number: int | None
    white: str
    black: str
    result: str
    by: str
    side: str


def newest_round(tournament: Tournament) -> Round | None:
    """Return the newest round with public pairings. One query."""
    rows = Round.objects.filter(tournament=tournament, state__in=PUBLIC_STATES)
    return rows.order_by("number").last()


def reportable(
    tournament: Tournament, now: datetime, *, entry: int | None = None, table: int | None = None
) -> Reportable:
    """Return the games of a player, or at a table, in the newest round, and whether a mistake can
    be reported *now*. About eight queries.
    """
    round_ = newest_round(tournament)
    until = tournament.corrections_until
    verdict = may_report(tournament, round_, now)
    if round_ is None or (isinstance(verdict, Refused) and verdict.code == "mistake.hidden"):
        return Reportable(round_, (), verdict, until)
    found = games_of(round_, entry) if entry is not None else games_at(round_, table or 0)
    games = [each for each in found if each.result not in NOT_ENTERED]
    seats = _seats([each.game_id for each in games])
    reports = waiting_reports([each.game_id for each in games])
    return Reportable(
        round_,
        tuple(
            ReportedGame(each, seats[each.game_id], tuple(reports.get(each.game_id, ())))
            for each in games
        ),
        verdict,
        until,
    )


def may_report(tournament: Tournament, round_: Round | None, now: datetime) -> Verdict:
    """Check whether a player may report a mistake in *round_*, the newest one, *now*."""
    facts = MistakeFacts(
        is_running=round_ is not None and round_.state == RoundState.PAIRINGS_PUBLISHED,
        is_published=round_ is not None and round_.state == RoundState.RESULTS_PUBLISHED,
        is_hidden=tournament.entered_results == EnteredResults.NONE,
        is_final=tournament.final_at is not None,
        until=tournament.corrections_until,
    )
    return may_report_mistake(facts, now)


def waiting_reports(games: Collection[int]) -> dict[int, list[MistakeReport]]:
    """Return the reports about *games* (their ids) that wait for an arbiter, the oldest first.

    One query; none without games.
    """
    found: defaultdict[int, list[MistakeReport]] = defaultdict(list)
    for row in _open(MistakeReport.objects.filter(game__in=games).select_related("entry")):
        found[row.game_id].append(row)
    return dict(found)


def report_of(reports: Iterable[MistakeReport], entry: int) -> MistakeReport | None:
    """Return the report of the player *entry* among *reports* about one game; None without it."""
    return next((report for report in reports if report.entry_id == entry), None)


def _seats(games: Collection[int]) -> dict[int, dict[str, int]]:
    """Return the entries of each of *games* by colour; in the second game of a match the colours
    are the other ones. Two queries.
    """
    firsts = {
        game: first or game
        for game, first in Game.objects.filter(pk__in=games).values_list("pk", "first")
    }
    of_first: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for game, colour, entry in Seat.objects.filter(game__in=firsts.values()).values_list(
        "game", "colour", "entry"
    ):
        of_first[game][colour] = entry
    other = {"w": "b", "b": "w"}
    return {
        game: of_first[first]
        if game == first
        else {other[colour]: entry for colour, entry in of_first[first].items()}
        for game, first in firsts.items()
    }


def mistake_report(
    *,
    tournament_id: int,
    game_id: int,
    side: str,
    right: str,
    now: datetime,
    seen_version: int,
    at_table: bool = False,
) -> MistakeReport:
    """Save that the player of *side* reports a mistake; the caller has opened a transaction.

    The same report again keeps its time, another one replaces it; but nobody without the code of
    the table replaces a report with it: refused with ``mistake.from_table``. ``BadInput`` for
    another side or answer, or the result that was entered; refused by
    :func:`~pairing.rules.corrections.may_report_mistake`; ``Conflict`` ``mistake.moved`` if the
    game has changed since *seen_version*.
    """
    if side not in ("w", "b") or right not in ANSWERS:
        raise BadInput("mistake.unknown", field="right")
    tournament = lock_if_live(pk=tournament_id)
    if tournament is None:
        raise RuleRefused(Refused("mistake.away"))
    round_ = newest_round(tournament)
    verdict = may_report(tournament, round_, now)
    if isinstance(verdict, Refused):
        raise RuleRefused(in_own_edition(tournament, verdict))
    game = Game.objects.filter(pk=game_id, round=round_).first()
    if game is None or game.version != seen_version or game.result in NOT_ENTERED:
        raise Conflict("mistake.moved")
    if right == game.result:
        raise BadInput("mistake.same", field="right")
    entry = _seats([game.pk])[game.pk][side]  # a game with a result has two players
    found = MistakeReport.objects.filter(game=game, entry=entry).first()
    row = found or MistakeReport(game=game, entry_id=entry)
    if found is not None and found.settled_at is None:
        if found.right == right:
            found.at_table = found.at_table or at_table
            found.save(update_fields=["at_table"])
            return found
        if found.at_table and not at_table:
            raise RuleRefused(Refused("mistake.from_table"))
    row.right, row.at, row.at_table = right, now, at_table
    row.settled_at, row.settled_by = None, ""
    row.save()
    return row


def _open(rows: QuerySet[MistakeReport]) -> QuerySet[MistakeReport]:
    """Return the reports nobody has dealt with: not those that are right by now, nor those of a
    player who does not sit there any more.
    """
    sits = Q(game=OuterRef("game")) | Q(game=OuterRef("game__first"))
    return rows.filter(
        Exists(Seat.objects.filter(sits, entry=OuterRef("entry"))), settled_at=None
    ).exclude(~Q(right=COLOURS) & Q(right=F("game__result")))


def _of(tournament: Tournament) -> QuerySet[MistakeReport]:
    return MistakeReport.objects.filter(game__round__tournament=tournament)


def count_of_mistakes(tournament: Tournament) -> int:
    """Return how many reports of mistakes wait for an arbiter. One query."""
    return _open(_of(tournament)).count()


def mistakes(tournament: Tournament) -> list[Mistake]:
    """Return the reports of mistakes that wait, the oldest first. Three queries."""
    rows = list(_open(_of(tournament)).select_related("game__round", "game__first", "entry"))
    seats = _seats([row.game_id for row in rows])
    names = dict(
        Entry.objects.filter(
            pk__in=[pk for each in seats.values() for pk in each.values()]
        ).values_list("pk", "name")
    )
    found = []
    for row in rows:
        own = seats[row.game_id]
        side = next(colour for colour, entry in own.items() if entry == row.entry_id)
        game = row.game
        found.append(
            Mistake(
                report=row,
                round_number=game.round.number,
                is_published=game.round.state == RoundState.RESULTS_PUBLISHED,
                board=game.board,
                number=_number(game),
                white=names[own["w"]],
                black=names[own["b"]],
                result=game.result,
                by=row.entry.name,
                side=side,
            )
        )
    return found


def _number(game: Game) -> int | None:
    """Return the number of a game in its match; None where a round is one game."""
    is_of_match = game.first_id is not None or hasattr(game, "second")
    return game.number if is_of_match else None


def mistake_reported(*, game_id: int, report_id: int) -> MistakeReport | None:
    """Return a report about a game; None without it. One query."""
    return MistakeReport.objects.select_related("entry").filter(pk=report_id, game=game_id).first()


def mistake_settle(*, tournament_id: int, report_id: int, by: str, now: datetime) -> None:
    """Save that an arbiter has dealt with a report; the caller has opened a transaction and checked
    the power. The second time nothing happens.
    """
    if lock_if_live(pk=tournament_id) is None:
        raise RuleRefused(Refused("mistake.away"))
    rows = MistakeReport.objects.filter(
        pk=report_id, game__round__tournament=tournament_id, settled_at=None
    )
    rows.update(settled_at=now, settled_by=by)
