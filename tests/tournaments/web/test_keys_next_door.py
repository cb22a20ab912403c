"""A page about a player, game, person or list of another tournament is not found,
whatever it would show or do.
"""

from __future__ import annotations

import re
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, reverse

from tournaments.models import (
    Appointment,
    Entry,
    Game,
    PublishedList,
    Round,
    Tournament,
)
from tournaments.web.urls import urlpatterns

KEYS: Final[dict[str, tuple[type[Model], str]]] = {
    "entry_id": (Entry, "tournament"),
    "game_id": (Game, "round__tournament"),
    "appointment_id": (Appointment, "tournament"),
    "list_id": (PublishedList, "tournament"),
}
"""What the keys in addresses are of, and the path from there to the tournament.

Rows that wait, registrations and invitations are not among them: if one is gone, its page says so.
"""


def addresses_with_keys() -> dict[str, list[str]]:
    """Return the names of the values in each address of a tournament that contains a key,
    by the address's name.
    """
    found = {}
    for each in urlpatterns:
        names = re.findall(r"<\w+:(\w+)>", str(each.pattern))
        if (
            isinstance(each, URLPattern)
            and each.name
            and names[:1] == ["slug"]
            and KEYS.keys() & names
        ):
            found[each.name] = names
    return found


@pytest.mark.parametrize("name", sorted(addresses_with_keys()))
def test_a_key_of_another_tournament_is_not_found(
    name: str, published_round: Round, neighbour: Tournament, client: Client, chief_arbiter: User
) -> None:
    own = published_round.tournament
    client.force_login(chief_arbiter)
    values: dict[str, object] = {"slug": own.slug}
    for each in addresses_with_keys()[name][1:]:
        if each in KEYS:
            model, path = KEYS[each]
            there = model._default_manager.filter(**{path: neighbour}).order_by("pk").first()
            assert there is not None
            values[each] = there.pk
        else:
            values[each] = 1
    address = reverse(name, kwargs=values)
    answers = {client.get(address).status_code, client.post(address).status_code}
    assert 404 in answers
    assert answers <= {404, 405}
