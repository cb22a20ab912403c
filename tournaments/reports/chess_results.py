"""The tournament as XML for the upload to chess-results.

The elements and their order are those of the published description: ``chessresults`` with
``tournamentdata``, ``rounds``, ``players``, ``playerpairings`` and ``security``. The file is valid
without a key; the server gives one key to each event, once. Numbers have a decimal comma. Only what
visitors may read is in the file: published pairings and results, the year of birth alone, and
initials where a player is shown with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final
from xml.etree import ElementTree as ET

from django.utils import timezone

from pairing.engine.model import TPN, Colour, Result
from pairing.trf.document import PlayerRecord, RoundCell, TrfDocument
from tournaments.core.chosen_rules import point_system
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame
from tournaments.models import Entry, Round, Tournament
from tournaments.reports.trf_export import trf_document
from tournaments.standings.standings import StandingLine, StandingsPage, standings

PAB, NOT_PAIRED = "-1", "-2"
SWISS: Final = "0"
FORFEIT, BOTH_LOSE, UNRATED, ADJOURNED = "K", "D", "U", "H"
MOST_TIE_BREAKS: Final = 5
MANUAL: Final = "5"
"""A tie-break whose values are as given: the server does not compute it."""
_IDS: Final[Mapping[str, tuple[str, str]]] = {
    "AOB": ("77", "-"),
    "REP": ("79", ""),
    "DE": ("81", "-"),
    "PS": ("86", ""),
    "WIN": ("68", "0,-"),
    "WON": ("68", "1,-"),
    "BWG": ("68", "2,-"),
    "BPG": ("68", "3,-"),
    "TPR": ("88", "0"),
    "APRO": ("88", "1"),
    "PTP": ("88", "2"),
    "APPO": ("88", "3"),
}
"""Number and details of tie-breaks without variants."""
_CUTS: Final = {"": (0, 0), "C1": (0, 1), "C2": (0, 2), "M1": (1, 1), "M2": (2, 2)}
"""Strongest and weakest opponents that a variant leaves out."""


def chess_results_xml(frame: Frame, *, key: str = "", source: str = "") -> bytes:
    """Return the tournament of *frame*, that of visitors, with its *key*; *source* is the number
    of the program at chess-results.

    ``BadInput`` for a system of matches: the description has no place for a second game. Twelve
    queries.
    """
    tournament = frame.tournament
    document = trf_document(tournament, public=True)
    if document.games > 1:
        raise BadInput("chess_results.matches")
    ranked = standings(frame, after_round=frame.latest_results) if frame.latest_results else None
    entries = {entry.tpn: entry for entry in Entry.objects.filter(tournament=tournament)}
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    published = frame.latest_published or 0
    root = ET.Element("chessresults")
    data = ET.SubElement(root, "tournamentdata")
    _element(data, "tournament", _tournament(frame, ranked, published, key))
    parent = ET.SubElement(root, "rounds")
    for each in rounds:
        at = timezone.localtime(each.starts_at) if each.starts_at else None
        _element(
            parent,
            "round",
            {
                "round": str(each.number),
                "date": f"{at:%Y%m%d}" if at else "",
                "time": f"{at:%H:%M}" if at else "",
            },
        )
    parent = ET.SubElement(root, "players")
    lines = {line.tpn: line for line in ranked.lines} if ranked else {}
    for record in document.players:
        values = _player(record, entries[record.tpn], lines.get(record.tpn))
        _element(parent, "player", values)
    parent = ET.SubElement(root, "playerpairings")
    for values in _pairings(tournament, document, published, frame.latest_results):
        _element(parent, "playerpairing", values)
    security = {"source": source, "sid": "", "creator_sid": "", "tnr_sid": ""}
    _element(ET.SubElement(root, "security"), "securitydata", security)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"


def _element(parent: ET.Element, name: str, values: Mapping[str, str]) -> None:
    element = ET.SubElement(parent, name)
    for tag, value in values.items():
        ET.SubElement(element, tag).text = "".join(map(_printable, value))


def _printable(letter: str) -> str:
    """Return *letter*, a blank for each other space, and nothing for a control character."""
    return letter if letter.isprintable() else " " if letter.isspace() else ""


def _tournament(
    frame: Frame, ranked: StandingsPage | None, published: int, key: str
) -> dict[str, str]:
    tournament = frame.tournament
    arbiters = [tournament.chief_arbiter, *tournament.deputy_arbiters.splitlines()]
    values = {
        "key": key,
        "type": SWISS,
        "name": tournament.name[:160],
        "location": tournament.city[:80],
        "arbiter": ", ".join(filter(None, map(str.strip, arbiters)))[:1200],
        "rounds": str(tournament.total_rounds),
        "currentround": str(published),
        "rankinground": str(frame.latest_results),
        "from": _day(tournament.start_date),
        "to": _day(tournament.end_date or tournament.start_date),
        "ratedfide": "-",
        "ratednational": "-",
    }
    codes = [column.code for column in ranked.columns[:MOST_TIE_BREAKS]] if ranked else []
    for number, code in enumerate(codes, 1):
        values[f"tb{number}no"], values[f"tb{number}_detail"] = tie_break_id(code)
    return values | {
        "timecontrol": tournament.time_control[:100],
        "endstatus": "J" if tournament.final_at else "N",
        "chiefarbiter": tournament.chief_arbiter[:120],
        "federation": tournament.federation,
        "fideeventid": tournament.event_code,
    }


def tie_break_id(code: str) -> tuple[str, str]:
    """Return number and details of the tie-break *code* at chess-results;
    a variant that the description does not have is a manual one.
    """
    name, *variants = code.split("/")
    unplayed = "P" if "P" in variants else "-"
    cuts = [each for each in variants if each != "P"]
    if len(cuts) > 1 or (cut := _CUTS.get(cuts[0] if cuts else "")) is None:
        return MANUAL, ""
    high, low = cut
    if name in ("BH", "FB"):
        return "84", f"0,{high},{low},{unplayed},{'F' if name == 'FB' else '-'}"
    if name == "SB":
        return "85", f"0,{high},{low},{unplayed}"
    if name == "ARO":
        return "80", f"0,{high},{low},0" if unplayed == "-" else ""
    return _IDS.get(code, (MANUAL, ""))


def _player(record: PlayerRecord, entry: Entry, line: StandingLine | None) -> dict[str, str]:
    last, _, first = record.name.partition(",")
    values = {
        "no": str(record.tpn),
        "lastname": last.strip()[:32],
        "firstname": first.strip()[:30],
        "title": entry.title,
        "rtg": str(entry.rating or 0),
        "rtgfide": str(entry.fide_rating or 0),
        "rtgnat": str(entry.national_rating or 0),
        "dob": record.birth_date[:4],
        "sex": record.sex,
        "fed": entry.federation,
        "clubname": entry.club[:40],
        "fideid": record.fide_id,
    }
    if line is not None:
        values["rank"] = str(line.rank)
        for number, amount in enumerate(line.values[:MOST_TIE_BREAKS], 1):
            values[f"tb{number}"] = _number(amount.number)
        values["pts"] = _number(line.points / 10)
        values["equal"] = "J" if line.shares_place else "N"
    return values | {"kfactor": str(entry.k_factor or "")}


def _pairings(
    tournament: Tournament, document: TrfDocument, published: int, latest_results: int
) -> Iterator[dict[str, str]]:
    """Yield the games of each published round by White's number of the line in the list of boards,
    then the players without a game.
    """
    boards = _boards(tournament)
    records = {record.tpn: record for record in document.players}
    system = point_system(tournament)
    for number in range(1, published + 1):
        lines: list[tuple[int, dict[str, str]]] = []
        for record in document.players:
            cell = record.cell(number)
            if cell is None:
                continue
            whole = {"round": str(number), "pairing": "", "board": "1"}
            if cell.opponent is None and cell.result is not None:
                is_pab = cell.result is Result.PAIRING_ALLOCATED_BYE
                points = system.table()[cell.result.place]
                whole |= {
                    "whiteno": str(record.tpn),
                    "blackno": PAB if is_pab else NOT_PAIRED,
                    "reswhite": _number(points / 10),
                    "resblack": "0",
                    "forfeit": "",
                }
                lines.append((10_000 + record.tpn, whole))
            elif cell.opponent is not None and cell.colour is Colour.WHITE:
                opposite = records[cell.opponent].cell(number)
                whole |= {"whiteno": str(record.tpn), "blackno": str(cell.opponent)}
                whole |= _result(cell, opposite, is_public=number <= latest_results)
                lines.append((boards.get((number, record.tpn), record.tpn), whole))
        for place, (_, values) in enumerate(sorted(lines, key=lambda each: each[0]), 1):
            yield values | {"pairing": str(place)}


def _boards(tournament: Tournament) -> dict[tuple[int, TPN], int]:
    seats = tournament.entries.filter(seats__game__isnull=False).values_list(
        "seats__round__number", "tpn", "seats__game__board"
    )
    return {(number, TPN(tpn)): board for number, tpn, board in seats if tpn}


def _result(cell: RoundCell, opposite: RoundCell | None, *, is_public: bool) -> dict[str, str]:
    results = [cell.result, opposite.result if opposite else None]
    if not is_public or None in results:
        return {"reswhite": "", "resblack": "", "forfeit": ""}
    if Result.UNKNOWN in results:
        return {"reswhite": "", "resblack": "", "forfeit": ADJOURNED}
    won = (Result.WIN, Result.UNRATED_WIN, Result.FORFEIT_WIN)
    drawn = (Result.DRAW, Result.UNRATED_DRAW)
    white, black = ("1" if one in won else "0,5" if one in drawn else "0" for one in results)
    forfeited = {Result.FORFEIT_WIN, Result.FORFEIT_LOSS} & set(results)
    unrated = {Result.UNRATED_WIN, Result.UNRATED_DRAW, Result.UNRATED_LOSS} & set(results)
    mark = FORFEIT if forfeited else UNRATED if unrated else ""
    if (white, black) == ("0", "0"):
        mark = BOTH_LOSE
    return {"reswhite": white, "resblack": black, "forfeit": mark}


def _number(value: float | None) -> str:
    """Return *value* with a decimal comma and without zeros at its end; empty for None."""
    return "" if value is None else f"{value:.4f}".rstrip("0").rstrip(".").replace(".", ",")


def _day(day: date | None) -> str:
    return f"{day:%Y%m%d}" if day else ""
