"""Play random events and compare; a real server may be killed at random moments."""

from __future__ import annotations

import random
import re
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.live.server import Site

from .browser import InProcess, Lost, OverHttp
from .comparing import Observer
from .event import People, RandomEvent

LONG, SHORT = 34, 14
"""The most actions in a long event, and in the others, after the declaration and the entries."""
AFTER_NOTHING: Final = 0.08
"""The share of the refused actions after which states and public file are read:
neither can change.
"""


@dataclass
class Report:
    """The events played and the differences found."""

    events: int = 0
    states: int = 0
    checks: int = 0
    kills: int = 0
    done: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    """The requests of one event."""

    def add(self, other: Report) -> None:
        self.events += other.events
        self.states += other.states
        self.checks += other.checks
        self.kills += other.kills
        self.done += other.done
        self.differences += other.differences


def people() -> People:
    """Return the browsers in this process."""
    return People(InProcess("chief"), InProcess("deputy"), InProcess("stranger"), InProcess())


def play(
    people: People,
    seed: int,
    *,
    steps: int | None = None,
    after_loss: Callable[[], None] | None = None,
    restored: Callable[[], People | None] = lambda: None,
) -> Report:
    """Play the event of *seed*, with at most *steps* actions, else :data:`LONG` or :data:`SHORT`.

    *after_loss* starts a killed server again. *restored* may put a copy of the site in its place
    before an action, and then returns browsers that are signed in again.
    """
    event = RandomEvent(people, random.Random(seed), seed)
    observer, report = Observer(event), Report(events=1)
    try:
        event.declare()
        _play(
            event,
            observer,
            report,
            steps or (LONG if event.is_long else SHORT),
            after_loss,
            restored,
        )
    except (
        Exception
    ):  # An error of the application, or a page that cannot be read, is a difference too.
        report.differences.append(f"event {seed}: {traceback.format_exc(limit=-4)}")
    report.checks = observer.checks
    report.done, report.log = event.done, event.log
    return report


def _play(
    event: RandomEvent,
    observer: Observer,
    report: Report,
    steps: int,
    after_loss: Callable[[], None] | None,
    restored: Callable[[], People | None],
) -> None:
    seen: list[str] = []
    over = 0
    for left in range(steps, -1, -1):
        try:
            if again := restored():
                event.people, seen = (
                    again,
                    [],
                )  # Nothing may be missing in the copy: compare at once.
                event.forget()
                event.done["restore"] += 1
            if event.has_changed:
                states = observer.states()
                if not _agrees(event, observer, report, states, everything=not seen):
                    return
                seen = states
            elif event.chance.random() < AFTER_NOTHING:
                found = (
                    []
                    if observer.states() == seen
                    else [f"{seen} became {observer.states()} by a refused action"]
                )
                report.differences += [
                    f"event {event.number}: {words}" for words in (*found, *observer.refused())
                ]
                if report.differences:
                    return
            event.has_changed = False
            over += seen[-1] == "results_published"
            if over > 3 or not left:
                return
            event.step(seen)
        except Lost:
            if after_loss is None:
                raise
            after_loss()
            seen = []  # Compare at once what the crash has left.
            event.forget()


def _agrees(
    event: RandomEvent, observer: Observer, report: Report, states: list[str], *, everything: bool
) -> bool:
    report.states += 1
    words = observer.differences(states, everything=everything)
    found = [f"event {event.number} {event.slug} {states}: {one}" for one in words]
    report.differences += found
    if found:
        event.log.append(event.people.visitor.get(f"{event.base}export.trf").text)
    return not found


def in_process(seeds: Iterator[int], on_report: Callable[[Report], None]) -> None:
    """Play the events of *seeds* in this process."""
    here = people()
    for seed in seeds:
        on_report(play(here, seed))


RESTORED: Final = 0.02
"""The share of the actions on the real server before which the
site is replaced by a copy of itself.
"""
DECLARED: Final = 10
"""Requests without a kill at the beginning of an event."""


class Killer:
    """Kills the site with SIGKILL shortly after the beginning of some of the requests."""

    def __init__(self, site: Site, chance: random.Random, share: float) -> None:
        self.site, self.chance, self.share = site, chance, share
        self.kills = self.posts = 0
        self.timers: list[threading.Timer] = []

    def before_post(self) -> None:
        self.posts += 1
        if self.posts > DECLARED and self.chance.random() < self.share:
            self.kills += 1
            self.timers.append(threading.Timer(self.chance.uniform(0, 0.05), self.site.kill))
            self.timers[-1].start()

    def restored(self) -> People | None:
        """Copy the site, put the copy in its place, and return new browsers;
        mostly do nothing and return None.
        """
        if self.chance.random() >= RESTORED:
            return None
        self.start_again()
        found = self.site.python("manage.py", "backup")
        self.site.kill()
        copy = re.search(r"/\S+\.backup", found)
        assert copy is not None, found
        self.site.python("manage.py", "restore", copy[0])
        self.site.start()
        return self.people()

    def people(self) -> People:
        """Return browsers that are signed in on the site."""
        signed_in = [
            OverHttp(self.site.port, name, self.before_post)
            for name in ("chief", "deputy", "stranger")
        ]
        return People(*signed_in, OverHttp(self.site.port))

    def start_again(self) -> None:
        """Start the site when every planned kill has happened."""
        for timer in self.timers:
            timer.join()
        self.timers.clear()
        if self.site.process is None:
            self.site.start()


def on_a_server(site: Site, seeds: Iterator[int], share: float) -> Iterator[Report]:
    """Play the events of *seeds* on the running *site*, which is killed
    during *share* of the requests that write.
    """
    for seed in seeds:
        killer = Killer(site, random.Random(seed), share)
        report = play(
            killer.people(), seed, after_loss=killer.start_again, restored=killer.restored
        )
        killer.start_again()
        report.kills = killer.kills
        yield report
