"""Followed players on a phone: stars, cards, marked rows, a list that is passed on, the news bar."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_check_in, entry_withdraw, numbers_assign
from tournaments.events.sections import event_create, section_add
from tournaments.models import Entry, Game, Tournament
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.standings.final import standings_make_final
from tournaments.web.events import follow

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_offline import wait_until_kept
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SECONDS = 2_000


@pytest.mark.costly
def test_stars_make_a_list_that_stays_marks_rows_and_is_announced(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=6)
    factories.pair_and_publish(tournament, 1, chief.user)
    players = [factories.entry_of(tournament, number) for number in (1, 2)]
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.clock.install()
    phone.goto(f"{root}player/{players[0].pk}/")
    star = phone.get_by_role("button", name="Follow")
    expect(star).to_have_attribute("aria-pressed", "false")
    star.tap()
    expect(star).to_have_attribute("aria-pressed", "true")
    # A search finds the other one; the list is still the phone's.
    phone.goto(f"{root}follow/?q={players[1].name.split(',')[0]}")
    phone.get_by_role("button", name=players[1].name).tap()
    assert faults(phone) == []
    phone.get_by_role("link", name="Me", exact=True).tap()
    cards = phone.locator("#me-followed .my-board")
    expect(cards).to_have_count(2)
    expect(cards.first).to_contain_text("Board 1")
    assert faults(phone) == []
    assert not too_wide(phone)
    # Their rows are marked in every list, and one tap away.
    phone.goto(f"{root}pairings/1/")
    expect(phone.locator("tr.theirs")).to_have_count(2)
    phone.get_by_role("navigation", name="Rows of players I follow").get_by_role("link").first.tap()
    assert "#board-" in phone.url
    # The list is passed on by its address: another phone sees the cards without any list.
    phone.goto(f"{root}me/")
    phone.get_by_role("link", name="Change this list, or pass it on").tap()
    expect(phone.locator("#followed .my-board")).to_have_count(2)
    expect(phone.locator("[data-follow-list]")).to_be_hidden()  # this phone follows it
    address = phone.url
    phone.evaluate("localStorage.clear()")
    phone.goto(address)
    expect(phone.locator("#followed .my-board")).to_have_count(2)
    offer = phone.get_by_role("button", name="Follow on this phone")
    offer_box, card_box = offer.bounding_box(), phone.locator("#followed").bounding_box()
    assert offer_box is not None
    assert card_box is not None
    assert offer_box["y"] < card_box["y"]
    offer.tap()
    expect(offer).to_have_attribute("aria-pressed", "true")
    # The entry ids of a site that is in use have twelve digits.
    passed_on = phone.get_by_role("region", name="Pass this list on").get_by_role("link")
    passed_on.evaluate("link => link.textContent += '.487815380995'.repeat(40)")
    assert not too_wide(phone)
    # The news bar names their boards.
    factories.enter_results(tournament, 1, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=factories.NOW
    )
    phone.goto(f"{root}standings/")
    factories.pair_and_publish(tournament, 2, chief.user)
    phone.clock.fast_forward(TWO_SECONDS)
    for player in players:
        expect(phone.locator("#news")).to_contain_text(f"{player.name}: round 2, board")


def test_the_bar_names_three_of_many_followed_players(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=24)
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.clock.install()
    phone.goto(f"{root}follow/?q=player")
    phone.get_by_role("button", name="Follow all 24").tap()
    phone.goto(f"{root}players/")
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.clock.fast_forward(TWO_SECONDS)
    link = phone.locator("#news").get_by_role("link")
    expect(link).to_contain_text("round 1, board 1 · ")
    words = (link.text_content() or "").split(" · ")
    assert words[0] == "The pairings of round 1 are published"
    assert [text.endswith((", board 1", ", board 2")) for text in words[1:-1]] == [True] * 3
    assert words[-1] == "and 21 more"
    bar = phone.locator("#news").bounding_box()
    assert bar is not None
    assert bar["height"] < phone.evaluate("innerHeight") / 4
    link.tap()
    cards = phone.locator("#me-followed .my-board")
    expect(cards).to_have_count(24)
    # Me asks once for all of them after a publication.
    factories.enter_results(tournament, 1, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=factories.NOW
    )
    phone.clock.fast_forward(TWO_SECONDS)
    expect(cards.first).to_contain_text("After round 1")
    expect(phone.locator("#news")).to_contain_text("The results of round 1 are published")
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    factories.pair_and_publish(tournament, 2, chief.user)
    phone.clock.fast_forward(TWO_SECONDS)
    expect(cards.first).to_contain_text("Round 2")
    expect(phone.locator("#news")).to_contain_text("round 2, board 1 · ")
    with phone.expect_response("**/news.json"):  # the next question: all others were asked
        phone.clock.fast_forward(TWO_SECONDS)
    assert len([url for url in asked if "/follow/" in url]) == 1
    assert [url for url in asked if "/player/" in url] == []


@pytest.mark.costly
def test_a_phone_finds_its_section_from_the_poster_of_the_event(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    first = factories.make_ready(chief.user, players=4)
    by = {"actor": chief.user, "now": factories.NOW}
    event = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
    section_add(event_id=event.pk, like_id=first.pk, label="B", limits={}, **by)
    factories.pair_and_publish(first, 1, chief.user)
    player = factories.entry_of(first, 2)
    me = f"{live_server.url}/e/{event.slug}/me/"
    phone.goto(me)
    phone.get_by_role("searchbox").fill(player.name)
    phone.get_by_role("button", name="Find").tap()
    found = phone.get_by_role("link", name=player.name)
    expect(found).to_be_visible()
    assert faults(phone) == []
    found.tap()
    expect(phone.locator("#me-player .my-board")).to_contain_text("Board 2")
    phone.goto(me)
    phone.wait_for_url(f"**/t/{first.slug}/me/")
    expect(phone.locator("#me-player .my-board")).to_contain_text("Board 2")


@pytest.mark.costly
def test_a_slow_server_does_not_let_the_bar_name_older_boards(
    phone: Page, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker answers with the cards it keeps after 600 ms; the bar once named their boards."""
    phone.add_init_script("Math.random = () => 0;")
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=6)
    factories.play_rounds(tournament, [1], chief.user)
    child = factories.entry_of(tournament, 1)
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.goto(f"{root}player/{child.pk}/")
    phone.get_by_role("button", name="Follow").tap()
    phone.goto(f"{root}me/")
    card = phone.locator("#me-followed .my-board")
    expect(card).to_contain_text("Round 1")
    wait_until_kept(phone)
    rendered = follow._page

    def slowly(*arguments: object) -> object:
        time.sleep(1.5)
        return rendered(*arguments)  # type: ignore[arg-type]  # whatever the view gives

    monkeypatch.setattr(follow, "_page", slowly)
    factories.pair_and_publish(tournament, 2, chief.user)
    expect(phone.locator("#news")).to_contain_text(f"{child.name}: round 2, board")
    expect(card).to_contain_text("Round 2")


