"""Wrong passwords: which browsers have to wait, and the content of the log."""

import logging
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from unittest.mock import patch

import pytest
from axes.models import AccessAttempt, AccessFailureLog
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from tournaments.web.people.accounts.log_in import (
    MOST_FOR_ONE_NAME,
    MOST_FROM_ONE_ADDRESS,
    STRANGER,
)
from tournaments.web.people.accounts.new_password import link_for

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("constraints")]
PASSWORD, NEW = "correct horse battery", "a staple for the horse"
HALL = "192.0.2.1"


@pytest.fixture(autouse=True)
def chief(db: None) -> User:
    User.objects.create_user("deputy", password=PASSWORD, is_staff=True)
    return User.objects.create_user("chief", password=PASSWORD, is_staff=True)


@pytest.fixture
def stranger() -> Client:
    return Client()


def log_in(
    client: Client, password: str, *, name: str = "chief", address: str = HALL, **headers: str
) -> int:
    form = {"username": name, "password": password}
    return client.post("/accounts/login/", form, REMOTE_ADDR=address, headers=headers).status_code


def log_out(client: Client) -> None:
    """Log out with the button, because the test client's own
    ``logout()`` would delete all cookies.
    """
    assert client.post("/accounts/logout/").status_code == 302


def lock_out(client: Client, **kwargs: str) -> None:
    assert [log_in(client, "wrong", **kwargs) for _ in range(10)] == [200] * 9 + [429]


@pytest.mark.costly
def test_ten_wrong_passwords_lock_only_that_name_and_address(stranger: Client) -> None:
    lock_out(stranger)
    assert log_in(stranger, PASSWORD) == 429
    assert log_in(Client(), PASSWORD, address="192.0.2.2") == 302
    assert log_in(Client(), PASSWORD, name="deputy") == 302


@pytest.mark.costly
def test_the_admin_site_counts_too(stranger: Client) -> None:
    lock_out(stranger)
    form = {"username": "chief", "password": PASSWORD}
    assert stranger.post("/admin/login/", form, REMOTE_ADDR=HALL).status_code == 429


@pytest.mark.costly
def test_a_right_password_clears_the_count(client: Client) -> None:
    for _ in range(2):
        assert [log_in(client, "wrong") for _ in range(9)] == [200] * 9
        assert log_in(client, PASSWORD) == 302
        log_out(client)


@pytest.mark.costly
def test_a_stranger_at_the_same_address_does_not_lock_out_a_known_browser(stranger: Client) -> None:
    known = Client()
    assert log_in(known, PASSWORD) == 302
    log_out(known)
    lock_out(stranger)
    assert log_in(known, PASSWORD) == 302
    assert (
        log_in(stranger, PASSWORD) == 429
    )  # A successful login does not excuse the failures of another browser.


@pytest.mark.costly
def test_a_known_browser_has_its_own_ten_attempts_at_all_addresses() -> None:
    known = Client()
    log_in(known, PASSWORD)
    log_out(known)
    tries = [log_in(known, "wrong", address=f"192.0.2.{number}") for number in range(10)]
    assert tries == [200] * 9 + [429]
    assert log_in(known, PASSWORD, address="192.0.2.99") == 429
    assert log_in(Client(), PASSWORD) == 302


@pytest.mark.costly
def test_a_browser_is_known_only_for_the_name_that_signed_in(stranger: Client) -> None:
    """A deputy's cookie, copied to the name of the chief's cookie, has no effect."""
    log_in(stranger, PASSWORD, name="deputy")
    log_out(stranger)
    (ours,) = [name for name in stranger.cookies if name.startswith("known-")]
    log_in(other := Client(), PASSWORD)
    (theirs,) = [name for name in other.cookies if name.startswith("known-")]
    assert ours != theirs
    stranger.cookies[theirs] = stranger.cookies[ours].value
    lock_out(stranger)
    assert log_in(Client(), PASSWORD) == 429


