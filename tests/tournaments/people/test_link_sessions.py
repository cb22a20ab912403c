"""A session that a link opened gets no rights on the site, whatever its account is given later."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tournaments.models import Appointment, Role, Tournament
from tournaments.people.people import Access, person_appoint

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
LINK = Access("a secret of a link", "123456")
pytestmark = pytest.mark.django_db


@pytest.fixture
def helper(tournament: Tournament, chief_arbiter: User) -> User:
    given = {"tournament_id": tournament.pk, "name": "Hal Helper", "role": Role.DEPUTY.value}
    person = person_appoint(**given, access=LINK, actor=chief_arbiter, now=NOW).person
    person.username = "hal"  # as that of an account which came with a file: the admin site shows it
    person.save()
    return person


def by_link() -> tuple[Client, int]:
    client = Client()
    return client, client.post(
        reverse("sign-in-link", args=[LINK.secret]), {"pin": LINK.pin}
    ).status_code


def by_shell(helper: User, boss: Client, given: dict[str, str]) -> None:
    User.objects.filter(pk=helper.pk).update(**dict.fromkeys(given, True))


def by_admin(helper: User, boss: Client, given: dict[str, str]) -> None:
    fields = {
        "username": helper.username,
        "first_name": helper.first_name,
        "is_active": "on",
        **given,
    }
    joined = {"date_joined_0": "2026-11-21", "date_joined_1": "09:00:00"}
    assert (
        boss.post(
            reverse("admin:auth_user_change", args=[helper.pk]), {**fields, **joined}
        ).status_code
        == 302
    )


@pytest.mark.costly
@pytest.mark.parametrize("way", [by_shell, by_admin])
@pytest.mark.parametrize("rights", [("is_staff",), ("is_superuser",), ("is_staff", "is_superuser")])
def test_rights_given_later_do_not_count_in_the_session_of_a_link(
    helper: User,
    way: Callable[[User, Client, dict[str, str]], None],
    rights: tuple[str, ...],
    logged_in: Callable[[User], Client],
    tournament: Tournament,
) -> None:
    boss = logged_in(User.objects.create_superuser("boss", password="boss-secret"))
    client, status = by_link()
    assert (status, client.get(reverse("desk", args=[tournament.slug])).status_code) == (302, 200)
    way(helper, boss, dict.fromkeys(rights, "on"))
    assert {
        name
        for name in ("is_staff", "is_superuser")
        if getattr(User.objects.get(pk=helper.pk), name)
    } == {*rights}
    for path in (
        "/admin/",
        reverse("admin:auth_user_changelist"),
        reverse("take-over"),
        reverse("account"),
    ):
        answer = client.get(path)
        assert (answer.status_code, "login" in answer.headers["Location"]) == (302, True), path
    upload = SimpleUploadedFile("x.event", b"x")
    assert client.post(reverse("take-over"), {"file": upload}).status_code == 302
    body = client.post("/api/v1/take-over/", b"x", content_type="application/octet-stream")
    assert body.status_code == 403
    # The other order: the link opens nothing any more.
    other, status = by_link()
    assert (status, other.get("/admin/").status_code) == (404, 302)


@pytest.mark.costly
def test_groups_and_permissions_open_nothing_to_the_session_of_a_link(
    helper: User, tournament: Tournament
) -> None:
    client, _ = by_link()
    everything = Permission.objects.all()
    group = Group.objects.create(name="all")
    group.permissions.set(everything)
    helper.groups.add(group)
    helper.user_permissions.set(everything)
    assert client.get(reverse("desk", args=[tournament.slug])).status_code == 200
    assert client.get(reverse("admin:auth_user_changelist")).status_code in (302, 403)
    assert client.get(reverse("take-over")).status_code == 403
    User.objects.filter(pk=helper.pk).update(is_staff=True)
    assert "login" in client.get(reverse("admin:auth_user_changelist")).headers["Location"]


def test_a_password_opens_the_rights_of_an_account_that_had_a_link(
    helper: User, tournament: Tournament
) -> None:
    client, _ = by_link()
    helper.set_password("a long secret of its own")
    helper.is_staff = helper.is_superuser = True
    helper.save()
    assert client.get("/admin/").status_code == 302
    with_password = Client()
    form = {"username": helper.username, "password": "a long secret of its own"}
    assert with_password.post(reverse("login"), form).status_code == 302
    assert with_password.get("/admin/").status_code == 200
    assert Appointment.objects.get(person=helper).tournament == tournament


@pytest.mark.parametrize("path", ["/admin/", "/admin/auth/user/"])
def test_the_admin_site_refuses_an_account_without_rights_once(
    helper: User, path: str, stranger: User, logged_in: Callable[[User], Client]
) -> None:
    """And does not send it to the log-in page and back."""
    for client in (by_link()[0], logged_in(stranger)):
        answer = client.get(path, follow=True)
        assert (answer.status_code, len(answer.redirect_chain)) == (403, 1)
    assert Client().get(path, follow=True).status_code == 200
