"""The differences found by ``check``, for tests that do not need the rules it used."""

from __future__ import annotations

import re

_USED = re.compile(r"^[^\n]*?(?:paired|tie-breaks) by \w[\w-]* \([^\n]*\): [^\n]*\n", re.MULTILINE)


def findings(out: str) -> str:
    """Return the output of ``check`` without the line per file
    with the system or edition it used.
    """
    return _USED.sub("", out)
