"""``python -m tests.live.event``: make an event for the site of the environment with the services.

Prints its address. The arbiters ``arbiter-1`` … may all run it; ``arbiter-1`` made it.
"""

from __future__ import annotations

import argparse
import random
from datetime import datetime, timedelta

import django

PASSWORD = "five-at-the-desk"
RESULTS = ["10", "01", "==", "10", "==", "01", "10", "+-"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument(
        "--played", type=int, default=0, help="rounds with published results; the next is published"
    )
    parser.add_argument("--arbiters", type=int, default=5)
    parser.add_argument("--name", default="Under Load")
    parser.add_argument("--hours-ago", type=int, default=0, help="when everything was done")
    options = parser.parse_args()
    django.setup()
    at = (options.name, options.hours_ago)
    print(make(options.players, options.rounds, options.played, options.arbiters, *at))


def make(
    players: int,
    rounds: int,
    played: int,
    arbiters: int,
    name: str = "Under Load",
    hours_ago: int = 0,
) -> str:
    """Return the slug of a new event of *players* with *played* finished rounds,
    and the next one published.
    """
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User
    from django.utils import timezone

    from pairing.rounds.pair import round_pair
    from pairing.rounds.publish import results_publish, round_publish
    from pairing.rounds.results import result_record
    from tournaments.entries.entries import numbers_assign
    from tournaments.lists.imports.entry_lists import entries_import
    from tournaments.lists.imports.reading import read_list
    from tournaments.models import Game, Round
    from tournaments.people.people import account_appoint
    from tournaments.setup.initial_colour import initial_colour_set
    from tournaments.setup.tournaments import tournament_create

    def now() -> datetime:
        return timezone.now() - timedelta(hours=hours_ago)

    chance = random.Random(players)
    password = make_password(PASSWORD)  # slow by design: once is enough
    staff = [
        User.objects.get_or_create(
            username=f"arbiter-{number}", defaults={"password": password, "is_staff": True}
        )[0]
        for number in range(1, arbiters + 1)
    ]
    chief = staff[0]
    event = tournament_create(actor=chief, now=now(), name=name, total_rounds=rounds)
    for deputy in staff[1:]:
        account_appoint(
            tournament_id=event.pk, username=deputy.username, role="deputy", actor=chief, now=now()
        )
    lines = ["Name,Rating,Federation"]
    lines += [
        f'"Surname{n:03}, Given Name",{chance.randint(1400, 2500)},FRA'
        for n in range(1, players + 1)
    ]
    rows = read_list("\n".join(lines)).rows
    entries_import(tournament_id=event.pk, actor=chief, now=now(), rows=rows)
    numbers_assign(tournament_id=event.pk, actor=chief, now=now())
    initial_colour_set(tournament_id=event.pk, actor=chief, now=now(), colour="w")
    for number in range(1, min(played + 1, rounds) + 1):
        round_ = Round.objects.get(tournament=event, number=number)
        round_pair(round_id=round_.pk, actor=chief, now=now())
        round_publish(round_id=round_.pk, actor=chief, now=now())
        if number > played:
            break
        for game in Game.objects.filter(round=round_):
            result_record(game_id=game.pk, result=chance.choice(RESULTS), actor=chief, now=now())
        results_publish(round_id=round_.pk, actor=chief, now=now())
    return event.slug


if __name__ == "__main__":
    main()
