"""Make records without a database: four players, one round, and the file of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pairing.record import signatures
from pairing.record.chain import EMPTY, Line, fingerprint
from pairing.record.file import Header, Seal, sealed, write
from pairing.record.private import hide

PRIVATE: Final = "01" * 32
PUBLIC: Final = signatures.public_key(PRIVATE)
IDENTITY: Final = "5eed" * 8
AT: Final = "2026-11-21T09:00:00.000000+00:00"
NAMES: Final = ("Abara", "Blomqvist", "Czerny", "Dumont")


class UnsignedLine(NamedTuple):
    """An action: its code, its data before and after, its round, its reason,
    and the account that did it.
    """

    action: str
    before: Mapping[str, Any] = {}
    after: Mapping[str, Any] = {}
    round_number: int | None = None
    reason: str = ""
    by: int = 1


def entry(number: int) -> dict[str, Any]:
    """Return player *number*, 1 to 4, whose entry is 10 times that."""
    return {
        "entry": 10 * number, "tpn": None, "birth_date": "1987/06/05", "checked_in": False, "club": "",
        "federation": "FRA", "fide_id": None, "fide_rating": 2000 - number, "first_round": 1, "fixed_table": None,
        "no_byes_with_points": False,
        "name": NAMES[number - 1], "national_rating": None, "rating": 2000 - number, "rating_source": "fide",
        "sex": "", "title": "",
    }  # fmt: skip


ROUND: Final = UnsignedLine(
    "round.paired",
    {"state": "planned"},
    {
        "state": "draft", "system": "dutch_2026", "pairs": [[1, 3], [4, 2]], "boards": [[10, 30], [40, 20]],
        "pairing_allocated_bye": None, "not_paired": [],
    },
    1,
)  # fmt: skip
SETTINGS: Final = {
    "name": "Autumn Open", "total_rounds": 2, "system": "dutch_2026", "acceleration": "", "points_win": 10,
    "points_draw": 5, "points_loss": 0, "points_absence": 0, "points_pab": 10,
}  # fmt: skip
EVENT: Final = (
    UnsignedLine("tournament.created", {}, SETTINGS),
    *(UnsignedLine("entry.added", {}, entry(number)) for number in (1, 2, 3, 4)),
    UnsignedLine(
        "numbers.assigned",
        {"tpn": {"10": None, "20": None, "30": None, "40": None}},
        {
            "tpn": {"10": 1, "20": 2, "30": 3, "40": 4},
            "names": {str(number): name for number, name in enumerate(NAMES, start=1)},
        },
    ),
    ROUND,
    UnsignedLine("pairings.published", {"state": "draft"}, {"state": "pairings_published"}, 1),
    UnsignedLine("result.recorded", {"board": 1, "result": ""}, {"board": 1, "result": "10"}, 1),
    UnsignedLine("result.recorded", {"board": 2, "result": ""}, {"board": 2, "result": "=="}, 1),
    UnsignedLine(
        "results.published", {"state": "pairings_published"}, {"state": "results_published"}, 1
    ),
)
"""Lines 1 to 11: round 1 is over."""


def lines_of(unsigned: Sequence[UnsignedLine], *, hidden: bool = True) -> list[Line]:
    """Return the lines *unsigned*, chained and signed, as they are exported;
    or not *hidden*, as stored.
    """
    lines: list[Line] = []
    for sequence, each in enumerate(unsigned, start=1):
        line = Line(
            sequence=sequence, action=each.action, article="", actor="Clara Chief", account=each.by, at=AT,
            round_number=each.round_number, before=each.before, after=each.after, reason=each.reason, is_public=True,
            key=PUBLIC, previous=lines[-1].hash if lines else EMPTY,
        )  # fmt: skip
        exported = hide(line, salt=f"salt {sequence}", account_salt="salt of accounts")
        hash_, line = fingerprint(IDENTITY, exported), exported if hidden else line
        lines.append(replace(line, hash=hash_, signature=signatures.sign(PRIVATE, hash_)))
    return lines


def file_of(lines: Sequence[Line], **changes: Any) -> list[bytes]:
    """Return the file with *lines*; *changes* are those of its header."""
    header = Header(
        "Autumn Open", IDENTITY, "dutch_2026", "c04_2_2026", "0.1.0", (PUBLIC,), len(lines), True
    )
    header = replace(header, **changes)
    last = lines[-1].hash if lines else EMPTY
    seal = Seal(last, PUBLIC, signatures.sign(PRIVATE, sealed(header, last)))
    return [line.encode() for line in write(header, lines, seal)]
