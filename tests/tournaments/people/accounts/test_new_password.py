"""A forgotten password: the link of a site administrator, and the link by e-mail."""

import logging
import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.test import Client
from pytest_django import Settings

from tests.tournaments.people.accounts.test_login_throttle import guessed
from tournaments.people.accounts.forms import NewPasswordForm
from tournaments.web.people.accounts.log_in import MOST_FOR_ONE_NAME
from tournaments.web.people.accounts.new_password import link_for

pytestmark = pytest.mark.django_db
OLD, NEW = "correct horse battery", "a staple for the horse"
FORM = {"new_password1": NEW, "new_password2": NEW}
LINK = re.compile(r"/accounts/new-password/\S+?/\S+?/")


@pytest.fixture(autouse=True)
def clara(db: None) -> User:
    return User.objects.create_user("clara", "clara@example.org", OLD)


@pytest.fixture
def administrator(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("admin", password=OLD))
    return client


def log_in(password: str, client: Client | None = None) -> int:
    return (
        (client or Client())
        .post("/accounts/login/", {"username": "clara", "password": password})
        .status_code
    )


def follow(link: str, client: Client | None = None) -> int:
    """Open *link* and set the new password; return the status:
    302, or 200 if the link no longer works.
    """
    client = client or Client()
    page = client.get(link)
    return (
        client.post(page.headers["Location"], FORM).status_code
        if page.status_code == 302
        else page.status_code
    )


def ask_administrator(administrator: Client, *names: str) -> str:
    chosen = list(User.objects.filter(username__in=names).values_list("pk", flat=True))
    form = {"action": "link_for_a_new_password", "_selected_action": chosen}
    return administrator.post("/admin/auth/user/", form, follow=True).text


@pytest.mark.costly
def test_the_link_of_a_site_administrator_works_once_and_ends_all_sessions(
    administrator: Client, clara: User
) -> None:
    phone = Client()
    log_in(OLD, phone)
    link = LINK.search(ask_administrator(administrator, "clara"))[0]
    assert [follow(link), follow(link)] == [302, 200]
    assert phone.get("/accounts/").status_code == 302
    assert [log_in(OLD), log_in(NEW)] == [200, 302]


def test_the_log_names_who_made_the_link_and_never_the_link(
    administrator: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        link = LINK.search(ask_administrator(administrator, "clara"))[0]
        follow(link)
    assert "Link for a new password of 'clara' made by 'admin'" in caplog.text
    assert "New password set with a link: 'clara' from 127.0.0.1" in caplog.text
    assert link.split("/")[-2] not in caplog.text


def test_only_a_site_administrator_makes_links(clara: User) -> None:
    client = Client()
    client.force_login(clara)
    assert (
        client.post("/admin/auth/user/", {"action": "link_for_a_new_password"}).status_code == 302
    )
    clara.is_staff = True  # of the staff, without the right to change accounts
    clara.save()
    assert (
        client.post("/admin/auth/user/", {"action": "link_for_a_new_password"}).status_code == 403
    )


def test_an_account_that_is_not_active_gets_no_link(administrator: Client, clara: User) -> None:
    clara.is_active = False
    clara.save()
    text = ask_administrator(administrator, "clara")
    assert LINK.search(text) is None
    assert "The account clara is not active." in text


def test_a_link_is_out_of_date_after_a_day_and_after_a_log_in(clara: User) -> None:
    link = link_for(clara)
    log_in(OLD)
    assert follow(link) == 200
    clara.refresh_from_db()
    fresh = default_token_generator._make_token_with_timestamp(
        clara,
        int((datetime.now() - timedelta(hours=25) - datetime(2001, 1, 1)).total_seconds()),  # noqa: DTZ001, DTZ005
        default_token_generator.secret,
    )
    assert follow(link_for(clara).rsplit("/", 2)[0] + f"/{fresh}/") == 200
    assert log_in(OLD) == 302


def test_of_two_who_use_the_link_at_once_only_the_first_sets_the_password(
    clara: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, is_valid = link_for(clara), NewPasswordForm.is_valid

    def after_another(form: NewPasswordForm) -> bool:
        # Another request sets the password after this one has checked the link.
        clara.set_password("the password of the first")
        clara.save()
        return is_valid(form)

    monkeypatch.setattr(NewPasswordForm, "is_valid", after_another)
    assert follow(link) == 200
    assert (log_in(NEW), log_in("the password of the first")) == (200, 302)


def test_a_link_is_for_its_own_account_only(clara: User) -> None:
    other = User.objects.create_user("deputy", password=OLD)
    mine, theirs = link_for(clara).split("/"), link_for(other).split("/")
    assert follow("/".join([*mine[:3], theirs[3], *mine[4:]])) == 200
    assert follow("/accounts/new-password/xx/yy/") == 200


def test_whoever_has_the_link_need_not_wait_because_strangers_guess(clara: User) -> None:
    guessed("clara", MOST_FOR_ONE_NAME)
    assert log_in(OLD) == 429
    browser = Client()
    assert follow(link_for(clara), browser) == 302
    assert log_in(NEW, browser) == 302


def ask_by_mail(address: str = "clara@example.org", language: str = "en") -> int:
    client = Client(headers={"Accept-Language": language})
    return client.post("/accounts/new-password/", {"email": address}).status_code


def test_the_link_by_e_mail_needs_a_mail_server() -> None:
    assert ask_by_mail() == 404
    assert "new-password" not in Client().get("/accounts/login/").text


def test_the_link_by_e_mail_has_the_address_of_the_site_whatever_the_visitor_sends(
    settings: Settings,
) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_ADDRESS = "mail.example.org", "https://chess.example.org"
    assert "new-password" in Client().get("/accounts/login/").text
    assert ask_by_mail("CLARA@example.org") == 302
    (sent,) = mail.outbox
    assert sent.to == ["clara@example.org"]
    assert "https://chess.example.org/accounts/new-password/" in sent.body
    assert follow(LINK.search(sent.body)[0]) == 302
    assert log_in(NEW) == 302


@pytest.mark.costly
def test_nobody_learns_whether_an_address_has_an_account_and_nobody_is_flooded(
    settings: Settings, clara: User
) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_ADDRESS = "mail.example.org", "https://chess.example.org"
    User.objects.create_user("link", "link@example.org", None)  # logs in with a link and a PIN
    assert [ask_by_mail(f"{name}@example.org") for name in ("nobody", "link", *["clara"] * 5)] == [
        302
    ] * 7
    assert len(mail.outbox) == 3
    assert [ask_by_mail() for _ in range(14)][-1] == 429


def test_the_mail_is_in_the_language_of_the_page(settings: Settings) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_ADDRESS = "mail.example.org", "https://chess.example.org"
    ask_by_mail(language="fr")
    (sent,) = mail.outbox
    assert "nouveau mot de passe" in sent.subject
    assert "Ce lien fonctionne une seule fois" in sent.body
