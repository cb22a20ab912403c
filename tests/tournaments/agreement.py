"""What has to agree at any moment of an event, each read from another place: tables, record, report file, engine."""

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
from pairing.rounds.pair import is_stale
from pairing.rounds.points import changes, ranked
from pairing.rounds.seats import bye_of, seating
from pairing.rounds.snapshot import players_after, requested_byes, snapshot, takes_part
from pairing.rules.corrections import Effect
from pairing.standings.points import score
from pairing.trf.convert import state_before_round
from pairing.trf.document import TrfDocument
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from tournaments.core import record
from tournaments.core.chosen_rules import is_of_matches, point_system
from tournaments.core.frame import tournament_frame
from tournaments.imports.entry_lists import tournament_import_trf
from tournaments.models import Correction, Decision, Game, GameResult, Round, RoundState, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export
from tournaments.standings.standings import standings

from .replay import Replay
from .told import Told

PAIRED: Final = ("round.paired", "round.paired_by_hand")
PUBLIC: Final = (RoundState.PUBLISHED, RoundState.RESULTS_PUBLISHED)


def require_agreement(tournament: Tournament, replay: Replay, held: Told) -> None:
    """All that can be asked after every action; *held* are the tables as they are."""
    connection.check_constraints()
    require_record(tournament, replay, held)
    require_numbers(held)
    require_places(tournament)
    require_draft(tournament)
    if not nobody(tournament):
        document = as_read(tournament, public=False)
        require_report(tournament, document, held)
        require_secrets(tournament, document)


def as_read(tournament: Tournament, *, public: bool) -> TrfDocument:
    """The file as whoever gets it reads it, by matches where a round is one."""
    return by_rounds_played(read(trf_export(tournament, public=public)))


def require_record(tournament: Tournament, replay: Replay, held: Told) -> None:
    """The chain is whole, and what it tells from the beginning is what the tables hold."""
    assert record.verify(tournament) == []
    assert differences(tournament) == []
    replay.read_on(tournament)
    told = replay.told
    assert {name: held.settings[name] for name in told.settings} == told.settings
    assert held.entries == told.entries
    assert held.rounds == told.rounds
    assert held.byes_asked == told.byes_asked
    assert held.check_in == told.check_in
    assert held.decided == told.decided


def require_numbers(held: Told) -> None:
    """The numbers run from 1; without one is only who came while round 1 was not paired."""
    numbers = [entry["tpn"] for entry in held.entries.values() if entry["tpn"] is not None]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert held.rounds[1].state not in PUBLIC or len(numbers) == len(held.entries)


def require_places(tournament: Tournament) -> None:
    """No two boards of a round are played at one table."""
    games = Game.objects.filter(round__tournament=tournament, first=None).order_by("round", "board")
    places = [(number, table or board) for number, board, table in games.values_list("round", "board", "table")]
    assert len(places) == len(set(places))


def require_report(tournament: Tournament, document: TrfDocument, held: Told) -> None:
    """The file for the arbiter holds what the engine and the standings are given, to the last point."""
    states = [kept.state for kept in held.rounds.values()]
    over = states.count(RoundState.RESULTS_PUBLISHED)
    public = over + states.count(RoundState.PUBLISHED)
    ours, _ = players_after(tournament, over)
    if not open_games(tournament) and public < tournament.total_rounds:
        # Nothing is missing: the next round is paired from the same.
        assert state_before_round(document, public + 1) == snapshot(tournament, public + 1)[0]
    system = point_system(tournament)
    lines = {line.tpn: line.points for line in ranked(tournament, ours).lines}
    changed = changes(tournament, ours)
    scores = {player.tpn: score(player, system, changed.get(player.tpn)) for player in ours}
    assert lines == scores == points_by_hand(tournament, held)
    if over:
        page = standings(tournament_frame(tournament, runs=True), after_round=over)
        assert {line.tpn: line.points for line in page.lines} == lines
    if over == public:
        assert {player.tpn: player.points for player in document.players} == (
            lines if over else dict.fromkeys(lines, 0)
        )


