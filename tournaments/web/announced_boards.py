"""What a page says about a player who leaves while a certain board is announced."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from pairing.rounds.announce import announced_with
from pairing.rounds.facts import round_facts
from pairing.rules.rounds import next_unpublished
from tournaments.models import Tournament


def announced_but_gone(
    tournament: Tournament, players: Collection[int], *, from_round: int | None = None
) -> str:
    """Return the warning after *players* (entry ids) have left:
    the announced boards without them, and what to do next.

    Empty if no such board is announced, or if they play the coming round, because they leave
    *from_round* on. At most four queries.
    """
    number = next_unpublished(round_facts(tournament))
    if number is None or (from_round is not None and from_round > number):
        return ""
    boards = announced_with(tournament, number, players)
    if not boards:
        return ""
    sentence = _(
        "Announced to players for round %(n)d, but no longer possible: %(boards)s. The Chief "
        "Arbiter withdraws the "
        "announcement on the page of round %(n)d, with a reason that players see. Until then the "
        "pairings of this "
        "round cannot be published."
    )
    return sentence % {"n": number, "boards": "; ".join(boards)}
