"""The verbs of the finder: ``bye guerin``, ``print r3`` or ``+ 20`` lead to a page or a form.

One table (:data:`VERBS`) has the words of each verb, its object, its power and its address. The
words are those of the catalogues of all languages, and each is understood in every language.
Nothing is done here: a line of the finder is a link to a page with the player or the board chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy, pgettext_lazy

from pairing.rules.rounds import RoundState
from tournaments.core.frame import Frame
from tournaments.core.permissions import POWERS, Power
from tournaments.desk.find import FoundPlayer
from tournaments.models import Action, Role
from tournaments.web.templatetags.board_links import board_link


class About(Enum):
    """What has to be chosen for a verb."""

    PLAYER = "player"
    BOARD = "board"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Target:
    """A tournament, and what was chosen in it.

    ``frame`` is None in the finder of an event, where verbs that need a round are left out.
    """

    slug: str
    frame: Frame | None = None
    player: FoundPlayer | None = None
    board: int | None = None
    round_number: int | None = None

    def page(self, name: str, *more: object, anchor: str = "", **query: str | int | None) -> str:
        """Return the address of the page *name* of the tournament."""
        address = reverse(name, args=[self.slug, *more])
        known = {key: value for key, value in query.items() if value is not None}
        return (
            address + (f"?{urlencode(known)}" if known else "") + (f"#{anchor}" if anchor else "")
        )

    def entry(self, anchor: str, *, when: bool = True, **query: str | int | None) -> str:
        """Return the page of the player at *anchor*."""
        if self.player is None or not when:
            return ""
        return self.page("entry-edit", self.player.entry_id, anchor=anchor, **query)

    @property
    def has_left(self) -> bool:
        return self.player is not None and self.player.has_left

    @property
    def public_round(self) -> int:
        """The newest round with public pairings, whose boards the finder knows; 0 without one."""
        return (self.frame and self.frame.latest_published) or 0

    @property
    def is_in_play(self) -> bool:
        """Whether results of that round are still entered."""
        return self.frame is not None and self.frame.latest_results < self.public_round


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the finder.

    ``needs`` is the action that it leads to, None if it changes nothing. ``address`` is empty if it
    is not possible now. ``choose`` is the page on which the player is chosen if none was typed.
    """

    label: Promise
    words: Promise
    about: About
    needs: Action | None
    address: Callable[[Target], str]
    choose: str = ""
    at_desks: bool = False
    """Whether its page is open to people at a desk, who do not read drafts."""

    def is_for(self, role: Role, *, is_final: bool) -> bool:
        """Return whether *role* may do it now."""
        if not self.at_desks and Power.READ not in POWERS[role]:
            return False
        if self.needs is None:
            return True
        row = self.needs.row
        return row.power in POWERS[role] and (row.while_final or not is_final)


def _not_here(target: Target) -> str:
    """Return the board of the player, with the button for an absent one, or the byes."""
    player = target.player
    if player and player.board and target.is_in_play:
        return target.page("round-board", target.public_round, player.board)
    return target.entry("byes-heading")


def _result(target: Target) -> str:
    if not target.is_in_play or target.frame is None:
        return ""
    address = target.page("round" if target.frame.runs else "round-results", target.public_round)
    return address + (board_link(target.board) if target.board else "")


def _correct(target: Target, kind: str | None = None) -> str:
    if not target.public_round:
        return ""
    return target.page("round-correct", target.public_round, kind=kind, board=target.board)


def _colours(target: Target) -> str:
    return _correct(target, "colours")


def _change(target: Target) -> str:
    if not target.is_in_play:
        return ""
    return target.page("round-change", target.public_round, b=target.board)


def _why(target: Target) -> str:
    if target.frame is None or target.player is None or not target.player.tpn:
        return ""
    number = target.round_number or target.public_round
    if number not in {tab.number for tab in target.frame.published}:
        return ""
    return target.page("round-why", number, player=target.player.tpn)


def _swap(target: Target) -> str:
    frame = target.frame
    if frame is None or target.player is None:
        return ""
    if frame.state_of(frame.working_round) != RoundState.DRAFT:
        return ""
    return target.page("round-swap", frame.working_round, mark=target.player.entry_id)


def _points(target: Target) -> str:
    if not target.public_round or target.player is None or not target.player.tpn:
        return ""
    return target.page("points", player=target.player.entry_id)


PRINT: Final = Verb(
    gettext_lazy("Print"),
    pgettext_lazy("words of the finder", "print, paper, sheet, PDF"),
    About.NOTHING,
    None,
    lambda target: target.page("print-and-share", round=target.round_number),
)
"""Only its lists have more words: ``print standings r3``."""

