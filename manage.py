#!/usr/bin/env python3
"""Django's command line for this project."""

import os
import sys

from config.terminal import in_words


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    return in_words(_execute)


def _execute() -> None:
    from config.commands import execute

    execute(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
