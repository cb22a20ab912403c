"""A position decided by one article: without it, the text pairs differently."""

from dataclasses import dataclass, replace

import pytest

from pairing.engine.model import Pairing, TournamentState


@dataclass(frozen=True, slots=True)
class Decisive:
    """``without`` is the pairing by the text without ``article``;
    None if the round then has no pairing.
    """

    article: str
    state: TournamentState
    expected: Pairing
    without: Pairing | None


def of_system(system: str, cases: list[Decisive]) -> list[Decisive]:
    """Return *cases* with their positions in *system*."""
    return [replace(case, state=replace(case.state, system=system)) for case in cases]


def named(cases: list[Decisive]) -> list[object]:
    """Return one parameter per case, with the article as its name."""
    return [pytest.param(case, id=case.article.replace(", ", "-")) for case in cases]
