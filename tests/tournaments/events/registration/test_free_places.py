"""The form says how many places are free: the places less the
players and the confirmed registrations.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import make_entries
from tournaments.models import Tournament

from .conftest import Register, opened


def test_taken_places_are_not_free(
    autumn: Tournament, chief_arbiter: User, register: Register, client: Client
) -> None:
    opened(autumn, chief_arbiter, most=6)
    form = reverse("register", args=[autumn.slug])
    assert client.get(form).context["free"] == 6
    make_entries(autumn, chief_arbiter, 3)
    register("Zapp, Zoe")
    register("Not, Confirmed", confirm=False)
    assert client.get(form).context["free"] == 2
    register("Quist, Ida")
    register("Roth, Udo")
    assert client.get(form).context["free"] == 0
    register("Waits, Wim")
    assert client.get(form).context["free"] == 0
