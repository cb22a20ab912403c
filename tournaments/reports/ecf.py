"""The results submission file of the English Chess Federation: a text of fields ``#NAME=value``.

Names and order of the fields are those of the ECF's field definition of 15 April 2022; dates are
day/month/year, scores ``10``, ``55`` and ``01``. The games are those of the report for the rating
officer that were played over the board. Forfeits and byes are not rated and not in the file. What
the format needs and the tournament does not have is named, so that the arbiter adds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from pairing.engine.model import Colour, Result
from pairing.trf.document import PlayerRecord, RoundCell
from tournaments.core.ascii_text import ascii_of, is_lost
from tournaments.core.errors import BadInput
from tournaments.models import Entry, Round, Tournament
from tournaments.reports.rating_report import corrected_document
from tournaments.standings.rating_facts import encoded_time_control

LONGEST: Final = 80
"""Letters of a value; names and clubs here are shorter."""
_SCORES: Final[Mapping[tuple[Result | None, Result | None], str]] = {
    (Result.WIN, Result.LOSS): "10",
    (Result.DRAW, Result.DRAW): "55",
    (Result.LOSS, Result.WIN): "01",
}
_NOT_RATED: Final[frozenset[Result | None]] = frozenset({Result.FORFEIT_WIN, Result.FORFEIT_LOSS})
_OPEN: Final = (None, Result.UNKNOWN)
_CODE: Final = re.compile(r"[0-9]{6}[A-L]")
_PERIOD: Final = re.compile(r"(?:([0-9]+)/)?([0-9]+)(?:\+([0-9]+))?")
_SESSIONS: Final = ("FIRST SESSION", "SECOND SESSION")


@dataclass(frozen=True, slots=True)
class Facts:
    """What only the ECF needs: the arbiter enters it."""

    ecf_code: str = ""
    """The code of the event, which the ECF gives."""
    ecf_index: str = ""
    """1, or nothing, for the first submission of the event, one more for each correction."""
    ecf_officer: str = ""
    ecf_officer_address: str = ""
    ecf_treasurer: str = ""
    ecf_treasurer_address: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """The file, in ASCII with CR LF, and what it does not say."""

    content: bytes
    left_out: Sequence[str]


def ecf_submission(
    sections: Sequence[tuple[str, Tournament]], name: str, facts: Facts, today: date
) -> Submission:
    """Return the submission of an event called *name* with *sections*, each a label and a
    tournament. A player with the same ECF code in several sections is one player.

    ``BadInput`` for a system of matches, without a published round, and without a time control.
    Eleven queries a section.
    """
    left_out: list[str] = []
    made = [_Section(*each, left_out) for each in sections]
    days = [day for each in made for day in each.days]
    first, last = min(days, default=today), max(days, default=today)
    head = {
        "EVENT CODE": facts.ecf_code,
        "SUBMISSION INDEX": facts.ecf_index or "1",
        "EVENT NAME": name,
        "EVENT DATE": _day(first),
        "FINAL RESULT DATE": _day(last),
        "RESULTS OFFICER": facts.ecf_officer,
        "RESULTS OFFICER ADDRESS": facts.ecf_officer_address,
        "TREASURER": facts.ecf_treasurer,
        "TREASURER ADDRESS": facts.ecf_treasurer_address,
    }
    if empty := [field for field, value in head.items() if not value]:
        left_out.insert(0, _("The ECF needs: %(fields)s.") % {"fields": ", ".join(empty)})
    controls = {each.time_control for each in made}
    if len(controls) > 1:
        left_out.append(
            _("The sections have different time controls; the file has the first: %(code)s.")
            % {"code": made[0].time_control}
        )
    pins: dict[object, int] = {}
    lines = ["#EVENT DETAILS"]
    lines += [_field(*each) for each in head.items()]
    lines += [_field(*each) for each in _time_limits(made[0].time_control)]
    lines.append("#PLAYER LIST")
    lines += [line for each in made for line in each.players(pins)]
    lines += [line for each in made for line in each.games(pins)]
    lines.append("#FINISH#")
    return Submission("".join(f"{line}\r\n" for line in lines).encode("ascii"), left_out)


def _time_limits(code: str) -> Iterator[tuple[str, int]]:
    """Yield the fields of a time control such as ``40/6000+30:900+30``."""
    periods = [found.groups() for part in code.split(":") if (found := _PERIOD.fullmatch(part))]
    *sessions, (_moves, rest, increment) = periods
    for of, (moves, base, _more) in zip(_SESSIONS, sessions, strict=False):
        yield f"MOVES {of}", int(moves)
        yield f"MINUTES {of}", int(base) // 60
    yield "MINUTES REST OF GAME" if sessions else "MINUTES FOR GAME", int(rest) // 60
    if increment:
        yield "SECONDS PER MOVE", int(increment)


class _Section:
    """One section with its days, players and games."""

    def __init__(self, label: str, tournament: Tournament, left_out: list[str]) -> None:
        self.label, self._left_out = label, left_out
        document = corrected_document(tournament)
        if document.games > 1:
            raise BadInput("ecf.matches")
        self._records = {record.tpn: record for record in document.players}
        if not any(record.rounds for record in document.players):
            raise BadInput("us_chess.no_round", section=label or tournament.name)
        self.time_control = encoded_time_control(tournament)
        if not _is_written(self.time_control):
            raise BadInput("ecf.time_control", section=label or tournament.name)
        entries = Entry.objects.filter(tournament=tournament, tpn__isnull=False)
        self._entries = {entry.tpn: entry for entry in entries}
        starts = Round.objects.filter(tournament=tournament).values_list("number", "starts_at")
        self._rounds = {
            number: timezone.localtime(start).date() for number, start in starts if start
        }
        dates = (tournament.start_date, tournament.end_date)
        self.days = [day for day in dates if day] or list(self._rounds.values())

    def players(self, pins: dict[object, int]) -> Iterator[str]:
        """Yield a line for each player who is not in *pins*, and add the player there."""
        for tpn in sorted(self._records):
            entry, code = self._entries[tpn], self._code(tpn)
            if self._key(tpn) in pins:
                continue
            pins[self._key(tpn)] = len(pins) + 1
            if not code:
                self._note(
                    _("%(name)s has no ECF code: add the code of the club.")
                    % {"name": entry.real_name}
                )
            if is_lost(entry.real_name, LONGEST):
                self._note(
                    _("%(name)s is written as “%(text)s”.")
                    % {"name": entry.real_name, "text": ascii_of(entry.real_name, LONGEST)}
                )
            fields = {
                "PIN": pins[self._key(tpn)],
                "ECF CODE": code,
                "NAME": entry.real_name,
                "GENDER": {"m": "M", "w": "F"}.get(entry.sex, ""),
                "CLUB NAME": entry.club,
                "FIDE NO": entry.fide_id or "",
            }
            yield "".join(_field(name, value) for name, value in fields.items() if value)

    def games(self, pins: Mapping[object, int]) -> Iterator[str]:
        """Yield the games by round, from White's side, and note what cannot be written."""
        yield _field("SECTION RESULTS", self.label or "Open")
        rounds = max(len(record.rounds) for record in self._records.values())
        for number in range(1, rounds + 1):
            for tpn in sorted(self._records):
                record = self._records[tpn]
                cell = record.cell(number)
                if cell and cell.colour is Colour.WHITE and cell.opponent is not None:
                    score = self._score(record, cell, number)
                    if score:
                        yield self._game(pins, record, cell, number, score)

    def _game(
        self,
        pins: Mapping[object, int],
        record: PlayerRecord,
        cell: RoundCell,
        number: int,
        score: str,
    ) -> str:
        assert cell.opponent is not None
        fields: dict[str, object] = {
            "PIN1": pins[self._key(record.tpn)],
            "SCORE": score,
            "PIN2": pins[self._key(cell.opponent)],
            "ROUND": number,
        }
        if number in self._rounds:
            fields["GAME DATE"] = _day(self._rounds[number])
        fields["COLOUR"] = "WHITE"
        return "".join(_field(name, value) for name, value in fields.items())

    def _score(self, record: PlayerRecord, cell: RoundCell, number: int) -> str:
        """Return the score of a game; empty, with a note if it was played, for all others."""
        assert cell.opponent is not None
        other = self._records[cell.opponent].cell(number)
        results = (cell.result, other.result if other else None)
        score = _SCORES.get(results, "")
        if score or set(results) <= _NOT_RATED:
            return score
        text = (
            _("Round %(round)s, %(white)s – %(black)s: this game has no result yet.")
            if set(results) & set(_OPEN)
            else _("Round %(round)s, %(white)s – %(black)s: this result has no score.")
        )
        black = self._records[cell.opponent].name
        self._note(text % {"round": number, "white": record.name, "black": black})
        return ""

    def _code(self, tpn: int) -> str:
        code = self._entries[tpn].national_id.upper()
        return code if _CODE.fullmatch(code) else ""

    def _key(self, tpn: int) -> object:
        """Return what is the same for one player in all sections."""
        return self._code(tpn) or self._entries[tpn].pk

    def _note(self, text: str) -> None:
        self._left_out.append(text if not self.label else f"{self.label}: {text}")


def _is_written(code: str) -> bool:
    """Return whether the format has fields for the time control: one for both players, at most two
    sessions and the rest, the number of moves of each session.
    """
    *sessions, last = code.split(":")
    return (
        all((found := _PERIOD.fullmatch(each)) and found[1] for each in sessions)
        and len(sessions) <= len(_SESSIONS)
        and bool((found := _PERIOD.fullmatch(last)) and not found[1])
    )


def _field(name: str, value: object) -> str:
    """Return a field; ``#`` would begin another one."""
    text = ascii_of(str(value), LONGEST).replace("#", "")
    return f"#{name}={text}"


def _day(day: date) -> str:
    return f"{day:%d/%m/%Y}"
