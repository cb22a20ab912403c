"""The lines of a page about an entered player: the fields in which a list differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.core.errors import BadInput
from tournaments.entries.cells import label
from tournaments.lists.imports.comparing import ChangedPlayer, FieldChange
from tournaments.models import Sex
from tournaments.web.templatetags.numbers import birth


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A field of a player with its old and new value, and a box or the reason against it."""

    value: str
    """What the box sends."""
    player: ChangedPlayer
    label: str
    old: str
    new: str
    refused: BadInput | None
    lines: int
    """How many lines the player has, at the first of them; 0 at the others."""


def shown_changes(
    player: ChangedPlayer, box: Callable[[ChangedPlayer, FieldChange], str]
) -> Iterator[ShownChange]:
    """Yield a line for each changed field of *player*; *box* gives what its box sends."""
    for number, change in enumerate(player.changes):
        yield ShownChange(
            value=box(player, change),
            player=player,
            label=label(change.field),
            old=value_text(change.field, change.old),
            new=value_text(change.field, change.new),
            refused=change.refused,
            lines=0 if number else len(player.changes),
        )


def value_text(name: str, value: object) -> str:
    """Return a value as the page shows it; a dash for none."""
    if name == "initials":
        return _("yes") if value else "–"
    if name == "sex" and value:
        return str(Sex(str(value)).label)
    return (birth(str(value)) if name == "birth_date" else str(value)) if value else "–"
