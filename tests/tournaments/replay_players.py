"""Ratings and expulsions of players, written once more for the replay of the tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.models import Decision


def rank_again(settings: Mapping[str, object], *entries: dict[str, Any]) -> None:
    """Choose the ratings of *entries* by the methods of the tournament,
    unless the arbiter estimated them.
    """
    method = settings.get("rating_method", "FIDON")
    unused = {"fide": ("NRO", "OTHER"), "national": ("FIDE", "OTHER")}
    for entry in entries:
        if entry["rating_source"] == "estimate":
            continue
        both = [("fide", entry["fide_rating"]), ("national", entry["national_rating"])]
        found = [
            (source, rating) for source, rating in both if rating and method not in unused[source]
        ]
        if method == "NIDOF":
            found.reverse()
        if method in ("HBFN", "LBFN"):
            found.sort(key=lambda pair: pair[1], reverse=method == "HBFN")
        if settings.get("second_rating_method") and entry["second_rating"]:
            found.append(("second", entry["second_rating"]))
        entry["rating_source"], entry["rating"] = found[0] if found else ("", 0)


def expulsion(settings: dict[str, Any], row: Decision) -> None:
    """Read an expulsion, or a return, which says whether the player was expelled."""
    expelled, entry = list(settings.get("expelled", [])), row.after["entry"]
    assert row.reason
    if row.action == "entry.expelled":
        assert entry not in expelled
        settings["expelled"] = [*expelled, entry]
    else:
        assert row.before.get("expelled", False) == (entry in expelled)
        settings["expelled"] = [each for each in expelled if each != entry]


def order_of_equals(settings: dict[str, Any], row: Decision) -> None:
    """Read the order of tied players that the Chief Arbiter decided."""
    assert row.reason
    assert row.before["order"] == settings.get("order_of_equals", [])
    settings["order_of_equals"] = row.after["order"]
