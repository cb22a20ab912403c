"""Every list as CSV with commas, with semicolons, and as a workbook: the same rows."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import override
from openpyxl import load_workbook
from rest_framework.request import Request

from pairing.ratings.direct_titles import TitleClaim
from tests.tournaments import factories
from tournaments.api.heads import WORDS, in_words
from tournaments.api.list_files import list_file
from tournaments.api.lists import ALL as LISTS
from tournaments.core.frame import tournament_frame
from tournaments.models import Appointment, Role, Tournament
from tournaments.reports.title_claims import claims_save
from tournaments.standings.player import player_page
from tournaments.web.printing.kinds import KINDS

from .asking import addresses, error, get

NAMES = (
    "standings",
    "crosstable",
    "prizes",
    "entries",
    "rounds/1/pairings",
    "report",
    "report/corrections",
    *LISTS,
)
WITHOUT_ROWS = {
    "blank-slips": "to be filled in by hand",
    "regulations": "sentences",
    "posters": "codes",
    "table-numbers": "large numbers",
    "certificates": "a sheet for each winner",
    "it3": "a form",
    "fa1": "a form",
    "ia1": "a form",
    "notice": "words of the arbiter",
}
"""The sheets that are no lists, and what they are."""


def text_rows(response: HttpResponse, delimiter: str) -> list[list[str]]:
    text = response.content.decode("utf-8-sig")
    assert response.content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def sheet_rows(content: bytes) -> list[list[object]]:
    (sheet,) = load_workbook(io.BytesIO(content)).worksheets
    return [list(row) for row in sheet.iter_rows(values_only=True)]


@pytest.fixture
@factories.cached
def event(chief_arbiter: User) -> Tournament:
    tournament = factories.make_ready(chief_arbiter, players=8, rounds=3)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    return tournament


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_the_three_files_of_a_list_have_the_same_rows(
    name: str, event: Tournament, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    client = logged_in(chief_arbiter)
    address = f"tournaments/{event.slug}/{name}/csv/"
    comma = text_rows(get(client, address), ",")
    semicolon = text_rows(get(client, f"{address}?as=semicolon"), ";")
    workbook = get(client, f"{address}?as=xlsx")
    assert workbook.headers["Content-Disposition"].endswith('.xlsx"')
    sheet = sheet_rows(workbook.content)
    assert [list(map(_number, row)) for row in sheet] == [
        list(map(_number, row)) for row in semicolon
    ]
    assert semicolon == [[_with_comma(cell) for cell in row] for row in comma]
    assert len(set(comma[0])) == len(comma[0])
    assert bool(comma[1:]) is (
        name
        not in (
            "prizes",
            "report/corrections",
            "adjustments",
            "norms",
            "signatures",
            "registrations",
        )
    )


def test_every_sheet_that_is_a_list_has_files() -> None:
    assert {name for name, kind in KINDS.items() if kind.csv is None} == set(WITHOUT_ROWS)


@pytest.mark.costly
@pytest.mark.django_db
def test_every_list_is_offered_on_a_page(
    event: Tournament, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    client = logged_in(chief_arbiter)
    pages = [
        client.get(reverse(name, args=[event.slug])).content.decode()
        for name in ("print-and-share", "event-report", "registrations")
    ]
    offered = {each for page in pages for each in re.findall(r'href="(/api/[^"?]+/csv/)', page)}
    assert offered >= {f"/api/v1/tournaments/{event.slug}/{name}/csv/" for name in NAMES}
    about = f"/api/v1/tournaments/{event.slug}/"
    assert offered >= {
        about + rest for rest in addresses() if rest.endswith("csv/") and "{" not in rest
    }
    assert {client.get(each).status_code for each in offered} == {200}


@pytest.mark.costly
@pytest.mark.django_db
def test_a_french_page_gives_french_heads(
    event: Tournament, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    client = logged_in(chief_arbiter)
    for name in NAMES:
        address = f"tournaments/{event.slug}/{name}/csv/"
        client.cookies["django_language"] = "en"
        (names, *rows) = text_rows(get(client, address), ",")
        client.cookies["django_language"] = "fr"
        (heads, *same) = text_rows(get(client, f"{address}?heads=words&as=semicolon"), ";")
        assert (len(heads), len(same)) == (len(names), len(rows))
        with override("fr"):
            assert heads == in_words(names)
        assert {each for each in heads if each in names} <= tie_break_codes(names), name
        assert not {"True", "False"} & {cell for row in same for cell in row}, name


def tie_break_codes(names: list[str]) -> set[str]:
    """The heads that are codes, and stay as they are."""
    return {name for name in names if name.isupper() or "/" in name}


def test_every_head_is_translated() -> None:
    codes = {name for name, words in WORDS.items() if not isinstance(words, Promise)}
    assert codes == {"k_factor", "average", "norm_performance", "percent"}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["standings", "crosstable"])
def test_files_have_the_columns_that_are_chosen_for_paper(
    name: str, event: Tournament, client: Client, stranger: User, chief_arbiter: User
) -> None:
    """All of them; only who runs the event gets the categories, which can show an age."""
    entry = factories.entry_of(event, 1)
    entry.fide_rating, entry.club = entry.rating, "Club & sons"
    entry.save()
    Appointment.objects.create(
        tournament=event, person=stranger, role=Role.READER, since=factories.NOW
    )
    found = {}
    for reader in (None, stranger, chief_arbiter):
        if reader:
            client.force_login(reader)
        heads, *rows = text_rows(get(client, f"tournaments/{event.slug}/{name}/csv/"), ",")
        found[reader] = set(heads)
        lines = {
            line["name"]: line for line in (dict(zip(heads, row, strict=True)) for row in rows)
        }
        page = player_page(tournament_frame(event, runs=False), entry.pk)
        assert page is not None
        assert page.performance is not None
        line = lines[entry.name]
        assert (line["club"], line["performance"]) == ("Club & sons", str(page.performance.rating))
        assert {"BH/C1", "rating", "federation", "fide_performance", "change"} <= set(heads)
    public, of_reader, of_arbiter = found.values()
    assert public == of_reader
    assert of_arbiter - public == {"category"}


@pytest.mark.django_db
def test_it4_has_what_is_claimed(event: Tournament, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    address = f"tournaments/{event.slug}/titles/csv/"
    first = get(client, address)
    heads, *rows = text_rows(first, ",")
    assert rows[0][heads.index("medal")] == "1"
    entry = factories.entry_of(event, 8)
    entry.fide_rating = None
    entry.save()
    claims = {entry.pk: TitleClaim("FM", "U18", "best junior", "shared")}
    claims_save(tournament_id=event.pk, actor=chief_arbiter, claims=claims)
    # Claims are in no line of the record, and still make a new tag.
    again = get(client, address, **{"If-None-Match": first["ETag"]})
    (heads, row) = text_rows(again, ",")
    found = dict(zip(heads, row, strict=True))
    assert found["name"] == entry.name
    assert [found[name] for name in ("claimed", "group", "claimed_for", "remarks")] == [
        "FM", "U18", "best junior", "shared",
    ]  # fmt: skip
    assert found["rating_needed"] == "2100"


@pytest.mark.django_db
def test_progress_has_rank_and_points_after_each_round(event: Tournament, client: Client) -> None:
    heads, *rows = text_rows(get(client, f"tournaments/{event.slug}/progress/csv/"), ",")
    standings = {
        after: get(client, f"tournaments/{event.slug}/standings/?after_round={after}").json()
        for after in (1, 2)
    }
    for row in rows:
        found = dict(zip(heads, row, strict=True))
        for after, page in standings.items():
            (line,) = (each for each in page["standings"] if each["name"] == found["name"])
            assert found[f"rank_after_{after}"] == str(line["rank"])
            assert float(found[f"points_after_{after}"]) == line["points"]
    assert len(rows) == 8


@pytest.mark.django_db
def test_lists_of_arbiters_are_not_for_visitors(event: Tournament, client: Client) -> None:
    status = {
        name: get(client, f"tournaments/{event.slug}/{name}/csv/").status_code for name in LISTS
    }
    assert status == {name: 200 if each.power is None else 403 for name, each in LISTS.items()}


def _with_comma(cell: str) -> str:
    whole, point, decimals = cell.partition(".")
    is_number = point and decimals.isdigit() and whole.lstrip("-").isdigit()
    return cell.replace(".", ",") if is_number else cell


def _number(value: object) -> object:
    """Return a number as a number, for a comparison; a workbook writes 2.0 as 2."""
    text = (
        f"{value:%Y-%m-%d %H:%M}"
        if isinstance(value, datetime)
        else ""
        if value is None
        else str(value)
    )
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text


def made(kind: str, rows: list[dict[str, object]]) -> bytes:
    request = Request(RequestFactory().get("/", {"as": kind}))
    return list_file(request, Tournament(slug="open"), "list", rows).content


ROWS: list[dict[str, object]] = [
    {"name": "Żółw; Ola, “x”", "points": "5.5", "id": 7, "national_id": "007", "title": None},
    {"name": "=1+1", "points": "10.0", "id": 8, "national_id": "-5", "title": "+"},
    {"name": "@SUM(A1)\x0b", "points": -1.25, "id": 9, "national_id": "", "title": "-x"},
]


def test_points_have_a_decimal_comma_and_formulas_an_apostrophe() -> None:
    assert made("semicolon", ROWS).decode("utf-8-sig").split("\r\n") == [
        "name;points;id;national_id;title",
        '"Żółw; Ola, “x”";5,5;7;007;',
        "'=1+1;10,0;8;'-5;+",
        "'@SUM(A1)\x0b;-1,25;9;;'-x",
        "",
    ]


def test_a_workbook_has_numbers_as_numbers_and_no_formula() -> None:
    assert sheet_rows(made("xlsx", ROWS)) == [
        ["name", "points", "id", "national_id", "title"],
        ["Żółw; Ola, “x”", 5.5, 7, "007", None],
        ["'=1+1", 10, 8, "'-5", "+"],
        ["'@SUM(A1)", -1.25, 9, None, "'-x"],
    ]


def test_the_same_list_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    first = made("xlsx", ROWS)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 4_000)
    assert made("xlsx", ROWS) == first


@pytest.mark.costly
def test_a_long_list_is_complete() -> None:
    rows: list[dict[str, object]] = [{"id": number, "points": "0.5"} for number in range(5_000)]
    assert len(sheet_rows(made("xlsx", rows))) == 5_001
    assert made("semicolon", rows).count(b"\r\n") == 5_001


@pytest.mark.django_db
def test_an_unknown_kind_of_file_is_refused(event: Tournament, client: Client) -> None:
    status, found = error(get(client, f"tournaments/{event.slug}/standings/csv/?as=pdf"))
    assert (status, found["code"]) == (400, "query.invalid")
    assert found["params"] == {"name": "as", "known": ["semicolon", "xlsx"]}


@pytest.mark.django_db
def test_visitors_get_the_workbook_from_the_store(event: Tournament, client: Client) -> None:
    address = f"tournaments/{event.slug}/standings/csv/?as=xlsx"
    first = get(client, address)
    assert get(client, address).content == first.content
    unchanged = get(client, address, **{"If-None-Match": first.headers["ETag"]})
    assert unchanged.status_code == 304
