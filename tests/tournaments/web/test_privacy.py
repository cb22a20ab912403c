"""Visitors read of a player only what a list on the wall shows, on every page, in every file and over the API."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests.tournaments import factories
from tournaments.api.urls import urlpatterns as api
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import entry_update
from tournaments.models import Registration, Tournament

from .test_every_public_page import OPEN_PAGES, OTHER_PAGES, address

pytestmark = pytest.mark.django_db

PRIVATE = {
    "date of birth": r"1987.?(06|6).?(05|5)\b|5 June 1987",
    "phone": r"0699[ .]?123[ .]?456",
    "note": r"gluten",
    "fee": r"\b77[.,]31\b|\b7731\b",
    "paid": r"\b41[.,]17\b|\b4117\b",
    "e-mail": r"ada@example",
    "consent": r"may be photographed",
}


@pytest.fixture
def told(chief_arbiter: User) -> Tournament:
    """Round 1 played, round 2 published; of player 1 everything is known."""
    tournament = factories.make_ready(chief_arbiter, players=5)
    entry = factories.entry_of(tournament, 1)
    by = {"actor": chief_arbiter, "now": factories.NOW}
    entry_update(entry_id=entry.pk, birth_date="1987/06/05", **by)  # type: ignore[arg-type]
    desk_data_set(
        entry_id=entry.pk,
        phone="0699123456",
        note="no gluten",
        fee_due=7731,
        fee_paid=4117,
        **by,  # type: ignore[arg-type]
    )
    Registration.objects.create(
        tournament=tournament,
        link="0" * 64,
        state="received",
        fields={"name": "Lovelace, Ada", "birth_date": "1987/06/05"},
        email="ada@example.org",
        phone="0699 123 456",
        consent="I may be photographed",
        created_at=factories.NOW,
    )
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def text_of(response: HttpResponseBase) -> str:
    if isinstance(response, StreamingHttpResponse):
        return b"".join(response.streaming_content).decode()  # type: ignore[arg-type]
    return response.content.decode()


def everything(client: Client, tournament: Tournament) -> dict[str, str]:
    """Return every answer that a visitor gets about *tournament*, pages and API, by name."""
    found = {}
    for name, numbers in (OPEN_PAGES | OTHER_PAGES).items():
        response = client.get(address(tournament, name, numbers))
        assert response.status_code == 200, name
        found[name] = text_of(response)
    for name in {str(pattern.name) for pattern in api if getattr(pattern, "name", None)}:
        for numbers in ([], [1]):
            try:
                url = reverse(f"api:{name}", args=[tournament.slug, *numbers])
            except NoReverseMatch:
                continue
            response = client.get(url)
            if response.status_code == 200:
                found[f"api:{name}"] = text_of(response)
    return found


def test_no_public_answer_has_private_data(told: Tournament, client: Client) -> None:
    answers = everything(client, told)
    assert {"api:entries", "api:standings", "api:trf", "api:record", "record-file", "trf-export"} <= answers.keys()
    leaks = [
        (name, what)
        for name, text in answers.items()
        for what, pattern in PRIVATE.items()
        if re.search(pattern, re.sub(r"\b[0-9a-f]{12,}\b", "", text))
    ]
    assert leaks == []


def test_what_is_searched_for_would_be_found(told: Tournament, client: Client, chief_arbiter: User) -> None:
    """The arbiters' own pages have it: otherwise the test above would prove nothing."""
    client.force_login(chief_arbiter)
    entry = factories.entry_of(told, 1)
    pages = (("entry-edit", [entry.pk]), ("desk-card", [entry.pk]), ("registrations", []))
    text = " ".join(client.get(reverse(name, args=[told.slug, *numbers])).content.decode() for name, numbers in pages)
    missing = {what for what, pattern in PRIVATE.items() if not re.search(pattern, text)}
    assert missing <= {"consent", "e-mail"}  # They are on the card of the registration only.
