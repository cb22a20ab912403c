"""docs/developer/api.md names every address, every limit and
every error of the API, and no other.
"""

from __future__ import annotations

import ast
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from pairing.engine.model import Colour, Result
from pairing.rules.rounds import RoundState
from tests.api.test_engine import ask
from tests.tournaments import factories
from tournaments.api import engine
from tournaments.api.views import Pages
from tournaments.models import ByeKind, GameResult

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "developer" / "api.md").read_text()
SCHEMA_ADDRESS = ("GET", "/api/v1/schema/")


def openapi(client: Client) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/api/v1/schema/?format=json").json()
    return document


def test_the_table_of_addresses_is_that_of_the_schema(client: Client) -> None:
    described = re.findall(r"^\| ([A-Z]+) \| `(/api/v1/[^`]*)` \|", PAGE, re.MULTILINE)
    paths = openapi(client)["paths"]
    known = [(method.upper(), path) for path, item in paths.items() for method in item]
    known.append(SCHEMA_ADDRESS)
    assert sorted(described) == sorted(known), (
        f"The table of addresses in docs/developer/api.md lacks {sorted({*known} - {*described})}, "
        f"and has {sorted({*described} - {*known})} too much."
    )


def test_every_error_of_the_api_itself_is_in_the_table() -> None:
    returned: set[str] = set()
    for path in (ROOT / "tournaments" / "api").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "ApiProblem":
                assert isinstance(node.args[1], ast.Constant)
                returned.add(str(node.args[1].value))
    assert returned
    rows = re.findall(r"^\| [45]\d\d \| (.*?) \|", PAGE, re.MULTILINE)
    documented = {code for row in rows for code in re.findall(r"`([^`]+)`", row)}
    assert returned - documented == set()


def test_the_limits_of_the_engine_are_on_the_page() -> None:
    def row(name: str) -> list[int]:
        line = re.search(rf"^\| {name} \|(.*)\|$", PAGE, re.MULTILINE)
        assert line
        return [int(number) for number in re.findall(r"\d+", line[1])]

    assert row("players") == [engine.MOST_PLAYERS_WITHOUT_ACCOUNT, engine.MOST_PLAYERS]
    rates = [
        throttle.rate.removesuffix("/min")
        for throttle in (engine.VisitorThrottle, engine.AccountThrottle)
    ]
    assert row("requests a minute") == [int(rate) for rate in rates]
    assert row("size of the request") == [engine.MOST_BYTES // 1_000_000] * 2
    assert f"from 1 to {Pages.max_page_size} ({Pages.page_size} unless asked for)" in PAGE


def test_every_letter_and_state_is_explained() -> None:
    words = set(re.findall(r"`([^`]+)`", PAGE))
    wanted = {*GameResult.values, *ByeKind.values, *RoundState} - {""}
    assert wanted - words == set()


def test_the_position_on_the_page_gives_the_answer_on_the_page(client: Client) -> None:
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    position, answer = blocks[:2]
    assert ask(client, position).json() == answer


@pytest.mark.costly
def test_the_schema_has_every_part_of_a_round(client: Client) -> None:
    """The schema has exactly the opponent, the colour and the letters."""
    body = openapi(client)["paths"]["/api/v1/engine/pair"]["post"]["requestBody"]["content"][
        "application/json"
    ]
    cell = body["schema"]["properties"]["players"]["items"]["properties"]["rounds"]["items"][
        "items"
    ]
    number, text = cell["anyOf"]
    assert {number["type"], text["type"]} == {"integer", "string"}
    assert [number["nullable"], text["nullable"]] == [True, True]
    letters = [result.value for result in Result]
    for good in [
        *(colour.value for colour in Colour),
        *letters,
        *(a + b for a in letters for b in letters),
    ]:
        assert re.search(text["pattern"], good), good
    for bad in ("", "x", "white", "111", "w1", "1\n1"):
        assert not re.search(text["pattern"], bad), bad


@pytest.mark.costly
@pytest.mark.django_db
def test_the_shell_commands_give_the_answers_on_the_page(
    client: Client, chief_arbiter: User
) -> None:
    """The demo answers, beside another tournament; the ETag changes with every action,
    so only its presence counts.
    """
    factories.make_ready(chief_arbiter)
    call_command("demo", stdout=io.StringIO())
    (block,) = re.findall(r"```\n(\$ curl .*?)```", PAGE, re.DOTALL)
    commands = re.findall(r"^\$ (curl .*)\n(.*)$", block, re.MULTILINE)
    assert len(commands) == block.count("$ curl") == 2
    tag = ""
    for command, answer in commands:
        words = shlex.split(command.partition(" | ")[0])
        headers = {"If-None-Match": tag} if "-H" in words else {}
        assert [word for word in words if word.startswith("If-None-Match: ")] == (
            [words[3]] if headers else []
        )
        response = client.get(urlsplit(words[-1]).path, headers=headers)
        if headers:
            assert answer == f"HTTP/1.1 {response.status_code} {response.reason_phrase}"
        else:
            assert response.status_code == 200
            assert answer.startswith("ETag: ")
        tag = response.headers["ETag"]
