"""The ledger of reports to the rating officer: the games sent, and those of the next.

The ledger is the lines of the record: it has no table that could say something else, nobody can
change it, and every file of the record has it. So each game is reported exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from hashlib import sha256

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from pairing.engine.model import TPN, Points
from pairing.rules.game_dates import OPEN_RESULTS
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundState
from pairing.rules.sent_games import Change, Key, ReportedGame, Selection, may_send, selected
from pairing.rules.verdict import Refused
from pairing.trf.convert import points_total
from pairing.trf.document import (
    AbnormalPoints,
    PlayerRecord,
    Record,
    RequestedByes,
    TextRecord,
    TrfDocument,
)
from pairing.trf.writer import write
from tournaments.core.actions import open_action, require
from tournaments.core.chosen_rules import point_system
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Action, Decision, Entry, Game, Seat, Tournament
from tournaments.models.payload_game_data import SentGame, SentReport
from tournaments.models.payloads import ReportSent, ReportWithdrawn
from tournaments.reports.rating_report import corrected_document, open_games_of


@dataclass(frozen=True, slots=True)
class SentLine:
    """A report that was sent: its line of the record and its data."""

    line: Decision
    report: SentReport

    @property
    def sent_at(self) -> datetime:
        """The time of the confirmation, also of a report from a newer record."""
        return (
            datetime.fromisoformat(self.report["sent_at"])
            if "sent_at" in self.report
            else self.line.at
        )


@dataclass(frozen=True, slots=True)
class NextReport:
    """The report that would be sent now: its file and its games.

    ``open_games`` are not in it, each as ``round: number – number``.
    """

    number: int
    text: str
    selection: Selection
    open_games: tuple[str, ...]

    @property
    def sha256(self) -> str:
        """The digest of the file."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Ledger:
    """The reports that were sent and not withdrawn, in order, and the number of the next one.

    A number is never used again: a page that shows a withdrawn report cannot mean another one.
    """

    reports: tuple[SentLine, ...]
    next_number: int


def ledger(tournament: Tournament) -> Ledger:
    """Return the ledger of *tournament*. One query."""
    actions = (Action.REPORT_SENT, Action.REPORT_WITHDRAWN)
    found: list[SentLine] = []
    last = 0
    for line in Decision.objects.filter(tournament=tournament, action__in=actions).order_by(
        "sequence"
    ):
        match line.payload:
            case ReportSent(after=report):
                found.append(SentLine(line, report))
                last = report["number"]
            case ReportWithdrawn():
                found.pop()
    return Ledger(tuple(found), last + 1)


def games_sent(reports: Iterable[SentLine]) -> dict[Key, tuple[int, ReportedGame]]:
    """Return the games of *reports* as last sent, with the number of the first report."""
    sent: dict[Key, tuple[int, ReportedGame]] = {}
    for one in reports:
        for game in map(game_of, one.report["games"]):
            sent[game.key] = (one.report["number"], game)
        for change in one.report["corrected"]:
            after = game_of(change["after"])
            sent[after.key] = (change["report"], after)
    return sent


def next_report(tournament: Tournament, until: date | None = None) -> NextReport:
    """Return the report with the games that are finished and not sent yet,
    and the corrections of those that are.

    Games count from the publication of their results. *until* leaves out games played later: a game
    was played on its own date, else on that of its round, else when the results of the round were
    published. The first report with every game of the published rounds is the whole report
    (:func:`~tournaments.reports.rating_report.rating_report`).
    """
    document = corrected_document(tournament)
    known = ledger(tournament)
    reports, number = known.reports, known.next_number
    entries = {
        TPN(entry.tpn or 0): entry
        for entry in Entry.objects.filter(tournament=tournament)
        if entry.tpn
    }
    selection = selected(_finished(tournament, document, entries, until), games_sent(reports))
    open_games = tuple(
        f"{number}: {white} – {black}" for number, white, black in open_games_of(document)
    )
    # A result that is entered but not published is in the document and not in the selection.
    is_whole = not reports and until is None and len(selection.games) == _number_of_games(document)
    if not is_whole:
        document = _part(
            document, selection, {entry.pk: tpn for tpn, entry in entries.items()}, tournament
        )
        comments = _comments(number, until, selection, reports, open_games, entries)
        document = replace(document, records=(*_headed(document.records, comments),))
    return NextReport(number, write(document), selection, open_games)


