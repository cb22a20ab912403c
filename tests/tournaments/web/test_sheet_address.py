"""The address on a printed list, as text and as a QR code, can be opened by a phone in the hall."""

from __future__ import annotations

import re

import pytest
import segno
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments import factories
from tournaments.core.qr_codes import qr_path
from tournaments.core.short_address import LETTERS, short_code
from tournaments.models import Decision, Round
from tournaments.web.templatetags.paper import public_address


def on_the_sheet(text: str) -> str | None:
    found = re.search(r'sheet-address">\s*<p>.*?<br><strong>(.*?)</strong>', text)
    return found[1] if found else None


def dark_modules(path: str) -> set[tuple[int, int]]:
    """Return the modules that an SVG path of runs covers."""
    runs = [(int(x), int(y), int(n)) for x, y, n in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path)]
    assert "".join(f"M{x} {y}h{n}v1h-{n}z" for x, y, n in runs) == path
    return {(x + step, y) for x, y, n in runs for step in range(n)}


def test_the_drawn_code_is_the_code_of_the_address() -> None:
    address = "http://192.168.1.20:8000/t/autumn-open/"
    modules, path = qr_path(address)
    matrix = segno.make(address, error="m", micro=False).matrix
    assert modules == len(matrix)
    assert dark_modules(path) == {
        (x, y) for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark
    }


@pytest.mark.parametrize(
    "requested, allowed, address",
    [
        ("chess.example.org", ["chess.example.org"], "http://chess.example.org/t/x/"),
        ("192.168.1.20:8000", ["localhost", "192.168.1.20"], "http://192.168.1.20:8000/t/x/"),
        (
            "localhost:8000",
            ["127.0.0.1", "localhost", "[::1]", "192.168.1.20", "desk"],
            "http://192.168.1.20:8000/t/x/",
        ),
        ("[::1]:8000", ["[::1]", "desk"], "http://desk:8000/t/x/"),
        ("127.0.0.1", ["127.0.0.1", "localhost", "[::1]"], None),
        ("127.0.0.1", ["*", ".example.org", "127.0.0.1"], None),
    ],
)
def test_the_address_is_reachable_from_other_machines(
    requested: str, allowed: list[str], address: str | None, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = allowed
    assert (
        public_address(RequestFactory().get("/", headers={"Host": requested}), "/t/x/") == address
    )


@pytest.mark.costly
@pytest.mark.django_db
def test_pairings_and_standings_have_the_public_address_whichever_name_the_visitor_uses(
    client: Client, chief_arbiter: User, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["one.example", "two.example", "localhost"]
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(tournament, [1], chief_arbiter)
    pages = [
        reverse("pairings-public", args=[tournament.slug, 1]),
        reverse("standings", args=[tournament.slug]),
    ]
    seen = {
        (page, host): on_the_sheet(client.get(page, headers={"Host": host}).content.decode())
        for page in pages
        for host in ("one.example", "two.example", "localhost")
    }
    assert set(seen.values()) == {f"one.example/s/{short_code(tournament)}/"}
    settings.PUBLIC_ADDRESS = "http://192.168.1.20:8000"
    page = client.get(pages[0], headers={"Host": "two.example"}).content.decode()
    assert on_the_sheet(page) == f"192.168.1.20:8000/s/{short_code(tournament)}/"


@pytest.mark.django_db
def test_the_short_address_leads_to_my_board(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter)
    code = short_code(tournament)
    assert len(f"192.168.100.100:8000/s/{code}/") <= 30
    for written in (code, code.lower()):
        response = client.get(f"/s/{written}/")
        assert (response.status_code, response.headers["Location"]) == (
            302,
            f"/t/{tournament.slug}/me/",
        )


@pytest.mark.costly
@pytest.mark.django_db
def test_a_short_address_with_a_wrong_letter_leads_nowhere(
    client: Client, chief_arbiter: User
) -> None:
    code = short_code(factories.make_ready(chief_arbiter))
    wrong = [
        code[:place] + letter + code[place + 1 :]
        for place in range(len(code))
        for letter in LETTERS
        if letter != code[place]
    ]
    assert {client.get(f"/s/{each}/").status_code for each in [*wrong, "0", "K7Q", "I1O0L"]} == {
        404
    }


@pytest.mark.costly
@pytest.mark.django_db
def test_every_list_for_the_wall_has_the_address_and_the_fingerprint(
    client: Client, chief_arbiter: User, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["one.example"]
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(tournament, [1], chief_arbiter)
    published = Decision.objects.get(tournament=tournament, action="results.published")
    factories.round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    client.force_login(chief_arbiter)
    newest = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert newest.action == "round.paired"
    feet = {}
    for name in ("standings", "crosstable", "players", "entries"):
        text = client.get(
            reverse(name, args=[tournament.slug]), headers={"Host": "one.example"}
        ).content.decode()
        assert on_the_sheet(text) == f"one.example/s/{short_code(tournament)}/"
        feet[name] = re.findall(
            r'#(\d+) <span class="hash">(\w+)</span>', text.partition("print-foot")[2]
        )
    own, everybody = ([(str(row.sequence), row.hash)] for row in (newest, published))
    assert feet == {
        "standings": everybody,
        "crosstable": everybody,
        "players": everybody,
        "entries": own,
    }


@pytest.mark.django_db
def test_a_crosstable_of_a_round_in_play_names_no_publication(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    factories.enter_results(tournament, 2, chief_arbiter)
    client.force_login(chief_arbiter)
    text = client.get(reverse("crosstable", args=[tournament.slug])).content.decode()
    assert "is being played" in text
    assert "print-foot" not in text


@pytest.mark.django_db
def test_without_a_reachable_address_the_list_has_none(
    published_round: Round, client: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    page = reverse("pairings-public", args=[published_round.tournament.slug, 1])
    assert on_the_sheet(client.get(page, headers={"Host": "localhost"}).content.decode()) is None
