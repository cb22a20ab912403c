"""``POST /api/v1/engine/pair``: the engine's pairing, and every refusal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pairing.engine.systems import SYSTEMS
from tournaments.api import engine

from .asking import error

PAIR = "/api/v1/engine/pair"

# Round 1 of four players, White drawn: [C.04.3/2026 3.1] and [C.04.3/2026 5.2.5].
ROUND_ONE: dict[str, Any] = {
    "round": 1,
    "total_rounds": 5,
    "initial_colour": "w",
    "players": [{"tpn": tpn, "rounds": []} for tpn in (1, 2, 3, 4)],
}


def ask(client: Client, position: object, address: str = PAIR, **headers: str) -> HttpResponse:
    body = position if isinstance(position, (str, bytes)) else json.dumps(position)
    return client.post(address, body, content_type="application/json", headers=headers)


def field_of(players: int) -> dict[str, Any]:
    return {**ROUND_ONE, "players": [{"tpn": tpn, "rounds": []} for tpn in range(1, players + 1)]}


@pytest.mark.parametrize("address", [PAIR, PAIR + "/"])
def test_a_position_is_paired(client: Client, address: str) -> None:
    response = ask(client, ROUND_ONE, address)
    assert (response.status_code, response.json()) == (
        200,
        {"pairs": [[1, 3], [4, 2]], "bye": None},
    )


def test_the_engine_runs_no_query(client: Client, db: None) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert ask(client, ROUND_ONE).status_code == 200
    assert len(captured) == 0


def test_the_golden_positions_of_2026(
    client: Client, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.VisitorThrottle, "rate", "1000/min")
    cases = json.loads((shared / "golden" / "dutch_2026.json").read_text())
    assert cases
    for case in cases:
        answer = ask(client, case).json()
        # The expected pairs are in order of number; publication order has its own tests.
        assert {**answer, "pairs": sorted(answer["pairs"])} == case["expected"], case["id"]


def test_c04_5_the_golden_positions_of_matches(
    client: Client, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.VisitorThrottle, "rate", "1000/min")
    cases = json.loads((shared / "golden" / "double_swiss.json").read_text())
    assert cases
    for case in cases:
        answer = ask(client, case).json()
        assert {**answer, "pairs": sorted(answer["pairs"])} == {
            **case["expected"],
            "pairs": sorted(case["expected"]["pairs"]),
        }, case["id"]


def test_c04_5_3_3_3_no_legal_pairing_of_matches_cites_its_article(client: Client) -> None:
    met = {
        "system": "double_swiss_2026",
        "round": 2,
        "total_rounds": 5,
        "players": [{"tpn": 1, "rounds": [[2, "w", "1="]]}, {"tpn": 2, "rounds": [[1, "b", "0="]]}],
    }
    status, problem = error(ask(client, met))
    assert (status, problem["code"], problem["article"]) == (
        409,
        "no_legal_pairing",
        "C.04.5 3.3.3",
    )


def test_c04_3_1_9_3_no_legal_pairing_is_409_with_its_article(client: Client) -> None:
    met = {
        "round": 2,
        "total_rounds": 5,
        "players": [{"tpn": 1, "rounds": [[2, "w", "1"]]}, {"tpn": 2, "rounds": [[1, "b", "0"]]}],
    }
    status, problem = error(ask(client, met))
    assert (status, problem["code"], problem["article"]) == (
        409,
        "no_legal_pairing",
        "C.04.3 1.9.3",
    )


@pytest.mark.parametrize(
    "change, code, params",
    [
        ({"round": 9}, "state.round_number", {"round": 9, "total": 5}),
        ({"round": "1"}, "json.type", {"path": "round"}),
        ({"players": [{"tpn": 1}, {"tpn": 1}]}, "state.tpn_twice", {"tpn": 1}),
        ({"players": None}, "json.type", {"path": "players"}),
        (
            {"system": "dutch_1066"},
            "system.unknown",
            {"system": "dutch_1066", "known": ", ".join(sorted(SYSTEMS))},
        ),
        ({"points": {"win": 1e300}}, "json.type", {"path": "points.win"}),
    ],
)
def test_bad_input_is_400_with_its_place(
    client: Client, change: dict[str, object], code: str, params: dict[str, object]
) -> None:
    status, problem = error(ask(client, {**ROUND_ONE, **change}))
    assert (status, problem["code"], problem["params"]) == (400, code, params)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"round": NaN}',
        b"\xff",
        b'{"round": ' + b"1" * 5000 + b"}",
        b'"\\ud800"',
        b"null",
    ],
    ids=["empty", "cut", "deep", "NaN", "latin", "long number", "half character", "null"],
)
def test_a_body_that_is_not_a_position_is_400(client: Client, body: bytes) -> None:
    status, problem = error(ask(client, body))
    assert status == 400
    assert problem["code"] in {"parse_error", "json.type", "json.missing"}


def test_half_a_character_in_a_text_is_400(client: Client) -> None:
    status, problem = error(
        ask(client, b'{"round": 1, "total_rounds": 5, "players": [], "system": "\\ud800"}')
    )
    assert (status, problem["code"]) == (400, "system.unknown")


def test_another_content_type_is_415(client: Client) -> None:
    status, problem = error(client.post(PAIR, json.dumps(ROUND_ONE), content_type="text/plain"))
    assert (status, problem["code"]) == (415, "unsupported_media_type")


def test_a_request_in_chunks_is_411(client: Client) -> None:
    response = ask(client, ROUND_ONE, transfer_encoding="chunked")
    assert (error(response)[0], error(response)[1]["code"]) == (411, "request.length_required")


def test_more_than_two_megabytes_are_refused(client: Client) -> None:
    fits = json.dumps(ROUND_ONE).encode().ljust(engine.MOST_BYTES)
    assert ask(client, fits).status_code == 200
    status, problem = error(ask(client, fits + b" "))
    assert (status, problem["code"], problem["params"]) == (
        413,
        "request.too_large",
        {"limit": 2_000_000},
    )


def test_without_an_account_the_limit_is_two_hundred_players(client: Client) -> None:
    assert len(ask(client, field_of(200)).json()["pairs"]) == 100
    status, problem = error(ask(client, field_of(201)))
    assert (status, problem["code"]) == (403, "position.too_large_without_account")
    assert problem["params"] == {"players": 201, "limit": 200}


def test_with_an_account_the_limit_is_a_thousand_players(
    logged_in: Callable[[User], Client], stranger: User
) -> None:
    client = logged_in(stranger)
    assert len(ask(client, field_of(201)).json()["pairs"]) == 100
    for reader in (client, Client()):
        status, problem = error(ask(reader, field_of(1001)))
        assert (status, problem["code"]) == (400, "position.too_large")
        assert problem["params"] == {"players": 1001, "limit": 1000}


def test_a_visitor_may_send_twenty_requests_a_minute(client: Client) -> None:
    assert [ask(client, ROUND_ONE).status_code for _ in range(20)] == [200] * 20
    response = ask(client, ROUND_ONE)
    assert (error(response)[0], error(response)[1]["code"]) == (429, "throttled")
    assert 1 <= int(response["Retry-After"]) <= 60


def test_a_visitor_gets_no_more_by_claiming_another_address(client: Client) -> None:
    answers = [
        ask(client, ROUND_ONE, x_forwarded_for=f"192.0.2.{n}").status_code for n in range(21)
    ]
    assert answers == [200] * 20 + [429]


@pytest.mark.costly
def test_every_account_has_its_own_count(
    client: Client, logged_in: Callable[[User], Client], stranger: User
) -> None:
    for _ in range(21):
        ask(client, ROUND_ONE)
    assert ask(client, ROUND_ONE).status_code == 429
    account = logged_in(stranger)
    assert [ask(account, ROUND_ONE).status_code for _ in range(121)] == [200] * 120 + [429]


def test_a_busy_engine_is_503_and_free_again_afterwards(client: Client) -> None:
    with engine.one_at_a_time:
        response = ask(client, ROUND_ONE)
    assert (error(response)[0], error(response)[1]["code"]) == (503, "engine.busy")
    assert response["Retry-After"] == "2"
    assert ask(client, ROUND_ONE).status_code == 200


def test_an_error_leaves_the_engine_free(client: Client) -> None:
    assert ask(client, {**ROUND_ONE, "round": 9}).status_code == 400
    assert engine.one_at_a_time.locked() is False


def test_a_form_of_another_site_cannot_use_a_users_account(stranger: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(stranger)
    status, problem = error(ask(client, ROUND_ONE))
    assert (status, problem["code"]) == (403, "permission_denied")


def test_get_is_405(client: Client) -> None:
    assert error(client.get(PAIR))[0] == 405
