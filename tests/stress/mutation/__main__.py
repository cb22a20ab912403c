"""Change one thing of the program at a time, and see whether a test notices
(``docs/developer/mutation.md``).

``python -m tests.stress.mutation mutants pairing/rules`` changes rules and tables;
``python -m tests.stress.mutation filters tournaments/setup --tests tests/tournaments/setup`` drops
filters by tournament. ``--help`` after the first word lists the options.
"""

import importlib
import sys

KINDS = ("mutants", "filters")


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in KINDS:
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    # The other module stays unloaded: what is loaded is not imported again under a change.
    module = importlib.import_module(f"tests.stress.mutation.{arguments[0]}")
    return int(module.main(arguments[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
