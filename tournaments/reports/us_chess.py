"""The rating report for US Chess in its format 2C: three dBASE files, all fields as text.

The games are those of the report for the rating officer: as they were really played. What the
format cannot say is left out and named, so that the arbiter enters it by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.translation import gettext as _

from pairing.engine.model import Colour, Result
from pairing.trf.document import PlayerRecord, RoundCell
from tournaments.core.ascii_text import ascii_of, is_lost
from tournaments.core.dbf import write_dbf
from tournaments.core.errors import BadInput
from tournaments.models import Entry, RateOfPlay, Tournament
from tournaments.reports.rating_report import corrected_document

FORMAT: Final = "2C"
PROGRAM: Final = "SWISSARB"
HEADER: Final = (
    ("H_FORMAT", 5), ("H_PROGRAM", 10), ("H_EVENT_ID", 12), ("H_NAME", 35), ("H_TOT_SECT", 2),
    ("H_BEG_DATE", 8), ("H_END_DATE", 8), ("H_AFF_ID", 8), ("H_CITY", 21), ("H_STATE", 2),
    ("H_ZIPCODE", 10), ("H_COUNTRY", 21), ("H_SENDCROS", 1), ("H_CTD_ID", 8), ("H_ATD_ID", 8),
    ("H_OTHER_TD", 255),
)  # fmt: skip
SECTION: Final = (
    ("S_EVENT_ID", 12), ("S_SEC_NUM", 2), ("S_SEC_NAME", 30), ("S_R_SYSTEM", 1), ("S_TIMECTL", 40),
    ("S_CTD_ID", 8), ("S_ATD_ID", 8), ("S_TRN_TYPE", 1), ("S_TOT_RNDS", 2), ("S_LST_PAIR", 4),
    ("S_BEG_DATE", 8), ("S_END_DATE", 8), ("S_SCH_LVL", 1), ("S_GR_PRIX", 1), ("S_GP_PTS", 3),
    ("S_FIDE", 1),
)  # fmt: skip
NAME: Final = 30
PLAYER: Final = (
    ("D_EVENT_ID", 12), ("D_SEC_NUM", 2), ("D_PAIR_NUM", 4), ("D_MEM_ID", 8), ("D_NAME", NAME),
    ("D_STATE", 2), ("D_RATING", 4),
)  # fmt: skip
"""Names and widths, as in reports that were accepted."""
ROUND: Final = 7
UNPAIRED: Final = "U0"
SYSTEMS: Final = {RateOfPlay.STANDARD: "R", RateOfPlay.RAPID: "Q", RateOfPlay.BLITZ: "D"}
"""The rating system by rate of play; blitz is sent as D."""
_PLAYED: Final = {Result.WIN: "W", Result.DRAW: "D", Result.LOSS: "L"}
_FORFEITED: Final = {Result.FORFEIT_WIN: "X", Result.FORFEIT_LOSS: "F"}
_BYES: Final = {
    Result.PAIRING_ALLOCATED_BYE: "B",
    Result.FULL_POINT_BYE: "B",
    Result.HALF_POINT_BYE: "H",
    Result.ZERO_POINT_BYE: "Z",
}
_RECIPROCAL: Final = {"W": "L", "L": "W", "D": "D", "X": "F", "F": "X"}
_MEMBER: Final = re.compile(r"[0-9]{1,8}")


@dataclass(frozen=True, slots=True)
class Facts:
    """What only US Chess needs: the arbiter enters it."""

    affiliate: str = ""
    """A and seven digits."""
    state: str = ""
    zipcode: str = ""
    chief: str = ""
    """The member number of the chief tournament director."""
    assistant: str = ""
    time_control: str = ""
    """As US Chess writes it, such as ``G/60;d5`` or ``40/90,SD/30;d5``."""


@dataclass(frozen=True, slots=True)
class Report:
    """The three files by name, and what they do not say."""

    files: Mapping[str, bytes]
    left_out: Sequence[str]


def us_chess_report(
    sections: Sequence[tuple[str, Tournament]], name: str, facts: Facts, today: date
) -> Report:
    """Return the report of an event called *name* with *sections*, each a label and a tournament.

    ``BadInput`` for a system of matches, and without a published round. Nine queries a section.
    """
    left_out: list[str] = []
    made = [_Section(number, *each, left_out) for number, each in enumerate(sections, 1)]
    rounds = max(each.rounds for each in made)
    first, last = _dates([each.tournament for each in made], today)
    head = {
        "H_FORMAT": FORMAT, "H_PROGRAM": PROGRAM, "H_NAME": ascii_of(name, 35),
        "H_TOT_SECT": len(made), "H_BEG_DATE": f"{first:%Y%m%d}", "H_END_DATE": f"{last:%Y%m%d}",
        "H_AFF_ID": facts.affiliate, "H_CITY": ascii_of(made[0].tournament.city, 21),
        "H_STATE": facts.state, "H_ZIPCODE": facts.zipcode, "H_COUNTRY": "USA", "H_SENDCROS": "N",
        "H_CTD_ID": facts.chief, "H_ATD_ID": facts.assistant,
    }  # fmt: skip
    fields = [*PLAYER, *((f"D_RND{number:02}", ROUND) for number in range(1, rounds + 1))]
    players = [player for each in made for player in each.players(rounds)]
    files = {
        "THEXPORT.DBF": write_dbf(HEADER, [head], today),
        "TSEXPORT.DBF": write_dbf(SECTION, [each.row(facts, today) for each in made], today),
        "TDEXPORT.DBF": write_dbf(fields, players, today),
    }
    return Report(files, left_out)


def _dates(tournaments: Sequence[Tournament], today: date) -> tuple[date, date]:
    starts = [each.start_date for each in tournaments if each.start_date]
    ends = [each.end_date or each.start_date for each in tournaments]
    first = min(starts, default=today)
    return first, max(filter(None, ends), default=first)


class _Section:
    """One section: its players in the order of their numbers, from 1 without gaps."""

    def __init__(
        self, number: int, label: str, tournament: Tournament, left_out: list[str]
    ) -> None:
        self.number, self.label, self.tournament = number, label, tournament
        self._left_out = left_out
        document = corrected_document(tournament)
        if document.games > 1:
            raise BadInput("us_chess.matches")
        self._records = sorted(document.players, key=lambda record: record.tpn)
        self._numbers = {record.tpn: place for place, record in enumerate(self._records, 1)}
        self._by_tpn = {record.tpn: record for record in self._records}
        self.rounds = max((len(record.rounds) for record in self._records), default=0)
        if not self.rounds:
            raise BadInput("us_chess.no_round", section=label or tournament.name)

    def row(self, facts: Facts, today: date) -> dict[str, object]:
        first, last = _dates([self.tournament], today)
        return {
            "S_SEC_NUM": self.number, "S_SEC_NAME": ascii_of(self.label, 30),
            "S_R_SYSTEM": SYSTEMS[RateOfPlay(self.tournament.rate_of_play)],
            "S_TIMECTL": facts.time_control, "S_CTD_ID": facts.chief,
            "S_ATD_ID": facts.assistant, "S_TRN_TYPE": "S", "S_TOT_RNDS": self.rounds,
            "S_LST_PAIR": len(self._records), "S_BEG_DATE": f"{first:%Y%m%d}",
            "S_END_DATE": f"{last:%Y%m%d}", "S_GR_PRIX": "N", "S_FIDE": "N",
        }  # fmt: skip

    def players(self, rounds: int) -> Iterator[dict[str, object]]:
        entries = {entry.tpn: entry for entry in Entry.objects.filter(tournament=self.tournament)}
        for record in self._records:
            entry = entries[record.tpn]
            member = entry.national_id if _MEMBER.fullmatch(entry.national_id) else ""
            if not member:
                self._note(_("%(name)s has no US Chess number.") % {"name": record.name})
            name = ascii_of(record.name, NAME).upper()
            if is_lost(record.name, NAME):
                self._note(
                    _("%(name)s is written as “%(text)s”.") % {"name": record.name, "text": name}
                )
            cells = {
                f"D_RND{number:02}": self._cell(record, number) for number in range(1, rounds + 1)
            }
            yield {
                "D_SEC_NUM": self.number, "D_PAIR_NUM": self._numbers[record.tpn],
                "D_MEM_ID": member, "D_NAME": name,
                "D_RATING": entry.national_rating or "", **cells,
            }  # fmt: skip

    def _cell(self, record: PlayerRecord, number: int) -> str:
        cell = record.cell(number)
        if cell is None:
            return UNPAIRED
        if cell.opponent is None:
            return f"{_BYES[cell.result]}0" if cell.result in _BYES else UNPAIRED
        letter, colour = _letter(cell), cell.colour
        opposite = self._by_tpn[cell.opponent].cell(number)
        is_known = letter and colour and opposite and _letter(opposite) == _RECIPROCAL[letter]
        if not is_known or colour is None:
            if record.tpn < cell.opponent:
                text = (
                    _("Round %(round)s, %(white)s – %(black)s: this game has no result yet.")
                    if cell.result in (None, Result.UNKNOWN)
                    else _("Round %(round)s, %(white)s – %(black)s: this result has no letter.")
                )
                names = [record.name, self._by_tpn[cell.opponent].name]
                white, black = names if colour is Colour.WHITE else names[::-1]
                self._note(text % {"round": number, "white": white, "black": black})
            return UNPAIRED
        return f"{letter}{self._numbers[cell.opponent]}{'W' if colour is Colour.WHITE else 'B'}"

    def _note(self, text: str) -> None:
        self._left_out.append(text if not self.label else f"{self.label}: {text}")


def _letter(cell: RoundCell) -> str:
    """Return the letter of a game; empty for one that is not rated or not over."""
    if cell.result is None:
        return ""
    return _PLAYED.get(cell.result) or _FORFEITED.get(cell.result, "")
