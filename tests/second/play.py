"""Play random events and compare; a real server may be killed at random moments."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from .browser import InProcess, Lost, OverHttp
from .comparing import Observer
from .event import People, RandomEvent

STEPS: Final = 34
"""The most actions in one event after its first pairing."""
SHARE: Final = 0.12
"""The share of the actions inside a state after which everything is compared; after a new state it always is."""


@dataclass
class Report:
    """What was played and found."""

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


def play(people: People, seed: int, *, after_loss: Callable[[], None] | None = None) -> Report:
    """Play the event of *seed* and compare it; *after_loss* starts a killed server again."""
    event = RandomEvent(people, random.Random(seed), seed)
    observer, report = Observer(event), Report(events=1)
    try:
        _until_done(event.declare, after_loss)
        _play(event, observer, report, after_loss)
    except AssertionError as error:
        report.differences.append(f"event {seed}: {error}")
    report.checks = observer.checks
    report.done, report.log = event.done, event.log
    return report


def _until_done(act: Callable[[], object], after_loss: Callable[[], None] | None) -> bool:
    """Do *act*; return False if the server was lost and *after_loss* has started it again."""
    try:
        act()
    except Lost:
        if after_loss is None:
            raise
        after_loss()
        return False
    return True


def _play(event: RandomEvent, observer: Observer, report: Report, after_loss: Callable[[], None] | None) -> None:
    if not event.slug:  # Lost before it was declared.
        return
    seen: list[str] = []
    over = 0
    for _ in range(STEPS):
        states = observer.states()
        if states != seen or event.chance.random() < SHARE:
            seen = states
            report.states += 1
            found = [f"event {event.number} {event.slug} {states}: {words}" for words in observer.differences(states)]
            report.differences += found
            if found:
                return
        over += states[-1] == "results_published"
        if over > 3:
            return
        _until_done(partial(event.step, states), after_loss)


def in_process(seeds: Iterator[int], tell: Callable[[Report], None]) -> None:
    """Play the events of *seeds* in this process."""
    from django.conf import settings

    here = people()
    for seed in seeds:
        settings.STORE_PAGES = (
            seed % 4 == 0
        )  # As on a server; the pages of the other events are made when they are read.
        tell(play(here, seed))


class Killer:
    """Kills the site with SIGKILL shortly after some of the requests."""

    def __init__(self, site: object, chance: random.Random, share: float) -> None:
        self.site, self.chance, self.share = site, chance, share
        self.kills = 0
        self.threads: list[threading.Timer] = []

    def before_post(self) -> None:
        if self.chance.random() < self.share:
            self.kills += 1
            timer = threading.Timer(self.chance.uniform(0, 0.05), self._kill)
            self.threads.append(timer)
            timer.start()

    def _kill(self) -> None:
        self.site.kill()  # type: ignore[attr-defined]

    def again(self) -> None:
        """Start the site when every planned kill has happened."""
        for timer in self.threads:
            timer.join()
        self.threads.clear()
        if self.site.process is None:  # type: ignore[attr-defined]
            self.site.start()  # type: ignore[attr-defined]
        time.sleep(0.01)


def on_a_server(site: object, port: int, seeds: Iterator[int], tell: Callable[[Report], None], share: float) -> None:
    """Play the events of *seeds* on the running *site*, which is killed before *share* of the requests that write."""
    for seed in seeds:
        killer = Killer(site, random.Random(seed), share)
        names = ("chief", "deputy", "stranger")
        here = People(*(OverHttp(port, name, killer.before_post) for name in names), OverHttp(port))
        report = play(here, seed, after_loss=killer.again)
        killer.again()
        report.kills = killer.kills
        tell(report)
