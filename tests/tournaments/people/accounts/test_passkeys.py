"""Passkeys as the second step of a log-in, with devices in software."""

import json
import logging
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from fido2 import cbor

from tests.tournaments.people.accounts.authenticator import ORIGIN, Authenticator
from tournaments.models import Passkey
from tournaments.people.accounts import passkeys
from tournaments.people.accounts.second_step import NEW_KEY, WAITING, new_recovery_codes

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
CODE_PAGE = "/accounts/login/code/"
OWN_PAGE = "/accounts/passkeys/"
NAMED = {"name": "phone", "password": PASSWORD}


@pytest.fixture(autouse=True)
def clara(db: None) -> User:
    return User.objects.create_user("clara", password=PASSWORD)


def browser(host: str = "localhost") -> Client:
    return Client(headers={"host": host})


def signed_in(user: User) -> Client:
    client = browser()
    client.force_login(user)
    return client


def question_of(page: str) -> dict[str, Any]:
    """Return the question on a page."""
    found = re.search(r'data-question="([^"]+)"', page)
    assert found, "the page asks for no passkey"
    question: dict[str, Any] = json.loads(unescape(found[1]))
    return question


def add(client: Client, device: Authenticator, name: str = "phone") -> str:
    """Add a passkey on the page; return what it says then."""
    question = question_of(client.post(OWN_PAGE, NAMED | {"name": name}).text)
    return client.post(OWN_PAGE, {"answer": device.create(question)}, follow=True).text


def with_passkey(user: User, *, counts: bool = True) -> Authenticator:
    device = Authenticator(counts=counts)
    add(signed_in(user), device)
    assert Passkey.objects.filter(user=user).exists()
    return device


def give_password(client: Client, name: str = "clara", **more: str) -> None:
    answer = client.post("/accounts/login/", {"username": name, "password": PASSWORD} | more)
    assert (answer.status_code, answer.headers["Location"].startswith(CODE_PAGE)) == (302, True)


def give_answer(client: Client, answer: str, **more: str) -> int:
    return client.post(CODE_PAGE, {"answer": answer} | more).status_code


def log_in(device: Authenticator, **changed: str) -> tuple[int, Client]:
    client = browser()
    give_password(client)
    return give_answer(
        client, device.get(question_of(client.get(CODE_PAGE).text), **changed)
    ), client


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def rest() -> None:
    """The pause after a wrong answer is over."""
    Passkey.objects.update(throttling_failure_timestamp=timezone.now() - timedelta(days=1))


