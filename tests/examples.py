"""The type of the fixture ``examples``: all seeds of a range with ``--run-slow``, else the first few of them."""

from collections.abc import Callable
from typing import TypeAlias

Examples: TypeAlias = Callable[[range, int], range]
