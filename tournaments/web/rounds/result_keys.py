"""The keys of result entry, for the script, the legend and the menu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from pairing.engine.model import PointSystem
from pairing.rounds.round_page import match_points
from tournaments.core.scores import Score
from tournaments.models import GameResult
from tournaments.web.templatetags.numbers import colon
from tournaments.web.templatetags.players_reports import REPORT_WORDS
from tournaments.web.templatetags.results import result_long, result_short


@dataclass(frozen=True, slots=True)
class ResultKey:
    """One result and the keys that enter it, with the names that browsers use.

    The common results have signs that enter them at once; all are on the numeric keypad. The rare
    ones have letters, which work only in the menu of all results: elsewhere a letter begins the
    search for a name, and a name typed without looking must not enter a double forfeit.
    """

    code: str
    keys: tuple[str, ...]

    @property
    def in_menu_only(self) -> bool:
        return self.keys[0].isalpha() and len(self.keys[0]) == 1


RESULT_KEYS: Final = (
    ResultKey(GameResult.WHITE_WINS, ("1",)),
    ResultKey(GameResult.BLACK_WINS, ("0",)),
    ResultKey(GameResult.DRAW, ("5", "=")),
    ResultKey(GameResult.BLACK_FORFEITS, ("+",)),
    ResultKey(GameResult.WHITE_FORFEITS, ("-",)),
    ResultKey(GameResult.NOT_YET, ("Backspace", "Delete")),
    ResultKey(GameResult.BOTH_FORFEIT, ("x",)),
    ResultKey(GameResult.ADJOURNED, ("a",)),
    ResultKey(GameResult.WHITE_WINS_UNRATED, ("w",)),
    ResultKey(GameResult.DRAW_UNRATED, ("d",)),
    ResultKey(GameResult.BLACK_WINS_UNRATED, ("l",)),
    ResultKey(GameResult.BOTH_LOSE, ("z",)),
    ResultKey(GameResult.HALF_ZERO, ("h",)),
    ResultKey(GameResult.ZERO_HALF, ("j",)),
)
COLOURS_KEY: Final = "c"
"""The key for swapped colours; it works only in the menu of all results."""
REPORT_KEY: Final = ";"
"""The key that accepts what the players report.

Where it needs Shift, the key alone only opens all results.
"""
QUICK: Final = (GameResult.WHITE_WINS, GameResult.DRAW, GameResult.BLACK_WINS)
"""The three results with a button at every board."""


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A line of keys: the caps, and their effect; ``after``: they work only after the key above."""

    caps: tuple[str, ...]
    does: str
    after: bool = False


NOT_IN_A_PAST_ROUND: Final = (GameResult.NOT_YET, GameResult.ADJOURNED)
"""What an adjourned game cannot become once the results of its round are published."""


def result_key_lines(
    *, swaps_colours: bool, cards: bool, reports: bool, is_past: bool = False
) -> list[KeyLine]:
    """Return the keys of result entry in the reader's language,
    for the list beside the boards and for all keys.

    With *cards* also those that open the card of a player or of a board, which the result desk and
    the second reading do not have; with *reports* the key that accepts a players' report. In a
    round whose results are published (*is_past*) nothing is restored or cleared.
    """
    left_out = NOT_IN_A_PAST_ROUND if is_past else (GameResult.NOT_YET,)
    keys = [key for key in RESULT_KEYS if key.code not in left_out]
    lines = [KeyLine(key.keys, result_long(key.code), after=key.in_menu_only) for key in keys]
    back = [
        KeyLine(("⌫",), _("undo the last entry; elsewhere restore the old result, or clear it")),
        KeyLine((_("Esc"),), _("restore the old result of this board")),
    ]
    return [
        *(line for line in lines if not line.after),
        *([KeyLine((REPORT_KEY,), _("accept what the players report"))] if reports else []),
        *([] if is_past else back),
        KeyLine(("⏎",), _("next adjourned game") if is_past else _("next board without a result")),
        KeyLine(("↑", "↓"), _("another board")),
        *([KeyLine(("←", "→"), _("card of White, of Black"))] if cards else []),
        KeyLine(("/",), _("find a board or a name, then press Enter")),
        KeyLine(
            ("*",), _("show adjourned games only") if is_past else _("show missing results only")
        ),
        KeyLine(("?",), _("list the keys of this page")),
        KeyLine((".",), _("all results; then:")),
        *(line for line in lines if line.after),
        *([KeyLine(("b",), _("card of the board"), after=True)] if cards else []),
        *([KeyLine((COLOURS_KEY,), _("colours swapped"), after=True)] if swaps_colours else []),
    ]


