"""The actions of C.04.2 4.3 and 4.4 from the first page to the last by keyboard,
on a screen of 360 pixels.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tests.tournaments.rounds.met_again import repeat
from tournaments.entries.entries import entry_add
from tournaments.models import Correction, Game, Tournament

from .arbiter import Arbiter
from .test_phone import too_wide
from .test_result_entry import make_round

pytestmark = pytest.mark.django_db(transaction=True)


class Keyboard:
    """A person without a mouse: moves with Tab, acts with Space and Enter."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.main = page.get_by_role("main")

    def reach(self, target: Locator, *, within: int = 60) -> None:
        """Press Tab up to *within* times until *target* has the focus,
        and check that it is visible.
        """
        expect(target).to_have_count(1)
        for _ in range(within):
            if target.evaluate("element => element === document.activeElement"):
                assert target.evaluate("element => element.matches(':focus-visible')")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{target} is not reached in {within} steps")

    def press(self, name: str, *, role: str = "button", within: int = 60) -> None:
        """Move to the button or link with that name, and press Enter."""
        found = self.main.get_by_role(
            "button" if role == "button" else "link", name=name, exact=True
        )
        self.reach(found, within=within)
        self.page.keyboard.press("Enter")

    def open_round_menu(self) -> None:
        self.reach(self.page.locator("#round-menu > summary"))
        self.page.keyboard.press("Enter")

    def tick(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Space")
        expect(target).to_be_checked()

    def choose(self, target: Locator) -> None:
        """Choose a radio button: Tab reaches one of its group, the arrow goes on to the others."""
        group = target.locator("xpath=ancestor::fieldset[1]").get_by_role("radio", disabled=False)
        self.reach(group.first)
        for _ in range(group.count()):
            if target.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        expect(target).to_be_checked()

    def type_into(self, target: Locator, text: str) -> None:
        self.reach(target)
        self.page.keyboard.type(text)

    def effect_has_focus(self) -> None:
        """Expect the focus on the effect, inside the screen, so that it is read next,
        and the button after it.
        """
        expect(self.page.locator("#outlook")).to_be_focused()
        assert too_wide(self.page) == []


@pytest.fixture
def walker(phone: Page, live_server: LiveServer) -> Arbiter:
    arbiter = Arbiter(phone, live_server.url)
    arbiter.log_in()
    return arbiter


def round_1_published(arbiter: Arbiter) -> Tournament:
    """Round 1 was published two minutes ago, round 2 is a draft;
    mistakes can be reported for 30 minutes.
    """
    then = timezone.now() - timedelta(minutes=2)
    tournament = factories.make_ready(arbiter.user, players=12, correction_minutes=30)
    factories.pair_and_publish(tournament, 1, arbiter.user)
    factories.enter_results(tournament, 1, arbiter.user)
    results_publish(round_id=factories.round_of(tournament, 1).pk, actor=arbiter.user, now=then)
    round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=arbiter.user, now=timezone.now()
    )
    return tournament


@pytest.mark.costly
def test_c04_2_4_3_a_result_is_corrected_by_keyboard(walker: Arbiter) -> None:
    tournament = round_1_published(walker)
    keys, page = Keyboard(walker.page), walker.page
    walker.slug = tournament.slug
    walker.open("rounds/1/")
    keys.open_round_menu()
    keys.press("Correct a mistake", role="link", within=9)
    keys.reach(page.get_by_role("region", name="The result is wrong").get_by_label("Board"))
    page.keyboard.type("3")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1, board 3")
    now_wrong = factories.boards(tournament, 1)[2][2]
    right = "01" if now_wrong == "10" else "10"
    # A group of radio buttons is one stop; the arrow keys choose in it.
    keys.reach(page.locator("input[name=result]").first)
    for _ in range(20):
        if page.locator(f"input[name=result][value='{right}']").is_checked():
            break
        page.keyboard.press("ArrowDown")
    keys.type_into(page.get_by_label("Report (person and mistake)"), "both players, with the slip")
    keys.press("Show what this changes")
    keys.effect_has_focus()
    expect(page.locator("#outlook")).to_contain_text("Reported in time.")
    expect(page.locator("#outlook")).to_contain_text("Draft of round 2:")
    assert Correction.objects.count() == 0
    keys.press("Save correction", within=3)
    walker.expect_message("The correction is saved and is in the record")
    assert factories.boards(tournament, 1)[2][2] == right
    assert Correction.objects.get().reason == "both players, with the slip"


