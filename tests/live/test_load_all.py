"""The measurement of a hall full of phones works: each part with a few requests."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

import pytest

from .conftest import SLUG
from .load_all import BRIEF, MIX, Event, Measurement, Sizes, every_page_plan, first_and_tenth, hall_plan
from .proxy import Proxy, is_installed
from .server import HOST, Site

FEW = replace(
    BRIEF, seconds=0.5, rate=20, polling=5, burst=10, burst_seconds=0.2, repeats=2, enter_every=0.2, readers=4
)


def test_a_third_of_the_visits_are_searches_and_pages_of_players() -> None:
    plan = hall_plan(Event("open", 300, 9), Sizes(), random.Random(1))
    assert len(plan) == 12_000
    kinds = Counter(ask.kind for ask in plan)
    assert set(kinds) == set(MIX)
    assert 0.32 < (kinds["search"] + kinds["player"]) / len(plan) < 0.35
    assert {ask.headers["Accept-Language"] for ask in plan} == {"en", "fr"}


def test_every_page_is_asked_for_in_every_way() -> None:
    ways = every_page_plan(Event("open", 300, 9), FEW, "7-8")
    assert {status for status, _ in ways.values()} == {200, 204}
    searches = ways.pop("search for a name without JavaScript")[1]
    assert {ask.address.partition("?q=")[1] for ask in searches} == {"?q="}
    assert {len(asks) for _, asks in ways.values()} == {7 * 2 * 2}
    assert {ask.headers.get("HX-Request") for ask in ways["part for the newest page, 204"][1]} == {"true"}


@pytest.mark.slow
def test_each_part_of_the_plan_has_its_line_and_no_fault(served: Site) -> None:
    event = Event(SLUG, 60, 1)
    measurement = Measurement(served, event, FEW, say=lambda _: None)
    measurement.run()
    assert measurement.faults == []
    found = {row.what for row in measurement.rows}
    assert {"hall", "5 phones polling", "burst of 10 in 0.2 s", "page that the phone has, 304"} <= found
    assert is_installed() == ("behind nginx: hall" in found)
    assert len(list(first_and_tenth(served, event))) == 7 * 2


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="nginx is not installed")
def test_behind_nginx_no_reader_gets_the_answer_of_another(served: Site, tmp_path: Path) -> None:
    asked = [
        {"Accept-Language": language, "Accept-Encoding": packed, **more}
        for language in ("en", "fr-FR,fr;q=0.9", "de, fr;q=0.5", "fr;q=0.1, en")
        for packed in ("gzip", "gzip, deflate, br, zstd", "br;q=0, gzip")
        for more in ({}, {"HX-Request": "true"}, {"Cookie": "django_language=fr"}, {"Cookie": "sessionid=none"})
    ]
    with Proxy(tmp_path / "nginx", served.port) as proxy:
        for headers in [*asked, *asked]:
            assert told(proxy.port, headers) == told(served.port, headers), headers
        assert proxy.reached() < len(asked)


def told(port: int, headers: dict[str, str]) -> tuple[str | None, ...]:
    """Return what says which answer this is: the ETag is made from address, version, language and part or page."""
    connection = HTTPConnection(HOST, port)
    connection.request("GET", f"/t/{SLUG}/standings/", headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return tuple(answer.headers[name] for name in ("ETag", "Content-Language", "Content-Encoding"))
