"""Decide which pairing system a report was paired by, and why. No other module decides this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from pairing.engine.errors import InputError, Text, text as _

from .dates import WrittenDate, read_date
from .document import TextRecord, TrfDocument
from .errors import TrfError
from .fields import (
    BAKU_SUFFIX,
    DUTCH_2017_FROM,
    DUTCH_2026_FROM,
    DUTCH_WITHOUT_EDITION,
    SYSTEM_CODES,
)
from .lines import clip

_NAMED: Final = _("record 192 says %(found)s")
_BARE_DATED: Final = _(
    "record 192 says %(found)s without an edition; the first day is %(day)s (042)"
)
_BARE_UNDATED: Final = _(
    "record 192 says %(found)s without an edition, and the first day is missing (042), so the "
    "current edition is used"
)
_BARE_UNREADABLE: Final = _(
    "record 192 says %(found)s without an edition, and “%(day)s” is not a valid date (042), so "
    "the current "
    "edition is used"
)
_UNNAMED_DATED: Final = _(
    "no record 192 names a system, so the Dutch System is used; the first day is %(day)s (042)"
)
_UNNAMED_UNDATED: Final = _(
    "no record 192 names a system, and the first day is missing (042), so the current edition of the Dutch "
    "System is used"
)
_UNNAMED_UNREADABLE: Final = _(
    "no record 192 names a system, and “%(day)s” is not a valid date (042), so the current "
    "edition of the Dutch "
    "System is used"
)


@dataclass(frozen=True, slots=True)
class RulesUsed:
    """The rules in use (our ``code``) and the reason.

    ``reason`` has ``%(name)s`` for ``params``; ``str`` is the reason in English. ``is_guess``: the
    file does not contain enough data, so a person who knows the event should check it.
    """

    code: str
    reason: Text
    params: dict[str, object] = field(default_factory=dict)
    is_guess: bool = False

    def __str__(self) -> str:
        return self.reason % self.params


def decide_system(document: TrfDocument, system: str | None = None) -> RulesUsed:
    """Decide which system *document* was paired by: *system* if given, else the one in record 192.

    ``FIDE_DUTCH`` without an edition, and a file without a record 192, mean the Dutch System in
    force on the first day (042); the present one if no first day can be read. Raise
    ``trf.system_unknown`` for a system that is not implemented.
    """
    if system:
        return chosen(system, lambda: decide_system(document))
    record = next(
        (record for record in document.of(TextRecord) if record.code == "192" and record.text), None
    )
    if record is None:
        return _by_day(
            document, (_UNNAMED_DATED, _UNNAMED_UNDATED, _UNNAMED_UNREADABLE), is_guess=True
        )
    found = clip(record.text)
    code = record.text.upper().removesuffix(BAKU_SUFFIX)
    if code == DUTCH_WITHOUT_EDITION:
        return _by_day(document, (_BARE_DATED, _BARE_UNDATED, _BARE_UNREADABLE), found=found)
    if code not in SYSTEM_CODES:
        known = ", ".join((DUTCH_WITHOUT_EDITION, *SYSTEM_CODES))
        raise TrfError(
            "trf.system_unknown",
            _("Record 192: this program does not have the system '%(found)s'; known: %(known)s."),
            line=document.line_of(record),
            column=5,
            found=found,
            known=known,
        )
    return RulesUsed(SYSTEM_CODES[code], _NAMED, {"found": found})


def chosen(code: str, of_file: Callable[[], RulesUsed]) -> RulesUsed:
    """Return the requested rules with *code*, and the reason *of_file* if the file has the same."""
    try:
        own = of_file()
    except InputError:
        own = None
    if own is not None and own.code == code and not own.is_guess:
        return own
    return RulesUsed(code, _("it was chosen by the user"))


def first_day(document: TrfDocument) -> WrittenDate:
    """Return the first day (042) by :func:`~.dates.read_date`; empty text without one."""
    return read_date(next(filter(None, document.texts("042")), ""))


def shown_day(written: WrittenDate) -> str:
    """Return *written* for use in a reason: the ISO day, and the text of the file if it differs."""
    day = written.day.isoformat() if written.day else ""
    return (
        clip(written.text)
        if not day
        else day
        if written.text == day
        else f"{day}, {clip(written.text)}"
    )


DUTCH_SYSTEMS: Final = ("dutch_pre2017", "dutch_2017", "dutch_2026")
"""Our codes of the Dutch Systems, the oldest first."""


def dutch_on(day: date | None) -> str:
    """Return our code of the Dutch System in force on *day*; None: the present one."""
    if day is None or day >= DUTCH_2026_FROM:
        return "dutch_2026"
    return "dutch_2017" if day >= DUTCH_2017_FROM else "dutch_pre2017"


def is_newer_than(system: str, day: date) -> bool:
    """Return whether *system* is a Dutch System that was not yet in force on *day*."""
    return system in DUTCH_SYSTEMS and DUTCH_SYSTEMS.index(system) > DUTCH_SYSTEMS.index(
        dutch_on(day)
    )


def _by_day(
    document: TrfDocument,
    reasons: tuple[Text, Text, Text],
    *,
    is_guess: bool = False,
    **params: object,
) -> RulesUsed:
    """Return the Dutch System of the first day.

    *reasons* are for a known day, no day and an unreadable day.
    """
    written = first_day(document)
    dated, undated, unreadable = reasons
    reason = dated if written.day else unreadable if written.text else undated
    params["day"] = shown_day(written)
    return RulesUsed(
        dutch_on(written.day),
        reason,
        params,
        is_guess or written.day is None or written.is_ambiguous,
    )
