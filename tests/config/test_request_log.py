"""The id of a request, on error pages, in the header and in the log; the access log; JSON;
and the file of the log.
"""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_started
from django.db import OperationalError, close_old_connections
from django.http import HttpRequest, HttpResponse
from django.urls import path
from pytest_django import Settings

from config.log import Json, Text, WithoutSecrets, WithRequest
from config.log_file import OLD_FILES, SharedFile, rotation
from config.request_log import AccessLog, Environ, RequestLog, shortened
from config.urls import handler400, handler403, handler404, handler500, urlpatterns as all_addresses

__all__ = ["handler400", "handler403", "handler404", "handler500"]


def fail(request: HttpRequest, how: str) -> HttpResponse:
    if how == "500":
        raise ValueError("a bug")
    if how == "503":
        raise OperationalError from BusyError
    raise PermissionDenied("no")


class BusyError(Exception):
    """What psycopg raises without a connection."""

    sqlstate = None


urlpatterns = [path("fail/<str:how>", fail), *all_addresses]


@pytest.fixture
def application(db: None, settings: Settings) -> Iterator[WSGIHandler]:
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["testserver"]
    request_started.disconnect(close_old_connections)  # The connection belongs to the test.
    yield WSGIHandler()
    request_started.connect(close_old_connections)


def plain(environ: Environ, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def ask(application: Any, address: str, **more: str) -> tuple[str, dict[str, str], str]:
    """Return status, headers and body."""
    got: list[Any] = []
    environ: Environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": address, "QUERY_STRING": "", "SERVER_NAME": "testserver",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "192.0.2.77", "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(), "wsgi.errors": io.StringIO(), "HTTP_ACCEPT_LANGUAGE": "fr", **more,
    }  # fmt: skip
    body = b"".join(
        application(environ, lambda status, headers: got.extend((status, dict(headers))))
    )
    return got[0], got[1], body.decode()


