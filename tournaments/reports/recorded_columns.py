"""Find columns that no record knows of old rows: they have no default in its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.models import Model

from pairing.record import defaults
from tournaments.models import (
    Correction,
    DeskData,
    Entry,
    Game,
    PrizeCategory,
    PrizeFund,
    Round,
    Section,
    Tournament,
)

Columns = frozenset[str]

IN_ANOTHER_FORM: Final[Mapping[type[Model], Columns]] = {
    Tournament: frozenset(
        {"draw_secret", "check_in_round", "check_in_open", "created_by", "created_at"}
    ),
    Entry: frozenset(),
    Round: frozenset(
        {
            "number",
            "state",
            "starts_at",
            "results_due_at",
            "paired_at",
            "published_at",
            "results_published_at",
        }
    ),
    Game: frozenset({"board", "table", "result", "starts_at", "place", "first"}),
    Correction: frozenset(
        {
            "kind",
            "round_number",
            "game",
            "entry",
            "reported_at",
            "entered_at",
            "effect",
            "waiting",
            "before",
            "after",
            "reason",
        }
    ),
    DeskData: frozenset(),
    Section: frozenset({"event"}),
    PrizeFund: frozenset(),
    PrizeCategory: frozenset({"place"}),
}
"""Columns from before the first release that the replay reads one by one."""

NOT_RECORDED: Final[Mapping[type[Model], Columns]] = {
    Tournament: frozenset(
        {
            "identity",
            "account_salt",
            "slug",
            "automatic_by",
            "version",
            "public_version",
            "lists",
            "fingerprint",
            "public_fingerprint",
            "pairing_version",
            "federation_ids",
            "title_claims",
            "logo",
        }
    ),
    Entry: frozenset({"tournament", "created_at"}),
    Round: frozenset({"tournament", "paired_from_version"}),
    Game: frozenset({"round", "version"}),
    Correction: frozenset({"tournament"}),
    DeskData: frozenset({"entry", "wrong_codes"}),
    Section: frozenset({"tournament"}),
    PrizeFund: frozenset({"tournament"}),
    PrizeCategory: frozenset({"fund"}),
}
"""Columns that no line of the record says: counters, secrets,
and what belongs to the row and not to the event.
"""

DEFAULTS: Final[Mapping[type[Model], defaults.Defaults]] = {
    Tournament: {**defaults.SETTINGS, **defaults.LATER_SETTINGS},
    Entry: {**defaults.PLAYER, **defaults.LATER_PLAYER},
    Round: defaults.ROUND,
    Game: defaults.GAME,
    Correction: defaults.CORRECTION,
    DeskData: defaults.DESK,
    Section: defaults.SECTION,
    PrizeFund: defaults.PRIZES,
    PrizeCategory: defaults.PRIZE_CATEGORY,
}
"""By model, the defaults of the values that old lines do not name."""


def columns_without_default() -> list[str]:
    """Return the columns, such as ``Entry.club``, about which neither
    a default nor a list here says anything.
    """
    return [
        f"{model.__name__}.{field.name}"
        for model, known in DEFAULTS.items()
        for field in model._meta.concrete_fields
        if not field.primary_key
        and field.name not in known.keys() | IN_ANOTHER_FORM[model] | NOT_RECORDED[model]
    ]
