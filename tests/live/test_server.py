"""The server as ``./run`` starts it: slow visitors do not delay others,
and processes that die are replaced.
"""

from __future__ import annotations

import pytest

from .conftest import SLUG
from .server import Site, answers
from .slow import Kind, SlowClients

SLOW = 64
"""Many times more than there are threads."""
REQUESTS = 20


@pytest.mark.parametrize("kind", ["headers", "body", "reading"])
def test_slow_visitors_do_not_delay_others(served: Site, kind: Kind) -> None:
    path = f"/t/{SLUG}/standings/" if kind == "reading" else "/accounts/login/"
    with SlowClients(served.port, SLOW, kind, path=path):
        assert answers(served, f"/t/{SLUG}/pairings/1/", REQUESTS) == [200] * REQUESTS


@pytest.mark.costly
def test_a_process_that_dies_is_replaced(served: Site) -> None:
    before = served.workers()
    served.kill_a_worker()
    assert answers(served, f"/t/{SLUG}/", REQUESTS) == [200] * REQUESTS
    # The first process notices a moment later: until then the dead one is in the list.
    served.wait_until(
        lambda: before[0] not in served.workers() and len(served.workers()) == len(before)
    )


@pytest.mark.costly
def test_the_processes_end_with_the_first_one(site: Site) -> None:
    assert site.process is not None
    site.process.kill()
    site.process.wait()
    site.wait_until(lambda: answers(site, "/readyz", 1) == [0])
