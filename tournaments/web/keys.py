"""The finder, and the keys: the one source for the list, result entry and handbook."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe

from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.permissions import POWERS, Power
from tournaments.desk.find import Found, FoundBoard, find as find_anything, tpn_words
from tournaments.desk.navigation import Destination, destinations
from tournaments.models import Role, Tournament
from tournaments.web.access import page
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial, wants_part
from tournaments.web.rounds.result_keys import KeyLine, result_key_lines
from tournaments.web.templatetags.board_links import board_link
from tournaments.web.templatetags.keys import destination_url
from tournaments.web.verb_lines import find_verbs

LONGEST: Final = 100
"""Only this many letters are searched for; no name is longer."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the finder: where it leads, what it is, and for a player the board."""

    url: str
    label: str
    title: str = ""
    about: str = ""
    letter: str = ""
    board: int | None = None
    board_url: str = ""


@dataclass(frozen=True, slots=True)
class KeyPart:
    """The keys of one page, under its name."""

    heading: str
    lines: tuple[KeyLine, ...]


@page(read=tuple(Power))
@require_safe
def find(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what fits ``q``: players, boards, pages; htmx and the finder get the list alone."""
    role, frame = _reader(request, tournament)
    typed = request.GET.get("q", "")[:LONGEST]
    verbs = find_verbs(frame, role, typed)
    found = find_anything(frame, role, typed, forgives=not verbs)
    plain = _hits(frame, role, found)
    urls = {hit.url for hit in plain}
    hits = plain + [Hit(*line[:2], about=line.about) for line in verbs if line.url not in urls]
    context = {
        "frame": frame,
        "q": typed,
        "find_url": reverse("find", args=[tournament.slug]),
        "hits": hits,
        "number_found": number_found(len(hits), found.players_in_all - len(found.players))
        if typed.strip()
        else "",
    }
    return page_or_partial(request, "keys/find.html", "found", context)


@page(read=tuple(Power))
@require_safe
def keys(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """List the keys of the page ``on`` and of every page;
    all keys if ``on`` names no page with keys of its own.

    The page of a round is ``round-results`` while results are entered there, and ``round-draft``
    while a draft can be changed there.
    """
    role, frame = _reader(request, tournament)
    parts = parts_on(request, POWERS[role])
    context = {"frame": frame, "parts": [*parts, anywhere(destinations(frame, role))]}
    return page_or_partial(request, "keys/keys.html", "list", context)


def parts_on(request: HtmxHttpRequest, powers: Collection[Power]) -> list[KeyPart]:
    """Return the keys of the page ``on`` for *powers*; of all pages if it has none."""
    on = _PARTS_OF.get(request.GET.get("on", ""), ())
    if not on and not wants_part(request):
        on = _ALL
    return [_KEYS[name](powers) for name in on if not _FOR[name].isdisjoint(powers)]


def _reader(request: HtmxHttpRequest, tournament: Tournament) -> tuple[Role, Frame]:
    """Return the role of the reader, and the tournament as this role may see it. One query."""
    assert request.role is not None  # every power is one of a role
    return request.role, tournament_frame(tournament, runs=Power.READ in POWERS[request.role])


def anywhere(reachable: list[Destination]) -> KeyPart:
    """Return the keys of every page, with the pages that ``g`` and a letter reach."""
    there = [
        KeyLine((place.letter,), place.label, after=True) for place in reachable if place.letter
    ]
    return KeyPart(
        _("On every page of the tournament"),
        (
            KeyLine(("/",), _("find a player, a board or a page; ↓ and ↑ choose, ⏎ opens")),
            KeyLine(
                (_("Ctrl"), "K"),
                _("the same, also while you type, on result entry and at check-in"),
            ),
            KeyLine(("?",), _("list the keys of this page")),
            KeyLine((_("Esc"),), _("close the finder or the list")),
            KeyLine(("g",), _("then a letter: go to a page")),
            *there,
        ),
    )


def _results(powers: Collection[Power]) -> KeyPart:
    lines = result_key_lines(
        swaps_colours=Power.RUN in powers, cards=Power.READ in powers, reports=True
    )
    return KeyPart(_("Result entry"), tuple(lines))


def _second_reading(powers: Collection[Power]) -> KeyPart:
    return KeyPart(
        _("Second reading"),
        tuple(result_key_lines(swaps_colours=False, cards=False, reports=False)),
    )


def _boards(powers: Collection[Power]) -> KeyPart:
    lines = (
        KeyLine(("↑", "↓"), _("another board")),
        KeyLine(("←", "→"), _("card of White, of Black")),
        KeyLine(("⏎",), _("card of the board")),
    )
    return KeyPart(_("Boards of a round"), lines)


def _check_in(powers: Collection[Power]) -> KeyPart:
    lines = (
        KeyLine(("⏎",), _("check in the only player who fits")),
        KeyLine(("↑", "↓"), _("another player")),
        KeyLine(("⌫",), _("in the empty field: undo the last check-in")),
        KeyLine((_("Esc"),), _("empty the field")),
    )
    return KeyPart(_("Check-in"), lines)


def _draft(powers: Collection[Power]) -> KeyPart:
    lines = (
        KeyLine((_("Space"),), _("choose the player, then a second one who changes places")),
        KeyLine(("↑", "↓"), _("another player")),
        KeyLine(("c",), _("swap the colours of the board")),
        KeyLine(("r",), _("type the reason for the changes")),
        KeyLine(("i",), _("card of the player")),
        KeyLine((_("Esc"),), _("choose nobody")),
    )
    return KeyPart(_("Draft of a round"), lines)


def _entry(powers: Collection[Power]) -> KeyPart:
    lines = (
        KeyLine(("↑", "↓"), _("another player of the rating list")),
        KeyLine(("⏎",), _("fill in the player")),
        KeyLine((_("Esc"),), _("close the list")),
    )
    return KeyPart(_("Name of a new player"), lines)


_KEYS: Final = {
    "results": _results,
    "second-reading": _second_reading,
    "boards": _boards,
    "check-in": _check_in,
    "draft": _draft,
    "entry": _entry,
}
_ALL: Final = ("results", "boards", "check-in", "draft", "entry")
"""Every part but that of the second reading, which has no key of its own."""
_FOR: Final = {
    "results": {Power.RESULTS},
    "second-reading": {Power.RESULTS},
    "boards": {Power.READ},
    "check-in": {Power.CHECK_IN},
    "draft": {Power.DECIDE},
    "entry": {Power.RUN},
}
_PARTS_OF: Final[dict[str, tuple[str, ...]]] = {
    "round-results": ("results",),
    "round-draft": ("draft",),
    "round": ("boards",),
    "second-reading": ("second-reading",),
    "check-in": ("check-in",),
    "event-check-in": ("check-in",),
    "entry-add": ("entry",),
}


def page_of_player(powers: Collection[Power]) -> str:
    """Return the name of the page of a player for a person with *powers*."""
    return (
        "entry-edit"
        if Power.READ in powers
        else "desk-card"
        if Power.CHECK_IN in powers
        else "player-page"
    )


def _hits(frame: Frame, role: Role, found: Found) -> list[Hit]:
    """Return the lines of the finder with their addresses: each role gets to what it can open."""
    slug, powers = frame.tournament.slug, POWERS[role]
    player_page = page_of_player(powers)
    hits = [
        Hit(
            _board_url(frame, role, board.number),
            _board(board),
            board=board.number,
            about=_in_round(frame),
        )
        for board in found.boards
    ]
    hits += [
        Hit(
            reverse(player_page, args=[slug, player.entry_id]),
            player.name,
            title=player.title,
            about=player.apart or tpn_words(player.tpn),
            board=player.board,
            board_url=_board_url(frame, role, player.board) if player.board else "",
        )
        for player in found.players
    ]
    return [
        *hits,
        *(
            Hit(destination_url(slug, place), place.label, about=_("page"), letter=place.letter)
            for place in found.destinations
        ),
    ]


def _board_url(frame: Frame, role: Role, board: int) -> str:
    """Return where *role* works with *board*: round, result entry, or public pairings."""
    number = frame.latest_published
    assert number is not None  # otherwise there is no board
    enters = Power.RESULTS in POWERS[role] and frame.latest_results < number
    name = (
        "round" if Power.READ in POWERS[role] else "round-results" if enters else "pairings-public"
    )
    address = reverse(name, args=[frame.tournament.slug, number])
    return address + (f"#board-{board}" if name == "pairings-public" else board_link(board))


def _board(board: FoundBoard) -> str:
    return f"{board.white} – {board.black}"


def _in_round(frame: Frame) -> str:
    return _("round %(n)s") % {"n": frame.latest_published}


def number_found(count: int, hidden: int) -> str:
    """Return the *count* of lines for screen readers; *hidden*: players left out."""
    text = ngettext("%(n)d line found", "%(n)d lines found", count) % {"n": count}
    if hidden:
        more = ngettext(
            "%(n)d more player: go on typing", "%(n)d more players: go on typing", hidden
        )
        return f"{text}, {more % {'n': hidden}}"
    return text if count else _("Nothing fits.")


def key_parts() -> list[KeyPart]:
    """Return the keys of all pages but their letters after ``g``, for the check of the handbook."""
    return [*(make(frozenset(Power)) for make in _KEYS.values()), anywhere([])]
