"""The addresses of a site at which browsers allow passkeys, and at which a passkey works."""

import pytest
from django.contrib.auth.models import User
from django_otp.plugins.otp_static.models import StaticToken
from pytest_django import Settings

from tests.tournaments.people.accounts.authenticator import Authenticator
from tests.tournaments.people.accounts.test_passkeys import (
    CODE_PAGE,
    NAMED,
    OWN_PAGE,
    PASSWORD,
    browser,
    question_of,
    with_passkey,
)
from tournaments.models import Passkey

pytestmark = pytest.mark.django_db


@pytest.fixture
def clara(db: None) -> User:
    return User.objects.create_user("clara", password=PASSWORD)


@pytest.mark.parametrize(
    "host, secure, offered",
    [
        ("localhost", False, True),
        ("localhost:8000", False, True),
        ("chess.example.org", True, True),
        ("chess.example.org", False, False),
        ("127.0.0.1", False, False),
        ("192.168.1.7:8443", True, False),
        ("[::1]", True, False),
    ],
)
def test_passkeys_are_offered_where_browsers_allow_them(
    host: str, secure: bool, offered: bool, clara: User, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    client = browser(host)
    client.force_login(clara)
    assert (
        "Browsers allow passkeys only over https" in client.get(OWN_PAGE, secure=secure).text
    ) is not offered
    page = client.post(OWN_PAGE, NAMED, secure=secure).text
    assert ("data-question" in page) is offered
    if offered:
        assert question_of(page)["rp"]["id"] == host.partition(":")[0]
        device = Authenticator(f"{'https' if secure else 'http'}://{host}")
        assert (
            client.post(
                OWN_PAGE, {"answer": device.create(question_of(page))}, secure=secure
            ).status_code
            == 200
        )
        assert Passkey.objects.get().host == host.partition(":")[0]


@pytest.mark.costly
def test_under_another_name_the_page_says_where_the_passkey_works(
    clara: User, settings: Settings
) -> None:
    with_passkey(clara)
    settings.ALLOWED_HOSTS = ["*"]
    for host, secure in (("192.168.1.7", False), ("chess.example.org", True)):
        client = browser(host)
        answer = client.post(
            "/accounts/login/", {"username": "clara", "password": PASSWORD}, secure=secure
        )
        assert answer.status_code == 302
        page = client.get(CODE_PAGE, secure=secure).text
        assert (
            "Your passkeys work only when you open this site as localhost. Here, use a code."
            in page
        )
        assert "data-question" not in page
        assert client.post(CODE_PAGE, {"answer": "{}"}, secure=secure).status_code == 403
        code = StaticToken.objects.values_list("token", flat=True)[0]
        assert client.post(CODE_PAGE, {"code": code}, secure=secure).status_code == 302
        assert (
            "Works only when you open this site as localhost."
            in client.get(OWN_PAGE, secure=secure).text
        )
