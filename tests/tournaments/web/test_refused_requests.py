"""What people get after an expired session, with the game of another tournament, after too many
wrong passwords, and at an internal error.
"""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.defaults import server_error

from tests.tournaments import factories
from tests.tournaments.web.test_access_pages import address
from tournaments.models import Game, Round, Tournament


@pytest.mark.parametrize("name", ["round-pair", "game-result", "results-state"])
def test_an_expired_session_answers_htmx_with_a_redirect_header(
    name: str, on_site: Tournament, client: Client
) -> None:
    headers = {
        "HX-Request": "true",
        "HX-Current-URL": f"http://testserver/t/{on_site.slug}/rounds/1/results/",
    }
    ask = client.get if name == "results-state" else client.post
    response = ask(address(name, on_site), headers=headers)
    assert (
        response.headers["HX-Redirect"]
        == f"/accounts/login/?next=/t/{on_site.slug}/rounds/1/results/"
    )
    assert response.content == b""
    # An invalid address in the header is ignored.
    response = ask(address(name, on_site), headers=headers | {"HX-Current-URL": "http://[bad"})
    back = address(name, on_site) if name == "results-state" else "/"
    assert response.headers["HX-Redirect"] == f"/accounts/login/?next={back}"


def test_a_game_of_another_tournament_is_not_found(
    on_site: Tournament, client: Client, stranger: User
) -> None:
    """An arbiter of one tournament does not reach another one through its own address."""
    own = factories.make_ready(stranger, name="My Own")
    game = Game.objects.filter(round__tournament=on_site).first()
    assert game is not None
    client.force_login(stranger)
    response = client.post(reverse("game-result", args=[own.slug, game.pk]), {"result": "10"})
    assert response.status_code == 404
    game.refresh_from_db()
    assert game.result == ""


def test_the_way_back_leads_only_to_this_site(client: Client) -> None:
    response = client.get(reverse("language", args=["fr"]), {"next": "https://example.org/"})
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    assert client.cookies["django_language"].value == "fr"
    assert client.get(reverse("language", args=["xx"])).status_code == 404


@pytest.mark.costly
def test_too_many_wrong_passwords_get_a_page(client: Client, chief_arbiter: User) -> None:
    wrong = {"username": "chief", "password": "guessed"}
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = client.post(reverse("login"), wrong)
    assert response.status_code == 429
    assert "Too many wrong passwords" in response.content.decode()


def test_the_page_for_an_internal_error_needs_no_context(rf: RequestFactory) -> None:
    """The page for an internal error has no context, no database and both languages."""
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Nothing was saved partially" in response.content.decode()
    assert "Rien n’a été enregistré à moitié" in response.content.decode()


def test_a_refusal_with_a_players_name_is_not_stored(
    published_round: Round, client: Client, stranger: User
) -> None:
    desk = reverse("desk", args=[published_round.tournament.slug])
    absent = client.get("/t/nowhere/")
    assert (absent.status_code, absent.headers.get("Cache-Control")) == (404, "private, no-store")
    client.force_login(stranger)
    for path, status in ((desk, 403), ("/t/nowhere/", 404), ("/nowhere", 404)):
        response = client.get(path)
        assert (response.status_code, response.headers["Cache-Control"]) == (
            status,
            "private, no-store",
        ), path
        assert stranger.username in response.content.decode()