@pytest.mark.costly
def test_c04_2_4_4_4_a_late_entry_is_admitted_by_keyboard(walker: Arbiter) -> None:
    tournament = factories.make_ready(walker.user, players=9)
    factories.pair_and_publish(tournament, 1, walker.user)
    entry_add(
        tournament_id=tournament.pk,
        actor=walker.user,
        now=factories.NOW,
        name="Late, Lara",
        checked_in=True,
    )
    keys, page = Keyboard(walker.page), walker.page
    walker.slug = tournament.slug
    walker.open("rounds/1/")
    keys.open_round_menu()
    keys.press("Change pairings", role="link", within=9)
    keys.choose(page.get_by_role("radio", name="A late entry is admitted"))
    keys.press("Next")
    consents = page.get_by_role("group", name="Players who agree").get_by_role("checkbox")
    expect(consents).to_have_count(2)
    for place in range(2):
        keys.tick(consents.nth(place))
    # The effect is shown while the form is filled in, and the focus does not move.
    expect(page.locator("#outlook")).to_contain_text("The basic rules are met")
    expect(consents.nth(1)).to_be_focused()
    keys.type_into(page.get_by_label("Witness"), "Wanda Witness")
    keys.type_into(page.get_by_label("Reason"), "her train was late")
    keys.press("Check pairing")
    keys.effect_has_focus()
    assert len(factories.boards(tournament, 1)) == 4
    keys.press("Save change", within=3)
    walker.expect_message("The change is saved and is in the record.")
    assert len(factories.boards(tournament, 1)) == 5
    page.goto(f"{walker.site}/t/{walker.slug}/pairings/1/")
    expect(page.get_by_role("main")).to_contain_text("[C.04.2 4.4.4]")
    assert too_wide(page) == []


@pytest.mark.costly
def test_escape_closes_a_question_and_good_news_gives_way_to_results(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    chief.slug = round_1_published(chief).slug
    chief.open("rounds/2/")
    question = page.locator("#round-actions details.confirm > summary.primary")
    question.click()
    reason = page.get_by_label("Reason")
    expect(reason).to_be_visible()
    page.keyboard.press("Escape")
    expect(reason).to_be_hidden()
    expect(question).to_be_focused()
    question.click()
    page.get_by_label("End the time to report mistakes").check()
    reason.fill("all agreed")
    reason.press("Enter")
    chief.expect_message("The pairings of round 2 are published.")
    page.wait_for_load_state()  # the message is there before the scripts that hear keys
    messages = page.locator("#messages")
    expect(messages).to_have_css("position", "sticky")
    page.keyboard.press("1")
    expect(messages).to_have_css("position", "static")
    expect(page.locator("#board-1")).to_have_attribute("data-result", "10")


def test_the_desk_follows_another_arbiter_without_moving_the_focus(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    chief.slug = make_round(2, chief.user).slug
    page.clock.install()
    chief.open()
    expect(page.get_by_role("main")).to_contain_text("0 of 2 results entered")
    link = page.get_by_role("main").get_by_role("link", name="Enter results")
    link.focus()
    for game in Game.objects.all():
        result_record(game_id=game.pk, result="10", actor=chief.user, now=timezone.now())
        page.clock.fast_forward(5_000)
        if game.board == 1:
            expect(page.get_by_role("main")).to_contain_text("1 of 2 results entered")
            expect(link).to_be_focused()
    expect(page.get_by_role("heading", name="Publish the results of round 1")).to_be_visible()


@pytest.mark.costly
def test_c04_2_4_4_1_the_smallest_change_is_saved_by_keyboard_with_one_reason(
    walker: Arbiter,
) -> None:
    tournament = repeat(walker.user)
    keys, page = Keyboard(walker.page), walker.page
    walker.slug = tournament.slug
    walker.open("rounds/2/")
    keys.open_round_menu()
    keys.press("Change pairings", role="link", within=9)
    keys.tick(page.get_by_role("radio", name="Two players have met before"))
    keys.press("Next")
    expect(page.get_by_role("region", name="Smallest change")).to_contain_text(
        "2 published boards change."
    )
    keys.type_into(page.get_by_label("Reason"), "they met in round 1")
    keys.press("Save change")
    walker.expect_message("The change is saved and is in the record.")
    assert {(5, 1), (1, 5)}.isdisjoint(row[:2] for row in factories.boards(tournament, 2))
    assert too_wide(page) == []
