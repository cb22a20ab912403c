"""The points of results, from records 162, BB? and XXS."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from pairing.engine.model import Points, PointSystem
from pairing.trf.document import TrfDocument
from pairing.trf.errors import TrfError
from pairing.trf.reader import read
from pairing.trf.scoring import point_system, point_values
from tests.trf.reports import player, report

STANDARD = PointSystem()
THREE_ONE_NIL = PointSystem.from_values(win=30, draw=10)


@pytest.mark.parametrize(
    "lines, system",
    [
        ((), STANDARD),
        (("162  W 3.0    D 1.0",), THREE_ONE_NIL),
        (("162  W 3.0", "162  D 1.0"), THREE_ONE_NIL),
        (("162  P 0.5",), PointSystem.from_values(pairing_allocated_bye=5)),
        (
            ("162  P 0.5    W 3.0    D 1.0",),
            replace(THREE_ONE_NIL, pairing_allocated_bye=Points(5)),
        ),
        (("162  A 0.5",), PointSystem.from_values(absence=5)),
        (("162  Z 0.5",), PointSystem.from_values(absence=5)),
        (("162  X 0.0",), PointSystem.from_values(unknown=0)),
        (("162  W 3.0    D 2.0    L 1.0",), PointSystem.from_values(win=30, draw=20, loss=10)),
        (("BBW 3.0", "BBD 1.0"), THREE_ONE_NIL),
        (("BBU 0.5",), PointSystem.from_values(pairing_allocated_bye=5)),
        (("BBL 1.0", "BBZ 0.5"), replace(STANDARD, loss=Points(10), zero_point_bye=Points(5))),
        (("BBF 0.5",), replace(STANDARD, forfeit_loss=Points(5))),
        (("162  W 3.0    D 1.0", "BBW 2.0"), THREE_ONE_NIL),
        (("XXS PAB=3 D=1 W=3",), THREE_ONE_NIL),
        (("XXS W=3", "XXS D=1"), replace(THREE_ONE_NIL, pairing_allocated_bye=Points(10))),
        (("XXS PAB=.5",), PointSystem.from_values(pairing_allocated_bye=5)),
        (
            (
                "XXS WW=1 WD=.5 WL=0 BW=1 BD=0.5 BL=0",
                "XXS FL=0 FW=1",
                "XXS PAB=1 FPB=1 HPB=.5 ZPB=0",
            ),
            STANDARD,
        ),
        (
            ("XXS FL=0 W=3 D=2 PAB=2 WL=1 BL=1 ZPB=1",),
            replace(
                PointSystem.from_values(win=30, draw=20, loss=10, pairing_allocated_bye=20),
                zero_point_bye=Points(10),
            ),
        ),
        (
            ("XXS W=3 FW=2 HPB=0",),
            replace(
                STANDARD,
                win=Points(30),
                full_point_bye=Points(30),
                forfeit_win=Points(20),
                half_point_bye=Points(0),
            ),
        ),
    ],
)
def test_points_are_read_from_every_record(lines: tuple[str, ...], system: PointSystem) -> None:
    assert point_system(read(report(player(1, "0.0"), *lines))) == system


@pytest.mark.parametrize("words", ["WW=1.5", "WW=1.5 BW=1", "BD=0", "WL=1", "W=3 BW=2"])
def test_points_that_depend_on_the_colour_are_refused(words: str) -> None:
    document = read(report("012 Test", "XXS " + words, player(1, "0.0")))
    with pytest.raises(TrfError) as caught:
        point_system(document)
    assert (caught.value.code, caught.value.line, caught.value.column) == (
        "trf.points_by_colour",
        2,
        5,
    )
    assert caught.value.message.startswith("XXS gives White and Black different points for a ")


@given(
    st.tuples(st.integers(0, 10), st.integers(0, 20), st.integers(0, 50), st.integers(0, 99)),
    st.integers(0, 99),
    st.none() | st.integers(0, 99),
)
def test_a_point_system_is_written_as_it_is_read(
    steps: tuple[int, int, int, int], absence: int, unknown: int | None
) -> None:
    loss, draw, win, pab = steps[0], steps[0] + steps[1], steps[0] + steps[1] + steps[2], steps[3]
    system = PointSystem.from_values(
        win=win, draw=draw, loss=loss, absence=absence, pairing_allocated_bye=pab, unknown=unknown
    )
    values = point_values(system)
    document = TrfDocument((values,) if values else ())
    assert point_system(document) == system
    assert (values is None) == (system == STANDARD)
