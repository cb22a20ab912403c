"""Headers of all answers, and the address of the visitor."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from config import health
from config.middleware import ContentSecurityPolicyMiddleware, client_address, visitor_address


@pytest.mark.django_db
def test_every_answer_carries_the_content_security_policy(client: Client) -> None:
    for path in ("/readyz", "/no/such/page", "/admin/login/"):
        response = client.get(path)
        assert response.headers["Content-Security-Policy"] == (
            "default-src 'self'; img-src 'self' data:; worker-src 'self'; object-src 'none'; "
            "base-uri 'none'; "
            "form-action 'self'; frame-ancestors 'none'"
        )
        assert "camera=(), geolocation=(), microphone=()" in response.headers["Permissions-Policy"]


@pytest.mark.django_db
def test_readyz_and_its_former_name_answer_ok_while_the_database_answers(client: Client) -> None:
    for path in ("/readyz", "/healthz"):
        response = client.get(path)
        assert (response.status_code, response.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_readyz_refuses_tables_older_than_the_program_but_not_newer_ones(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("tournaments", "9999_of_a_newer_program")
    assert client.get("/readyz").status_code == 200
    recorder.record_unapplied("tournaments", "0001_tables")
    health.trial.forget()
    response = client.get("/readyz")
    assert (response.status_code, response.content) == (
        503,
        b"the tables are older than the program\n",
    )
    assert "missing: tournaments.0001_tables" in caplog.text


def test_client_address_ignores_the_claim_of_a_visitor(
    settings: Settings, rf: RequestFactory
) -> None:
    settings.TRUST_PROXY = False
    request = rf.get("/", REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": "198.51.100.7"})
    assert client_address(request) == "192.0.2.1"


def test_client_address_behind_a_proxy_is_the_one_the_proxy_wrote(
    settings: Settings, rf: RequestFactory
) -> None:
    settings.TRUST_PROXY = True
    request = rf.get(
        "/", REMOTE_ADDR="10.0.0.2", headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}
    )
    assert client_address(request) == "198.51.100.7"
    assert client_address(rf.get("/", REMOTE_ADDR="10.0.0.2")) == "10.0.0.2"


@pytest.mark.parametrize("claimed", ["", "unknown", "198.51.100.7, "])
def test_client_address_is_an_address_or_nothing(
    claimed: str, settings: Settings, rf: RequestFactory
) -> None:
    settings.TRUST_PROXY = True
    headers = {"X-Forwarded-For": claimed}
    assert client_address(rf.get("/", REMOTE_ADDR="10.0.0.2", headers=headers)) == "10.0.0.2"
    assert client_address(rf.get("/", REMOTE_ADDR="", headers=headers)) is None


def test_an_unknown_host_is_a_line_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert client.get("/readyz", headers={"Host": "vm.local"}).status_code == 400
    assert [(record.name, record.exc_info) for record in caplog.records] == [
        ("django.security.DisallowedHost", None)
    ]
    assert "You may need to add 'vm.local' to ALLOWED_HOSTS." in caplog.text


@pytest.mark.parametrize(
    "address, counted, written",
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", "2001:db8:1:2:3:4:5:6"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::", "fe80::1%eth0"),
        ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
    ],
)
def test_a_household_of_ipv6_is_counted_as_one(
    address: str, counted: str, written: str, rf: RequestFactory
) -> None:
    request = rf.get("/", REMOTE_ADDR=address)
    assert (client_address(request), visitor_address(request)) == (counted, written)


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["utf-16", "rot13", "no-such"])
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
@pytest.mark.parametrize("path", ["/accounts/login/", "/"])
def test_a_form_in_another_encoding_than_utf_8_is_a_bad_request(
    path: str, kind: str, charset: str, client: Client
) -> None:
    for csrf in (True, False):
        client = Client(enforce_csrf_checks=csrf)
        response = client.generic(
            "POST", path, b"username=a", content_type=f"{kind}; charset={charset}"
        )
        assert response.status_code == 400
        assert "Nothing was changed." in response.content.decode()
    assert client.post(
        path, {"username": "a"}, headers={"Accept-Charset": charset}
    ).status_code in (200, 405)


@pytest.mark.costly
@pytest.mark.django_db
def test_the_results_of_the_largest_event_are_one_form_and_more_is_a_bad_request(
    client: Client,
) -> None:
    """5,000 players in matches of two games: three fields for each game."""
    form = {f"{name}-{game}": "" for game in range(5_000) for name in ("result", "was", "version")}
    assert client.post("/accounts/login/", form).status_code == 200
    response = client.post("/accounts/login/", form | {f"more-{n}": "" for n in range(1_000)})
    assert response.status_code == 400
    assert "Nothing was changed. Send the data in smaller parts." in response.content.decode()


@pytest.mark.django_db
def test_the_news_of_open_pages_have_short_headers_and_those_that_protect(client: Client) -> None:
    """Every phone of a hall asks for these 59 bytes all the time;
    JSON is not a page and can do nothing.
    """
    for path in ("/e/none/news.json", "/t/none/news.json"):
        headers = client.get(path).headers
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert {
            "Permissions-Policy",
            "Referrer-Policy",
            "Cross-Origin-Opener-Policy",
        } & headers.keys() == set()
        assert sum(len(name) + len(value) + 4 for name, value in headers.items()) < 300


@pytest.mark.parametrize("kind", ["text/css; charset=utf-8", "text/javascript"])
def test_styles_and_scripts_say_nothing_about_windows(kind: str) -> None:
    """Each page of a phone loads about twenty of them."""
    answer = ContentSecurityPolicyMiddleware(lambda _request: HttpResponse(content_type=kind))
    headers = answer(RequestFactory().get("/static/x")).headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert {"Permissions-Policy", "Cross-Origin-Opener-Policy"}.isdisjoint(headers)
