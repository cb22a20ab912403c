"""What the command line tells the program that called it."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The codes are a promise: scripts read them."""

    OK = 0
    NO_LEGAL_PAIRING = 1
    DIFFERENCES = 2
    BAD_INPUT = 3
    INTERNAL_ERROR = 70
