"""The server stops and restarts cleanly on its database, as ``./run`` starts it."""

from __future__ import annotations

import signal

from .server import Site, answers


def test_after_sigterm_the_server_ends_cleanly(site: Site) -> None:
    assert site.process is not None
    site.process.send_signal(signal.SIGTERM)
    assert site.process.wait(60) == 0
    assert answers(site, "/readyz", 1) == [0]
    site.process = None
    site.start()
    assert answers(site, "/readyz", 1) == [200]
