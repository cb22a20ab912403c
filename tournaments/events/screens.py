"""Make and change the screens of a hall, and find one by its address."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from pairing.rounds.running_results import running_key, shows_all_results
from tournaments.core.actions import open_action
from tournaments.core.build import build
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.frame import state_key
from tournaments.core.permissions import Power, may
from tournaments.events.event_page import sections_of
from tournaments.models import Screen, ScreenContent, Tournament
from tournaments.models.screen import LONGEST_MESSAGE

MOST_SCREENS: Final = 20
"""The number of screens that a tournament can have."""
MOST_PAGES: Final = 999


@dataclass(frozen=True, slots=True)
class Wanted:
    """A screen as an arbiter wants it; the fields are those of :class:`Screen`."""

    name: str
    contents: Sequence[str]
    sections: Sequence[str] = ()
    are_side_by_side: bool = False
    has_finder: bool = False
    size: str = "auto"
    is_dark: bool = True
    seconds: int = 12
    language: str = "en"
    notice: str = ""


def screen_at(code: str) -> Screen | None:
    """Return the screen with this *code*, in capitals or not, with its tournament.

    One query.
    """
    found = Screen.objects.select_related("tournament__section__event")
    return found.filter(code=code.upper()).first()


def tournaments_of(screen: Screen) -> list[Tournament]:
    """Return the tournaments that *screen* shows, in the order of the event.

    One query if it shows other sections, otherwise none. A section that is no longer in the event
    is left out.
    """
    own = screen.tournament
    if not screen.sections or not hasattr(own, "section"):
        return [own]
    shown = [each.tournament for each in sections_of(own.section.event)]
    return [each for each in shown if each.identity in screen.sections] or [own]


def screen_key(screen: Screen, shown: Sequence[Tournament]) -> str:
    """Return a key of everything on the pages of *screen*, which shows the tournaments *shown*.

    Players are missing at the check-in by lines that visitors do not read: such a screen changes
    with every line. One with results changes with each that everybody may read before its
    publication: one query for each tournament that shows them.
    """
    runs = ScreenContent.MISSING in screen.contents
    parts = [build(), f"{screen.pk}.{screen.version}"]
    for each in shown:
        parts.append(f"{each.pk}.{state_key(each, runs=runs)}")
        if ScreenContent.RESULTS in screen.contents and shows_all_results(each):
            parts.append(running_key(each))
    return "-".join(parts)


def choosable_sections(tournament: Tournament, actor: User) -> list[Tournament]:
    """Return the tournaments of the event that *actor* may show on a screen of *tournament*.

    Empty without other sections. Two queries, and one for each section.
    """
    if not hasattr(tournament, "section"):
        return []
    found = [each.tournament for each in sections_of(tournament.section.event)]
    return [each for each in found if may(actor, each, Power.RUN)] if len(found) > 1 else []


def screens_elsewhere(tournament: Tournament) -> list[Screen]:
    """Return the screens of other sections of the event that show *tournament* too.

    At most one query.
    """
    if not hasattr(tournament, "section"):
        return []
    found = Screen.objects.filter(tournament__section__event=tournament.section.event_id)
    others = found.exclude(tournament=tournament).select_related("tournament__section")
    return [screen for screen in others if tournament.identity in screen.sections]


def screen_add(
    *, tournament_id: int, actor: User, now: datetime, code: str, wanted: Wanted
) -> Screen:
    """Make a screen with the random *code* in its address; also when the standings are final.

    ``BadInput`` for a section or a content that there is not, and for too many screens.
    """
    with open_action(actor=actor, now=now, pk=tournament_id, after_the_end=True) as action:
        if Screen.objects.filter(tournament=action.tournament).count() >= MOST_SCREENS:
            raise BadInput("screen.too_many", most=MOST_SCREENS)
        screen = Screen(tournament=action.tournament, code=code)
        _fill(screen, wanted, actor)
        screen.save()
    return screen


def screen_change(
    *, screen_id: int, actor: User, now: datetime, wanted: Wanted, seen_version: int
) -> Screen:
    """Change a screen. :class:`Conflict` if somebody changed it after *seen_version*."""
    with _locked(screen_id, actor, now) as screen:
        if screen.version != seen_version:
            raise Conflict("screen.moved_meanwhile")
        _fill(screen, wanted, actor)
        _save(screen)
    return screen


def screen_show(
    *, screen_id: int, actor: User, now: datetime, content: str, page: int = 0
) -> Screen:
    """Show only *content* on a screen; empty: all of its contents in turn again.

    *page* stays until the next call; 0: the pages turn by themselves.
    """
    with _locked(screen_id, actor, now) as screen:
        if content and content not in ScreenContent.values:
            raise BadInput("screen.content", field="contents")
        if not 0 <= page <= MOST_PAGES or (page and not content):
            raise BadInput("screen.page", field="page", most=MOST_PAGES)
        screen.shown_now, screen.page_now = content, page
        _save(screen)
    return screen


def screens_message(*, tournament_id: int, actor: User, now: datetime, text: str) -> int:
    """Show the message *text* on all screens of a tournament; empty: none.

    Return the number of screens.
    """
    text = _one_line(text)
    if len(text) > LONGEST_MESSAGE or not text.isprintable():
        raise BadInput("screen.message", field="message", most=LONGEST_MESSAGE)
    with open_action(actor=actor, now=now, pk=tournament_id, after_the_end=True) as action:
        screens = list(Screen.objects.filter(tournament=action.tournament))
        for screen in screens:
            screen.message = text
            screen.version += 1
        Screen.objects.bulk_update(screens, ("message", "version"))
    return len(screens)


def screen_remove(*, screen_id: int, actor: User, now: datetime) -> None:
    """Remove a screen: its address ends."""
    with _locked(screen_id, actor, now) as screen:
        screen.delete()


@contextmanager
def _locked(screen_id: int, actor: User, now: datetime) -> Iterator[Screen]:
    """Lock the tournament of a screen. Raises :class:`Conflict` if somebody has removed it."""
    try:
        with open_action(actor=actor, now=now, screens=screen_id, after_the_end=True) as action:
            screen = Screen.objects.get(pk=screen_id)
            screen.tournament = action.tournament
            yield screen
    except (Tournament.DoesNotExist, Screen.DoesNotExist) as error:
        raise Conflict("screen.moved_meanwhile") from error


def _save(screen: Screen) -> None:
    screen.version += 1
    screen.save()


def _fill(screen: Screen, wanted: Wanted, actor: User) -> None:
    contents = [each for each in ScreenContent.values if each in wanted.contents]
    if not contents or len(contents) != len(set(wanted.contents)):
        raise BadInput("screen.content", field="contents")
    tournament = Tournament.objects.select_related("section__event").get(pk=screen.tournament_id)
    allowed = {each.identity for each in choosable_sections(tournament, actor)}
    # A section that another arbiter chose stays.
    if not set(wanted.sections) <= allowed | set(screen.sections):
        raise BadInput("screen.section", field="sections")
    for name, value in asdict(wanted).items():
        setattr(screen, name, value)
    screen.name = _one_line(wanted.name)
    screen.notice = unicodedata.normalize("NFC", wanted.notice.replace("\r\n", "\n").strip())
    screen.contents, screen.sections = contents, list(wanted.sections)
    if screen.shown_now not in contents:
        screen.shown_now, screen.page_now = "", 0


def _one_line(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))
