"""What the page *Is my venue ready?* says about computer and network, line by line.

Each check gets the facts as arguments; :func:`findings` asks the computer for them. The browser
adds its own clock and features to the page (static/js/venue.js).
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from tournaments.core.moments import exact
from tournaments.core.public_address import printed_address
from tournaments.lists.rating_lists.search import lists_in_use
from tournaments.models import Decision, RatingList
from tournaments.site.backups import state as copies
from tournaments.site.backups.sentences import sentence
from tournaments.site.backups.state import State
from tournaments.site.venue import capacity, machine
from tournaments.site.venue.addresses import own_addresses
from tournaments.site.venue.capacity import Capacity
from tournaments.site.venue.machine import Power

GIGABYTE: Final = 1_000_000_000
WANTED_PAGES: Final = 1_000
"""A full hall makes 200 requests a second; one of them costs five times as much as a stored page on
average (docs/developer/benchmarks.md)."""


class Level(StrEnum):
    """How good it is; the pages have a word and a colour for each."""

    GOOD = "good"
    CHECK = "check"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: a finding, and advice. ``code`` is the name of the check in the page."""

    code: str
    title: str
    level: Level
    says: str
    advice: str = ""


def findings(*, now: datetime, is_secure: bool) -> list[Finding]:
    """Return what can be found out without a browser. *is_secure*: the reader came by https."""
    public = printed_address("/")
    newest_line = Decision.objects.aggregate(newest=Max("at"))["newest"]
    copied = copies.read()
    return [
        disk(
            shutil.disk_usage(settings.DATA_DIR).free,
            is_writable=os.access(settings.DATA_DIR, os.W_OK),
        ),
        clock(now, newest_line, machine.clock_is_set_by_network()),
        copy(copied, now, newest_line),
        second_folder(copied),
        speed(capacity.read()),
        address(public, own_addresses()),
        privacy(public, is_secure=is_secure),
        rating_lists(lists_in_use(), timezone.localdate(now)),
        power(machine.power()),
    ]


def worst(found: Collection[Finding]) -> Level:
    """Return the worst level of all findings."""
    return max((each.level for each in found), key=list(Level).index, default=Level.GOOD)


def disk(free: int, *, is_writable: bool) -> Finding:
    """Free space on the disk of the data folder."""
    title, says = _("Free disk"), _("%(n)s GB are free.") % {"n": number_format(free / GIGABYTE, 1)}
    if not is_writable:
        advice = _("Give the person who starts the program the right to write into %(folder)s.")
        says = _("The data folder cannot be written.")
        return Finding("disk", title, Level.PROBLEM, says, advice % {"folder": settings.DATA_DIR})
    if free < 2 * GIGABYTE:
        level = Level.PROBLEM if free < GIGABYTE / 2 else Level.CHECK
        advice = _(
            "Delete files that nobody needs, old copies first. On a full disk no result can be saved."
        )
        return Finding("disk", title, level, says, advice)
    return Finding("disk", title, Level.GOOD, says)


def clock(now: datetime, newest_line: datetime | None, set_by_network: bool | None) -> Finding:
    """The clock of this computer. The browser compares it with its own."""
    title = _("Clock")
    says = _("This computer says %(at)s, %(zone)s.") % {
        "at": exact(now),
        "zone": timezone.get_current_timezone_name(),
    }
    compare = _("Compare it with a phone: deadlines and automatic publication follow this clock.")
    if newest_line is not None and newest_line > now + timedelta(minutes=2):
        says += " " + _("But the record has a line of %(at)s.") % {"at": exact(newest_line)}
        advice = _("Set clock and time zone. The clock was wrong then, or is wrong now.")
        return Finding("clock", title, Level.PROBLEM, says, advice)
    if set_by_network:
        says += " " + _("It is set by the network.")
        return Finding("clock", title, Level.GOOD, says)
    if set_by_network is False:
        says += " " + _("It is not set by the network.")
    return Finding("clock", title, Level.CHECK, says, compare)


