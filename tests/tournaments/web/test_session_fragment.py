"""A public page is the same for everybody; the browser of a
logged-in reader adds the reader's own part.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.markup import tidy
from tests.tournaments.web.test_access_pages import MORE_FOR_ARBITERS
from tests.tournaments.web.test_every_public_page import (
    HTMX,
    OPEN_PAGES,
    OTHER_PAGES,
    address,
    on_site,
)
from tournaments.models import Tournament

__all__ = ["on_site"]

EVERY_PAGE = OPEN_PAGES | OTHER_PAGES


@pytest.mark.costly
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_arbiters_and_strangers_get_the_bytes_of_everybody(
    on_site: Tournament,
    client: Client,
    chief_arbiter: User,
    stranger: User,
    headers: dict[str, str],
) -> None:
    """Except where an arbiter reads more on purpose;
    and no answer that may be stored sets a cookie.
    """
    for name, numbers in EVERY_PAGE.items():
        url = address(on_site, name, numbers)
        visitor = Client().get(url, headers=headers)
        for user in (stranger, chief_arbiter):
            client.force_login(user)
            page = client.get(url, headers=headers)
            if user == chief_arbiter and name in MORE_FOR_ARBITERS:
                assert page.headers["Cache-Control"] == "private, no-store", name
            else:
                assert (page.content, page.headers["ETag"]) == (
                    visitor.content,
                    visitor.headers["ETag"],
                ), name
                assert not page.cookies, name


def test_a_visitor_has_no_part_of_its_own(on_site: Tournament, client: Client) -> None:
    answer = client.get(reverse("own-part", args=[on_site.slug]))
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert not answer.cookies


def test_an_arbiter_gets_name_tabs_keys_and_a_way_to_log_out(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = tidy(
        client.get(reverse("own-part", args=[on_site.slug]), {"on": "record"}).content.decode()
    )
    desk, logout, record = (
        reverse("desk", args=[on_site.slug]),
        reverse("logout"),
        reverse("record", args=[on_site.slug]),
    )
    assert f'<a href="{desk}"' in text
    assert f'action="{logout}"' in text
    assert f'<a href="{record}" aria-current="page">' in text
    assert chief_arbiter.get_full_name() in text
    assert 'id="keys-link"' in text


def test_a_stranger_gets_name_and_log_out_and_the_tabs_of_everybody(
    on_site: Tournament, client: Client, stranger: User
) -> None:
    client.force_login(stranger)
    text = client.get(
        reverse("own-part", args=[on_site.slug]), {"section": '"><b>'}
    ).content.decode()
    assert reverse("logout") in text
    assert reverse("desk", args=[on_site.slug]) not in text
    assert "<b>" not in text
    assert "keys-link" not in text


def test_the_mark_for_scripts_comes_and_goes_with_the_log_in(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    client.get(reverse("desk", args=[on_site.slug]))
    assert client.cookies["signed_in"].value == "1"
    client.post(reverse("logout"))
    client.get(reverse("own-part", args=[on_site.slug]))
    assert client.cookies["signed_in"].value == ""


def test_without_javascript_a_public_page_leads_to_the_desk(
    on_site: Tournament, client: Client
) -> None:
    page = client.get(reverse("standings", args=[on_site.slug])).content.decode()
    assert f'href="{reverse("desk", args=[on_site.slug])}"' in page
