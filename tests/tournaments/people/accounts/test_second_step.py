"""The second step of a log-in: codes from a phone, recovery codes, and a phone that is lost."""

import logging
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.people.accounts.second_step import NEW_KEY, WAITING, new_recovery_codes

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
KEY = "00112233445566778899aabbccddeeff00112233"


@pytest.fixture(autouse=True)
def clara(db: None) -> User:
    return User.objects.create_user("clara", password=PASSWORD)


def code_now(key: str = KEY) -> str:
    return f"{TOTP(bytes.fromhex(key)).token():06d}"


def with_second_step(user: User) -> list[str]:
    TOTPDevice.objects.create(user=user, key=KEY, name="phone")
    return new_recovery_codes(user)


def give_password(client: Client, path: str = "/accounts/login/", **more: str) -> str:
    answer = client.post(path, {"username": "clara", "password": PASSWORD} | more)
    assert answer.status_code == 302
    return str(answer.headers["Location"])


def give_code(
    client: Client, code: str, address: str = "/accounts/login/code/", **more: str
) -> int:
    return client.post(address, {"code": code} | more).status_code


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def rest() -> None:
    """The delay after a wrong code is over."""
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.update(throttling_failure_timestamp=timezone.now() - timedelta(days=1))


def test_without_it_the_password_is_enough() -> None:
    client = Client()
    assert give_password(client) == "/"
    assert is_signed_in(client)


@pytest.mark.parametrize("path", ["/accounts/login/", "/admin/login/"])
def test_the_password_alone_opens_nothing_and_the_code_does(path: str, clara: User) -> None:
    with_second_step(clara)
    client = Client()
    address = give_password(client, f"{path}?next=/help/", next="/help/")
    assert address == "/accounts/login/code/?next=%2Fhelp%2F"
    assert not is_signed_in(client)
    give_password(client)
    answer = client.post(address, {"code": code_now()})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/help/")
    assert is_signed_in(client)


def test_a_code_works_once(clara: User) -> None:
    with_second_step(clara)
    first, second = Client(), Client()
    for client in (first, second):
        give_password(client)
    code = code_now()
    assert [give_code(first, code), give_code(second, code)] == [302, 403]
    assert not is_signed_in(second)


def test_each_recovery_code_works_once(clara: User) -> None:
    codes = with_second_step(clara)
    assert len(set(codes)) == 10
    for expected in (302, 403):
        client = Client()
        give_password(client)
        assert give_code(client, f" {codes[0][:4].upper()} {codes[0][4:]} ") == expected
    assert StaticToken.objects.count() == 9


