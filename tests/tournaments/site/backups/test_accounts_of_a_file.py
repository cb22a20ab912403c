"""The accounts in a file may have names and times that were written by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.site.backups.test_hand_over import LATER, hand_over
from tests.tournaments.site.backups.test_hostile_event import by_page, send
from tests.tournaments.site.backups.test_one_event import altered
from tournaments.site.backups.accounts import tidy_account
from tournaments.site.backups.one_event import export_tournaments

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the database is emptied, as if it were another computer"),
]


@pytest.fixture
def file(tmp_path: Path, chief_arbiter: User) -> Path:
    ours = factories.make_ready(actor=chief_arbiter, players=4)
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "our.event", now=LATER)
    empty_tables(connection)
    return tmp_path / "our.event"


@pytest.fixture
def boss(file: Path, logged_in: Callable[[User], Client]) -> Client:
    return logged_in(User.objects.create_superuser("root", pk=900, password="root-secret"))


def account(file: Path, **values: Any) -> Path:
    def change(table: str, row: dict[str, Any]) -> None:
        if table == "auth_user":
            row.update(values)

    return altered(file, change)


@pytest.mark.costly
@pytest.mark.parametrize("joined", ["9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+00:00"])
def test_a_time_that_cannot_be_is_now_and_the_admin_page_of_the_account_works(
    file: Path, boss: Client, joined: str
) -> None:
    assert "is taken over" in by_page(boss, account(file, date_joined=joined))
    chief = User.objects.get(username="chief")
    assert abs((timezone.now() - chief.date_joined).days) < 1
    assert boss.get(reverse("admin:auth_user_change", args=[chief.pk])).status_code == 200


@pytest.mark.costly
def test_a_name_that_differs_only_in_capitals_gets_another_one(file: Path, boss: Client) -> None:
    page = by_page(boss, account(file, username="ROOT"))
    assert "The account “ROOT” of the other computer is called “ROOT-2” here." in page
    assert set(User.objects.values_list("username", flat=True)) == {"root", "ROOT-2"}


@pytest.mark.costly
@pytest.mark.parametrize("name", ["", "a b", "<b>", "root\n", "x" * 151, "\u202eroot"])
def test_a_name_that_no_account_can_have_is_refused(file: Path, boss: Client, name: str) -> None:
    assert send(boss, account(file, username=name)).status_code == 400
    assert User.objects.count() == 1


@pytest.mark.costly
def test_control_characters_leave_the_name_of_the_person(file: Path, boss: Client) -> None:
    page = by_page(
        boss, account(file, first_name="Eve\n\u202eAdmin\u2066<b>x</b>", last_name="\x07Chief")
    )
    assert "is taken over" in page
    assert User.objects.get(username="chief").get_full_name() == "Eve Admin<b>x</b> Chief"
    shown = boss.get(reverse("admin:auth_user_changelist")).text
    assert ("<b>x</b>" in shown, "&lt;b&gt;x" in shown) == (False, True)


@pytest.mark.parametrize(
    "here, there", [("ärne", "ÄRNE"), ("ｒoot", "ROOT"), ("straße", "STRASSE")]
)
def test_names_are_compared_without_capitals_in_all_scripts(
    db: None, here: str, there: str
) -> None:
    User.objects.create(username=here)
    person = User(pk=5, username=there)
    assert tidy_account(person, now=timezone.now()) == there
    assert person.username == f"{there}-2"
