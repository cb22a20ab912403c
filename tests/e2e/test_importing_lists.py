"""Import a spreadsheet, correct a column, tick changes, and correct the rows that wait."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tests.tournaments.lists.imports.files import xlsx
from tournaments.models import Entry

from .arbiter import Arbiter
from .test_accessibility import faults

pytestmark = pytest.mark.django_db(transaction=True)

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LIST = xlsx(
    [
        ["Autumn Open"],
        ["Name", "Elo", "Fed", "Club", "Code"],
        ["Abara, Player 1", 2410, "FRA", "Mate", 612345],
        ["Blomqvist, Player 2", 2390, "FRA", None, 612346],
        ["Ångström, Åsa", "1500 F", "SWE", "Norra Bonden", 612347],
        ["Moreau, Léa", "many", "UK", "La Tour", 612348],
    ]
)


def fits(page: Page) -> bool:
    """Return whether the page needs no horizontal scrolling."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


@pytest.mark.costly
@pytest.mark.parametrize("width", [1280, 360])
def test_a_spreadsheet_updates_the_list_and_doubtful_rows_are_corrected(
    page: Page, live_server: LiveServer, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=3)
    chief.slug = tournament.slug
    chief.log_in()
    chief.open("entries/import/")
    page.locator("input[type=file]").set_input_files(
        [{"name": "list.xlsx", "mimeType": EXCEL, "buffer": LIST}]
    )
    chief.press("Preview")
    main = page.get_by_role("main")
    expect(main).to_contain_text(
        "new: 1 · changed: 1 · unchanged: 1 · doubtful: 1 · not in the file: 1"
    )
    assert (faults(page), fits(page)) == ([], True)
    page.get_by_label("Content of column 5").select_option("fide_id")
    chief.press("Read the list with these columns")
    expect(main).to_contain_text(
        "new: 1 · changed: 2 · unchanged: 0 · doubtful: 1 · not in the file: 1"
    )
    page.get_by_label("Abara, Player 1 Club").uncheck()
    chief.press("Import the ticked rows")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Waiting rows 1")
    assert (faults(page), fits(page)) == ([], True)
    page.get_by_label("FIDE rating").fill("1720")
    chief.press("Enter the player")
    expect(main).to_contain_text("“UK” is not a code of a FIDE federation; did you mean ENG?")
    page.get_by_label("Federation", exact=True).fill("FRA")
    chief.press("Enter the player")
    chief.expect_message("Moreau, Léa is entered.")
    expect(main).to_contain_text("No row waits.")
    entries = Entry.objects.filter(tournament=tournament).order_by("-rating")
    assert list(entries.values_list("name", "rating", "club", "fide_id")) == [
        ("Abara, Player 1", 2410, "", 612345),
        ("Blomqvist, Player 2", 2390, "", 612346),
        ("Czerny, Player 3", 2380, "", None),
        ("Moreau, Léa", 1720, "La Tour", 612348),
        ("Ångström, Åsa", 1500, "Norra Bonden", 612347),
    ]
