"""Import a list over the API: counts, doubtful rows and permissions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.lists.imports.files import xlsx
from tournaments.models import Entry, Tournament, WaitingEntry

pytestmark = pytest.mark.on_postgres("many rows in one statement")

LIST = xlsx([["Name", "Elo", "Fed"], ["Kovar, Eva", 2011, "CZE"], ["Blom, Bo", "many", "SWE"]])
LogIn = Callable[[User], Client]


def post(
    client: Client, tournament: Tournament, data: bytes, query: str = ""
) -> tuple[int, dict[str, object]]:
    address = f"/api/v1/tournaments/{tournament.slug}/entries/import/{query}"
    response = client.post(address, data, content_type="application/octet-stream")
    return response.status_code, response.json()


@pytest.mark.django_db
def test_an_arbiter_imports_a_list(
    tournament: Tournament, chief_arbiter: User, logged_in: LogIn
) -> None:
    client = logged_in(chief_arbiter)
    reason = "Sheet “Players”, row 3, column B: “many” is not a whole number (FIDE rating)."
    remark = (
        "Sheet “Players”, row 1, column B: The column “Elo” is read as FIDE rating, because "
        "nothing in the list says whose ratings these are. If they are national ratings, choose "
        "that."
    )
    answer = {
        "saved": False, "new": 1, "changed": 0, "unchanged": 0, "missing": 0, "later": 0,
        "doubtful": [{"line": 3, "name": "Blom, Bo", "reasons": [reason]}], "unused_columns": [],
        "remarks": [remark],
    }  # fmt: skip
    assert post(client, tournament, LIST, "?preview=yes") == (200, answer)
    assert not Entry.objects.filter(tournament=tournament).exists()
    assert post(client, tournament, LIST) == (200, answer | {"saved": True})
    assert Entry.objects.get(tournament=tournament).rating == 2011
    assert WaitingEntry.objects.filter(tournament=tournament).count() == 1
    assert post(client, tournament, LIST) == (
        200,
        answer | {"saved": True, "new": 0, "unchanged": 1},
    )
    assert WaitingEntry.objects.filter(tournament=tournament).count() == 1


@pytest.mark.django_db
def test_only_an_arbiter_imports(
    tournament: Tournament, stranger: User, deputy: User, client: Client, logged_in: LogIn
) -> None:
    for other in (client, logged_in(stranger)):
        assert post(other, tournament, LIST)[0] == 403
    assert not Entry.objects.filter(tournament=tournament).exists()
    assert post(logged_in(deputy), tournament, LIST)[0] == 200


@pytest.mark.django_db
def test_another_site_cannot_import_with_the_cookie_of_an_arbiter(
    tournament: Tournament, chief_arbiter: User
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(chief_arbiter)
    assert post(client, tournament, LIST)[0] == 403
    assert not Entry.objects.filter(tournament=tournament).exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "data, query, status, code",
    [
        (b"", "", 400, "file.empty"),
        (b"Elo;Fed\n1500;FRA\n", "", 400, "csv.no_name_column"),
        (b"x" * 1_500_001, "", 413, "request.too_large"),
        (LIST, "?preview=no", 400, "query.invalid"),
        (LIST, "?prewiew=yes", 400, "query.unknown"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(
    tournament: Tournament,
    chief_arbiter: User,
    logged_in: LogIn,
    data: bytes,
    query: str,
    status: int,
    code: str,
) -> None:
    found, answer = post(logged_in(chief_arbiter), tournament, data, query)
    assert (found, answer["error"]["code"]) == (status, code)  # type: ignore[index]


@pytest.mark.django_db
def test_the_answer_names_the_columns_that_are_not_used(
    tournament: Tournament, chief_arbiter: User, logged_in: LogIn
) -> None:
    data = b"Name,Rating,Shoe size,Rating\nKovar Eva,2011,38,1950\n"
    status, answer = post(logged_in(chief_arbiter), tournament, data, "?preview=yes")
    assert (status, answer["new"]) == (200, 1)
    assert answer["unused_columns"] == [
        {
            "column": 3,
            "heading": "Shoe size",
            "reason": "Line 1, column 3: The column “Shoe size” is not used.",
        },
        {
            "column": 4,
            "heading": "Rating",
            "reason": "Line 1, column 4: The column “Rating” is not used: “Rating” has the same "
            "meaning (FIDE rating). "
            "You can choose another one.",
        },
    ]


@pytest.mark.django_db
def test_the_order_of_dates_can_be_given(
    tournament: Tournament, chief_arbiter: User, logged_in: LogIn
) -> None:
    client, data = logged_in(chief_arbiter), b"Name,Date of birth\nKovar Eva,05/12/2010\n"
    assert post(client, tournament, data, "?preview=yes")[1]["new"] == 0
    assert post(client, tournament, data, "?dates=week")[0] == 400
    assert post(client, tournament, data, "?dates=month")[1]["new"] == 1
    assert Entry.objects.get(tournament=tournament).birth_date == "2010/05/12"


@pytest.mark.django_db
def test_a_list_without_a_name_is_refused_and_saves_nothing(
    tournament: Tournament, chief_arbiter: User, logged_in: LogIn
) -> None:
    status, answer = post(logged_in(chief_arbiter), tournament, b"Rating,Club\n2000,Mate\n")
    assert (status, "csv.no_name_column" in str(answer)) == (400, True)
    assert not Entry.objects.filter(tournament=tournament).exists()


@pytest.mark.django_db
def test_a_rating_of_whom_nobody_knows_is_refused_until_it_is_chosen(
    tournament: Tournament, chief_arbiter: User, logged_in: LogIn
) -> None:
    client, data = (
        logged_in(chief_arbiter),
        b"Name,FIDE ID,Licence,Rating\nKovar Eva,88000001,A88001,1950\n",
    )
    status, answer = post(client, tournament, data, "?preview=yes")
    assert (status, [each["column"] for each in answer["unused_columns"]]) == (200, [4])
    status, answer = post(client, tournament, data)
    assert (status, answer["error"]["code"]) == (400, "csv.column_not_chosen")
    assert "Line 1, column 4: The column “Rating” could be FIDE rating or national rating." in str(
        answer
    )
    assert not Entry.objects.filter(tournament=tournament).exists()
    for wrong in ("name,elo", "name,,,fide_rating,x"):
        assert (
            post(client, tournament, data, f"?columns={wrong}")[1]["error"]["code"]
            == "query.invalid"
        )
    assert (
        post(client, tournament, data, "?columns=,fide_id")[1]["error"]["code"]
        == "csv.no_name_column"
    )
    assert post(client, tournament, data, "?columns=name,fide_id,,national_rating")[0] == 200
    entry = Entry.objects.get(tournament=tournament)
    assert (entry.fide_id, entry.fide_rating, entry.national_rating) == (88000001, None, 1950)
