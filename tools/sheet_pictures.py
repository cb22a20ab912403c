"""``python -m tools.sheet_pictures``: make the pictures of all sheets of paper in the handbook again
(``docs/img/sheets-*.png``), in English and French.

Chromium prints every list of an event of 120 players; ``pdftoppm`` (poppler-utils) draws the first
sheet of each. ``python -m tools.sheet_pictures fr`` makes one language.
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import sync_playwright

from tools.camera import ROOT, Camera, chromium, site

UPRIGHT: Final = (
    ("boards", "names", "standings", "start-list", "check-in", "schedule"),
    ("regulations", "prizes", "slips", "place-cards", "badges", "table-numbers"),
    ("posters", "notice&notice=Tea+until+3+pm", "signatures", "receipts", "report", "full-report"),
)
ACROSS: Final = (
    "crosstable",
    "wall-chart",
    "boards&size=large",
    "standings&columns=club&columns=rating",
)
WIDTH: Final = 400
"""Pixels of a sheet."""
MAKE: Final = """
from django.contrib.auth.models import User
from django.utils import timezone
from pairing.rounds.table_codes import table_codes_make
from tests.tournaments.large import make_large
from tournaments.models import Eligible, Entry, Tournament
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, replace_plan
actor = User.objects.get(username="arbiter")
event = make_large(actor, players=120, played=9)
Tournament.objects.filter(pk=event.pk).update(
    chief_arbiter="IA Rossi, Anna (2000016)", deputy_arbiters="FA Dupont, Luc (3000011)",
    city="Neuhausen", federation="SUI", time_control="90 min + 30 s/move",
)
for entry in Entry.objects.filter(tournament=event):
    entry.club = ("Rook Club", "Four Knights", "Old Town")[entry.pk % 3]
    entry.birth_date = str(1950 + 17 * entry.pk % 66)
    entry.save()
plans = (
    CategoryPlan("", Eligible.EVERYBODY, "", (50000, 30000, 20000, 10000)),
    CategoryPlan("", Eligible.RATING, "1-1799", (10000, 5000)),
    CategoryPlan("", Eligible.AGE_UNTIL, "15", (5000,), things=("A book",)),
)
replace_plan(event, PrizePlan("CHF", categories=plans))
table_codes_make(tournament_id=event.pk, actor=actor, now=timezone.now(), secret="drawn")
"""


def make_event(folder: str) -> None:
    """Make the event in the database of :func:`tools.camera.site`."""
    environment = os.environ | {
        "SWISS_DATA_DIR": folder,
        "DATABASE_URL": f"sqlite:///{folder}/pictures.sqlite3",
        "DEBUG": "true",
        "LOG_LEVEL": "ERROR",
    }
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", MAKE],
        cwd=ROOT,
        env=environment,
        check=True,
    )


def first_sheet(chief: Camera, query: str, folder: Path) -> str:
    """Return the first sheet of *query* as a PNG picture in base64."""
    chief.open(f"t/large-open/print/sheets/?list={query}")
    paper = folder / "paper.pdf"
    paper.write_bytes(chief.page.pdf(prefer_css_page_size=True))
    options = ["-png", "-gray", "-singlefile", "-scale-to-x", str(WIDTH), "-scale-to-y", "-1"]
    subprocess.run(["pdftoppm", *options, str(paper), str(folder / "sheet")], check=True)
    return base64.b64encode((folder / "sheet.png").read_bytes()).decode()


def shoot(chief: Camera, name: str, queries: tuple[str, ...], folder: Path, columns: int) -> None:
    """Save the first sheets of *queries*, *columns* beside each other, as picture *name*."""
    sheets = [first_sheet(chief, query, folder) for query in queries]
    images = "".join(f"<img src='data:image/png;base64,{sheet}'>" for sheet in sheets)
    style = "body{background:#ccc;margin:0 0 10px} img{margin:10px 0 0 10px;vertical-align:top}"
    chief.page.goto("about:blank")
    chief.page.set_content(f"<style>{style}</style>{images}")
    chief.shoot(name, columns * (WIDTH + 10) + 10, 400, whole=True)


def main(languages: list[str]) -> int:
    for language in languages or ["en", "fr"]:
        with (
            TemporaryDirectory() as folder,
            site(folder) as address,
            sync_playwright() as playwright,
        ):
            make_event(folder)
            browser = chromium(playwright, address)
            chief = Camera(browser, language)
            chief.log_in()
            for number, queries in enumerate(UPRIGHT, start=1):
                shoot(chief, f"sheets-{number}", queries, Path(folder), 3)
            shoot(chief, "sheets-across", ACROSS, Path(folder), 2)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
