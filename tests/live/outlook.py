"""``python -m tests.live.outlook SLUG NUMBER``: what the look-ahead costs while the last results come in.

It runs in the environment of the site and prints JSON: the processor seconds for the outcomes of the last open games,
for each result that comes in after that, and for each result while so many games are open that a sample is paired.
"""

from __future__ import annotations

import argparse
import json
import random
import time

import django

RESULTS = ("10", "01", "==")
SAMPLED = 20
"""So many results are measured while a sample is paired."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slug")
    parser.add_argument("number", type=int, help="the round that is being played")
    options = parser.parse_args()
    django.setup()
    print(json.dumps(measure(options.slug, options.number)))


def measure(slug: str, number: int) -> dict[str, list[float]]:
    """Enter the results of round *number* one by one; return the processor seconds of each outlook by its kind.

    ``sample``, ``all outcomes`` (once) and ``narrowed``; each with the queries and the provisional pairing of the page.
    """
    from django.contrib.auth.models import User
    from django.utils import timezone

    from pairing.look_ahead import MOST_OPEN
    from pairing.rounds.next_round import LookAheads, next_round
    from pairing.rounds.results import result_record
    from tournaments.models import Game, Tournament

    tournament = Tournament.objects.get(slug=slug)
    chief = User.objects.get(username="arbiter-1")
    chance = random.Random(number)
    aheads = LookAheads(lambda work: work())  # in this thread, so that its time counts
    games = list(Game.objects.filter(round__tournament=tournament, round__number=number).order_by("board"))
    found: dict[str, list[float]] = {"sample": [], "all outcomes": [], "narrowed": []}
    for place, game in enumerate(games):
        result_record(game_id=game.pk, result=chance.choice(RESULTS), actor=chief, now=timezone.now())
        left = len(games) - place - 1
        if left > MOST_OPEN + SAMPLED:
            continue
        begin = time.process_time()
        ahead = next_round(tournament, number + 1, aheads)
        used = time.process_time() - begin
        assert ahead is not None
        assert ahead.is_done
        kind = "sample" if left > MOST_OPEN else "all outcomes" if left == MOST_OPEN else "narrowed"
        found[kind].append(used)
    return found


if __name__ == "__main__":
    main()
