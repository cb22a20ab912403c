"""“Your account”: another password, where somebody is signed in, and shared computers."""

import logging
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tournaments.people.accounts.sessions import described
from tournaments.people.accounts.store import USED, SessionStore

pytestmark = pytest.mark.django_db
OLD, NEW = "correct horse battery", "a staple for the horse"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 "
    "Mobile Safari/604.1"
)


@pytest.fixture(autouse=True)
def clara(db: None) -> User:
    """A plain account: not of the staff, without a role anywhere."""
    return User.objects.create_user("clara", password=OLD)


def signed_in(
    name: str = "clara", password: str = OLD, agent: str = FIREFOX, **more: str
) -> Client:
    client = Client(headers={"User-Agent": agent})
    answer = client.post("/accounts/login/", {"username": name, "password": password} | more)
    assert answer.status_code == 302
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def change(client: Client, old: str = OLD, new: str = NEW, again: str | None = None) -> int:
    form = {"old_password": old, "new_password1": new, "new_password2": again or new}
    return client.post("/accounts/password/", form).status_code


def test_visitors_are_sent_to_the_log_in(client: Client) -> None:
    for path in ("", "password/", "email/", "end-sessions/"):
        answer = client.post(f"/accounts/{path}") if path else client.get("/accounts/")
        assert answer.headers["Location"] == f"/accounts/login/?next=/accounts/{path}"


@pytest.mark.costly
def test_a_new_password_ends_all_other_sessions(clara: User) -> None:
    here, phone, other = signed_in(), signed_in(agent=PHONE), Client()
    other.force_login(User.objects.create_user("deputy", password=OLD))
    assert change(here) == 302
    assert "You are logged out at 1 other place." in here.get("/accounts/").text
    assert [is_signed_in(each) for each in (here, phone, other)] == [True, False, True]
    assert (
        Client().post("/accounts/login/", {"username": "clara", "password": OLD}).status_code == 200
    )
    assert is_signed_in(signed_in(password=NEW))


@pytest.mark.parametrize(
    "old, new, again, words",
    [
        ("wrong", NEW, NEW, "This is not your present password."),
        (OLD, NEW, "something else", "The two password fields didn’t match."),
        (OLD, "short", "short", "This password is too short."),
        (OLD, "8301948503", "8301948503", "This password is entirely numeric."),
    ],
)
def test_a_password_that_cannot_be_used_changes_nothing(
    old: str, new: str, again: str, words: str
) -> None:
    here, phone = signed_in(), signed_in(agent=PHONE)
    form = {"old_password": old, "new_password1": new, "new_password2": again}
    answer = here.post("/accounts/password/", form)
    assert answer.status_code == 422
    assert words in answer.text
    assert is_signed_in(phone)
    assert is_signed_in(signed_in())


def test_a_form_sent_twice_says_that_the_password_is_another_one_now() -> None:
    here = signed_in()
    assert [change(here), change(here)] == [302, 422]
    assert is_signed_in(here)


@pytest.mark.costly
def test_the_old_password_cannot_be_tried_at_an_open_laptop() -> None:
    here = signed_in()
    assert [change(here, old=f"guess {number}") for number in range(11)] == [422] * 9 + [429] * 2
    assert change(here) == 429


def test_the_page_says_where_somebody_is_signed_in() -> None:
    here, phone = signed_in(), signed_in(agent=PHONE)
    text = here.get("/accounts/").text
    assert text.index("Firefox, Linux") < text.index("Safari, iPhone")
    assert text.count("from 127.0.0.1") == 2
    assert here.post("/accounts/end-sessions/").status_code == 302
    assert [is_signed_in(here), is_signed_in(phone)] == [True, False]
    assert "Safari, iPhone" not in here.get("/accounts/").text
    here.post("/accounts/end-sessions/")
    assert "You were not logged in anywhere else." in here.get("/").text


def test_nobody_reads_the_sessions_of_others() -> None:
    signed_in(agent=PHONE)
    User.objects.create_user("deputy", password=OLD)
    assert "iPhone" not in signed_in("deputy").get("/accounts/").text


def test_an_e_mail_address_needs_the_password(clara: User, settings: Settings) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    here = signed_in()
    for password, status, kept in (("wrong", 422, ""), (OLD, 302, "clara@example.org")):
        form = {"email-email": "clara@example.org", "email-password": password}
        assert here.post("/accounts/email/", form).status_code == status
        clara.refresh_from_db()
        assert clara.email == kept


