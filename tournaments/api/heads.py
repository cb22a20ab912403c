"""The heads of the columns of files in words, for people: a program reads the names instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from pairing.record.player_fields import TEXTS
from tournaments.entries.cells import label

# Translators: these are heads of columns in files for spreadsheets.
WORDS: Final[Mapping[str, str | Promise]] = {
    "id": _("Number in the program"),
    "tpn": _("TPN"),
    "rank": _("Rank"),
    "name": _("Name"),
    "title": _("Title"),
    "women_title": _("Women’s title"),
    "federation": _("Federation"),
    "fide_id": _("FIDE ID"),
    "national_id": _("National ID"),
    "rating": _("Rating"),
    "fide_rating": _("FIDE rating"),
    "national_rating": _("National rating"),
    "second_rating": _("Second rating"),
    "rating_source": _("Source of the rating"),
    "k_factor": "K",
    "k_assumed": _("K is assumed"),
    "list_games": _("Rated games"),
    "first_round": _("First round"),
    "withdrawn_from": _("Withdrawn from round"),
    "sex": _("Sex"),
    "birth_date": _("Date of birth"),
    "points": _("Points"),
    "by_decision": _("Point adjustments"),
    "withdrawn": _("Withdrawn"),
    "lot": _("Lot"),
    "board": _("Board"),
    "table": _("Table"),
    "round": _("Round"),
    "state": _("State"),
    "starts_at": _("Play begins"),
    "results_due_at": _("Results at the latest"),
    "published_at": _("Pairings published"),
    "results_published_at": _("Results published"),
    "category": _("Category"),
    "categories": _("Categories"),
    "place": _("Place"),
    "members": _("Players of the team"),
    "cents": _("Prize in cents"),
    "amount": _("Prize"),
    "currency": _("Currency"),
    "thing": _("Prize in kind"),
    "is_provisional": _("Provisional"),
    "section": _("Section"),
    "result": _("Result"),
    "norm": _("Norm"),
    "games": _("Games"),
    "average": "Ra",
    "norm_performance": "Rp",
    "performance": _("Performance"),
    "fide_performance": _("FIDE performance"),
    "rounds_missing": _("Missing rounds"),
    "needs": _("Points needed"),
    "opponents_rating": _("Opponents rated at least"),
    "opponents_titles": _("Opponents with title"),
    "opponents_foreign": _("Opponents from a new federation"),
    "expected": _("Expected"),
    "change": _("Change"),
    "first_rating": _("First rating"),
    "percent": "%",
    "group": _("Group"),
    "medal": _("Rank for a medal"),
    "claimed": _("Title claimed"),
    "claimed_for": _("Medal or result"),
    "remarks": _("Remarks"),
    "rating_needed": _("Rating that the title needs"),
    "presence": _("Presence"),
    "to_pay": _("To pay"),
    "paid": _("Paid"),
    "phone": _("Phone"),
    "note": _("Note"),
    "item": _("Item"),
    "article": _("Article"),
    "number": _("Number"),
    "at": _("Time"),
    "by": _("By"),
    "text": _("Text"),
    "reason": _("Reason"),
    "from_file": _("Imported from a file"),
    "what": _("What"),
    "before": pgettext_lazy("value", "Before"),
    "after": pgettext_lazy("value", "After"),
    "effect": _("Effect"),
    "reported_at": _("Reported"),
    "entered_at": _("Entered"),
    "received_at": _("Received"),
    "confirmed_at": _("Confirmed"),
    "waiting_number": _("Number on the waiting list"),
    "email": _("E-mail"),
    "byes": _("Byes in rounds"),
    "second_result": _("Second result"),
}
"""By the name of the column; texts of a player have the label of the form."""
OF_SIDES: Final[Mapping[str, str | Promise]] = {"white_": _("White"), "black_": _("Black")}
OF_ROUNDS: Final[Mapping[str, Promise]] = {
    "round_": _("Round %s"),
    "rank_after_": _("Rank after round %s"),
    "points_after_": _("Points after round %s"),
}
_NUMBERED: Final = re.compile(r"([a-z_]+_)([0-9]+)")


def in_words(names: Iterable[str]) -> list[str]:
    """Return the heads of columns with these *names*; the code of a tie-break is its own head."""
    return [_words(name) for name in names]


def _words(name: str) -> str:
    for side, of in OF_SIDES.items():
        if name.startswith(side):
            return f"{of} – {_words(name.removeprefix(side))}"
    numbered = _NUMBERED.fullmatch(name)
    if numbered and numbered[1] in OF_ROUNDS:
        return str(OF_ROUNDS[numbered[1]]) % numbered[2]
    if name in TEXTS:
        return capfirst(label(name))
    return str(WORDS.get(name, name))
