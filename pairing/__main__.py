"""The command line: ``python -m pairing pair FILE``, ``python -m pairing check FILE…``."""

import io
import sys

from pairing.cli.main import main

if __name__ == "__main__":
    # A file name may contain bytes that are not text; it is still printed.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())
