"""``python -m tools.pictures``: make the pictures of the handbook (``docs/img``) again,
in English and French.

A server with an empty database runs for each language. The tutorial and the demo tournament are
played in Chromium by the labels of the pages, so a missing label stops the program. ``python -m
tools.pictures fr`` makes one language.
"""

from __future__ import annotations

import re
import sys
from tempfile import TemporaryDirectory

from playwright.sync_api import expect, sync_playwright

from tools.camera import ROOT, Camera, chromium, site
from tools.set_up_pictures import load_ratings, set_up

TEXTS = {
    "en": (
        "Tuesday Club Open",
        "Both players, with their score sheets",
        "His train was late; both agree",
        "Entrance",
        "The analysis room is on the first floor.",
    ),
    "fr": (
        "Open du mardi",
        "Les deux joueurs, feuilles de partie à l’appui",
        "Train en retard ; les deux sont d’accord",
        "Entrée",
        "La salle d’analyse est au premier étage.",
    ),
}
"""The name of the tournament of the tutorial, and the reasons
of a correction and of a pairing change, the name of a screen and its message.
"""


def tutorial(chief: Camera, visitor: Camera) -> None:
    """Follow docs/arbiter/…/first-tournament.md until the results of round 1 are in."""
    text = (ROOT / "docs" / "arbiter" / "en" / "first-tournament.md").read_text(encoding="utf-8")
    players = re.findall(r"^```\n(Name,.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
    chief.open("new/")
    chief.fill(name=TEXTS[chief.language][0], total_rounds="4")
    chief.shoot("tutorial-new", 1100, 900)
    chief.press("Create tournament")
    chief.press("Import entries")
    event = "t/" + chief.page.url.split("/t/")[1].split("/")[0]
    chief.fill(text=players)
    chief.press("Preview")
    chief.click(chief.page.locator("main button.primary"))
    chief.press("Underhill, Percy")
    chief.page.locator("[name=rating_source]").select_option("estimate")
    chief.fill(estimate="1600")
    chief.press("Save")
    chief.open(f"{event}/desk/")
    chief.press("Numbers, colour and list")
    chief.shoot("tutorial-numbers", 1100, 720, whole=True)
    chief.page.locator("[name=colour][value=w]").check()
    chief.press("Confirm")
    chief.press("Pair round %(n)s", n=1)
    chief.page.wait_for_url("**/rounds/1/")
    chief.shoot("tutorial-draft", 1100, 720, whole=True)
    chief.press("Publish pairings")
    visitor.open(f"{event}/pairings/1/")
    visitor.shoot("tutorial-phone", 390, 700)
    chief.open(f"{event}/rounds/1/")
    chief.keys("105", 3, missing=1)
    chief.shoot("tutorial-results", 1100, 860)
    chief.keys("1", 4)
    chief.open(f"{event}/desk/")
    chief.shoot("tutorial-desk", 1100, 720)


def before_round_4(chief: Camera) -> None:
    """Take the pictures of the standings, the desk and the check-in."""
    for path, height in {"crosstable": 800, "progress": 900, "record": 700}.items():
        chief.open(f"t/demo-open/{path}/")
        chief.shoot(path, 1280, height)
    chief.open("t/demo-open/desk/")
    chief.shoot("desk", 1100, 720)
    chief.open("t/demo-open/check-in/")
    chief.press("Open check-in")
    chief.open("t/demo-open/entries/?shown=not-checked-in")
    buttons = chief.page.locator("main button[aria-pressed=false]")
    for left in reversed(range(5, buttons.count())):
        buttons.first.click()
        expect(buttons).to_have_count(left)
    chief.open("t/demo-open/check-in/")
    chief.shoot("check-in", 1280, 560)
    chief.open("t/demo-open/entries/?shown=not-checked-in")
    for _ in range(5):
        chief.click(buttons.first)
    chief.open("t/demo-open/check-in/")
    chief.press("Close check-in")


def round_4(chief: Camera, phone: Camera, visitor: Camera) -> None:
    """Take the pictures of the draft, of published pairings and of results in play."""
    round_ = "t/demo-open/rounds/4"
    chief.open("t/demo-open/desk/")
    chief.press("Pair round %(n)s", n=4)
    chief.open(f"{round_}/why/?player=1&other=2#why")
    chief.shoot("why", 1280, 800, whole=True)
    correction(chief, phone)
    chief.open(f"{round_}/")
    names = chief.page.locator("main [data-player]")
    names.nth(0).click()
    chief.click(names.nth(2))
    chief.page.locator(".swap-tray.has-changes").wait_for()
    chief.shoot("swap", 1280, 900, top="#arranging")
    chief.open(f"{round_}/")
    chief.press("Publish pairings")
    late_entry(chief, phone)
    visitor.open("t/demo-open/pairings/4/?q=castellan")
    visitor.shoot("phone-my-board", 360, 740)
    hall_screen(chief, visitor)
    chief.open(f"{round_}/")
    chief.keys("10=51=01", 8, missing=3)
    chief.shoot("results", 1280, 800)
    chief.page.keyboard.press("ArrowLeft")
    chief.page.locator("#card .card-actions").wait_for()
    chief.shoot("round-card", 1280, 800)
    phone.open(f"{round_}/")
    phone.shoot("results-phone", 360, 740)
    phone.open(f"{round_}/floor/")
    phone.shoot("floor", 360, 740)
    chief.open("t/demo-open/desk/")
    chief.shoot("desk-undo", 1100, 460, top="section[aria-labelledby=log-heading]")
    chief.open("t/demo-open/rounds/5/")
    chief.page.locator("#next-round .badge.good").first.wait_for()
    chief.shoot("provisional", 1280, 800, top="#next-round")


def hall_screen(chief: Camera, visitor: Camera) -> None:
    """Take the pictures of a screen in the hall, and of its page."""
    *_, name, message = TEXTS[chief.language]
    chief.open("t/demo-open/screens/add/")
    chief.fill(name=name)
    chief.page.locator("[name=has_finder]").check()
    chief.press("Save")
    chief.fill(message=message)
    chief.press("Show the message")
    chief.shoot("hall-screens", 1100, 800)
    address = chief.page.locator(".address a").inner_text()
    visitor.open(address.split("/", 3)[3])
    visitor.shoot("hall-screen", 1280, 720)


def correction(chief: Camera, phone: Camera) -> None:
    """Take the pictures of a wrong result of round 3."""
    _, mistake, *_ = TEXTS[chief.language]
    chief.open("t/demo-open/rounds/3/")
    chief.page.locator("a.to-board").nth(1).click()
    chief.page.locator("#card .quick-correction").wait_for()
    chief.page.keyboard.press("1")
    chief.shoot("correction-1", 1280, 840)
    for camera, name, width, height in (
        (chief, "correction-2", 850, 910),
        (phone, "correction-phone", 360, 740),
    ):
        camera.open("t/demo-open/rounds/3/correct/?kind=result&board=10")
        camera.page.locator("[name=result][value='01']").check()
        camera.fill(reason=mistake)
        camera.press("Show what this changes")
        camera.shoot(name, width, height, top="#outlook")


def late_entry(chief: Camera, phone: Camera) -> None:
    """Take the pictures of the change of round 4 for a player who comes late."""
    _, _, agreed, *_ = TEXTS[chief.language]
    round_ = "t/demo-open/rounds/4"
    chief.open("t/demo-open/entries/add/")
    chief.fill(name="Morvan, Yann", national_rating="1650")
    chief.page.locator("[name=arrived]").check()
    chief.press("Save")
    for camera, name, width, height in (
        (chief, "change-2", 850, 1180),
        (phone, "change-phone", 360, 740),
    ):
        camera.open(f"{round_}/change/")
        camera.page.locator("[name=situation][value='4.4.4']").check()
        if camera is chief:
            chief.shoot("change-1", 1280, 900)
        camera.press("Next")
        for box in camera.page.locator("[name=consent]").all():
            box.check()
        camera.fill(witness="Ana Reis", reason=agreed)
        camera.press("Check pairing")
        camera.shoot(name, width, height, top="#outlook" if camera is phone else "main h1")


def main(languages: list[str]) -> int:
    for language in languages or list(TEXTS):
        with (
            TemporaryDirectory() as folder,
            site(folder) as address,
            sync_playwright() as playwright,
        ):
            browser = chromium(playwright, address)
            chief, phone, visitor = (Camera(browser, language) for _ in range(3))
            for camera in (chief, phone):
                camera.log_in()
            load_ratings(folder)
            tutorial(chief, visitor)
            before_round_4(chief)
            round_4(chief, phone, visitor)
            set_up(chief, visitor)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
