"""Write a tournament as a TRF file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from django.db.models import Q
from django.utils import timezone

from pairing.engine.model import TPN, Colour, Player, Points, Result, RoundRecord
from pairing.engine.systems import games_a_round, system_by_code
from pairing.rounds.points import as_records, changes, point_adjustments, ranked
from pairing.rounds.seats import bye_of
from pairing.rounds.snapshot import accelerations as read_accelerations, takes_part
from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.trf.baku import baku_records
from pairing.trf.convert import points_total
from pairing.trf.crosstable import ESTIMATE, NATIONAL_RATING, edition_remark, lots_remark, rating_remark
from pairing.trf.document import (
    InitialColour,
    NationalRating,
    PlayerRecord,
    ProhibitedPairs,
    Record,
    RequestedByes,
    RoundCell,
    RoundCount,
    RoundDates,
    TextRecord,
    TrfDocument,
)
from pairing.trf.fields import BAKU_SUFFIX, DUTCH_WITHOUT_EDITION
from pairing.trf.scoring import point_values
from pairing.trf.writer import write
from tournaments.core.chosen_rules import handling, is_of_matches, point_system
from tournaments.core.scores import AT_BOARD, Score, result_of
from tournaments.models import (
    Action,
    ByeKind,
    Correction,
    Decision,
    Entry,
    Game,
    GameResult,
    MissingAnswer,
    RatingSource,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.models.payload_data import Adjustment, EntryData
from tournaments.models.payloads import (
    EntriesImported,
    EntryAdded,
    GamesAdjourned,
    NumbersAssigned,
    PairingsPublished,
    PointsAdjusted,
    PointsWithdrawn,
    RoundArranged,
    RoundChanged,
    RoundPaired,
    RoundPairedByHand,
    RoundsChanged,
    TieBreaksChanged,
    TournamentImported,
)

PROGRAM = "Swiss Arbiter"
NEWEST_DUTCH: Final = system_by_code("dutch_2026").trf_code
NOTE_ON_MATCHES = (
    "Double-Swiss (C.04.5): rounds 2k-1 and 2k of this file are the two games of match k, the second with the colours "
    "reversed. The TRF has no form for matches; comments count matches."
)


def trf_export(tournament: Tournament, *, public: bool) -> str:
    """Return *tournament* as TRF-2026, with every round whose pairings are published; drafts are left out.

    With *public*, only public data: published results, only the year of birth dates, and no requested byes for coming
    rounds. Otherwise every result entered so far. Comments name corrections and pairings by hand. Six queries, five for
    the public.
    """
    return write(trf_document(tournament, public=public))


def trf_for_programs(tournament: Tournament) -> str:
    """Return :func:`trf_export` with all results, for programs that call the Dutch System of 2026 ``FIDE_DUTCH``.

    bbpPairings 6.0.0 refuses ``FIDE_DUTCH_2026``. Record 192 also omits ``_BAKU``, because that program counts another
    group A; the records 250 list the accelerated players. Other systems keep their names.
    """
    document = trf_document(tournament, public=False)
    names = (TextRecord("192", NEWEST_DUTCH), TextRecord("192", NEWEST_DUTCH + BAKU_SUFFIX))
    records = (TextRecord("192", DUTCH_WITHOUT_EDITION) if one in names else one for one in document.records)
    return write(replace(document, records=tuple(records)))


def trf_document(tournament: Tournament, *, public: bool) -> TrfDocument:
    """Return the records of :func:`trf_export`."""
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    shown = [round_ for round_ in rounds if round_.state in PUBLIC_STATES]
    entries = [entry for entry in Entry.objects.filter(tournament=tournament).order_by("tpn", "pk") if entry.tpn]
    cells = _cells(tournament, shown, {entry.pk: TPN(entry.tpn or 0) for entry in entries}, public=public)
    return TrfDocument(
        records=(
            *_header(tournament, rounds, entries),
            *_note_on_matches(tournament),
            # Before the records of an imported file, so that they keep their place when the file is read again.
            *([lots_remark(tournament.lots_seed)] if tournament.lots_seed else []),
            *_other_ratings(tournament, entries),
            *_corrections(tournament),
            *_other_actions(tournament, entries, [round_.number for round_ in shown]),
            *_extras(tournament, rounds),
            *_ranking_method(tournament, entries),
            *_players(tournament, entries, cells, len(shown), public=public),
            *_national_ratings(tournament, entries),
            *_byes_to_come(tournament, entries, len(shown) + 1, public=public),
            *_prohibited(tournament, entries),
            *as_records(point_adjustments(tournament)),
        ),
        games=games_a_round(tournament.system),
    )


def _header(tournament: Tournament, rounds: list[Round], entries: list[Entry]) -> Iterator[Record]:
    # The report declares system, edition and acceleration [C.04.2/2026 1.3].
    system = system_by_code(tournament.system)
    accelerations = read_accelerations(tournament, {TPN(entry.tpn or 0): entry for entry in entries})
    texts = {
        "012": tournament.name,
        "022": tournament.city,
        "032": tournament.federation,
        "042": tournament.start_date.strftime("%Y/%m/%d") if tournament.start_date else "",
        "052": tournament.end_date.strftime("%Y/%m/%d") if tournament.end_date else "",
        "062": str(len(entries)),
        "072": str(sum(bool(entry.fide_rating) for entry in entries)),
        "092": f"Individual: {system.name}" + (", Baku acceleration" if accelerations else ""),
        "102": tournament.chief_arbiter,
    }
    yield from (TextRecord(code, text) for code, text in texts.items() if text)
    yield from (TextRecord("112", name.strip()) for name in tournament.deputy_arbiters.splitlines() if name.strip())
    if tournament.time_control:
        yield TextRecord("122", tournament.time_control)
    dates = tuple(
        timezone.localtime(round_.starts_at).strftime("%y/%m/%d") if round_.starts_at else "" for round_ in rounds
    )
    if any(dates):
        yield RoundDates(dates)
    yield RoundCount("142", tournament.total_rounds)
    if tournament.initial_colour:
        yield InitialColour("152", Colour(tournament.initial_colour))
    points = point_values(point_system(tournament), games=games_a_round(tournament.system))
    if points is not None:
        yield points
    yield TextRecord("182", PROGRAM)
    yield TextRecord("192", system.trf_code + (BAKU_SUFFIX if accelerations else ""))
    # Without a list the points alone decide. Only record 212 can say this; without a record each reader would choose.
    yield TextRecord("202", tournament.tie_breaks) if tournament.tie_breaks else TextRecord("212", "PTS")
    yield edition_remark(tournament.tie_break_edition)
    if accelerations:
        yield from baku_records(accelerations, TPN(entries[0].tpn or 1))


def _note_on_matches(tournament: Tournament) -> Iterator[TextRecord]:
    """Yield one comment that explains how matches are written, because the format does not define it."""
    if is_of_matches(tournament) and f"### {NOTE_ON_MATCHES}" not in tournament.trf_extras:
        yield TextRecord("###", NOTE_ON_MATCHES)


def _extras(tournament: Tournament, rounds: list[Round]) -> Iterator[TextRecord]:
    """Yield the records of an imported file that are only kept, except for dates that were entered here since."""
    known = {
        "042": tournament.start_date is not None,
        "052": tournament.end_date is not None,
        "132": any(round_.starts_at for round_ in rounds),
    }
    for line in tournament.trf_extras:
        if not known.get(line[:3], False):
            yield TextRecord("", line)


def _players(
    tournament: Tournament,
    entries: list[Entry],
    cells: Mapping[TPN, list[RoundCell]],
    rounds: int,
    *,
    public: bool,
) -> Iterator[PlayerRecord]:
    system = point_system(tournament)
    players = [
        Player(tpn, tuple(RoundRecord(c.opponent, c.colour, c.result or Result.UNKNOWN, c.second) for c in own))
        for tpn, own in cells.items()
    ]
    changed = changes(tournament, players)
    given = {tpn: change.total for tpn, change in changed.items()}
    ranks = {line.tpn: line.rank for line in ranked(tournament, players).lines} if rounds else {}
    for entry in entries:
        tpn = TPN(entry.tpn or 0)
        yield PlayerRecord(
            tpn=tpn,
            name=entry.name,
            sex=entry.sex,
            title=entry.title,
            rating=entry.fide_rating or None,
            federation=entry.federation,
            fide_id=str(entry.fide_id or ""),
            birth_date=f"{entry.birth_date[:4]}/00/00" if public and entry.birth_date else entry.birth_date,
            points=Points(points_total(cells[tpn], system) + given.get(tpn, 0)),
            rank=ranks.get(tpn),
            rounds=tuple(cells[tpn]),
        )


def _other_ratings(tournament: Tournament, entries: list[Entry]) -> Iterator[TextRecord]:
    """Yield a comment for each rating without a record: an estimate, or a national rating of an unknown federation."""
    for entry in entries:
        tpn = TPN(entry.tpn or 0)
        if entry.national_rating and not _rated_by(entry, tournament):
            yield rating_remark(tpn, entry.national_rating, NATIONAL_RATING)
        if entry.rating and entry.rating_source == RatingSource.ESTIMATE:
            yield rating_remark(tpn, entry.rating, ESTIMATE)


def _rated_by(entry: Entry, tournament: Tournament) -> str:
    """Return the federation of the national rating of *entry*; ``""`` if there is no rating, or no known federation."""
    whose = entry.national_federation or tournament.federation or entry.federation
    return whose if entry.national_rating else ""


def _ranking_method(tournament: Tournament, entries: list[Entry]) -> Iterator[Record]:
    """Yield record 172, required with national ratings: the choice between two ratings that ranks the players."""
    federations = [federation for entry in entries if (federation := _rated_by(entry, tournament))]
    if federations and not any(line.startswith("172") for line in tournament.trf_extras):
        yield TextRecord("172", f"{tournament.federation or federations[0]} {_method(entries)}")


def _method(entries: Iterable[Entry]) -> str:
    """Return the word of record 172 that holds for all *entries*.

    It says that the FIDE rating ranks, or the national one without it; the other way round; the higher; the lower; or
    another method.
    """
    two = [
        (entry.rating, entry.fide_rating, entry.national_rating)
        for entry in entries
        if entry.fide_rating and entry.national_rating
    ]
    estimated = [entry for entry in entries if entry.rating_source == RatingSource.ESTIMATE]
    if any(entry.fide_rating or entry.national_rating for entry in estimated):
        return "OTHER"
    methods: dict[str, Callable[[int, int], int]] = {
        "FIDON": lambda fide, national: fide,
        "NIDOF": lambda fide, national: national,
        "HBFN": max,
        "LBFN": min,
    }
    fits = (
        word
        for word, chosen in methods.items()
        if all(rating == chosen(fide, national) for rating, fide, national in two)
    )
    return next(fits, "OTHER")


def _national_ratings(tournament: Tournament, entries: list[Entry]) -> Iterator[Record]:
    for entry in entries:
        federation = _rated_by(entry, tournament)
        if federation:
            yield NationalRating(federation, TPN(entry.tpn or 0), entry.national_rating or 0)


def _cells(
    tournament: Tournament, shown: list[Round], tpn_of: Mapping[int, TPN], *, public: bool
) -> dict[TPN, list[RoundCell]]:
    """Return each player's results in the rounds *shown*; earlier rounds of a late entry are absences. One query."""
    absent = RoundCell(opponent=None, colour=None, result=Result.ZERO_POINT_BYE)
    cells = {tpn: [absent] * len(shown) for tpn in tpn_of.values()}
    secret = {round_.number for round_ in shown if public and round_.state != RoundState.RESULTS_PUBLISHED}
    rows: list[tuple[int, int, int | None, str, str, str, str | None]] = list(
        Seat.objects.filter(round__in=shown).values_list(
            "entry_id", "round__number", "game_id", "colour", "bye", *AT_BOARD
        )
    )
    opponents = {(game, colour): tpn_of[entry] for entry, _, game, colour, *_ in rows if game is not None}
    for entry, number, game, colour, bye, first, second in rows:
        if game is None:
            cell = RoundCell(opponent=None, colour=None, result=result_of(bye))
        else:
            own = Colour(colour)
            made = () if number in secret else Score(first, second).of(own)
            results = [result_of(letter) if letter else None for letter in made]
            cell = RoundCell(opponents[game, own.opposite.value], own, *(results or [None]))
        cells[tpn_of[entry]][number - 1] = cell
    return cells


