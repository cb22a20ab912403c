"""Refuse the own files of other programs with a sentence that says what to do."""

from __future__ import annotations

from pairing.engine.errors import InputError
from pairing.trf.native_files import refuse_native
from tournaments.core.errors import unreadable


def refuse_native_file(data: bytes, name: str = "", *, is_list: bool = False) -> None:
    """Raise :class:`BadInput` for another program's own file; *is_list*: spreadsheets are fine."""
    try:
        refuse_native(data, name, is_list=is_list)
    except InputError as error:
        raise unreadable(error) from error
