"""The server as ``./run`` starts it: slow visitors do not delay others, and it stops and restarts cleanly."""

from __future__ import annotations

import signal
from http.client import HTTPConnection, HTTPException

import pytest

from .conftest import SLUG
from .server import HOST, Site
from .slow import Kind, SlowClients

SLOW = 64
"""Many times more than there are threads."""
REQUESTS = 20
PATIENCE = 20.0  # Seconds; the time that a busy machine may need for one page.


def answers(site: Site, path: str, number: int) -> list[int]:
    """Return the statuses of *number* requests one after the other; 0 for a request without an answer."""
    found = []
    for _ in range(number):
        connection = HTTPConnection(HOST, site.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            found.append(answer.status)
        except (OSError, HTTPException):
            found.append(0)
            break  # The remaining requests would only take time.
        finally:
            connection.close()
    return found


@pytest.mark.parametrize("kind", ["headers", "body", "reading"])
def test_slow_visitors_do_not_delay_others(site: Site, kind: Kind) -> None:
    path = f"/t/{SLUG}/standings/" if kind == "reading" else "/accounts/login/"
    with SlowClients(site.port, SLOW, kind, path=path):
        assert answers(site, f"/t/{SLUG}/pairings/1/", REQUESTS) == [200] * REQUESTS


def test_after_sigterm_the_server_ends_cleanly(site: Site) -> None:
    assert site.process is not None
    site.process.send_signal(signal.SIGTERM)
    assert site.process.wait(60) == 0
    assert answers(site, "/healthz", 1) == [0]
    site.process = None
    site.start()
    assert answers(site, "/healthz", 1) == [200]


def test_a_process_that_dies_is_replaced(site: Site) -> None:
    before = site.workers()
    site.kill_a_worker()
    assert answers(site, f"/t/{SLUG}/", REQUESTS) == [200] * REQUESTS
    site.wait_until(lambda: len(site.workers()) == len(before))
    assert site.workers() != before


def test_the_processes_end_with_the_first_one(site: Site) -> None:
    assert site.process is not None
    site.process.kill()
    site.process.wait()
    site.wait_until(lambda: answers(site, "/healthz", 1) == [0])
