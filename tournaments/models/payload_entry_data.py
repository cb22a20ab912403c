"""The JSON of a participant in the record; see :mod:`tournaments.models.payload_data`."""

from __future__ import annotations

from pairing.record.player_fields import PlayerValues


class EntryData(PlayerValues):
    """All data of a participant.

    A player shown with initials has them as ``name``, and the whole name too.
    """

    entry: int
    tpn: int | None


class EntryChange(PlayerValues):
    """The changed data of a participant."""

    entry: int
