"""Read the numbers of the pages, of the CSV files and of the forms, as a reader sees them."""

from __future__ import annotations

import csv
import html
import io
import random
import re
from dataclasses import dataclass, field
from typing import Any, Final

TAGS: Final = re.compile(r"<[^>]+>")
ROW: Final = re.compile(r"<tr\b[^>]*>.*?</tr>", re.S)
CELL: Final = re.compile(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", re.S)


def text_of(markup: str) -> str:
    return " ".join(html.unescape(TAGS.sub("", markup)).split())


def number(text: str) -> float | None:
    """Return a number as people write it, ``2½`` or ``9.25``; None for a dash."""
    text = text.replace("−", "-").replace("*", "").strip()
    if text in ("", "–"):
        return None
    if text.endswith("½"):
        whole = text[:-1]
        return float(
            (int(whole) if whole not in ("", "-") else 0) + (-0.5 if whole.startswith("-") else 0.5)
        )
    return float(text)


def tenths(text: str) -> int:
    value = number(text)
    assert value is not None, text
    return round(value * 10)


def rows(page: str, table: str) -> list[str]:
    """Return the rows in the body of the table with the class *table*."""
    start = re.search(rf'<table class="{table}\b', page)
    if start is None:
        return []
    body = re.search(r"<tbody[^>]*>(.*?)</tbody>", page[start.start() :], re.DOTALL)
    return ROW.findall(body[1]) if body else []


def cells(row: str) -> list[str]:
    return CELL.findall(row)


def standings_page(page: str) -> list[tuple[int, int, int, list[float | None]]]:
    """Return (rank, TPN, points, values) of each line."""
    found = []
    for row in rows(page, "standings"):
        without_figures = re.sub(r'<td class="[^"]*hide-medium[^"]*">.*?</td>', "", row, flags=re.S)
        rank, tpn, _name, _federation, _rating, points, *values = cells(without_figures)
        plain = re.sub(r"<sup>.*?</sup>", "", rank, flags=re.S)
        shown = re.sub(r"<sup>.*?</sup>", "", points, flags=re.S)
        line = (int(text_of(plain)), int(text_of(tpn)), tenths(text_of(shown)))
        found.append((*line, [number(text_of(value)) for value in values]))
    return found


def crosstable_page(page: str) -> list[tuple[int, list[str], int, int | None]]:
    """Return (number of the line, rounds, points, rank) of each line;
    a game is its number, colour and result.
    """
    found = []
    for row in rows(page, "crosstable"):
        line, _name, _rating, *rounds, points, rank = cells(row)
        shown = [re.sub(r"</?(i|b|abbr)\b[^>]*>", "", one) for one in rounds]
        place = text_of(rank)
        found.append((int(text_of(line)), [text_of(one) for one in shown], tenths(text_of(points)),
                      None if place == "–" else int(place)))  # fmt: skip
    return found


@dataclass
class BoardShown:
    """A board on the page of pairings; points are tenths, with the virtual ones apart."""

    board: int
    white: int
    black: int
    points: tuple[int, int]
    virtual: tuple[int, int]
    result: str
    floats: bool


def boards_page(page: str) -> list[BoardShown]:
    found = []
    for row in rows(page, "pairings"):
        board, one, white, result, black, other = cells(row)[:6]
        points, virtual = zip(*map(_with_virtual, (one, other)), strict=True)
        first = text_of(board).split()[0]
        floats = 'class="floats"' in row.partition(">")[0]
        found.append(
            BoardShown(
                int(first), _tpn(white), _tpn(black), points, virtual, text_of(result), floats
            )
        )
    return found


def byes_page(page: str) -> list[int]:
    part = page.partition('<section class="byes"')[2].partition("</section>")[0]
    return [int(tpn) for tpn in re.findall(r'class="tpn(?: needed)?">(\d+)<', part)]


def _with_virtual(markup: str) -> tuple[int, int]:
    real, _, more = text_of(markup).partition("+")
    return tenths(real), tenths(more) if more else 0


def _tpn(markup: str) -> int:
    found = re.search(r'class="tpn(?: needed)?">(\d+)<', markup)
    return int(found[1]) if found else 0


def player_page(page: str) -> tuple[tuple[int, int] | None, list[tuple[int, str, str, int]]]:
    """Return (rank, points) after the newest round, and (round, colour, id of the opponent,
    total) of each row.
    """
    match = re.search(
        r"After round \d+: rank (\d+) with ([−\d½.]+) point", text_of(page.partition("<h1")[2])
    )
    found = []
    for row in rows(page, "of-player"):
        round_, _board, colour, opponent, _rating, _result, total = cells(row)
        met = re.search(r"/player/(\d+)/", opponent)
        letter = "w" if "white" in colour else "b" if "black" in colour else ""
        found.append((int(text_of(round_)), letter, met[1] if met else "", tenths(text_of(total))))
    return (int(match[1]), tenths(match[2])) if match else None, found


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


# Forms


@dataclass
class Form:
    """A form with the fields that a browser sends;
    ``choices`` are the values of each select or radio field.
    """

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    boxes: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """The fields to type in, with their types."""
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def value(self, name: str) -> str:
        return dict(self.fields).get(name, "")

    def filled(self, chance: random.Random, **wanted: Any) -> list[tuple[str, str]]:
        """Return the fields as an arbiter in a hurry fills them:
        a choice in each list, a reason, one button.
        """
        sent = {name: value for name, value in self.fields if name not in dict(self.boxes)}
        for name, values in self.choices.items():
            if name.startswith("answer-") and chance.random() < 0.9:
                sent[name] = "coming"
            elif values and chance.random() < (0.35 if sent.get(name) else 1):
                sent[name] = chance.choice(values)
        for name, kind in self.texts.items():
            if kind in ("text", "textarea", "number", "search") and not sent.get(name):
                sent[name] = _typed(name, chance)
        ticked = [box for box in self.boxes if chance.random() < 0.4 and box[0] not in wanted]
        sent |= {name: str(value) for name, value in wanted.items()}
        buttons = [button for button in self.buttons if button[0] not in LEAD_NOWHERE]
        return [*sent.items(), *ticked, *([chance.choice(buttons)] if buttons else [])]

    def confirmed(self, before: dict[str, str]) -> list[tuple[str, str]]:
        """Return the fields of a page that asks to confirm what was sent *before*."""
        names = {*self.texts, *self.choices}
        kept = {
            name: before.get(name, value) if name in names else value for name, value in self.fields
        }
        return [
            *(kept | dict(button for button in self.buttons if button[0] in CONFIRMING)).items()
        ]


CONFIRMING: Final = ("confirmed", "save", "same")
LEAD_NOWHERE: Final = (
    "tie_break_step",
    "fill",
    "show",
    "find",
    "boards",
    "preview",
    "from_list",
    "save",
)
"""Buttons that save nothing, and the one that is pressed after the effect was shown."""


def _typed(name: str, chance: random.Random) -> str:
    if name in ("reason", "further", "exception", "explanation"):
        return "so it is"
    if "article" in name:
        return "Laws 12.9"
    if name in ("fide_rating", "national_rating"):
        return str(chance.randint(1400, 2400)) if chance.random() < 0.3 else ""
    return ""


ATTRIBUTE: Final = re.compile(r'([\w-]+)(?:="([^"]*)")?')
PIECES: Final = re.compile(r"<(input|select|/select|textarea|option|button)\b([^>]*)>([^<]*)")


def forms(page: str, url: str) -> list[Form]:
    """Return the forms of *page* that are sent with POST, without the one to log out."""
    found = []
    for head, body in re.findall(r'<form\b([^>]*method="post"[^>]*)>(.*?)</form>', page, re.S):
        given = _attributes(head)
        form = Form(given.get("action") or url)
        if form.action.startswith("#"):
            form.action = url
        if "/accounts/" not in form.action:
            _read(form, body)
            found.append(form)
    return found


def _read(form: Form, body: str) -> None:
    select = ""
    for tag, attributes, following in PIECES.findall(body):
        given = _attributes(attributes)
        name, value, kind = given.get("name", ""), given.get("value", ""), given.get("type", "text")
        if tag == "select":
            select = name
            form.choices.setdefault(name, [])
        elif tag == "/select":
            select = ""
        elif tag == "option" and not select:
            continue  # Of a list of suggestions.
        elif tag == "option":
            form.choices.setdefault(select, []).append(value)
            if "selected" in given or select not in dict(form.fields):
                form.fields = [*(one for one in form.fields if one[0] != select), (select, value)]
        elif not name or "disabled" in given:
            continue
        elif tag == "textarea":
            form.texts[name] = "textarea"
            form.fields.append((name, html.unescape(following.strip())))
        elif tag == "button":
            form.buttons.append((name, value))
        elif kind == "radio":
            form.choices.setdefault(name, []).append(value)
            if "checked" in given:
                form.fields.append((name, value))
        elif kind == "checkbox":
            form.boxes.append((name, value or "on"))
            if "checked" in given:
                form.fields.append((name, value or "on"))
        else:
            if kind != "hidden":
                form.texts[name] = kind
            form.fields.append((name, value))


def _attributes(text: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in ATTRIBUTE.findall(text)}
