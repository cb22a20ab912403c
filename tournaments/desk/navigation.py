"""The pages that a person with a role can go to by the keyboard:
by a letter after ``g``, or by name in the finder.

A letter is the same in every language, so that two arbiters at one laptop, and one printed sheet,
have the same keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from tournaments.core.frame import Frame
from tournaments.core.permissions import POWERS, Power
from tournaments.models import Role


@dataclass(frozen=True, slots=True)
class Destination:
    """A page: the ``name`` of its address with the number of its round, its title,
    and its letter if it has one.
    """

    name: str
    label: str
    letter: str = ""
    round_number: int | None = None


class _Page(NamedTuple):
    name: str
    label: Promise
    letter: str = ""
    powers: frozenset[Power] = frozenset({Power.READ})
    when: Callable[[Frame], bool] = lambda frame: True


_EVERYBODY: Final = frozenset(Power)
_CHECK_IN: Final = frozenset({Power.READ, Power.CHECK_IN})


def _has_pairings(frame: Frame) -> bool:
    return frame.latest_published is not None


_FIRST: Final = (
    _Page("desk", gettext_lazy("Desk"), "d"),
    _Page("entries", gettext_lazy("Entries"), "e", _CHECK_IN),
    _Page("check-in", gettext_lazy("Check-in"), "c", _CHECK_IN),
)
_OTHERS: Final = (
    _Page("standings", gettext_lazy("Standings"), "s", _EVERYBODY),
    _Page("crosstable", gettext_lazy("Crosstable"), "x", _EVERYBODY),
    _Page("players", gettext_lazy("Players"), "l", _EVERYBODY),
    _Page("tournament", gettext_lazy("Public page"), "o", _EVERYBODY),
    _Page("record", gettext_lazy("Record"), "", _EVERYBODY),
    _Page("progress", gettext_lazy("Progress"), "", _EVERYBODY),
    _Page("prizes", gettext_lazy("Prizes"), "", _EVERYBODY),
    _Page("published-lists", gettext_lazy("Lists as published"), "", _EVERYBODY),
    _Page("print-and-share", gettext_lazy("Print & share")),
    _Page("entry-add", gettext_lazy("Add a player")),
    _Page("entries-import", gettext_lazy("Import entries")),
    _Page("registrations", gettext_lazy("Registrations"), "", frozenset({Power.RUN})),
    _Page("ratings-check", gettext_lazy("Ratings")),
    _Page("numbers", gettext_lazy("Pairing numbers")),
    _Page("initial-colour", gettext_lazy("Initial colour")),
    _Page("self-check-in-settings", gettext_lazy("Self check-in"), "", frozenset({Power.CHECK_IN})),
    _Page("schedule", gettext_lazy("Schedule")),
    _Page("prohibited-pairs", gettext_lazy("Prohibited pairs")),
    _Page("corrections", gettext_lazy("Corrections")),
    _Page("points", gettext_lazy("Point adjustments"), when=_has_pairings),
    _Page(
        "number-of-rounds",
        gettext_lazy("Number of rounds"),
        when=lambda frame: frame.latest_started is not None,
    ),
    _Page("protests", gettext_lazy("Protests")),
    _Page("tie-breaks", gettext_lazy("Tie-breaks")),
    _Page("lots", gettext_lazy("Lots")),
    _Page("final-standings", gettext_lazy("Final standings"), when=lambda frame: frame.is_over),
    _Page("event-report", gettext_lazy("Arbiter’s report")),
    _Page("recheck", gettext_lazy("Re-check of the whole tournament")),
    _Page("people", gettext_lazy("People")),
    _Page("tournament-edit", gettext_lazy("Settings")),
    _Page("regulations", gettext_lazy("Regulations")),
    _Page("tournament-manage", gettext_lazy("Show, copy, archive")),
)


def destinations(frame: Frame, role: Role) -> list[Destination]:
    """Return the pages that *role* may open now, those with letters first. No query."""
    pages = [
        *_open(_FIRST, frame, role),
        *_current_round(frame, role),
        *_open(_OTHERS, frame, role),
    ]
    return [*pages, *_rounds(frame, role)]


def _open(pages: tuple[_Page, ...], frame: Frame, role: Role) -> list[Destination]:
    return [
        Destination(page.name, str(page.label), page.letter)
        for page in pages
        if not POWERS[role].isdisjoint(page.powers) and page.when(frame)
    ]


def _current_round(frame: Frame, role: Role) -> list[Destination]:
    """Return the round the arbiter works at, its results,
    and the newest pairings that everybody sees.

    Whoever reads drafts enters the results on the page of the round.
    """
    found = []
    reads = Power.READ in POWERS[role]
    if reads:
        number = frame.working_round
        found.append(Destination("round", _("Round %(n)s") % {"n": number}, "r", number))
    public = frame.latest_published
    if public is None:
        return found
    if Power.RESULTS in POWERS[role] and frame.tournament.final_at is None:
        name = "round" if reads else "round-results"
        found.append(Destination(name, _("Results of round %(n)s") % {"n": public}, "b", public))
    found.append(
        Destination("pairings-public", _("Pairings of round %(n)s") % {"n": public}, "p", public)
    )
    return found


def _rounds(frame: Frame, role: Role) -> list[Destination]:
    """Return the other rounds: for readers of drafts all of them,
    for the desks those with public pairings.
    """
    reads = Power.READ in POWERS[role]
    name, current = (
        ("round", frame.working_round) if reads else ("pairings-public", frame.latest_published)
    )
    label = _("Round %(n)s") if reads else _("Pairings of round %(n)s")
    tabs = frame.rounds if reads else frame.published
    return [
        Destination(name, label % {"n": tab.number}, "", tab.number)
        for tab in tabs
        if tab.number != current
    ]
