"""The measurement of a hall full of phones works: each part with a few requests."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

from .conftest import SLUG
from .load_all import BRIEF, MIX, Event, Measurement, Sizes, every_page_plan, first_and_tenth, hall_plan
from .proxy import EXAMPLE, is_installed, tried
from .server import Site

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
    assert {len(asks) for _, asks in ways.values()} == {7 * 2 * 2}
    assert {ask.headers.get("HX-Request") for ask in ways["part for the newest page, 204"][1]} == {"true"}


def test_each_part_of_the_plan_has_its_line_and_no_fault(served: Site) -> None:
    event = Event(SLUG, 60, 1)
    measurement = Measurement(served, event, FEW)
    measurement.run()
    assert measurement.faults == []
    found = {row.what for row in measurement.rows}
    assert {"hall", "5 phones polling", "burst of 10 in 0.2 s", "page that the phone has, 304"} <= found
    assert is_installed() == ("behind nginx: hall" in found)
    assert len(list(first_and_tenth(served, event))) == 7 * 2


def test_the_example_for_nginx_is_tried_as_it_is_but_for_its_address(tmp_path: Path) -> None:
    text = tried(EXAMPLE.read_text(), tmp_path, 4321, 8765)
    assert "listen 127.0.0.1:4321;" in text
    assert "server 127.0.0.1:8765;" in text
    assert "ssl" not in text
    assert "return 301" not in text
    assert text.count("proxy_") > 10
