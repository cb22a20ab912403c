"""The JSON of a hand-over in ``before`` and ``after`` of the record."""

from __future__ import annotations

from typing import TypedDict


class HandOver(TypedDict):
    """Since when another computer is live, which or with whom, and its address if any."""

    handed_over_at: str
    handed_over_to: str
    handed_over_address: str
