"""Two answers to one question of a passkey at once:
one of them works, and the other breaks nothing.
"""

import threading
from types import ModuleType

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.people.accounts.authenticator import Authenticator
from tests.tournaments.people.accounts.test_passkeys import (
    CODE_PAGE,
    NAMED,
    OWN_PAGE,
    PASSWORD,
    add,
    browser,
    give_password,
    is_signed_in,
    question_of,
    signed_in,
    with_passkey,
)
from tournaments.models import Passkey
from tournaments.people.accounts import passkeys
from tournaments.web.people.accounts import passkey_pages, second_step_pages

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clara(transactional_db: None) -> User:
    return User.objects.create_user("clara", password=PASSWORD)


def both_have_read(pages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two answers wait for each other once both have read the question in their session."""
    both = threading.Barrier(2)

    def site_of(request: HttpRequest) -> passkeys.Site | None:
        both.wait(10)
        return passkeys.site_of(request)

    monkeypatch.setattr(pages, "site_of", site_of)


def in_two_windows(client: Client) -> tuple[Client, Client]:
    """Return *client* and another window of the same browser."""
    other = browser()
    other.cookies["sessionid"] = client.cookies["sessionid"].value
    return client, other


def send(page: str, *answers: tuple[Client, str]) -> list[object]:
    """Send the answers at once; return the codes of the responses,
    or the errors of the server, in their order.
    """
    ways = [
        lambda client=client, text=text: client.post(page, {"answer": text})
        for client, text in answers
    ]
    return [getattr(answer, "status_code", answer) for answer in at_once(*ways)]


def waiting(device: Authenticator) -> tuple[tuple[Client, Client], dict[str, object]]:
    """Return two windows of one browser after the password, and the question that both show."""
    client = browser()
    give_password(client)
    question = question_of(client.get(CODE_PAGE).text)
    return in_two_windows(client), question


def require_one_log_in(windows: tuple[Client, Client], codes: list[object]) -> None:
    """Require that one window is signed in and the other was refused.

    It gets 403, or 400 if its session ended meanwhile, because the log-in of the other makes a new
    one.
    """
    opened = [is_signed_in(window) for window in windows]
    assert sorted(opened) == [False, True], codes
    assert codes[opened.index(True)] == 302
    assert codes[opened.index(False)] in (400, 403)
    assert sum(SESSION_KEY in session.get_decoded() for session in Session.objects.all()) == 1


@pytest.mark.costly
@pytest.mark.parametrize("counts", [True, False])
def test_one_answer_sent_twice_at_once_signs_in_once(
    counts: bool, clara: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = with_passkey(clara, counts=counts)
    Session.objects.all().delete()
    windows, question = waiting(device)
    answer = device.get(question)
    both_have_read(second_step_pages, monkeypatch)
    codes = send(CODE_PAGE, (windows[0], answer), (windows[1], answer))
    monkeypatch.undo()
    require_one_log_in(windows, codes)


@pytest.mark.costly
def test_two_answers_of_two_passkeys_to_one_question_at_once_sign_in_once(
    clara: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = with_passkey(clara), Authenticator()
    add(signed_in(clara), other, "tablet")
    Session.objects.all().delete()
    windows, question = waiting(one)
    both_have_read(second_step_pages, monkeypatch)
    codes = send(CODE_PAGE, (windows[0], one.get(question)), (windows[1], other.get(question)))
    monkeypatch.undo()
    require_one_log_in(windows, codes)
    assert sorted(passkey.last_used_at is not None for passkey in Passkey.objects.all()) == [
        False,
        True,
    ]
    assert set(Passkey.objects.values_list("throttling_failure_count", flat=True)) == {0}


@pytest.mark.parametrize("devices", [1, 2])
def test_two_answers_to_one_question_at_once_add_one_passkey(
    devices: int, clara: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows = in_two_windows(signed_in(clara))
    question = question_of(windows[0].post(OWN_PAGE, NAMED).text)
    first, *second = [Authenticator() for _ in range(devices)]
    answers = [device.create(question) for device in (first, second[0] if second else first)]
    both_have_read(passkey_pages, monkeypatch)
    codes = send(OWN_PAGE, *zip(windows, answers, strict=True))
    monkeypatch.undo()
    assert sorted(codes, key=str) == [200, 422]
    assert (Passkey.objects.count(), StaticToken.objects.count()) == (1, 10)
    assert [is_signed_in(window) for window in windows] == [True, True]


def test_two_accounts_that_add_one_device_at_once_do_not_share_it(
    clara: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Authenticator()
    people = [signed_in(clara), signed_in(User.objects.create_user("deputy", password=PASSWORD))]
    answers = [device.create(question_of(client.post(OWN_PAGE, NAMED).text)) for client in people]
    both_have_read(passkey_pages, monkeypatch)
    codes = send(OWN_PAGE, *zip(people, answers, strict=True))
    monkeypatch.undo()
    assert sorted(codes, key=str) == [200, 422]
    owner = [clara, User.objects.get(username="deputy")][codes.index(200)]
    assert Passkey.objects.get().user == owner
    assert set(StaticToken.objects.values_list("device__user", flat=True)) == {owner.pk}
