"""The loop of the server: as waitress does it, but without asking connections for which nothing can have changed."""

from __future__ import annotations

import random
import select
import socket
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from config.event_loop import Connections, EpollConnections

pytestmark = pytest.mark.skipif(not hasattr(select, "epoll"), reason="epoll is Linux's own")


class Connection:
    """A connection as waitress has it, which notes its events. ``accepting`` as its listening socket."""

    accepting = False

    def __init__(self, name: int, watched: Connections) -> None:
        self.name, self.watched = name, watched
        self.ours, self.theirs = socket.socketpair()
        self.descriptor = self.ours.fileno()
        self.reads, self.writes, self.asked = True, False, 0
        self.events: list[tuple[int, str]] = []
        watched[self.descriptor] = self

    def readable(self) -> bool:
        self.asked += 1
        return self.reads

    def writable(self) -> bool:
        return self.writes

    def handle_read_event(self) -> None:
        letter = self.ours.recv(1)
        self.events.append((self.name, f"read {letter!r}"))
        match letter:
            case b"w":  # an answer that is written in the next turn
                self.writes = True
            case b"t":  # a thread has it now
                self.reads = False
            case b"":
                self.close()

    def handle_write_event(self) -> None:
        self.events.append((self.name, "written"))
        self.writes = False

    def handle_expt_event(self) -> None:
        self.events.append((self.name, "urgent"))

    def handle_close(self) -> None:
        self.events.append((self.name, "closed"))
        self.close()

    def handle_error(self) -> None:
        raise AssertionError(f"connection {self.name}")

    def close(self) -> None:
        if self.watched.get(self.descriptor) is self:
            del self.watched[self.descriptor]
        self.ours.close()


def played(watched: Connections, seed: int) -> Iterator[list[tuple[int, str]]]:
    """Do the same with any kind of connections, and yield the events of each turn."""
    chance = random.Random(seed)
    made: list[Connection] = []
    for _ in range(60):
        open_ones = [one for one in made if one.ours.fileno() >= 0]
        there = [one for one in open_ones if one.theirs.fileno() >= 0]
        match chance.choice(["open", "send", "send", "send", "hang up", "answer", "rest"]):
            case "open":
                made.append(Connection(len(made), watched))
            case "send" if there:
                chance.choice(there).theirs.send(chance.choice([b"w", b"t", b"x"]))
            case "hang up" if there:
                chance.choice(there).theirs.close()
            case "answer":  # a thread is ready with some of its requests
                for one in open_ones:
                    if not one.reads and chance.random() < 0.5:
                        one.reads = one.writes = True
        watched.turn(0)
        yield sorted(event for one in made for event in one.events)
    for one in made:
        one.close()
        one.theirs.close()


@pytest.mark.parametrize("seed", range(20))
def test_each_turn_handles_what_waitress_handles(seed: int) -> None:
    watched = EpollConnections()
    turns = list(played(watched, seed))
    assert turns == list(played(Connections(), seed))
    assert any(before != after for before, after in pairwise(turns))
    assert watched == {}
    watched.close()


def test_quiet_connections_are_asked_once_a_second() -> None:
    watched, begun = EpollConnections(), time.monotonic()
    quiet = [Connection(number, watched) for number in range(20)]
    busy = Connection(20, watched)
    busy.theirs.send(b"t")
    for _ in range(200):
        watched.turn(0)
    seconds = time.monotonic() - begun
    assert busy.asked >= 199
    assert all(1 <= one.asked <= 2 + seconds for one in quiet)
    for one in [*quiet, busy]:
        one.close()
        one.theirs.close()
    watched.close()


def test_the_listening_socket_is_asked_in_each_turn() -> None:
    """waitress closes silent connections when it asks it, and stops accepting when there are too many."""
    watched = EpollConnections()
    listening = Connection(1, watched)
    listening.accepting, listening.writes = True, True
    for _ in range(5):
        watched.turn(0)
    assert listening.asked >= 5
    assert listening.events == []  # an accepting socket is never written to
    listening.close()
    listening.theirs.close()
    watched.close()
