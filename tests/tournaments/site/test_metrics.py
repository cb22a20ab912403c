"""The numbers for Prometheus: their readers, and that all processes count."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.conf import settings as project
from django.test import Client
from pytest_django import Settings

from config.env import Environment, SettingError
from config.metrics import LIMITS, Metrics, kind_of

TOKEN = "a token of many characters"


def value(lines: list[str], name: str) -> float:
    (found,) = [line.rpartition(" ")[2] for line in lines if line.rpartition(" ")[0] == name]
    return float(found)


@pytest.mark.django_db
def test_without_the_settings_there_is_no_such_page(client: Client) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.django_db
def test_only_listed_addresses_and_the_token_read_the_numbers(
    client: Client, settings: Settings
) -> None:
    settings.METRICS_FROM = Environment({"FROM": "127.0.0.2, 10.0.0.0/8"}).networks("FROM")
    settings.METRICS_TOKEN = TOKEN
    status = {
        address: client.get("/metrics", REMOTE_ADDR=address).status_code
        for address in ("10.1.2.3", "192.0.2.1", "")
    }
    assert status == {"10.1.2.3": 200, "192.0.2.1": 404, "": 404}
    for given, expected in ((f"Bearer {TOKEN}", 200), (f"Bearer {TOKEN}x", 404), ("Bearer é", 404)):
        answer = client.get("/metrics", REMOTE_ADDR="192.0.2.1", headers={"Authorization": given})
        assert answer.status_code == expected
    # Nobody lists himself by a header, unless it is from a proxy that we trust.
    forged = {"X-Forwarded-For": "10.1.2.3"}
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1", headers=forged).status_code == 404
    settings.TRUST_PROXY = True
    assert (
        client.get(
            "/metrics", REMOTE_ADDR="10.1.2.3", headers={"X-Forwarded-For": "192.0.2.1"}
        ).status_code
        == 404
    )


@pytest.mark.django_db
def test_the_page_has_the_state_of_the_site(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN, settings.DATA_DIR = TOKEN, tmp_path
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "no-store" in answer.headers["Cache-Control"]
    lines = answer.content.decode().splitlines()
    assert (value(lines, "swiss_ready"), value(lines, "swiss_last_copy_seconds")) == (1, 0)
    assert value(lines, "swiss_disk_free_bytes") > 0
    assert all(
        re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+({(\w+="[^"]*",?)+})? [\d.]+', line)
        for line in lines
    )


def test_requests_are_counted_by_kind_status_and_time() -> None:
    metrics = Metrics(1)
    for path, method, status, seconds in (
        ("/t/open/", "GET", "200 OK", 0.0009),
        ("/t/open/", "GET", "304 Not Modified", 0.004),
        ("/t/open/news.json", "GET", "204 No Content", 0.5),
        ("/t/open/rounds/1/pair/", "POST", "503 Service Unavailable", 99.0),
    ):
        metrics.observe({"REQUEST_METHOD": method, "PATH_INFO": path}, status, 0, seconds)
    lines = list(metrics.lines())
    assert value(lines, 'swiss_requests_total{kind="page",status="2xx"}') == 1
    assert value(lines, 'swiss_requests_total{kind="page",status="3xx"}') == 1
    assert value(lines, 'swiss_requests_total{kind="action",status="5xx"}') == 1
    assert value(lines, 'swiss_request_seconds_bucket{kind="page",le="0.001"}') == 1
    assert value(lines, 'swiss_request_seconds_bucket{kind="page",le="+Inf"}') == 2
    assert value(lines, f'swiss_request_seconds_bucket{{kind="action",le="{LIMITS[-1]:g}"}}') == 0
    assert value(lines, 'swiss_request_seconds_count{kind="action"}') == 1
    assert value(lines, 'swiss_request_seconds_sum{kind="news"}') == 0.5
    kinds = [kind_of("GET", path) for path in ("/static/a.css", "/api/v1/", "/readyz", "/")]
    assert kinds == ["static", "api", "probe", "page"]


def test_threads_lose_no_request() -> None:
    metrics = Metrics(1)

    def ask() -> None:
        for _ in range(500):
            metrics.observe({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, "200 OK", 0, 0.01)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert value(list(metrics.lines()), 'swiss_requests_total{kind="page",status="2xx"}') == 2_000


FORKING = """
import django
django.setup()
from tournaments.site import server
from config.metrics import Metrics

server.CRASH_PAUSE = 0.0
metrics = Metrics(2)
first = 'swiss_requests_total{kind="page",status="2xx"} '

def work(stop, place):
    metrics.take_place(place)
    metrics.observe({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, "200 OK", 0, 0.01)

def is_over():
    (line,) = [line for line in metrics.lines() if line.startswith(first)]
    return float(line.removeprefix(first)) >= 4

server.Workers(2, work).run(is_over)
print(list(metrics.lines())[-1])
"""
"""Each process ends at once and another one takes its place, which goes on counting."""


@pytest.mark.costly
@pytest.mark.skipif(not hasattr(os, "fork"), reason="one process there")
def test_all_processes_count_in_places_of_their_own_also_those_that_replace_one(
    tmp_path: Path,
) -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SWISS_DATA_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", FORKING],
        cwd=project.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "swiss_processes 2\n"), done.stderr


@pytest.mark.parametrize("text", ["localhost", "10.0.0.1/8", "10.0.0.0/33"])
def test_networks_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(SettingError, match="expected: addresses or networks"):
        Environment({"FROM": text}).networks("FROM")


def test_a_short_token_is_refused_without_showing_it() -> None:
    with pytest.raises(SettingError, match="at least 20 characters") as refused:
        Environment({"TOKEN": "too short"}).token("TOKEN")
    assert "too short" not in str(refused.value)
