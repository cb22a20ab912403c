"""Read the text of the sheets that Chromium prints: a small reader for its plain PDF files."""

from __future__ import annotations

import re
import unicodedata
import zlib


def sheets(paper: bytes) -> list[str]:
    """Return the text of each sheet of *paper* without blanks: its letters are placed one by one.

    Raise ValueError if there is no sheet.
    """
    objects = {
        int(number): body
        for number, body in re.findall(rb"(?:^|\n)(\d+) 0 obj\s(.*?)\nendobj", paper, re.DOTALL)
    }
    fonts: dict[int, dict[int, str]] = {}
    texts = []
    for number in _pages(objects):
        page = objects[number]
        letters = {
            name: _letters(objects, int(font), fonts) for name, font in _fonts(objects, page)
        }
        contents = re.search(rb"/Contents (\d+) 0 R", page)
        if contents is None:
            raise ValueError(f"page {number} has no contents")
        texts.append(_text(_stream(objects[int(contents[1])]), letters))
    if not texts:
        raise ValueError("there is no sheet")
    return texts


def _pages(objects: dict[int, bytes]) -> list[int]:
    """Return the numbers of the pages in their order."""
    kids = {
        number: re.search(rb"/Kids\s*\[([^\]]*)\]", body)
        for number, body in objects.items()
        if b"/Pages" in body
    }
    inside = {
        number: [int(kid) for kid in re.findall(rb"(\d+) 0 R", found[1])]
        for number, found in kids.items()
        if found
    }
    children = {kid for each in inside.values() for kid in each}

    def below(number: int) -> list[int]:
        return (
            [page for kid in inside[number] for page in below(kid)]
            if number in inside
            else [number]
        )

    return [page for root in inside if root not in children for page in below(root)]


def _fonts(objects: dict[int, bytes], page: bytes) -> list[tuple[bytes, bytes]]:
    """Return name and object of each font of *page*."""
    found = re.search(rb"/Resources (\d+) 0 R", page)
    resources = objects[int(found[1])] if found else page
    listed = re.search(rb"/Font\s*<<(.*?)>>", resources, re.DOTALL)
    return re.findall(rb"/(\w+) (\d+) 0 R", listed[1]) if listed else []


def _letters(
    objects: dict[int, bytes], font: int, known: dict[int, dict[int, str]]
) -> dict[int, str]:
    """Return what each glyph of *font* says, from its map to Unicode."""
    if font not in known:
        found = re.search(rb"/ToUnicode (\d+) 0 R", objects[font])
        known[font] = _map(_stream(objects[int(found[1])])) if found else {}
    return known[font]


def _map(text: bytes) -> dict[int, str]:
    letters = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", text, re.DOTALL):
        for glyph, letter in re.findall(rb"<(\w+)> <(\w+)>", block):
            letters[int(glyph, 16)] = bytes.fromhex(letter.decode()).decode("utf-16-be")
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", text, re.DOTALL):
        for first, last, letter in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", block):
            for step in range(int(last, 16) - int(first, 16) + 1):
                letters[int(first, 16) + step] = chr(int(letter, 16) + step)
    return letters


def _stream(body: bytes) -> bytes:
    length = re.search(rb"/Length (\d+)", body)
    start = re.search(rb"stream\r?\n", body)
    if length is None or start is None:
        raise ValueError("an object is no stream")
    data = body[start.end() : start.end() + int(length[1])]
    return zlib.decompress(data) if b"/FlateDecode" in body else data


def _text(content: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    letters: dict[int, str] = {}
    parts = []
    for name, shown in re.findall(rb"/(\w+) [\d.]+ Tf|<(\w+)>", content):
        if name:
            letters = fonts.get(name, {})
        else:
            parts += [
                letters.get(int(shown[at : at + 4], 16), "?") for at in range(0, len(shown), 4)
            ]
    return without_blanks("".join(parts))


def without_blanks(text: str) -> str:
    """Return *text* as :func:`sheets` has it:
    without blanks, and with the letters of a ligature.
    """
    return "".join(unicodedata.normalize("NFKC", text).split())
