"""Compare the answers of fast paths with the exact ones, and count how often each path answered."""

from __future__ import annotations

from collections import Counter

from pairing.engine.dutch.bracket import BracketPairing


class Report:
    """Compare answers with the exact one, and count for each path how
    often it answered and how often it did not.
    """

    def __init__(self) -> None:
        self.answered: Counter[str] = Counter()
        self.left: Counter[str] = Counter()

    def compare(self, path: str, answer: object, exact: object) -> None:
        """Count *answer* of *path*; it is None, or must equal *exact*."""
        if answer is None:
            self.left[path] += 1
            return
        if isinstance(answer, BracketPairing) and isinstance(exact, BracketPairing):
            answer, exact = as_sets(answer), as_sets(exact)
        assert answer == exact, f"{path}: {answer} instead of {exact}"
        self.answered[path] += 1

    def require(self, least: int, *paths: str, left: int = 0) -> None:
        """Fail unless each of *paths* answered at least *least* times,
        and did not answer at least *left* times.
        """
        for path in paths:
            assert self.answered[path] >= least, f"{path} answered too seldom\n{self}"
            assert self.left[path] >= left, f"{path} answered too often\n{self}"

    def __str__(self) -> str:
        names = sorted({*self.answered, *self.left})
        return "\n".join(
            f"{self.answered[name]:7} answered {self.left[name]:7} left to others  {name}"
            for name in names
        )


def as_sets(pairing: BracketPairing) -> tuple[frozenset[tuple[int, int]], frozenset[int]]:
    """Return the pairs and downfloaters without their order."""
    return frozenset(pairing.pairs), frozenset(pairing.downfloaters)
