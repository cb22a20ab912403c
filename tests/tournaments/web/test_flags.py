"""Flags before the codes of federations: local files, named by FIDE's codes, and no more."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rules.federations import FEDERATIONS
from tests.tournaments import factories
from tools.flags import FOLDER, ISO_CODES
from tournaments.core.short_address import new_screen_code
from tournaments.events.screens import Wanted, screen_add
from tournaments.models import Round
from tournaments.web.printing.chromium import with_own_flags
from tournaments.web.templatetags.flags import WITHOUT_FLAG, flag, with_flag


def test_each_federation_has_a_file_or_is_named_as_one_without() -> None:
    files = {path.stem for path in FOLDER.glob("*.svg")}
    assert files == {*ISO_CODES} == FEDERATIONS - WITHOUT_FLAG


def test_the_files_are_pictures_without_script_or_address_and_the_licence_is_there() -> None:
    for path in FOLDER.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert len(text) < 3000, path
        assert not re.search(r"script|href|on\w+=|url\(h", text), path
    assert "MIT License" in (FOLDER / "LICENSE.txt").read_text(encoding="utf-8")


def test_a_flag_beside_its_code_has_no_name_and_one_alone_has_the_code() -> None:
    assert 'alt=""' in with_flag("FRA")
    assert with_flag("FRA").endswith(">FRA")
    assert 'alt="SUI"' in flag("SUI")
    assert 'width="14" height="14"' in flag("SUI")


@pytest.mark.parametrize("code", ["", "FID", "NON", "XYZ", "../FRA", "<b>"])
def test_a_code_without_a_flag_is_text(code: str) -> None:
    assert flag(code) == ""
    assert with_flag(code) == code.replace("<", "&lt;").replace(">", "&gt;")


def test_lists_show_the_flags_of_their_players(published_round: Round, client: Client) -> None:
    tournament = published_round.tournament
    tournament.entries.update(federation="GER")
    slug, entry = tournament.slug, factories.entry_of(tournament, 1)
    pages = {
        "players": [slug],
        "player-page": [slug, entry.pk],
        "pairings-public": [slug, 1],
    }
    for name, arguments in pages.items():
        page = client.get(reverse(name, args=arguments)).content.decode()
        pictures = set(re.findall(r'<img class="flag" src="([^"]+)"', page))
        assert len(pictures) == 1, name
        (source,) = pictures
        assert source.startswith(f"{settings.STATIC_URL}img/flags/GER"), name


def test_sheets_and_screens_show_flags_where_they_show_federations(
    chief_arbiter: User, client: Client
) -> None:
    """A sheet is printed and a screen is turned at once: no picture waits until somebody scrolls."""
    tournament = factories.make_ready(chief_arbiter, players=4)
    tournament.entries.update(federation="GER")
    factories.play_rounds(tournament, [1], chief_arbiter)
    client.force_login(chief_arbiter)
    for kind, pictures in {"badges": 4, "place-cards": 8, "start-list": 4, "standings": 4}.items():
        sheet = client.get(reverse("sheets", args=[tournament.slug]), {"list": kind})
        found = re.findall(r'<img class="flag" src="[^"]+GER[^"]*"[^>]*>', sheet.content.decode())
        assert (len(found), {"eager" in each for each in found}) == (pictures, {True}), kind
    screen = screen_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        code=new_screen_code(),
        wanted=Wanted(name="Entrance", contents=("standings",)),
    )
    slides = client.get(reverse("screen", args=[screen.code])).content.decode()
    assert len(re.findall(r'<img class="flag" src="[^"]+GER[^"]*"', slides)) == 4


def test_a_pdf_file_takes_its_flags_from_the_program() -> None:
    page = with_own_flags(with_flag("GER", "eager"))
    (source,) = re.findall(r'src="file://([^"]+)"', page)
    file = Path(unquote(source))  # the folder of the program may have a blank
    assert file.name == "GER.svg"
    assert file.is_file()
