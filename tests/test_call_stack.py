"""A loop costs no system call for each function it calls, however deep the stack is."""

import resource
import sys

import pytest

from pairing.call_stack import with_room

CALLS = 500
DEPTHS = range(300)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="counts the page faults of one thread"
)


def faults() -> int:
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt


def small(a: int, b: int, c: int) -> list[int]:
    d = e = f = g = h = a + b + c
    return [a, b, c, d, e, f, g, h, a, b, c, d, e, f, g, h]


def faults_of_calls(depth: int) -> int:
    """Return the page faults of :data:`CALLS` calls, made *depth* functions below this one."""
    if depth:
        return faults_of_calls(depth - 1)
    before = faults()
    for number in range(CALLS):
        small(number, number, number)
    return faults() - before


def most_faults() -> int:
    return max(faults_of_calls(depth) for depth in DEPTHS)


@pytest.mark.skipif(
    sys.version_info >= (3, 14), reason="Python keeps a piece of its stack from 3.14 on"
)
def test_without_room_each_call_of_a_loop_can_fault() -> None:
    assert most_faults() >= CALLS


def test_with_room_no_depth_makes_a_loop_fault() -> None:
    assert with_room(most_faults)() < CALLS / 5


def test_with_room_passes_arguments_results_and_errors_on() -> None:
    assert with_room(divmod)(7, 2) == (3, 1)
    assert with_room(int)("11", base=2) == 3
    with pytest.raises(ZeroDivisionError):
        with_room(divmod)(1, 0)
