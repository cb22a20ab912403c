"""A player's page that is not stored yet is put together: only what is the player's own is rendered for its visitor."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import factories
from tests.tournaments.web.test_every_public_page import HTMX
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.stored_pages import ENTRY
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Tournament
from tournaments.standings.player import player_page
from tournaments.standings.points import adjustments
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.public_page import rendered
from tournaments.web.standings.player import context_of


def played(chief: User) -> Tournament:
    tournament = factories.make_ready(chief, players=5)
    for tpn, name in ((2, "O'Brien & <Søn>, Åsa"), (3, f"{ENTRY}, Nul")):
        tournament.entries.filter(tpn=tpn).update(name=name)
    factories.play_rounds(tournament, [1], chief)
    factories.pair_and_publish(tournament, 2, chief)
    tournament.refresh_from_db()
    return tournament


def as_template(entry_id: int, request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    page = player_page(frame, entry_id)
    assert page is not None
    lines = adjustments(frame.tournament, after_round=page.after_round, tpn=page.entry.tpn)
    return page_or_partial(request, "standings/player.html", "live", context_of(frame, page, lines))


def test_it_is_the_page_of_the_template(client: Client, chief_arbiter: User) -> None:
    tournament = played(chief_arbiter)
    frame = tournament_frame(tournament, runs=False, now=timezone.now())
    for entry in tournament.entries.all():
        url = reverse("player-page", args=[tournament.slug, entry.pk])
        for language in ("en", "fr"):
            with translation.override(language):
                _, (page, part) = rendered(frame, url, partial(as_template, entry.pk))
            headers = {"Accept-Language": language}
            assert client.get(url, headers=headers).content == page.content
            assert client.get(url, headers=headers | HTMX).content == part.content


def test_the_next_player_costs_only_what_says_the_state(
    client: Client, chief_arbiter: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = played(chief_arbiter)
    first, second, *_others = (
        reverse("player-page", args=[tournament.slug, entry.pk]) for entry in tournament.entries.order_by("tpn")
    )
    client.get(first)
    with django_assert_num_queries(4):  # the tournament, twice the frame around the page, and whether it is still new
        assert client.get(second).status_code == 200


def test_a_new_state_is_shown(client: Client, chief_arbiter: User) -> None:
    tournament = played(chief_arbiter)
    entry = factories.entry_of(tournament, 5)
    url = reverse("player-page", args=[tournament.slug, entry.pk])
    assert "withdrawn" not in client.get(url).content.decode()
    entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW)
    assert "withdrawn" in client.get(url).content.decode()
