"""What every refusal has in common: a sentence in both languages,
the article if a rule decided, nothing saved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Final

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import translation

from tests.tournaments.row_cache import Rows, all_rows
from tournaments.core.errors import Conflict, RuleRefused, ServiceError
from tournaments.models import DraftView

NOT_THEIRS: Final = "not theirs"
"""The refusal of an action that needs more power than the user has."""
HTMX: Final = {"HX-Request": "true"}


def refused(action: Callable[[], object], expected: str) -> None:
    """Check that a service refuses *action*: ``code article``, ``code`` alone,
    or :data:`NOT_THEIRS`.

    The sentence is not empty, French differs from English, a rule's refusal ends with its article,
    and no row of any table has changed.
    """
    before = all_rows()
    sentences = {}
    for language in ("en", "fr"):
        with translation.override(language):
            with pytest.raises((PermissionDenied, ServiceError)) as caught:
                action()
            error, sentences[language] = caught.value, str(caught.value)
        found = (
            f"{error.code} {error.article}".strip()
            if isinstance(error, ServiceError)
            else NOT_THEIRS
        )
        if isinstance(error, RuleRefused) and error.article:
            assert sentences[language].endswith(f"({error.article})")
        assert found == expected, f"{found} instead of {expected}"
    assert all(len(message.split()) > 3 for message in sentences.values()), sentences
    assert sentences["en"] != sentences["fr"], f"{expected} is not translated"
    assert all_rows() == before, f"{expected} has saved something"


def conflict(action: Callable[[], object], code: str) -> None:
    """Check that *action* is refused because the page is out of date."""
    with pytest.raises(Conflict):
        action()
    refused(action, code)


def words_of(page: str) -> str:
    """Return the text of a page without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def without_views(rows: Rows) -> Rows:
    """Return *rows* without the notes of who opened a draft,
    which the page after a refusal shows again.
    """
    return {table: lines for table, lines in rows.items() if table != DraftView._meta.db_table}


def page_refuses(
    client: Client,
    url: str,
    form: Mapping[str, object],
    status: int,
    article: str = "",
    says: str = "",
) -> None:
    """Check that a form posted to *url* is refused, in both languages,
    as a plain page and with htmx.

    The English page contains *says*, both pages contain *article*, and no row of any table has
    changed.
    """
    before = all_rows()
    for headers in ({}, HTMX):
        pages = {}
        for language in ("en", "fr"):
            response = client.post(url, form, headers={"Accept-Language": language, **headers})
            assert response.status_code == status, (
                response.status_code,
                words_of(response.content.decode()),
            )
            if "HX-Redirect" in response.headers:
                # htmx is sent to the new state, where the sentence is shown.
                response = client.get(
                    response.headers["HX-Redirect"], headers={"Accept-Language": language}
                )
            pages[language] = words_of(response.content.decode())
            assert len(pages[language].split()) > 3
            assert article in pages[language]
        assert pages["en"] != pages["fr"]
        assert says in pages["en"], pages["en"]
    assert without_views(all_rows()) == without_views(before), f"{url} has saved something"
