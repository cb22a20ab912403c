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

PAIRED: Final = {
    "sheets-1": ("boards", "names", "slips", "blank-slips", "start-list", "check-in"),
}
"""The sheets of each picture as its addresses name them, while the last round is played."""
OVER: Final = {
    "sheets-2": ("standings", "schedule", "regulations", "prizes", "signatures", "receipts"),
    "sheets-3": (
        "place-cards", "badges", "table-numbers", "posters", "notice",
        "report",
    ),
    "sheets-4": ("full-report", "it1", "it3", "it4", "fa1", "ia1"),
    "sheets-wall": ("names&size=large", "standings&size=large", "start-list&size=large"),
    "sheets-across": (
        "crosstable", "wall-chart", "boards&size=large",
        "standings&columns=club&columns=rating&columns=performance", "certificates",
    ),
}  # fmt: skip
"""The same after its end."""
NOTICE: Final = {"en": "Tea+until+3+pm", "fr": "Thé+jusqu’à+15+h"}
WIDTH: Final = 400
"""Pixels of a sheet."""
MAKE: Final = """
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.table_codes import table_codes_make
from pairing.rules.rounds import RoundState
from tests.tournaments.factories import SURNAMES
from tests.tournaments.large import make_large
from tournaments.models import Eligible, Entry, Round, Tournament
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, replace_plan
actor = User.objects.get(username="arbiter")
now = timezone.now()
event = make_large(actor, players=120)
today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
for row in event.rounds.all():
    hour = 15 - row.number % 2 * 5
    row.starts_at = today + timedelta(days=(row.number - 1) // 2 - 3, hours=hour)
    row.results_due_at = row.starts_at + timedelta(hours=5)
    row.published_at = row.starts_at - timedelta(hours=1)
    row.results_published_at = row.results_due_at
    row.save()
Tournament.objects.filter(pk=event.pk).update(
    chief_arbiter="IA Rossi, Anna (2000016)", city="Neuhausen", federation="SUI",
    deputy_arbiters="FA Dupont, Luc (3000011)\\nWeber, Eva (4000024)",
    start_date=today - timedelta(days=3), end_date=today + timedelta(days=1),
    time_control="90 min + 30 s/move", initial_colour="w",
)
given = ("Anna", "Bruno", "Clara", "David", "Elena")
for entry in Entry.objects.filter(tournament=event):
    entry.name = f"{SURNAMES[entry.tpn % 24]}, {given[entry.tpn // 24 % 5]}"
    entry.club = ("Rook Club", "Four Knights", "Old Town")[entry.tpn * 7 % 11 % 3]
    entry.federation = ("SUI", "FRA", "GER", "ITA", "AUT")[entry.tpn * 5 % 13 % 5]
    entry.rating = entry.fide_rating = 2650 - 5 * entry.tpn
    entry.birth_date = str(1950 + 17 * entry.tpn % 66)
    entry.save()
plans = (
    CategoryPlan("", Eligible.EVERYBODY, "", (50000, 30000, 20000, 10000)),
    CategoryPlan("", Eligible.RATING, "1-2199", (10000, 5000)),
    CategoryPlan("", Eligible.AGE_UNTIL, "15", (5000,), things=("DGT 3000",)),
)
replace_plan(event, PrizePlan("CHF", categories=plans))
table_codes_make(tournament_id=event.pk, actor=actor, now=now, secret="drawn")
last = event.rounds.get(number=9)
last.games.all().delete()
last.seats.all().delete()
Round.objects.filter(pk=last.pk).update(
    state=RoundState.PLANNED, published_at=None, results_published_at=None
)
round_pair(round_id=last.pk, actor=actor, now=now, older_open=True)
round_publish(round_id=last.pk, actor=actor, now=now)
"""
"""Make an event of 120 players whose last round is published."""
PLAY: Final = """
from django.contrib.auth.models import User
from django.utils import timezone
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from tournaments.models import Tournament
actor, now = User.objects.get(username="arbiter"), timezone.now()
last = Tournament.objects.get(slug="large-open").rounds.get(number=9)
for game in last.games.all():
    result = ("10", "==", "01")[game.board * 7 % 5 % 3]
    result_record(game_id=game.pk, result=result, actor=actor, now=now)
results_publish(round_id=last.pk, actor=actor, now=now, before_time=True)
"""


def run(script: str, folder: str) -> None:
    """Run *script* with the database of :func:`tools.camera.site`."""
    environment = os.environ | {
        "SWISS_DATA_DIR": folder,
        "DATABASE_URL": f"sqlite:///{folder}/pictures.sqlite3",
        "DEBUG": "true",
        "LOG_LEVEL": "ERROR",
    }
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", script],
        cwd=ROOT,
        env=environment,
        check=True,
    )


def first_sheet(chief: Camera, query: str, folder: Path) -> str:
    """Return the first sheet of *query* as a PNG picture in base64."""
    chief.open(f"t/large-open/print/sheets/?list={query}&notice={NOTICE[chief.language]}")
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
            browser = chromium(playwright, address)
            chief = Camera(browser, language)
            chief.log_in()
            for script, pictures in ((MAKE, PAIRED), (PLAY, OVER)):
                run(script, folder)
                for name, queries in pictures.items():
                    shoot(chief, name, queries, Path(folder), 2 if name == "sheets-across" else 3)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
