"""Codes of recorded actions that several modules read."""

from __future__ import annotations

from typing import Final

ADJUSTED: Final = "points.adjusted"


WITHDRAWN: Final = "points.withdrawn"


RESULT_RECORDED = "result.recorded"


RESULT_UNDONE = "result.undone"
