"""Read the sheets that Chromium prints: their text, their size and their QR codes."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Final

import zxingcpp
from pypdfium2 import PdfDocument, PdfPage

SCALE: Final = 200 / 72
"""200 dots an inch: the codes are read more coarsely than any printer draws them."""
AT_THE_END_OF_A_LINE: Final = "\ufffe"
"""PDFium's letter for a hyphen at which a line ends."""


def sheets(paper: bytes) -> list[str]:
    """Return the text of each sheet of *paper* without blanks: a line may end anywhere."""
    texts = (page.get_textpage().get_text_range() for page in _pages(paper))
    return [without_blanks(text.replace(AT_THE_END_OF_A_LINE, "-")) for text in texts]


def formats(paper: bytes) -> set[tuple[int, int]]:
    """Return the widths and heights of the sheets in points."""
    return {(round(page.get_width()), round(page.get_height())) for page in _pages(paper)}


def codes(paper: bytes) -> Counter[str]:
    """Return the text of every QR code that a decoder finds on the sheets, drawn in grey."""
    found: Counter[str] = Counter()
    for page in _pages(paper):
        drawn = page.render(scale=SCALE, grayscale=True)
        dots = memoryview(drawn.buffer).cast("B", shape=[drawn.height, drawn.stride])
        read = zxingcpp.read_barcodes(dots, formats=zxingcpp.BarcodeFormat.QRCode)
        found.update(code.text for code in read)
    return found


def without_blanks(text: str) -> str:
    """Return *text* as :func:`sheets` has it:
    without blanks, and with the letters of a ligature.
    """
    return "".join(unicodedata.normalize("NFKC", text).split())


def _pages(paper: bytes) -> Iterator[PdfPage]:
    with PdfDocument(paper) as document:
        yield from document