def copy(state: State, now: datetime, newest_line: datetime | None) -> Finding:
    """The newest automatic copy of the site, and whether a record has a line that is newer.

    The job of the copies compares all tables; that takes too long for a request.
    """
    title = _("Newest copy")
    if not settings.BACKUP_MINUTES:
        advice = _(
            "Start the program without SWISS_BACKUP_MINUTES=0, or make copies with ./run backup."
        )
        return Finding(
            "copy", title, Level.CHECK, _("The program makes no copies by itself."), advice
        )
    if state.problem:
        return Finding(
            "copy", title, Level.PROBLEM, _("The last copy failed."), sentence(state.problem)
        )
    if state.last is None:
        advice = _("The server makes the first one half a minute after its start. Look again then.")
        return Finding("copy", title, Level.CHECK, _("There is no copy of the site yet."), advice)
    says = _("The newest copy of the site is of %(at)s. It was restored as a trial, and checked.")
    says %= {"at": _moment(state.last)}
    age, every = now - state.last, timedelta(minutes=settings.BACKUP_MINUTES)
    is_current = newest_line is None or newest_line < state.last
    if is_current or age <= 2 * every + timedelta(minutes=1):
        return Finding("copy", title, Level.GOOD, says)
    advice = _(
        "Something has changed since. The server makes copies while it runs: is it "
        "tournaments/site/server.py, by "
        "./run?"
    )
    return Finding(
        "copy", title, Level.CHECK if age < timedelta(days=1) else Level.PROBLEM, says, advice
    )


def second_folder(state: State) -> Finding:
    """A second place for the copies, such as a memory stick."""
    title, folder = _("Second place for copies"), settings.BACKUP_DIR
    if not folder:
        advice = _(
            "Plug in a memory stick, and start the program with SWISS_BACKUP_DIR=/media/stick."
        )
        return Finding(
            "second", title, Level.CHECK, _("All copies are on the disk of this computer."), advice
        )
    if state.second_problem:
        says = _("The folder %(folder)s has no new copy.") % {"folder": folder}
        return Finding("second", title, Level.PROBLEM, says, sentence(state.second_problem))
    if found := _fails_with_the_first(Path(folder).expanduser()):
        return Finding(
            "second",
            title,
            Level.CHECK,
            found,
            _("Name a folder on another disk or a memory stick."),
        )
    if not state.second_at:
        says = _("The folder %(folder)s has no copy yet.") % {"folder": folder}
        return Finding("second", title, Level.CHECK, says, _("Look again in a minute."))
    return Finding(
        "second", title, Level.GOOD, _("Every copy is in %(folder)s too.") % {"folder": folder}
    )


def _fails_with_the_first(folder: Path) -> str:
    """Return what is wrong if the second *folder* fails with the first; empty if unknown."""
    first = copies.folder()
    with contextlib.suppress(OSError):
        if folder.samefile(first):
            says = _(
                "The folder %(folder)s is the one where the copies are made: each exists only once."
            )
            return says % {"folder": folder}
    if machine.same_disk(folder, first if first.is_dir() else first.parent):
        says = _(
            "The folder %(folder)s is on the same disk as the other copies: if the disk fails, "
            "all are lost."
        )
        return says % {"folder": folder}
    return ""


def speed(found: Capacity | None) -> Finding:
    """How many pages a second the server can send, and how long it takes to save."""
    title = _("Speed")
    if found is None:
        return Finding(
            "speed",
            title,
            Level.CHECK,
            _("It was not measured on this computer yet."),
            _("Measure it now."),
        )
    pages, saving = found.pages_per_second, found.saving_ms
    says = _(
        "About %(pages)s stored pages a second; a change is on the disk after %(saving)s\u00a0ms "
        "(measured %(at)s)."
    ) % {
        "pages": number_format(pages, force_grouping=True),
        "saving": number_format(saving, 1 if saving < 10 else 0),
        "at": _moment(found.moment),
    }
    if pages >= WANTED_PAGES and saving <= 100:
        return Finding("speed", title, Level.GOOD, says)
    level = Level.PROBLEM if pages < WANTED_PAGES / 4 or saving > 500 else Level.CHECK
    if saving > 100:
        return Finding(
            "speed",
            title,
            level,
            says,
            _("The disk is slow: do not keep the data on a memory stick or card."),
        )
    advice = _(
        "A hall with 500 phones needs about 1,000. Close other programs and measure again, or "
        "hang up printed lists."
    )
    return Finding("speed", title, level, says, advice)


