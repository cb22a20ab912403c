"""One sentence about each pairing system, for arbiters who choose one and for players."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.engine.systems import games_a_round

NAMES: Final[dict[str, str | Promise]] = {
    "dutch_2026": _("FIDE Dutch System 2026"),
    "dutch_2017": _("FIDE Dutch System 2017"),
    "dutch_pre2017": _("FIDE Dutch System before July 2017"),
    "double_swiss_2026": _("FIDE Double-Swiss System 2026"),
}
"""Names by the code of the system, as the engine writes them in reports;
one for every system of a tournament.
"""

SENTENCES: Final[dict[str, str | Promise]] = {
    "dutch_2026": _(
        "Players with equal scores are paired, upper half against lower half. The bye goes to the "
        "lowest score "
        "possible. In force from 1 February 2026 (C.04.3, Articles 1-5)."
    ),
    "dutch_2017": _(
        "The previous text of the Dutch System. It looks one scoregroup ahead and joins the last "
        "scoregroups "
        "when they cannot be paired alone. Approved in 2016, in force until 31 January 2026 "
        "(C.04.3, sections "
        "A-E)."
    ),
    "dutch_pre2017": _(
        "The text of 2013: a procedure that relaxes its requirements step by step and can undo "
        "earlier pairings. "
        "In force until 30 June 2017 (C.04.3, sections A-F)."
    ),
    "double_swiss_2026": _(
        "Every pairing is a match of two games with reversed colours, and each game gives points. "
        "A bye covers a "
        "whole match. In force from 1 February 2026 (C.04.5, Articles 0-4)."
    ),
}
"""Sentences by the code of the system; one for every system of a tournament."""

ACCELERATIONS: Final[dict[str, str | Promise]] = {
    "": _("Scoregroups use game points only."),
    "baku": _(
        "In the first half of the rounds, the upper half of the list gets virtual points: first a "
        "win, then half "
        "a win. They count for the pairing and the order of the boards, not for standings and "
        "tie-breaks. "
        "Available for the Dutch Systems of 2017 and 2026 and for Double-Swiss (where a win means "
        "the win of a "
        "match), if a win is worth two draws and a loss nothing (C.04.7, C.04.2 1.1)."
    ),
}
"""Sentences by the code of the acceleration."""


def worth_of_pab(worth: str, system: str, *, win: int, draw: int) -> int:
    """Return the value of the pairing-allocated bye by *system*, in tenths:
    a ``win``, a ``draw``, or ``none``.

    If a round is a match, a win is one game won and one drawn [C.04.5/2026 1.4].
    """
    games = games_a_round(system)
    return {"win": win if games == 1 else win + draw, "draw": games * draw, "none": 0}[worth]
