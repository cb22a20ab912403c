"""The verifier finds every manipulation of a random tournament, and nothing in an honest one."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count, cycle

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from pairing.engine.errors import InputError
from pairing.record.engine import pair_again
from pairing.record.file import read
from tournaments.models import Tournament

from .wanderers import (
    IN_THE_DATABASE,
    IN_THE_FILE,
    Wanderers,
    checked,
    exported,
    found_in_database,
    verified,
)


@pytest.fixture
def people(chief_arbiter: User, deputy: User, stranger: User) -> dict[str, User]:
    return {"chief": chief_arbiter, "deputy": deputy, "stranger": stranger}


class Examiner:
    """Verifies every tournament, then manipulates it *each*
    times in the database and in its file.
    """

    def __init__(self, each: int) -> None:
        self.each = each
        self.honest = 0
        self.paired_again = 0
        self.found: Counter[str] = Counter()
        self.missed: list[str] = []
        self.file_kinds = cycle(IN_THE_FILE)
        self.seeds = count()

    def examine(self, tournament: Tournament) -> None:
        assert verified(tournament) == ""
        for runs in (True, False):
            lines = exported(tournament, runs=runs)
            assert checked(lines) is None
            again = pair_again(read(lines).lines)
            assert again.differences == []
            self.paired_again += again.compared
        self.honest += 1
        for _ in range(self.each):
            self.manipulate(tournament, random.Random(next(self.seeds)))

    def manipulate(self, tournament: Tournament, dice: random.Random) -> None:
        # The rarest kind first: few tournaments have a correction.
        for kind in sorted(IN_THE_DATABASE, key=lambda kind: self.found[f"database: {kind}"]):
            found = found_in_database(kind, dice, tournament)
            if found is not None:
                self.note(f"database: {kind}", bool(found))
                break
        kind = next(self.file_kinds)
        self.note(f"file: {kind}", is_found(kind, dice, exported(tournament, runs=True)))

    def note(self, kind: str, found: bool) -> None:
        if found:
            self.found[kind] += 1
        else:
            self.missed.append(kind)


def is_found(kind: str, dice: random.Random, lines: list[bytes]) -> bool:
    try:
        return checked(IN_THE_FILE[kind](dice, lines)) is not None
    except InputError:
        return True  # the text is not a line any more


def walk(people: dict[str, User], *, tournaments: int, steps: int, each: int) -> Examiner:
    """Examine *tournaments* random events, always the same ones, with *steps* random actions."""
    examiner = Examiner(each)
    end = staticmethod(examiner.examine)
    machine = type("Wanderers", (Wanderers,), {"people": people, "at_the_end": end})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=tournaments, stateful_step_count=steps, derandomize=True, database=None,
            phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
    return examiner


def require_all_found(examiner: Examiner, tournaments: int) -> None:
    assert examiner.missed == []
    assert examiner.honest >= tournaments
    assert examiner.paired_again > tournaments
    found = dict(sorted(examiner.found.items()))
    print(
        f"{examiner.honest} honest tournaments, {examiner.paired_again} pairings made again; "
        f"found: {found}"
    )


@pytest.mark.costly
@pytest.mark.django_db
def test_the_verifier_finds_manipulations_and_nothing_else(people: dict[str, User]) -> None:
    require_all_found(walk(people, tournaments=4, steps=8, each=4), 4)


@pytest.mark.slow
@pytest.mark.django_db
def test_the_verifier_finds_200_of_200_manipulations_and_nothing_in_200_tournaments(
    people: dict[str, User],
) -> None:
    examiner = walk(people, tournaments=200, steps=50, each=1)
    require_all_found(examiner, 200)
    for place in ("database", "file"):
        assert sum(n for kind, n in examiner.found.items() if kind.startswith(place)) >= 200
    assert len(examiner.found) == len(IN_THE_DATABASE) + len(IN_THE_FILE)
