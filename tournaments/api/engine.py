"""``POST /api/v1/engine/pair``: pair the position in the request without storing it.

It is open to all, within limits: an exact pairing of a large field takes seconds of a processor
that also serves a tournament. Therefore the size and the number of requests per minute are limited,
and each worker pairs one position at a time.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import IO, Any, Final, NoReturn

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle
from rest_framework.views import APIView

from config.middleware import client_address
from pairing.engine.checker import check
from pairing.engine.errors import InvariantError
from pairing.engine.model import Pairing, TournamentState
from pairing.engine.systems import SYSTEMS, pair
from pairing.json_io import pairing_to_json, state_from_json

from .errors import ApiProblem
from .serializers import ErrorSerializer, PairingAnswerSerializer
from .views import KnownQuery

MOST_BYTES: Final = 2_000_000
MOST_PLAYERS: Final = 1_000
MOST_PLAYERS_WITHOUT_ACCOUNT: Final = 200
BUSY_WAIT: Final = 2
"""Seconds after which a client may retry if the engine is busy."""

one_at_a_time: Final = threading.Lock()


class VisitorThrottle(AnonRateThrottle):
    """Limit one address to twenty pairings a minute."""

    scope = "engine-visitor"
    rate = "20/min"

    def get_ident(self, request: Request) -> str:
        # Do not use the framework's reading of X-Forwarded-For: it trusts any value that a visitor
        # sends.
        return client_address(request._request) or "unknown"


class AccountThrottle(UserRateThrottle):
    """Limit one account to 120 pairings a minute."""

    scope = "engine-account"
    rate = "120/min"

    def allow_request(self, request: Request, view: APIView) -> bool:
        return not request.user.is_authenticated or super().allow_request(request, view)


class PositionParser(BaseParser):
    """Parse standard JSON (no NaN) of at most :data:`MOST_BYTES`."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Any:
        data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            message = _("The request is larger than %(limit)s bytes.") % {"limit": MOST_BYTES}
            raise ApiProblem(413, "request.too_large", message, limit=MOST_BYTES)
        try:
            return json.loads(data, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise ParseError(
                _("The request is not valid JSON: %(problem)s") % {"problem": error}
            ) from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


_TPN_SCHEMA: Final = {"type": "integer", "minimum": 1, "maximum": 9999}
_POINTS_SCHEMA: Final = {"type": "number", "minimum": 0, "maximum": 9999, "example": 0.5}
# OpenAPI 3.0 cannot describe the positions of a list separately: each of the three items is one of
# these.
_IN_A_ROUND: Final = {
    "anyOf": [
        {**_TPN_SCHEMA, "nullable": True},
        {"type": "string", "pattern": r"^([wb]|[10=WDL+\-FHZU?]{1,2})$", "nullable": True},
    ]
}
_SIGNED_POINTS_SCHEMA: Final = {**_POINTS_SCHEMA, "minimum": -9999}
POSITION_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["round", "total_rounds", "players"],
    "properties": {
        "system": {"type": "string", "enum": list(SYSTEMS), "default": "dutch_2026"},
        "round": {
            "type": "integer",
            "minimum": 1,
            "maximum": 9999,
            "description": "The round to pair.",
        },
        "total_rounds": {"type": "integer", "minimum": 1, "maximum": 9999},
        "initial_colour": {
            "type": "string",
            "enum": ["w", "b", None],
            "nullable": True,
            "default": "w",
        },
        "points": {
            "type": "object",
            "description": "What a result is worth, with at most one decimal: 1, 0.5, 0 and a "
            "full point for the PAB.",
            "properties": dict.fromkeys(
                ("win", "draw", "loss", "absence", "pab", "unknown"), _POINTS_SCHEMA
            ),
        },
        "absent": {
            "type": "array",
            "items": _TPN_SCHEMA,
            "description": "Not paired in this round.",
        },
        "prohibited": {
            "type": "array",
            "items": {
                "type": "array",
                "items": _TPN_SCHEMA,
                "minItems": 2,
                "maxItems": 2,
                "uniqueItems": True,
            },
            "description": "Pairs that shall not meet.",
        },
        "players": {
            "type": "array",
            "maxItems": MOST_PLAYERS,
            "items": {
                "type": "object",
                "required": ["tpn"],
                "properties": {
                    "tpn": _TPN_SCHEMA,
                    "rounds": {
                        "type": "array",
                        "description": "The rounds before: [opponent or null, 'w' or 'b' or null, "
                        "TRF result letter]; "
                        "a match of two games has two letters.",
                        "items": {
                            "type": "array",
                            "items": _IN_A_ROUND,
                            "minItems": 3,
                            "maxItems": 3,
                        },
                    },
                    "virtual_points": {"type": "array", "items": _SIGNED_POINTS_SCHEMA},
                    "decided": {
                        **_SIGNED_POINTS_SCHEMA,
                        "description": "What decisions gave, below zero what they took; part of "
                        "virtual_points.",
                    },
                },
            },
        },
    },
}
_EXAMPLE: Final = OpenApiExample(
    "Round 2 of 4",
    request_only=True,
    value={
        "system": "dutch_2026",
        "round": 2,
        "total_rounds": 4,
        "initial_colour": "w",
        "players": [
            {"tpn": 1, "rounds": [[3, "w", "1"]]},
            {"tpn": 2, "rounds": [[4, "b", "="]]},
            {"tpn": 3, "rounds": [[1, "b", "0"]]},
            {"tpn": 4, "rounds": [[2, "w", "="]]},
        ],
    },
)


