"""Positions of the Dutch System, each decided by one criterion: see
:mod:`tests.engine.test_dutch_articles`.
"""

from .compact import pairing, position
from .decisive import Decisive, of_system

CASES_2026 = [
    Decisive(
        "2026 C1",
        position({1: "F", 2: "3b=", 3: "2w=", 4: "U"}, total_rounds=5),
        pairing((2, 1), (4, 3)),
        pairing((1, 4), (2, 3)),
    ),
    Decisive(
        "2026 C1",
        position({1: "3b=", 2: "4w?", 3: "1w=", 4: "2b?"}, total_rounds=2, initial_colour="b"),
        pairing((1, 2), (4, 3)),
        pairing((1, 3), (4, 2)),
    ),
    Decisive(
        "2026 C2",
        position(
            {1: "Z 3b-", 2: "U 4w0", 3: "4b= 1w-", 4: "3w= 2b1"},
            total_rounds=3,
            initial_colour="b",
            absent=(3,),
        ),
        pairing((1, 2), bye=4),
        pairing((4, 1), bye=2),
    ),
    Decisive(
        "2026 C2",
        position({1: "U 4w0", 2: "Z U", 3: "F Z", 4: "H 1b1"}, initial_colour="b", absent=(3,)),
        pairing((2, 1), bye=4),
        pairing((4, 2), bye=1),
    ),
    Decisive(
        "2026 C3",
        position(
            {1: "5b= U", 2: "U 3b=", 3: "4w= 2w=", 4: "3b= 5b=", 5: "1w= 4w="}, total_rounds=3
        ),
        pairing((1, 3), (2, 5), bye=4),
        pairing((1, 2), (5, 3), bye=4),
    ),
    Decisive(
        "2026 C3",
        position(
            {1: "U 3b=", 2: "4w= 5w=", 3: "5w= 1w=", 4: "2b= U", 5: "3b= 2b="},
            total_rounds=3,
            initial_colour="b",
        ),
        pairing((1, 2), (4, 3), bye=5),
        pairing((1, 4), (3, 2), bye=5),
    ),
    Decisive(
        "2026 C4",
        position({1: "3b=", 2: "F", 3: "1w=", 4: "H"}, total_rounds=2, absent=(1,)),
        pairing((4, 2), bye=3),
        None,
    ),
    Decisive(
        "2026 C4",
        position({1: "F", 2: "H", 3: "4w=", 4: "3b="}, initial_colour="b", absent=(3,)),
        pairing((2, 1), bye=4),
        None,
    ),
    Decisive(
        "2026 C5",
        position(
            {1: "U", 2: "5b1", 3: "4b=", 4: "3w=", 5: "2w0"}, total_rounds=6, initial_colour="b"
        ),
        pairing((3, 1), (2, 4), bye=5),
        pairing((2, 1), (3, 5), bye=4),
    ),
    Decisive(
        "2026 C5",
        position({1: "2w=", 2: "1b=", 3: "5w0", 4: "U", 5: "3b1"}, total_rounds=2),
        pairing((2, 4), (5, 1), bye=3),
        pairing((5, 4), (2, 3), bye=1),
    ),
]
CASES_2017 = [
    Decisive(
        "2017 C.1",
        position({1: "F", 2: "3b=", 3: "2w=", 4: "U"}, total_rounds=5),
        pairing((2, 1), (4, 3)),
        pairing((1, 4), (2, 3)),
    ),
    Decisive(
        "2017 C.1",
        position({1: "3b=", 2: "4w?", 3: "1w=", 4: "2b?"}, total_rounds=2, initial_colour="b"),
        pairing((1, 2), (4, 3)),
        pairing((1, 3), (4, 2)),
    ),
    Decisive(
        "2017 C.2",
        position(
            {1: "F", 2: "3b-", 3: "2w-", 4: "U"},
            total_rounds=2,
            absent=(3,),
            prohibited=((1, 3), (1, 4), (2, 3), (3, 4)),
        ),
        pairing((2, 4), bye=1),
        pairing((1, 2), bye=4),
    ),
    Decisive(
        "2017 C.2",
        position(
            {1: "Z Z", 2: "4b- U", 3: "F 4b1", 4: "2w+ 3w0"},
            total_rounds=3,
            initial_colour="b",
            absent=(1,),
        ),
        pairing((2, 4), bye=3),
        pairing((3, 2), bye=4),
    ),
    Decisive(
        "2017 C.3",
        position(
            {1: "5b= U", 2: "U 3b=", 3: "4w= 2w=", 4: "3b= 5b=", 5: "1w= 4w="}, total_rounds=3
        ),
        pairing((1, 3), (2, 5), bye=4),
        pairing((1, 2), (5, 3), bye=4),
    ),
    Decisive(
        "2017 C.3",
        position(
            {1: "U 3b=", 2: "4w= 5w=", 3: "5w= 1w=", 4: "2b= U", 5: "3b= 2b="},
            total_rounds=3,
            initial_colour="b",
        ),
        pairing((1, 2), (4, 3), bye=5),
        pairing((1, 4), (3, 2), bye=5),
    ),
    Decisive(
        "2017 C.4",
        position({1: "F", 2: "3b=", 3: "2w=", 4: "U"}, total_rounds=5),
        pairing((2, 1), (4, 3)),
        None,
    ),
    Decisive(
        "2017 C.4",
        position({1: "2wD", 2: "1bD", 3: "U", 4: "F"}, total_rounds=2),
        pairing((3, 1), (2, 4)),
        None,
    ),
]
DUTCH = of_system("dutch_2026", CASES_2026) + of_system("dutch_2017", CASES_2017)
