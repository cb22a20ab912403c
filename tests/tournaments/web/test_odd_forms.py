"""No form that somebody wrote by hand answers 500:
fields missing, odd, twice or far too many, or no form at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse

from config.urls import urlpatterns as site
from tests.tournaments import factories
from tests.tournaments.core.test_every_stale_form import Forms
from tests.tournaments.factories import NOW
from tests.tournaments.web.test_access_pages import addresses
from tournaments.events.sections import event_create
from tournaments.models import Decision, PrizeFund, Round
from tournaments.standings.prize_plan import PrizePlan, plan_of
from tournaments.web.urls import urlpatterns

pytestmark = pytest.mark.django_db

ODD: Final[tuple[Any, ...]] = ("", "x", "\0", "-1", "9" * 25, ["1", "x"], "1,x:2", ",")
ROWS: Final = ("0", "3", "1000000", "-1", "x")
"""What a management form may say about the number of its rows."""
NO_FORMS: Final = (
    ("application/json", b"[]"),
    ("multipart/form-data; boundary=x", b"--y"),
    ("application/x-www-form-urlencoded", b"%ff=%00&=&&a=%zz"),
)
Body = dict[str, Any]


@pytest.fixture
def client(chief_arbiter: User) -> Client:
    """The Chief Arbiter of the tournaments, who is a site administrator too."""
    User.objects.filter(pk=chief_arbiter.pk).update(is_staff=True, is_superuser=True)
    client = Client(raise_request_exception=False)
    client.force_login(chief_arbiter)
    return client


@pytest.fixture
def urls(published_round: Round, chief_arbiter: User) -> list[str]:
    """Every address: of a tournament in round 1, of one before round 1, of an event,
    and of the account.
    """
    tournament = published_round.tournament
    second = factories.make_tournament(chief_arbiter, name="Second")
    factories.make_entries(second, chief_arbiter, 3)
    event = event_create(
        tournament_id=second.pk, name="Club", label="A", actor=chief_arbiter, now=NOW
    )
    found = []
    for name in [pattern.name or "" for pattern in urlpatterns]:
        for about in (tournament, second):
            try:
                found.append(addresses([name], about)[name])
            except (NoReverseMatch, KeyError):
                continue
        if name.startswith("event"):
            try:
                found.append(reverse(name, args=[event.slug]))
            except NoReverseMatch:
                continue
    named = [pattern.name for pattern in site if getattr(pattern, "name", None)]
    for name in named:
        if name != "logout":
            try:
                found.append(reverse(str(name)))
            except NoReverseMatch:
                continue
    return sorted(set(found))


def attempt(client: Client, url: str, *arguments: Any, **more: Any) -> HttpResponse:
    """POST to *url* and take everything back."""
    with transaction.atomic():
        response = client.post(url, *arguments, **more)
        transaction.set_rollback(True)
    return response


def forms_of(
    client: Client, urls: list[str]
) -> dict[tuple[str, tuple[str, ...]], tuple[str, Body]]:
    """Return every different form of the pages: its address, and what a browser sends from it."""
    found = {}
    for url in urls:
        with transaction.atomic():
            page = client.get(url)
            transaction.set_rollback(True)
        if page.streaming or not page.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for action, values in Forms(page.content.decode(), url).found:
            if "logout" not in action:
                path = action.partition("?")[0].replace("/second/", "/autumn-open/")
                found.setdefault((path, tuple(sorted(values))), (action, values))
    return found


def bodies(values: Body, *, thorough: bool) -> Iterator[Body]:
    """Yield *values* in every odd form."""
    yield values
    rows = tuple(
        name.removesuffix("TOTAL_FORMS") for name in values if name.endswith("-TOTAL_FORMS")
    )
    counts = [name for name in values if name.endswith("_FORMS")]
    for total in ROWS if counts else ():
        for initial in ("0", total):
            numbers = {name: total if "TOTAL" in name else initial for name in counts}
            yield {
                name: text for name, text in values.items() if not name.startswith(rows)
            } | numbers
            yield values | numbers
    names = [name for name in values if name != "csrfmiddlewaretoken"]
    for odd in ODD:
        yield values | dict.fromkeys(names, odd)
    for name in names if thorough else ():
        yield {other: text for other, text in values.items() if other != name}
        yield from (values | {name: odd} for odd in ODD)


@pytest.mark.costly
def test_every_address_answers_an_empty_form_and_what_is_none(
    client: Client, urls: list[str]
) -> None:
    failed = {url for url in urls if attempt(client, url).status_code >= 500}
    for kind, raw in NO_FORMS:
        failed |= {
            url for url in urls if attempt(client, url, raw, content_type=kind).status_code >= 500
        }
    assert failed == set()
    assert len(urls) > 150


def faults(client: Client, urls: list[str], *, thorough: bool) -> dict[str, Body]:
    found = forms_of(client, urls)
    assert len(found) > 60
    return {
        action: body
        for action, values in found.values()
        for body in bodies(values, thorough=thorough)
        if attempt(client, action, body).status_code >= 500
    }


@pytest.mark.costly
def test_every_form_answers_odd_values_and_rows(client: Client, urls: list[str]) -> None:
    assert faults(client, urls, thorough=False) == {}


@pytest.mark.slow
def test_every_form_answers_without_each_field_and_with_each_odd_value(
    client: Client, urls: list[str]
) -> None:
    assert faults(client, urls, thorough=True) == {}


def test_prizes_without_their_rows_are_refused_and_stay(
    published_round: Round, client: Client
) -> None:
    tournament = published_round.tournament
    url = reverse("prizes-define", args=[tournament.slug])
    rows = {
        "row-TOTAL_FORMS": "3",
        "row-INITIAL_FORMS": "0",
        "division": "equal",
        "currency": "EUR",
        "most_each": "1",
        "choice": "most_valuable",
        "unit": "1",
    }
    assert attempt(client, url, rows).status_code == 302  # rows that were not sent are empty
    sent = rows | {"row-0-name": "First", "row-0-amounts": "300 200"}
    assert client.post(url, sent).status_code == 302
    before = Decision.objects.filter(tournament=tournament).count()
    without = rows | {"row-INITIAL_FORMS": "1"}
    assert client.post(url, without).status_code == 422
    for broken in (
        {},
        {"division": "equal"},
        rows | {"row-TOTAL_FORMS": "1000000"},
        without | {"division": "x"},
    ):
        assert client.post(url, broken).status_code == 422
    assert [category.name for category in plan_of(tournament).categories] == ["First"]
    assert Decision.objects.filter(tournament=tournament).count() == before
    assert isinstance(plan_of(tournament), PrizePlan)
    assert PrizeFund.objects.filter(tournament=tournament).count() == 1
