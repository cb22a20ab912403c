"""A wrong result: reported on a phone, found by the arbiter on *Now*, corrected with its time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tournaments.models import Game

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.costly
def test_a_wrong_result_goes_from_the_phone_to_the_correction(
    phone: Page, page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=6, correction_minutes=30)
    round_, now = factories.round_of(tournament, 1), timezone.now() - timedelta(minutes=5)
    round_pair(round_id=round_.pk, actor=chief.user, now=now)
    round_publish(round_id=round_.pk, actor=chief.user, now=now)
    for game in Game.objects.filter(round=round_):
        result_record(game_id=game.pk, result="10", actor=chief.user, now=now)
    results_publish(round_id=round_.pk, actor=chief.user, now=now)
    entry = factories.entry_of(tournament, 4)
    phone.goto(f"{live_server.url}/t/{tournament.slug}/player/{entry.pk}/")
    phone.get_by_role("link", name="Report a wrong result").tap()
    expect(phone.locator("#content")).to_contain_text("can be reported until")
    assert faults(phone) == []
    assert not too_wide(phone)
    phone.get_by_role("radio", name="½ – ½").check()
    phone.get_by_role("button", name="Send to the arbiters").tap()
    expect(phone.get_by_role("status").last).to_contain_text("The arbiters have it.")
    assert faults(phone) == []
    chief.log_in()
    page.goto(f"{live_server.url}/t/{tournament.slug}/desk/")
    page.get_by_role("link", name="Read").click()
    expect(page.locator("#content")).to_contain_text("at My board")
    assert faults(page) == []
    page.get_by_role("link", name="Correct…").click()
    assert page.locator("[name=result]").first.input_value() == "=="
    expect(page.locator("[name=reason]")).to_have_value(f"{entry.name}, with a phone")
