"""Check that the tables, the record, the report file and the
engine agree at any moment of an event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import connection, transaction

from pairing.engine.checker import check
from pairing.engine.model import TPN, Pairing
from pairing.engine.systems import pair
from pairing.rounds.against_engine import against_engine
from pairing.rounds.computed_standings import changes, ranked
from pairing.rounds.pair import is_stale
from pairing.rounds.seats import arrangement_of, bye_of
from pairing.rounds.snapshot import players_after, requested_byes, snapshot, takes_part
from pairing.rules.corrections import CorrectionEffect
from pairing.rules.kept_records import private_records
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.standings.points import score
from pairing.trf.convert import state_before_round
from pairing.trf.document import TrfDocument
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from tournaments.core import record
from tournaments.core.chosen_rules import is_of_matches, point_system
from tournaments.core.frame import tournament_frame
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.lists.imports.trf_unused import kept_records
from tournaments.models import Correction, Decision, Game, GameResult, Round, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export
from tournaments.standings.standings import standings

from .contents import Contents
from .replay import Replay

PAIRED: Final = ("round.paired", "round.paired_by_hand")


def require_agreement(tournament: Tournament, replay: Replay, held: Contents) -> None:
    """Check everything that must be true after every action;
    *held* is the content of the tables.
    """
    connection.check_constraints()
    require_record(tournament, replay, held)
    require_numbers(held)
    require_places(tournament)
    require_draft(tournament)
    if not has_no_players(tournament):
        document = as_read(tournament, public=False)
        require_report(tournament, document, held)
        require_secrets(tournament, document)


def as_read(tournament: Tournament, *, public: bool) -> TrfDocument:
    """Return the file as another program reads it; a Double-Swiss round is read as matches."""
    return by_rounds_played(read(trf_export(tournament, public=public)))


def require_record(tournament: Tournament, replay: Replay, held: Contents) -> None:
    """Check the chain of fingerprints, and that replaying the record from
    the start gives the content of the tables.
    """
    assert record.verify(tournament) == []
    assert differences(tournament) == []
    replay.read_on(tournament)
    contents = replay.contents
    assert {name: held.settings[name] for name in contents.settings} == contents.settings
    assert held.entries == contents.entries
    assert held.rounds == contents.rounds
    assert held.byes_requested == contents.byes_requested
    assert held.check_in == contents.check_in
    assert held.decided == contents.decided


def require_numbers(held: Contents) -> None:
    """Check that the pairing numbers run from 1; only an entry added
    before round 1 was paired may have none.
    """
    numbers = [entry["tpn"] for entry in held.entries.values() if entry["tpn"] is not None]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert held.rounds[1].state not in PUBLIC_STATES or len(numbers) == len(held.entries)


def require_places(tournament: Tournament) -> None:
    """Check that no two boards of a round use the same table."""
    games = Game.objects.filter(round__tournament=tournament, first=None).order_by("round", "board")
    places = [
        (number, table or board)
        for number, board, table in games.values_list("round", "board", "table")
    ]
    assert len(places) == len(set(places))


def require_report(tournament: Tournament, document: TrfDocument, held: Contents) -> None:
    """Check that the arbiters' file gives the engine and the standings the data of the tables,
    to the last point.
    """
    states = [kept.state for kept in held.rounds.values()]
    over = states.count(RoundState.RESULTS_PUBLISHED)
    public = over + states.count(RoundState.PAIRINGS_PUBLISHED)
    ours, _ = players_after(tournament, over)
    if not open_games(tournament) and public < tournament.total_rounds:
        # All results are in: the next round is paired from the same state.
        assert state_before_round(document, public + 1) == snapshot(tournament, public + 1)[0]
    system = point_system(tournament)
    lines = {line.tpn: line.points for line in ranked(tournament, ours).lines}
    changed = changes(tournament, ours)
    scores = {player.tpn: score(player, system, changed.get(player.tpn)) for player in ours}
    assert lines == scores == added_points(tournament, held)
    if over:
        page = standings(tournament_frame(tournament, runs=True), after_round=over)
        assert {line.tpn: line.points for line in page.lines} == lines
    if over == public:
        assert {player.tpn: player.points for player in document.players} == (
            lines if over else dict.fromkeys(lines, 0)
        )


def require_secrets(tournament: Tournament, private: TrfDocument) -> None:
    """Check that the public file holds the published pairings and
    the published results and nothing more.
    """
    public = as_read(tournament, public=True)
    over = tournament.rounds.filter(state=RoundState.RESULTS_PUBLISHED).count()
    for shown, known in zip(public.players, private.players, strict=True):
        assert shown.rounds[:over] == known.rounds[:over]
        assert [(cell.opponent, cell.colour) for cell in shown.rounds if cell] == [
            (cell.opponent, cell.colour) for cell in known.rounds if cell
        ]
        assert not any(
            cell and cell.opponent and (cell.result or cell.second) for cell in shown.rounds[over:]
        )


def require_draft(tournament: Tournament) -> None:
    """Check that an up-to-date draft, not arranged by hand,
    is the engine's pairing from the present tables.
    """
    for round_ in tournament.rounds.filter(state=RoundState.DRAFT):
        if is_stale(round_, tournament) or arranged(tournament, round_.number):
            continue
        state, entries = snapshot(tournament, round_.number)
        now, _ = arrangement_of(round_, entries)
        allocated = next((tpn for tpn, letter in now.byes.items() if letter == "U"), None)
        found = pair(state)
        assert Pairing(tuple(now.boards.values()), allocated) == found
        assert not check(state, found)
        assert sorted(now.everybody) == sorted(entries)


def arranged(tournament: Tournament, number: int) -> bool:
    """Return whether round *number* was paired or arranged by
    hand after the engine last paired it.
    """
    actions = Decision.objects.filter(tournament=tournament, round_number=number)
    last = actions.filter(action__in=(*PAIRED, "round.arranged")).order_by("-sequence").first()
    return last is not None and last.action != "round.paired"


def require_recheck(tournament: Tournament) -> None:
    """Re-check the event from its file alone: points, ranks and
    pairings differ only for a recorded cause.
    """
    if has_no_players(tournament):
        return
    found = event_recheck(tournament)
    assert (found.problem, found.points, found.ranks) == ("", (), ())
    for difference in found.rounds:
        causes = set(causes_of_difference(tournament, difference.number))
        assert causes, f"round {difference.number} comes out otherwise, and nothing was done to it"
    for kept in against_engine(tournament_frame(tournament, runs=True)):
        assert kept.known
        assert kept.decisions or not kept.deviations


def causes_of_difference(tournament: Tournament, number: int) -> Iterator[str]:
    """Yield the actions after which round *number* could be paired differently,
    because they change its data.
    """
    rows = list(Decision.objects.filter(tournament=tournament).order_by("sequence"))
    paired = max(
        row.sequence for row in rows if row.action in PAIRED and row.round_number == number
    )
    for row in rows[paired - 1 :]:
        of_round = row.round_number or 0
        match row.action:
            case "round.paired_by_hand" | "round.arranged" | "round.changed" if of_round == number:
                yield row.action
            case "colours.corrected" | "correction.applied" | "result.corrected" if (
                of_round <= number
            ):
                yield row.action
            case "result.recorded" | "result.undone" if of_round < number:
                yield row.action
            case "numbers.assigned" | "rounds.changed":
                yield row.action
            case "entry.added" if tournament.system == "double_swiss_2026" and row.after["tpn"]:
                # The initial colour depends on the number itself [C.04.5/2026 4.3.1], so entries
                # ranked below count too.
                yield row.action
            case _:
                pass


def require_publication(tournament: Tournament, number: int) -> None:
    """Check that a round not arranged by hand is paired the same from the
    file alone when its pairings are published.

    Except for a correction that waited for this publication and is applied by now.
    """
    if not set(causes_of_difference(tournament, number)):
        assert number not in {found.number for found in event_recheck(tournament).rounds}


def require_import(tournament: Tournament, actor: User, now: datetime) -> None:
    """Check that the file, imported elsewhere, gives the same event:
    the same file and the same next round.
    """
    if (
        has_no_players(tournament)
        or open_games(tournament, before_last=True)
        or tournament.entries.filter(tpn=None).exists()
    ):
        return
    text = trf_export(tournament, public=False)
    assert set(unknown_comments(text)) <= set(tournament.trf_extras)
    with transaction.atomic():
        again = tournament_import_trf(actor=actor, now=now, data=text.encode())
        public = tournament.rounds.filter(state__in=PUBLIC_STATES).count()
        assert players_after(again, public)[0] == players_after(tournament, public)[0]
        if public < tournament.total_rounds:
            ours, theirs = (snapshot(each, public + 1)[0] for each in (tournament, again))
            assert theirs == ours
        assert byes_to_come(again, public + 2) == byes_to_come(tournament, public + 2)
        assert lines_of(trf_export(again, public=False)) == lines_of(text)
        transaction.set_rollback(True)


def unknown_comments(text: str) -> list[str]:
    """Return the comments of a report file that its import would keep as private;
    the article of points is typed.
    """
    kept = (line for _number, line in kept_records(read(text)))
    return [
        line
        for line in private_records(kept)
        if line.startswith("###") and not line.startswith("### Points")
    ]


def lines_of(text: str) -> list[str]:
    """Return the lines, sorted: dates of imported rounds are
    written among the lines kept unchanged.

    Record 072, the number of rated players, is left out: the file writes an estimate as a rating,
    and the import reads it as a rating. The comments on rounds that an import could not pair again
    are its own.
    """
    return sorted(
        line for line in text.splitlines() if not line.startswith(("072", "### Import @"))
    )


def byes_to_come(tournament: Tournament, first: int) -> set[tuple[int | None, int, str]]:
    """Return the absences and requested byes from round *first* on: (TPN, round, letter)."""
    return {
        (entry.tpn, number, bye_of(tournament, entry, number, message.get(entry.pk)))
        for number in range(first, tournament.total_rounds + 1)
        for message in [requested_byes(tournament, number)]
        for entry in tournament.entries.all()
        if entry.pk in message or not takes_part(entry, number)
    }


def has_no_players(tournament: Tournament) -> bool:
    """Return whether the file would have no player;
    such a file is not a report and cannot be read.
    """
    return not tournament.entries.filter(tpn__isnull=False).exists()


def open_games(tournament: Tournament, *, before_last: bool = False) -> bool:
    """Return whether a round with published pairings lacks results;
    *before_last* leaves the newest such round out.
    """
    rounds = Round.objects.filter(
        tournament=tournament, games__result=GameResult.NOT_YET, state__in=PUBLIC_STATES
    )
    if before_last:
        rounds = rounds.filter(number__lt=tournament.rounds.filter(state__in=PUBLIC_STATES).count())
    return rounds.exists()


@dataclass(frozen=True)
class Moments:
    """The times at which the pairings and the results of a round were published; None: not yet."""

    pairings: datetime | None = None
    results: datetime | None = None


def effects_by_the_text(
    *,
    own: Moments,
    following: Moments | None,
    minutes: int | None,
    has_deadline: bool,
    reported: datetime,
) -> set[CorrectionEffect]:
    """Return the allowed effects of a correction, row by row from the table of
    docs/rules/c04-2-handling-rules.md.

    *following* is the next round, None after the last; *own* is the round of the mistake.
    """
    paired = following.pairings if following else None
    if not has_deadline:
        return {CorrectionEffect.NEXT_PAIRING if paired else CorrectionEffect.NEXT_ROUND}
    early = own.results is None or reported < own.results
    in_time = early or (
        following is not None
        if minutes is None
        else reported <= own.results + timedelta(minutes=minutes)
    )
    if following is None:
        return (
            {CorrectionEffect.NEXT_ROUND}
            if in_time
            else {CorrectionEffect.NEXT_ROUND, CorrectionEffect.RATING_ONLY}
        )
    if paired is None:
        return (
            {CorrectionEffect.NEXT_ROUND}
            if in_time
            else {CorrectionEffect.NEXT_ROUND, CorrectionEffect.NEXT_PAIRING}
        )
    if following.results is not None and reported >= following.results:
        return {CorrectionEffect.RATING_ONLY}
    return {CorrectionEffect.NEXT_PAIRING}


def correction_is_lawful(
    correction: Correction, allowed: set[CorrectionEffect], following: Moments | None
) -> bool:
    """Return whether the saved effect is one of *allowed*,
    and the correction waits only for a future publication.
    """
    effect = CorrectionEffect(correction.effect)
    unpaired = following is not None and following.pairings is None
    return effect in allowed and correction.waiting == (
        effect is CorrectionEffect.NEXT_PAIRING and unpaired
    )


def added_points(tournament: Tournament, held: Contents) -> dict[TPN, int]:
    """Add up everybody's points after the finished rounds,
    from the seats and the point adjustments.
    """
    values = {
        "1": tournament.points_win, "W": tournament.points_win, "+": tournament.points_win, "F": tournament.points_win,
        "=": tournament.points_draw, "D": tournament.points_draw, "H": tournament.points_draw,
        "0": tournament.points_loss, "L": tournament.points_loss,
        "-": tournament.points_absence, "Z": tournament.points_absence, "?": 0,
    }  # fmt: skip
    games = 2 if is_of_matches(tournament) else 1
    byes = {letter: values[letter] * games for letter in "FHZ"} | {"U": tournament.points_pab}
    total = {entry["tpn"]: 0 for entry in held.entries.values() if entry["tpn"]}
    for kept in held.rounds.values():
        if kept.state != RoundState.RESULTS_PUBLISHED:
            continue
        scored = {pk: byes[letter] for pk, letter in kept.byes.items()}
        for white, black, results in kept.boards.values():
            # The colours are reversed in the second game of a match.
            scored[white] = sum(values[result[number]] for number, result in enumerate(results))
            scored[black] = sum(values[result[1 - number]] for number, result in enumerate(results))
        for pk, entry in held.entries.items():
            if entry["tpn"]:
                total[entry["tpn"]] += scored.get(pk, byes["Z"])
    for pk, points, number in held.decided:
        if held.rounds[number].state == RoundState.RESULTS_PUBLISHED:
            total[held.entries[pk]["tpn"]] += points
    return total
