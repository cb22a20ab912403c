"""The value of everything that a line of the record does not name,
because the line is older than the value.

One table for each kind of row: the name of a value, and what a row without it has. The replay
begins with these values, and only these values are read from the tables and compared with the
record. A value that was added later can then be missing in old lines.
``docs/developer/add-a-column.md`` says how to add one. A default stays as it is once it is
released, even if new rows begin with another one: old lines mean the old one. Those of
settings and of players are in their own tables, :mod:`pairing.rules.settings` and
:mod:`pairing.record.player_fields`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pairing.rules.settings import SETTINGS as OF_TOURNAMENTS

from .player_fields import FIELDS, SetBy

Defaults = Mapping[str, Any]

SETTINGS: Final[Defaults] = {name: each.default for name, each in OF_TOURNAMENTS.items()}
"""The settings that the first line of a new tournament names; dates are ISO texts."""

HANDED_OVER: Final[Defaults] = {
    "handed_over_at": None,
    "handed_over_to": "",
    "handed_over_address": "",
}
"""What a live copy of an event says about a hand-over."""

SHOWN: Final[Defaults] = {"listed": False, "archived": False}
"""A new tournament is neither in the public list nor archived."""

LATER_SETTINGS: Final[Defaults] = {
    "initial_colour": "",
    "initial_colour_method": "",
    "lots_seed": "",
    "trf_extras": [],
    "final_at": None,
    "left_fide_mode": None,
    "order_of_equals": [],
    "expelled": [],
    "corrections_until": None,
    "group_a_last": None,
    **HANDED_OVER,
    **SHOWN,
}
"""The settings with an action of their own: no new tournament begins with another value,
whatever its line says.
"""

PLAYER: Final[Defaults] = {
    each.name: each.default for each in FIELDS if each.set_by is not SetBy.OWN_ACTION
}
"""The values of a player that the line of a new player names."""

LATER_PLAYER: Final[Defaults] = {
    each.name: each.default for each in FIELDS if each.set_by is SetBy.OWN_ACTION
}
"""The values with an action of their own: no new player begins with another one,
whatever the line says.
"""

DESK: Final[Defaults] = {"phone": "", "note": "", "fee_due": None, "fee_paid": 0}
"""What the check-in desk knows about a player at first."""

SECTION: Final[Defaults] = {
    "label": "",
    "position": 10,
    "rating_from": None,
    "rating_to": None,
    "born_from": None,
    "born_to": None,
}
"""The limits of a section of an event."""

PRIZES: Final[Defaults] = {
    "currency": "",
    "division": "equal",
    "choice": "in_order",
    "most_each": 1,
    "unit": 1,
    "cap": 0,
    "minimum": 0,
    "withdrawn_win": True,
    "excluded": [],
    "event_winners": [],
}
"""The rules for all prizes."""

PRIZE_CATEGORY: Final[Defaults] = {
    "name": "",
    "eligible": "everybody",
    "value": "",
    "also": [],
    "team_size": 0,
}
"""A category of prizes."""

# The replay has attributes for the columns of these three from before the first release, and puts
# later ones into ``values`` of the round, of the board and of the correction.

ROUND: Final[Defaults] = {}
"""Further values of a round."""

GAME: Final[Defaults] = {}
"""Further values of a game."""

CORRECTION: Final[Defaults] = {}
"""Further values of a correction."""


def prizes_with_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the prizes of a line with *values*, with the defaults of what it does not name.

    ``one_each`` of an older line is the limit of one prize, or no limit.
    """
    categories = [
        {**PRIZE_CATEGORY, "amounts": [], "things": [], **each}
        for each in values.get("categories", ())
    ]
    named = dict(values)
    if "one_each" in named:
        named = {"most_each": 1 if named.pop("one_each") else 0, **named}
    return {**PRIZES, **named, "categories": categories}


def named_values(defaults: Defaults, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of *defaults* that *values* names and that are not the default."""
    return {
        name: values[name]
        for name, default in defaults.items()
        if name in values and values[name] != default
    }
