"""Small reports for the tests, formatted by hand and not by the writer under test."""

from __future__ import annotations


def player(tpn: int, points: str, *cells: str, name: str = "") -> str:
    """Return a 001 line. A cell is ``"   2 w 1"``: eight columns, two blanks before the next."""
    who = f"{name or f'Player {tpn}':<33} 2000 FRA    {12345677 + tpn:>8} 1990/01/01"
    head = f"001 {tpn:>4} m    {who} {points:>4} {tpn:>4}"
    assert len(head) == 89
    return head + "".join(f"  {cell:<8}" for cell in cells)


def report(*lines: str, end: str = "\n") -> str:
    return "".join(line + end for line in lines)


FOUR = report(
    "012 Test",
    "142 3",
    "152 W",
    player(1, "2.0", "   3 w 1", "   2 b 1"),
    player(2, "0.5", "   4 b =", "   1 w 0"),
    player(3, "0.5", "   1 b 0", "   4 w ="),
    player(4, "1.0", "   2 w =", "   3 b ="),
)
"""Two rounds of four players, paired by the rules of 2026: lines 4-7 are the players."""
