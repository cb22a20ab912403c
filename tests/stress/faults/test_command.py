"""``python -m tests.stress.faults`` itself:
one run of some kinds, its relay, and what it prints.
"""

from __future__ import annotations

import os
import socket
from contextlib import closing, suppress
from threading import Thread
from time import sleep

import pytest

from tests.plugins.postgres import Server, is_at_work

from .__main__ import kinds_of, main
from .relay import HOST, Mode, Relay

ANSWERED: dict[Mode, tuple[bytes, bytes]] = {
    "pass": (b"a question", b"A QUESTION"),
    "cut": (b"", b""),
    "half": (b"a que", b""),
    "swallow": (b"a question", b""),
    "refuse": (b"", b""),
}
"""Mode → what reaches the server of a question, and the visitor of its answer."""


def test_the_relay_cuts_off_halves_and_swallows() -> None:
    heard: list[bytes] = []

    def answer(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                with listener.accept()[0] as connection, suppress(OSError):
                    heard.append(connection.recv(100))
                    connection.sendall(heard[-1].upper())

    with closing(socket.create_server((HOST, 0))) as listener:
        Thread(target=answer, args=(listener,), daemon=True).start()
        relay = Relay(listener.getsockname())
        for mode, (reached, came_back) in ANSWERED.items():
            heard.clear()
            relay.set(mode)
            got = b""
            with (
                suppress(OSError),
                socket.create_connection((HOST, relay.port), timeout=20) as visitor,
            ):
                visitor.sendall(b"a question")
                got = visitor.recv(100)
            for _ in range(1000):
                if heard or not reached:
                    break
                sleep(0.01)
            assert (b"".join(heard), got) == (reached, came_back), mode
        relay.close()


def test_every_kind_is_listed_and_an_unknown_one_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--list"]) == 0
    assert capsys.readouterr().out.split() == kinds_of("postgres")
    with pytest.raises(SystemExit):
        main(["earthquake"])
    assert "there is no kind earthquake" in capsys.readouterr().err


SEEDS = int(os.environ.get("CRASH_SEEDS", "1"))
KINDS = {
    "sqlite": ["server", "worker", "network-visitor"],
    "postgres": ["server", "worker", "postgres", "everything", "connections", "backend"],
}


@pytest.mark.slow
@pytest.mark.parametrize("db", KINDS)
def test_no_result_is_lost_when_processes_are_killed_and_connections_cut(
    db: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([*KINDS[db], "--runs", str(SEEDS), "--db", db]) == 0
    table = capfd.readouterr().out.partition("seed 1")[2]
    rows = [line.split() for line in table.splitlines()[2:]]
    assert sorted(row[:3] for row in rows) == [[kind, db, str(SEEDS)] for kind in sorted(KINDS[db])]
    assert sum(int(row[6]) for row in rows), "nobody got a conflict"


@pytest.mark.slow
@pytest.mark.parametrize("kill", [Server.kill, Server.kill_the_first])
def test_a_power_cut_ends_every_process_of_postgresql(kill: object) -> None:
    """Each process of PostgreSQL leads a session of its own,
    so a signal to the group of the first is not enough.
    """
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
