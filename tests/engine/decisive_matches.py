"""Positions of matches, each decided by one article of C.04.5: see
:mod:`tests.engine.test_double_swiss_articles`.
"""

from .compact import pairing
from .compact_matches import match_position
from .decisive import Decisive

DOUBLE_SWISS = [
    Decisive(
        "2.1.1",
        match_position({3: "9b=0", 9: "3w=1", 10: "F", 11: "F"}),
        pairing((11, 9), (3, 10)),
        pairing((11, 10), (3, 9)),
    ),
    Decisive(
        "2.1.1",
        match_position({1: "6b-0", 5: "U", 6: "1w-0", 10: "H"}, total_rounds=2),
        pairing((1, 5), (10, 6)),
        pairing((5, 10), (1, 6)),
    ),
    Decisive(
        "2.1.2",
        match_position(
            {4: "14w00", 7: "9b00", 9: "7w11", 12: "U", 14: "4b11"},
            initial_colour="b",
            absent=(4, 7),
            prohibited=((7, 12),),
        ),
        pairing((12, 9), bye=14),
        pairing((14, 9), bye=12),
    ),
    Decisive(
        "2.1.2",
        match_position(
            {4: "Z U", 5: "10w=1 H", 8: "U 10b1?", 10: "5b=0 8w0?"},
            total_rounds=3,
            initial_colour="b",
            absent=(10,),
            prohibited=((4, 10),),
        ),
        pairing((8, 4), bye=5),
        pairing((8, 5), bye=4),
    ),
    Decisive(
        "2.2.1",
        match_position({3: "9b=0", 9: "3w=1", 10: "F", 11: "F"}),
        pairing((11, 9), (3, 10)),
        None,
    ),
    Decisive(
        "2.2.1",
        match_position({1: "6b-0", 5: "U", 6: "1w-0", 10: "H"}, total_rounds=2),
        pairing((1, 5), (10, 6)),
        None,
    ),
    Decisive(
        "2.3.1",
        match_position(
            {1: "F", 2: "F", 3: "F", 4: "H", 5: "H", 6: "H", 7: "H", 8: "Z", 9: "Z", 10: "Z"},
            prohibited=(
                (1, 2),
                (1, 4),
                (1, 9),
                (2, 3),
                (2, 4),
                (2, 5),
                (2, 6),
                (2, 10),
                (3, 4),
                (3, 5),
                (3, 7),
                (3, 8),
                (3, 9),
                (4, 5),
                (4, 7),
                (4, 8),
                (4, 9),
                (5, 6),
                (5, 8),
                (5, 10),
                (6, 8),
                (6, 10),
                (8, 10),
            ),
        ),
        pairing((1, 3), (8, 2), (6, 4), (5, 7), (9, 10)),
        pairing((1, 5), (7, 2), (3, 6), (10, 4), (9, 8)),
    ),
    Decisive(
        "2.3.1",
        match_position(
            {1: "F", 2: "F", 3: "F", 4: "H", 5: "H", 6: "H", 7: "Z", 8: "Z", 9: "Z", 10: "Z"},
            prohibited=(
                (1, 3),
                (1, 5),
                (1, 6),
                (1, 8),
                (1, 10),
                (2, 3),
                (2, 7),
                (2, 10),
                (3, 4),
                (3, 5),
                (3, 7),
                (3, 8),
                (3, 9),
                (4, 5),
                (4, 6),
                (4, 7),
                (4, 10),
                (5, 6),
                (5, 7),
                (5, 8),
                (5, 10),
                (6, 8),
                (6, 9),
                (7, 10),
                (8, 10),
            ),
        ),
        pairing((1, 2), (3, 10), (8, 4), (5, 9), (7, 6)),
        pairing((1, 4), (5, 2), (3, 6), (7, 8), (9, 10)),
    ),
    Decisive(
        "3.4.1",
        match_position(
            {2: "10b=1", 6: "8w01", 8: "6b10", 10: "2w=0"}, initial_colour="b", absent=(2,)
        ),
        pairing((10, 6), bye=8),
        None,
    ),
    Decisive(
        "3.4.1",
        match_position({2: "4b==", 4: "2w==", 6: "Z", 10: "H"}, total_rounds=2, absent=(10,)),
        pairing((2, 6), bye=4),
        None,
    ),
    Decisive(
        "3.4.2",
        match_position({1: "H", 3: "Z", 9: "11b+0", 11: "9w-1"}, total_rounds=4, absent=(11,)),
        pairing((9, 1), bye=3),
        pairing((1, 3), bye=9),
    ),
    Decisive(
        "3.4.2",
        match_position({4: "Z", 6: "Z", 7: "8w+0", 8: "7b-1"}, total_rounds=4, absent=(7,)),
        pairing((8, 4), bye=6),
        pairing((6, 4), bye=8),
    ),
    Decisive(
        "3.4.3",
        match_position(
            {1: "9b1-", 4: "U", 9: "1w0-", 10: "Z"}, total_rounds=2, initial_colour="b", absent=(1,)
        ),
        pairing((4, 10), bye=9),
        pairing((4, 9), bye=10),
    ),
    Decisive(
        "3.4.3",
        match_position({3: "U", 8: "11b10", 9: "H", 11: "8w00"}, initial_colour="b", absent=(11,)),
        pairing((9, 3), bye=8),
        pairing((8, 3), bye=9),
    ),
    Decisive(
        "3.4.4",
        match_position(
            {2: "10b=1", 6: "8w01", 8: "6b10", 10: "2w=0"}, initial_colour="b", absent=(2,)
        ),
        pairing((10, 6), bye=8),
        pairing((8, 10), bye=6),
    ),
    Decisive(
        "3.4.4",
        match_position({2: "4b==", 4: "2w==", 6: "Z", 10: "H"}, total_rounds=2, absent=(10,)),
        pairing((2, 6), bye=4),
        pairing((6, 4), bye=2),
    ),
    Decisive(
        "3.5.4",
        match_position(
            {1: "5w01", 5: "1b10", 8: "9w0=", 9: "8b1="}, total_rounds=2, initial_colour="b"
        ),
        pairing((9, 1), (5, 8)),
        pairing((9, 5), (8, 1)),
    ),
    Decisive(
        "3.5.4",
        match_position({1: "6b11", 4: "9w==", 6: "1w00", 9: "4b=="}, initial_colour="b"),
        pairing((1, 4), (9, 6)),
        pairing((1, 9), (6, 4)),
    ),
    Decisive(
        "3.6.3",
        match_position({3: "9b=0", 9: "3w=1", 10: "F", 11: "F"}),
        pairing((11, 9), (3, 10)),
        pairing((10, 9), (3, 11)),
    ),
    Decisive(
        "3.6.3",
        match_position({1: "5b10", 2: "11w01", 5: "1w01", 11: "2b10"}, total_rounds=2),
        pairing((1, 11), (5, 2)),
        pairing((1, 2), (11, 5)),
    ),
    Decisive(
        "4.3.1",
        match_position({4: "9b--", 6: "8w--", 8: "6b++", 9: "4w++"}),
        pairing((9, 8), (6, 4)),
        pairing((8, 9), (4, 6)),
    ),
    Decisive(
        "4.3.1",
        match_position({1: "7b--", 2: "U", 7: "1w+-", 8: "Z"}),
        pairing((7, 2), (1, 8)),
        pairing((2, 7), (1, 8)),
    ),
    Decisive(
        "4.3.2",
        match_position(
            {3: "8b=1 U", 5: "10b00 Z", 8: "3w=0 10b1=", 10: "5w11 8w0="}, total_rounds=5
        ),
        pairing((3, 10), (5, 8)),
        pairing((3, 10), (8, 5)),
    ),
    Decisive(
        "4.3.2",
        match_position({1: "U 6w--", 6: "11b=? 1b--", 9: "Z 11w=0", 11: "6w=? 9b=1"}),
        pairing((1, 11), (6, 9)),
        pairing((11, 1), (6, 9)),
    ),
    Decisive(
        "4.3.3",
        match_position(
            {
                4: "12b=0 U 11w1+",
                5: "11w0= 9b== U",
                9: "U 5w== 12w1=",
                11: "5b1= 12w== 4b0-",
                12: "4w=1 11b== 9b0=",
            },
            total_rounds=6,
            initial_colour="b",
        ),
        pairing((4, 9), (12, 5), bye=11),
        pairing((4, 9), (5, 12), bye=11),
    ),
    Decisive(
        "4.3.3",
        match_position(
            {
                1: "U 3b=1 12w=1",
                3: "12b01 1w=0 11w00",
                9: "11b10 12w1= U",
                11: "9w01 U 3b11",
                12: "3w10 9b0= 1b=0",
            },
            initial_colour="b",
        ),
        pairing((9, 1), (12, 11), bye=3),
        pairing((9, 1), (11, 12), bye=3),
    ),
    Decisive(
        "4.3.4",
        match_position({3: "9w0=", 8: "10w00", 9: "3b1=", 10: "8b11"}, total_rounds=4),
        pairing((10, 9), (8, 3)),
        pairing((9, 10), (3, 8)),
    ),
    Decisive(
        "4.3.4",
        match_position({3: "9b=0", 6: "11b0=", 9: "3w=1", 11: "6w1="}),
        pairing((11, 9), (3, 6)),
        pairing((9, 11), (6, 3)),
    ),
    Decisive(
        "4.3.5",
        match_position({3: "9b=0", 9: "3w=1", 10: "F", 11: "F"}),
        pairing((11, 9), (3, 10)),
        pairing((11, 9), (10, 3)),
    ),
    Decisive(
        "4.3.5",
        match_position({1: "6b-0", 5: "U", 6: "1w-0", 10: "H"}, total_rounds=2),
        pairing((1, 5), (10, 6)),
        pairing((5, 1), (10, 6)),
    ),
]
