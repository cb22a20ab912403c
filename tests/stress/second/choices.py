"""From what random events and their arbiters choose."""

from __future__ import annotations

from typing import Final

SYSTEMS: Final = ("dutch_2026", "dutch_2026", "dutch_2017", "dutch_pre2017", "double_swiss_2026")
DAYS: Final = ("", "2026-11-21", "2026-11-21", "2025-05-03", "2019-08-10", "2016-07-02")
"""First days: each edition of C.04.2 and of C.07 is in force on one of them."""
CODES: Final = (
    "BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "FB", "FB/C1", "SB", "SB/C1", "SB/C2", "DE", "WIN", "WON", "BPG", "BWG",
    "PS", "PS/C1", "PS/C2", "REP", "STD", "TPN", "TPN/R", "KS", "KS/L+1", "KS/L-1", "KS/L+3", "AOB", "AOB/F", "ARO",
    "ARO/C1", "ARO/C2", "ARO/M1", "ARO/M2", "TPR", "PTP", "APRO", "APPO", "RTNG", "RTNG/R", "BH/P", "BH/C1/P",
    "FB/C2", "FB/M1", "FB/P", "FB/C1/P", "SB/P", "SB/C1/P", "DE/P", "BH/F", "BH/C2/P",
)  # fmt: skip
OF_GAMES: Final = ("WIN", "WON", "BPG", "BWG", "TPR", "PTP", "APRO", "APPO")
"""Tie-breaks of single games, which a match does not have."""
TURNS: Final = 5
"""So often the page of a round is opened, until boards are certain."""
RESULTS: Final = (
    "10",
    "10",
    "01",
    "01",
    "==",
    "==",
    "10",
    "01",
    "+-",
    "-+",
    "--",
    "=0",
    "0=",
    "00",
    "WL",
    "DD",
    "LW",
    "??",
)
LONG_EVERY: Final = 4
"""Every fourth event is long, up to six rounds and twelve players;
the others have at most three and eight.
"""
FIELDS: Final = {
    "late_entry_bye": ("Z", "H"),
    "max_byes": ("", "", "1", "2"),
    "last_bye_round": ("", "", "2"),
    "correction_minutes": ("", "0", "30"),
    "change_clause": ("", "7.3"),
    "top_boards": ("0", "0", "1", "2"),
    "rating_method": ("FIDON", "FIDON", "NIDOF", "HBFN", "NRO"),
    "third_criterion": ("", "national", "entered"),
    "pab": ("win", "win", "draw", "none"),
    "byes_in_advance": ("", "on"),
    "explanations_public": ("", "on"),
    "automatic_results": ("", "", "on"),
}
