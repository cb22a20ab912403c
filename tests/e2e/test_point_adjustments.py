"""Point adjustments by keyboard on a phone and without JavaScript; players can read the reason."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.models import PointAdjustment, Tournament

from .arbiter import Arbiter
from .test_by_keyboard import Keyboard
from .test_phone import too_wide

pytestmark = [pytest.mark.costly, pytest.mark.django_db(transaction=True)]


def two_rounds_over(arbiter: Arbiter) -> Tournament:
    tournament = factories.make_ready(arbiter.user)
    factories.play_rounds(tournament, [1, 2], arbiter.user)
    arbiter.slug = tournament.slug
    arbiter.log_in()
    return tournament


def test_points_are_taken_by_keyboard(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = two_rounds_over(chief)
    keys = Keyboard(phone)
    chief.open("corrections/")
    keys.press("Point adjustments", role="link")
    keys.type_into(phone.get_by_label("Player", exact=True), "2 Blom")
    keys.reach(phone.get_by_label("Number of points"))
    phone.keyboard.press("ArrowDown")
    phone.keyboard.press("ArrowDown")
    keys.type_into(phone.get_by_label("Rule"), "Laws 12.9")
    keys.type_into(phone.get_by_label("Reason"), "left the hall with a telephone")
    keys.press("Show consequences")
    keys.effect_has_focus()
    expect(phone.locator("#outlook")).to_contain_text("2 Blomqvist, Player 2: −1½")
    expect(phone.locator("#outlook")).to_contain_text("They count for the pairing of round 3")
    keys.press("Confirm adjustment", within=3)
    chief.expect_message("The point adjustment is saved.")
    entry = factories.entry_of(tournament, 2)
    assert list(PointAdjustment.objects.values_list("points", "round_number", "entry")) == [
        (-15, 2, entry.pk)
    ]
    phone.context.clear_cookies(name="sessionid")
    chief.open("standings/")
    phone.get_by_role("link", name="−1½ point adjustment: Blomqvist, Player 2").click()
    expected = "2 Blomqvist, Player 2 −1½ in round 2 [Laws 12.9]: left the hall with a telephone"
    expect(phone.locator("#by-decision li")).to_have_text(expected)
    assert too_wide(phone) == []


def test_points_are_given_and_withdrawn_without_javascript(
    plain_page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(plain_page, live_server.url)
    tournament = two_rounds_over(chief)
    chief.open()
    chief.go("Proof", "Point adjustments")
    plain_page.get_by_label("Player", exact=True).select_option("7 Grau, Player 7")
    plain_page.get_by_label("Give points").check()
    chief.press("Show consequences")
    expect(plain_page.locator("input:invalid").first).to_have_attribute("name", "article")
    plain_page.get_by_label("Rule").fill("Regulations 7.3")
    plain_page.get_by_label("Reason").fill("the hall was locked")
    chief.press("Show consequences")
    chief.press("Confirm adjustment")
    chief.expect_message("The point adjustment is saved.")
    assert list(PointAdjustment.objects.values_list("points", "round_number", "entry")) == [
        (5, 2, factories.entry_of(tournament, 7).pk)
    ]
    plain_page.get_by_text("Withdraw…").click()
    plain_page.get_by_role("group").get_by_label("Reason").fill("it was open")
    chief.press("Withdraw adjustment")
    chief.expect_message("The point adjustment is withdrawn.")
    expect(plain_page.get_by_role("main")).to_contain_text("There are no point adjustments.")
    assert not PointAdjustment.objects.exists()