class EnginePair(KnownQuery):
    """Pair the round of a position. Nothing is stored.

    Without an account: up to 200 players, 20 requests a minute. With an account: up to 1,000
    players, 120 requests a minute.
    """

    parser_classes = [PositionParser]
    throttle_classes = [VisitorThrottle, AccountThrottle]
    saves_nothing = True

    @extend_schema(
        operation_id="engine_pair",
        request={"application/json": POSITION_SCHEMA},
        examples=[_EXAMPLE],
        responses={
            200: PairingAnswerSerializer,
            400: OpenApiResponse(
                ErrorSerializer, description="The position contradicts itself, or is none."
            ),
            403: OpenApiResponse(
                ErrorSerializer, description="More players than are paired without an account."
            ),
            409: OpenApiResponse(
                ErrorSerializer, description="No legal pairing exists [C.04.3 1.9.3]."
            ),
            411: OpenApiResponse(
                ErrorSerializer, description="Sent in chunks, without its length."
            ),
            413: OpenApiResponse(ErrorSerializer, description="More than 2 MB."),
            415: OpenApiResponse(ErrorSerializer, description="Not application/json."),
            429: OpenApiResponse(
                ErrorSerializer, description="Too many requests; Retry-After says when to return."
            ),
            503: OpenApiResponse(
                ErrorSerializer, description="The engine is at work; Retry-After says when to try."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        if "Transfer-Encoding" in request.headers:
            # Django reads as much as Content-Length says: without one, nothing.
            raise ApiProblem(
                411,
                "request.length_required",
                _("The request must state its length (Content-Length)."),
            )
        position = request.data
        _require_size(
            position,
            most=MOST_PLAYERS if request.user.is_authenticated else MOST_PLAYERS_WITHOUT_ACCOUNT,
        )
        state = state_from_json(position)
        if not one_at_a_time.acquire(blocking=False):
            raise ApiProblem(
                503,
                "engine.busy",
                _("The engine is busy with another pairing. Try again in a moment."),
                wait=BUSY_WAIT,
            )
        try:
            return Response(pairing_to_json(_agreed(state)))
        finally:
            one_at_a_time.release()


def _require_size(position: object, *, most: int) -> None:
    """Refuse more players than this user may send, before they are parsed."""
    players = position.get("players") if isinstance(position, dict) else None
    if not isinstance(players, list) or len(players) <= most:
        return
    numbers = {"players": len(players), "limit": most}
    if len(players) > MOST_PLAYERS:
        message = _("%(players)s players: at most %(limit)s can be paired.") % {
            **numbers,
            "limit": MOST_PLAYERS,
        }
        raise ApiProblem(
            400, "position.too_large", message, players=len(players), limit=MOST_PLAYERS
        )
    message = (
        _("%(players)s players: without an account, at most %(limit)s can be paired. Log in.")
        % numbers
    )
    raise ApiProblem(
        403, "position.too_large_without_account", message, players=len(players), limit=most
    )


def _agreed(state: TournamentState) -> Pairing:
    """Return the engine's pairing if the independent checker agrees;
    raise InvariantError otherwise: it is a bug.
    """
    pairing = pair(state)
    findings = check(state, pairing)
    if findings:
        raise InvariantError(
            "; ".join(f"[{finding.article}] {finding.message}" for finding in findings)
        )
    return pairing
