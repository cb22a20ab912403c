"""Play an event in this process, and print what each publication costs; run by :mod:`tests.live.publishing`.

Only absolute imports, because it also runs in another checkout.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable

import django


def play(players: int, rounds: int) -> list[tuple[float, float]]:
    """Return the seconds of processor time for the pairings and for the results of each round."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from config.start import load_ahead
    from pairing.rounds.pair import round_pair
    from pairing.rounds.publish import results_publish, round_publish
    from pairing.rounds.results import result_record
    from tests.live.event import RESULTS, make
    from tournaments.models import Game, Round, Tournament

    load_ahead()
    chance = random.Random(players)
    event = Tournament.objects.get(slug=make(players, rounds, 1, 1))
    chief = User.objects.get(username="arbiter-1")

    def cost(action: Callable[..., object], number: int) -> float:
        row = Round.objects.get(tournament=event, number=number)
        begin = time.process_time()
        action(round_id=row.pk, actor=chief, now=timezone.now())
        return time.process_time() - begin

    found, pairings = [], 0.0
    for number in range(2, rounds + 1):
        for game in Game.objects.filter(round__tournament=event, round__number=number):
            result_record(game_id=game.pk, result=chance.choice(RESULTS), actor=chief, now=timezone.now())
        found.append((pairings, cost(results_publish, number)))
        if number < rounds:
            cost(round_pair, number + 1)
            pairings = cost(round_publish, number + 1)
    return found


if __name__ == "__main__":
    django.setup()
    print(json.dumps(play(int(sys.argv[1]), int(sys.argv[2]))))
