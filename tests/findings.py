"""What ``check`` found, for tests that are not about which rules it used."""

from __future__ import annotations

import re

_USED = re.compile(r"^[^\n]*?(?:paired|tie-breaks) by \w[\w-]* \([^\n]*\): [^\n]*\n", re.MULTILINE)


def findings(out: str) -> str:
    """Everything ``check`` has printed but the line for each file that names the system or the edition it used."""
    return _USED.sub("", out)
