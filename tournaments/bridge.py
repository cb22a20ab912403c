"""The only place where rows become engine dataclasses, and engine answers become rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import accumulate
from typing import assert_never

from pairing.engine.acceleration import Acceleration, accelerate, baku, last_of_group_a
from pairing.engine.changes import PointChanges
from pairing.engine.errors import InvariantError
from pairing.engine.model import (
    ABSENT,
    TPN,
    Colour,
    Pairing,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.past import pasts
from pairing.engine.systems import games_a_round
from pairing.rules.corrections import Timeline, Wrong, deadline_after
from pairing.rules.entries import ByeRules
from pairing.rules.handling import HANDLING, HandlingRules
from pairing.rules.initial_order import Participant
from pairing.rules.manual import barred_colours, cautions
from pairing.rules.publication import Arrangement, Ground, Published
from pairing.rules.rounds import RoundFacts, Stage
from pairing.rules.tables import tables
from pairing.standings.ranking import Rules, Standings, standings
from pairing.trf.abnormal import point_changes, require_sayable
from pairing.trf.document import AbnormalPoints

from .boards import AT_BOARD, Score, made, result_of
from .models import ByeKind, Correction, Entry, Game, GameResult, RequestedBye, Round, Seat, ThirdCriterion, Tournament


def is_of_matches(tournament: Tournament) -> bool:
    """Whether a round of *tournament* is a match of two games [C.04.5/2026 0]."""
    return games_a_round(tournament.system) > 1


def point_system(tournament: Tournament) -> PointSystem:
    """What each result is worth in *tournament*, in tenths."""
    system = PointSystem.of(
        win=tournament.points_win,
        draw=tournament.points_draw,
        loss=tournament.points_loss,
        absence=tournament.points_absence,
        pairing_allocated_bye=tournament.points_pab,
    )
    return system.for_matches(tournament.points_pab) if is_of_matches(tournament) else system


def ranked(tournament: Tournament, players: Sequence[Player]) -> Standings:
    """The standings of *players* by the list of tie-breaks of *tournament*, at the end by lot where lots were drawn.

    One query where the list needs ratings, else none. Raises :class:`~pairing.engine.errors.InputError` for a list
    that cannot be.
    """
    is_over = bool(players) and len(players[0].rounds) == tournament.total_rounds
    rules = Rules.of(
        tournament.tie_breaks, tournament.tie_break_edition, lots=(is_over and tournament.lots_seed) or None
    )
    needed = any(code.tie_break.needs_ratings for code in rules.codes)
    return standings(
        players,
        point_system(tournament),
        rules,
        ratings=_ratings(tournament) if needed else None,
        changes=changes(tournament, players),
    )


def abnormal_points(tournament: Tournament) -> list[AbnormalPoints]:
    """The points of *tournament* that are not those of its point system, as records 299. One query, if any."""
    if not tournament.abnormal_points:
        return []
    named = {pk for _, _, _, entries in tournament.abnormal_points for pk in entries}
    tpn_of = dict(Entry.objects.filter(pk__in=named, tpn__isnull=False).values_list("pk", "tpn"))
    return [
        AbnormalPoints(
            kind=next((result for result in Result if result.value == letter), None),
            points=Points(points),
            round_number=number,
            players=tuple(TPN(tpn_of[pk] or 0) for pk in entries),
        )
        for letter, points, number, entries in tournament.abnormal_points
    ]


def changes(tournament: Tournament, players: Sequence[Player]) -> dict[TPN, PointChanges]:
    """What the abnormal points add to those of the *players*. One query, if there are any."""
    records = [(0, record) for record in abnormal_points(tournament)]
    return point_changes(records, players, point_system(tournament), strict=False)


def _ratings(tournament: Tournament) -> dict[TPN, int]:
    """The rating of everybody who has one, as in the report: by FIDE, else national, else the estimate. One query."""
    rows = Entry.objects.filter(tournament=tournament, tpn__isnull=False)
    return {
        TPN(tpn): rating
        for tpn, fide, national, strength in rows.values_list("tpn", "fide_rating", "national_rating", "strength")
        if tpn is not None and (rating := fide or national or strength)
    }


def round_facts(tournament: Tournament) -> list[RoundFacts]:
    """The declared rounds in order, as the policies look at them. Two queries."""
    missing: dict[int, list[int]] = defaultdict(list)
    open_games = Game.objects.filter(round__tournament=tournament, result=GameResult.NOT_YET)
    for number, board in open_games.order_by("board").values_list("round__number", "board").distinct():
        missing[number].append(board)
    rounds = Round.objects.filter(tournament=tournament).order_by("number").values_list("number", "state")
    return [
        RoundFacts(number=number, stage=Stage(state), missing=tuple(missing.get(number, ())))
        for number, state in rounds
    ]


def handling(tournament: Tournament) -> HandlingRules:
    """The edition of C.04.2 that *tournament* is run by."""
    return HANDLING[tournament.handling_edition]


def timeline(tournament: Tournament, number: int, wrong: Wrong) -> Timeline:
    """What happened when around round *number*, for a mistake in it [C.04.2/2026 4.3]. One query.

    To the second, as reports are typed in.
    """
    rounds = Round.objects.filter(tournament=tournament, number__in=(1, number, number + 1))
    times = {
        at: tuple(moment and moment.replace(microsecond=0) for moment in moments)
        for at, *moments in rounds.values_list("number", "published_at", "results_published_at")
    }
    results_published = times[number][1]
    next_published, next_ended = times.get(number + 1, (None, None))
    return Timeline(
        number=number,
        is_last=number == tournament.total_rounds,
        results_published=results_published,
        deadline=deadline_after(results_published, tournament.correction_minutes),
        next_published=next_published,
        next_ended=next_ended,
        pairings_published=times[1 if wrong is Wrong.RATING else number][0],
    )


def snapshot(tournament: Tournament, round_number: int) -> tuple[TournamentState, dict[TPN, Entry]]:
    """What decides the pairing of round *round_number*, and whose TPN is whose. Three queries.

    Every participant with a TPN is in it. Not paired are those withdrawn by then [C.04.2/2026 3.2], those with a
    bye asked for in that round [C.04.2/2026 3.3] and late entries of a later round [C.04.2/2026 2.4]. A game of an
    earlier round without a final result counts as adjourned [C.04.2/2026 3.1]. With an acceleration the players have
    the virtual points of every round so far [C.04.7/2026], and abnormal points are in the pairing score.
    """
    entries = _numbered(tournament)
    excused = requested_byes(tournament, round_number)
    state = TournamentState(
        round_number=round_number,
        total_rounds=tournament.total_rounds,
        players=_players(tournament, entries, rounds=round_number - 1),
        initial_colour=Colour(tournament.initial_colour or Colour.WHITE.value),
        points=point_system(tournament),
        absent=frozenset(
            tpn for tpn, entry in entries.items() if entry.pk in excused or not takes_part(entry, round_number)
        ),
        prohibited=_prohibited(tournament, entries),
        system=tournament.system,
    )
    accelerated = accelerate(state, accelerations(tournament, entries))
    return _with_changes(accelerated, changes(tournament, state.players)), entries


def _with_changes(state: TournamentState, changed: Mapping[TPN, PointChanges]) -> TournamentState:
    """*state* with the abnormal points of earlier rounds in the pairing score, which they move as virtual points do."""
    if not changed:
        return state
    players = []
    for player in state.players:
        change = changed.get(player.tpn)
        if change is not None and any(change.by_round):
            given = accumulate(change.by_round, initial=0)
            virtual = player.virtual_points or (Points(0),) * state.round_number
            player = replace(
                player,
                virtual_points=tuple(Points(a + b) for a, b in zip(virtual, given, strict=True)),
                decided=Points(sum(change.by_round)),
            )
        players.append(player)
    return replace(state, players=tuple(players))


def require_pairable(tournament: Tournament, state: TournamentState) -> None:
    """Raise :class:`~pairing.engine.errors.InputError` where a pairing score cannot say what abnormal points change.

    One query, if there are any.
    """
    records = [(0, record) for record in abnormal_points(tournament)]
    require_sayable(records, state.players, state.points)


def accelerations(tournament: Tournament, entries: Mapping[TPN, Entry]) -> tuple[Acceleration, ...]:
    """The virtual points of *tournament* [C.04.7/2026], whose *entries* have these numbers; nothing without any.

    One query until round 1 is published, else none.
    """
    last = group_a_end(tournament, entries)
    if last is None:
        return ()
    win = point_system(tournament).of_whole_rounds().win
    return baku(last, total_rounds=tournament.total_rounds, win=win)


def group_a_end(tournament: Tournament, entries: Mapping[TPN, Entry]) -> TPN | None:
    """The TPN of the last player of group A [C.04.7/2026]; None without an acceleration, or without players.

    Until round 1 is published it follows from those to be paired in it, for who has a bye is taken into account only
    for the rounds after [C.04.2/2026 2.4]; from then on it is the same player. One query until then, else none.
    """
    if not tournament.acceleration:
        return None
    closed = next((tpn for tpn, entry in entries.items() if entry.pk == tournament.group_a_last_id), None)
    if closed is not None:
        return closed
    excused = requested_byes(tournament, 1)
    return last_of_group_a(
        [tpn for tpn, entry in sorted(entries.items()) if entry.pk not in excused and takes_part(entry, 1)]
    )


def close_group_a(tournament: Tournament) -> None:
    """Keep who is the last player of group A, for all rounds to come [C.04.7/2026]. Three queries; none without one."""
    if tournament.acceleration:
        entries = _numbered(tournament)
        last = group_a_end(tournament, entries)
        tournament.group_a_last = None if last is None else entries[last]
        tournament.save(update_fields=["group_a_last"])


def published(
    tournament: Tournament, round_: Round, *, at: datetime | None = None
) -> tuple[Published, TournamentState, dict[TPN, Entry]]:
    """The round as it is paired, for a change of it [C.04.2/2026 4.4], and what it was paired from.

    Four queries; five by rules with :attr:`Ground.CORRECTION`.

    A board whose colours were corrected has been played, whether its result is in or not. *at* is the present moment,
    for whether play has begun; a round published after its announced start begins nobody knows when.
    """
    state, entries = snapshot(tournament, round_.number)
    now, results = seating(round_, entries)
    late = {tpn for tpn, e in entries.items() if e.first_round > round_.number and e.withdrawn_from is None}
    read = pasts(state)
    rules = handling(tournament)
    facts = Published(
        number=round_.number,
        stage=Stage(round_.state),
        is_last=round_.number == tournament.total_rounds,
        now=now,
        results=results,
        met=frozenset(frozenset((tpn, other)) for tpn, past in read.items() for other in past.met),
        points={tpn: past.score for tpn, past in read.items()},
        late=frozenset(late),
        prohibited=state.prohibited,
        close=tournament.points_win,
        clause=tournament.change_clause,
        top_boards=tournament.top_boards,
        grounds=rules.grounds,
        forbids=rules.changes,
        broken=frozenset(caution.board for caution in cautions(state, now) if caution.code != "prohibited"),
        no_bye=frozenset(tpn for tpn, past in read.items() if not past.may_receive_pab),
        barred={tpn: barred_colours(past.colours) for tpn, past in read.items()},
        begun=_has_begun(round_, at),
        corrected=_corrected_since(round_) if Ground.CORRECTION in rules.grounds else False,
    )
    return facts, state, entries


def _has_begun(round_: Round, at: datetime | None) -> bool:
    start, published_at = round_.starts_at, round_.published_at
    return at is not None and start is not None and published_at is not None and published_at <= start <= at


def _corrected_since(round_: Round) -> bool:
    """Whether a correction was made after *round_* was published [C.04.3/pre2017 F7]. One query."""
    made = Correction.objects.filter(tournament=round_.tournament_id)
    return round_.published_at is not None and made.filter(entered_at__gte=round_.published_at).exists()


def seating(round_: Round, entries: Mapping[TPN, Entry]) -> tuple[Arrangement, dict[int, str]]:
    """Who sits where in *round_*, and the results so far by board (:attr:`~.boards.Score.as_one`). One query."""
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    seats: dict[int, dict[str, TPN]] = defaultdict(dict)
    byes: dict[TPN, str] = {}
    results: dict[int, str] = {}
    rows: Sequence[tuple[int, str, str, int | None, int | None, str, str | None]] = list(
        Seat.objects.filter(round=round_).values_list(
            "entry_id", "colour", "bye", "game__board", "game__corrections", *AT_BOARD
        )
    )
    for entry_id, colour, bye, board, correction, first, second in rows:
        if board is None:
            byes[tpn_of[entry_id]] = bye
            continue
        seats[board][colour] = tpn_of[entry_id]
        results[board] = Score(first, second).as_one if correction is None else GameResult.ADJOURNED
    boards = {board: (pair["w"], pair["b"]) for board, pair in sorted(seats.items())}
    return Arrangement(boards, byes), results


def requested_byes(tournament: Tournament, round_number: int) -> dict[int, str]:
    """The letters of the byes asked for in round *round_number*, by entry id. One query."""
    wishes = RequestedBye.objects.filter(entry__tournament=tournament, round_number=round_number)
    return dict(wishes.values_list("entry_id", "kind"))


def takes_part(entry: Entry, round_number: int) -> bool:
    """Whether *entry* has arrived by round *round_number* and has not withdrawn."""
    return entry.first_round <= round_number and (entry.withdrawn_from is None or round_number < entry.withdrawn_from)


def players_after(tournament: Tournament, after_round: int) -> tuple[tuple[Player, ...], dict[TPN, Entry]]:
    """Every numbered participant with rounds 1 to *after_round*, for the standings. Two queries.

    A board without a result yet is unknown.
    """
    entries = _numbered(tournament)
    return _players(tournament, entries, rounds=after_round), entries


def clear_pairing(round_: Round) -> None:
    """Take the boards and byes of a draft out of the tables. Two queries."""
    Seat.objects.filter(round=round_).delete()
    Game.objects.filter(round=round_).delete()


def open_boards(tournament: Tournament, round_: Round, boards: Iterable[int]) -> dict[int, Game]:
    """Make the games of *boards* of *round_*, without results: by board the game at which the players sit.

    Where a round is a match each board has a second one. One query, or two.
    """
    games = {game.board: game for game in Game.objects.bulk_create(Game(round=round_, board=b) for b in boards)}
    if is_of_matches(tournament):
        Game.objects.bulk_create(Game(round=round_, board=board, first=game) for board, game in games.items())
    return games


def told_board(tournament: Tournament, game: Game) -> dict[str, int]:
    """The board of *game* as the record has it, with the number of the game where a round is a match."""
    return {"board": game.board} | ({"game": game.number} if is_of_matches(tournament) else {})


def save_pairing(
    tournament: Tournament, round_: Round, pairing: Pairing, entries: Mapping[TPN, Entry], byes: Mapping[int, str]
) -> tuple[list[Game], list[Seat]]:
    """Give everybody a seat in *round_*: a colour at a board, the pairing-allocated bye, or the bye of *byes*.

    *pairing* is in publication order: the first pair sits at board 1. *byes* are the letters asked for, by entry id;
    who is unpaired without having asked, or takes no part in the round, is absent without points, a late entry with
    those the regulations give. Two queries, three where a round is a match.
    """
    games = list(open_boards(tournament, round_, range(1, len(pairing.pairs) + 1)).values())
    seats = []
    seated = set()
    for game, (white, black) in zip(games, pairing.pairs, strict=True):
        for tpn, colour in ((white, Colour.WHITE), (black, Colour.BLACK)):
            seats.append(Seat(round=round_, entry=entries[tpn], game=game, colour=colour.value))
            seated.add(tpn)
    if pairing.bye is not None:
        seats.append(Seat(round=round_, entry=entries[pairing.bye], bye=ByeKind.PAIRING_ALLOCATED))
        seated.add(pairing.bye)
    for tpn, entry in sorted(entries.items()):
        if tpn not in seated:
            bye = bye_of(tournament, entry, round_.number, byes.get(entry.pk))
            seats.append(Seat(round=round_, entry=entry, bye=bye))
    made = Seat.objects.bulk_create(seats)
    if any(entry.fixed_table for entry in entries.values()):
        set_tables(round_)
    return games, made


def bye_rules(tournament: Tournament) -> ByeRules:
    """What the regulations of *tournament* say about byes with points [C.04.2/2026 3.3]."""
    return ByeRules(tournament.max_byes, tournament.last_bye_round, tournament.byes_in_advance)


def participant(tournament: Tournament, entry: Entry) -> Participant:
    """*entry* as the ranking of *tournament* looks at it [C.04.2/2026 2.2]."""
    match ThirdCriterion(tournament.third_criterion):
        case ThirdCriterion.NAME:
            third = 0
        case ThirdCriterion.NATIONAL:
            third = -(entry.national_rating or 0)
        case ThirdCriterion.ENTERED:
            third = entry.pk
        case other:
            assert_never(other)
    return Participant(key=entry.pk, strength=entry.strength, title=entry.title, name=entry.name, third=third)


def missed_rounds(tournament: Tournament, entries: Sequence[Entry]) -> list[Seat]:
    """Give late *entries* what the regulations give for each round that was paired without them [C.04.2/2026 2.4].

    Nothing is what is left unsaid. Two queries where it is something.
    """
    if tournament.late_entry_bye == ByeKind.ZERO_POINT:
        return []
    paired = Round.objects.filter(tournament=tournament).exclude(state=Stage.PLANNED.value)
    return Seat.objects.bulk_create(
        Seat(round=row, entry=entry, bye=tournament.late_entry_bye)
        for row in paired
        for entry in entries
        if row.number < entry.first_round
    )


def bye_of(tournament: Tournament, entry: Entry, number: int, asked: str | None) -> str:
    """Why *entry* has no game in round *number*: the bye *asked* for, too late an entry, or not there."""
    if entry.first_round > number and entry.withdrawn_from is None:
        return tournament.late_entry_bye
    return (asked if takes_part(entry, number) else None) or ByeKind.ZERO_POINT


def set_tables(round_: Round, *, keep: Collection[int] = ()) -> None:
    """Give every board of *round_* its table: fixed ones first, the others close up [C.04.2/2026 3.6].

    The boards *keep* stay at the tables they have. One query; two where a table changes.
    """
    fixed: dict[int, set[int]] = {}
    games: dict[int, Game] = {}
    for seat in Seat.objects.filter(round=round_, game__isnull=False).select_related("game", "entry"):
        if seat.game is not None:
            games[seat.game.board] = seat.game
            fixed.setdefault(seat.game.board, set()).update({seat.entry.fixed_table or 0} - {0})
    kept = {board: games[board].table or board for board in keep if board in games}
    changed = []
    for board, table in tables(fixed, kept).items():
        new = table if table != board else None
        if games[board].table != new:
            games[board].table = new
            changed.append(games[board])
    if changed:
        Game.objects.bulk_update(changed, ["table"])


def _numbered(tournament: Tournament) -> dict[TPN, Entry]:
    return {
        TPN(entry.tpn): entry
        for entry in Entry.objects.filter(tournament=tournament, tpn__isnull=False).order_by("tpn")
        if entry.tpn is not None
    }


def _players(tournament: Tournament, entries: Mapping[TPN, Entry], *, rounds: int) -> tuple[Player, ...]:
    """The players with their records of rounds 1 to *rounds*; a round without a seat was missed."""
    histories: dict[int, list[RoundRecord]] = {entry.pk: [ABSENT] * rounds for entry in entries.values()}
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    if rounds:
        for entry_id, number, record in _records(tournament, rounds, tpn_of):
            histories[entry_id][number - 1] = record
    return tuple(Player(tpn=tpn, rounds=tuple(histories[entry.pk])) for tpn, entry in entries.items())


def _records(tournament: Tournament, rounds: int, tpn_of: Mapping[int, TPN]) -> Iterable[tuple[int, int, RoundRecord]]:
    """(entry id, round number, record) of every seat of rounds 1 to *rounds*. One query."""
    rows: Sequence[tuple[int, int, int | None, str, str, str, str | None]] = list(
        Seat.objects.filter(round__tournament=tournament, round__number__lte=rounds).values_list(
            "entry_id", "round__number", "game_id", "colour", "bye", *AT_BOARD
        )
    )
    at_board = {(game, colour): entry for entry, _, game, colour, *_ in rows if game is not None}
    for entry, number, game, colour, bye, first, second in rows:
        if game is None:
            yield entry, number, RoundRecord(opponent=None, colour=None, result=result_of(bye))
            continue
        own = Colour(colour)
        opponent = at_board.get((game, own.opposite.value))
        if opponent is None:
            raise InvariantError(f"Game {game} of round {number} has one player.")
        yield entry, number, RoundRecord(tpn_of[opponent], own, *made(colour, first, second))


def _prohibited(tournament: Tournament, entries: Mapping[TPN, Entry]) -> frozenset[frozenset[TPN]]:
    tpn_of = {entry.pk: tpn for tpn, entry in entries.items()}
    return frozenset(
        frozenset((tpn_of[one], tpn_of[other]))
        for one, other in tournament.prohibited_pairs
        if one in tpn_of and other in tpn_of
    )