def _byes_to_come(
    tournament: Tournament, entries: list[Entry], following: int, *, public: bool
) -> Iterator[RequestedByes]:
    """Yield record 240: the players known not to be paired in the coming rounds.

    Withdrawn players [C.04.2/2026 3.2] and late entries of a later round [C.04.2/2026 2.4] are listed for each of those
    rounds, because no other record says that they are not paired. Both are public; a requested bye becomes public with
    the pairings of its round.
    """
    byes: dict[tuple[int, str], list[TPN]] = defaultdict(list)
    requested: dict[tuple[int, int], str] = {}
    if not public:
        wishes = RequestedBye.objects.filter(entry__tournament=tournament, round_number__gte=following)
        rows = wishes.values_list("entry_id", "round_number", "kind")
        coming = range(following, tournament.total_rounds + 1)
        skips = [entry.pk for entry in entries if entry.answer == MissingAnswer.SKIP and not entry.checked_in]
        left_out = {(entry, number): ByeKind.ZERO_POINT.value for entry in skips for number in coming}
        requested = left_out | {(entry, number): kind for entry, number, kind in rows}
    for entry in entries:
        for number in range(following, tournament.total_rounds + 1):
            there = takes_part(entry, number)
            kind = requested.get((entry.pk, number)) if there else bye_of(tournament, entry, number, None)
            if kind is not None:
                byes[number, kind].append(TPN(entry.tpn or 0))
    for (number, kind), players in sorted(byes.items()):
        yield RequestedByes("240", next(r for r in Result if r.value == kind), number, tuple(players))