@pytest.mark.costly
def test_a_parent_follows_children_of_two_sections_from_the_poster_to_the_end(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    by = {"actor": chief.user, "now": factories.NOW}
    first = factories.make_ready(chief.user, players=9)
    event = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
    second = section_add(event_id=event.pk, like_id=first.pk, label="B", limits={}, **by)
    for name, rating in (
        ("Big, Bo", 1500),
        ("Small, Ada", 1400),
        ("Tall, Li", 1300),
        ("Wee, Jo", 1200),
    ):
        entry_add(tournament_id=second.pk, name=name, fide_rating=rating, **by)
    numbers_assign(tournament_id=second.pk, **by)
    initial_colour_set(tournament_id=second.pk, colour="w", **by)
    winner, plays, leaves = (factories.entry_of(first, number) for number in (2, 5, 9))
    small = factories.entry_of(second, 2)
    # The poster's code leads to the event; from there each child is a star.
    phone.goto(f"{live_server.url}/e/{event.slug}/me/")
    phone.get_by_role("link", name="Follow players, a club or a federation").tap()
    for child in (winner, plays, leaves, small):
        phone.get_by_role("searchbox").fill(child.name)
        phone.get_by_role("button", name="Find").tap()
        phone.locator(f'.me-found [data-follow="{child.pk}"]').tap()
    phone.get_by_role("link", name="Me", exact=True).tap()
    bar = phone.locator("#news")

    def card(child: Entry) -> Locator:
        return phone.locator(f'#me-followed .my-board:has([data-follow="{child.pk}"])')

    def publish_results(tournament: Tournament, number: int) -> None:
        factories.enter_results(tournament, number, chief.user)
        round_ = factories.round_of(tournament, number)
        results_publish(round_id=round_.pk, before_time=True, **by)

    expect(phone.locator("#me-followed .my-board")).to_have_count(4)
    factories.pair_and_publish(first, 1, chief.user)
    expect(card(winner)).to_contain_text("Board 2")
    expect(card(leaves)).to_contain_text("Pairing-allocated bye")
    expect(bar).to_contain_text(f"{winner.name}: round 1, board 2")
    # The other section publishes later: the page of this one learns of it too.
    factories.pair_and_publish(second, 1, chief.user)
    expect(card(small)).to_contain_text("Board 2")
    expect(bar).to_contain_text(f"{small.name}: round 1, board 2")
    publish_results(first, 1)
    expect(card(winner)).to_contain_text("0 – 1")
    game = Game.objects.get(round=factories.round_of(first, 1), board=2)
    result_correct(game_id=game.pk, result="==", report=Report(factories.NOW, "both say so"), **by)
    expect(card(winner)).to_contain_text("½ – ½")
    bye_request(entry_id=plays.pk, round_number=2, kind="H", **by)
    late = entry_add(tournament_id=first.pk, name="Late, Zoë", fide_rating=2000, **by)
    entry_check_in(entry_id=late.pk, checked_in=True, **by)
    factories.pair_and_publish(first, 2, chief.user)
    expect(card(plays)).to_contain_text("Half-point bye")
    publish_results(first, 2)
    # The late entry is one more star.
    phone.get_by_role("link", name="Change this list, or pass it on").tap()
    phone.get_by_role("searchbox").fill(late.name)
    phone.get_by_role("button", name="Find").tap()
    phone.locator(f'.me-found [data-follow="{late.pk}"]').tap()
    phone.get_by_role("link", name="Me", exact=True).tap()
    expect(card(late)).to_contain_text("Round 2")
    entry_withdraw(entry_id=leaves.pk, **by)
    expect(card(leaves)).to_contain_text("withdrawn")
    for number in (3, 4, 5):
        factories.pair_and_publish(first, number, chief.user)
        expect(card(late)).to_contain_text(f"Round {number}")
        expect(card(leaves)).to_contain_text("No game in this round")
        publish_results(first, number)
        expect(card(winner)).to_contain_text(f"After round {number}: rank")
    standings_make_final(tournament_id=first.pk, ties_stay=True, **by)
    expect(card(winner)).to_contain_text("final")
    expect(card(small)).not_to_contain_text("final")
    assert faults(phone) == []
    assert not too_wide(phone)


def test_a_star_is_a_link_to_the_card_where_the_phone_keeps_no_list(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=2)
    player = factories.entry_of(tournament, 1)
    phone.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException(); } });"
    )
    phone.goto(f"{live_server.url}/t/{tournament.slug}/player/{player.pk}/")
    phone.get_by_role("link", name="Follow", exact=True).tap()
    expect(phone.locator("#followed")).to_contain_text(player.name)
