"""Named lists of tie-breaks, and the steps that change a list:
move, remove, add, replace. Nothing is saved here.

C.07 recommends no list, so the lists are our own choice; regulations may have any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.engine.errors import InputError
from pairing.standings.codes import (
    DEFAULT_LIST,
    codes_unknown_to,
    default_list,
    format_list,
    parse_list,
)
from pairing.standings.definition import TieBreakCode
from pairing.standings.editions import EDITIONS, TieBreakEdition, edition_by_code
from pairing.standings.tie_breaks import TIE_BREAKS


@dataclass(frozen=True, slots=True)
class NamedList:
    """A named list of tie-breaks; ``games`` is the number of games of its rounds."""

    name: str | Promise
    codes: str
    games: int = 1


LISTS: Final[Mapping[str, NamedList]] = {
    "buchholz": NamedList(_("Buchholz first (default)"), ",".join(DEFAULT_LIST)),
    "encounter": NamedList(_("Direct encounter first"), "DE,BH/C1,BH,SB,WIN"),
    "progressive": NamedList(_("Buchholz, then progressive scores"), "BH/C1,BH,PS,DE,WIN"),
    "wins": NamedList(_("Wins first"), "WIN,BH/C1,BH,SB,DE"),
    "ratings": NamedList(
        _("Ratings of the opponents, if everybody is rated"), "ARO/C1,BH/C1,BH,DE,WIN"
    ),
    "matches": NamedList(_("For matches of two games"), ",".join(default_list(2)), games=2),
}
"""The named lists, by their code in forms."""

OFFERED: Final = tuple(
    code
    for name, tie_break in sorted(TIE_BREAKS.items())
    for code in (name, *(f"{name}/{modifier}" for modifier in tie_break.offered))
)
"""The codes that a list offers to add; every other variant can be typed."""


def lists_for(games: int) -> dict[str, NamedList]:
    """Return the named lists for rounds of *games* games."""
    return {code: named for code, named in LISTS.items() if named.games == games}


def codes_of(text: str, edition: str) -> tuple[TieBreakCode, ...]:
    """Return the tie-breaks of the list *text*; an empty *edition* is the present one.

    Raise :class:`InputError`.
    """
    return parse_list(text, known_edition(edition))


def known_edition(code: str) -> TieBreakEdition:
    """Return the edition with *code*; the present one for an unknown or empty code."""
    return edition_by_code(code) if code in EDITIONS else next(iter(EDITIONS.values()))


def can_add(text: str, edition: str, games: int) -> list[str]:
    """Return the codes of :data:`OFFERED` that *text* can still have for *games* games."""
    left_out = set(codes_unknown_to(known_edition(edition)))
    if games > 1:
        left_out |= {code for code, tie_break in TIE_BREAKS.items() if tie_break.counts_games}
    with suppress(InputError):
        left_out |= {str(code) for code in codes_of(text, edition)}
    return [code for code in OFFERED if code not in left_out]


def after_step(text: str, edition: str, step: str, *, new: str = "", chosen: str = "") -> str:
    """Return the list *text* after a *step*, written as in record 202.

    The steps are ``up:CODE``, ``down:CODE``, ``remove:CODE``, ``add`` (the code *new*), ``use``
    (the named list *chosen*) and ``read`` (only tidy up). An invalid list, or a step that does not
    fit, changes nothing.
    """
    if step == "use":
        return LISTS[chosen].codes if chosen in LISTS else text
    try:
        codes = list(codes_of(text, edition))
        if step == "add":
            codes = list(codes_of(f"{format_list(codes)},{new}", edition))
    except InputError:
        return text
    verb, _colon, code = step.partition(":")
    at = next((place for place, there in enumerate(codes) if str(there) == code), None)
    if at is not None:
        moved = codes.pop(at)
        if verb != "remove":
            codes.insert(max(at + (-1 if verb == "up" else 1), 0), moved)
    return format_list(codes)