def choices(*, is_past: bool = False) -> tuple[tuple[str, str], ...]:
    """Return results for the plain form; of a past round "adjourned" too, shown first."""
    found = tuple(
        (key.code, f"{result_short(key.code)} · {result_long(key.code)}")
        for key in RESULT_KEYS
        if key.code
    )
    return found if is_past else (("", "–"), *found)


def words_for_script(values: PointSystem) -> dict[str, Any]:
    """Return words and keys for static/js/results.js; a game is worth *values*."""
    codes = [key.code for key in RESULT_KEYS]
    return {
        "keys": {
            name: key.code for key in RESULT_KEYS if not key.in_menu_only for name in key.keys
        },
        "menuKeys": {name: key.code for key in RESULT_KEYS for name in key.keys},
        "reportKey": REPORT_KEY,
        "quick": list(QUICK),
        "short": {code: result_short(code) for code in codes},
        "long": {code: result_long(code) for code in codes},
        "worth": {code: match_points(Score(code), values) for code in codes},
        "colon": colon(),
        "board": _("Board %n"),
        "game": _("Board %n, game %m"),
        **_words_of_state(),
        "keepTheirs": _("Keep the saved result: %r"),
        "saveMine": _("Save my result: %r"),
        "replaced": _("was %r. ⌫ restores it."),
        "restore": _("Restore"),
        "was": _("was %r"),
        "swapColours": _("Did %w play White, and %b Black? The record keeps this correction."),
        "swap": _("Swap the colours"),
        "dontSwap": _("Keep the colours"),
        "swapUnsaved": _("The result of this board is not saved yet. Swap the colours when it is."),
        "swapNotSaved": _(
            "The server did not answer: the colours are not swapped yet. It is tried again."
        ),
        "tryAgain": _("Try again now"),
        "reported": {by.value: str(sentence) for by, sentence in REPORT_WORDS.items()},
        "accept": _("Accept %r"),
        "alike": _("Both players report the same result: %b."),
        "acceptAll": _("Accept 1 result"),
        "acceptAlls": _("Accept %n results"),
        "whichBoard": _("Were you typing a board number?"),
        "otherBoard": _("Remove this result and go to board %n"),
        "keepResult": _("Keep it and go to board %n"),
        "keepOn": _("Keep it and continue"),
        "gone": _(
            "The published pairings were changed. Not saved, because these games no longer exist: %b."
        ),
        "notSaved": _(
            "The results are not published: these boards are not saved yet: %b. Try again when "
            "they are saved."
        ),
    }


def _words_of_state() -> dict[str, str]:
    """Return the words about saved, missing and published results."""
    return {
        "saved": _("saved"),
        "unsaved": _("not saved"),
        "saving": _("being saved"),
        "allSaved": _("all saved"),
        "tryingAgain": _("not saved, trying again"),
        "stopped": _("saving has stopped"),
        "undecided": _("not saved: you decide"),
        "missing": _("missing:"),
        "allIn": _("all results entered"),
        "allHere": _("all entered in this part"),
        "leftUnsaved": _("Not saved yet, in another part:"),
        "adjourned": _("adjourned:"),
        "toCard": _("Card of the board"),
        "isPast": _("This result is published: only a correction changes it."),
    }