def address(public: str | None, own: Collection[str]) -> Finding:
    """The address for phones, and whether it still belongs to this computer.

    None: only this computer can open it.
    """
    title = _("Address for phones")
    if public is None:
        advice = _("For phones and other computers start the program with ./run --host 0.0.0.0.")
        return Finding(
            "address", title, Level.CHECK, _("Only this computer can open the pages."), advice
        )
    host = urlsplit(public).hostname or ""
    if _is_of_a_hall(host) and host not in own and not settings.TRUST_PROXY:
        others = sorted(each for each in own if _is_of_a_hall(each))
        advice = _(
            "Start the program again, and print lists and codes again. Its addresses now: %(others)s."
        )
        says = _(
            "Lists and codes name %(address)s, which is not an address of this computer any more."
        )
        values = {"others": ", ".join(others) or "–"}
        return Finding("address", title, Level.PROBLEM, says % {"address": public}, advice % values)
    says = _("Phones open %(address)s.") % {"address": public}
    return Finding(
        "address", title, Level.GOOD, says, _("Try it with a phone in the network of the hall.")
    )


def privacy(public: str | None, *, is_secure: bool) -> Finding:
    """Whether the network can read along."""
    title = _("Https")
    if public is not None and urlsplit(public).scheme == "https":
        return Finding(
            "privacy",
            title,
            Level.GOOD,
            _("Phones and browsers use https: nobody in the network reads along."),
        )
    if public is None:
        return Finding(
            "privacy", title, Level.GOOD, _("Without https, but nothing leaves this computer.")
        )
    says = _(
        "Without https everybody in the network can read along: passwords, PINs, drafts and phone "
        "numbers too."
    )
    advice = _(
        "Start the program with ./run --https. Or use a network with a password that only "
        "arbiters know, and do not "
        "log in over the players’ one; phones then keep no pages for the time without network."
    )
    if is_secure:
        says = _("You came by https, but lists and codes lead to an address without it.")
        advice = _("Set SWISS_PUBLIC_ADDRESS to the address with https.")
    return Finding("privacy", title, Level.CHECK, says, advice)


def rating_lists(lists: Sequence[RatingList], today: date) -> Finding:
    """The age of the newest list of FIDE, else of a federation."""
    title = _("Rating list")
    if not lists:
        advice = _("Load one if you enter players by their FIDE ID.")
        return Finding("ratings", title, Level.GOOD, _("No rating list is loaded yet."), advice)
    lists = [each for each in lists if not each.federation] or lists
    newest = max(lists, key=lambda each: each.month or date.min)
    values = {
        "list": newest.federation or "FIDE",
        "month": date_format(newest.month, "F Y") if newest.month else _moment(newest.begun_at),
    }
    says = _("The rating list of %(list)s is of %(month)s.") % values
    if newest.is_older_than(today):
        return Finding(
            "ratings", title, Level.CHECK, says, _("Load the newer list, then compare the ratings.")
        )
    return Finding("ratings", title, Level.GOOD, says)


def power(found: Power | None) -> Finding:
    """Whether the computer is plugged in."""
    title = _("Power")
    if found is None:
        advice = _("Is it plugged in, and is the plug where nobody pulls it out?")
        return Finding("power", title, Level.CHECK, _("This computer does not tell."), advice)
    if found.battery is None:
        says = _(
            "This computer has no battery: it stops with the power. Confirmed results are on the disk."
        )
        return Finding("power", title, Level.GOOD, says)
    if found.is_plugged_in:
        says = _("Plugged in; the battery has %(n)s %%.") % {"n": found.battery}
        return Finding("power", title, Level.GOOD, says)
    level = Level.PROBLEM if found.battery < 30 else Level.CHECK
    says = _("On battery, with %(n)s %% left.") % {"n": found.battery}
    return Finding("power", title, level, says, _("Plug it in, where nobody pulls the plug out."))


def _is_of_a_hall(host: str) -> bool:
    """Return whether *host* is of a private network, which a router gives and takes."""
    try:
        found = ip_address(host)
    except ValueError:
        return False
    return found.is_private and not found.is_loopback and not found.is_link_local


def _moment(at: datetime) -> str:
    # Translators: a date and a time in the format of Django's date filter.
    return date_format(timezone.localtime(at), _("j M Y, H:i"))
