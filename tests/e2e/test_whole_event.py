"""A whole tournament in the browser: 40 players, 7 rounds,
from the imported list to a correct report.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tournaments.models import Game, Seat, Tournament

from .arbiter import Arbiter

pytestmark = [pytest.mark.costly, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 7
CSV = "Name;Rating;Fed\n" + "".join(
    f"Player, Number {n:02d};{2400 - 17 * n};FRA\n" for n in range(1, 41)
)
# Typical results: every key for a result at least once in the event, with few decisive streaks.
RHYTHM = [
    "1",
    "=",
    "0",
    "5",
    "1",
    "0",
    "=",
    "1",
    "+",
    "0",
    "=",
    "1",
    "0",
    "-",
    "=",
    "0",
    "1",
    "x",
    "a",
    "0",
]
LAST_ROUND = [
    "1",
    "=",
    "0",
    "w",
    "d",
    "l",
    "z",
    "h",
    "j",
    "1",
    "0",
    "=",
    "1",
    "0",
    "=",
    "1",
    "0",
    "=",
    "1",
]


def test_a_whole_event(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    chief = Arbiter(page, live_server.url)
    chief.log_in_by_form()
    chief.set_up("Whole Open", ROUNDS)
    chief.bring_in(CSV)
    chief.prepare()
    request_a_bye(chief, "Player, Number 07", round_number=3)
    adjourned: list[tuple[int, int]] = []
    for number in range(1, ROUNDS + 1):
        if number == 5:
            withdraw(chief, "Player, Number 12", from_round=5)
        chief.pair(number)
        boards = page.locator("table.pairings tbody tr").count()
        assert boards == {3: 19, 5: 19, 6: 19, 7: 19}.get(number, 20)
        chief.publish(number)
        rhythm = LAST_ROUND if number == ROUNDS else RHYTHM[number:] + RHYTHM[:number]
        chief.type_results(number, rhythm[:boards])
        if "a" in rhythm[:boards]:
            adjourned.append((number, 1 + rhythm.index("a")))
        if number == ROUNDS:
            # Final standings wait for every adjourned game [C.04.2/2026 3.1].
            for played, board in adjourned:
                chief.end_adjourned_game(played, board)
            chief.open(f"rounds/{number}/results/")
        chief.publish_results(number)
    chief.press("Check and make final")
    expect(page.get_by_role("heading", level=1)).to_have_text("Make the standings final")
    # The initial colour is drawn, so that not every run ends with a tie.
    if (share := page.get_by_label("These players share their rank")).count():
        share.check()
    chief.press("Make the standings final")
    chief.expect_message("The standings are final.")
    chief.open()
    expect(page.get_by_role("main")).to_contain_text("The tournament is over")
    assert_all_typed_results_are_saved()
    report = chief.download_report(tmp_path)
    assert_the_report_is_correct(report)


def request_a_bye(chief: Arbiter, name: str, *, round_number: int) -> None:
    chief.open("entries/")
    chief.page.get_by_role("link", name=name).click()
    chief.page.get_by_label("Round", exact=True).select_option(str(round_number))
    chief.page.get_by_label("Kind").select_option("H")
    chief.press("Grant bye")
    chief.expect_message(f"{name}: half-point bye in round {round_number}.")


def withdraw(chief: Arbiter, name: str, *, from_round: int) -> None:
    chief.open("entries/")
    chief.page.get_by_role("link", name=name).click()
    chief.page.get_by_label("Withdrawn from round").select_option(str(from_round))
    chief.press("Withdraw player")
    chief.expect_message(f"{name} is withdrawn from round {from_round}.")


def assert_all_typed_results_are_saved() -> None:
    tournament = Tournament.objects.get()
    typed = [
        list(Game.objects.filter(round__tournament=tournament, round__number=n).order_by("board"))
        for n in (1, ROUNDS)
    ]
    codes = {
        "1": "10",
        "0": "01",
        "=": "==",
        "5": "==",
        "+": "+-",
        "-": "-+",
        "x": "--",
        "a": "==",
    } | {
        "w": "WL",
        "d": "DD",
        "l": "LW",
        "z": "00",
        "h": "=0",
        "j": "0=",
    }
    first = RHYTHM[1:] + RHYTHM[:1]
    assert [game.result for game in typed[0]] == [codes[key] for key in first]
    assert [game.result for game in typed[1]] == [codes[key] for key in LAST_ROUND]
    byes = Seat.objects.filter(round__tournament=tournament).exclude(bye="")
    gone = byes.filter(entry__name="Player, Number 12").order_by("round__number")
    assert list(gone.values_list("round__number", "bye")) == [(5, "Z"), (6, "Z"), (7, "Z")]
    resting = byes.filter(entry__name="Player, Number 07", bye="H")
    assert list(resting.values_list("round__number", flat=True)) == [3]


def assert_the_report_is_correct(report: Path) -> None:
    """Pair every round of the report again on the command line, from the report alone."""
    done = subprocess.run(
        [sys.executable, "-m", "pairing", "check", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (
        done.stdout.splitlines()[-1] == f"checked: tournaments=1 rounds={ROUNDS} differences=0"
    ), done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_one_round_without_javascript(plain_page: Page, live_server: LiveServer) -> None:
    page = plain_page
    chief = Arbiter(page, live_server.url)
    chief.log_in_by_form()
    chief.set_up("Plain Open", 3)
    chief.bring_in(
        "Name;Rating\n" + "".join(f"Plain, Player {n};{2000 - n}\n" for n in range(1, 8))
    )
    chief.open("entries/")
    page.get_by_label("Search by name, club, number or FIDE ID").fill("player 3")
    chief.press("Search")
    expect(page.locator("table.entries tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Plain, Player 3: check in").click()
    expect(page.locator("table.entries tbody tr[id]")).to_have_count(7)
    chief.prepare()
    chief.pair(1)
    chief.publish(1)
    for board, result in enumerate(["10", "==", "+-"], start=1):
        page.get_by_label(f"Result of board {board}").select_option(result)
    page.get_by_role("button", name="Save").first.click()
    chief.expect_message("The results are saved.")
    chief.publish_results(1)
    page.goto(f"{live_server.url}/t/{chief.slug}/standings/")
    expect(page.locator("table.standings tbody tr")).to_have_count(7)
    page.goto(f"{live_server.url}/t/{chief.slug}/pairings/1/?order=name")
    page.get_by_label("Search by name or number").fill("player 7")
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".my-board")).to_contain_text("Plain, Player 7")
