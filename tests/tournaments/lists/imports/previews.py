"""Send the form of an import preview as a browser does."""

from __future__ import annotations

from typing import Any


def sent(looked: Any, **other: object) -> dict[str, object]:
    """Return the form of the preview *looked* with everything ticked that is ticked by default,
    and *other* values.
    """
    context = looked.context
    form = {
        "confirmed": context["data"],
        "seen": context["found"].digest,
        "columns-shown": context["columns_sent"],
        "encoding-shown": context["encoding"],
        "encoding": context["encoding"],
        "new": [row.line for row in context["found"].new],
        "change": [line.value for line in context["changes"] if not line.refused],
    }
    form |= {f"column-{number}": name for number, _heading, name, _guessed in context["columns"]}
    return form | other
