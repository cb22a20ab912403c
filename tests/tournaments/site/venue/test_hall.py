"""The site in the hall: its addresses, its certificate, and the page for a screen."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import segno
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tournaments.site.serving import listen
from tournaments.site.venue.addresses import all_hosts, is_own, own_addresses, own_names
from tournaments.site.venue.announce import announce, qr_code
from tournaments.site.venue.certificate import FILE, fingerprint, hosts_of, up_to_date

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
HOSTS = ["127.0.0.1", "::1", "localhost", "desk.local"]
NOBODYS = "203.0.113.77"


# Addresses


def test_own_addresses_are_known_and_those_of_others_are_not() -> None:
    for host in ("127.0.0.1", "[::1]", *own_addresses(), *own_names()):
        assert is_own(host) or host == "[::1]", host  # a container may have no IPv6
    for host in (
        NOBODYS,
        "[2001:db8::1]",
        "0.0.0.0",
        "224.0.0.1",
        "chess.example.org",
        "127.0.0.1.example.org",
        "",
    ):
        assert not is_own(host), host
    for spelling in (
        "127.0.0.2",
        "127.1.2.3",
        "[0:0::1]",
        "[::ffff:127.0.0.1]",
    ):  # as many as a stranger likes
        assert not is_own(spelling), spelling


def test_a_name_with_dot_local_and_one_completed_by_a_router_are_own() -> None:
    name = socket.gethostname().partition(".")[0]
    assert is_own(f"{name}.local")
    assert is_own(f"{name.upper()}.Fritz.Box.")
    assert not is_own(f"{name}.example.org")


def test_all_networks_are_served_by_one_socket() -> None:
    with (
        listen(all_hosts(), 0) as listener,
        socket.create_connection(("127.0.0.1", listener.getsockname()[1])),
    ):
        accepted, address = listener.accept()
        with accepted:
            assert address[0].removeprefix("::ffff:") == "127.0.0.1"


@pytest.mark.django_db
def test_an_address_the_machine_got_later_is_served_and_that_of_others_is_refused(
    settings: Settings,
) -> None:
    settings.ALLOWED_HOSTS = ["192.0.2.200"]
    settings.OWN_ADDRESSES = True
    client = Client()
    assert client.get("/livez", headers={"Host": "127.0.0.1:8000"}).status_code == 200
    assert settings.ALLOWED_HOSTS == ["192.0.2.200", "127.0.0.1"]
    for host in (NOBODYS, "chess.example.org"):
        assert client.get("/help/", headers={"Host": host}).status_code == 400
    settings.ALLOWED_HOSTS, settings.OWN_ADDRESSES = ["192.0.2.200"], False
    assert client.get("/help/", headers={"Host": "127.0.0.1"}).status_code == 400


@pytest.mark.parametrize(
    "language, words",
    [("en", "This site does not know the name"), ("fr", "Ce site ne connaît pas le nom")],
)
def test_an_unknown_name_gets_a_sentence_and_one_line_in_the_log(
    language: str, words: str, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    settings.PUBLIC_ADDRESS = "http://192.168.1.20:8000"
    answer = Client().get("/help/", headers={"Host": "vm.example", "Accept-Language": language})
    assert answer.status_code == 400
    assert words in answer.text
    assert "http://192.168.1.20:8000" in answer.text
    assert "./run --host 0.0.0.0" in answer.text
    (line,) = [
        record for record in caplog.records if record.name == "django.security.DisallowedHost"
    ]
    assert "vm.example" in line.getMessage()


# The certificate


def test_the_certificate_holds_for_names_and_addresses_and_its_key_is_for_the_owner_only(
    tmp_path: Path,
) -> None:
    path = up_to_date(tmp_path, HOSTS, now=NOW)
    assert hosts_of(path) == set(HOSTS)
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(fingerprint(tmp_path).split(":")) == 32
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_it_stays_until_an_address_changes_or_its_end_is_near(tmp_path: Path) -> None:
    def made(hosts: list[str], days: int) -> str:
        up_to_date(tmp_path, hosts, now=NOW + timedelta(days=days))
        return fingerprint(tmp_path)

    first = made(HOSTS, 0)
    assert made(HOSTS[:2], 300) == first
    second = made([*HOSTS, "192.168.1.21"], 300)
    assert second != first
    assert made([*HOSTS, "192.168.1.21"], 300 + 365) == second
    assert made([*HOSTS, "192.168.1.21"], 300 + 367) != second


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("nothing")
    assert fingerprint(tmp_path) == ""
    up_to_date(tmp_path, HOSTS, now=NOW)
    assert fingerprint(tmp_path)


# What people read


def test_the_start_prints_addresses_and_a_warning_or_the_fingerprint(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DATA_DIR, settings.PUBLIC_ADDRESS = tmp_path, ""
    announce("8000", ["192.168.1.20", "fd00::20", "desk.local"])
    plain = capsys.readouterr().out
    for address in (
        "http://192.168.1.20:8000/",
        "http://[fd00::20]:8000/",
        "http://desk.local:8000/",
    ):
        assert address in plain
    assert "can read along" in plain
    settings.VENUE_HTTPS = True
    announce("8000", ["192.168.1.20"])
    encrypted = capsys.readouterr().out
    assert "https://192.168.1.20:8000/" in encrypted
    assert fingerprint(tmp_path)[:47] in encrypted
    assert "read along" not in encrypted
    announce("8000", [])
    alone = capsys.readouterr().out
    assert fingerprint(tmp_path)[:47] in alone
    assert "In the network" not in alone


def test_the_code_in_the_terminal_is_dark_on_light_and_as_wide_as_high() -> None:
    lines = [
        line.strip().removeprefix("\x1b[30;107m").removesuffix("\x1b[0m")
        for line in qr_code("x").splitlines()
    ]
    assert {len(line) for line in lines} == {21 + 8}
    assert len(lines) == 15
    halves = {" ": (0, 0), "▄": (0, 1), "▀": (1, 0), "█": (1, 1)}
    rows = [[halves[sign][half] for sign in line] for line in lines for half in (0, 1)][:29]
    assert rows == [
        list(map(int, row)) for row in segno.make("x", error="m", micro=False).matrix_iter(border=4)
    ]


@pytest.mark.django_db
def test_the_page_for_a_screen_has_the_address_and_says_if_it_changed(
    settings: Settings, tmp_path: Path
) -> None:
    settings.PUBLIC_ADDRESS = "http://127.0.0.1:8000"
    settings.OWN_ADDRESSES = True
    page = Client().get("/hall/").text
    assert 'href="http://127.0.0.1:8000/"' in page
    assert "another address now" not in page
    settings.PUBLIC_ADDRESS = f"http://{NOBODYS}:8000"
    assert "another address now" in Client().get("/hall/").text
    assert "une autre adresse" in Client().get("/hall/", headers={"Accept-Language": "fr"}).text
    settings.VENUE_HTTPS, settings.DATA_DIR = True, tmp_path
    up_to_date(tmp_path, HOSTS, now=NOW)
    assert fingerprint(tmp_path) in Client().get("/hall/").text


@pytest.mark.costly
@pytest.mark.django_db
def test_who_logs_in_over_plain_http_is_warned_once() -> None:
    User.objects.create_user("clara", password="correct horse battery")
    form = {"username": "clara", "password": "correct horse battery"}
    words = "others in this network can read along"
    for address, secure, warned in (
        ("192.0.2.7", False, True),
        ("192.0.2.7", True, False),
        ("127.0.0.1", False, False),
    ):
        client = Client()
        client.post("/accounts/login/", form, REMOTE_ADDR=address, secure=secure)
        pages = [client.get("/accounts/", secure=secure).text for _ in range(2)]
        assert [words in page for page in pages] == [warned, False], (address, secure)
