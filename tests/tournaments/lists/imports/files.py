"""Make spreadsheets for tests: workbooks of Excel, documents of OpenDocument, and damaged ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook

NAMESPACES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)
TYPES = "[Content_Types].xml"


def xlsx(
    *sheets: Sequence[Sequence[object]], names: Sequence[str] = ("Players", "Second", "Third")
) -> bytes:
    """Return a workbook with *sheets* of cells."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in zip(names, sheets, strict=False):
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def ods(rows: str, name: str = "Players", head: str = "") -> bytes:
    """Return an OpenDocument spreadsheet with one sheet of *rows*,
    which are XML (see :func:`ods_row`).
    """
    content = (
        f'<?xml version="1.0"?>{head}<office:document-content '
        f"{NAMESPACES}><office:body><office:spreadsheet>"
        f'<table:table table:name="{name}">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return archive(
        {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content}
    )


def ods_row(*cells: object, repeated: str = "") -> str:
    """Return a row of texts and numbers; a cell that begins with ``<`` is XML."""
    texts = "".join(cell if str(cell).startswith("<") else _ods_cell(cell) for cell in cells)  # type: ignore[misc]
    return f"<table:table-row {repeated}>{texts}</table:table-row>"


def _ods_cell(cell: object) -> str:
    if isinstance(cell, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
    return (
        f"<table:table-cell "
        f'office:value-type="string"><text:p>{escape(str(cell))}</text:p></table:table-cell>'
    )


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive with *parts*."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as zipped:
        for name, part in parts.items():
            zipped.writestr(name, part)
    return file.getvalue()


def replaced(workbook: bytes, part: str, old: str, new: str) -> bytes:
    """Return *workbook* with another text in one of its parts."""
    with ZipFile(BytesIO(workbook)) as zipped:
        parts = {name: zipped.read(name) for name in zipped.namelist()}
    assert old.encode() in parts[part]
    return archive(parts | {part: parts[part].replace(old.encode(), new.encode(), 1)})
