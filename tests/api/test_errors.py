"""Every error has one shape, and the status of its kind."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from rest_framework import exceptions

from pairing.engine.errors import InputError, InvariantError, NoLegalPairingError
from pairing.rules.verdict import Refused
from pairing.trf.errors import TrfError
from tournaments.api.errors import ApiProblem, answer
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Tournament

from .asking import V1, error, get

READS = [
    "",
    "entries/",
    "rounds/",
    "rounds/1/",
    "rounds/1/pairings/",
    "standings/",
    "trf/",
    "record/",
]
REFUSAL = Refused("round.already_published", "C.04.2 4.4", {"round": 2})

MESSAGES = [
    (
        RuleRefused(REFUSAL),
        409,
        "round.already_published",
        "C.04.2 4.4",
        {"round": 2},
        "The pairings of round 2 are published and can no longer be changed. (C.04.2 4.4)",
    ),
    (
        RuleRefused(Refused("results.missing", "", {"round": 1, "boards": (3, 5)})),
        409,
        "results.missing",
        None,
        {"round": 1, "boards": [3, 5]},
        "Round 1: results are missing on board 3, 5.",
    ),
    (
        Conflict("facts.changed_meanwhile", params={"round": 2}),
        409,
        "facts.changed_meanwhile",
        None,
        {"round": 2},
        "The data changed while round 2 was being paired. Nothing was saved: pair the round again.",
    ),
    (
        BadInput("csv.name_missing", line=4, column=2),
        400,
        "csv.name_missing",
        None,
        {"line": 4, "column": 2},
        "Line 4, column 2: the name is missing.",
    ),
    (
        NoLegalPairingError(),
        409,
        "no_legal_pairing",
        "C.04.3 1.9.3",
        {},
        "No legal pairing of this round exists (C.04.3 1.9.3): the Chief Arbiter decides what to do.",
    ),
    (
        InputError("state.tpn", "TPN 0 is no number.", tpn=0),
        400,
        "state.tpn",
        None,
        {"tpn": 0},
        "TPN 0 is no number.",
    ),
    (
        TrfError("trf.points", "expected points.", line=7, column=81, found="x"),
        400,
        "trf.points",
        None,
        {"line": 7, "column": 81, "found": "x"},
        "Line 7, column 81: expected points.",
    ),
    (
        ApiProblem(413, "request.too_large", "Too large.", limit=5),
        413,
        "request.too_large",
        None,
        {"limit": 5},
        "Too large.",
    ),
    (Http404("secret"), 404, "not_found", None, {}, "There is no page at this address."),
    (
        PermissionDenied("secret"),
        403,
        "permission_denied",
        None,
        {},
        "You do not have permission to do this.",
    ),
    (
        exceptions.MethodNotAllowed("PUT"),
        405,
        "method_not_allowed",
        None,
        {},
        'Method "PUT" not allowed.',
    ),
    (exceptions.ParseError("Bad JSON."), 400, "parse_error", None, {}, "Bad JSON."),
]


@pytest.mark.parametrize(
    "raised, status, code, article, params, message",
    MESSAGES,
    ids=[type(row[0]).__name__ for row in MESSAGES],
)
def test_an_error_becomes_an_answer(
    raised: Exception,
    status: int,
    code: str,
    article: str | None,
    params: dict[str, object],
    message: str,
) -> None:
    response = answer(raised, {})
    assert response.status_code == status
    assert response.data == {
        "error": {"code": code, "article": article, "message": message, "params": params}
    }


@pytest.mark.parametrize("raised", [InvariantError("the graph is odd"), KeyError("secret")])
def test_an_internal_error_is_500_and_only_the_log_has_the_details(
    raised: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="tournaments.api.errors"):
        response = answer(raised, {"view": "Pairings"})
    assert response.status_code == 500
    assert response.data["error"]["code"] == "internal"
    assert str(raised) not in str(response.data)
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [raised]


def test_throttling_names_the_time_of_the_next_request() -> None:
    response = answer(exceptions.Throttled(wait=7.2), {})
    assert (response.status_code, response["Retry-After"]) == (429, "8")
    assert (response.data["error"]["code"], response.data["error"]["params"]) == (
        "throttled",
        {"wait": 8},
    )


def test_a_sentence_that_quotes_half_a_character_can_be_sent() -> None:
    response = answer(InputError("json.type", "not '\ud800'.", path="\ud800"), {})
    assert response.data["error"]["message"] == "not '?'."
    assert response.data["error"]["params"] == {"path": "?"}


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nothing/",
        "tournaments/none/no/",
        "tournaments/é/",
        "tournaments/none/rounds/x/",
        "engine/",
        "engine/pair/1/",
    ],
)
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_address_that_does_not_exist_is_a_404_in_the_same_shape(
    method: str, address: str, client: Client
) -> None:
    status, problem = error(getattr(client, method)(V1 + address))
    assert (status, problem["code"]) == (404, "not_found")


@pytest.mark.django_db
@pytest.mark.parametrize("rest", READS)
def test_a_tournament_that_does_not_exist_is_a_404(rest: str, client: Client) -> None:
    status, problem = error(get(client, f"tournaments/nowhere/{rest}"))
    assert (status, problem["code"], problem["params"]) == (
        404,
        "tournament.unknown",
        {"slug": "nowhere"},
    )


@pytest.mark.parametrize("number", [0, 6, 10**30])
def test_a_round_that_was_not_declared_is_a_404(
    number: int, client: Client, tournament: Tournament
) -> None:
    for rest in ("", "pairings/"):
        status, problem = error(
            get(client, f"tournaments/{tournament.slug}/rounds/{number}/{rest}")
        )
        assert (status, problem["code"]) == (404, "round.unknown")
        assert problem["params"] == {"round": number, "total": 5}


@pytest.mark.parametrize("rest", READS)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_another_method_is_405_for_everybody(
    method: str,
    rest: str,
    client: Client,
    logged_in: Callable[[User], Client],
    tournament: Tournament,
    chief_arbiter: User,
) -> None:
    for reader in (client, logged_in(chief_arbiter)):
        response = getattr(reader, method)(f"{V1}tournaments/{tournament.slug}/{rest}")
        assert (error(response)[0], error(response)[1]["code"]) == (405, "method_not_allowed")
        assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_an_address_without_its_slash_redirects_to_the_one_with_it(client: Client) -> None:
    response = client.get(V1 + "tournaments?page=2")
    assert (response.status_code, response["Location"]) == (301, V1 + "tournaments/?page=2")


def test_the_message_follows_the_requested_language_and_the_code_does_not(
    client: Client, db: None
) -> None:
    english, french = (
        error(get(client, "tournaments/nowhere/", accept_language=language))[1]
        for language in ("en", "fr")
    )
    assert english["code"] == french["code"]
    assert get(client, "tournaments/nowhere/", accept_language="fr")["Content-Language"] == "fr"


def test_an_address_has_one_format_whatever_is_requested(
    client: Client, tournament: Tournament
) -> None:
    for wanted in ("text/html", "application/xml", "nonsense"):
        response = get(client, f"tournaments/{tournament.slug}/", accept=wanted)
        assert (response.status_code, response["Content-Type"]) == (200, "application/json")
