"""``python -m tests.stress.events``: fifty events at once on one PostgreSQL, with 1,
2 and 4 processes.

For each number of web processes, on the same events again: the arbiters of all events pair, publish
and enter results, each without a pause; visitors load public pages, each without a pause; and both
at once, while each arbiter acts every eight seconds, which is a round in a quarter of an hour. It
prints a table. A wrong status, a confirmed action that is not in the database, or a record that
does not verify ends the command with 1. ``--events 1 --processes 1`` shows what one arbiter costs.

The clients use the same processor cores, so the waiting times hold for server and clients together.
``--brief`` shows that it works; its figures mean nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import django
import psycopg

from tests.live.books import Books, lost
from tests.live.databases import PostgresDatabase
from tests.live.desk import Lost, Operator, boards_of, percentile
from tests.live.event import PASSWORD, RESULTS, make
from tests.live.server import Site

from .phones import Event, Phones
from .report import machine, processor_seconds, together

RESULT, PAGE = "enter a result", "page of the round"
BUTTONS = {"pair": "draft", "publish": "pairings_published", "results/publish": "results_published"}
"""Button of a round → the state of the round after it."""
STATES = ("planned", *BUTTONS.values())
PATIENCE = 300.0  # Seconds until an answer is missing: many publications at once take turns.
MOMENTS = 5
"""The events begin at so many moments of a round: without results, …, with all of them."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done; the defaults are those of the requirement."""

    events: int = 50
    players: int = 200
    rounds: int = 13
    played: int = 4
    processes: tuple[int, ...] = (1, 2, 4)
    seconds: float = 60
    readers: int = 16
    every: float = 8
    """Seconds between two actions of an arbiter while visitors read."""


BRIEF = Sizes(6, players=20, rounds=5, played=1, processes=(1, 2), seconds=3, readers=4, every=0.5)


class Done(NamedTuple):
    """One request of an arbiter."""

    kind: str
    seconds: float


class Arbiter:
    """The Chief Arbiter of *event*, who plays its rounds; ``steps`` does one request at a time."""

    def __init__(self, port: int, place: int, event: Event, rounds: int) -> None:
        self.event, self.rounds = event, rounds
        self.desk = Operator(port, f"chief-{place}", PASSWORD, patience=PATIENCE)
        self.done: list[Done] = []
        self.states: dict[int, str] = {}
        """Round → its state by the last confirmed action."""
        self.results: dict[int, int] = {}
        """Round → how many results of the diary came before it."""
        self.steps = self._steps()
        self._chance = random.Random(event.slug)

    def _steps(self) -> Iterator[None]:
        for number in range(self.event.number, self.rounds + 1):
            self.results[number] = len(self.desk.diary)
            path = f"/t/{self.event.slug}/rounds/{number}/"
            page = self._request(PAGE, "GET", path)
            yield
            for button, state in BUTTONS.items():
                if button == "results/publish":
                    yield from self._enter(page)
                    page = self._request(PAGE, "GET", path)
                    yield
                address = f"{path}{button}/"
                if f'action="{address}"' not in page:
                    continue
                self._request(button, "POST", address)
                self.states[number] = state
                yield
                page = self._request(PAGE, "GET", path)
                yield

    def _enter(self, page: str) -> Iterator[None]:
        for board in boards_of(page).values():
            if not board["result"]:
                sent = self.desk.enter(board, self._chance.choice(RESULTS), on_loss=lambda: None)
                self.done.append(Done(RESULT, sent.seconds))
                if not sent.was_taken:
                    raise Lost(f"{self.event.slug}: board {sent.board}: status {sent.status}")
                yield

    def _request(self, kind: str, method: str, path: str) -> str:
        """Read a page, or press a button of the page that was read last; return what comes."""
        begin = time.monotonic()
        answer = self.desk.request("GET", path) if method == "GET" else self.desk.press(path)
        self.done.append(Done(kind, time.monotonic() - begin))
        if answer.status != (200 if method == "GET" else 302):
            raise Lost(f"{self.event.slug}: {kind}: status {answer.status}")
        return answer.text

    def missing(self, database_url: str) -> list[str]:
        """Return what was confirmed but is not in the database."""
        books, found = Books.read(database_url, self.event.slug), []
        for number, begin in self.results.items():
            sent = self.desk.diary[begin : self.results.get(number + 1)]
            found += [f"{self.event.slug}, lost: {one}" for one in lost(books, number, sent)]
        for number, state in self.states.items():
            if STATES.index(books.rounds[number][0]) < STATES.index(state):
                found.append(f"{self.event.slug}, round {number}: {state} was confirmed")
        return found