def test_the_cookie_is_random_and_hidden_from_scripts(client: Client) -> None:
    log_in(client, PASSWORD)
    (cookie,) = [morsel for name, morsel in client.cookies.items() if name.startswith("known-")]
    assert "chief" not in cookie.key + cookie.value
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (
        True,
        "Lax",
        365 * 24 * 3600,
    )


@pytest.mark.costly
def test_a_network_of_ipv6_counts_as_one(stranger: Client) -> None:
    tries = [
        log_in(stranger, "wrong", address=f"2001:db8:1:2::{number:x}") for number in range(1, 26)
    ]
    assert tries == [200] * 9 + [429] * 16
    assert log_in(Client(), PASSWORD, address="2001:db8:1:3::1") == 302


@pytest.mark.costly
def test_changing_the_name_is_limited_and_changing_the_browser_does_not_help() -> None:
    tries = [
        log_in(Client(), "wrong", name=f"name-{number}", **{"User-Agent": f"browser {number}"})
        for number in range(MOST_FROM_ONE_ADDRESS + 5)
    ]
    assert tries == [200] * (MOST_FROM_ONE_ADDRESS - 1) + [429] * 6
    assert log_in(Client(), PASSWORD, address="192.0.2.2") == 302


@pytest.mark.costly
def test_the_pause_ends_despite_further_attempts(stranger: Client) -> None:
    lock_out(stranger)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=14))
    assert log_in(stranger, "wrong") == 429
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=2))
    assert log_in(stranger, PASSWORD) == 302


def guessed(name: str, times: int) -> None:
    """As if *times* wrong passwords had come for *name*, each from an address of its own."""
    rows = [
        AccessFailureLog(
            username=name,
            user_agent=STRANGER,
            ip_address=f"198.51.100.{n}",
            attempt_time=timezone.now(),
        )
        for n in range(times)
    ]
    AccessFailureLog.objects.bulk_create(rows)


def test_one_name_has_a_slow_limit_over_all_addresses_that_known_browsers_do_not_feel(
    stranger: Client,
) -> None:
    known = Client()
    log_in(known, PASSWORD)
    log_out(known)
    guessed("chief", MOST_FOR_ONE_NAME - 1)
    assert log_in(stranger, "wrong", address="203.0.113.1") == 200
    assert log_in(stranger, PASSWORD, address="203.0.113.2") == 429
    assert log_in(stranger, PASSWORD, name="deputy", address="203.0.113.2") == 302
    assert log_in(known, PASSWORD) == 302
    AccessFailureLog.objects.update(attempt_time=F("attempt_time") - timedelta(days=1))
    assert log_in(Client(), PASSWORD, address="203.0.113.2") == 302


def test_wrong_passwords_of_yesterday_are_deleted(stranger: Client) -> None:
    guessed("hunter2", 3)
    AccessFailureLog.objects.update(attempt_time=F("attempt_time") - timedelta(days=1))
    log_in(stranger, "wrong")
    assert AccessFailureLog.objects.values_list("username", flat=True).get() == "chief"


@pytest.mark.costly
def test_the_page_explains_what_to_do(stranger: Client) -> None:
    lock_out(stranger)
    form = {"username": "chief", "password": PASSWORD}
    for language, words in (("en", "Wait 15 minutes"), ("fr", "Attendez 15 minutes")):
        response = stranger.post(
            "/accounts/login/", form, REMOTE_ADDR=HALL, headers={"Accept-Language": language}
        )
        assert words in response.text


@pytest.mark.costly
def test_the_page_says_how_long_the_slow_limit_lasts(stranger: Client) -> None:
    known = Client()
    log_in(known, PASSWORD)
    log_out(known)
    guessed("chief", MOST_FOR_ONE_NAME)
    form = {"username": "chief", "password": PASSWORD}
    for age, english, french in ((0, "24 hours", "24 heures"), (23.5, "1 hour,", "1 heure,")):
        AccessFailureLog.objects.update(attempt_time=timezone.now() - timedelta(hours=age))
        for language, words in (("en", f"Wait {english}"), ("fr", f"Attendez {french}")):
            response = stranger.post(
                "/accounts/login/", form, REMOTE_ADDR=HALL, headers={"Accept-Language": language}
            )
            assert (response.status_code, words in response.text) == (429, True)
    lock_out(known)
    assert "Wait 15 minutes" in known.post("/accounts/login/", form).text


