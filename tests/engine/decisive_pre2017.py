"""Positions decided by one rule of the text before July 2017: see
:mod:`tests.engine.test_dutch_pre2017_articles`.
"""

from .compact import pairing, position
from .decisive import Decisive, of_system

CASES = [
    Decisive(
        "A10",
        position(
            {1: "3w0 4w=", 2: "4w1 3w=", 3: "1b1 2b=", 4: "2b0 1b="},
            total_rounds=3,
            initial_colour="b",
        ),
        pairing((1, 2), (3, 4)),
        None,
    ),
    Decisive(
        "A10",
        position(
            {1: "2w0 4w1", 2: "1b1 3b=", 3: "4w1 2w=", 4: "3b0 1b0"},
            total_rounds=3,
            initial_colour="b",
        ),
        pairing((1, 3), (2, 4)),
        None,
    ),
    Decisive(
        "B1.a",
        position({1: "4w=", 2: "3b=", 3: "2w=", 4: "1b="}, total_rounds=2),
        pairing((2, 1), (4, 3)),
        pairing((4, 1), (2, 3)),
    ),
    Decisive(
        "B1.a",
        position({1: "U", 2: "3b0", 3: "2w=", 4: "H"}, total_rounds=4),
        pairing((1, 3), (2, 4)),
        pairing((1, 4), (2, 3)),
    ),
    Decisive(
        "B1.b",
        position({1: "4w0", 2: "H", 3: "H", 4: "1b1"}, total_rounds=2, absent=(1,)),
        pairing((3, 2), bye=4),
        pairing((4, 2), bye=3),
    ),
    Decisive(
        "B1.b",
        position(
            {1: "4w0", 2: "H", 3: "F", 4: "1b1"}, total_rounds=2, initial_colour="b", absent=(1,)
        ),
        pairing((2, 3), bye=4),
        pairing((4, 3), bye=2),
    ),
    Decisive(
        "B2",
        position({1: "4w= 2w=", 2: "U 1b=", 3: "5b1 U", 4: "1b= 5b=", 5: "3w0 4w="}),
        pairing((3, 1), (4, 2), bye=5),
        pairing((3, 2), (5, 1), bye=4),
    ),
    Decisive(
        "B2",
        position(
            {1: "4w0 3w0", 2: "3w0 U", 3: "2b1 1b1", 4: "1b1 5b1", 5: "U 4w0"}, total_rounds=5
        ),
        pairing((3, 5), (4, 2), bye=1),
        pairing((3, 4), (5, 2), bye=1),
    ),
    Decisive(
        "C13, joined",
        position({1: "4b=", 2: "F", 3: "U", 4: "1w="}, total_rounds=2),
        pairing((1, 2), (3, 4)),
        None,
    ),
    Decisive(
        "C13, joined",
        position({1: "U", 2: "4w=", 3: "F", 4: "2b="}, total_rounds=4),
        pairing((1, 2), (4, 3)),
        None,
    ),
    Decisive(
        "C14.b2",
        position(
            {1: "2b1 3w0", 2: "1w0 5b0", 3: "4b1 1b1", 4: "3w0 6wW", 5: "6b0 2w=", 6: "5w= 4bL"},
            total_rounds=3,
        ),
        pairing((3, 5), (1, 4), (6, 2)),
        pairing((3, 5), (6, 1), (2, 4)),
    ),
    Decisive(
        "C14.b2",
        position(
            {1: "2b0 6w=", 2: "1w1 3b0", 3: "4w1 2w1", 4: "3b0 5b1", 5: "6b= 4w0", 6: "5w= 1b="},
            total_rounds=5,
            initial_colour="b",
            prohibited=((1, 6), (3, 6), (5, 6)),
        ),
        pairing((5, 3), (2, 6), (4, 1)),
        pairing((1, 3), (4, 6), (2, 5)),
    ),
    Decisive(
        "D1.1",
        position({1: "3w1", 2: "U", 3: "1b0", 4: "F"}, total_rounds=2, initial_colour="b"),
        pairing((2, 1), (3, 4)),
        pairing((4, 1), (3, 2)),
    ),
    Decisive(
        "D1.1",
        position({1: "4b=", 2: "F", 3: "U", 4: "1w="}, total_rounds=2),
        pairing((1, 2), (3, 4)),
        pairing((2, 4), (1, 3)),
    ),
    Decisive(
        "D2",
        position({1: "3w1", 2: "U", 3: "1b0", 4: "F"}, total_rounds=2, initial_colour="b"),
        pairing((2, 1), (3, 4)),
        pairing((4, 1), (3, 2)),
    ),
    Decisive(
        "D2",
        position({1: "3w1", 2: "U", 3: "1b0", 4: "F"}),
        pairing((2, 1), (3, 4)),
        pairing((4, 1), (3, 2)),
    ),
    Decisive(
        "D3",
        position(
            {1: "3b= 5w= 4b-", 2: "Z Z U", 3: "1w= 4w= 5b=", 4: "5b= 3b= 1w-", 5: "4w= 1b= 3w="},
            total_rounds=4,
        ),
        pairing((2, 3), (4, 1), bye=5),
        pairing((2, 5), (4, 1), bye=3),
    ),
    Decisive(
        "D3",
        position(
            {1: "5w- 3w= 2b=", 2: "3b= 5w= 1w=", 3: "2w= 1b= 5b=", 4: "Z Z U", 5: "1b- 2b= 3w="}
        ),
        pairing((4, 2), (1, 5), bye=3),
        pairing((3, 4), (1, 5), bye=2),
    ),
    Decisive(
        "E1",
        position(
            {1: "2b1 4w1", 2: "1w0 3w0", 3: "4b= 2b1", 4: "3w= 1b0"},
            total_rounds=3,
            initial_colour="b",
        ),
        pairing((3, 1), (4, 2)),
        pairing((1, 3), (2, 4)),
    ),
    Decisive(
        "E1",
        position(
            {1: "2w= H", 2: "1b= 3b=", 3: "4b= 2w=", 4: "3w= U"}, total_rounds=3, initial_colour="b"
        ),
        pairing((2, 4), (3, 1)),
        pairing((4, 2), (3, 1)),
    ),
    Decisive(
        "E2",
        position({1: "4b0 2w=", 2: "3b+ 1b0", 3: "2w- 4w0", 4: "1w0 3b1"}, total_rounds=3),
        pairing((2, 4), (1, 3)),
        pairing((2, 4), (3, 1)),
    ),
    Decisive(
        "E2",
        position({1: "Z 3w=", 2: "U 4b=", 3: "4w= 1b=", 4: "3b= 2w="}, initial_colour="b"),
        pairing((2, 3), (4, 1)),
        pairing((2, 3), (1, 4)),
    ),
    Decisive(
        "E3",
        position(
            {1: "5b0 U 3w=", 2: "3bL 4w+ U", 3: "2wW 5w= 1b=", 4: "U 2b- 5w1", 5: "1w1 3b= 4b0"},
            total_rounds=4,
        ),
        pairing((3, 4), (2, 1), bye=5),
        pairing((4, 3), (2, 1), bye=5),
    ),
    Decisive(
        "E3",
        position(
            {1: "3b0 2w1 4w0", 2: "5b1 1b0 3w=", 3: "1w1 4w1 2b=", 4: "U 3b0 1b1", 5: "2w0 H U"},
            total_rounds=4,
            initial_colour="b",
        ),
        pairing((3, 5), (4, 2), bye=1),
        pairing((5, 3), (4, 2), bye=1),
    ),
    Decisive(
        "E4",
        position({1: "2b1", 2: "1w0", 3: "4b1", 4: "3w0"}, total_rounds=2, initial_colour="b"),
        pairing((1, 3), (4, 2)),
        pairing((3, 1), (2, 4)),
    ),
    Decisive(
        "E4",
        position({1: "4b0", 2: "3wW", 3: "2bL", 4: "1w1"}, total_rounds=4),
        pairing((4, 2), (1, 3)),
        pairing((2, 4), (3, 1)),
    ),
    Decisive(
        "E5",
        position({1: "3b-", 2: "U", 3: "1w+", 4: "Z"}, total_rounds=2, initial_colour="b"),
        pairing((2, 3), (4, 1)),
        pairing((3, 2), (4, 1)),
    ),
    Decisive(
        "E5",
        position({1: "F", 2: "4w-", 3: "F", 4: "2b-"}, total_rounds=2, initial_colour="b"),
        pairing((3, 1), (2, 4)),
        pairing((3, 1), (4, 2)),
    ),
]
PRE2017 = of_system("dutch_pre2017", CASES)
