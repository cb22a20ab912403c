"""Hand an event over and take it over by a program:
the powers, the file, every status, and the refusals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from tests.api.asking import V1, error, get
from tests.plugins.empty_tables import empty_tables
from tests.tournaments.row_cache import all_rows
from tests.tournaments.site.backups.test_hand_over import hand_over
from tournaments.api.hand_over import EventFileParser
from tournaments.models import Action, Decision, Tournament

LogIn = Callable[[User], Client]
pytestmark = pytest.mark.django_db(transaction=True)


def post(client: Client, address: str, body: Any, **headers: str) -> Any:
    return client.post(V1 + address, body, content_type="application/json", headers=headers)


def send(client: Client, data: bytes, **headers: Any) -> Any:
    return client.post(f"{V1}take-over/", data, content_type="application/octet-stream", **headers)


@pytest.mark.costly
def test_the_chief_arbiter_hands_over_downloads_and_brings_back(
    ready: Tournament,
    chief_arbiter: User,
    deputy: User,
    stranger: User,
    logged_in: LogIn,
    client: Client,
) -> None:
    about = f"tournaments/{ready.slug}/hand-over/"
    seen = Tournament.objects.get(pk=ready.pk).version
    wanted = {
        "to": "the laptop of the club",
        "address": "https://club.example/",
        "seen_version": seen,
    }
    before = all_rows()
    for who in (client, logged_in(stranger), logged_in(deputy)):
        assert error(post(who, about, wanted))[0] == 403
        assert error(get(who, f"{about}file/"))[0] == 403
        assert error(post(who, f"{about}bring-back/", {"confirmed": True}))[0] == 403
    chief = logged_in(chief_arbiter)
    assert error(post(chief, "tournaments/nowhere/hand-over/", wanted))[0] == 404
    assert error(post(chief, about, {"to": ""}))[0] == 400
    assert error(post(chief, about, wanted | {"address": "club"}))[1]["code"] == "hand_over.address"
    assert error(post(chief, about, wanted | {"seen_version": seen - 1}))[0] == 409
    status, problem = error(get(chief, f"{about}file/"))
    assert (status, problem["code"]) == (409, "hand_over.is_here")
    assert error(chief.post(V1 + about, wanted))[0] == 415
    assert all_rows() == before

    (copy,) = post(chief, about, wanted).json()
    assert copy["handed_over_at"]
    assert (copy["tournament"], copy["version"], copy["handed_over_to"]) == (
        ready.slug,
        seen + 1,
        wanted["to"],
    )
    status, problem = error(post(chief, about, wanted | {"seen_version": seen + 1}))
    assert (status, problem["code"]) == (409, "hand_over.is_away")
    for _ in range(2):
        file = get(chief, f"{about}file/")
        assert (file.status_code, file.content[:2], file.headers["Cache-Control"]) == (
            200,
            b"PK",
            "private, no-store",
        )
        assert file.headers["Content-Disposition"] == 'attachment; filename="autumn-open.event"'
    assert (
        error(post(chief, f"{about}bring-back/", {"confirmed": False}))[1]["code"]
        == "hand_over.not_confirmed"
    )
    (copy,) = post(
        chief, f"{about}bring-back/", {"confirmed": True, "seen_version": seen + 1}
    ).json()
    assert (copy["handed_over_at"], copy["version"]) == (None, seen + 2)
    assert (
        error(post(chief, f"{about}bring-back/", {"confirmed": True}))[1]["code"]
        == "hand_over.is_here"
    )


@pytest.mark.costly
@pytest.mark.alone("the database is emptied, as if it were another computer")
def test_a_program_takes_over(chief_arbiter: User, ready: Tournament, logged_in: LogIn) -> None:
    hand_over(ready, chief_arbiter)
    file = get(logged_in(chief_arbiter), f"tournaments/{ready.slug}/hand-over/file/").content
    empty_tables(connection)
    User.objects.create_user("chief")
    staff = User.objects.create_user("staff", password="staff-secret", is_staff=True)
    admin = logged_in(User.objects.create_superuser("arbiter", password="arbiter-secret"))
    before = all_rows()
    for who in (Client(), logged_in(staff)):
        assert error(send(who, file))[0] == 403
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="arbiter"))
    assert error(send(strict, file))[0] == 403
    refusals = {
        b"": (400, "take_over.no_file"),
        file[:-9]: (400, "take_over.no_file"),
        file[:200] + b"?" + file[201:]: (400, "take_over.damaged"),
    }
    for data, wanted in refusals.items():
        status, problem = error(send(admin, data))
        assert (status, problem["code"]) == wanted
    strict.get("/new/")
    signed = {"X-CSRFToken": strict.cookies["csrftoken"].value}
    for form in ({"a": "b"}, {"file": SimpleUploadedFile("a.event", file)}):  # a form is not a file
        assert error(strict.post(f"{V1}take-over/", form, headers=signed))[0] == 415
    assert all_rows() == before

    answer = send(admin, file, HTTP_IDEMPOTENCY_KEY="once")
    assert answer.status_code == 201
    again = send(admin, file, HTTP_IDEMPOTENCY_KEY="once")
    assert (again.status_code, again.json()) == (201, answer.json() | {"links": []})
    there = Tournament.objects.get()
    body = answer.json()
    assert [
        (each["tournament"], each["version"], each["handed_over_at"])
        for each in body["tournaments"]
    ] == [(there.slug, there.version, None)]
    assert body["renamed"] == [{"name": "chief", "here": "chief-2"}]
    (link,) = body["links"]
    assert (link["tournament"], link["person"], body["accounts"]) == (there.slug, "Clara Chief", [])
    assert Client().post(link["link"], {"pin": link["pin"]}).status_code == 302
    newest = Decision.objects.order_by("-pk").values_list("action", flat=True)[:2]
    assert list(newest) == [Action.PASSWORD_SET, Action.TOURNAMENT_TAKEN_OVER]
    status, problem = error(send(admin, file))
    values = {
        "name": there.name,
        "slug": there.slug,
        "here": there.version,
        "file": there.version - 2,
    }
    assert (status, problem["code"]) == (409, "take_over.is_here")
    assert {name: problem["params"][name] for name in values} == values


def test_a_larger_file_is_not_read(logged_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EventFileParser, "most_bytes", 10)
    admin = logged_in(User.objects.create_superuser("arbiter", password="arbiter-secret"))
    status, problem = error(send(admin, b"x" * 11))
    assert (status, problem["code"], problem["params"]) == (413, "request.too_large", {"limit": 10})