def report_mark_sent(
    *, tournament_id: int, sha256: str, until: date | None, actor: User, now: datetime
) -> SentReport:
    """Record that the report with the digest *sha256* was sent; possible after the end too.

    The report is made before the lock, and again under it if something was done meanwhile.
    :class:`Conflict` ``report.moved_meanwhile`` if the report of now has another digest, because a
    result was entered or corrected since, or because somebody else has recorded it. Refused without
    a new game or a correction.
    """
    seen = Tournament.objects.get(pk=tournament_id)
    report = next_report(seen, until)
    with open_action(actor=actor, now=now, pk=tournament_id, after_the_end=True) as action:
        if action.tournament.version != seen.version:
            report = next_report(action.tournament, until)
        if report.sha256 != sha256:
            raise Conflict("report.moved_meanwhile")
        require(may_send(report.selection))
        after: SentReport = {
            "number": report.number,
            "sha256": sha256,
            "until": until.isoformat() if until else None,
            "games": [sent_game(game) for game in report.selection.games],
            "corrected": [
                {
                    "report": one.report,
                    "before": sent_game(one.before),
                    "after": sent_game(one.after),
                }
                for one in report.selection.corrected
            ],
        }
        action.record(ReportSent(before={}, after=after), is_public=False)
    return after


def report_withdraw(
    *, tournament_id: int, number: int, reason: str, actor: User, now: datetime
) -> None:
    """Record that report *number* was not sent after all;
    only the newest, by the Chief Arbiter, with a reason.

    Its games are in the next report again.
    """
    with open_action(actor=actor, now=now, pk=tournament_id, after_the_end=True) as action:
        if not is_reason(reason):
            raise BadInput("report.reason_missing", field="reason")
        reports = ledger(action.tournament).reports
        if not reports or reports[-1].report["number"] != number:
            raise RuleRefused(Refused("report.not_the_newest", "", {"number": number}))
        action.record(
            ReportWithdrawn(before=reports[-1].report, after={}),
            reason=reason.strip(),
            is_public=False,
        )


def game_of(values: SentGame) -> ReportedGame:
    """Return a game of the record."""
    return ReportedGame(
        values["round"], values["board"], values["white"], values["black"], tuple(values["results"])
    )


def sent_game(game: ReportedGame) -> SentGame:
    """Return *game* for the record."""
    return {
        "round": game.round_number,
        "board": game.board,
        "white": game.white,
        "black": game.black,
        "results": list(game.results),
    }


def _finished(
    tournament: Tournament, document: TrfDocument, entries: Mapping[TPN, Entry], until: date | None
) -> list[ReportedGame]:
    """Return the games of *document* whose results are published and final, played up to *until*.

    Two queries.
    """
    places = _places(tournament)
    players = {player.tpn: player for player in document.players}
    found = []
    for player in document.players:
        for number, cell in enumerate(player.rounds, 1):
            if (
                cell is None
                or cell.opponent is None
                or cell.colour is None
                or cell.colour.value != "w"
            ):
                continue
            white, black = entries[player.tpn].pk, entries[cell.opponent].pk
            place = places.get((number, frozenset((white, black))))
            other = players[cell.opponent].cell(number)
            letters = [(cell.result, other.result if other else None)]
            if document.games > 1:  # White of the second game is the other player
                letters.append((other.second if other else None, cell.second))
            results = tuple("".join(one.value if one else "" for one in pair) for pair in letters)
            if (
                place is None
                or not OPEN_RESULTS.isdisjoint(results)
                or (until and place[1] > until)
            ):
                continue
            found.append(ReportedGame(number, place[0], white, black, results))
    return sorted(found, key=lambda game: (game.round_number, game.board))


