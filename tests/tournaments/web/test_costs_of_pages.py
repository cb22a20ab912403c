"""The work for a page grows with the event, not with its square."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import forget_pages
from tests.stress.costs import every_address
from tests.tournaments.large import make_large
from tests.work import calls_of

pytestmark = [pytest.mark.django_db, pytest.mark.alone("the neighbour has its own size")]
FEW, MANY = 100, 400
MOST = 1.05
"""The largest ratio of the work for a player, in the larger event to the smaller one."""


@pytest.fixture
def slugs(chief_arbiter: User, client: Client) -> tuple[str, str]:
    """Return the addresses of two events of different size;
    the Chief Arbiter of both is logged in.
    """
    client.force_login(chief_arbiter)
    few, many = (
        make_large(chief_arbiter, players=players, rounds=4, played=2).slug
        for players in (FEW, MANY)
    )
    return few, many


def work_of_page(client: Client, url: str) -> int:
    """Return the work for *url* with nothing kept; the request before it reads the templates."""
    client.get(url)
    forget_pages()
    return calls_of(partial(client.get, url))


def grows_faster(client: Client, few: str, many: str) -> bool:
    """Return whether the page costs more for each player in the larger event."""
    return work_of_page(client, many) / MANY > MOST * work_of_page(client, few) / FEW


@pytest.mark.costly
def test_c04_2_2_2_the_order_of_a_large_event_is_shown_in_proportion(
    slugs: tuple[str, str], client: Client
) -> None:
    few, many = (reverse("numbers", args=[slug]) for slug in slugs)
    assert not grows_faster(client, few, many)


@pytest.mark.slow
def test_every_page_of_a_large_event_is_shown_in_proportion(
    slugs: tuple[str, str], client: Client
) -> None:
    few, many = map(every_address, slugs)
    assert [name for name in few if grows_faster(client, few[name], many[name])] == []
