"""A phone without network reads the boards of a round from its code."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from pairing.record import round_code
from pairing.record.round_code import RoundCode
from pairing.rules.published import Situation
from tests.record import round_code_reading
from tests.tournaments import factories
from tests.tournaments.rounds.test_change_actions import change
from tournaments.core.frame import tournament_frame
from tournaments.core.signing import sign
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add
from tournaments.models import Tournament
from tournaments.reports.round_codes import signed_code
from tournaments.standings.ranked_field import round_for

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_offline import wait_until_kept
from .test_phone import too_small, too_wide

pytestmark = pytest.mark.django_db(transaction=True)


def digits_of(tournament: Tournament, number: int) -> str:
    frame = tournament_frame(tournament, runs=False)
    return signed_code(frame, round_for(frame, factories.round_of(tournament, number)), 1)


def signed(tournament: Tournament, code: RoundCode) -> str:
    packed = round_code.pack(code)
    return round_code.to_digits(
        packed + bytes.fromhex(sign(round_code.message(tournament.identity, packed)))
    )


def content_of(digits: str) -> RoundCode:
    return round_code_reading.unpack(
        round_code_reading.from_digits(digits)[: -round_code_reading.SIGNATURE_BYTES]
    )


def shown(page: Page) -> list[list[str]]:
    rows: list[list[str]] = page.locator("#scanned-boards tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return rows


@pytest.mark.costly
def test_the_boards_of_a_code_are_read_without_network(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=9)
    root = f"{live_server.url}/t/{tournament.slug}/"
    player = factories.entry_of(tournament, 3)
    phone.goto(root + "me/")  # before the round is published
    phone.get_by_role("searchbox").fill(player.name)
    phone.get_by_role("button", name=player.name).tap()
    wait_until_kept(phone)
    phone.context.set_offline(True)
    factories.pair_and_publish(tournament, 1, chief.user)
    digits = digits_of(tournament, 1)
    phone.goto(f"{root}offline/#{digits}")
    verified = phone.get_by_role("status").filter(has_text="Signature verified")
    expect(verified).to_be_visible()
    expect(phone.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(phone.locator("#scanned-when")).to_contain_text("21 Nov 2026")
    names = {entry.tpn: f"{entry.tpn} {entry.name}" for entry in tournament.entries.all()}
    expected = [
        [str(board), names[white], names[black]]
        for board, (white, black, _) in enumerate(factories.boards(tournament, 1), start=1)
    ]
    assert shown(phone) == expected
    expect(phone.locator("#scanned-byes")).to_contain_text("pairing-allocated bye")
    expect(phone.locator(".my-board")).to_contain_text("Board 3 · ")
    assert [*faults(phone), *too_wide(phone), *too_small(phone)] == []
    phone.get_by_role("searchbox").fill(player.name[:4].upper())
    expect(phone.locator("#scanned-boards tr")).to_have_count(1)
    phone.get_by_role("searchbox").fill("")
    # A manipulated code, one of another tournament, and one that is cut off show nothing.
    bad = (
        str(9 - int(digits[0])) + digits[1:],
        digits[:60] + str((int(digits[60]) + 1) % 10) + digits[61:],
        digits[:-9],
    )
    for wrong in bad:
        phone.evaluate("digits => { location.hash = digits; }", wrong)
        expect(
            phone.get_by_role("status").filter(has_text="Look at the list on the wall")
        ).to_be_visible()
        expect(phone.locator("#scanned-table")).to_be_hidden()
    code = content_of(digits)
    phone.evaluate(
        "digits => { location.hash = digits; }", signed(tournament, replace(code, event="0000"))
    )
    expect(phone.get_by_text("This code belongs to another tournament.")).to_be_visible()
    # Two codes of one later round complete each other; the numbers of the second index are not
    # those of this phone.
    half = [
        replace(
            code,
            round_number=2,
            part=part,
            parts=2,
            boards=boards,
            first_board=first,
            byes=(),
            version=2,
        )
        for part, boards, first in [(1, code.boards[:2], 1), (2, code.boards[2:], 3)]
    ]
    phone.evaluate("digits => { location.hash = digits; }", signed(tournament, half[1]))
    expect(phone.get_by_text("This is code 2 of 2.")).to_be_visible()
    expect(phone.locator("#scanned-boards tr")).to_have_count(2)
    phone.evaluate(
        "digits => { location.hash = digits; }",
        signed(tournament, replace(half[0], tables=((2, 7),))),
    )
    expect(phone.get_by_text("This is code")).to_have_count(0)
    assert [row[0] for row in shown(phone)] == ["1", "2 (table 7)", "3", "4"]
    expect(phone.locator("#scanned-when")).to_contain_text("version 2")
    phone.evaluate("digits => { location.hash = digits; }", digits)
    expect(phone.get_by_text("This phone knows newer pairings than this code.")).to_be_visible()
    phone.evaluate(
        "digits => { location.hash = digits; }", signed(tournament, replace(code, numbers=1))
    )
    expect(phone.get_by_text("only numbers are shown")).to_be_visible()
    assert shown(phone)[0][1:] == [str(number) for number in code.boards[0]]


def test_a_code_says_the_time_of_the_publication_as_the_page_of_the_pairings_does(
    phone: Page, live_server: LiveServer, settings: Settings
) -> None:
    settings.TIME_ZONE = "Pacific/Auckland"
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)  # at 9:00 in UTC
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.goto(f"{root}pairings/1/")
    expect(phone.locator("#page-head, main").first).to_contain_text("22:00")
    phone.goto(f"{root}offline/#{digits_of(tournament, 1)}")
    expect(phone.locator("#scanned-when")).to_have_text("Pairings published 21 Nov 2026, 22:00")


@pytest.mark.costly
def test_an_open_page_names_the_players_who_were_entered_since(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.play_rounds(tournament, [1], chief.user)
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/offline/#{digits_of(tournament, 1)}")
    expect(phone.locator("#scanned-boards tr")).to_have_count(2)
    late = entry_add(
        tournament_id=tournament.pk,
        actor=chief.user,
        now=factories.NOW,
        name="Late, Lara",
        fide_rating=2900,
    )
    bye_request(entry_id=late.pk, round_number=2, kind="Z", actor=chief.user, now=factories.NOW)
    factories.pair_and_publish(tournament, 2, chief.user)
    with phone.expect_response("**/news.json"):
        phone.clock.fast_forward(2_000)
    phone.evaluate("digits => { location.hash = digits; }", digits_of(tournament, 2))
    expect(phone.locator("#scanned-byes")).to_contain_text("Late, Lara · absent")


@pytest.mark.costly
def test_c04_2_4_4_the_code_from_before_a_change_is_old_also_for_a_phone_that_scanned_no_other(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=7)
    factories.pair_and_publish(tournament, 1, chief.user)
    old = digits_of(tournament, 1)
    page = f"{live_server.url}/t/{tournament.slug}/offline/"
    notes = phone.locator("#scanned-notes")
    phone.goto(f"{page}#{old}")
    expect(phone.locator("#scanned-boards tr")).to_have_count(3)
    expect(notes).to_be_empty()
    phone.clock.install()
    phone.goto(page)
    entry_add(
        tournament_id=tournament.pk,
        actor=chief.user,
        now=factories.NOW,
        name="Late, Lara",
        checked_in=True,
    )
    change(tournament, 1, chief.user, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8")
    with phone.expect_response("**/news.json"):
        phone.clock.fast_forward(2_000)
    phone.evaluate("digits => { location.hash = digits; }", old)
    expect(notes).to_contain_text("This phone knows newer pairings than this code.")
    phone.goto("about:blank")
    phone.goto(f"{page}#{old}")
    expect(notes).to_contain_text("This phone knows newer pairings than this code.")
    tournament.refresh_from_db()
    phone.evaluate("digits => { location.hash = digits; }", digits_of(tournament, 1))
    expect(phone.locator("#scanned-boards tr")).to_have_count(4)
    expect(notes).not_to_contain_text("newer pairings")


@pytest.mark.costly
def test_a_browser_that_cannot_check_says_so(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.add_init_script(
        "delete Navigator.prototype.serviceWorker; delete SubtleCrypto.prototype.importKey;"
    )
    phone.goto(f"{live_server.url}/t/{tournament.slug}/offline/#{digits_of(tournament, 1)}")
    expect(phone.get_by_role("status").filter(has_text="Not verified")).to_be_visible()
    assert len(shown(phone)) == 2
