"""The faults of these tests are what they say."""

from __future__ import annotations

import pytest

from tests.plugins.postgres import Server, is_at_work

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kill", [Server.kill, Server.kill_the_first])
def test_a_power_cut_ends_every_process_of_postgresql(kill: object) -> None:
    """Each process of PostgreSQL leads a session of its own, so a signal to the group of the first is not enough."""
    assert callable(kill)
    server = Server(durable=True)
    try:
        processes = server.processes()
        assert len(processes) > 3
        kill(server)
        assert [pid for pid in processes if is_at_work(pid)] == []
        server.start()
        assert is_at_work(server.process.pid)
    finally:
        server.stop()
