"""How many clicks and keys the tasks of a weekend take: each row of docs/developer/clicks.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tests.tournaments.factories import NOW, entry_of
from tournaments.core.short_address import new_screen_code
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add
from tournaments.events.screens import Wanted, screen_add
from tournaments.events.sections import event_create
from tournaments.models import Game, RequestedBye, Section, Tournament

from .arbiter import Arbiter
from .person import Person

TABLE: Final = Path(__file__).resolve().parents[2] / "docs" / "developer" / "clicks.md"
PLAYERS: Final = 46
LIST: Final = "Name;Rating;Fed\n" + "".join(
    f"Guest, Number {n:02d};{2400 - 17 * n};FRA\n" for n in range(1, 41)
)


Task = Callable[[Arbiter, Person], None]
TASKS: Final[dict[str, Task]] = {}


def task(name: str) -> Callable[[Task], Task]:
    def added(play: Task) -> Task:
        TASKS[name] = play
        return play

    return added


def limits() -> dict[str, tuple[int, int]]:
    """Return the most clicks and keys of each task, from the table."""
    rows = re.findall(r"^\| ([a-z].*?) \| .*? \| (\d+) \| (\d+) \|$", TABLE.read_text(), re.M)
    return {name: (int(clicks), int(keys)) for name, clicks, keys in rows}


def at_the_desk(chief: Arbiter, tournament: Tournament, path: str = "desk/") -> Tournament:
    chief.slug = tournament.slug
    chief.open(path)
    return tournament


def in_play(chief: Arbiter, path: str = "rounds/1/") -> Tournament:
    """Round 1 is published: player 40 has a bye, and one player the pairing-allocated bye."""
    tournament = factories.make_ready(chief.user, players=PLAYERS)
    asks = entry_of(tournament, 40)
    bye_request(entry_id=asks.pk, round_number=1, kind="H", actor=chief.user, now=NOW)
    factories.pair_and_publish(tournament, 1, chief.user)
    return at_the_desk(chief, tournament, path)


def all_boards(chief: Arbiter, path: str = "desk/") -> Tournament:
    """Round 1 with 23 boards is published."""
    tournament = factories.make_ready(chief.user, players=PLAYERS)
    factories.pair_and_publish(tournament, 1, chief.user)
    return at_the_desk(chief, tournament, path)


def is_saved(page: Page, board: int, result: str) -> None:
    expect(page.locator(f"#board-{board}")).to_have_attribute("data-result", result)
    expect(page.locator("#save-state")).to_have_text("✓ all saved")


@task("create an event of five rounds")
def create(chief: Arbiter, count: Person) -> None:
    chief.page.goto(f"{chief.site}/")
    count.press_button("New tournament")
    expect(count.page.get_by_label("Name", exact=True)).to_be_focused()
    count.type("Weekend Open")
    count.click(count.page.get_by_label("Weekend open"))
    count.press_button("Create tournament")
    chief.expect_message("The tournament is created.")
    assert Tournament.objects.get().total_rounds == 5


@task("import 40 players from a file")
def bring_in(chief: Arbiter, count: Person) -> None:
    tournament = at_the_desk(chief, factories.make_tournament(chief.user))
    count.press_button("Import entries")
    sent = {"name": "players.csv", "mimeType": "text/csv", "buffer": LIST.encode()}
    count.page.locator("input[type=file]").set_input_files([sent])  # type: ignore[list-item]
    count.clicks += 2  # One opens the dialog of the system, one takes the file.
    count.press_button("Preview")
    count.press_button("Import the ticked rows")
    chief.expect_message("40 players are entered.")
    assert tournament.entries.count() == 40


@task("estimate four players without a rating")
def estimate(chief: Arbiter, count: Person) -> None:
    tournament = factories.make_tournament(chief.user)
    for number in range(4):
        entry_add(
            tournament_id=tournament.pk, actor=chief.user, now=NOW, name=f"New, Player {number}"
        )
    at_the_desk(chief, tournament)
    count.tab("Players")
    count.tab("Ratings")
    expect(count.main.get_by_label("New, Player 0")).to_be_focused()
    for number in range(4):
        count.type(str(1450 + number))
        count.press("Tab" if number < 3 else "Enter")
    expect(count.page.locator("#messages")).to_contain_text("estimate")
    assert sorted(tournament.entries.values_list("rating", flat=True)) == [1450, 1451, 1452, 1453]


@task("define eight prizes")
def prizes(chief: Arbiter, count: Person) -> None:
    at_the_desk(chief, factories.make_ready(chief.user))
    rows = (
        {"name": "Main prizes", "amounts": "500 300 200"},
        {"sex": "women", "amounts": "120"},
        {"age": "U16", "amounts": "60 40"},
        {"rating": "<1800", "amounts": "80"},
        {"rating": "unrated", "things": "Book"},
        {"age": "60+", "amounts": "50"},
        {"club": "Rook", "things": "Cup"},
        {"federation": "SCO", "amounts": "50"},
    )
    count.tab("Setup")
    count.tab("Prizes")
    for place, row in enumerate(rows):
        for name, value in row.items():
            field = count.page.locator(f"[name=row-{place}-{name}]")
            if name == "sex":
                count.choose(field, value)
            else:
                count.click(field)
                count.type(value)
    count.press("Enter")
    chief.expect_message("The prizes are saved.")


@task("make an account for a deputy")
def account(chief: Arbiter, count: Person) -> None:
    at_the_desk(chief, factories.make_tournament(chief.user))
    count.tab("Team")
    expect(count.page.get_by_label("Name", exact=True)).to_be_focused()
    count.type("Kit Marlow")
    count.click(count.page.get_by_label("With a new account"))
    count.press_button("Appoint")
    chief.expect_message("The account is made.")


@task("make a link with a PIN for a helper")
def link(chief: Arbiter, count: Person) -> None:
    at_the_desk(chief, factories.make_tournament(chief.user))
    count.tab("Team")
    expect(count.page.get_by_label("Name", exact=True)).to_be_focused()
    count.type("Vi Hobbs")
    count.choose(count.page.get_by_label("Role", exact=True), "result desk")
    count.press("Enter")
    chief.expect_message("The person is appointed.")


@task("grant a bye")
def bye(chief: Arbiter, count: Person) -> None:
    tournament = at_the_desk(chief, factories.make_ready(chief.user))
    find(count, entry_of(tournament, 5).name.split(",")[0])
    count.press_button("Grant bye")
    chief.expect_message("half-point bye in round 1")
    assert RequestedBye.objects.filter(entry__tournament=tournament).count() == 1


def find(count: Person, name: str) -> None:
    """Open the page of a player with the finder."""
    expect(count.page.locator("#event-tabs")).to_be_visible()
    count.press("/")
    expect(count.page.locator("dialog[open] input")).to_be_focused()
    count.type(name)
    hits = count.page.locator("dialog[open]").get_by_text(re.compile(f"^{name}, "))
    expect(hits.first).to_be_visible()
    count.press("Enter")
    expect(count.page.get_by_role("heading", level=1)).to_contain_text(name)


@task("prohibit a pair")
def prohibit(chief: Arbiter, count: Person) -> None:
    tournament = at_the_desk(chief, factories.make_ready(chief.user))
    one, other = (entry_of(tournament, number).name for number in (1, 2))
    count.tab("Players")
    count.tab("Prohibited pairs")
    count.click(count.page.get_by_label("Player 1", exact=True))
    count.type(one)
    count.press("Tab")
    count.type(other)
    count.press_button("Show the effect")
    count.press_button("Save")
    expect(count.main).to_contain_text(f"{one} – {other}")


@task("open the check-in and check three players in")
def check_in(chief: Arbiter, count: Person) -> None:
    tournament = at_the_desk(chief, factories.make_ready(chief.user), "check-in/")
    count.press_button("Open check-in")
    for there, number in enumerate((1, 2, 3), start=1):
        expect(count.page.locator("#who")).to_be_focused()
        count.type(entry_of(tournament, number).name[:5])
        count.press("Enter")
        expect(count.page.locator("#check-in-counts")).to_contain_text(f"{there} of")


@task("open the check-in and check everybody in")
def check_in_all(chief: Arbiter, count: Person) -> None:
    at_the_desk(chief, factories.make_ready(chief.user, players=PLAYERS), "check-in/")
    count.press_button("Open check-in")
    count.press_button(f"Check in all {PLAYERS} missing players")
    expect(count.page.locator("#check-in-counts")).to_contain_text(f"{PLAYERS} of {PLAYERS}")


@task("pair and publish a round")
def pair(chief: Arbiter, count: Person) -> None:
    at_the_desk(chief, factories.make_ready(chief.user, players=PLAYERS))
    count.press_button("Pair round 1")
    count.press_button("Publish pairings")
    chief.expect_message("The pairings of round 1 are published.")


@task("print the pairings by board and by name")
def print_both(chief: Arbiter, count: Person) -> None:
    count.page.add_init_script("window.print = () => { window.printed = true; };")
    all_boards(chief)
    count.press_button("Print the pairings")
    for title in ("Round 1: pairings by board", "Round 1: pairings by name"):
        expect(count.page.get_by_role("heading", name=title)).to_be_visible()
    count.click(count.page.get_by_role("button", name="Print", exact=True))
    assert count.page.evaluate("window.printed")


@task("print the pairings of three sections by board and by name")
def print_sections(chief: Arbiter, count: Person) -> None:
    count.page.add_init_script("window.print = () => { window.printed = true; };")
    made = [factories.make_ready(chief.user, players=8, name=f"Open {label}") for label in "ABC"]
    event = event_create(
        tournament_id=made[0].pk, name="City Open", label="A", actor=chief.user, now=NOW
    )
    for tournament, label in zip(made[1:], "BC", strict=True):
        Section.objects.create(event=event, tournament=tournament, label=label, position=20)
    for tournament in made:
        factories.pair_and_publish(tournament, 1, chief.user)
    at_the_desk(chief, Tournament.objects.get(pk=made[0].pk))
    count.tab("Print & share")
    count.press_button("Print round 1 of all sections")
    for title in ("Round 1: pairings by board", "Round 1: pairings by name"):
        expect(count.page.get_by_role("heading", name=title)).to_have_count(3)
    count.click(count.page.get_by_role("button", name="Print", exact=True))
    assert count.page.evaluate("window.printed")


@task("print the result slips of the round")
def print_slips(chief: Arbiter, count: Person) -> None:
    count.page.add_init_script("window.print = () => { window.printed = true; };")
    all_boards(chief)
    count.tab("Print & share")
    count.press_button("Print: Result slips")
    expect(count.page.locator(".slip")).to_have_count(PLAYERS // 2)
    count.click(count.page.get_by_role("button", name="Print", exact=True))
    assert count.page.evaluate("window.printed")


@task("print the standings")
def print_standings(chief: Arbiter, count: Person) -> None:
    count.page.add_init_script("window.print = () => { window.printed = true; };")
    tournament = factories.make_ready(chief.user, players=8)
    factories.play_rounds(tournament, [1], chief.user)
    at_the_desk(chief, tournament)
    count.tab("Print & share")
    count.press_button("Print: Standings")
    expect(count.page.get_by_role("heading", name="Standings after round 1")).to_be_visible()
    count.click(count.page.get_by_role("button", name="Print", exact=True))
    assert count.page.evaluate("window.printed")


@task("make a hall screen")
def screen(chief: Arbiter, count: Person) -> None:
    at_the_desk(chief, factories.make_ready(chief.user))
    count.tab("Team")
    count.tab("Hall screens")
    count.press_button("Make a screen")
    count.press_button("Save")
    chief.expect_message("The screen “Screen 1” is saved.")


@task("show a message on the hall screens")
def screen_message(chief: Arbiter, count: Person) -> None:
    tournament = at_the_desk(chief, factories.make_ready(chief.user))
    screen_add(
        tournament_id=tournament.pk, actor=chief.user, now=NOW, code=new_screen_code(),
        wanted=Wanted(name="Stage", contents=("clock",)),
    )  # fmt: skip
    count.tab("Team")
    count.tab("Hall screens")
    expect(count.page.get_by_label("Message on all screens")).to_be_focused()
    count.type("Round 2 at 15:30")
    count.press("Enter")
    chief.expect_message("The message is on the screens within two seconds.")


@task("enter 23 results")
def results(chief: Arbiter, count: Person) -> None:
    all_boards(chief)
    count.press_button("Enter results")
    expect(count.page.locator("tr.current")).to_have_attribute("data-board", "1")
    for key in "10=" * 7 + "10":
        count.press(key)
    expect(count.page.locator("#save-state")).to_have_text("✓ all saved")
    assert not Game.objects.filter(result="").exists()


@task("reverse wrong colours")
def colours(chief: Arbiter, count: Person) -> None:
    tournament = all_boards(chief, "rounds/1/")
    white, black, _ = factories.boards(tournament, 1)[4]
    count.click(count.page.locator("#board-5 .value button"))
    count.click(count.page.get_by_role("button", name=re.compile("Colours swapped")))
    count.click(count.page.get_by_role("button", name="Swap the colours"))
    expect(count.page.locator("#board-5 .white")).to_contain_text(entry_of(tournament, black).name)
    assert factories.boards(tournament, 1)[4][:2] == (black, white)


@task("adjourn a game")
def adjourn(chief: Arbiter, count: Person) -> None:
    all_boards(chief, "rounds/1/")
    expect(count.page.locator("tr.current")).to_have_attribute("data-board", "1")
    count.press(".", "a")
    is_saved(count.page, 1, "??")


@task("correct a published result in time")
def correct(chief: Arbiter, count: Person) -> None:
    tournament = factories.make_ready(chief.user, players=PLAYERS)
    factories.play_rounds(tournament, [1], chief.user)
    mistakes_until(tournament, minutes=20)
    card = card_of_board_4(chief, count, tournament)
    count.click(card.locator("label.chip", has=count.page.locator("input[value='==']")))
    count.click(card.locator("label.chip", has_text="entered wrongly"))
    count.click(card.get_by_role("button", name="Save correction"))
    corrected(chief, tournament)


@task("correct a result after the next pairings are published")
def correct_later(chief: Arbiter, count: Person) -> None:
    tournament = factories.make_ready(chief.user, players=PLAYERS)
    factories.play_rounds(tournament, [1], chief.user)
    factories.pair_and_publish(tournament, 2, chief.user)
    card = card_of_board_4(chief, count, tournament)
    count.click(card.get_by_role("link", name="Correct the result, with its effect"))
    count.click(count.page.locator("input[name=result][value='==']"))
    count.click(count.page.get_by_label("entered wrongly"))
    count.press_button("Show what this changes")
    count.press_button("Save correction")
    corrected(chief, tournament)


def card_of_board_4(chief: Arbiter, count: Person, tournament: Tournament) -> Locator:
    """Go from Now to the card of board 4 of round 1."""
    at_the_desk(chief, tournament)
    count.click(count.main.get_by_role("link", name=re.compile("^Round 1")))
    count.click(count.page.locator("#board-4 a.to-board"))
    return count.page.locator("#card")


def corrected(chief: Arbiter, tournament: Tournament) -> None:
    chief.expect_message("The correction is saved and is in the record.")
    assert factories.boards(tournament, 1)[3][2] == "=="


def mistakes_until(tournament: Tournament, *, minutes: int) -> None:
    """Let mistakes be reported for some more minutes."""
    until = timezone.now() + timedelta(minutes=minutes)
    Tournament.objects.filter(pk=tournament.pk).update(corrections_until=until)


@task("withdraw a player")
def withdraw(chief: Arbiter, count: Person) -> None:
    tournament = factories.make_ready(chief.user)
    factories.play_rounds(tournament, [1], chief.user)
    at_the_desk(chief, tournament)
    find(count, entry_of(tournament, 5).name.split(",")[0])
    count.press_button("Withdraw player")
    chief.expect_message("is withdrawn from round 2")
    assert tournament.entries.filter(withdrawn_from=2).count() == 1


@task("admit a late entry to the published round")
def late_entry(chief: Arbiter, count: Person) -> None:
    tournament = in_play(chief, "entries/")
    count.press_button("Add a player")
    expect(count.page.get_by_label("Name", exact=True)).to_be_focused()
    count.type("van Dijk, Lotte")
    count.click(count.page.get_by_label("The player has arrived"))
    count.press_button("Save")
    count.click(count.page.get_by_role("link", name="Find an opponent in round 1"))
    agree(chief, count)
    late = tournament.entries.get(name="van Dijk, Lotte").tpn
    assert any(late in (white, black) for white, black, _ in factories.boards(tournament, 1))


def agree(chief: Arbiter, count: Person) -> None:
    count.click(count.page.get_by_label("Everybody who moves agrees."))
    count.press_button("Save change")
    chief.expect_message("The change is saved and is in the record.")


@task("let two players without an opponent play")
def without_opponent(chief: Arbiter, count: Person) -> None:
    tournament = in_play(chief)
    (alone,) = (number for number, kind in factories.byes(tournament, 1).items() if kind == "U")
    panel = count.page.locator("#beside-bye")
    count.click(panel.get_by_role("link", name=entry_of(tournament, alone).name))
    count.click(count.page.get_by_role("link", name="Find an opponent in round 1"))
    choice = count.page.locator("label.choice strong", has_text=entry_of(tournament, 40).name)
    count.click(choice)
    agree(chief, count)
    assert {alone, 40} in [set(pair[:2]) for pair in factories.boards(tournament, 1)]


@task("make the standings final while mistakes can be reported")
def final(chief: Arbiter, count: Person) -> None:
    tournament = factories.make_ready(chief.user, players=8, rounds=3)
    factories.play_rounds(tournament, [1, 2, 3], chief.user)
    mistakes_until(tournament, minutes=20)
    at_the_desk(chief, tournament)
    count.press_button("Check and make final")
    expect(count.page.get_by_label("Reason")).to_be_focused()
    count.type("all agreed")
    count.press("Enter")
    chief.expect_message("The standings are final.")
    tournament.refresh_from_db()
    assert tournament.final_at is not None


@task("play a round of 23 boards by keyboard")
def by_keyboard(chief: Arbiter, count: Person) -> None:
    tournament = factories.make_ready(chief.user, players=PLAYERS)
    factories.play_rounds(tournament, [1], chief.user)
    at_the_desk(chief, tournament)
    page, main = count.page, count.main
    expect(main.get_by_role("button", name="Pair round 2")).to_be_focused()
    count.press("Enter")
    publish = main.get_by_role("button", name="Publish pairings", exact=True)
    expect(publish).to_be_visible()
    expect(page.locator("#round-actions")).to_be_focused()  # the scripts are there
    count.press("Tab")
    expect(publish).to_be_focused()
    count.press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "1")
    for key in "10=" * 7 + "10":
        count.press(key)
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    count.press("Enter", "Tab")
    expect(main.get_by_role("button", name="Publish results")).to_be_focused()
    count.press("Enter")
    chief.expect_message("The results of round 2 are published.")


def test_every_row_of_the_table_is_played() -> None:
    assert list(limits()) == list(TASKS)


@pytest.mark.costly
@pytest.mark.parametrize("name", TASKS)
def test_the_task_takes_no_more_clicks_and_keys(
    name: str, page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    count = Person(chief)
    TASKS[name](chief, count)
    most_clicks, most_keys = limits()[name]
    took = {"clicks": count.clicks, "keys": count.keys}
    assert (count.clicks > most_clicks, count.keys > most_keys) == (False, False), took