def _prohibited(tournament: Tournament, entries: list[Entry]) -> Iterator[ProhibitedPairs]:
    tpn_of = {entry.pk: TPN(entry.tpn or 0) for entry in entries}
    for *pair, last in tournament.prohibited_pairs.values_list("one_id", "other_id", "last_round"):
        players = tuple(sorted(tpn_of[entry] for entry in pair if entry in tpn_of))
        if len(players) == 2:
            yield ProhibitedPairs("260", players, 1, last or tournament.total_rounds)


def _corrections(tournament: Tournament) -> Iterator[TextRecord]:
    """Yield a comment for each correction, including those for the rating report only [C.04.2/2026 4.3].

    One query. A correction that still waits for its publication is left out.
    """
    made = Correction.objects.filter(tournament=tournament, waiting=False).select_related("game", "entry")
    articles = handling(tournament).corrections
    for row in made.order_by("pk"):
        about = f"board {row.game.board}" if row.game else f"TPN {row.entry.tpn}" if row.entry else ""
        if "game" in row.before:
            about += f" game {row.before['game']}"
        match CorrectionKind(row.kind):
            case CorrectionKind.RESULT:
                change = f"result {row.before['result']} -> {row.after['result']}"
            case CorrectionKind.COLOURS:
                change = "colours reversed"
            case CorrectionKind.RATING:
                change = ", ".join(f"{name} {row.before[name]} -> {row.after[name]}" for name in row.after)
        scope = {
            CorrectionEffect.NEXT_ROUND: "standings and next pairing",
            CorrectionEffect.NEXT_PAIRING: "standings and the pairing after the published one",
            CorrectionEffect.RATING_ONLY: "rating report only",
        }[CorrectionEffect(row.effect)]
        comment = (
            f"Correction @ Round {row.round_number}: {about}, {change}, {articles[CorrectionKind(row.kind)]}, {scope}"
        )
        yield TextRecord("###", comment)


