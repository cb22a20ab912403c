"""Refuse the reports of events that are not individual Swiss tournaments, by their own name."""

from __future__ import annotations

import re
from typing import Final

from pairing.engine.errors import Text, text as _

from .document import TextRecord, TrfDocument
from .errors import TrfError
from .fields import BAKU_SUFFIX, DUTCH_WITHOUT_EDITION, SYSTEM_CODES
from .lines import clip

TEAM_RECORDS: Final = frozenset({"013", "300", "310", "320", "330", "352", "362", "801", "802"})
"""Records that only reports of team events have; 082 counts their teams."""
_TEAM: Final = re.compile(
    r"\b(?:teams?|[ée]quipes?|equipos?|equipas?|squadre|ploegen|dru[żz]ynow\w*|\w*mannschaft\w*)\b|_TEAM|TEAM_", re.I
)
_INDIVIDUAL: Final = re.compile(r"\bindividu|\beinzel|\bsingolo", re.I)
_SWISS: Final = re.compile(r"swiss|suisse|schweizer|suizo|su[ií][çz]o|svizzer|dutch", re.I)
_ROUND_ROBIN: Final = re.compile(
    r"round[\s_-]*robin|berger|rundenturnier|rundsystem|jeder\s+gegen\s+jeden|toutes[\s-]+rondes|todos\s+contra\s+todos"
    r"|tutti\s+contro\s+tutti|girone|ko[łl]owy|alle\s+tegen\s+alle|all[\s-]+play[\s-]+all",
    re.I,
)
_KNOCK_OUT: Final = re.compile(r"knock[\s_-]*out|\bk\.?\s?-?o\.?(?:[\s-]*system)?$|[ée]limination|eliminat", re.I)
_SCHEVENINGEN: Final = re.compile(r"sch?eveningen|schevening", re.I)
_SCHILLER: Final = re.compile(r"schiller", re.I)
_OTHER_KINDS: Final = (
    (_ROUND_ROBIN, _("a round robin")),
    (_KNOCK_OUT, _("a knock-out event")),
    (_SCHEVENINGEN, _("a Scheveningen event")),
    (_SCHILLER, _("a Schiller event")),
)
_OTHER_SWISS: Final = re.compile(r"\b(?:lim|dubov|burstein|monrad|keizer|mcmahon|double[\s_-]*swiss)\b", re.I)
_OF_TEAMS: Final = _(
    "This is the report of a team event (%(record)s): only individual Swiss tournaments can be read and continued here."
)


def refuse_other_kinds(document: TrfDocument, system: str | None = None) -> None:
    """Raise :class:`TrfError` with the line if *document* is no individual Swiss tournament.

    ``trf.team_event``: it has a record of teams, or 092 or 192 name teams. ``trf.other_kind``: 192, or 092 without a
    Swiss system in either, names a round robin, a knock-out, a Scheveningen or a Schiller event, and *system* is None.
    """
    for line, record in document.numbered(TextRecord):
        if record.code in TEAM_RECORDS or (record.code == "082" and record.text.split()[:1] not in ([], ["0"])):
            raise TrfError("trf.team_event", _OF_TEAMS, line=line, column=1, record=record.code)
        if record.code in ("092", "192") and _TEAM.search(record.text) and not _INDIVIDUAL.search(record.text):
            found = f"{record.code} {clip(record.text)}"
            raise TrfError("trf.team_event", _OF_TEAMS, line=line, column=5, record=found)
    if system is None:
        _refuse_other_kind(document)


def _refuse_other_kind(document: TrfDocument) -> None:
    names_swiss = _names_a_known_system(document)
    for line, record in document.numbered(TextRecord):
        if record.code == "192" or (record.code == "092" and not names_swiss and not _SWISS.search(record.text)):
            kind = _kind_of(record.text)
            if kind is not None:
                raise TrfError(
                    "trf.other_kind",
                    _(
                        "%(record)s says '%(found)s': this is %(kind)s. Only individual Swiss tournaments can be read "
                        "and continued here."
                    ),
                    line=line,
                    column=5,
                    record=record.code,
                    found=clip(record.text),
                    kind=kind,
                )


def other_system_named(document: TrfDocument) -> tuple[int, str] | None:
    """Return line and text of record 092 if it names another system than the one by which we would pair."""
    named = document.text("192")
    for line, record in document.numbered(TextRecord):
        if record.code == "092" and record.text:
            if not named and _OTHER_SWISS.search(record.text):
                return line, record.text
            if named and _names_a_known_system(document) and _kind_of(record.text) and not _SWISS.search(record.text):
                return line, record.text
    return None


def _kind_of(text: str) -> Text | None:
    return next((kind for pattern, kind in _OTHER_KINDS if pattern.search(text)), None)


def _names_a_known_system(document: TrfDocument) -> bool:
    code = document.text("192").upper().removesuffix(BAKU_SUFFIX)
    return code == DUTCH_WITHOUT_EDITION or code in SYSTEM_CODES
