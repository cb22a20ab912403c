"""The look at tables and record finds a confirmed result that is missing,
and a change that nobody sent.
"""

from __future__ import annotations

from .books import Books, lost, unseen
from .desk import Sent


def sent(result: str, version: int, status: int | None = 200) -> Sent:
    return Sent("chief", 7, result, version - 1, status, {"version": version})


def test_a_confirmed_result_that_is_not_in_the_record_is_found() -> None:
    changes = [("", "10"), ("10", "==")]
    record = [
        (
            number,
            "result.recorded",
            "chief",
            2,
            {"board": 7, "result": before},
            {"board": 7, "result": after},
        )
        for number, (before, after) in enumerate(changes, 1)
    ]
    books = Books(2, 14, {(2, 7): ("==", 2, 2)}, {}, record)
    good = [sent("10", 1), sent("==", 2), sent("01", 3, status=409)]
    assert (lost(books, 2, good), unseen(books, 2, good)) == ([], [])
    assert [
        len(lost(books, 2, [one])) for one in (sent("01", 1), sent("10", 2), sent("==", 3))
    ] == [1, 1, 1]
    assert len(lost(books, 1, [sent("10", 1)])) == 1
    assert len(unseen(books, 2, good[:1])) == 1
