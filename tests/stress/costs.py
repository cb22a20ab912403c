"""``python -m tests.stress.costs``: what pages and actions cost with 300 players and with 5,000.

Every address that can be read is requested twice, by a visitor and by the Chief Arbiter, in this
process; then the common actions are done, publications and a correction among them, a list of 5,000
rows is imported before and after round 1, and a copy of the site is made. It prints queries,
processor time and size, the most expensive first. A status of 500 or above ends the command with 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.event import make
from tests.live.server import HOST, Site

from .report import machine

SIZES = (300, 5000)
ROWS = 5000
PARTS = ["pages", "actions", "imports", "copies"]


@dataclass(frozen=True, slots=True)
class Cost:
    """Queries, processor milliseconds and bytes;
    *again* is the time of the same request a second time.
    """

    status: int
    queries: int
    first: float
    again: float
    size: int


def measured(task: Callable[[], Any]) -> tuple[Any, int, float]:
    """Return the answer of *task*, its queries, and its processor milliseconds.

    It runs with room, as in the server: otherwise it depends on the depth of the stack whether the
    loop of a list costs 60 ms more.
    """
    from django.db import connection

    from pairing.call_stack import with_room

    queries = 0

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        begun = time.process_time()
        answer = with_room(task)()
        return answer, queries, (time.process_time() - begun) * 1000


def cost_of(client: Any, address: str) -> Cost:
    """Request *address* with nothing kept, then once more."""
    from tests.conftest import forget_pages

    forget_pages()
    answer, queries, first = measured(lambda: client.get(address))
    size = len(b"".join(answer) if answer.streaming else answer.content)
    _, _, again = measured(lambda: client.get(address))
    return Cost(answer.status_code, queries, first, again, size)


def every_address(slug: str) -> dict[str, str]:
    """Return the address of everything that can be read of the tournament *slug*, by name."""
    from django.urls import NoReverseMatch, reverse

    from tests.tournaments.web import test_access_pages as access
    from tournaments.api.urls import urlpatterns as api
    from tournaments.models import Entry, Round, Tournament

    tournament = Tournament.objects.get(slug=slug)
    newest = (
        Round.objects.filter(tournament=tournament).exclude(state="planned").latest("number").number
    )
    pages = (
        access.EVERYBODY
        | access.ARBITER_PAGES
        | access.PUBLIC_FILES
        | access.SESSION_FRAGMENT
        | access.SIGNED_IN
    )
    pages |= {"check-in-find", "find"}
    pages -= {"language", "offline-worker", "help-page", "round-code", "protest"}
    found = access.addresses(pages, tournament)
    for name in ("pairings-public", "round", "round-results", "results-state", "results-checks", "round-floor",
                 "why-public", "round-why", "round-codes", "second-reading", "reading-differences", "round-change",
                 "round-correct"):  # fmt: skip
        found[name] = reverse(name, args=[slug, newest])
    found["standings, search"] = found["standings"] + "?q=surname001"
    found["pairings, search"] = found["pairings-public"] + "?q=surname001"
    found["entries, search"] = found["entries"] + "?q=surname001"
    player = Entry.objects.filter(tournament=tournament, tpn=1).get()
    found["round-player"] = reverse("round-player", args=[slug, newest, player.pk])
    for pattern in api:
        for values in ({}, {"slug": slug}, {"slug": slug, "number": newest}):
            try:
                if pattern.name:
                    found[f"API {pattern.name}"] = reverse(f"api:{pattern.name}", kwargs=values)
            except NoReverseMatch:
                continue
    return found


def walked(slugs: Iterable[str]) -> dict[tuple[str, str], list[Cost]]:
    """Return the costs of every address for each tournament, by name and reader."""
    from django.contrib.auth.models import User
    from django.test import Client

    found: dict[tuple[str, str], list[Cost]] = {}
    for slug in slugs:
        for reader in ("visitor", "arbiter"):
            client = Client(raise_request_exception=False, SERVER_NAME=HOST)
            if reader == "arbiter":
                client.force_login(User.objects.get(username="arbiter-1"), backend=BACKEND)
            client.get(f"/t/{slug}/")  # Templates and catalogues are read now.
            for name, address in every_address(slug).items():
                found.setdefault((name, reader), []).append(cost_of(client, address))
    return found


BACKEND = "django.contrib.auth.backends.ModelBackend"


def acted(slug: str) -> dict[str, tuple[int, float]]:
    """Do the common actions in the tournament *slug*;
    return the queries and processor milliseconds of each.
    """
    from django.contrib.auth.models import User
    from django.utils import timezone

    from pairing.rounds.corrections import Report, result_correct
    from pairing.rounds.pair import round_pair
    from pairing.rounds.publish import results_publish, round_publish
    from pairing.rounds.results import result_record
    from tournaments.entries.byes import bye_request
    from tournaments.entries.entries import entry_add, entry_check_in, entry_update, entry_withdraw
    from tournaments.models import Entry, Game, Round, Tournament

    tournament = Tournament.objects.get(slug=slug)
    chief = User.objects.get(username="arbiter-1")
    newest = Round.objects.filter(tournament=tournament).exclude(state="planned").latest("number")
    following = Round.objects.get(tournament=tournament, number=newest.number + 1)
    games = list(Game.objects.filter(round=newest))
    one, two, three = Entry.objects.filter(tournament=tournament).order_by("-tpn")[:3]

    def by(service: Callable[..., object], **arguments: object) -> tuple[int, float]:
        _, queries, spent = measured(lambda: service(actor=chief, now=timezone.now(), **arguments))
        return queries, spent

    found = {"enter a result": by(result_record, game_id=games[0].pk, result="10")}
    for game in games[1:]:
        result_record(game_id=game.pk, result="10", actor=chief, now=timezone.now())
    found["change a player"] = by(entry_update, entry_id=one.pk, club="Mate")
    found["late entry"] = by(
        entry_add, tournament_id=tournament.pk, name="Late, Lou", fide_rating=2222
    )
    found |= {
        "check in a player": by(entry_check_in, entry_id=_latest(tournament), checked_in=True),
        "grant a bye": by(bye_request, entry_id=two.pk, round_number=following.number, kind="H"),
        "withdraw a player": by(entry_withdraw, entry_id=three.pk, from_round=following.number),
        "publish results": by(results_publish, round_id=newest.pk),
        "correct a result": by(
            result_correct,
            game_id=games[1].pk,
            result="01",
            report=Report(timezone.now(), "Misread"),
        ),
        "pair": by(round_pair, round_id=following.pk),
        "publish pairings": by(round_publish, round_id=following.pk),
    }
    return found


def _latest(tournament: Any) -> int:
    return int(tournament.entries.latest("pk").pk)


def imported(slug: str, kind: str) -> tuple[str, int, float, float]:
    """Import 5,000 new rows into *slug*: read and compare, then save;
    return queries and both times.
    """
    from django.contrib.auth.models import User
    from django.utils import timezone

    from tournaments.lists.imports.comparing import compare
    from tournaments.lists.imports.entry_lists import Choice, list_import
    from tournaments.lists.imports.reading import read_list
    from tournaments.models import Tournament

    tournament, chief = Tournament.objects.get(slug=slug), User.objects.get(username="arbiter-1")
    lines = ["Name;FIDE ID;Rating;Fed"]
    lines += [
        f"New{number:04}, Nia;{70_000_000 + number};{1000 + number % 1500};FRA"
        for number in range(ROWS)
    ]
    (reading, found), _, looking = measured(
        lambda: _compared(read_list, compare, "\n".join(lines), tournament)
    )
    done, queries, saving = measured(
        lambda: list_import(
            tournament_id=tournament.pk, actor=chief, now=timezone.now(), reading=reading, choice=Choice(),
            seen=found.digest,
        )
    )  # fmt: skip
    assert len(done.entered) == ROWS
    return kind, queries, looking, saving


def _compared(read_list: Any, compare: Any, text: str, tournament: Any) -> tuple[Any, Any]:
    reading = read_list(text)
    return reading, compare(reading, tournament)


def stored(database: SqliteDatabase | PostgresDatabase, folder: Path) -> list[str]:
    """Return the lines about the size of the database, and about a copy of the site."""
    from django.db import connection
    from django.utils import timezone

    from tournaments.site.backups.copying import make_copy

    if isinstance(database, PostgresDatabase):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            (size,) = cursor.fetchone() or (0,)
    else:
        size = sum(path.stat().st_size for path in folder.glob("costs.sqlite3*"))
    copy = folder / "site.backup"
    _, _, spent = measured(lambda: make_copy(copy, now=timezone.now()))
    return [
        f"database of all these events: {size / 1e6:.1f} MB",
        f"copy of the site: {copy.stat().st_size / 1e6:.1f} MB, {spent / 1000:.1f} s of the processor",
    ]


def empty_tournament() -> str:
    from django.contrib.auth.models import User
    from django.utils import timezone

    from tournaments.setup.tournaments import tournament_create

    chief = User.objects.get(username="arbiter-1")
    return str(
        tournament_create(actor=chief, now=timezone.now(), name="Empty", total_rounds=9).slug
    )


def report(costs: dict[tuple[str, str], list[Cost]], sizes: list[int], most: int) -> list[str]:
    """Return the lines of a table with the *most* expensive pages."""
    small, large = sizes
    lines = [
        (
            f"| page | reader | status | queries {small} / {large} | first ms {small} / {large} | "
            f"again ms | kB |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    dearest = sorted(costs.items(), key=lambda item: -max(item[1][1].first, item[1][1].again))
    for (name, reader), (few, many) in dearest[:most]:
        lines.append(
            f"| {name} | {reader} | {many.status} | {few.queries} / {many.queries} | "
            f"{few.first:.0f} / {many.first:.0f}"
            f" | {few.again:.1f} / {many.again:.1f} | {few.size // 1000} / {many.size // 1000} |"
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument(
        "--players", default=",".join(map(str, SIZES)), help="two numbers of players"
    )
    parser.add_argument("--played", type=int, default=2)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--most", type=int, default=40, help="so many pages are shown")
    options = parser.parse_args()
    parts = options.only or PARTS
    sizes = [int(text) for text in options.players.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        database = PostgresDatabase() if options.db == "postgres" else SqliteDatabase(Path(folder))
        try:
            site = Site(Path(folder), database.create("costs"))
            site.prepare()
            os.environ.update(site.environment)
            django.setup()
            print(f"{options.db}, {machine()}")
            slugs = [make(players, 9, options.played, 1) for players in sizes]
            failed = measure(parts, slugs, sizes, options.most)
            if "copies" in parts:
                print("", *stored(database, Path(folder)), sep="\n")
            return failed
        finally:
            from django.db import connections

            connections.close_all()
            database.close()


def measure(parts: list[str], slugs: list[str], sizes: list[int], most: int) -> int:
    failed = 0
    if "pages" in parts:
        costs = walked(slugs)
        print("\n".join(report(costs, sizes, most)))
        failed = sum(cost.status >= 500 for both in costs.values() for cost in both)
    if "actions" in parts:
        few, many = map(acted, slugs)
        print(f"\n| action | queries {sizes[0]} / {sizes[1]} | processor ms |\n|---|---|---|")
        for name, (queries, spent) in few.items():
            print(f"| {name} | {queries} / {many[name][0]} | {spent:.0f} / {many[name][1]:.0f} |")
    if "imports" in parts:
        print(
            f"\n| import of {ROWS} rows | queries | read and compare, ms | save, ms "
            f"|\n|---|---|---|---|"
        )
        for kind, slug in (("before round 1", empty_tournament()), ("after round 1", slugs[0])):
            print("| {} | {} | {:.0f} | {:.0f} |".format(*imported(slug, kind)))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