def test_adding_needs_the_password_gives_recovery_codes_and_ends_other_sessions(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    here, elsewhere = signed_in(clara), signed_in(clara)
    refused = here.post(OWN_PAGE, NAMED | {"password": "wrong"})
    assert (refused.status_code, "data-question" in refused.text) == (422, False)
    assert here.post(OWN_PAGE, NAMED | {"name": ""}).status_code == 422
    with caplog.at_level(logging.INFO):
        page = add(here, Authenticator())
    assert StaticToken.objects.count() == 10
    assert all(code in page for code in StaticToken.objects.values_list("token", flat=True))
    assert [is_signed_in(here), is_signed_in(elsewhere)] == [True, False]
    assert "Passkey added: 'phone' of 'clara'" in caplog.text


def test_a_further_passkey_leaves_codes_and_sessions_alone(clara: User) -> None:
    with_passkey(clara)
    codes = set(StaticToken.objects.values_list("token", flat=True))
    here, elsewhere = signed_in(clara), signed_in(clara)
    page = add(here, Authenticator(), "security key")
    assert [words in page for words in ("phone", "security key", "never used", "localhost")] == [
        True
    ] * 4
    assert set(StaticToken.objects.values_list("token", flat=True)) == codes
    assert is_signed_in(elsewhere)


@pytest.mark.costly
def test_the_password_alone_opens_nothing_and_the_passkey_does(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    device = with_passkey(clara)
    client = browser()
    give_password(client)
    page = client.get(f"{CODE_PAGE}?next=/help/")
    assert f'action="{CODE_PAGE}?next=%2Fhelp%2F"' in page.text
    assert not is_signed_in(client)
    give_password(client)
    question = question_of(client.get(CODE_PAGE).text)
    assert [one["type"] for one in question["allowCredentials"]] == ["public-key"]
    with caplog.at_level(logging.INFO):
        answer = client.post(f"{CODE_PAGE}?next=/help/", {"answer": device.get(question)})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/help/")
    assert is_signed_in(client)
    assert "Passkey used: 'phone' of 'clara' from 127.0.0.1" in caplog.text
    assert "Signed in: 'clara' from 127.0.0.1" in caplog.text
    assert "last used" in client.get(OWN_PAGE).text


def test_a_shared_computer_stays_one_after_the_passkey(clara: User) -> None:
    device = with_passkey(clara)
    client = browser()
    give_password(client, shared_computer="on")
    page = client.get(CODE_PAGE).text
    assert page.count('name="shared_computer"') == 2
    assert give_answer(client, device.get(question_of(page)), shared_computer="on") == 302
    assert "idle-minutes" in client.get("/accounts/").text


def test_recovery_codes_and_codes_of_the_app_still_open_the_account(clara: User) -> None:
    with_passkey(clara)
    code = StaticToken.objects.values_list("token", flat=True)[0]
    client = browser()
    give_password(client)
    assert 'name="code"' in client.get(CODE_PAGE).text
    assert client.post(CODE_PAGE, {"code": code}).status_code == 302
    assert is_signed_in(client)


@pytest.mark.costly
def test_an_answer_given_at_another_address_is_refused(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    device = with_passkey(clara)
    for origin in ("http://localhost:8000", "https://localhost", "http://evil.example", "null"):
        rest()
        status, client = log_in(device, origin=origin)
        assert (status, is_signed_in(client)) == (403, False), origin
    assert "Invalid origin" in caplog.text
    other = Authenticator("http://evil.example")
    other.key, other.name, other.origin = device.key, device.name, ORIGIN  # signs for another host
    rest()
    assert log_in(other)[0] == 403
    question = question_of(signed_in(clara).post(OWN_PAGE, NAMED).text)
    client = signed_in(clara)
    client.post(OWN_PAGE, NAMED)
    assert (
        client.post(
            OWN_PAGE, {"answer": Authenticator("http://evil.example").create(question)}
        ).status_code
        == 422
    )
    assert Passkey.objects.count() == 1


@pytest.mark.costly
def test_an_answer_works_once_even_if_the_question_is_brought_back(clara: User) -> None:
    """A device that counts nothing gives the server no other
    sign that an answer was used before.
    """
    device = with_passkey(clara, counts=False)
    client, second = browser(), browser()
    give_password(client)
    give_password(second)
    answer = device.get(question_of(client.get(CODE_PAGE).text))
    session = second.session
    session[passkeys.LOG_IN] = client.session[passkeys.LOG_IN]
    session.save()
    assert [give_answer(client, answer), give_answer(second, answer)] == [302, 403]
    assert not is_signed_in(second)
    assert give_answer(client, answer) == 302  # sent twice: to the log-in, which leads on
    assert is_signed_in(client)


@pytest.mark.costly
def test_an_old_question_has_no_answer_any_more(clara: User) -> None:
    device = with_passkey(clara)
    client = browser()
    give_password(client)
    page = client.get(CODE_PAGE).text
    assert question_of(client.get(CODE_PAGE).text) == question_of(
        page
    )  # a second window asks the same
    session = client.session
    session[passkeys.LOG_IN] |= {"at": (timezone.now() - timedelta(minutes=11)).isoformat()}
    session.save()
    assert give_answer(client, device.get(question_of(page))) == 403
    new = question_of(client.get(CODE_PAGE).text)
    assert new != question_of(page)
    assert give_answer(client, device.get(question_of(page))) == 403  # to another question
    rest()
    assert give_answer(client, device.get(question_of(client.get(CODE_PAGE).text))) == 302


@pytest.mark.costly
def test_an_old_or_answered_question_adds_no_passkey(clara: User) -> None:
    client, device = signed_in(clara), Authenticator()
    question = question_of(client.post(OWN_PAGE, NAMED).text)
    session = client.session
    session[passkeys.NEW] |= {"at": (timezone.now() - timedelta(minutes=11)).isoformat()}
    session.save()
    assert client.post(OWN_PAGE, {"answer": device.create(question)}).status_code == 422
    answer = device.create(question_of(client.post(OWN_PAGE, NAMED).text))
    assert [client.post(OWN_PAGE, {"answer": answer}).status_code for _ in range(2)] == [200, 422]
    assert Passkey.objects.count() == 1


@pytest.mark.costly
def test_the_passkey_of_somebody_else_is_refused(clara: User) -> None:
    with_passkey(clara)
    theirs = with_passkey(User.objects.create_user("deputy", password=PASSWORD))
    status, client = log_in(theirs)
    assert (status, is_signed_in(client)) == (403, False)


def test_one_device_key_belongs_to_one_account(clara: User) -> None:
    """Otherwise somebody who saw its name could register it as their own."""
    device = with_passkey(clara)
    other = signed_in(User.objects.create_user("deputy", password=PASSWORD))
    assert "was not added" in add(other, device)
    assert Passkey.objects.get().user == clara
    assert not StaticDevice.objects.exclude(user=clara).exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Passkey.objects.create(user=clara, credential=Passkey.objects.get().credential)


@pytest.mark.costly
def test_after_a_wrong_answer_the_right_one_has_to_wait(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    device = with_passkey(clara)
    for _ in range(6):
        rest()
        assert log_in(Authenticator())[0] == 403
    status, client = log_in(device)
    assert status == 403
    assert "Wait" in client.post(CODE_PAGE, {"answer": ""}).text
    rest()
    assert log_in(device)[0] == 302
    assert "Passkey refused: 'clara' from 127.0.0.1" in caplog.text
    assert Passkey.objects.get().throttling_failure_count == 0


@pytest.mark.costly
def test_a_counter_that_does_not_grow_means_a_copied_key(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    device = with_passkey(clara)
    assert log_in(device)[0] == 302
    device.counter = 0
    assert log_in(device)[0] == 403
    assert "may have been copied" in caplog.text
    rest()
    assert log_in(device)[0] == 302
    assert log_in(with_passkey(clara, counts=False))[0] == 302


@pytest.mark.costly
def test_what_is_no_answer_is_refused_and_breaks_nothing(clara: User) -> None:
    device = with_passkey(clara)
    client = browser()
    give_password(client)
    good = json.loads(device.get(question_of(client.get(CODE_PAGE).text)))
    bad = [
        "",
        "{",
        "[]",
        "null",
        "1",
        '"x"',
        "{}",
        "[" * 9_000,
        "[" * 90_000,
        json.dumps(good | {"rawId": "AA"}),
    ]
    for part in good["response"]:
        wrong = [{part: value} for value in ("", "AA", "!", None, 1, {}, "_" * 400)]
        bad += [json.dumps(good | {"response": good["response"] | one}) for one in wrong]
    for answer in bad:
        rest()
        assert give_answer(client, answer) == 403, answer[:80]
    assert not is_signed_in(client)


@pytest.mark.costly
def test_what_is_no_answer_adds_nothing(clara: User) -> None:
    client, device = signed_in(clara), Authenticator()
    es512 = cbor.encode({1: 2, 3: -36, -1: 3, -2: bytes(66), -3: bytes(66)})
    other_kind = device._data(0x45) + bytes(16) + b"\0\1x" + es512
    for changed in (
        {"authData": b""},
        {"authData": device._data(0x05)},
        {"authData": 7},
        {"authData": other_kind},
    ):
        question = question_of(client.post(OWN_PAGE, NAMED).text)
        assert (
            client.post(OWN_PAGE, {"answer": device.create(question, **changed)}).status_code == 422
        ), changed
    for answer in ("", "{", "[" * 90_000, '{"rawId": {}}'):
        client.post(OWN_PAGE, NAMED)
        assert client.post(OWN_PAGE, {"answer": answer}).status_code == 422
    assert not Passkey.objects.exists()


@pytest.mark.costly
def test_removing_needs_the_password_and_the_last_one_takes_the_codes_along(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    with_passkey(clara)
    client = signed_in(clara)
    add(client, Authenticator(), "tablet")
    first, second = Passkey.objects.all()
    address = f"{OWN_PAGE}{first.pk}/remove/"
    assert client.get(address).status_code == 200
    assert client.post(address, {"password": "wrong"}).status_code == 422
    assert Passkey.objects.count() == 2
    assert client.post(address, {"password": PASSWORD}).status_code == 302
    assert (Passkey.objects.get(), StaticToken.objects.count()) == (second, 10)
    assert client.post(address, {"password": PASSWORD}).status_code == 404  # twice
    with caplog.at_level(logging.INFO):
        page = client.post(
            f"{OWN_PAGE}{second.pk}/remove/", {"password": PASSWORD}, follow=True
        ).text
    assert "The log-in no longer asks for a code." in page
    assert "Passkey removed: 'tablet' of 'clara'" in caplog.text
    assert not StaticDevice.objects.exists()


def test_nobody_removes_the_passkey_of_somebody_else(clara: User) -> None:
    with_passkey(clara)
    other = signed_in(User.objects.create_user("deputy", password=PASSWORD))
    address = f"{OWN_PAGE}{Passkey.objects.get().pk}/remove/"
    assert other.post(address, {"password": PASSWORD}).status_code == 404
    assert Passkey.objects.exists()


def test_a_site_administrator_switches_passkeys_off_and_sees_none(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    with_passkey(clara)
    admin = signed_in(User.objects.create_superuser("admin", password=PASSWORD))
    assert admin.get("/admin/tournaments/passkey/").status_code == 404
    admin.post("/admin/auth/user/", {"action": "second_step_off", "_selected_action": [clara.pk]})
    assert not Passkey.objects.exists()
    assert "Second step of 'clara' switched off by 'admin'" in caplog.text


def test_app_and_passkey_are_switched_off_together_or_the_app_alone(clara: User) -> None:
    client = signed_in(clara)
    TOTPDevice.objects.create(user=clara, key="00" * 20)
    new_recovery_codes(clara)
    off = {"do": "off", "password": PASSWORD}
    client.post("/accounts/second-step/", off | {"do": "app"})
    assert TOTPDevice.objects.exists()  # it is the only second step, so it stays
    add(client, Authenticator())
    assert "Switch off the app alone" in client.get("/accounts/second-step/").text
    client.post("/accounts/second-step/", off | {"do": "app"})
    assert (TOTPDevice.objects.count(), Passkey.objects.count(), StaticToken.objects.count()) == (
        0,
        1,
        10,
    )
    assert "an app on your phone" in client.get("/accounts/second-step/").text
    client.post("/accounts/second-step/", off)
    assert not Passkey.objects.exists()
    assert not StaticToken.objects.exists()


@pytest.mark.costly
def test_an_app_beside_a_passkey_leaves_codes_and_sessions_alone(clara: User) -> None:
    with_passkey(clara)
    codes = set(StaticToken.objects.values_list("token", flat=True))
    here, elsewhere = signed_in(clara), signed_in(clara)
    here.get("/accounts/second-step/")
    code = f"{TOTP(bytes.fromhex(here.session[NEW_KEY])).token():06d}"
    assert (
        here.post("/accounts/second-step/", {"code": code, "password": PASSWORD}).status_code == 200
    )
    assert TOTPDevice.objects.get().user == clara
    assert set(StaticToken.objects.values_list("token", flat=True)) == codes
    assert is_signed_in(elsewhere)


def test_who_logs_in_with_a_link_and_visitors_have_no_passkeys(clara: User) -> None:
    person = User.objects.create_user("link-1")
    assert signed_in(person).get(OWN_PAGE).headers["Location"] == "/accounts/"
    assert browser().get(OWN_PAGE).headers["Location"] == f"/accounts/login/?next={OWN_PAGE}"
    assert browser().post(f"{OWN_PAGE}1/remove/").headers["Location"].startswith("/accounts/login/")


def test_an_account_has_twenty_passkeys_at_most(clara: User) -> None:
    for number in range(passkeys.MOST):
        Passkey.objects.create(user=clara, credential=str(number), host="elsewhere")
    answer = signed_in(clara).post(OWN_PAGE, NAMED)
    assert (answer.status_code, "You have 20 passkeys" in answer.text) == (422, True)


def test_another_password_in_between_ends_the_waiting(clara: User) -> None:
    device = with_passkey(clara)
    client = browser()
    give_password(client)
    question = question_of(client.get(CODE_PAGE).text)
    clara.set_password("a staple for the horse")
    clara.save()
    give_answer(client, device.get(question))
    assert not is_signed_in(client)
    assert WAITING not in client.session


def test_both_languages(clara: User) -> None:
    client = signed_in(clara)
    for language, words in (("en", "A passkey is a key"), ("fr", "Une clé d’accès est une clé")):
        assert words in client.get(OWN_PAGE, headers={"Accept-Language": language}).text