@pytest.mark.parametrize("how", ["403", "500", "503"])
def test_an_error_page_shows_the_id_that_is_in_the_log_and_in_the_header(
    how: str, application: WSGIHandler, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.addFilter(WithRequest())
    status, headers, body = ask(RequestLog(application, trust_proxy=False), f"/fail/{how}")
    found = headers["X-Request-ID"]
    assert (status[:3], re.fullmatch("[0-9a-f]{10}", found) is not None) == (how, True)
    assert f"<code>{found}</code>" in body
    assert "requête dans le journal" in body
    assert {getattr(record, "request_id", None) for record in caplog.records} == {found}
    # Without the wrapper there is no id, and nothing says so.
    assert "<code>" not in ask(application, f"/fail/{how}")[2]


@pytest.mark.parametrize(
    "given, taken",
    [("from-the-proxy.1", True), ("", False), ("a b<script>", False), ("x" * 65, False)],
)
def test_only_the_id_of_a_trusted_proxy_is_taken_over(given: str, taken: bool) -> None:
    for trusted in (True, False):
        log = RequestLog(plain, trust_proxy=trusted)
        found = ask(log, "/livez", HTTP_X_REQUEST_ID=given)[1]["X-Request-ID"]
        assert (found == given) is (taken and trusted)


def test_a_request_has_an_id_of_its_own_and_outside_of_requests_there_is_none() -> None:
    log = RequestLog(plain, trust_proxy=False)
    assert len({ask(log, "/livez")[1]["X-Request-ID"] for _ in range(20)}) == 20
    record = logging.LogRecord("x", logging.INFO, "", 1, "hello", (), None)
    WithRequest().filter(record)
    assert Text().format(record).endswith(" INFO x: hello")
    record.request_id = "0123456789"
    assert Text().format(record).endswith(" INFO x [0123456789]: hello")


@pytest.mark.parametrize(
    "whole, forwarded, address",
    [
        (False, "", "192.0.2.0"),
        (True, "", "192.0.2.77"),
        (False, "2001:db8:1:2::3", "2001:db8:1::"),
    ],
)
def test_the_access_log_has_a_short_address_and_neither_secrets_nor_searches(
    whole: bool, forwarded: str, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    access = AccessLog(trust_proxy=bool(forwarded), whole_addresses=whole)
    log = RequestLog(plain, trust_proxy=False, observers=[access])
    ask(log, "/livez", QUERY_STRING="q=Dupont", HTTP_X_FORWARDED_FOR=forwarded)
    (line,) = [record for record in caplog.records if record.name == "access"]
    assert re.fullmatch(rf"{re.escape(address)} GET /livez 200 2 B [\d.]+ ms", line.getMessage())
    values = json.loads(Json().format(line))
    assert (values["address"], values["path"], values["status"], values["logger"]) == (
        address,
        "/livez",
        200,
        "access",
    )


def test_the_access_log_hides_every_secret_address_and_forged_lines(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "access")
    log = RequestLog(
        plain, trust_proxy=False, observers=[AccessLog(trust_proxy=False, whole_addresses=False)]
    )
    hidden = [
        "/join/Hush/",
        "/registered/Hush/correct/",
        "/mails/Hush/",
        "/arrive/Hush/7/",
        "/t/open/table/3/Hush/",
        "/t/open/kiosk/Hush/2/",
    ]
    for address in [*hidden, "/a\n2026-11-21 00:00:00 INFO forged", "/\xe9\xff"]:
        ask(log, address)
    lines = [record.getMessage() for record in caplog.records if record.name == "access"]
    assert len(lines) == len(hidden) + 2
    assert not any("Hush" in line or "\n" in line for line in lines)


def test_the_address_in_any_message_is_without_its_secret() -> None:
    record = logging.LogRecord(
        "x", logging.WARNING, "", 1, "Not Found: %s", ("/t/open/table/12/Hush/",), None
    )
    assert WithoutSecrets().filter(record)
    assert record.getMessage() == "Not Found: /t/open/table/12/…/"


def test_a_traceback_is_one_line_of_json() -> None:
    try:
        raise ValueError("first\nsecond")
    except ValueError:
        logger = logging.getLogger("x")
        record = logger.makeRecord("x", logging.ERROR, "", 1, "it\nfailed", (), sys.exc_info())
    text = Json().format(record)
    assert "\n" not in text
    line = json.loads(text)
    assert line["message"] == "it\nfailed"
    assert "ValueError: first\nsecond" in line["traceback"]
    assert line["time"].endswith("+00:00")


def test_addresses_are_shortened_to_a_network_of_many() -> None:
    assert [shortened(each) for each in ("10.20.30.40", "2001:db8:aaaa:bbbb::1", "fe80::1%eth0", "-")] == [
        "10.20.30.0", "2001:db8:aaaa::", "fe80::", "-",
    ]  # fmt: skip


def test_all_writers_go_on_in_the_new_file_and_only_some_old_ones_stay(tmp_path: Path) -> None:
    file = tmp_path / "swiss.log"
    rotate = rotation(file, 10)
    # As in two processes: each has a descriptor of its own.
    first, second = (SharedFile(file, delay=True) for _ in range(2))
    for n in range(OLD_FILES + 2):
        for handler in (first, second):
            handler.handle(logging.LogRecord("x", logging.INFO, "", 1, f"line {n}", (), None))
        rotate()
        rotate()  # It is short now.
    names = [f"swiss.log.{n}" for n in range(1, OLD_FILES + 1)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["swiss.log", *names]
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text() == ""
    for n, name in enumerate(names):
        line = f"line {OLD_FILES + 1 - n}\n"
        assert (tmp_path / name).read_text() == line * 2
    first.close()
    second.close()


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    lost = SharedFile(tmp_path / "no folder" / "swiss.log", delay=True)
    lost.handle(logging.LogRecord("x", logging.INFO, "", 1, "lost", (), None))
    lost.close()
    rotation(tmp_path / "no folder" / "swiss.log", 10)()


def test_an_everyday_403_is_one_line_and_a_fault_keeps_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """As Django logs them: somebody opened the desk without a role, and a page has a fault."""
    logger = logging.getLogger("django.request")
    for error, text in (
        (PermissionDenied("Your role does not allow this."), "Forbidden (Permission denied): %s"),
        (PermissionDenied(), "Forbidden (Permission denied): %s"),
        (ValueError("our fault"), "Internal Server Error: %s"),
    ):
        logger.warning(text, "/t/open/desk/", exc_info=(type(error), error, None))
    assert [(record.getMessage(), bool(record.exc_info)) for record in caplog.records] == [
        ("Forbidden (Permission denied): /t/open/desk/ Your role does not allow this.", False),
        ("Forbidden (Permission denied): /t/open/desk/", False),
        ("Internal Server Error: /t/open/desk/", True),
    ]