class Hall:
    """All arbiters and visitors of one running *site*, and what they use."""

    def __init__(
        self, site: Site, database: PostgresDatabase, events: Sequence[Event], sizes: Sizes
    ) -> None:
        self.site, self.database, self.events, self.sizes = site, database, events, sizes
        self.arbiters = [
            Arbiter(site.port, place, event, sizes.rounds) for place, event in enumerate(events, 1)
        ]
        self.phones = Phones(site.port)
        self.faults: list[str] = []
        self.column: dict[str, str] = {}

    def act(self, every: float) -> Callable[[], None]:
        """Return the work of all arbiters, with *every* seconds from one action to the next."""

        def run(place: int) -> None:
            begin = time.monotonic()
            due = begin + every * place / len(self.arbiters)
            try:
                while time.monotonic() < begin + self.sizes.seconds:
                    time.sleep(max(0.0, due - time.monotonic()))
                    next(self.arbiters[place].steps)
                    due = max(due + every, time.monotonic() - every)
            except StopIteration:  # Its rounds are over.
                return
            except Exception as error:  # Whatever it is, the command must not end well.
                self.faults.append(f"{self.events[place].slug}: {error!r}")

        return lambda: together(
            lambda place=place: run(place) for place in range(len(self.arbiters))
        )  # type: ignore[misc]

    def measure(self) -> dict[str, str]:
        """Do the three parts; return the column of the table."""
        sizes = self.sizes
        visit = self.phones.load_without_pause(self.events, sizes.seconds, sizes.readers)
        self._part("arbiters only", [self.act(0)])
        self._part("visitors only", [visit])
        self._part("both", [visit, self.act(sizes.every)])
        self.faults += [
            f"{one.kind}: status {one.status}" for one in self.phones.answers if not one.is_good
        ]
        for arbiter in self.arbiters:
            arbiter.desk.close()
            self.faults += arbiter.missing(self.site.database_url)
        return self.column

    def _part(self, name: str, works: list[Callable[[], None]]) -> None:
        before, looked = [len(arbiter.done) for arbiter in self.arbiters], len(self.phones.answers)
        processes = self.site.processes, self.database.server.processes
        used = [processor_seconds(pids()) for pids in processes]
        size, begin = self._size(), time.monotonic()
        together(works)
        seconds = time.monotonic() - begin
        server, postgres = (
            processor_seconds(pids()) - early for pids, early in zip(processes, used, strict=True)
        )
        pairs = zip(self.arbiters, before, strict=True)
        done = [one for arbiter, count in pairs for one in arbiter.done[count:]]
        actions = sum(one.kind != PAGE for one in done)
        pages = [one.seconds for one in self.phones.answers[looked:]]
        each = max(actions if name == "arbiters only" else len(pages), 1)
        lines = {
            "cores of server + PostgreSQL": f"{server / seconds:.2f} + {postgres / seconds:.2f}"
        }
        unit = "an action" if name == "arbiters only" else "a page"
        lines[f"server / PostgreSQL, ms {unit}"] = (
            f"{server / each * 1000:.1f} / {postgres / each * 1000:.1f}"
        )
        if name != "visitors only":
            lines["actions a second"] = f"{actions / seconds:.1f}"
            for kind in (RESULT, *BUTTONS, PAGE):
                lines[f"{kind}, p50 / p95, ms"] = _ms(
                    [one.seconds for one in done if one.kind == kind]
                )
        if name == "arbiters only":
            lines["growth of the database, kB an action"] = (
                f"{(self._size() - size) / each / 1000:.1f}"
            )
        else:
            lines["pages a second"] = f"{len(pages) / seconds:.0f}"
            lines["a page, p50 / p95, ms"] = _ms(pages)
        self.column |= {f"{name}: {what}": value for what, value in lines.items()}

    def _size(self) -> int:
        with psycopg.connect(self.site.database_url) as connection:
            (size,) = connection.execute(
                "SELECT pg_database_size(current_database())"
            ).fetchone() or (0,)
            return int(size)


def _ms(values: Sequence[float]) -> str:
    """Return median and p95 of *values* in milliseconds, and their number."""
    if not values:
        return "–"
    return (
        f"{percentile(values, 0.5) * 1000:.0f} / {percentile(values, 0.95) * 1000:.0f} "
        f"({len(values)})"
    )


