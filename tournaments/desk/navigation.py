"""The pages for a person with a role: in the menu, by letter after ``g``, or by name.

One table (:data:`PAGES`) has the label, the tab and the letter of each page. A letter is the same
in every language, so that two arbiters at one laptop, and one printed sheet, have the same keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from tournaments.core.frame import Frame
from tournaments.core.languages import phrases_in_all_languages
from tournaments.core.permissions import POWERS, Power
from tournaments.desk.page_words import WORDS
from tournaments.models import Role


@dataclass(frozen=True, slots=True)
class Destination:
    """A page: the ``name`` of its address, the number of its round, title, and any letter."""

    name: str
    label: str
    letter: str = ""
    round_number: int | None = None
    words: tuple[str, ...] = ()
    """Other words by which the finder knows it, folded, in all languages."""


class Page(NamedTuple):
    """A page of the table. ``menu`` is the shorter label in the second line of its ``tab``."""

    name: str
    label: Promise
    letter: str = ""
    powers: frozenset[Power] = frozenset({Power.READ})
    tab: str = ""
    menu: Promise | None = None
    when: Callable[[Frame], bool] = lambda frame: True
    also: tuple[str, ...] = ()
    """Addresses of pages that are opened from this one and marked as this one in the menu."""


_EVERYBODY: Final = frozenset(Power)
_CHECK_IN: Final = frozenset({Power.READ, Power.CHECK_IN})
_RUN: Final = frozenset({Power.RUN})


def _has_pairings(frame: Frame) -> bool:
    return frame.latest_published is not None


TABS: Final[dict[str, Promise]] = {
    "now": pgettext_lazy("tab", "Now"),
    "players": gettext_lazy("Players"),
    "rounds": gettext_lazy("Rounds"),
    "standings": gettext_lazy("Standings"),
    "print": gettext_lazy("Print & share"),
    "team": gettext_lazy("Team"),
    "setup": pgettext_lazy("tab", "Setup"),
    "proof": gettext_lazy("Proof"),
}
"""The tabs of an arbiter, in order."""

_FIRST: Final = (
    Page("desk", pgettext_lazy("tab", "Now"), "d", _EVERYBODY, "now", also=("start",)),
    Page(
        "entries",
        gettext_lazy("Entries"),
        "e",
        _CHECK_IN,
        "players",
        pgettext_lazy("menu", "List"),
        also=("entry-add", "entry-edit", "entries-import"),
    ),
    Page("check-in", gettext_lazy("Check-in"), "c", _CHECK_IN, "players", also=("desk-card",)),
)
_OTHERS: Final = (
    Page(
        "registrations",
        gettext_lazy("Registrations"),
        powers=_RUN,
        tab="players",
        also=("registration-settings",),
    ),
    Page("ratings-check", gettext_lazy("Ratings"), tab="players"),
    Page(
        "numbers",
        gettext_lazy("Pairing numbers"),
        tab="players",
        also=("initial-colour", "list-close"),
    ),
    Page("prohibited-pairs", gettext_lazy("Prohibited pairs"), tab="players"),
    Page("waiting", gettext_lazy("Waiting rows"), tab="players"),
    Page(
        "standings",
        gettext_lazy("Standings"),
        "s",
        _EVERYBODY,
        "standings",
        also=("standings-after", "player-standing", "standing-by-number"),
    ),
    Page("crosstable", gettext_lazy("Crosstable"), "x", _EVERYBODY, "standings"),
    Page("progress", gettext_lazy("Progress"), "", _EVERYBODY, "standings"),
    Page("prizes", gettext_lazy("Prizes"), "", _EVERYBODY, "standings"),
    Page(
        "forecast",
        gettext_lazy("Forecast"),
        powers=_EVERYBODY,
        tab="standings",
        when=lambda frame: frame.tournament.forecast_public,
    ),
    Page("norms", gettext_lazy("Norms"), tab="standings", also=("norm", "title-claims")),
    Page("lots", gettext_lazy("Drawing of lots"), tab="standings"),
    Page(
        "final-standings",
        gettext_lazy("Final standings"),
        tab="standings",
        menu=gettext_lazy("Make final"),
        when=lambda frame: frame.is_over,
    ),
    Page(
        "print-and-share",
        gettext_lazy("Print & share"),
        tab="print",
        menu=gettext_lazy("Lists"),
        also=("sheets",),
    ),
    Page(
        "tournament",
        gettext_lazy("Public page"),
        "o",
        _EVERYBODY,
        "print",
        also=("pairings-public", "why-public", "round-codes", "live-results"),
    ),
    Page(
        "players",
        gettext_lazy("Players"),
        "l",
        _EVERYBODY,
        "print",
        gettext_lazy("List of players"),
        also=("player-page", "player-by-number", "me"),
    ),
    Page("report-check", gettext_lazy("Check before sending"), tab="print"),
    Page("rating-reports", gettext_lazy("Rating reports"), tab="print"),
    Page("federation-files", gettext_lazy("Files for federations"), tab="print"),
    Page("mirror", gettext_lazy("Mirror"), powers=_RUN, tab="print"),
    Page("people", gettext_lazy("People"), tab="team"),
    Page(
        "table-codes",
        gettext_lazy("Table codes and kiosk"),
        powers=_RUN,
        tab="team",
        also=("table-sheet",),
    ),
    Page(
        "self-check-in-settings",
        gettext_lazy("Self check-in"),
        powers=frozenset({Power.CHECK_IN}),
        tab="team",
    ),
    Page(
        "hall-screens",
        gettext_lazy("Hall screens"),
        powers=_RUN,
        tab="team",
        also=(
            "hall-screen",
            "hall-screen-add",
            "hall-screen-pages",
            "hall-screen-show",
            "hall-screens-message",
        ),
    ),
    Page("tournament-edit", gettext_lazy("Settings"), tab="setup", menu=gettext_lazy("Event")),
    Page("schedule", gettext_lazy("Rounds and times"), tab="setup", also=("number-of-rounds",)),
    Page("event-make", gettext_lazy("Sections"), powers=frozenset({Power.DECIDE}), tab="setup"),
    Page("settings-logo", gettext_lazy("Logo"), tab="setup"),
    Page("settings-fide", gettext_lazy("For FIDE"), tab="setup"),
    Page("settings-pairing", gettext_lazy("Pairing and points"), tab="setup"),
    Page("settings-ratings", gettext_lazy("Ratings and order"), tab="setup"),
    Page("settings-byes", gettext_lazy("Byes and late entries"), tab="setup"),
    Page("settings-deadlines", gettext_lazy("Deadlines and automation"), tab="setup"),
    Page(
        "settings-tie-breaks",
        gettext_lazy("Tie-breaks"),
        tab="setup",
        also=("tie-breaks", "tie-break-preview"),
    ),
    Page(
        "prizes-define", gettext_lazy("Prize categories"), tab="setup", menu=gettext_lazy("Prizes")
    ),
    Page("regulations", gettext_lazy("Regulations"), tab="setup"),
    Page(
        "settings-privacy",
        gettext_lazy("Privacy"),
        tab="setup",
        also=("personal-data", "personal-data-of"),
    ),
    Page("personal-data", gettext_lazy("Personal data"), powers=_RUN),
    Page(
        "tournament-manage",
        gettext_lazy("Copy, hand over, archive"),
        tab="setup",
        also=("hand-over", "tournament-duplicate", "tournament-delete"),
    ),
    Page(
        "number-of-rounds",
        gettext_lazy("Number of rounds"),
        when=lambda frame: frame.latest_started is not None,
    ),
    Page("record", gettext_lazy("Record"), "", _EVERYBODY, "proof", also=("against-engine",)),
    Page(
        "published-lists",
        gettext_lazy("Lists as published"),
        "",
        _EVERYBODY,
        "proof",
        also=("published-list",),
    ),
    Page("corrections", gettext_lazy("Corrections"), tab="proof"),
    Page("points", gettext_lazy("Point adjustments"), tab="proof", when=_has_pairings),
    Page("protests", gettext_lazy("Protests"), tab="proof", also=("protest",)),
    Page(
        "recheck",
        gettext_lazy("Re-check of the whole tournament"),
        tab="proof",
        menu=gettext_lazy("Re-check"),
    ),
    Page("event-report", gettext_lazy("Arbiter’s report"), tab="proof"),
    Page("fingerprints", gettext_lazy("Fingerprints"), "", _EVERYBODY, "proof"),
    Page("entry-add", gettext_lazy("Add a player")),
    Page("entries-import", gettext_lazy("Import entries")),
    Page("initial-colour", gettext_lazy("Initial colour")),
)
_OF_A_ROUND: Final = (
    Page(
        "round",
        gettext_lazy("Boards"),
        tab="rounds",
        also=(
            "round-player",
            "round-board",
            "round-provisional",
            "boards-announce",
            "announcement-withdraw",
            "round-pair",
            "round-missing",
            "round-by-hand",
            "round-discard",
            "round-publish",
            "round-results",
            "results-publish",
            "second-reading",
            "reading-differences",
            "round-correct",
            "round-change",
            "round-opponent",
            "round-swap",
            "round-why",
        ),
    ),
    Page(
        "round-floor",
        gettext_lazy("Floor page"),
        powers=frozenset({Power.RESULTS}),
        tab="rounds",
        when=_has_pairings,
    ),
)
_UNFINISHED: Final = Page(
    "open-games",
    gettext_lazy("Unfinished games"),
    powers=_EVERYBODY,
    tab="rounds",
    also=("game-date",),
)

PAGES: Final = (*_FIRST, *_OF_A_ROUND, _UNFINISHED, *_OTHERS)
"""All pages of the menu and of the finder."""

PAGE_OF: Final = {name: page for page in PAGES if page.tab for name in (page.name, *page.also)}
"""The page of the menu that each address belongs to, by the name of the address."""

SETUP: Final = (
    (
        gettext_lazy("Event"),
        (
            "tournament-edit",
            "schedule",
            "settings-logo",
            "settings-fide",
            "event-make",
            "regulations",
        ),
    ),
    (
        gettext_lazy("Rules"),
        (
            "settings-pairing",
            "settings-ratings",
            "settings-byes",
            "settings-deadlines",
            "settings-tie-breaks",
            "prizes-define",
        ),
    ),
    (gettext_lazy("Data"), ("settings-privacy", "tournament-manage")),
)
"""The pages of *Setup* in groups: they are a list at the left."""


class MenuLine(NamedTuple):
    """A page of the menu, and whether the reader is there."""

    place: Destination
    is_current: bool


class Tab(NamedTuple):
    """A tab with the pages of its second line. The first page is that of the tab itself."""

    key: str
    label: str
    pages: list[MenuLine]

    @property
    def is_current(self) -> bool:
        return any(page.is_current for page in self.pages)


def menu_label(name: str) -> str:
    """Return the label of the page *name* in the menu, for its heading."""
    return str(PAGE_OF[name].menu or PAGE_OF[name].label)


def menu(frame: Frame, role: Role, *, here: str, number: int | None = None) -> list[Tab]:
    """Return the tabs of *role* with their pages; *here* is the name of the address of the page.

    *number* is the round of a page of the tab *Rounds*. No query.
    """
    current = PAGE_OF.get(here)
    if current is None or current.tab != "rounds" or not number:
        number = frame.working_round
    tabs = {key: Tab(key, str(label), []) for key, label in TABS.items()}
    for page in PAGES:
        if page.tab and not POWERS[role].isdisjoint(page.powers) and page.when(frame):
            place = Destination(
                page.name, str(page.menu or page.label), page.letter, _round(page, frame, number)
            )
            tabs[page.tab].pages.append(MenuLine(place, page is current))
    return [tab for tab in tabs.values() if tab.pages]


def _round(page: Page, frame: Frame, number: int) -> int | None:
    """Return the round of which *page* is shown: the floor page has only published rounds."""
    if page not in _OF_A_ROUND:
        return None
    public = {tab.number for tab in frame.published}
    return number if page.name == "round" or number in public else frame.latest_published


def destinations(frame: Frame, role: Role) -> list[Destination]:
    """Return the pages that *role* may open now, those with letters first. No query."""
    pages = [
        *_open(_FIRST, frame, role),
        *_current_round(frame, role),
        *_open((_UNFINISHED, *_OTHERS), frame, role),
    ]
    return [*sorted(pages, key=lambda place: not place.letter), *_rounds(frame, role)]


def _open(pages: tuple[Page, ...], frame: Frame, role: Role) -> list[Destination]:
    return [
        Destination(page.name, str(page.label), page.letter, words=_words_of(page.name))
        for page in pages
        if not POWERS[role].isdisjoint(page.powers) and page.when(frame)
    ]


@cache
def _words_of(name: str) -> tuple[str, ...]:
    """Return the other words of the page *name*."""
    phrases = phrases_in_all_languages(WORDS[name]) if name in WORDS else ()
    return tuple(word for phrase in phrases for word in phrase)


def _current_round(frame: Frame, role: Role) -> list[Destination]:
    """Return the arbiter's round, its results, and the newest public pairings.

    Whoever reads drafts enters the results on the page of the round.
    """
    found = []
    reads = Power.READ in POWERS[role]
    if reads:
        number = frame.working_round
        label = _("Round %(n)s") % {"n": number}
        found.append(Destination("round", label, "r", number, (f"r{number}", *_words_of("round"))))
    public = frame.latest_published
    if public is None:
        return found
    if Power.RESULTS in POWERS[role] and frame.tournament.final_at is None:
        name = "round" if reads else "round-results"
        found.append(
            Destination(
                name, _("Results of round %(n)s") % {"n": public}, "b", public, (f"r{public}",)
            )
        )
    label = _("Pairings of round %(n)s") % {"n": public}
    found.append(Destination("pairings-public", label, "p", public, (f"r{public}",)))
    return found


def _rounds(frame: Frame, role: Role) -> list[Destination]:
    """Return the other rounds: all for readers of drafts, for the desks the public ones."""
    reads = Power.READ in POWERS[role]
    name, current = (
        ("round", frame.working_round) if reads else ("pairings-public", frame.latest_published)
    )
    label = _("Round %(n)s") if reads else _("Pairings of round %(n)s")
    tabs = frame.rounds if reads else frame.published
    return [
        Destination(name, label % {"n": tab.number}, "", tab.number, (f"r{tab.number}",))
        for tab in tabs
        if tab.number != current
    ]