VERBS: Final = (
    Verb(
        gettext_lazy("Grant bye"),
        pgettext_lazy("words of the finder", "bye, half point, excused, day off"),
        About.PLAYER,
        Action.BYE_REQUESTED,
        lambda target: target.entry("byes-heading", round=target.round_number),
        choose="entries",
    ),
    Verb(
        gettext_lazy("Withdraw player"),
        pgettext_lazy("words of the finder", "withdraw, withdrawal, leave, drop out, remove"),
        About.PLAYER,
        Action.ENTRY_WITHDRAWN,
        lambda target: target.entry("withdraw-heading", when=not target.has_left),
        choose="entries",
    ),
    Verb(
        gettext_lazy("Bring player back"),
        pgettext_lazy("words of the finder", "bring back, return, readmit, come back"),
        About.PLAYER,
        Action.ENTRY_RETURNED,
        lambda target: target.entry("withdraw-heading", when=target.has_left),
        choose="entries",
    ),
    Verb(
        gettext_lazy("Expel player"),
        pgettext_lazy("words of the finder", "expel, disqualify, exclude"),
        About.PLAYER,
        Action.ENTRY_EXPELLED,
        lambda target: target.entry("expel-heading"),
        choose="entries",
    ),
    Verb(
        gettext_lazy("Not here"),
        pgettext_lazy("words of the finder", "absent, not here, missing, no show"),
        About.PLAYER,
        Action.BYE_REQUESTED,
        _not_here,
        choose="entries",
    ),
    Verb(
        gettext_lazy("Check in"),
        pgettext_lazy("words of the finder", "check in, present, here, arrived"),
        About.PLAYER,
        Action.ENTRY_CHECKED_IN,
        lambda target: target.page("check-in", q=target.player.name if target.player else None),
        choose="check-in",
        at_desks=True,
    ),
    Verb(
        gettext_lazy("Edit player"),
        pgettext_lazy("words of the finder", "edit, rating, estimate, title, club"),
        About.PLAYER,
        Action.ENTRY_UPDATED,
        lambda target: target.entry(""),
        choose="entries",
    ),
    Verb(
        gettext_lazy("Adjust points"),
        pgettext_lazy("words of the finder", "points, penalty, deduct, bonus"),
        About.PLAYER,
        Action.POINTS_ADJUSTED,
        _points,
        choose="points",
    ),
    Verb(
        gettext_lazy("Why this pairing?"),
        pgettext_lazy("words of the finder", "why, explain"),
        About.PLAYER,
        None,
        _why,
    ),
    Verb(
        gettext_lazy("Swap with another player"),
        pgettext_lazy("words of the finder", "swap, exchange"),
        About.PLAYER,
        Action.ROUND_ARRANGED,
        _swap,
    ),
    Verb(
        gettext_lazy("Forfeit"),
        pgettext_lazy("words of the finder", "+, forfeit, walkover"),
        About.BOARD,
        Action.RESULT_RECORDED,
        _result,
        at_desks=True,
    ),
    Verb(
        gettext_lazy("Enter the result"),
        pgettext_lazy("words of the finder", "result, score, enter"),
        About.BOARD,
        Action.RESULT_RECORDED,
        _result,
        at_desks=True,
    ),
    Verb(
        gettext_lazy("Correct a mistake"),
        pgettext_lazy("words of the finder", "correct, mistake, wrong, fix"),
        About.BOARD,
        Action.RESULT_CORRECTED,
        _correct,
    ),
    Verb(
        gettext_lazy("Correct the colours"),
        pgettext_lazy("words of the finder", "colours, colors, wrong colours"),
        About.BOARD,
        Action.COLOURS_CORRECTED,
        _colours,
    ),
    Verb(
        gettext_lazy("Change this pairing"),
        pgettext_lazy("words of the finder", "change, change pairing, another opponent"),
        About.BOARD,
        Action.ROUND_CHANGED,
        _change,
    ),
    PRINT,
    Verb(
        gettext_lazy("Undo"),
        pgettext_lazy("words of the finder", "undo, revert, reverse, oops"),
        About.NOTHING,
        Action.ACTION_UNDONE,
        lambda target: target.page("desk", anchor="log-heading"),
    ),
    Verb(
        gettext_lazy("Help"),
        pgettext_lazy("words of the finder", "help, manual, handbook, how"),
        About.NOTHING,
        None,
        lambda target: reverse("help"),
        at_desks=True,
    ),
    Verb(
        gettext_lazy("Keyboard shortcuts"),
        pgettext_lazy("words of the finder", "keys, keyboard, shortcuts"),
        About.NOTHING,
        None,
        lambda target: target.page("keys"),
        at_desks=True,
    ),
)
"""All verbs, in the order of the finder."""