_PUBLISHING: Final = (Action.PAIRINGS_PUBLISHED, Action.TOURNAMENT_IMPORTED)
_BY_HAND: Final = (Action.ROUND_PAIRED_BY_HAND, Action.ROUND_ARRANGED)
"""Actions that change the boards of a draft from the engine's."""
_ENTERING: Final = (Action.ENTRY_ADDED, Action.ENTRIES_IMPORTED)


def _other_actions(tournament: Tournament, entries: list[Entry], rounds: list[int]) -> Iterator[TextRecord]:
    """Yield comments for actions that no record of the file shows. One query.

    They are: boards published with other pairs than the engine's, and pairing changes, without the reasons; adjourned
    games; another number of rounds; another list of tie-breaks, with the old one; point adjustments, because record 299
    does not contain the rule; numbers assigned again after a round was published. For matches also late entries: they
    may turn an odd number of an earlier round into an even one, and colours depend on it [C.04.5/2026 4.3.1].
    """
    about = Q(
        action__in=(
            *(Action.ROUND_PAIRED, *_BY_HAND, Action.ROUND_CHANGED, Action.GAMES_ADJOURNED),
            *(Action.POINTS_ADJUSTED, Action.POINTS_WITHDRAWN),
        ),
        round_number__in=rounds,
    )
    entering = _ENTERING if is_of_matches(tournament) else ()
    always = Q(
        action__in=(Action.ROUNDS_CHANGED, Action.TIE_BREAKS_CHANGED, Action.NUMBERS_ASSIGNED, *_PUBLISHING, *entering)
    )
    actions = Decision.objects.filter(about | always, tournament=tournament)
    published = 0
    drafts: dict[int | None, list[Decision]] = defaultdict(list)
    for row in actions.order_by("sequence"):
        match row.payload:
            case PairingsPublished(after=taken):
                published = row.round_number or 0
                yield from _made_by_hand(drafts.pop(row.round_number, []))
                if taken.get("leaves_fide_mode"):
                    yield TextRecord("###", f"FIDE mode left @ Round {row.round_number}")
            case TournamentImported(after=file):
                published = file["rounds"]
            case RoundPaired() | RoundPairedByHand():
                # A draft that is paired again keeps nothing of the previous one.
                drafts[row.round_number] = [row]
            case RoundArranged():
                drafts[row.round_number].append(row)
            case EntryAdded(after=entry):
                yield from _late_entry(row, published, [entry], entries)
            case EntriesImported(after=came):
                yield from _late_entry(row, published, came["entries"], entries)
            case NumbersAssigned(before=old, after=new):
                if published and (moved := _passed_by(old["tpn"], new["tpn"])):
                    told = f"Numbers @ Round {published}: assigned again, {moved} moved, {row.article}"
                    yield TextRecord("###", told.removesuffix(", "))
            case RoundsChanged(before=before, after=after):
                change = f"{before['total_rounds']} -> {after['total_rounds']}"
                # Not the round that was paired again, because that would reveal a draft.
                where = f" @ Round {after['published']}" if after["published"] else ""
                yield TextRecord("###", f"Rounds{where}: {change}, {row.article}")
            case TieBreaksChanged(before=old_list, after=new_list):
                yield _list_told(row, published, old_list["tie_breaks"], new_list["tie_breaks"])
            case PointsAdjusted(after=points):
                yield _points_told("Points", row, points, entries)
            case PointsWithdrawn(before=points):
                yield _points_told("Points withdrawn", row, points, entries)
            case GamesAdjourned(after=adjourned):
                yield _boards_told("Adjournment", row, adjourned["boards"])
                yield from _ended_otherwise(tournament, row, adjourned["boards"])
            case RoundChanged(before=left, after=changed):
                yield _boards_told("MPA", row, sorted(map(int, {*left["boards"], *changed["boards"]})))


