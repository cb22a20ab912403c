"""Give a call room for the Python functions below it.

CPython up to 3.13 keeps the local values of running functions in pieces of 16 kB. A function that
does not fit into the last piece gets a new one from the operating system, which is handed back when
the function returns. If a loop happens to be at the end of a piece, each call in it costs two
system calls and a page fault: the page of a draft of 300 players did this 9,400 times and spent 70
of 160 ms there, and a round of 300 players took 4 to 12 ms to pair, depending on how deep the stack
was. A function with a large frame gets a large piece, and everything it calls fits into the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

FRAME = 17_000  # words of 8 bytes: the next piece is 256 kB, of which calls can use 120 kB


def with_room(call: Callable[P, R]) -> Callable[P, R]:
    """Return *call* with room for some five hundred functions that call each other.

    It costs about 5 µs a call.
    """

    def roomy(*arguments: P.args, **named: P.kwargs) -> R:
        return call(*arguments, **named)

    roomy.__code__ = roomy.__code__.replace(co_stacksize=FRAME)
    return roomy
