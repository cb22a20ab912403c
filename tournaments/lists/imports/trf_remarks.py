"""Warnings to show before the event of a report continues here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pairing.standings.codes import format_list
from pairing.standings.ranking import Rules
from pairing.trf.abnormal import by_decision
from pairing.trf.acceleration import implied_baku
from pairing.trf.convert import colourless_pairs
from pairing.trf.crosstable import tie_break_list
from pairing.trf.document import PlayerRecord, ProhibitedPairs, RoundCount, TrfDocument
from pairing.trf.editions import RulesUsed
from pairing.trf.fields import MAX_RATING
from pairing.trf.remarks import ratings_too_high, remarks as remarks_on
from pairing.trf.unknown_results import UnknownResult
from tournaments.core.birth_dates import has_two_readings
from tournaments.core.errors import BadInput, unreadable
from tournaments.entries.cells import LOWEST
from tournaments.lists.imports.trf_fields import (
    birth_date_of_player,
    birth_order,
    day_of,
    federation_of,
    fide_id_of,
    title_of,
)
from tournaments.lists.imports.trf_ranks import ranking_remarks
from tournaments.lists.imports.trf_unused import privacy_remarks


def import_remarks(
    document: TrfDocument,
    *,
    following: int,
    total_rounds: int,
    is_paired_again: bool,
    system: RulesUsed,
    ties: Rules,
    tie_break_edition: RulesUsed,
    unknown_results: Iterable[UnknownResult] = (),
) -> list[BadInput]:
    """Return a remark for everything that an import of *document* guesses, changes or leaves out.

    *following* is the round to be paired next.
    """
    remarks = [*_guesses(document, system, ties, tie_break_edition)]
    remarks += [
        BadInput(
            "trf.result_unknown",
            line=each.line,
            column=each.column,
            value=each.symbol,
            round=each.round_number,
        )
        for each in unknown_results
    ]
    remarks += [
        BadInput("trf.prohibited_for_some_rounds", line=line)
        for line, record in document.numbered(ProhibitedPairs)
        if (record.first_round or 1) > following or (record.last_round or 99) < total_rounds
    ]
    remarks += [
        BadInput("trf.baku_implied", tpn=record.last_tpn) for record in implied_baku(document)[:1]
    ]
    remarks += [BadInput("trf.point_adjustments", line=line) for line, _ in by_decision(document)]
    remarks += [
        BadInput("trf.colours_missing", round=number, white=white, black=black)
        for number in range(1, following)
        for white, black in sorted(colourless_pairs(document, number))
    ]
    remarks += file_remarks(document)
    remarks += ranking_remarks(document)
    remarks += privacy_remarks(document)
    if not is_paired_again:
        remarks.append(BadInput("trf.not_paired_again"))
    if not document.of(RoundCount):
        remarks.append(BadInput("trf.rounds_undeclared", rounds=total_rounds))
    return [*remarks, *player_remarks(document)]


def file_remarks(document: TrfDocument) -> list[BadInput]:
    """Return remarks on possible faults of the file, for an import of event or players.

    Unknown records are named with the private ones. Impossible ratings are not imported, and an
    import refuses two players with one FIDE ID.
    """
    low = [
        (line, player.rating)
        for line, player in document.numbered(PlayerRecord)
        if 0 < (player.rating or 0) < LOWEST["fide_rating"]
    ]
    elsewhere = ("trf.unknown_records", "trf.rating_too_high", "trf.fide_id_twice")
    found = [unreadable(remark) for remark in remarks_on(document) if remark.code not in elsewhere]
    if low:
        line, rating = low[0]
        floor = LOWEST["fide_rating"]
        found.append(
            BadInput(
                "trf.rating_low", line=line, column=49, count=len(low), value=rating, floor=floor
            )
        )
    return found + [
        BadInput("trf.rating_dropped", line=line, column=49, value=rating, limit=MAX_RATING)
        for line, rating in ratings_too_high(document)
    ]


def player_remarks(document: TrfDocument) -> Iterator[BadInput]:
    """Yield remarks on fields that are not imported, and on ambiguous dates of birth."""
    order = birth_order(document)
    for line, player in document.numbered(PlayerRecord):
        if player.title and not title_of(player):
            yield BadInput("trf.title_dropped", line=line, value=player.title)
        if player.fide_id.strip("0 ") and fide_id_of(player) is None:
            yield BadInput("trf.fide_id_dropped", line=line, value=player.fide_id)
        born = birth_date_of_player(player, order)
        if player.birth_date.strip("0/.- ") and not born:
            yield BadInput("trf.birth_date_dropped", line=line, column=70, value=player.birth_date)
        elif not order and has_two_readings(player.birth_date):
            text = player.birth_date.strip()
            yield BadInput(
                "trf.date_ambiguous", line=line, column=70, value=text, record="001", day=born
            )
        if player.federation and not federation_of(player.federation):
            yield BadInput("trf.federation_dropped", line=line, column=54, value=player.federation)


def _guesses(
    document: TrfDocument, system: RulesUsed, ties: Rules, tie_break_edition: RulesUsed
) -> Iterator[BadInput]:
    """Yield remarks on rules that the file does not declare, and on invalid or ambiguous dates."""
    for code in ("042", "052"):
        written = day_of(document, code)
        if written.text and written.day is None:
            yield BadInput("trf.date_unreadable", value=written.text, record=code)
        elif written.is_ambiguous:
            yield BadInput("trf.date_ambiguous", value=written.text, record=code, day=written.day)
    if system.is_guess:
        yield BadInput("trf.system_guessed", reason=system)
    if tie_break_edition.is_guess:
        yield BadInput("trf.edition_guessed", reason=tie_break_edition)
    if tie_break_list(document) is None:
        yield BadInput("trf.no_tie_breaks", tie_breaks=format_list(ties.codes))
