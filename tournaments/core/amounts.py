"""Read sums of money as people write them. Money is in cents everywhere else."""

from __future__ import annotations

import re
from typing import Final

_MONEY: Final = re.compile(r"[0-9]{1,8}(?:[.,][0-9]{1,2})?")
_CURRENCY: Final = re.compile(r"€|\$|£|\b[A-Z]{3}\b|\b[Ff]r\.?")
"""Signs and codes of currencies that people write beside an amount."""


def cents_of(text: str) -> int | None:
    """Return *text* such as ``150``, ``150.50`` or ``150,50`` in cents; None if it is no sum."""
    if not _MONEY.fullmatch(text):
        return None
    whole, _mark, rest = text.replace(",", ".").partition(".")
    return int(whole) * 100 + int(rest.ljust(2, "0") or 0)


def amount_of(text: str) -> int | None:
    """Return *text* in cents as :func:`cents_of` does, also with a currency: ``30 €``."""
    return cents_of(_CURRENCY.sub("", text).strip())