def _places(tournament: Tournament) -> dict[tuple[int, frozenset[int]], tuple[int, date]]:
    """Return board and day of the games with published results, by round and players. Two queries.

    Values instead of rows: an event of 5,000 players has more than 20,000 games.
    """
    published = Q(round__tournament=tournament, round__state=RoundState.RESULTS_PUBLISHED)
    players: dict[int, list[int]] = {}
    for game, entry in Seat.objects.filter(published, game__isnull=False).values_list(
        "game", "entry"
    ):
        players.setdefault(game, []).append(entry)
    times = ("second__starts_at", "starts_at", "round__starts_at", "round__results_published_at")
    rows = Game.objects.filter(published, first=None).values_list(
        "pk", "round__number", "board", *times
    )
    now = timezone.now()

    @cache
    def day(at: datetime) -> date:
        return timezone.localtime(at).date()

    return {
        (number, frozenset(players.get(game, ()))): (board, day(next(filter(None, moments), now)))
        for game, number, board, *moments in rows
    }


def _number_of_games(document: TrfDocument) -> int:
    """Return the number of boards with two players in *document*, over or not."""
    cells = (cell for player in document.players for cell in player.rounds)
    return sum(cell is not None and cell.opponent is not None for cell in cells) // 2


def _part(
    document: TrfDocument, selection: Selection, tpn_of: Mapping[int, TPN], tournament: Tournament
) -> TrfDocument:
    """Return *document* with the games of *selection* alone.

    Every other round of a player is blank, byes too, and the points are those of the games in the
    file. All players stay, because the games name them by number. Point adjustments and requested
    byes belong to the standings.
    """
    kept = {
        (game.round_number, tpn_of[entry])
        for game in selection.games
        for entry in (game.white, game.black)
    }
    values = point_system(tournament)

    def partly(record: Record) -> Record:
        if not isinstance(record, PlayerRecord):
            return record
        cells = tuple(
            cell if (number, record.tpn) in kept else None
            for number, cell in enumerate(record.rounds, 1)
        )
        return replace(record, rounds=cells, points=Points(points_total(cells, values)))

    left_out = (AbnormalPoints, RequestedByes)
    return replace(
        document,
        records=tuple(
            partly(record) for record in document.records if not isinstance(record, left_out)
        ),
    )


def _headed(records: Iterable[Record], comments: Iterable[TextRecord]) -> Iterable[Record]:
    """Yield *records* with the comments *comments* before the first player."""
    are_written = False
    for record in records:
        if isinstance(record, PlayerRecord) and not are_written:
            yield from comments
            are_written = True
        yield record


def _comments(
    number: int,
    until: date | None,
    selection: Selection,
    reports: Iterable[SentLine],
    open_games: Iterable[str],
    entries: Mapping[TPN, Entry],
) -> Iterable[TextRecord]:
    """Yield the comments of a part: its games, earlier reports, open games, corrections."""
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    played = f" played until {until.isoformat()}" if until else ""
    yield TextRecord(
        "###",
        f"Rating report {number}: {len(selection.games)} games{played}; blank rounds are not in this report",
    )
    for one in reports:
        yield TextRecord(
            "###",
            f"Rating report {one.report['number']}, "
            f"{timezone.localtime(one.sent_at).date().isoformat()}: "
            f"{len(one.report['games'])} games, SHA-256 {one.report['sha256']}",
        )
    for game in open_games:
        yield TextRecord("###", f"Open game @ Round {game}")
    for change in selection.corrected:
        yield TextRecord("###", _change_comment(change, tpn_of))


def _change_comment(change: Change, tpn_of: Mapping[int, TPN]) -> str:
    """Return the comment on a game that an earlier report had otherwise."""

    def described_game(game: ReportedGame) -> str:
        return f"{tpn_of[game.white]} – {tpn_of[game.black]} {' '.join(game.results)}"

    return (
        f"Correction of rating report {change.report} @ Round {change.after.round_number}: "
        f"{described_game(change.before)} -> {described_game(change.after)}"
    )