def reports(slug: str, number: int) -> Iterator[bytes]:
    """Yield the report of the event *slug* at moments of its round *number*;
    enter results between them.
    """
    from django.contrib.auth.models import User
    from django.utils import timezone

    from pairing.rounds.publish import results_publish
    from pairing.rounds.results import result_record
    from tournaments.models import Game, Round, Tournament
    from tournaments.reports.trf_export import trf_export

    round_ = Round.objects.get(tournament__slug=slug, number=number)
    chief, games = User.objects.get(username="arbiter-1"), list(Game.objects.filter(round=round_))
    for moment in range(MOMENTS):
        yield trf_export(Tournament.objects.get(slug=slug), public=False).encode()
        for game in games[moment :: MOMENTS - 1] if moment < MOMENTS - 1 else []:
            result_record(
                game_id=game.pk, result=RESULTS[game.board % 8], actor=chief, now=timezone.now()
            )
        if moment == MOMENTS - 2:
            results_publish(round_id=round_.pk, actor=chief, now=timezone.now())


def make_events(sizes: Sizes) -> Iterator[Event]:
    """Yield new events with *played* finished rounds and the next one going on or over.

    One event is played with the services; its reports are opened as new tournaments of ``chief-1``
    …
    """
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User
    from django.utils import timezone

    from tournaments.lists.imports.trf_tournament import tournament_import_trf

    files = list(reports(make(sizes.players, sizes.rounds, sizes.played, 1), sizes.played + 1))
    password = make_password(PASSWORD)
    for place in range(1, sizes.events + 1):
        chief = User.objects.create(username=f"chief-{place}", password=password, is_staff=True)
        tournament = tournament_import_trf(
            actor=chief, now=timezone.now(), data=files[place % MOMENTS]
        )
        keys = list(tournament.entries.order_by("pk").values_list("pk", flat=True))
        yield Event(tournament.slug, keys, sizes.played + 1)


def run(sizes: Sizes, say: Callable[[str], None]) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Measure everything; return the columns of the table, and the faults."""
    columns: dict[str, dict[str, str]] = {}
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="swiss-events-") as folder:
        database = PostgresDatabase()
        try:
            site = Site(Path(folder), database.create("prepared"))
            site.prepare()
            say(f"making {sizes.events} events of {sizes.players} players")
            lines = site.python(
                "-m", "tests.stress.events", "--make", json.dumps(asdict(sizes))
            ).splitlines()
            events = [Event(**json.loads(line)) for line in lines]
            for number in sizes.processes:
                name = f"{number} process{'es' if number > 1 else ''}"
                site = Site(Path(folder), database.copy(f"events_{number}", "prepared"))
                site.environment = {**site.environment, "WEB_CONCURRENCY": str(number)}
                site.start()
                try:
                    say(f"{name}, {machine()}")
                    hall = Hall(site, database, events, sizes)
                    columns[name] = hall.measure()
                finally:
                    site.kill()
                say("  checking the records")
                faults += [f"{name}: {fault}" for fault in hall.faults]
                site.python("manage.py", "verify_site")  # raises an error if a record is wrong
        finally:
            database.close()
    return columns, faults


def table(columns: dict[str, dict[str, str]]) -> str:
    """Return the columns as a table; all have the same lines."""
    head = f"| | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|"
    names = next(iter(columns.values()))
    return "\n".join(
        [
            head,
            *(
                f"| {name} | {' | '.join(one[name] for one in columns.values())} |"
                for name in names
            ),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--brief", action="store_true", help="a few seconds for each part")
    parser.add_argument("--events", type=int, help="at once (50)")
    parser.add_argument("--players", type=int, help="of each event (200)")
    parser.add_argument(
        "--processes", type=lambda text: tuple(map(int, text.split(","))), help="(1,2,4)"
    )
    parser.add_argument("--seconds", type=float, help="of each part (60)")
    parser.add_argument("--make", help=argparse.SUPPRESS)
    options = vars(parser.parse_args())
    if sizes := options.pop("make"):
        django.setup()
        for event in make_events(Sizes(**json.loads(sizes))):
            print(json.dumps(asdict(event)), flush=True)
        return
    chosen = BRIEF if options.pop("brief") else Sizes()
    chosen = replace(
        chosen, **{name: value for name, value in options.items() if value is not None}
    )
    begin = machine()
    columns, faults = run(chosen, lambda text: print(text, file=sys.stderr, flush=True))
    print(
        f"{chosen.events} events of {chosen.players} players, {chosen.seconds:g} seconds for each part\n"
    )
    print(f"{table(columns)}\n\n{begin}; at the end {machine()}")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