@pytest.mark.costly
def test_after_a_wrong_code_the_right_one_has_to_wait(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    with_second_step(clara)
    client = Client()
    give_password(client)
    wrong = f"{(int(code_now()) + 500_000) % 1_000_000:06d}"
    for _ in range(6):
        rest()
        assert give_code(client, wrong) == 403
    assert give_code(client, code_now()) == 403
    assert "Wait" in client.post("/accounts/login/code/", {"code": wrong}).text
    rest()
    assert give_code(client, code_now()) == 302
    assert "Wrong code: 'clara' from 127.0.0.1" in caplog.text


def test_the_page_for_the_code_is_only_for_who_gave_the_password(clara: User) -> None:
    with_second_step(clara)
    assert Client().get("/accounts/login/code/").status_code == 302
    client = Client()
    give_password(client)
    session = client.session
    session[WAITING] = session[WAITING] | {
        "at": (timezone.now() - timedelta(minutes=11)).isoformat()
    }
    session.save()
    assert give_code(client, code_now()) == 302
    assert not is_signed_in(client)


def test_another_password_in_between_ends_the_waiting(clara: User) -> None:
    with_second_step(clara)
    client = Client()
    give_password(client)
    clara.set_password("a staple for the horse")
    clara.save()
    give_code(client, code_now())
    assert not is_signed_in(client)


def test_the_code_of_somebody_else_does_not_help(clara: User) -> None:
    with_second_step(clara)
    other = User.objects.create_user("deputy", password=PASSWORD)
    TOTPDevice.objects.create(user=other, key=KEY[::-1])
    client = Client()
    give_password(client)
    assert give_code(client, code_now(KEY[::-1])) == 403


def test_no_way_leads_to_another_site(clara: User) -> None:
    with_second_step(clara)
    client = Client()
    give_password(client)
    answer = client.post("/accounts/login/code/?next=https://example.org/", {"code": code_now()})
    assert answer.headers["Location"] == "/"


def test_a_shared_computer_stays_one_after_the_code(clara: User) -> None:
    with_second_step(clara)
    client = Client()
    give_password(client, shared_computer="on")
    assert 'name="shared_computer"' in client.get("/accounts/login/code/").text
    assert give_code(client, code_now(), shared_computer="on") == 302
    assert "idle-minutes" in client.get("/accounts/").text


@pytest.mark.costly
def test_switching_on_needs_password_and_code_and_ends_other_sessions(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    here, phone = Client(), Client()
    give_password(here)
    give_password(phone)
    assert here.get("/accounts/second-step/").status_code == 200
    key = here.session[NEW_KEY]
    good = {"code": code_now(key), "password": PASSWORD}
    for bad in ({"code": "0000000"}, {"password": "wrong"}, {"code": ""}):
        assert here.post("/accounts/second-step/", good | bad).status_code == 422
    assert not TOTPDevice.objects.exists()
    with caplog.at_level(logging.INFO):
        page = here.post("/accounts/second-step/", good).text
    assert all(code in page for code in StaticToken.objects.values_list("token", flat=True))
    assert [is_signed_in(here), is_signed_in(phone)] == [True, False]
    assert "Second step switched on: 'clara'" in caplog.text
    again = here.post("/accounts/second-step/", good)  # sent twice
    assert (again.status_code, TOTPDevice.objects.count(), StaticToken.objects.count()) == (
        200,
        1,
        10,
    )


def test_new_recovery_codes_and_switching_off_need_the_password(clara: User) -> None:
    codes = with_second_step(clara)
    client = Client()
    client.force_login(clara)
    assert (
        client.post("/accounts/second-step/", {"do": "off", "password": "wrong"}).status_code == 422
    )
    page = client.post("/accounts/second-step/", {"do": "codes", "password": PASSWORD}).text
    assert codes[0] not in page
    assert StaticToken.objects.count() == 10
    assert (
        client.post("/accounts/second-step/", {"do": "off", "password": PASSWORD}).status_code
        == 302
    )
    assert not TOTPDevice.objects.exists()
    assert not StaticToken.objects.exists()


def test_a_lost_phone_is_reset_by_a_site_administrator_and_the_log_says_so(
    clara: User, caplog: pytest.LogCaptureFixture
) -> None:
    with_second_step(clara)
    form = {"action": "second_step_off", "_selected_action": [clara.pk]}
    for name, made in (
        ("deputy", User.objects.create_user),
        ("admin", User.objects.create_superuser),
    ):
        client = Client()
        client.force_login(made(name, password=PASSWORD))
        client.post("/admin/auth/user/", form)
        assert TOTPDevice.objects.exists() is (name == "deputy")
    assert "Second step of 'clara' switched off by 'admin'" in caplog.text
    assert give_password(Client()) == "/"


def test_the_only_administrator_gets_in_again_with_a_second_account_from_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As docs/operations/accounts.md says; the second account is deleted in the end."""
    alone = User.objects.create_superuser("clara-alone", password=PASSWORD)
    with_second_step(alone)
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", username="helper", email="", stdout=StringIO())
    helper, client = Client(), Client()
    helper.post("/accounts/login/", {"username": "helper", "password": PASSWORD})
    helper.post("/admin/auth/user/", {"action": "second_step_off", "_selected_action": [alone.pk]})
    client.post("/accounts/login/", {"username": "clara-alone", "password": PASSWORD})
    assert is_signed_in(client)
    second = User.objects.get(username="helper")
    client.post(f"/admin/auth/user/{second.pk}/delete/", {"post": "yes"})
    assert list(User.objects.filter(is_superuser=True)) == [alone]


def test_the_admin_site_shows_no_secret_of_a_phone() -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("admin", password=PASSWORD))
    for kind in ("otp_totp/totpdevice", "otp_static/staticdevice"):
        assert client.get(f"/admin/{kind}/").status_code == 404


def test_both_languages(clara: User) -> None:
    client = Client()
    client.force_login(clara)
    for language, words in (
        ("en", "an app on your phone"),
        ("fr", "une application sur votre téléphone"),
    ):
        assert (
            words
            in client.get("/accounts/second-step/", headers={"Accept-Language": language}).text
        )
