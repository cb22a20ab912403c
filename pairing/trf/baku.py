"""Write Baku acceleration as records 250, and recognise it in a report [C.04.7/2026]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pairing.engine.acceleration import Acceleration, allows_baku, baku, by_round, size_of_group_a
from pairing.engine.model import TPN, Points, PointSystem

from .acceleration import virtual_points
from .document import TrfDocument, VirtualPoints
from .rounds import paired_in_round_1, played_rounds


def baku_records(accelerations: Iterable[Acceleration], first_tpn: TPN) -> Iterator[VirtualPoints]:
    """Yield the records 250 of *accelerations* for a list that begins with *first_tpn*."""
    for record in accelerations:
        yield VirtualPoints(
            record.points, record.first_round, record.last_round, first_tpn, record.last_tpn
        )


def last_of_baku(document: TrfDocument, *, total_rounds: int, points: PointSystem) -> TPN | None:
    """Return the last player of group A if the virtual points of *document*
    are exactly those of Baku; else None.

    They must match in all *total_rounds* and for all players of the file. Before round 1 the size
    of group A must be possible too: it follows from the players to be paired in round 1, and
    programs differ on those with a bye announced for it. Once a round is paired, numbers may have
    been assigned again [C.04.2/2026 2.3] and late entries added to it [C.04.2/2026 4.4.4], which no
    record shows; then group A is the players with its virtual points. Cost: players times rounds.
    """
    tpns = sorted(player.tpn for player in document.players)
    given = virtual_points(document, tpns, total_rounds)
    last = max((tpn for tpn, values in given.items() if any(values)), default=None)
    if last is None or not allows_baku(points):
        return None
    nothing = (Points(0),) * total_rounds
    group_a = by_round(
        baku(last, total_rounds=total_rounds, win=points.of_whole_rounds().win), total_rounds
    )
    if any(given.get(tpn, nothing) != (group_a if tpn <= last else nothing) for tpn in tpns):
        return None
    return last if played_rounds(document.players) or _can_end_group_a(document, last) else None


def _can_end_group_a(document: TrfDocument, last: TPN) -> bool:
    """Return whether *last* can end group A in round 1, if some absent players do not count."""
    late = {player.tpn for player in document.players} - paired_in_round_1(document) - {last}
    above = sum(player.tpn <= last for player in document.players)
    below = len(document.players) - above
    late_above = sum(tpn < last for tpn in late)
    late_below = len(late) - late_above
    # A group of a players belongs to a list of 2a - 3 to 2a players.
    return any(
        size_of_group_a(size + rest) == size
        for size in range(above - late_above, above + 1)
        for rest in range(max(below - late_below, size - 3), min(below, size) + 1)
    )
