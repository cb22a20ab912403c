"""The exit codes of the command line."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes are stable, because scripts read them."""

    OK = 0
    NO_LEGAL_PAIRING = 1
    INCONSISTENT = 1  # of ``verify``: the record contradicts itself
    DIFFERENCES = 2
    BAD_INPUT = 3
    INTERNAL_ERROR = 70
