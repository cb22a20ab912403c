"""``python -m tests.live.many_events``: make many events at once for the site of the environment.

One event is played with the services; its report, taken at several moments of the round that is going on, is then
opened as a new tournament for each of the others, whose Chief Arbiter is an account of its own. It prints a line of
JSON for each. ``--verify`` checks the record of every event instead.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import StringIO
from typing import Any

import django
import psycopg

from .desk import Sent
from .event import PASSWORD, RESULTS, make

MOMENTS = 5
"""The events begin at so many moments of a round: without results, …, with all of them."""
RECORDED = """SELECT t.slug, d.round_number, d.before, d.after FROM tournaments_decision d
    JOIN tournaments_tournament t ON t.id = d.tournament_id WHERE d.action = 'result.recorded'
    ORDER BY t.id, d.sequence"""
STATES = """SELECT t.slug, r.number, r.state FROM tournaments_round r
    JOIN tournaments_tournament t ON t.id = r.tournament_id"""


@dataclass(frozen=True, slots=True)
class Made:
    """An event: its address, the account of its arbiter, the newest round with pairings, its players and rounds."""

    slug: str
    chief: str
    number: int
    players: tuple[int, ...]
    rounds: int


def read(lines: str) -> list[Made]:
    """Return the events that the command has printed as *lines*."""
    return [Made(**{**found, "players": tuple(found["players"])}) for found in map(json.loads, lines.splitlines())]


def reports(slug: str, number: int) -> Iterator[bytes]:
    """Yield the report of the event *slug* at moments of its round *number*, and enter the results between them."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from pairing.rounds.publish import results_publish
    from pairing.rounds.results import result_record
    from tournaments.models import Game, Round, Tournament
    from tournaments.reports.trf_export import trf_export

    chance = random.Random(number)
    tournament = Tournament.objects.get(slug=slug)
    chief = User.objects.get(username="arbiter-1")
    games = list(Game.objects.filter(round__tournament=tournament, round__number=number).order_by("board"))
    for moment in range(MOMENTS):
        yield trf_export(tournament, public=False).encode()
        for game in games[moment :: MOMENTS - 1] if moment < MOMENTS - 1 else []:
            result_record(game_id=game.pk, result=chance.choice(RESULTS), actor=chief, now=timezone.now())
        if moment == MOMENTS - 2:
            round_ = Round.objects.get(tournament=tournament, number=number)
            results_publish(round_id=round_.pk, actor=chief, now=timezone.now())
            tournament = Tournament.objects.get(slug=slug)


def make_many(events: int, players: int, rounds: int, played: int) -> Iterator[Made]:
    """Yield *events* new events of *players* with *played* finished rounds and the next one going on or over.

    Their lists are in the store, as after a publication.
    """
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User
    from django.utils import timezone

    from tournaments.core.actions import Publication
    from tournaments.core.frame import tournament_frame
    from tournaments.imports.trf_tournament import tournament_import_trf
    from tournaments.web.storing import store_lists

    source = make(players, rounds, played, 1)
    files = list(reports(source, played + 1))
    password = make_password(PASSWORD)
    for place in range(1, events + 1):
        chief = User.objects.create(username=f"chief-{place}", password=password, is_staff=True)
        now = timezone.now()
        tournament = tournament_import_trf(actor=chief, now=now, data=files[place % MOMENTS])
        frame = tournament_frame(tournament, runs=False, now=now)
        lists = [("pairings", frame.latest_published or 0), ("standings", frame.latest_results)]
        store_lists(Publication(frame, tuple(one for one in lists if one[1])))
        keys = tuple(tournament.entries.order_by("pk").values_list("pk", flat=True))
        yield Made(tournament.slug, chief.username, played + 1, keys, tournament.total_rounds)


def verified() -> list[str]:
    """Return what is wrong with the record of any event."""
    from django.core.management import CommandError, call_command

    from tournaments.models import Tournament

    faults = []
    for slug in Tournament.objects.values_list("slug", flat=True):
        out = StringIO()
        try:
            call_command("verify_record", slug, stdout=out)
        except CommandError as error:
            faults.append(f"{slug}: {error} {out.getvalue()[:300]}")
    return faults


Recorded = dict[tuple[str, int, int], list[str]]


def recorded(database_url: str) -> Recorded:
    """Return (address of the event, round, board) → its results in the record, oldest first, read with plain SQL."""
    found: Recorded = {}
    with psycopg.connect(database_url) as connection:
        for slug, number, before, after in connection.execute(RECORDED):
            assert before["board"] == after["board"]
            found.setdefault((slug, number, after["board"]), []).append(after["result"])
    return found


def lost(record: Recorded, sent: Mapping[str, Sequence[tuple[int, Sent]]]) -> list[str]:
    """Return the results that were confirmed but are not in *record* with the confirmed version.

    *sent*: by the event's address, each result with its round.
    """
    return [
        f"{slug}, round {number}, board {one.board}: {one.result} was confirmed, but is not in the record"
        for slug, results in sent.items()
        for number, one in results
        if one.was_taken and record.get((slug, number, one.board), [])[one.body["version"] - 1 :][:1] != [one.result]
    ]


def states(database_url: str) -> dict[tuple[str, int], str]:
    """Return (address of the event, round) → the state of the round."""
    with psycopg.connect(database_url) as connection:
        return {(slug, number): state for slug, number, state in connection.execute(STATES)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=50)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=13)
    parser.add_argument("--played", type=int, default=4, help="rounds with published results; the next is going on")
    parser.add_argument("--verify", action="store_true", help="check the records instead")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if options.verify:
        print("\n".join(verified()))
        return
    found: Any
    for found in make_many(options.events, options.players, options.rounds, options.played):
        print(json.dumps(asdict(found)), flush=True)


if __name__ == "__main__":
    main()
