"""An event in which two players meet again, and its pairings by number."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.tournaments.factories import CUT_SHORT, NOW, boards, make_ready, play_rounds, round_of
from tournaments.models import Tournament


def by_number(tournament: Tournament, text: str) -> Pairings:
    """Return the pairings of ``"1-2 3-4"``, by TPN."""
    pairs = [pair.split("-") for pair in text.split()]
    pk = {entry.tpn: entry.pk for entry in tournament.entries.all()}
    return Pairings({n: (pk[int(w)], pk[int(b)]) for n, (w, b) in enumerate(pairs, start=1)})


def pairs_of(tournament: Tournament, number: int) -> list[str]:
    return [f"{white}-{black}" for white, black, _ in boards(tournament, number)]


def repeat(actor: User, **settings: Any) -> Tournament:
    tournament = make_ready(actor, players=8, **settings)
    play_rounds(tournament, [1], actor)
    draft = round_pair(round_id=round_of(tournament, 2).pk, actor=actor, now=NOW)
    by_hand = by_number(tournament, "5-1 2-3 4-6 7-8")
    round_arrange(round_id=draft.pk, pairings=by_hand, reason="by mistake", actor=actor, now=NOW)
    round_publish(
        round_id=draft.pk, actor=actor, now=NOW, cut_short=CUT_SHORT, leave_fide_mode=True
    )
    tournament.refresh_from_db()
    return tournament
