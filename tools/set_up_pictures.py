"""Pictures of an import, waiting rows, the rating lists,
the registration and an event of two sections.

For :mod:`tools.pictures`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tools.camera import ROOT, Camera

NAMES = {"en": "City Open", "fr": "Open de la ville"}
LIST = """Name;Rating;Born;Fed;Club;FIDE ID
Abonnel, Hugo;1912;1988;FRA;Mat à Lyon;100101
Bergström, Ida;1745;2001;SWE;Rook House;100102
Ciobanu, Radu;1688 F;1979;RO;Two Knights;
Duval, Léa;seize cents;2009;FRA;Mat à Lyon;
Ekström, Nils;1530;1995;SWE;Rook House;100103
Ferrand, Luc;1475;2012;FRA;Mat à Lyon;100104
Grant, Amy;1320;2011;ENG;Two Knights;
"""
NEWER = """Name;Rating;Born;Fed;Club
Abonnel, Hugo;1934;1988;FRA;Mat à Lyon
Bergström, Ida;seventeen;2001;NOR;Rook House
Hansen, Ove;1610;1990;DEN;
"""
RATED = [("100101", "Abonnel, Hugo", "FRA", 1934), ("100102", "Bergström, Ida", "SWE", 1761)]
RATED += [("100103", "Ekström, Nils", "SWE", 1530), ("100104", "Ferrand, Luc", "FRA", 1519)]
RATED += [("100105", "Bergmann, Karl", "GER", 2044), ("100106", "Bergeron, Anne", "CAN", 1873)]
HEAD = f"{'ID Number':<15}{'Name':<61}Fed Sex Tit  WTit OTit           FOA NOV26 Gms K  B-day Flag"


def load_ratings(folder: str) -> None:
    """Load a rating list of a few invented players into the site in *folder*."""
    path = Path(folder) / "standard_rating_list.txt"
    rows = [
        f"{number:<15}{name:<61}{fed:<8}{'':<29}{rating:<13}" for number, name, fed, rating in RATED
    ]
    path.write_text("\n".join([HEAD, *rows, ""]), encoding="utf-8")
    environment = {
        **os.environ,
        "SWISS_DATA_DIR": folder,
        "DATABASE_URL": f"sqlite:///{folder}/pictures.sqlite3",
    }
    command = [sys.executable, "manage.py", "load_ratings", str(path)]
    subprocess.run(
        command,
        cwd=ROOT,
        env=environment | {"DEBUG": "true"},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def set_up(chief: Camera, visitor: Camera) -> None:
    """Import a list, compare it with the rating list, let visitors register,
    and make two sections.
    """
    chief.open("new/")
    chief.fill(name=NAMES[chief.language], total_rounds="5")
    chief.press("Create tournament")
    event = "t/" + chief.page.url.split("/t/")[1].split("/")[0]
    import_list(chief, event, LIST)
    import_list(chief, event, NEWER, picture="import")
    chief.open(f"{event}/entries/waiting/")
    chief.shoot("waiting", 850, 900, top="form:has(ins) h2")
    chief.open(f"{event}/ratings/")
    chief.shoot("ratings", 1100, 640)
    chief.open(f"{event}/entries/add/")
    chief.page.locator("main [name=name]").press_sequentially("berg", delay=50)
    chief.page.locator("#hits button").first.wait_for()
    chief.shoot("hits", 850, 560)
    registration(chief, visitor, event)
    chief.open(f"{event}/section/")
    chief.fill(label="A")
    chief.click(chief.page.locator("main form button.primary"))
    address = "e/" + chief.page.url.split("/e/")[1].split("/")[0]
    new = chief.page.locator("section[aria-labelledby=new-section]")
    new.locator("[name=label]").fill("B")
    new.locator("[name=rating_to]").fill("1599")
    chief.click(new.locator("button.primary"))
    first = chief.page.locator("main section").first
    first.locator("[name$=rating_from]").fill("1600")
    chief.click(first.locator("button"))
    chief.open(f"{address}/entries/")
    chief.shoot("sections", 1100, 640)


def registration(chief: Camera, visitor: Camera, event: str) -> None:
    """Open the registration; two visitors register,
    one of them with a name that is entered already.
    """
    chief.open(f"{event}/registration/")
    chief.page.locator("[name=is_open]").check()
    chief.fill(most="12")
    chief.press("Save")
    for last, first in (("Bergmann", "Karl"), ("Abonnel", "Hugo")):
        visitor.open(f"{event}/register/")
        visitor.fill(
            last_name=last, first_name=first, federation="GER", email=f"{first.lower()}@example.org"
        )
        visitor.press("Continue")
        listed = visitor.page.locator("main [name=listed]")
        listed.nth(0 if last == "Bergmann" else -1).check()
        if last == "Bergmann":
            visitor.shoot("registration", 850, 700)
        visitor.press("Send the registration")
        visitor.press("Confirm my registration")
    chief.open(f"{event}/registrations/")
    chief.shoot("registrations", 1100, 720)


def import_list(chief: Camera, event: str, text: str, picture: str = "") -> None:
    """Import the pasted *text*; *picture* is the name of a picture of its preview."""
    chief.open(f"{event}/entries/import/")
    chief.fill(text=text)
    chief.press("Preview")
    if picture:
        chief.shoot(picture, 1100, 900, whole=True)
    chief.press("Import the ticked rows")