def _late_entry(
    row: Decision, published: int, came: Iterable[EntryData], entries: Iterable[Entry]
) -> Iterator[TextRecord]:
    """Yield a comment on the players who came after the publication of round *published*; none if it is 0."""
    if published:
        new = {data["entry"] for data in came}
        numbers = ", ".join(str(entry.tpn) for entry in entries if entry.pk in new)
        yield TextRecord("###", f"Late entry @ Round {published}: TPN {numbers}, {row.article}")


def _ended_otherwise(tournament: Tournament, row: Decision, boards: list[int]) -> Iterator[TextRecord]:
    """Yield a comment on adjourned games that counted as draws for pairing and ended with another score. One query."""
    games = Game.objects.filter(round__tournament=tournament, round__number=row.round_number or 0, board__in=boards)
    open_or_drawn = (GameResult.NOT_YET, GameResult.ADJOURNED, GameResult.DRAW, GameResult.DRAW_UNRATED)
    if ended := sorted({*games.exclude(result__in=open_or_drawn).values_list("board", flat=True)}):
        yield _boards_told("Adjournment ended, no draw", row, ended)


def _list_told(row: Decision, published: int, before: str, after: str) -> TextRecord:
    """Return the comment on another list of tie-breaks, made when round *published* was public."""
    where = f" @ Round {published}" if published else ""
    return TextRecord("###", f"Tie-breaks{where}: {before or 'none'} -> {after or 'none'}, {row.article}")


