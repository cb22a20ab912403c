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
# Texts, which re compiles when they are first used: most reports need none of them.
_TEAM: Final = (
    r"(?i)\b(?:teams?|[ée]quipes?|equipos?|equipas?|squadre|ploegen|dru[żz]ynow\w*"
    r"|\w*mannschaft\w*)\b|_TEAM|TEAM_"
)
_INDIVIDUAL: Final = r"(?i)\bindividu|\beinzel|\bsingolo"
_SWISS: Final = r"(?i)swiss|suisse|schweizer|suizo|su[ií][çz]o|svizzer|dutch"
_ROUND_ROBIN: Final = (
    r"(?i)round[\s_-]*robin|berger|rundenturnier|rundsystem|jeder\s+gegen\s+jeden"
    r"|toutes[\s-]+rondes|todos\s+contra\s+todos|tutti\s+contro\s+tutti|girone|ko[łl]owy"
    r"|alle\s+tegen\s+alle|all[\s-]+play[\s-]+all"
)
_KNOCK_OUT: Final = r"(?i)knock[\s_-]*out|\bk\.?\s?-?o\.?(?:[\s-]*system)?$|[ée]limination|eliminat"
_SCHEVENINGEN: Final = r"(?i)sch?eveningen|schevening"
_SCHILLER: Final = r"(?i)schiller"
_OTHER_KINDS: Final = (
    (_ROUND_ROBIN, _("a round robin")),
    (_KNOCK_OUT, _("a knock-out event")),
    (_SCHEVENINGEN, _("a Scheveningen event")),
    (_SCHILLER, _("a Schiller event")),
)
_OTHER_SWISS: Final = r"(?i)\b(?:lim|dubov|burstein|monrad|keizer|mcmahon|double[\s_-]*swiss)\b"
_OF_TEAMS: Final = _(
    "This is the report of a team event (%(record)s): only individual Swiss tournaments can be "
    "read and continued here."
)


def refuse_other_kinds(document: TrfDocument, system: str | None = None) -> None:
    """Raise :class:`TrfError` with the line unless *document* is an individual Swiss tournament.

    ``trf.team_event``: it has a record of teams, or 092 or 192 name teams. ``trf.other_kind``: 192,
    or 092 without a Swiss system in either, names a round robin, a knock-out, a Scheveningen or a
    Schiller event, and *system* is None.
    """
    for line, record in document.numbered(TextRecord):
        if record.code in TEAM_RECORDS or (
            record.code == "082" and record.text.split()[:1] not in ([], ["0"])
        ):
            raise TrfError("trf.team_event", _OF_TEAMS, line=line, column=1, record=record.code)
        if (
            record.code in ("092", "192")
            and record.text not in SYSTEM_CODES
            and re.search(_TEAM, record.text)
            and not re.search(_INDIVIDUAL, record.text)
        ):
            found = f"{record.code} {clip(record.text)}"
            raise TrfError("trf.team_event", _OF_TEAMS, line=line, column=5, record=found)
    if system is None:
        _refuse_other_kind(document)


def _refuse_other_kind(document: TrfDocument) -> None:
    names_swiss = _names_a_known_system(document)
    for line, record in document.numbered(TextRecord):
        if record.code == "192" or (
            record.code == "092" and not names_swiss and not re.search(_SWISS, record.text)
        ):
            kind = _kind_of(record.text)
            if kind is not None:
                raise TrfError(
                    "trf.other_kind",
                    _(
                        "%(record)s says '%(found)s': this is %(kind)s. Only individual Swiss "
                        "tournaments can be read "
                        "and continued here."
                    ),
                    line=line,
                    column=5,
                    record=record.code,
                    found=clip(record.text),
                    kind=kind,
                )


def other_system_named(document: TrfDocument) -> tuple[int, str] | None:
    """Return line and text of record 092 if it names another system than ours."""
    named = document.text("192")
    for line, record in document.numbered(TextRecord):
        if record.code == "092" and record.text:
            if not named and re.search(_OTHER_SWISS, record.text):
                return line, record.text
            if (
                named
                and _names_a_known_system(document)
                and _kind_of(record.text)
                and not re.search(_SWISS, record.text)
            ):
                return line, record.text
    return None


def named_round_robin(document: TrfDocument) -> str | None:
    """Return the text of record 192 or 092 that names a round robin; None without one."""
    texts = (document.text("192"), document.text("092"))
    return next(
        (text for text in texts if re.search(_ROUND_ROBIN, text) and not re.search(_SWISS, text)),
        None,
    )


def _kind_of(text: str) -> Text | None:
    return next((kind for pattern, kind in _OTHER_KINDS if re.search(pattern, text)), None)


def _names_a_known_system(document: TrfDocument) -> bool:
    code = document.text("192").upper().removesuffix(BAKU_SUFFIX)
    return code == DUTCH_WITHOUT_EDITION or code in SYSTEM_CODES
