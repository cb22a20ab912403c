"""A new link and PIN are shown once, and no copy of the site has them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.tournaments.people.test_people import appoint
from tournaments.models import Appointment, Tournament
from tournaments.site.backups import rows
from tournaments.web import shown_once


@pytest.fixture
def chief(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def everything() -> str:
    """Return all that a copy of the site has, with the contents of the sessions in clear text."""
    sessions = [str(session.get_decoded()) for session in Session.objects.all()]
    return "".join([*rows.dump(apps, "default"), *sessions])


def address_and_form(tournament: Tournament, chief: User, which: str) -> tuple[str, dict[str, Any]]:
    """Return where a secret is made, and with which form."""
    if which == "appoint":
        return reverse("people", args=[tournament.slug]), {
            "name": "Carl Check",
            "role": "check_in_desk",
        }
    if which == "renew":
        made = appoint(tournament, chief)
        version = Tournament.objects.get(pk=tournament.pk).version
        return reverse("person-renew", args=[tournament.slug, made.pk]), {"seen_version": version}
    return reverse("self-check-in-settings", args=[tournament.slug]), {"on": ""}


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("which", ["appoint", "renew", "self-check-in"])
def test_a_new_secret_is_in_no_table_before_the_next_page_shows_it(
    chief: Client, chief_arbiter: User, tournament: Tournament, which: str, htmx: bool
) -> None:
    url, form = address_and_form(tournament, chief_arbiter, which)
    answer = chief.post(url, form, headers={"HX-Request": "true"} if htmx else {})
    to = answer.headers["HX-Redirect" if htmx else "Location"]
    kept = everything()
    (cookie,) = [
        each for name, each in answer.cookies.items() if name in {"new-access", "self-check-in"}
    ]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (to, True, "Strict")
    assert cookie["max-age"] == shown_once.SECONDS
    page = chief.get(to).content.decode()
    secrets = re.findall(r"/(?:join|arrive)/([\w-]{20,})/", page) + re.findall(
        r'class="pin">(\d{3} \d{3})<', page
    )
    assert len(set(secrets)) == (1 if which == "self-check-in" else 2)
    for secret in secrets:
        assert secret not in kept
        assert secret.replace(" ", "") not in kept
    again = chief.get(to).content.decode()
    assert [secret for secret in secrets if secret in again] == []


@pytest.mark.costly
def test_a_refused_action_and_another_reader_show_no_secret(
    chief: Client, chief_arbiter: User, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = reverse("people", args=[tournament.slug])
    assert "new-access" not in chief.post(url, {"name": "", "role": "deputy"}).cookies
    cookie = chief.post(url, {"name": "Carl Check", "role": "deputy"}).cookies["new-access"].value
    # Somebody else in the same browser, a changed cookie, and a page that is opened much later.
    carl = Appointment.objects.get(person__first_name="Carl Check").person
    other = Client()
    other.force_login(carl)
    other.cookies["new-access"] = cookie
    assert 'class="pin"' not in other.get(url).content.decode()
    for changed in (f"{cookie}x", "", "null"):
        chief.cookies["new-access"] = changed
        assert 'class="pin"' not in chief.get(url).content.decode()
    chief.cookies["new-access"] = cookie
    monkeypatch.setattr(shown_once, "SECONDS", -1)
    assert 'class="pin"' not in chief.get(url).content.decode()
    monkeypatch.undo()
    chief.cookies["new-access"] = cookie
    assert 'class="pin"' in chief.get(url).content.decode()