def test_a_person_with_a_link_has_no_password_to_change(clara: User, client: Client) -> None:
    clara.set_unusable_password()
    clara.save()
    client.force_login(clara)
    assert change(client) == 302
    clara.refresh_from_db()
    assert not clara.has_usable_password()
    assert "You log in with a link and a PIN" in client.get("/accounts/").text


def test_both_languages() -> None:
    here = signed_in()
    assert "&lt;" not in here.get("/accounts/").text
    for language, words in (("en", "Where you are logged in"), ("fr", "Où vous êtes connecté")):
        assert words in here.get("/accounts/", headers={"Accept-Language": language}).text


@pytest.mark.parametrize(
    "agent, expected",
    [
        (FIREFOX, "Firefox, Linux"),
        (PHONE, "Safari, iPhone"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
            "Chrome, Android",
        ),
        ("curl/8", ""),
        ("", ""),
    ],
)
def test_browsers_are_named(agent: str, expected: str) -> None:
    assert described(agent) == expected


# Shared computers


def unused_for(client: Client, minutes: int) -> None:
    session = SessionStore(client.cookies["sessionid"].value)
    session[USED] = (timezone.now() - timedelta(minutes=minutes)).isoformat()
    session.save()


def test_on_a_shared_computer_the_session_ends_with_the_browser_and_is_not_known_later() -> None:
    shared, own = signed_in(shared_computer="on"), signed_in()
    assert shared.cookies["sessionid"]["max-age"] == ""
    assert own.cookies["sessionid"]["max-age"] == 14 * 86_400
    assert [name for name in shared.cookies if name.startswith("known-")] == []
    assert "shared computer" in shared.get("/accounts/").text
    assert 'data-idle-minutes="30"' in shared.get("/accounts/").text
    assert "shared_computer.js" not in own.get("/accounts/").text


@pytest.mark.costly
def test_a_shared_computer_that_nobody_uses_is_signed_out(caplog: pytest.LogCaptureFixture) -> None:
    shared, own = signed_in(shared_computer="on"), signed_in()
    unused_for(shared, 29)
    assert is_signed_in(shared)
    unused_for(shared, 29)  # the use before counts: it was written
    unused_for(shared, 31)
    with caplog.at_level(logging.INFO):
        assert not is_signed_in(shared)
    assert "nobody used a shared computer for 30 minutes" in caplog.text
    assert Session.objects.count() == 1
    assert is_signed_in(own)


def test_the_log_in_page_says_once_that_nobody_used_the_computer() -> None:
    expected = "You were logged out because nobody used this computer for 30 minutes."
    shared = signed_in(shared_computer="on")
    assert expected not in shared.get("/accounts/").text
    unused_for(shared, 31)
    answer = shared.get("/accounts/")
    assert (answer.status_code, answer.cookies["ended_after"]["path"]) == (302, "/accounts/login/")
    assert expected in shared.get(answer.headers["Location"]).text
    assert expected not in shared.get(answer.headers["Location"]).text
    # The log-in page itself, and a cookie that somebody has made up.
    other = signed_in(shared_computer="on")
    unused_for(other, 31)
    assert expected in other.get("/accounts/login/").text
    other.cookies["ended_after"] = "<b>"
    assert "logged out because" not in other.get("/accounts/login/").text


def test_using_the_page_keeps_it_open_and_asking_for_news_does_not() -> None:
    shared = signed_in(shared_computer="on")
    unused_for(shared, 20)
    before = SessionStore(shared.cookies["sessionid"].value)[USED]
    shared.get("/accounts/", headers={"HX-Request": "true"})
    assert SessionStore(shared.cookies["sessionid"].value)[USED] == before
    shared.get("/accounts/")
    assert SessionStore(shared.cookies["sessionid"].value)[USED] > before


def test_a_log_in_without_the_mark_forgets_that_the_computer_was_shared() -> None:
    client = signed_in(shared_computer="on")
    client.post("/accounts/logout/")
    client.post("/accounts/login/", {"username": "clara", "password": OLD})
    unused = SessionStore(client.cookies["sessionid"].value)
    assert USED not in unused
    assert client.cookies["sessionid"]["max-age"] == 14 * 86_400


def test_logging_out_asks_the_browser_to_forget_stored_pages() -> None:
    answer = signed_in().post("/accounts/logout/")
    assert (answer.status_code, answer.headers["Clear-Site-Data"]) == (302, '"cache"')
