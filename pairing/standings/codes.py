"""The codes of tie-breaks, as in records 202 and 212: ``BH/C1``, ``SB``, ``KS/L+1``.

``CODE[/C1|/C2|/M1|/M2|/L±n|/P|/F|/R]…``; upper and lower case are the same [C.07/2026 5, 14]. A person may also type
``BH-C1`` or ``BH C1``, and put semicolons or new lines between the codes; a list is written with
``/`` and commas.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from pairing.engine.errors import InputError

from .definition import TieBreak, TieBreakCode
from .editions import EDITIONS, TieBreakEdition
from .tie_breaks import MODIFIERS, TIE_BREAKS

_LIMIT: Final = re.compile(r"L([+-]\d{1,2})")
_BETWEEN: Final = re.compile(r"[,;\n]")
_BEFORE_MODIFIER: Final = re.compile(r"\s*/\s*|(?<!L)-|\s+")
"""What separates a code from its modifiers; the minus of ``L-1`` does not."""
_PRIMARY: Final = "PTS"
"""The code of the points in record 212; they always come first."""

DEFAULT_LIST: Final = ("BH/C1", "BH", "SB", "DE", "WIN")
"""Our own choice, because C.07 recommends no list."""


def parse_list(codes: str | Sequence[str], edition: TieBreakEdition) -> tuple[TieBreakCode, ...]:
    """Return the tie-breaks in *codes*, in the same order; a text has commas, semicolons or new
    lines between them and may begin with ``PTS``.

    Raise :class:`InputError`: ``tie_break.unknown``, ``tie_break.modifier`` (this tie-break does
    not have that modifier), ``tie_break.not_in_edition``, ``tie_break.twice``.
    """
    words = [word.strip() for word in (_BETWEEN.split(codes) if isinstance(codes, str) else codes)]
    if words and words[0].upper() == _PRIMARY:
        del words[0]
    parsed = tuple(parse_code(word, edition) for word in words if word)
    for place, code in enumerate(parsed, 1):
        first = parsed.index(code) + 1
        if first < place:
            raise InputError(
                "tie_break.twice",
                f"{code} stands twice in the list, at places {first} and {place}: it can break a tie once.",
                tie_break=str(code),
                first=first,
                second=place,
            )
    return parsed


def parse_code(text: str, edition: TieBreakEdition) -> TieBreakCode:
    """Return the tie-break with the code *text* in *edition*; raise as :func:`parse_list`."""
    name, *modifiers = _BEFORE_MODIFIER.split(text.strip().upper())
    unknown = codes_unknown_to(edition)
    tie_break = TIE_BREAKS.get(name)
    if tie_break is None:
        known = " ".join(code for code in TIE_BREAKS if code not in unknown)
        raise InputError(
            "tie_break.unknown",
            f"There is no tie-break '{text}'; known: {known}.",
            tie_break=text,
            known=known,
        )
    fields: dict[str, Any] = {}
    for modifier in modifiers:
        given = _modifier(modifier, tie_break)
        if given is None or fields.keys() & given.keys():
            allowed = ", ".join(map(_spelling, tie_break.modifiers)) or "none"
            raise InputError(
                "tie_break.modifier",
                f"{name} cannot have the modifiers of '{text}'; {name} has {allowed}.",
                tie_break=text,
                allowed=allowed,
            )
        fields |= given
    if not unknown.isdisjoint({name, *(f"{name}/{modifier}" for modifier in modifiers)}):
        raise InputError(
            "tie_break.not_in_edition",
            f"{text} is not in {edition.name}: it came with a later text.",
            tie_break=text,
            edition=edition.code,
        )
    return TieBreakCode(tie_break, **fields)


@cache
def codes_unknown_to(edition: TieBreakEdition) -> frozenset[str]:
    """Return the codes that came with a later text than *edition*: ``STD``, ``AOB/F``."""
    return frozenset(
        code
        for tie_break in TIE_BREAKS.values()
        for code, first in tie_break.since.items()
        if EDITIONS[first].applied_from > edition.applied_from
    )


def default_list(games: int) -> tuple[str, ...]:
    """Return our default list for rounds of *games* games; for matches without those of games."""
    usable = [code for code in TIE_BREAKS if games == 1 or not TIE_BREAKS[code].counts_games]
    return tuple(code for code in DEFAULT_LIST if code.partition("/")[0] in usable)


def require_usable(codes: Sequence[TieBreakCode], games: int) -> None:
    """Refuse a tie-break of single games if a round is a match: ``tie_break.of_games``."""
    for code in codes:
        if games > 1 and code.tie_break.counts_games:
            raise InputError(
                "tie_break.of_games",
                f"{code} counts single games (C.07 {code.tie_break.article}); a round here is a "
                f"match of {games}.",
                tie_break=str(code),
                games=games,
            )


def format_list(codes: Sequence[TieBreakCode]) -> str:
    """Return the list in the form of record 202."""
    return ",".join(str(code) for code in codes)


def _modifier(text: str, tie_break: TieBreak) -> Mapping[str, Any] | None:
    """Return the fields that one modifier sets; None if *tie_break* does not have it."""
    limit = _LIMIT.fullmatch(text)
    if limit is not None and "L" in tie_break.modifiers:
        return {"limit": int(limit[1])}
    return MODIFIERS[text].sets if text in MODIFIERS and text in tie_break.modifiers else None


def _spelling(variant: str) -> str:
    return "/L+n or /L-n" if variant == "L" else f"/{variant}"