def by_the_command() -> None:
    with patch("getpass.getpass", return_value=NEW):
        call_command("changepassword", "chief", stdout=StringIO())


def by_the_administration() -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("admin"))
    form = {"usable_password": "true", "password1": NEW, "password2": NEW}
    chief = User.objects.get(username="chief")
    assert client.post(f"/admin/auth/user/{chief.pk}/password/", form).status_code == 302


def by_a_link() -> None:
    client = Client()
    form = client.get(link_for(User.objects.get(username="chief"))).headers["Location"]
    assert client.post(form, {"new_password1": NEW, "new_password2": NEW}).status_code == 302


def by_the_person() -> None:
    client = Client()
    log_in(client, PASSWORD, address="192.0.2.9")
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert client.post("/accounts/password/", form).status_code == 302


@pytest.mark.costly
@pytest.mark.parametrize(
    "change", [by_the_command, by_the_administration, by_a_link, by_the_person]
)
def test_with_a_new_password_nobody_has_to_wait(
    stranger: Client, change: Callable[[], None]
) -> None:
    lock_out(stranger)
    lock_out(stranger, name="deputy")
    change()
    assert log_in(stranger, NEW) == 302
    assert log_in(Client(), PASSWORD, name="deputy") == 429


@pytest.mark.costly
def test_a_new_password_ends_the_slow_limit_and_not_that_of_the_address(stranger: Client) -> None:
    guessed("chief", MOST_FOR_ONE_NAME)
    assert log_in(stranger, PASSWORD) == 429
    by_the_command()
    assert log_in(stranger, NEW) == 302
    for number in range(MOST_FROM_ONE_ADDRESS):
        log_in(Client(), "wrong", name=f"name-{number}")
    by_the_command()
    assert log_in(Client(), NEW) == 429


def test_the_log_has_the_name_and_the_address(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="tournaments.web.people.accounts.log_in"):
        log_in(client, "wrong", address="2001:db8:1:2::7")
        log_in(client, "wrong", name="hunter2-is-my-password")
        log_in(client, PASSWORD)
        log_out(client)
    assert [
        record.getMessage()
        for record in caplog.records
        if record.name == "tournaments.web.people.accounts.log_in"
    ] == [
        "Wrong password: 'chief' from 2001:db8:1:2::7",
        "Wrong password: no account 'hu'… (22 characters) from 192.0.2.1",
        "Signed in: 'chief' from 192.0.2.1",
        "Signed out: 'chief' from 127.0.0.1",
    ]


@pytest.mark.costly
def test_the_log_says_once_when_somebody_is_locked_out(
    stranger: Client, caplog: pytest.LogCaptureFixture
) -> None:
    lock_out(stranger)
    log_in(stranger, PASSWORD)
    assert [
        record.getMessage()
        for record in caplog.records
        if record.name == "tournaments.web.people.accounts.log_in"
    ][9:] == [
        "Wrong password: 'chief' from 192.0.2.1",
        "Locked out: 'chief' from 192.0.2.1",
        "Sign-in refused after too many wrong passwords: 'chief' from 192.0.2.1",
    ]


@pytest.mark.parametrize("back", ["/accounts/logout/", "/accounts/logout/?x=1", "/accounts/login/"])
def test_after_the_log_in_nobody_is_sent_to_the_log_out(client: Client, back: str) -> None:
    User.objects.create_user("clara", password=PASSWORD)
    for _ in range(2):  # the second time somebody is logged in already
        answer = client.post(
            f"/accounts/login/?next={back}",
            {"username": "clara", "password": PASSWORD, "next": back},
        )
        assert (answer.status_code, answer.headers["Location"]) == (302, "/")
