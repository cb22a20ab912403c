"""The pages on which players report results, and those of the codes:
links, codes, limits and contents.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from pairing.rounds.players_reports import players_report_give
from pairing.rounds.results import result_record
from pairing.rounds.table_codes import (
    KIOSK,
    code_of,
    codes_of,
    players_reports_close,
    players_reports_open,
    table_codes_make,
)
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_players_reports import SECRET, running
from tournaments.core.request_limits import LIMITS, REPORT
from tournaments.models import Appointment, Decision, Game, PlayersReport, Role, Round, Tournament
from tournaments.web.rounds.tables import requested_tables

__all__ = ["running"]


def table_url(round_: Round, number: int, code: str | None = None) -> str:
    right = code_of(codes_of(round_.tournament), number)
    return reverse(
        "table-report", args=[round_.tournament.slug, number, right if code is None else code]
    )


def kiosk_url(round_: Round, *number: int) -> str:
    code = code_of(codes_of(round_.tournament), KIOSK)
    return reverse(
        "kiosk-board" if number else "kiosk", args=[round_.tournament.slug, code, *number]
    )


def form_of(page: str, **more: str) -> dict[str, str]:
    """Return the hidden fields of the only form about a game on *page*."""
    fields = dict(
        re.findall(r'<input type="hidden" name="(game|version|side)" value="(\w*)">', page)
    )
    return {**fields, **more}


def text_of(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def reports_of(round_: Round) -> list[tuple[int, str, str]]:
    rows = PlayersReport.objects.filter(game__round=round_).order_by("game__board", "-side")
    return list(rows.values_list("game__board", "side", "result"))


def names_at(round_: Round, board: int) -> dict[str, str]:
    seats = Game.objects.get(round=round_, board=board).seats.select_related("entry")
    return {seat.colour: seat.entry.name for seat in seats}


@pytest.mark.parametrize("place", ["table", "kiosk"])
def test_both_players_report_on_one_device(place: str, running: Round, client: Client) -> None:
    url = table_url(running, 1) if place == "table" else kiosk_url(running, 1)
    names = names_at(running, 1)
    start = client.get(url)
    assert "Who are you?" in text_of(start)
    game = Game.objects.get(round=running, board=1).pk
    answer = client.get(url, {"game": game, "side": "b"})
    assert f"{names['b']}, what is your result?" in text_of(answer)
    # Black says "I won".
    assert re.search(r'value="01">\s*<strong>I won', answer.content.decode())
    sent = client.post(url, form_of(answer.content.decode(), result="01"))
    assert (sent.status_code, sent.headers["Location"]) == (302, url)
    confirm = client.get(url)
    assert f"{names['w']}, is this right?" in text_of(confirm)
    client.post(url, form_of(confirm.content.decode(), result="01"))
    assert reports_of(running) == [(1, "w", "01"), (1, "b", "01")]
    end = client.get(url)
    assert "Both players report: 0 – 1" in text_of(end)
    assert end.headers.get("Refresh") == (
        f"12; url={kiosk_url(running)}" if place == "kiosk" else None
    )
    assert (end.headers["Cache-Control"], end.headers["X-Robots-Tag"]) == (
        "private, no-store",
        "noindex",
    )
    assert Game.objects.get(pk=game).result == ""


@pytest.mark.costly
def test_the_other_phone_disagrees_and_the_mistake_is_corrected(
    running: Round, client: Client
) -> None:
    url, game = table_url(running, 2), Game.objects.get(round=running, board=2).pk
    message = client.get(url, {"game": game, "side": "w"}).content.decode()
    client.post(url, form_of(message, result="10"))
    other = Client()
    message = other.get(url, {"game": game, "side": "b"}).content.decode()
    other.post(url, form_of(message, result="=="))
    assert "Your reports differ" in text_of(client.get(url))
    message = client.get(url, {"game": game, "side": "w"}).content.decode()
    client.post(url, form_of(message, result="=="))
    assert reports_of(running) == [(2, "w", "=="), (2, "b", "==")]


@pytest.mark.costly
def test_a_wrong_or_old_code_shows_and_saves_nothing(
    running: Round, client: Client, chief_arbiter: User
) -> None:
    codes = codes_of(running.tournament)
    old = [table_url(running, 1), kiosk_url(running), kiosk_url(running, 1)]
    wrong = [
        table_url(running, 1, code_of(codes, 2)),
        table_url(running, 1, "é"),
        table_url(running, 1, "x" * 500),
    ]
    assert {client.get(url).status_code for url in old[:1] + old[2:]} == {200}
    table_codes_make(
        tournament_id=running.tournament_id, actor=chief_arbiter, now=NOW, secret="another"
    )
    name = names_at(running, 1)["w"]
    for url in (*old, *wrong):
        for answer in (
            client.get(url),
            client.post(url) if "kiosk" not in url or url == old[2] else client.get(url),
        ):
            assert (answer.status_code, name in answer.content.decode()) == (404, False), url
    assert reports_of(running) == []


@pytest.mark.costly
def test_a_code_is_for_the_game_of_its_table_only(running: Round, client: Client) -> None:
    other = Game.objects.get(round=running, board=2)
    answer = client.post(
        table_url(running, 1), {"game": other.pk, "version": 0, "side": "w", "result": "10"}
    )
    assert (answer.status_code, reports_of(running)) == (409, [])
    for fields in ({}, {"game": "x", "version": "x"}, {"game": "9" * 40}):
        given = {"side": "w", "result": "10", **fields}
        assert client.post(table_url(running, 1), given).status_code == 409
    assert client.post(table_url(running, 1), {"side": "w", "result": "--"}).status_code == 400
    assert reports_of(running) == []


@pytest.mark.costly
def test_an_old_page_reports_nothing(running: Round, client: Client, deputy: User) -> None:
    url, game = table_url(running, 1), Game.objects.get(round=running, board=1)
    form = form_of(client.get(url, {"game": game.pk, "side": "w"}).content.decode(), result="10")
    result_record(game_id=game.pk, result="01", actor=deputy, now=NOW)
    refused = client.post(url, form)
    assert (refused.status_code, "An arbiter has already entered a result" in text_of(refused)) == (
        409,
        True,
    )
    assert "Entered: 0 – 1" in text_of(client.get(url))
    result_record(game_id=game.pk, result="??", actor=deputy, now=NOW)
    text = text_of(client.get(url))
    assert ("This game is adjourned." in text, "Entered" in text) == (True, False)
    result_record(game_id=game.pk, result="", actor=deputy, now=NOW)
    refused = client.post(url, form)
    assert (refused.status_code, "This board has changed in the meantime" in text_of(refused)) == (
        409,
        True,
    )
    assert reports_of(running) == []


@pytest.mark.costly
def test_nothing_is_reported_while_it_is_off_or_between_rounds(
    running: Round, client: Client, chief_arbiter: User
) -> None:
    url, sentence = table_url(running, 1), "Results cannot be reported here now."
    by = {"tournament_id": running.tournament_id, "actor": chief_arbiter, "now": NOW}
    players_reports_close(**by)
    pages = [url, kiosk_url(running), kiosk_url(running, 1), f"{kiosk_url(running)}?q=1"]
    assert [sentence in text_of(client.get(page)) for page in pages] == [True] * 4
    players_reports_open(**by, secret="x")
    assert "Nobody plays at this table" in text_of(client.get(table_url(running, 99)))
    factories.enter_results(running.tournament, 1, chief_arbiter, factories.white_wins)
    factories._publish_results(running.pk, chief_arbiter)
    assert [sentence in text_of(client.get(page)) for page in pages] == [True] * 4
    # The kiosk sees by itself that the next round has begun.
    assert client.get(kiosk_url(running)).headers["Refresh"] == f"60; url={kiosk_url(running)}"


@pytest.mark.costly
def test_a_table_that_sends_too_much_has_to_wait(running: Round, client: Client) -> None:
    url, game = table_url(running, 1), Game.objects.get(round=running, board=1)
    form = {"game": game.pk, "version": 0, "side": "w"}
    sent = [
        client.post(url, form | {"result": "10" if n % 2 else "01"})
        for n in range(LIMITS[REPORT][0] + 1)
    ]
    assert [answer.status_code for answer in sent] == [302] * LIMITS[REPORT][0] + [409]
    assert "Too many reports at once" in text_of(sent[-1])
    other = {
        "game": Game.objects.get(round=running, board=2).pk,
        "version": 0,
        "side": "w",
        "result": "10",
    }
    assert client.post(table_url(running, 2), other).status_code == 302


def test_the_form_token_is_needed(running: Round) -> None:
    game = Game.objects.get(round=running, board=1)
    strict = Client(enforce_csrf_checks=True)
    form = {"game": game.pk, "version": 0, "side": "w", "result": "10"}
    assert [
        strict.post(url, form).status_code for url in (table_url(running, 1), kiosk_url(running, 1))
    ] == [403] * 2


@pytest.mark.costly
def test_the_kiosk_finds_boards_by_number_and_by_name(running: Round, client: Client) -> None:
    Game.objects.filter(round=running, board=1).update(table=9)
    url, names = kiosk_url(running), names_at(running, 3)
    found = {
        text: client.get(url, {"q": text}).headers.get("Location")
        for text in (
            "3",
            " 3 ",
            names["w"][:4],
            names["b"],
            "1",
            "9",
            "77",
            "x",
            "zzz",
            "\x00",
            "9" * 50,
            "None",
        )
    }
    to_three, to_nine = kiosk_url(running, 3), kiosk_url(running, 9)
    nothing = dict.fromkeys(("77", "x", "zzz", "\x00", "9" * 50, "None"))
    assert found == nothing | {
        "3": to_three, " 3 ": to_three, names["w"][:4]: to_three, names["b"]: to_three, "1": to_nine, "9": to_nine,
    }  # fmt: skip
    several = text_of(client.get(url, {"q": "player"}))
    assert several.count("Board ") == 4
    assert "type more letters" not in several
    assert "at least two letters" in text_of(client.get(url, {"q": "x"}))
    assert client.get(url, {"q": "zzz"}).headers["Refresh"] == f"60; url={url}"


@pytest.mark.costly
def test_who_may_enter_results_lands_on_the_floor_page(
    running: Round, client: Client, stranger: User
) -> None:
    floor = reverse("round-floor", args=[running.tournament.slug, 1])
    Game.objects.filter(round=running, board=2).update(table=7)
    client.force_login(stranger)
    assert "Who are you?" in text_of(client.get(table_url(running, 7)))
    for role, lands in (
        (Role.RESULT_DESK, True),
        (Role.READER, False),
        (Role.CHECK_IN_DESK, False),
    ):
        Appointment.objects.update_or_create(
            tournament=running.tournament, person=stranger, defaults={"role": role, "since": NOW}
        )
        answers = [client.get(table_url(running, 7)), client.get(table_url(running, 7, "old-code"))]
        places = [answer.headers.get("Location") for answer in answers]
        assert places == ([f"{floor}?board=2#board-2"] * 2 if lands else [None, None]), role


@pytest.mark.costly
def test_codes_are_made_printed_and_made_again_once(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    client.force_login(chief_arbiter)
    page, sheet = (reverse(name, args=[tournament.slug]) for name in ("table-codes", "table-sheet"))
    assert "There are no codes yet." in client.get(sheet).content.decode()
    first = client.get(page).context["name"]
    for status in (302, 409):  # sent twice
        assert client.post(page, {"codes": first}).status_code == status
    secret = codes_of(tournament).secret
    assert (len(secret), codes_of(tournament).takes_reports) == (64, False)
    assert client.post(page).status_code == 409
    client.post(page, {"on": "yes"})
    assert (codes_of(tournament).secret, codes_of(tournament).takes_reports) == (secret, True)
    shown = client.get(sheet).content.decode()
    assert shown.count("QR code of table") == 4
    assert "scan, and report your result" in shown
    assert (
        client.get(sheet, {"from": "3", "to": "7"}).content.decode().count("QR code of table") == 5
    )
    assert client.get(sheet, {"from": "x", "to": "-1"}).status_code == 200
    lines = list(
        own(Decision)
        .filter(tournament=tournament)
        .order_by("sequence")
        .values_list("action", flat=True)
    )
    assert lines[-2:] == ["table_codes.made", "players_reports.opened"]


def test_a_sheet_has_at_most_three_hundred_tables() -> None:
    requested = {
        "": (1, 40),
        "from=3&to=900": (3, 302),
        "from=7&to=2": (7, 7),
        "from=x&to=-1": (1, 40),
        "to=2": (1, 2),
    }
    printed = {query: requested_tables(QueryDict(query), 40) for query in requested}
    assert {query: (tables[0], tables[-1]) for query, tables in printed.items()} == requested


@pytest.mark.costly
def test_no_public_page_or_file_has_a_report_or_a_code(running: Round, client: Client) -> None:
    slug = running.tournament.slug
    pages = [
        reverse(name, args=[slug])
        for name in ("tournament", "players", "record", "record-file", "trf-export")
    ]
    pages += [
        reverse("pairings-public", args=[slug, 1]),
        f"/api/v1/tournaments/{slug}/rounds/1/pairings/",
    ]
    before = [client.get(page).content for page in pages]
    game = Game.objects.get(round=running, board=1).pk
    for side in "wb":
        players_report_give(game_id=game, side=side, result="10", now=NOW, seen_version=0)
    assert [client.get(page).content for page in pages] == before
    assert SECRET.encode() not in b"".join(before)


def test_a_tournament_that_does_not_exist_has_no_tables(client: Client, db: None) -> None:
    urls = [
        reverse("table-report", args=["nowhere", 1, "x"]),
        reverse("kiosk", args=["nowhere", "x"]),
    ]
    assert {client.get(url).status_code for url in urls} == {404}
    assert not Tournament.objects.filter(slug="nowhere").exists()


@pytest.mark.costly
def test_the_slip_of_another_round_asks_for_nothing_and_leads_an_arbiter_there(
    running: Round, client: Client, chief_arbiter: User
) -> None:
    factories.enter_results(running.tournament, 1, chief_arbiter, factories.white_wins)
    factories._publish_results(running.pk, chief_arbiter)
    factories.pair_and_publish(running.tournament, 2, chief_arbiter)
    url = table_url(running, 2)
    assert "Who are you?" in text_of(client.get(url))
    assert "Who are you?" in text_of(client.get(url, {"round": 2}))
    old = text_of(client.get(url, {"round": 1}))
    assert "This slip is for round 1, which is not being played now." in old
    assert "Who are you?" not in old
    for unknown in ("3", "0", "x", "-1", "9" * 40):  # no round that was published
        assert "Who are you?" in text_of(client.get(url, {"round": unknown}))
    client.force_login(chief_arbiter)
    root = f"/t/{running.tournament.slug}/rounds/"
    for number, there in ((1, f"{root}1/#board-2"), (2, f"{root}2/floor/?board=2#board-2")):
        assert client.get(url, {"round": number}).headers["Location"] == there
