"""Fewer random examples in an ordinary run than with ``--run-slow``:
by fixture, or by parameters.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import pytest

Examples: TypeAlias = Callable[[range, int], range]
"""The type of the fixture ``examples``: all seeds of a range with ``--run-slow``,
else the first few of them.
"""


def first(
    chunks: Sequence[object], few: int, mark: pytest.MarkDecorator = pytest.mark.slow
) -> list[object]:
    """Return *chunks* as parameters of a test: the first *few* in every run,
    the others with the *mark*.
    """
    return [*chunks[:few], *(pytest.param(chunk, marks=mark) for chunk in chunks[few:])]
