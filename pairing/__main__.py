"""The command line: ``python -m pairing pair FILE``, ``python -m pairing check FILE…``."""

import io
import sys

from pairing.cli.main import main

if __name__ == "__main__":
    # A file name need not be text; it is shown all the same.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())
