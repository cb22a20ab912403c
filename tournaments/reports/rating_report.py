"""The report for the rating officer, with the games as really played [C.04.2/2026 4.3]."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Q

from pairing.engine.model import TPN, Colour, Points, Result
from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from pairing.rules.reports import OpenGame, may_report_for_rating
from pairing.trf.convert import points_total
from pairing.trf.document import NationalRating, PlayerRecord, Record, RoundCell, TrfDocument
from pairing.trf.writer import write
from tournaments.core.actions import citing, require
from tournaments.core.chosen_rules import point_system
from tournaments.core.scores import result_of
from tournaments.models import Correction, Seat, Tournament
from tournaments.reports.trf_export import trf_document

Cell = tuple[TPN, int]
"""A player and a round."""


def rating_report(tournament: Tournament) -> str:
    """Return *tournament* as TRF-2026 with all corrections, even those too late for the standings.

    Results, colours and ratings are the right ones, and the points are the sum of the results. The
    ranks are those of the standings, which late corrections do not change; the ``###`` lines name
    each correction. Two queries more than :func:`~tournaments.reports.trf_export.trf_export`, and
    the same text if there is no late correction. Refused by
    :func:`~pairing.rules.reports.may_report_for_rating` while a game is open.
    """
    document = corrected_document(tournament)
    with citing(tournament):
        require(may_report_for_rating(open_games_of(document)))
    return write(document)


def corrected_document(tournament: Tournament) -> TrfDocument:
    """Return the report's records with the games as really played, open ones too."""
    document = trf_document(tournament, public=False)
    late = Q(effect=CorrectionEffect.RATING_ONLY) | Q(waiting=True)
    corrections = list(Correction.objects.filter(late, tournament=tournament).order_by("pk"))
    if corrections:
        document = _corrected(document, tournament, corrections)
    return document


def open_games_of(document: TrfDocument) -> list[OpenGame]:
    """Return the games without a result, or adjourned: round, White and Black by number.

    A game whose colours are not known is left out.
    """
    open_results = (None, Result.UNKNOWN)
    return [
        (number, player.tpn, cell.opponent)
        for player in document.players
        for number, cell in enumerate(player.rounds, 1)
        if cell is not None
        and cell.opponent is not None
        and cell.colour is Colour.WHITE
        and (cell.result in open_results or (document.games > 1 and cell.second in open_results))
    ]


def _corrected(
    document: TrfDocument, tournament: Tournament, corrections: list[Correction]
) -> TrfDocument:
    cells = _cells(document, corrections)
    ratings, national = _ratings(tournament, corrections)
    values = point_system(tournament)

    def right(record: Record) -> Record:
        match record:
            case PlayerRecord(tpn=tpn):
                rounds = tuple(
                    cells.get((tpn, number), cell) for number, cell in enumerate(record.rounds, 1)
                )
                rating = ratings.get(tpn, record.rating)
                # Point adjustments (299) stay unchanged.
                points = (
                    points_total(rounds, values)
                    - points_total(record.rounds, values)
                    + (record.points or 0)
                )
                return replace(record, rounds=rounds, rating=rating, points=Points(points))
            case NationalRating(tpn=tpn):
                return replace(record, rating=national.get(tpn, record.rating))
            case _:
                return record

    return replace(document, records=tuple(right(record) for record in document.records))


def _cells(document: TrfDocument, corrections: Iterable[Correction]) -> dict[Cell, RoundCell]:
    """Return the cells changed by *corrections*.

    Results go first: they refer to the colours as stored.
    """
    of_games = [correction for correction in corrections if correction.game_id is not None]
    about = Q(game__corrections__in=of_games) | Q(game__second__corrections__in=of_games)
    seats: dict[tuple[int, str], tuple[TPN, int]] = {
        (game or 0, colour): (TPN(tpn or 0), number)
        for first, second, colour, tpn, number in Seat.objects.filter(about).values_list(
            "game_id", "game__second", "colour", "entry__tpn", "round__number"
        )
        for game, colour in ((first, colour), (second, Colour(colour).opposite.value))
    }
    players = {player.tpn: player for player in document.players}
    cells: dict[Cell, RoundCell] = {}
    for correction in sorted(
        of_games, key=lambda one: (one.kind == CorrectionKind.COLOURS, one.pk)
    ):
        for place, colour in enumerate(Colour):
            seat = seats[correction.game_id or 0, colour.value]
            cell = cells.get(seat) or players[seat[0]].cell(seat[1])
            if cell is None or cell.colour is None:
                continue
            if correction.kind == CorrectionKind.COLOURS:
                cells[seat] = replace(cell, colour=cell.colour.opposite)
            else:
                right = result_of(correction.after["result"][place])
                is_second = correction.after.get("game") == 2
                cells[seat] = (
                    replace(cell, second=right) if is_second else replace(cell, result=right)
                )
    return cells


def _ratings(
    tournament: Tournament, corrections: Iterable[Correction]
) -> tuple[dict[TPN, int | None], dict[TPN, int]]:
    """Return the corrected FIDE and national ratings by number; the last correction counts."""
    tpn_of = dict(tournament.entries.values_list("pk", "tpn"))
    fide: dict[TPN, int | None] = {}
    national: dict[TPN, int] = {}
    for correction in corrections:
        if correction.kind != CorrectionKind.RATING:
            continue
        tpn = TPN(tpn_of[correction.entry_id or 0] or 0)
        if "fide_rating" in correction.after:
            fide[tpn] = correction.after["fide_rating"]
        if "national_rating" in correction.after:
            national[tpn] = correction.after["national_rating"] or 0
    return fide, national
