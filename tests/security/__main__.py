"""``python -m tests.security [CLAIM …] [-- OPTION …]``: run the tests of these claims, or of all; options go to pytest.

The claims are the numbers of docs/developer/faults.md and the people of docs/threat-model.md, such as ``S4`` and
``internet-scanner``. ``--list`` prints them with their tests. Slow tests run too.
"""

from __future__ import annotations

import sys

import pytest

from .claims import claims, places


def main(arguments: list[str]) -> int:
    """Run the tests; return the exit code of pytest, or 2 for a claim that does not exist."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    chosen, options = arguments[:end], arguments[end + 1 :]
    known = claims()
    if chosen == ["--list"]:
        for claim, names in known.items():
            print(claim, *names, sep="\n    ")
        return 0
    if unknown := [claim for claim in chosen if claim not in known]:
        print(f"There is no claim {', '.join(unknown)}. The claims are {', '.join(known)}.", file=sys.stderr)
        return 2
    wanted = dict.fromkeys(name for claim in chosen or known for name in known[claim])
    return int(pytest.main(["--run-slow", *options, *(place for name in wanted for place in places()[name])]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
