"""The first hour of an event of 300 players in three sections, as its people live it,
with their actions counted.

An action is a click, a choice in a list, a field typed (with the Enter that sends it) or a file
chosen. The counts are published in docs/developer/benchmarks.md, and this test reads them there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rules.names import fold
from tests.tournaments import factories
from tests.tournaments.lists.imports.files import xlsx
from tests.tournaments.lists.rating_lists.conftest import text_list
from tournaments.core.record import verify
from tournaments.entries.entries import entry_check_in
from tournaments.lists.rating_lists.loading import list_begin, list_load
from tournaments.models import Appointment, Entry, Game, Tournament, WaitingEntry
from tournaments.reports.record_against_tables import differences

from .arbiter import Arbiter
from .test_accessibility import faults

pytestmark = pytest.mark.django_db(transaction=True)

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FIRST = (
    "Zoé",
    "Álvaro",
    "Björn",
    "Chloé",
    "Dušan",
    "Éloïse",
    "François",
    "Göran",
    "Héctor",
    "Inès",
)
LAST = (
    "Aubépine", "Bärlocher", "Crémieux", "Dvořák", "Eßling", "Fjällgren", "Guðmundsson", "Hořejší", "Iñárritu", "Jókai",
    "Kästner", "Lévêque", "Müllner", "Nuñez", "Ødegård", "Pérec", "Quéméneur", "Rößner", "Sørlund", "Tóthfalvi",
    "Übelacker", "Vågslid", "Wójtowicz", "Xénakis", "Yılmaz", "Żeromska", "Ångman", "Þórsson", "Ôtaka", "Ćosić",
)  # fmt: skip
FAULTS: dict[int, tuple[str, str, str, str]] = {
    # Row: column, what the list says, and the field and text that mend it; an empty text: the row
    # is left.
    12: ("Elo", "18oo", "FIDE rating", "1800"),
    41: ("Fed", "UK", "Federation", "FRA"),
    77: ("Naissance", "31/02/2001", "Birth date", "2001"),
    103: ("Titre", "XM", "Title", "FM"),
    130: ("Nom", "", "", ""),
    161: ("Code FIDE", "2000101", "", ""),
    188: ("Tournoi", "C", "Section", "B"),
    214: ("Sexe", "x", "Sex", "m"),
    240: ("Code FIDE", "12a45", "FIDE ID", "2000999"),
    277: ("Elo", "5200", "FIDE rating", "1520"),
}
COLUMNS = ("Nom", "Titre", "Elo", "Fed", "Code FIDE", "Club", "Sexe", "Naissance", "Tournoi")
LEFT = 2
IN_THE_BROWSER, REQUESTED, CHECKED_IN = 40, 24, 280
REFRESHED = 12


def players() -> list[dict[str, object]]:
    """Return 300 invented players: 120 for A and 120 for B by rating,
    60 children whom the list puts into U12.
    """
    rows: list[dict[str, object]] = []
    for number in range(300):
        child = number % 5 == 4
        rows.append(
            {
                "Nom": f"{LAST[number // 10]}, {FIRST[number % 10]}",
                "Titre": "FM" if number % 40 == 1 else None,
                "Elo": 1000 + number if child else 1800 + number if number % 2 else 1400 + number,
                "Fed": ("FRA", "NOR", None)[number % 3],
                "Code FIDE": 2_000_000 + number if number % 4 else None,
                "Club": None if number % 7 == 0 else "Échiquier d’Été",
                "Sexe": "f" if number % 10 in (0, 3, 5, 9) else "m",
                "Naissance": 2015 if child else None,
                "Tournoi": "U12" if child else None,
            }
        )
    for row, (column, wrong, _, _) in FAULTS.items():
        rows[row][column] = wrong
    return rows


def workbook() -> bytes:
    """Return the list as people keep it: a title, and a blank line now and then."""
    cells: list[list[object]] = [["Open de la Ville, inscriptions"], list(COLUMNS)]
    for number, row in enumerate(players()):
        if number % 60 == 59:
            cells.append([])
        cells.append([row[column] for column in COLUMNS])
    return xlsx(cells)


class Person:
    """Somebody at a screen, whose actions are counted in ``done`` under the part of the hour."""

    def __init__(self, page: Page, done: Counter[str]) -> None:
        self.page, self.done, self.part = page, done, ""

    def click(self, name: str, within: Locator | None = None) -> None:
        place = within or self.page.get_by_role("main")
        found = place.get_by_role("button", name=name, exact=True).or_(
            place.get_by_role("link", name=name, exact=True)
        )
        found.first.click()
        self.done[self.part] += 1

    def tick(self, box: Locator) -> None:
        box.check()
        self.done[self.part] += 1

    def type(self, field: Locator, text: str, *, enter: bool = False) -> None:
        field.fill(text)
        if enter:
            field.press("Enter")
        self.done[self.part] += 1

    def choose(self, field: Locator, label: str) -> None:
        field.select_option(label=label)
        self.done[self.part] += 1

    def go(self, name: str) -> None:
        """Follow a link in the head of the page."""
        self.click(name, self.page.locator("section.event-header"))

    def expect_message(self, text: str) -> None:
        expect(self.page.locator("#messages")).to_contain_text(text)


def published() -> dict[str, int]:
    """Return the counts of the table in the document, by the first column."""
    text = (Path(project.BASE_DIR) / "docs/developer/benchmarks.md").read_text()
    table = text.partition("## The first hour of an event")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([0-9]+) \|", table, re.MULTILINE)
    return {name.strip(): int(count) for name, count in rows}


def letters(name: str, names: Sequence[str]) -> str:
    """Return the fewest letters that find only *name*:
    of the surname, then of the first name too.
    """

    def words(text: str) -> list[str]:
        return fold(text).replace(",", " ").split()

    last, first = words(name)[0], words(name)[-1]
    for typed in (
        *(last[:n] for n in range(3, len(last))),
        *(f"{last[:3]} {first[:n]}" for n in range(1, 9)),
    ):
        found = [
            other
            for other in names
            if all(any(p.startswith(w) for p in words(other)) for w in typed.split())
        ]
        if len(found) == 1:
            return typed
    return fold(name)


@pytest.mark.costly
def test_the_first_hour_of_three_hundred_players(
    page: Page, browser: Browser, live_server: LiveServer, settings: Any, tmp_path: Path
) -> None:
    done: Counter[str] = Counter()
    chief = Person(page, done)
    account = Arbiter(page, live_server.url)
    account.log_in()
    set_up(chief, live_server.url)
    bring_in(chief)
    load_ratings(settings, tmp_path)
    refresh_ratings(chief)
    helpers = appoint(chief, browser)
    check_in(chief, helpers)
    publish(chief)
    bye_and_withdrawal(chief)
    for helper in helpers:
        helper.page.context.close()
    for section in Tournament.objects.filter(section__isnull=False):
        assert verify(section) == []
        assert differences(section) == []
    assert dict(done) == published()


def set_up(chief: Person, site: str) -> None:
    page = chief.page
    page.goto(f"{site}/")
    chief.part = "create a tournament"
    chief.click("New tournament")
    chief.type(page.get_by_label("Name", exact=True), "Open de la Ville")
    chief.type(page.get_by_label("Number of rounds"), "7")
    chief.click("Create tournament")
    chief.expect_message("The tournament is created.")
    chief.part = "two more sections, with limits"
    chief.go("Setup")
    chief.click("Sections")
    chief.click("Create the event")
    for label, limit, value in (("B", "Rating up to", "1799"), ("U12", "Born in or after", "2014")):
        new = page.locator("section[aria-labelledby=new-section]")
        chief.type(new.get_by_label("Name of the section"), label)
        chief.type(new.get_by_label(limit), value)
        chief.click("Add the section")
        expect(page.get_by_role("heading", name=f"Open de la Ville {label}")).to_be_visible()
    first = page.locator("main section").first
    chief.type(first.get_by_label("Rating from"), "1800")
    chief.click("Save", first)
    chief.go("Now")


def bring_in(chief: Person) -> None:
    page = chief.page
    chief.part = "import 300 rows"
    chief.click("Import entries")
    page.locator("input[type=file]").set_input_files(
        [{"name": "inscriptions.xlsx", "mimeType": EXCEL, "buffer": workbook()}]
    )
    chief.done[chief.part] += 1
    chief.click("Preview")
    expect(page.get_by_role("heading", level=1)).to_have_text("300 players in the file")
    expect(page.locator("section[aria-labelledby=counts-heading] tbody tr")).to_have_count(3)
    assert faults(page) == []
    chief.click("Import the selection")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Waiting rows {len(FAULTS)}")
    assert Entry.objects.filter(tournament__section__isnull=False).count() == 300 - len(FAULTS)
    chief.part = "correct 8 of 10 faults"
    names = players()
    for number, (_, _, field, text) in FAULTS.items():
        if not text:
            continue
        name = str(names[number]["Nom"])
        row = page.locator("main form.panel").filter(has=page.get_by_role("heading", name=name))
        if field == "Section":
            chief.choose(row.get_by_label(field), text)
        else:
            chief.type(row.get_by_label(field, exact=True), text)
        chief.click("Enter the player", row)
        chief.expect_message(f"{name} is entered in")
    assert WaitingEntry.objects.count() == LEFT
    reasons = page.locator("main form.panel .notice")
    expect(reasons).to_have_text(
        [re.compile("the name is missing"), re.compile("the FIDE ID 2000101 is on line")]
    )
    of = {
        label: Entry.objects.filter(tournament__section__label=label).count()
        for label in ("A", "B", "U12")
    }
    assert sum(of.values()) == 300 - LEFT
    assert min(of.values()) > 50


def load_ratings(settings: Any, folder: Path) -> None:
    """Load the list of the month, as the person who runs the server does:
    twelve players have another rating.
    """
    settings.RATING_LISTS_DIR = folder / "lists"
    rated = list(Entry.objects.exclude(fide_id=None).exclude(federation="").order_by("pk")[::12])[
        :REFRESHED
    ]
    listed = [
        (each.fide_id, each.name, each.federation, each.sex.upper().replace("W", "F"), each.title,
         each.fide_rating + 3, 0, 0, each.birth_date[:4] or 1990)
        for each in rated
    ]  # fmt: skip
    (folder / "list.txt").write_bytes(text_list(listed))
    row = list_begin(actor=None, now=factories.NOW, origin="list.txt")
    list_load(list_id=row.pk, source=folder / "list.txt", clock=lambda: factories.NOW)


def refresh_ratings(chief: Person) -> None:
    chief.part = "take over 12 ratings in three sections"
    before = dict(Entry.objects.values_list("pk", "fide_rating"))
    chief.go("Now")
    for label in ("A", "B", "U12"):
        chief.click(label)
        chief.go("Players")
        chief.go("Ratings")
        chief.click("Use the ticked values")
        chief.expect_message("updated from the list")
        chief.go("Open de la Ville")
    after = dict(Entry.objects.values_list("pk", "fide_rating"))
    assert sum(before[pk] != after[pk] for pk in before) == REFRESHED


def appoint(chief: Person, browser: Browser) -> list[Person]:
    """Appoint two helpers at the check-in desk of all sections;
    each opens the link in a browser of their own.
    """
    page, helpers = chief.page, []
    chief.part = "appoint two helpers for all sections"
    chief.click("A")
    chief.go("Team")
    for name in ("Hana Helper", "Hugo Helper"):
        form = page.locator("section[aria-labelledby=appoint]")
        chief.type(form.get_by_label("Name", exact=True), name)
        chief.choose(form.get_by_label("Role"), "check-in desk")
        expect(form.get_by_role("checkbox")).to_be_checked()
        chief.click("Appoint", form)
        access = page.locator("section.new-access")
        address, pin = (
            access.locator(".address a").inner_text(),
            access.locator(".pin").inner_text(),
        )
        helper = Person(
            browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800}).new_page(),
            chief.done,
        )
        helper.part = "two helpers log in"
        helper.page.goto(re.sub("^https?://[^/]+", page.url.split("/t/")[0], address))
        helper.type(helper.page.get_by_label("PIN"), pin, enter=True)
        expect(helper.page.get_by_role("heading", level=1)).to_have_text("Check-in of all sections")
        helpers.append(helper)
    assert Appointment.objects.filter(role="check_in_desk", until=None).count() == 6
    chief.go("Open de la Ville")
    return helpers


def check_in(chief: Person, helpers: list[Person]) -> None:
    """Check in 280 players: 40 at the keyboards of two helpers in turn, 24 by the same requests,
    the others without.
    """
    chief.part = "open the check-in of all sections"
    chief.go("Check-in")
    chief.click("Open check-in")
    chief.expect_message("The check-in is open.")
    entries = list(
        Entry.objects.filter(tournament__section__isnull=False).order_by("fide_rating", "pk")
    )
    names = [entry.name for entry in entries]
    # Six in each section do not come.
    late: set[int] = set()
    for label in ("A", "B", "U12"):
        late |= set(
            Entry.objects.filter(tournament__section__label=label)
            .order_by("pk")
            .values_list("pk", flat=True)[3:60:10]
        )
    coming = [entry for entry in entries if entry.pk not in late]
    assert len(coming) == CHECKED_IN
    for number, entry in enumerate(coming[:IN_THE_BROWSER]):
        helper = helpers[number % 2]
        helper.part = f"check in {IN_THE_BROWSER} players"
        helper.type(helper.page.locator("#who"), letters(entry.name, names), enter=True)
        expect(helper.page.locator("#check-in-status")).to_contain_text(f"{entry.name} (")
    for helper in helpers:
        # What the other one did appears by itself. The pages then close, so that they ask for
        # nothing meanwhile.
        expect(helper.page.locator("#check-in-counts")).to_contain_text(
            f"{IN_THE_BROWSER} of {len(entries)} present"
        )
    address = helpers[0].page.url
    for helper in helpers:
        helper.page.goto("about:blank")
    clients = [Client(), Client()]
    desk = re.sub("^https?://[^/]+", "", address)
    held = (
        Appointment.objects.filter(role="check_in_desk", until=None).order_by("person").distinct()
    )
    people = list({one.person_id: one.person for one in held}.values())
    for client, person in zip(clients, people, strict=True):
        client.force_login(person)
    for number, entry in enumerate(coming[IN_THE_BROWSER:]):
        if number >= REQUESTED:
            entry_check_in(
                entry_id=entry.pk, checked_in=True, actor=people[number % 2], now=timezone.now()
            )
            continue
        # One in four by letters, the others by the button beside the name.
        name, sent = (
            ("tick/", {"in": entry.pk})
            if number % 4
            else ("find/", {"who": letters(entry.name, names)})
        )
        assert clients[number % 2].post(desk + name, sent).status_code == 302, entry.name
    assert Entry.objects.filter(checked_in=True).count() == CHECKED_IN
    helpers[0].page.goto(address)
    counts = helpers[0].page.locator("#check-in-counts")
    expect(counts).to_contain_text(f"{CHECKED_IN} of {len(entries)} present")
    assert faults(helpers[0].page) == []


def publish(chief: Person) -> None:
    page = chief.page
    for label in ("A", "B", "U12"):
        chief.part = "numbers, colour and list of three sections"
        chief.go("Now")
        panel = page.locator("main section").filter(
            has=page.get_by_role("heading", name=label, exact=True)
        )
        chief.click("Numbers, colour and list", panel)
        chief.click("Confirm")
        chief.expect_message("Numbers and initial colour are confirmed")
        chief.part = "pair and publish round 1 of three sections, 18 missing"
        chief.click("Pair round 1")
        questions = page.locator("fieldset.answer")
        expect(questions).to_have_count(6)
        # Two of the six have an own answer; the proposed one, to skip the round, holds for the
        # others.
        chief.tick(questions.nth(1).get_by_label("withdraw"))
        chief.tick(questions.nth(4).get_by_label("is coming"))
        chief.click("Save and pair round 1")
        chief.expect_message("Round 1 is paired.")
        chief.click("Publish pairings")
        chief.expect_message("The pairings of round 1 are published.")
        chief.go("Open de la Ville")
    boards = Game.objects.filter(round__state="pairings_published").count()
    assert boards == sum(
        (Entry.objects.filter(tournament=one, checked_in=True).count() + 1) // 2
        for one in sections()
    )


def sections() -> list[Tournament]:
    return list(Tournament.objects.filter(section__isnull=False).order_by("pk"))


def bye_and_withdrawal(chief: Person) -> None:
    chief.click("A")
    there = list(Entry.objects.filter(tournament=sections()[0], checked_in=True).order_by("tpn"))
    chief.part = "grant a bye"
    chief.go("Players")
    chief.click(there[0].name)
    chief.click("Grant bye")
    expect(chief.page.locator("section[aria-labelledby=byes-heading]")).to_contain_text("Round 2")
    chief.part = "withdraw a player"
    chief.go("Players")
    chief.click(there[1].name)
    chief.click("Withdraw player")
    expect(chief.page.get_by_role("main")).to_contain_text("withdrawn from round")
