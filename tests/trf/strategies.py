"""Hypothesis strategies for tournaments of any kind as reports."""

from __future__ import annotations

from hypothesis import strategies as st

from pairing.engine.model import TPN, Colour, Points, PointSystem, Result
from pairing.trf.convert import points_total
from pairing.trf.document import (
    AbnormalPoints,
    InitialColour,
    NationalRating,
    PlayerRecord,
    ProhibitedPairs,
    Record,
    RequestedByes,
    RoundCell,
    RoundCount,
    RoundDates,
    TextRecord,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from pairing.trf.scoring import point_values

GAMES = [
    ("1", "0"),
    ("=", "="),
    ("0", "1"),
    ("0", "0"),
    ("=", "0"),
    ("W", "L"),
    ("D", "D"),
    ("+", "-"),
    ("-", "-"),
    ("?", "?"),
]
BYES = [Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE]
NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=33).map(
    str.strip
)
SYSTEMS = st.sampled_from(
    [
        PointSystem(),
        PointSystem.from_values(pairing_allocated_bye=5),
        PointSystem.from_values(win=30, draw=10),
        PointSystem.from_values(win=30, draw=20, loss=10, absence=0, unknown=0),
    ]
)


@st.composite
def round_cells(draw: st.DrawFn, tpns: list[TPN]) -> dict[TPN, RoundCell | None]:
    """Draw one round: the absent players, the games of the others,
    and the allocated bye for an odd number.
    """
    playing = draw(st.permutations(tpns))
    away = draw(st.integers(0, len(tpns)))
    cells: dict[TPN, RoundCell | None] = {
        tpn: draw(
            st.one_of(st.none(), st.sampled_from(BYES).map(lambda bye: RoundCell(None, None, bye)))
        )
        for tpn in playing[:away]
    }
    playing = playing[away:]
    if len(playing) % 2:
        cells[playing.pop()] = RoundCell(None, None, Result.PAIRING_ALLOCATED_BYE)
    if not playing:  # without a game, a blank means that the round is not paired yet
        cells = {
            tpn: cell or RoundCell(None, None, Result.ZERO_POINT_BYE) for tpn, cell in cells.items()
        }
    for white, black in zip(playing[::2], playing[1::2], strict=True):
        letters = draw(st.sampled_from(GAMES))
        cells[white] = RoundCell(black, Colour.WHITE, Result(letters[0]))
        cells[black] = RoundCell(white, Colour.BLACK, Result(letters[1]))
    return cells


def without_tail(cells: list[RoundCell | None]) -> tuple[RoundCell | None, ...]:
    """Remove blank cells from the end, because a file cannot distinguish
    a blank last round from a missing one.
    """
    while cells and cells[-1] is None:
        cells.pop()
    return tuple(cells)


@st.composite
def documents(draw: st.DrawFn) -> TrfDocument:
    """Draw a report as a program would build it: every record class, in any order."""
    tpns = sorted(TPN(tpn) for tpn in draw(st.sets(st.integers(1, 9_999), min_size=1, max_size=8)))
    system = draw(SYSTEMS)
    rounds = [draw(round_cells(tpns)) for _ in range(draw(st.integers(0, 4)))]
    players = []
    for tpn in tpns:
        cells = without_tail([cells[tpn] for cells in rounds])
        blanks = (len(rounds) - len(cells)) * system.zero_point_bye
        players.append(
            PlayerRecord(
                tpn=tpn,
                name=draw(NAMES),
                sex=draw(st.sampled_from(["", "m", "w"])),
                title=draw(st.sampled_from(["", "GM", "WIM", "CM"])),
                rating=draw(st.none() | st.integers(0, 3_000)),
                federation=draw(st.sampled_from(["", "FRA", "SRB"])),
                fide_id=draw(st.sampled_from(["", "12345678", "99999999999"])),
                birth_date=draw(st.sampled_from(["", "1990/00/00"])),
                points=draw(st.sampled_from([None, Points(points_total(cells, system) + blanks)])),
                rank=draw(st.none() | st.integers(1, 9_999)),
                rounds=cells,
            )
        )
    records: list[Record] = [*players, *draw(st.lists(directives(tpns), max_size=5))]
    if values := point_values(system):
        records.append(values)
    return TrfDocument(
        tuple(draw(st.permutations(records))), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    )


def directives(tpns: list[TPN]) -> st.SearchStrategy[Record]:
    """Draw any record except 001 and 162, with players in *tpns*."""
    some = st.lists(st.sampled_from(tpns), max_size=4).map(tuple)
    rounds, points = st.integers(1, 99), st.integers(0, 999).map(Points)
    one: st.SearchStrategy[Record] = st.one_of(
        st.builds(TextRecord, st.sampled_from(["012", "###", "ABC", "222"]), NAMES),
        st.just(TextRecord("")),
        st.builds(
            RoundDates,
            st.lists(st.sampled_from(["26/11/21", ""]), max_size=3).map(lambda d: (*d, "26/11/22")),
        ),
        st.builds(RoundCount, st.sampled_from(["142", "XXR"]), rounds),
        st.builds(InitialColour, st.just("152"), st.sampled_from(Colour)),
        st.builds(
            InitialColour, st.just("XXC"), st.none() | st.sampled_from(Colour), st.booleans()
        ),
        st.builds(RequestedByes, st.just("240"), st.sampled_from(BYES), st.just(99), some),
        st.builds(RequestedByes, st.just("XXZ"), st.just(Result.ZERO_POINT_BYE), st.none(), some),
        st.builds(VirtualPoints, points, st.just(1), rounds, st.just(tpns[0]), st.just(tpns[-1])),
        st.builds(
            VirtualPointsHistory, st.sampled_from(tpns), st.lists(points, max_size=5).map(tuple)
        ),
        st.builds(ProhibitedPairs, st.just("260"), some, st.just(1), rounds),
        st.builds(ProhibitedPairs, st.just("XXP"), some),
        st.builds(
            AbnormalPoints,
            st.none() | st.sampled_from(BYES),
            st.integers(-999, 999).map(Points),
            st.just(99),
            st.lists(st.sampled_from(tpns), min_size=1, max_size=4).map(tuple),
            st.none() | points,
        ),
        st.builds(
            NationalRating,
            st.sampled_from(["FRA", "ESP"]),
            st.sampled_from(tpns),
            st.integers(0, 9_999),
        ),
    )
    return one
