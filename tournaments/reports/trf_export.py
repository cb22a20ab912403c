"""Write a tournament as a TRF file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from django.utils import timezone

from pairing.engine.model import TPN, Colour, Player, Points, Result, RoundRecord
from pairing.engine.systems import games_a_round, system_by_code
from pairing.rounds.computed_standings import as_records, changes, point_adjustments, ranked
from pairing.rounds.seats import bye_of
from pairing.rounds.snapshot import accelerations as read_accelerations, takes_part
from pairing.rules.initial_order import tournament_rating
from pairing.rules.kept_records import NOTE_ON_MATCHES, public_records
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.trf.baku import baku_records
from pairing.trf.convert import points_total
from pairing.trf.crosstable import (
    ESTIMATE,
    NATIONAL_RATING,
    SECOND_RATING,
    edition_remark,
    lots_remark,
    national_id_remark,
    rating_remark,
)
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
from tournaments.core.birth_dates import birth_date_of
from tournaments.core.chosen_rules import is_of_matches, point_system
from tournaments.core.errors import BadInput
from tournaments.core.scores import AT_BOARD, Score, result_of
from tournaments.models import (
    ByeKind,
    Entry,
    MissingAnswer,
    RatingMethod,
    RatingSource,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.reports.trf_comments import (
    corrections,
    decisions_on_players,
    fide_mode_left,
    full_point_byes,
    other_actions,
)
from tournaments.standings.rating_facts import encoded_time_control

PROGRAM = "Swiss Arbiter"
LONGEST_NUMBER: Final = 11
"""Characters for the national ID in a record of national rating support."""
NEWEST_DUTCH: Final = system_by_code("dutch_2026").trf_code


def trf_export(tournament: Tournament, *, public: bool) -> str:
    """Return *tournament* as TRF-2026, with every round of published pairings.

    With *public*, only public data: published results, only the year of birth dates, no requested
    byes for coming rounds, and of the records kept from an imported file those in which everything
    is known. Otherwise every result entered so far. Comments name corrections and pairings by hand.
    Six queries, five for the public.
    """
    return write(trf_document(tournament, public=public))


def trf_for_programs(tournament: Tournament) -> str:
    """Return :func:`trf_export` with all results, for programs that call
    the Dutch System of 2026 ``FIDE_DUTCH``.

    bbpPairings 6.0.0 refuses ``FIDE_DUTCH_2026``. Record 192 also omits ``_BAKU``, because that
    program counts another group A; the records 250 list the accelerated players. Other systems keep
    their names.
    """
    document = trf_document(tournament, public=False)
    names = (TextRecord("192", NEWEST_DUTCH), TextRecord("192", NEWEST_DUTCH + BAKU_SUFFIX))
    records = (
        TextRecord("192", DUTCH_WITHOUT_EDITION) if one in names else one
        for one in document.records
    )
    return write(replace(document, records=tuple(records)))


def trf_document(tournament: Tournament, *, public: bool) -> TrfDocument:
    """Return the records of :func:`trf_export`."""
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    shown = [round_ for round_ in rounds if round_.state in PUBLIC_STATES]
    entries = [
        entry
        for entry in Entry.objects.filter(tournament=tournament).order_by("tpn", "pk")
        if entry.tpn
    ]
    kept = list(public_records(tournament.trf_extras)) if public else list(tournament.trf_extras)
    cells = _cells(
        tournament, shown, {entry.pk: TPN(entry.tpn or 0) for entry in entries}, public=public
    )
    return TrfDocument(
        records=(
            *_header(tournament, rounds, entries),
            *_note_on_matches(tournament),
            # Before the records of an imported file, so that they keep their place when the file is
            # read again.
            *([lots_remark(tournament.lots_seed)] if tournament.lots_seed else []),
            *_other_ratings(tournament, entries),
            *(() if public else _other_ids(tournament, entries)),
            *fide_mode_left(tournament),
            *corrections(tournament),
            *other_actions(tournament, entries, [round_.number for round_ in shown]),
            *full_point_byes(tournament, cells),
            *decisions_on_players(tournament, entries),
            *_extras(tournament, rounds, kept),
            *_ranking_method(tournament, entries, kept),
            *_players(tournament, entries, cells, len(shown), public=public),
            *_national_ratings(tournament, entries, public=public),
            *_byes_to_come(tournament, entries, len(shown) + 1, public=public),
            *_prohibited(tournament, entries),
            *as_records(point_adjustments(tournament)),
        ),
        games=games_a_round(tournament.system),
    )


def _header(tournament: Tournament, rounds: list[Round], entries: list[Entry]) -> Iterator[Record]:
    # The report declares system, edition and acceleration [C.04.2/2026 1.3].
    system = system_by_code(tournament.system)
    accelerations = read_accelerations(
        tournament, {TPN(entry.tpn or 0): entry for entry in entries}
    )
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
    yield from (
        TextRecord("112", name.strip())
        for name in tournament.deputy_arbiters.splitlines()
        if name.strip()
    )
    if tournament.time_control:
        yield TextRecord("122", tournament.time_control)
    if code := encoded_time_control(tournament):
        yield TextRecord("222", code)
    dates = tuple(
        timezone.localtime(round_.starts_at).strftime("%y/%m/%d") if round_.starts_at else ""
        for round_ in rounds
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
    # Without a list the points alone decide. Only record 212 can say this; without a record each
    # reader would choose.
    yield (
        TextRecord("202", tournament.tie_breaks)
        if tournament.tie_breaks
        else TextRecord("212", "PTS")
    )
    yield edition_remark(tournament.tie_break_edition)
    if accelerations:
        yield from baku_records(accelerations, TPN(entries[0].tpn or 1))


def _note_on_matches(tournament: Tournament) -> Iterator[TextRecord]:
    """Yield one comment on how matches are written, because the format does not define it."""
    if is_of_matches(tournament) and f"### {NOTE_ON_MATCHES}" not in tournament.trf_extras:
        yield TextRecord("###", NOTE_ON_MATCHES)


def _extras(
    tournament: Tournament, rounds: list[Round], kept: Iterable[str]
) -> Iterator[TextRecord]:
    """Yield the records *kept* of an imported file,
    except for dates and a time control that the tournament has itself.
    """
    known = {
        "042": tournament.start_date is not None,
        "052": tournament.end_date is not None,
        "132": any(round_.starts_at for round_ in rounds),
        "222": bool(encoded_time_control(tournament)),
    }
    for line in kept:
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
        Player(
            tpn,
            tuple(
                RoundRecord(c.opponent, c.colour, c.result or Result.UNKNOWN, c.second) for c in own
            ),
        )
        for tpn, own in cells.items()
    ]
    changed = changes(tournament, players)
    given = {tpn: change.total for tpn, change in changed.items()}
    ranks = {line.tpn: line.rank for line in ranked(tournament, players).lines} if rounds else {}
    for entry in entries:
        tpn = TPN(entry.tpn or 0)
        yield PlayerRecord(
            tpn=tpn,
            name=entry.name if public else entry.real_name,
            sex=entry.sex,
            title=entry.title,
            rating=entry.fide_rating or None,
            federation=entry.federation,
            fide_id=str((entry.public_fide_id if public else entry.fide_id) or ""),
            birth_date=_public_birth(entry) if public else birth_date_in_trf(entry.birth_date),
            points=Points(points_total(cells[tpn], system) + given.get(tpn, 0)),
            rank=ranks.get(tpn),
            rounds=tuple(cells[tpn]),
        )


def _public_birth(entry: Entry) -> str:
    """Return the year of birth for everybody; nothing of a player shown with initials."""
    born = birth_date_in_trf(entry.birth_date)
    return f"{born[:4]}/00/00" if born and not entry.full_name else ""


def birth_date_in_trf(text: str) -> str:
    """Return a birth date of the tables as ``YYYY/MM/DD``; older rows have other forms."""
    try:
        return birth_date_of(text, "birth_date")
    except BadInput:
        return text if re.fullmatch(r"\d{4}/\d\d/\d\d", text) else ""


def _other_ratings(tournament: Tournament, entries: list[Entry]) -> Iterator[TextRecord]:
    """Yield a comment for each rating without a record: estimate, second, or national."""
    for entry in entries:
        tpn = TPN(entry.tpn or 0)
        if entry.national_rating and not _rated_by(entry, tournament):
            yield rating_remark(tpn, entry.national_rating, NATIONAL_RATING)
        if entry.rating and entry.rating_source == RatingSource.ESTIMATE:
            yield rating_remark(tpn, entry.rating, ESTIMATE)
        if entry.rating and entry.rating_source == RatingSource.SECOND:
            yield rating_remark(tpn, entry.rating, SECOND_RATING)


def _rated_by(entry: Entry, tournament: Tournament) -> str:
    """Return the federation of the national rating of *entry*;
    ``""`` if there is no rating, or no known federation.
    """
    whose = (
        entry.national_federation
        or _list_of(entry, tournament)
        or tournament.federation
        or entry.federation
    )
    return whose if entry.national_rating else ""


def _list_of(entry: Entry, tournament: Tournament) -> str:
    """Return the federation of the order of lists that gave the national rating of *entry*, as the
    entry says it: ``FIDE 2026-11; SUI 2026-11``; empty if it says none.
    """
    words = entry.rating_list.replace(";", " ").split()
    return next((each for each in tournament.national_lists.split() if each in words), "")


def _ranking_method(
    tournament: Tournament, entries: list[Entry], kept: Iterable[str]
) -> Iterator[Record]:
    """Yield record 172, required with national ratings: which rating ranks the players.

    It is needed without them too if FIDE ratings do not count, because the players' lines contain
    these.
    """
    federations = [federation for entry in entries if (federation := _rated_by(entry, tournament))]
    if tournament.rating_method == RatingMethod.NATIONAL:
        federations += [
            entry.federation for entry in entries if entry.fide_rating and entry.federation
        ]
    if federations and not any(line.startswith("172") for line in kept):
        yield TextRecord(
            "172", f"{tournament.federation or federations[0]} {_method(tournament, entries)}"
        )


def _method(tournament: Tournament, entries: Iterable[Entry]) -> str:
    """Return the word of record 172 for all *entries*: our method, or another one.

    It is ``OTHER`` if the arbiter chose or estimated a rating otherwise.
    """
    sources = [
        (entry.fide_rating, entry.national_rating, entry.rating_source, entry.rating)
        for entry in entries
        if entry.fide_rating or entry.national_rating
    ]
    fits = (
        word
        for word in (tournament.rating_method, "FIDON", "NIDOF", "HBFN", "LBFN")
        if all(
            (source, rating) == tournament_rating(word, fide, national)
            for fide, national, source, rating in sources
        )
    )
    return next(fits, "OTHER")


def _national_ratings(
    tournament: Tournament, entries: list[Entry], *, public: bool
) -> Iterator[Record]:
    for entry in entries:
        federation = _rated_by(entry, tournament)
        if federation:
            number = entry.national_id if not public and _fits_record(entry) else ""
            yield NationalRating(
                federation, TPN(entry.tpn or 0), entry.national_rating or 0, number=number
            )


def _other_ids(tournament: Tournament, entries: list[Entry]) -> Iterator[TextRecord]:
    """Yield a comment for each national ID without a record:
    of a player without a national rating, or a long one.
    """
    for entry in entries:
        if entry.national_id and not (_rated_by(entry, tournament) and _fits_record(entry)):
            yield national_id_remark(TPN(entry.tpn or 0), entry.national_id)


def _fits_record(entry: Entry) -> bool:
    return len(entry.national_id) <= LONGEST_NUMBER


def _cells(
    tournament: Tournament, shown: list[Round], tpn_of: Mapping[int, TPN], *, public: bool
) -> dict[TPN, list[RoundCell]]:
    """Return results in *shown*; rounds before a late entry are absences. One query."""
    absent = RoundCell(opponent=None, colour=None, result=Result.ZERO_POINT_BYE)
    cells = {tpn: [absent] * len(shown) for tpn in tpn_of.values()}
    secret = {
        round_.number for round_ in shown if public and round_.state != RoundState.RESULTS_PUBLISHED
    }
    rows: list[tuple[int, int, int | None, str, str, str, str | None]] = list(
        Seat.objects.filter(round__in=shown).values_list(
            "entry_id", "round__number", "game_id", "colour", "bye", *AT_BOARD
        )
    )
    opponents = {
        (game, colour): tpn_of[entry] for entry, _, game, colour, *_ in rows if game is not None
    }
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

    Withdrawn players [C.04.2/2026 3.2] and late entries of a later round [C.04.2/2026 2.4] are
    listed for each of those rounds, because no other record says that they are not paired. Both are
    public; a requested bye becomes public with the pairings of its round.
    """
    byes: dict[tuple[int, str], list[TPN]] = defaultdict(list)
    requested: dict[tuple[int, int], str] = {}
    if not public:
        wishes = RequestedBye.objects.filter(
            entry__tournament=tournament, round_number__gte=following
        )
        rows = wishes.values_list("entry_id", "round_number", "kind")
        coming = range(following, tournament.total_rounds + 1)
        skips = [
            entry.pk
            for entry in entries
            if entry.answer == MissingAnswer.SKIP and not entry.checked_in
        ]
        left_out = {
            (entry, number): ByeKind.ZERO_POINT.value for entry in skips for number in coming
        }
        requested = left_out | {(entry, number): kind for entry, number, kind in rows}
    for entry in entries:
        for number in range(following, tournament.total_rounds + 1):
            there = takes_part(entry, number)
            kind = (
                requested.get((entry.pk, number))
                if there
                else bye_of(tournament, entry, number, None)
            )
            if kind is not None:
                byes[number, kind].append(TPN(entry.tpn or 0))
    for (number, kind), players in sorted(byes.items()):
        yield RequestedByes(
            "240", next(r for r in Result if r.value == kind), number, tuple(players)
        )


def _prohibited(tournament: Tournament, entries: list[Entry]) -> Iterator[ProhibitedPairs]:
    tpn_of = {entry.pk: TPN(entry.tpn or 0) for entry in entries}
    for *pair, last in tournament.prohibited_pairs.values_list("one_id", "other_id", "last_round"):
        players = tuple(sorted(tpn_of[entry] for entry in pair if entry in tpn_of))
        if len(players) == 2:
            yield ProhibitedPairs("260", players, 1, last or tournament.total_rounds)
