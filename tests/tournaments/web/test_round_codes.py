"""The QR codes of a round have the boards of its page, signed, and there are none of a draft."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from pairing.record import round_code, signatures
from pairing.record.round_code import RoundCode
from pairing.rounds.pair import round_pair
from pairing.rules.published import Situation
from tests.record import round_code_reading
from tests.tournaments import factories
from tests.tournaments.qr_reading import text_of
from tests.tournaments.rounds.test_change_actions import change
from tests.tournaments.web.test_sheet_address import dark_modules
from tournaments.core.signing import public_key
from tournaments.entries.entries import entry_add
from tournaments.models import Entry, Tournament

HOST = {"Host": "chess.example.org"}


@pytest.fixture(autouse=True)
def _reachable(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["chess.example.org", "testserver"]


def modules_of(svg: str) -> list[list[int]]:
    size = int(re.search(r'viewBox="-4 -4 (\d+)', svg)[1]) - 8  # type: ignore[index]
    dark = dark_modules(re.findall(r' d="([^"]+)"', svg)[1])
    return [[int((x, y) in dark) for x in range(size)] for y in range(size)]


def scan(client: Client, tournament: Tournament, number: int, part: int) -> tuple[RoundCode, int]:
    """Read a code as a phone does; return its content and its modules on a side.

    The signature has to be right.
    """
    answer = client.get(reverse("round-code", args=[tournament.slug, number, part]), headers=HOST)
    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    modules = modules_of(answer.content.decode())
    address, _, digits = text_of(modules).partition("#")
    assert address == f"http://chess.example.org/t/{tournament.slug}/offline/"
    content = round_code_reading.from_digits(digits)
    packed, signature = (
        content[: -round_code_reading.SIGNATURE_BYTES],
        content[-round_code_reading.SIGNATURE_BYTES :],
    )
    text = round_code.message(tournament.identity, packed)
    assert signatures.is_signed(public_key(), text, signature.hex())
    assert not signatures.is_signed(
        public_key(), round_code.message("0" * 32, packed), signature.hex()
    )
    return round_code_reading.unpack(packed), len(modules)


def test_the_code_has_the_boards_the_bye_and_the_time(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, players=7)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    code, _ = scan(client, tournament, 1, 1)
    assert list(code.boards) == [board[:2] for board in factories.boards(tournament, 1)]
    assert dict(code.byes) == factories.byes(tournament, 1) != {}
    assert (code.round_number, code.version, code.part, code.parts, code.first_board) == (
        1,
        1,
        1,
        1,
        1,
    )
    assert code.published == int(factories.NOW.timestamp())
    assert tournament.identity.startswith(code.event)
    players = Entry.objects.filter(tournament=tournament).values_list("tpn", "pk")
    assert code.numbers == round_code.numbers_mark((tpn, pk) for tpn, pk in players if tpn)


@pytest.mark.costly
def test_300_players_are_in_two_codes_that_a_camera_reads(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=300)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    first, second = (scan(client, tournament, 1, part) for part in (1, 2))
    assert [*first[0].boards, *second[0].boards] == [
        board[:2] for board in factories.boards(tournament, 1)
    ]
    assert second[0].first_board == 76
    # Version 13 at most: with its margin 77 modules, of 0.6 mm on a sheet.
    assert max(first[1], second[1]) <= 69
    page = client.get(
        reverse("pairings-public", args=[tournament.slug, 1]), headers=HOST
    ).content.decode()
    assert page.count("/codes/1.svg") == page.count("/codes/2.svg") == 1
    assert (
        client.get(reverse("round-code", args=[tournament.slug, 1, 3]), headers=HOST).status_code
        == 404
    )


def test_a_draft_has_no_code(ready: Tournament, chief_arbiter: User, client: Client) -> None:
    round_pair(round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW)
    client.force_login(chief_arbiter)
    for number in (1, 2, 99):
        for url in (
            reverse("round-codes", args=[ready.slug, number]),
            reverse("round-code", args=[ready.slug, number, 1]),
        ):
            assert client.get(url, headers=HOST).status_code == 404


@pytest.mark.costly
def test_where_no_phone_can_open_the_address_there_is_no_code(
    ready: Tournament, chief_arbiter: User, client: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    factories.pair_and_publish(ready, 1, chief_arbiter)
    local = {"Host": "localhost"}
    assert (
        client.get(reverse("round-code", args=[ready.slug, 1, 1]), headers=local).status_code == 404
    )
    page = client.get(reverse("round-codes", args=[ready.slug, 1]), headers=local).content.decode()
    assert "There are no codes" in page
    assert (
        "/codes/"
        not in client.get(
            reverse("pairings-public", args=[ready.slug, 1]), headers=local
        ).content.decode()
    )


@pytest.mark.costly
def test_c04_2_4_4_an_open_page_replaces_the_codes_when_pairings_are_changed(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=7)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    large, pairings = (
        reverse(name, args=[tournament.slug, 1]) for name in ("round-codes", "pairings-public")
    )
    picture = re.compile(r"/codes/1\.svg\?v=([^\"& ]+)")

    def versions() -> set[str]:
        """Return the versions in the addresses of the pictures,
        on the pages and in what open pages fetch.
        """
        headers: list[dict[str, str]] = [{}, {"HX-Request": "true"}]
        answers = [
            client.get(url, headers=HOST | more) for url in (large, pairings) for more in headers
        ]
        assert [b"<html" in answer.content for answer in answers] == [True, False] * 2
        found = [picture.findall(answer.content.decode()) for answer in answers]
        assert all(found)
        return {version for some in found for version in some}

    (before,) = versions()
    entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        name="Late, Lara",
        checked_in=True,
    )
    change(tournament, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8")
    (after,) = versions()
    assert after != before
    code, _ = scan(client, tournament, 1, 1)
    assert code.version == 2


@pytest.mark.costly
def test_the_codes_of_a_round_before_lead_to_the_newest_ones(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    factories.play_rounds(tournament, [1], chief_arbiter)
    first, second = (reverse("round-codes", args=[tournament.slug, number]) for number in (1, 2))
    assert f'href="{second}"' not in client.get(first, headers=HOST).content.decode()
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    assert f'href="{second}"' in client.get(first, headers=HOST).content.decode()
