"""``Client.force_login`` opens a session, and does nothing else.

Django's own sends the signals of a log-in, which count attempts and save the time of the log-in in
a dozen queries. The tests open two thousand sessions; those about logging in send the form.
"""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.test import Client

from tournaments.people.accounts.store import SessionStore


def open_session(client: Client, user: User, backend: str | None = None) -> None:
    """Give *client* a new session of *user*, as after a log-in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = backend or "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""


@pytest.fixture(scope="session", autouse=True)
def _force_login_opens_a_session() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "force_login", open_session)
        yield
