"""A folder for the lists, and lists of a few invented players."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments import factories
from tournaments.lists.rating_lists.loading import list_begin, list_load
from tournaments.models import RatingList

HEAD = (
    f"{'ID Number':<15}{'Name':<61}Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
PLAYERS = [
    # FIDE ID, name, federation, sex, title, standard, rapid, blitz, year
    (2000016, "Abara, Player 1", "FRA", "M", "GM", 2450, 2400, 2380, 1990),
    (2000024, "Blomqvist, Player 2", "SWE", "F", "WIM", 2395, 0, 2300, 1988),
    (2000032, "Łukasiewicz-Brandt, Zoë Ann", "POL", "F", "", 1834, 1790, 0, 2003),
    (2000040, "O'Hara, Séan", "IRL", "M", "FM", 0, 2210, 0, 1975),
    (2000059, "Brandt, Łucja", "POL", "F", "", 0, 0, 0, 2011),
]


def text_list(players: Any = PLAYERS, head: str = HEAD) -> bytes:
    lines = [head]
    for number, name, federation, sex, title, standard, rapid, blitz, year in players:
        ratings = "".join(f"{value or '':<13}" for value in (standard, rapid, blitz))
        lines.append(
            f"{number:<15}{name:<61}{federation} "
            f"{sex:<4}{title:<5}{'':<5}{'':<15}{'':<4}{ratings}{year:<6}"
        )
    return ("\n".join(lines) + "\n").encode()


def xml_list(players: Any = PLAYERS) -> bytes:
    body = "".join(
        f"<player><fideid>{number}</fideid><name>{name}</name><country>{federation}</country><sex>{sex}</sex>"
        f"<title>{title}</title><rating>{standard or ''}</rating><rapid_rating>{rapid or ''}</rapid_rating>"
        f"<blitz_rating>{blitz or ''}</blitz_rating><birthday>{year}</birthday></player>\n"
        for number, name, federation, sex, title, standard, rapid, blitz, year in players
    )
    return f'<?xml version="1.0"?>\n<playerslist>\n{body}</playerslist>\n'.encode()


NATIONAL = (
    "Nr FFE;Nom;Prénom;Code FIDE;Elo;Rapide;Club;Fed\n"
    "A12345;ABARA;Player 1;2000016;2431;2300;Mat à Lyon;FRA\n"
    "B00007;Petit;Noël;;1499 E;1510;Échiquier;FRA\n"
)


def packed(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return file.getvalue()


@pytest.fixture
def administrator(db: None) -> User:
    """A site administrator without a role in any tournament."""
    return User.objects.create_superuser(
        "admin", password="admin-secret", first_name="Ada", last_name="Admin"
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    """The folder for the lists of this test."""
    settings.RATING_LISTS_DIR = tmp_path / "lists"
    return tmp_path / "lists"


Load = Callable[..., RatingList]


@pytest.fixture
def load(tmp_path: Path, db: None) -> Load:
    """Load a list from its bytes, as the command does; *smaller*: also one that is much smaller."""

    def do(
        data: bytes,
        name: str = "players_list_foa.txt",
        *,
        now: datetime = factories.NOW,
        smaller: bool = False,
        **given: Any,
    ) -> RatingList:
        file = tmp_path / "given"
        file.write_bytes(data)
        row = list_begin(actor=None, now=now, origin=name, **given)
        return list_load(list_id=row.pk, source=file, clock=lambda: now, accepts_smaller=smaller)

    return do
