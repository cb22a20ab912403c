"""Recognise the own files of other programs, and say how to get a report from each."""

from __future__ import annotations

import re
from typing import Final

from pairing.engine.errors import InputError, Text, text as _

_TRF: Final = re.compile(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf)?(?:001|012) ")
_LOOKED_AT: Final = 4_096
_NULS_OF_BINARY: Final = 4
"""One or two in a text are an error of that text, which is named with its place."""
_ZIP: Final = b"PK\x03\x04"
SPREADSHEETS: Final = frozenset({"spreadsheet", "old_spreadsheet", "open_spreadsheet"})
"""Kinds that a list of players can be."""

_SENTENCES: Final[dict[str, Text]] = {
    "papi": _(
        "This is a database of Papi or Access. Open it in Papi or Sharly Chess and export a TRF "
        "file, or save the list "
        "of players as CSV."
    ),
    "papi_json": _(
        "This is a JSON file of Papi. Open the tournament in Papi or Sharly Chess and export a "
        "TRF file, or save the "
        "list of players as CSV."
    ),
    "vega": _(
        "This is a file of Vega. In Vega, save the FIDE report (TRF) of the tournament, and open that file."
    ),
    "vega_print": _(
        "This is a print file of Vega. In Vega, save the FIDE report (TRF), and open that file."
    ),
    "swiss_manager": _(
        "This is a file of Swiss-Manager. In Swiss-Manager, choose Other → FIDE Data Export "
        "TRF16, and open that file."
    ),
    "swiss_chess": _(
        "This is a file of Swiss-Chess. In Swiss-Chess, write the report for FIDE (TRF), and open that file."
    ),
    "swiss_sys": _(
        "This is a file of SwissSys. In SwissSys, choose Utilities → Ratings reports → FIDE, and "
        "open the TRF file "
        "that it makes."
    ),
    "sharly": _(
        "This is a database of Sharly Chess or another program. In Sharly Chess, export the "
        "tournament as TRF, and "
        "open that file."
    ),
    "tournament_service": _(
        "This is a file of TournamentService. Export the tournament as TRF there, and open that file."
    ),
    "fide_list": _(
        "This is FIDE's rating list, not a list of entries or a tournament report. A site "
        "administrator can load it on the page Rating lists; the players of a tournament are then "
        "looked up in it."
    ),
    "old_spreadsheet": _("This is an old file of Excel or Word. Save the list as .xlsx or CSV."),
    "spreadsheet": _(
        "This is a workbook of Excel, not a TRF file. Import the players of a list under Entries, "
        "or export a TRF file."
    ),
    "open_spreadsheet": _(
        "This is a file of LibreOffice, not a TRF file. Import the players of a list under "
        "Entries, or export a TRF "
        "file."
    ),
    "archive": _("This is a compressed file. Unpack it first, and choose the file in it."),
    "dbf": _("This is a dBASE file (.dbf). Export a TRF file, or save the list of players as CSV."),
    "pdf": _(
        "This is a PDF file: it can be printed, but not read. Export a TRF file, or save the list as CSV."
    ),
    "web_page": _("This is a web page. Export a TRF file, or save the list as .xlsx or CSV."),
    "pgn": _("This is a PGN file: it has games, but no pairings. Export a TRF file."),
    "json": _(
        "This is a JSON file, not a TRF file. Export the tournament as TRF in the program that wrote it."
    ),
    "xml": _(
        "This is an XML file, not a TRF file. Export the tournament as TRF in the program that wrote it."
    ),
    "binary": _(
        "This is a file of another program, not a text. Export the tournament as TRF there, or "
        "the list of players as "
        "CSV."
    ),
}
# Texts, which re compiles when they are first used: a report needs none of them.
_FIDE_XML: Final = rb"(?i)<(?:playerslist|fideid)\s*>"
_FIDE_TEXT: Final = rb"(?i)(?:\xef\xbb\xbf)?\s*ID[ _]NUMBER +NAME +[^,;|\t\r\n]{0,60}FED"
_FIDE_PACKED: Final = (
    rb"(?:players_list|(?:standard|rapid|blitz)_[a-z]{3}\d\dfrl)[a-z_]{0,12}\.(?:xml|txt)"
)
_BEGINNINGS: Final = (
    (b"\x00\x01\x00\x00Standard Jet DB", "papi"),
    (b"\x00\x01\x00\x00Standard ACE DB", "papi"),
    (b"\xbf\x51\x55\x98\x10\xd2\x06\x0f", "vega"),
    (b"[=*G4", "vega_print"),
    (b"\x93\xff\x89\x44", "swiss_manager"),
    (b"SQLite format 3\x00", "sharly"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old_spreadsheet"),
    (b"%PDF", "pdf"),
    (b"\x1f\x8b\x08", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"Rar!\x1a\x07", "archive"),
)
_ENDINGS: Final = {
    **dict.fromkeys((".papi", ".mdb", ".accdb"), "papi"),
    **dict.fromkeys((".vegz", ".veg", ".bakz", ".vega"), "vega"),
    ".qtf": "vega_print",
    **dict.fromkeys(
        (".tun", ".tut", ".tur", ".tum", ".tunx", ".tutx", ".turx", ".tumx"), "swiss_manager"
    ),
    ".swt": "swiss_chess",
    ".sjson": "swiss_sys",
    **dict.fromkeys((".sce", ".scc"), "sharly"),
    ".trx": "tournament_service",
    ".pgn": "pgn",
    ".dbf": "dbf",
}
_SWISS_SYS_OLD: Final = r"(?i)\.s\d?[0-9a-z]|\.srr"


def native_kind(data: bytes, name: str = "") -> str | None:
    """Return which program's own file *data* is, by its first bytes,
    or by the ending of its *name*; None if unknown.

    A report is never one. Cost: one look at the beginning; a JSON file is read once.
    """
    head = data[:_LOOKED_AT]
    if _TRF.search(head):
        return "vega" if b"\n001|" in b"\n" + head.replace(b"\r", b"\n") else None
    by_bytes = next((kind for beginning, kind in _BEGINNINGS if data.startswith(beginning)), None)
    kind = by_bytes or _by_text(data, head) or _by_name(name)
    if kind is None and head.count(b"\x00") >= _NULS_OF_BINARY and not _is_utf_16(head):
        return "dbf" if _is_dbf(head) else "binary"
    return kind


def refuse_native(data: bytes, name: str = "", *, is_list: bool = False) -> None:
    """Raise ``file.native``, with what to do, if *data* is another program's own file.

    *is_list*: a spreadsheet is welcome, and its own reader names its faults.
    """
    kind = native_kind(data, name)
    if kind != "fide_list" and is_list and (data.startswith(_ZIP) or kind in SPREADSHEETS):
        return
    if kind is not None:
        raise InputError("file.native", _SENTENCES[kind], kind=kind)


def _by_text(data: bytes, head: bytes) -> str | None:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if re.match(_FIDE_TEXT, start) or (
        data.startswith(_ZIP) and re.search(_FIDE_PACKED, head[:200])
    ):
        return "fide_list"
    if data.startswith(_ZIP):
        if b"[Content_Types].xml" in data:
            return "binary" if b"word/document.xml" in data else "spreadsheet"
        return "open_spreadsheet" if b"mimetypeapplication/vnd.oasis" in head else "archive"
    if start.startswith((b"{", b"[")) and not start.startswith(b"[Event "):
        return _kind_of_json(data)
    if start.startswith(b"[Event "):
        return "pgn"
    if re.match(rb"<(?:!doctype\s+html|html|head|body|meta|table)\b", start, re.IGNORECASE):
        return "web_page"
    if start.startswith(b"<") and re.search(_FIDE_XML, start):
        return "fide_list"
    if start.startswith(b"<?xml"):
        return "xml"
    if re.match(rb"Vega \d", start) or b"Do not edit" in start[:200]:
        return "vega"
    return "vega" if re.search(rb"(?:\A|[\r\n])001\|", start) else None


def _kind_of_json(data: bytes) -> str | None:
    import json  # few files are JSON

    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if isinstance(content, dict):
        if {"variables", "players"} <= content.keys():
            return "papi_json"
        if {"Overview", "Sections"} <= content.keys():
            return "swiss_sys"
    return "json" if isinstance(content, dict | list) else None


def _by_name(name: str) -> str | None:
    ending = "." + name.lower().rpartition(".")[2] if "." in name else ""
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    return "swiss_sys" if re.fullmatch(_SWISS_SYS_OLD, ending) else None


def _is_utf_16(head: bytes) -> bool:
    """Return whether *head* is a text of two bytes for each letter, with its mark or without."""
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return marked or any(
        4 * head[half::2].count(0) > len(head) and not head[1 - half :: 2].count(0)
        for half in (0, 1)
    )


def _is_dbf(head: bytes) -> bool:
    """Return whether *head* is that of a dBASE file: 03, then the day of its last change."""
    return len(head) > 32 and head[0] == 0x03 and 1 <= head[2] <= 12 and 1 <= head[3] <= 31
