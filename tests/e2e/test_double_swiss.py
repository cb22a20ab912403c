"""A whole tournament of matches in the browser:
two games per board, each entered separately [C.04.5/2026].
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tournaments.models import Game, Tournament

from .arbiter import Arbiter

pytestmark = [pytest.mark.costly, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 3
SYSTEM = "FIDE Double-Swiss System 2026"
CSV = "Name;Rating;Fed\n" + "".join(f"Match, Player {n};{2300 - 25 * n};FRA\n" for n in range(1, 8))
CODES = {"1": "10", "0": "01", "=": "==", "+": "+-", "-": "-+"}
RESULTS = ["1=0=11", "+-=01-", "=10+=="]
"""Each round has three boards: the keys of their six games, from the view of White in each game."""


def begin(page: Page, live_server: LiveServer, name: str) -> Arbiter:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    chief.set_up(name, ROUNDS, system=SYSTEM)
    chief.bring_in(CSV)
    chief.prepare()
    return chief


def results(number: int) -> list[str]:
    games = Game.objects.filter(round__tournament=Tournament.objects.get(), round__number=number)
    return list(games.order_by("board", "pk").values_list("result", flat=True))


def test_a_whole_double_swiss_event(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    chief = begin(page, live_server, "Match Open")
    for number, keys in enumerate(RESULTS, start=1):
        chief.pair(number)
        expect(page.locator("table.pairings tbody tr")).to_have_count(3)
        chief.publish(number)
        chief.type_results(number, keys)
        assert results(number) == [CODES[key] for key in keys]
        chief.publish_results(number)
    expect(page.get_by_role("main")).to_contain_text("Make the standings final")
    assert_everybody_sees_both_games(page, f"{live_server.url}/t/{chief.slug}/")
    chief.open("recheck/")
    chief.press("Re-check the whole tournament")
    expect(page.get_by_role("main")).to_contain_text("0 differences")
    assert_the_report_is_correct(chief.download_report(tmp_path))


def assert_everybody_sees_both_games(page: Page, site: str) -> None:
    page.goto(f"{site}pairings/1/")
    score = page.locator("table.pairings tbody tr").first.locator("td.result")
    expect(score).to_have_text("1½ – ½ 1 – 0, ½ – ½")
    page.goto(f"{site}standings/")
    expect(page.locator("table.standings tbody tr")).to_have_count(7)
    page.goto(f"{site}crosstable/")
    expect(page.locator("table.crosstable")).to_contain_text("1·½")
    page.goto(f"{site}players/")
    page.locator("a.to-player").first.click()
    expect(page.locator("table.of-player")).to_contain_text("·")


def assert_the_report_is_correct(report: Path) -> None:
    """Pair, rank and explain every match again on the command line, from the report alone."""
    for arguments, last in (
        (("check", str(report)), f"checked: tournaments=1 rounds={ROUNDS} differences=0"),
        (("check", "--standings", str(report)), "checked: tournaments=1 players=7 differences=0"),
    ):
        done = output_of_the_command_line(*arguments)
        assert done[-1] == last
    why = output_of_the_command_line("explain", str(report), "--round", "2")
    assert why[0].startswith("Round 2 of matches. Boards: 3.")


def output_of_the_command_line(*arguments: str) -> list[str]:
    command = [sys.executable, "-m", "pairing", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout.splitlines()


def test_the_score_of_the_match_is_beside_the_names(page: Page, live_server: LiveServer) -> None:
    chief = begin(page, live_server, "Running Open")
    chief.pair(1)
    chief.publish(1)
    chief.open("rounds/1/results/")
    second = page.locator("#board-1-2")
    expect(page.locator("#board-1-1")).to_have_class("current")
    page.keyboard.press("1")
    # The leader had White in the first game and has Black in the second.
    expect(second.locator(".match-points")).to_have_text(["0", "1"])
    expect(second).to_have_class("second current")
    page.keyboard.press("=")
    expect(second.locator(".match-points")).to_have_text(["½", "1½"])
    expect(page.locator("#board-2-1")).to_have_class("current")
    # For an arbiter who collects the first games of all boards, the cursor moves from first game to
    # first game.
    page.get_by_label("Games shown").select_option("first games")
    expect(page.locator("#board-2-1")).to_have_class("current")
    page.keyboard.press("0")
    expect(page.locator("#board-3-1")).to_have_class("current")
    expect(page.locator("#board-2-2")).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    expect(page.locator("#missing-list")).to_have_text("missing: 2/2, 3/2")
    assert results(1) == ["10", "==", "01", "", "10", ""]


def test_results_by_touch_on_a_phone(phone: Page, live_server: LiveServer) -> None:
    chief = begin(phone, live_server, "Phone Open")
    chief.pair(1)
    chief.publish(1)
    chief.open("rounds/1/results/")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    phone.get_by_label("Board 2, game 2: Black wins").tap()
    expect(phone.locator("#save-state")).to_have_text("✓ all saved")
    expect(phone.locator("#board-2-2 .match-points")).to_have_text(["0", "1"])
    assert results(1) == ["", "", "", "01", "", ""]


def test_one_round_of_matches_without_javascript(plain_page: Page, live_server: LiveServer) -> None:
    page = plain_page
    chief = begin(page, live_server, "Plain Open")
    chief.pair(1)
    chief.publish(1)
    for board in (1, 2, 3):
        for game, code in ((1, "10"), (2, "==")):
            page.get_by_label(f"Result of board {board}, game {game}").select_option(code)
    page.get_by_role("button", name="Save").first.click()
    chief.expect_message("The results are saved.")
    chief.publish_results(1)
    assert results(1) == ["10", "=="] * 3
