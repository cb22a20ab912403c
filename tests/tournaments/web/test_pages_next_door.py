"""Every page of a tournament is the same after another one, newer and further on,
was played next door.
"""

from __future__ import annotations

import re
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, reverse

from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.reports.test_reports_next_door import further_on
from tournaments.models import Round, Tournament
from tournaments.web.urls import urlpatterns

WITH_A_CLOCK: Final = ("/report/", "/protests/")
"""Pages that show the present time."""


def addresses(tournament: Tournament) -> list[str]:
    """Return the address of each page of *tournament*, and of its second round,
    without keys of rows.
    """
    found = []
    for each in urlpatterns:
        names = re.findall(r"<\w+:(\w+)>", str(each.pattern))
        values = {"slug": tournament.slug, "number": 2}
        if isinstance(each, URLPattern) and each.name and names in (["slug"], ["slug", "number"]):
            found.append(reverse(each.name, kwargs={name: values[name] for name in names}))
    return [address for address in found if not address.endswith(WITH_A_CLOCK)]


def shown(client: Client, tournament: Tournament) -> dict[str, str]:
    """Return the pages by their addresses, without the tokens of forms."""
    forget_pages()
    cache.clear()
    pages = {}
    for address in addresses(tournament):
        answer = client.get(address)
        if answer.status_code == 200:
            text = b"".join(answer.streaming_content) if answer.streaming else answer.content
            pages[address] = re.sub(r"\b[A-Za-z0-9]{64}\b", "", text.decode("utf-8", "replace"))
    return pages


@pytest.mark.costly
def test_pages_show_nothing_of_a_tournament_that_is_further_on(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    factories.pair_and_publish(ready, 2, chief_arbiter)
    arbiter, visitor = Client(), Client()
    arbiter.force_login(chief_arbiter)
    before = [shown(client, ready) for client in (arbiter, visitor)]
    assert [len(pages) > 20 for pages in before] == [True, True]
    further_on(deputy)
    assert Round.objects.filter(number=2).count() == 3
    after = [shown(client, ready) for client in (arbiter, visitor)]
    for one, other in zip(before, after, strict=True):
        assert [address for address in one if other.get(address) != one[address]] == []
