"""Read JSON that a verb gets from a file or from standard input."""

from __future__ import annotations

import json
from typing import Any, Final

from pairing.engine.errors import InputError
from pairing.trf.fields import MAX_BYTES

MAX_JSON_BYTES: Final = 4 * MAX_BYTES


def json_of(data: bytes) -> Any:
    """Return the value that *data* holds as JSON in UTF-8, with or without a byte order mark.

    Raise :class:`InputError`: ``json.too_large`` above :data:`MAX_JSON_BYTES`, ``json.invalid``
    for anything that is not JSON.
    """
    if len(data) > MAX_JSON_BYTES:
        raise InputError("json.too_large", f"JSON may have at most {MAX_JSON_BYTES:,} bytes.")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InputError(
            "json.invalid", f"line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError("json.invalid", f"Not JSON in UTF-8: {error}.") from None
