"""The findings of the checker when it does not agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a pairing.

    ``code`` is stable for programs (``check.c1_rematch``); ``article`` is where the rule stands
    (``C.04.3 2.1.1``); ``message`` is the sentence in English, ``params`` what fills it in another
    language: TPNs as whole numbers, scores in tenths.
    """

    code: str
    article: str
    message: str
    params: Mapping[str, int | str] = field(default_factory=dict)