def require_secrets(tournament: Tournament, private: TrfDocument) -> None:
    """The file for the public holds the rounds and the results that are published, and no other."""
    public = as_read(tournament, public=True)
    over = tournament.rounds.filter(state=RoundState.RESULTS_PUBLISHED).count()
    for shown, known in zip(public.players, private.players, strict=True):
        assert shown.rounds[:over] == known.rounds[:over]
        assert [(cell.opponent, cell.colour) for cell in shown.rounds if cell] == [
            (cell.opponent, cell.colour) for cell in known.rounds if cell
        ]
        assert not any(cell and cell.opponent and (cell.result or cell.second) for cell in shown.rounds[over:])


def require_draft(tournament: Tournament) -> None:
    """A draft that is not out of date and nobody touched is the engine's, from the tables as they are."""
    for round_ in tournament.rounds.filter(state=RoundState.DRAFT):
        if is_stale(round_, tournament) or arranged(tournament, round_.number):
            continue
        state, entries = snapshot(tournament, round_.number)
        now, _ = seating(round_, entries)
        allocated = next((tpn for tpn, letter in now.byes.items() if letter == "U"), None)
        found = pair(state)
        assert Pairing(tuple(now.boards.values()), allocated) == found
        assert not check(state, found)
        assert sorted(now.everybody) == sorted(entries)


def arranged(tournament: Tournament, number: int) -> bool:
    """Whether round *number* was paired or arranged by hand since the engine last did."""
    actions = Decision.objects.filter(tournament=tournament, round_number=number)
    last = actions.filter(action__in=(*PAIRED, "round.arranged")).order_by("-sequence").first()
    return last is not None and last.action != "round.paired"


def require_recheck(tournament: Tournament) -> None:
    """The event checked from its file alone: no points, no rank, and no pairing differ but for a cause on record."""
    if nobody(tournament):
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
    """Yield the actions after which round *number* could be paired differently: each changes data it came from."""
    rows = list(Decision.objects.filter(tournament=tournament).order_by("sequence"))
    paired = max(row.sequence for row in rows if row.action in PAIRED and row.round_number == number)
    for row in rows[paired - 1 :]:
        of_round = row.round_number or 0
        match row.action:
            case "round.paired_by_hand" | "round.arranged" | "round.changed" if of_round == number:
                yield row.action
            case "colours.corrected" | "correction.applied" | "result.corrected" if of_round <= number:
                yield row.action
            case "result.recorded" | "result.undone" if of_round < number:
                yield row.action
            case "numbers.assigned" | "rounds.changed":
                yield row.action
            case "entry.added" if tournament.system == "double_swiss_2026" and row.after["tpn"]:
                # The initial colour goes by the number itself [C.04.5/2026 4.3.1], which those ranked below change.
                yield row.action
            case _:
                pass


def require_publication(tournament: Tournament, number: int) -> None:
    """At its publication a round nobody touched comes out the same from the file alone.

    But for a correction that was to wait until that moment, and is made by now.
    """
    if not set(causes_of_difference(tournament, number)):
        assert number not in {found.number for found in event_recheck(tournament).rounds}


def require_import(tournament: Tournament, actor: User, now: datetime) -> None:
    """The file read in anywhere else is the same event: the same file comes out, and the same next round."""
    if nobody(tournament) or open_games(tournament, before_last=True) or tournament.entries.filter(tpn=None).exists():
        return
    text = trf_export(tournament, public=False)
    with transaction.atomic():
        again = tournament_import_trf(actor=actor, now=now, data=text.encode())
        public = tournament.rounds.filter(state__in=PUBLIC).count()
        assert players_after(again, public)[0] == players_after(tournament, public)[0]
        if public < tournament.total_rounds:
            ours, theirs = (snapshot(each, public + 1)[0] for each in (tournament, again))
            assert theirs == ours
        assert byes_to_come(again, public + 2) == byes_to_come(tournament, public + 2)
        assert lines_of(trf_export(again, public=False)) == lines_of(text)
        transaction.set_rollback(True)


