"""The server stops and restarts cleanly on its database, as ``./run`` starts it."""

from __future__ import annotations

import os
import signal

import pytest

from .server import Site, answers

pytestmark = [pytest.mark.costly, pytest.mark.on_postgres("the server on its database")]


def test_after_sigterm_the_server_ends_cleanly(site: Site) -> None:
    assert site.process is not None
    site.process.send_signal(signal.SIGTERM)
    assert site.process.wait(60) == 0
    assert answers(site, "/readyz", 1) == [0]
    site.process = None
    site.start()
    assert answers(site, "/readyz", 1) == [200]


def test_ready_is_said_once(site: Site) -> None:
    site.kill()
    site.log.write_text("")
    own = site.own_command()
    site.command = [*own, "--pages", "http://127.0.0.1/", "--since", "0"]
    site.launch()
    site.wait_until(lambda: "Ready after" in site.log.read_text())
    site.wait_until(lambda: len(site.workers()) == 2)
    first, *others = site.workers()
    assert answers(site, "/readyz", 1) == [200]
    os.kill(first, signal.SIGKILL)
    site.wait_until(lambda: first not in site.workers() and len(site.workers()) == 1 + len(others))
    assert answers(site, "/readyz", 1) == [200]
    assert site.log.read_text().count("Ready after") == 1