def _boards_told(what: str, row: Decision, boards: Iterable[int | str]) -> TextRecord:
    numbers = ", ".join(map(str, boards))
    return TextRecord("###", f"{what} @ Round {row.round_number}: boards {numbers}, {row.article}")


def _made_by_hand(actions: list[Decision]) -> Iterator[TextRecord]:
    """Yield a comment that lists the boards which the *actions* on a draft left with another pair, if any."""
    found: dict[str, list[int] | None] = {}
    left: dict[str, list[int] | None] = {}
    for row in actions:
        if isinstance(payload := row.payload, RoundPairedByHand | RoundArranged):
            before, after = payload.before["boards"], payload.after["boards"]
            for board in (*before, *after):
                found.setdefault(board, before.get(board))
                left[board] = after.get(board)
    pairs = list(found.values())
    if changed := sorted((board for board, pair in left.items() if pair is not None and pair not in pairs), key=int):
        yield _boards_told("MPA", actions[-1], changed)


def _passed_by(before: dict[str, int | None], after: dict[str, int]) -> int:
    """Return how many players have another number than *before* if their order has changed; else 0.

    A late entry moves all players below it down but does not change their order, so the earlier pairings still follow
    from it (docs/rules, R1).
    """
    held = {entry: tpn for entry, tpn in before.items() if tpn is not None and entry in after}
    if sorted(held, key=held.__getitem__) == sorted(held, key=after.__getitem__):
        return 0
    return sum(after[entry] != tpn for entry, tpn in held.items())


def _points_told(what: str, row: Decision, points: Adjustment, entries: Iterable[Entry]) -> TextRecord:
    """Return a point adjustment, or its withdrawal, with the rule: ``Points @ Round 3: TPN 8 -0.5, Laws 12.9``."""
    tpn = next(entry.tpn for entry in entries if entry.pk == points["entry"])
    comment = f"{what} @ Round {row.round_number}: TPN {tpn} {points['points'] / 10:+.1f}, {row.article}"
    return TextRecord("###", comment)