def lines_of(text: str) -> list[str]:
    """The lines in any order: dates of rounds that were read in stand among what we only keep. Not how many have a
    rating: an estimate stands where the rating of others does, and is one after it was read in."""
    return sorted(line for line in text.splitlines() if not line.startswith("072"))


def byes_to_come(tournament: Tournament, first: int) -> set[tuple[int | None, int, str]]:
    """Who will not be paired in the rounds from *first* on, and for how much: (TPN, round, letter)."""
    return {
        (entry.tpn, number, bye_of(tournament, entry, number, asked.get(entry.pk)))
        for number in range(first, tournament.total_rounds + 1)
        for asked in [requested_byes(tournament, number)]
        for entry in tournament.entries.all()
        if entry.pk in asked or not takes_part(entry, number)
    }


def nobody(tournament: Tournament) -> bool:
    """Whether the file would have no player in it: such a one is no report, and is not read."""
    return not tournament.entries.filter(tpn__isnull=False).exists()


def open_games(tournament: Tournament, *, before_last: bool = False) -> bool:
    """Whether a published round has boards without a result; *before_last*: one that others were published after."""
    rounds = Round.objects.filter(tournament=tournament, games__result=GameResult.NOT_YET, state__in=PUBLIC)
    if before_last:
        rounds = rounds.filter(number__lt=tournament.rounds.filter(state__in=PUBLIC).count())
    return rounds.exists()


@dataclass(frozen=True)
class Moments:
    """When the pairings and the results of a round were published, as whoever did it remembers; None: not yet."""

    pairings: datetime | None = None
    results: datetime | None = None


def effects_by_the_text(
    *, own: Moments, following: Moments | None, minutes: int | None, has_deadline: bool, reported: datetime
) -> set[Effect]:
    """The allowed effects of a correction: the table of docs/rules/c04-2-handling-rules.md read literally, row by row.

    *following* is the next round, None after the last; *own* the round of the mistake.
    """
    paired = following.pairings if following else None
    if not has_deadline:
        return {Effect.NEXT_PAIRING if paired else Effect.NEXT_ROUND}
    early = own.results is None or reported < own.results
    in_time = early or (
        following is not None if minutes is None else reported <= own.results + timedelta(minutes=minutes)
    )
    if following is None:
        return {Effect.NEXT_ROUND} if in_time else {Effect.NEXT_ROUND, Effect.RATING_ONLY}
    if paired is None:
        return {Effect.NEXT_ROUND} if in_time else {Effect.NEXT_ROUND, Effect.NEXT_PAIRING}
    if following.results is not None and reported >= following.results:
        return {Effect.RATING_ONLY}
    return {Effect.NEXT_PAIRING}


def correction_is_lawful(correction: Correction, allowed: set[Effect], following: Moments | None) -> bool:
    """Whether what was saved is one of the effects *allowed*, and waits where there is something to wait for."""
    effect = Effect(correction.effect)
    unpaired = following is not None and following.pairings is None
    return effect in allowed and correction.waiting == (effect is Effect.NEXT_PAIRING and unpaired)


def points_by_hand(tournament: Tournament, held: Told) -> dict[TPN, int]:
    """The points of everybody after the rounds that are over, added up here from the seats and the decisions."""
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
            # The second game of a match is played with the colours reversed.
            scored[white] = sum(values[result[number]] for number, result in enumerate(results))
            scored[black] = sum(values[result[1 - number]] for number, result in enumerate(results))
        for pk, entry in held.entries.items():
            if entry["tpn"]:
                total[entry["tpn"]] += scored.get(pk, byes["Z"])
    for pk, points, number in held.decided:
        if held.rounds[number].state == RoundState.RESULTS_PUBLISHED:
            total[held.entries[pk]["tpn"]] += points
    return total
