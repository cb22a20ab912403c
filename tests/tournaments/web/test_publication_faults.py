"""A publication that was not saved is not said to be saved."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tournaments.core.actions import Publication
from tournaments.web import storing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("publications_store_pages")
def test_c04_2_4_2_a_publication_whose_transaction_was_lost_while_pages_were_stored_is_not_said_to_be_saved(
    chief_arbiter: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL ends the connection, SQLite the transaction because the disk fails:
    the savepoint is gone too.
    """
    event = factories.make_ready(chief_arbiter, players=5)
    factories.play_rounds(event, [1], chief_arbiter)
    factories.pair_and_publish(event, 2, chief_arbiter)
    factories.enter_results(event, 2, chief_arbiter)
    event.refresh_from_db()
    make, client.raise_request_exception = storing.store_lists, False
    client.force_login(chief_arbiter)
    form = factories.seen_now(event) | factories.page_versions(event, 2)

    def lose_the_transaction(published: Publication) -> None:
        make(published)
        if connection.vendor == "postgresql":
            with psycopg.connect(
                connection.connection.info.dsn, password=connection.connection.info.password
            ) as other:
                other.execute(
                    "SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid]
                )
        else:
            connection.connection.execute("ROLLBACK")  # as SQLite itself does when the disk fails
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise OperationalError(str(error)) from error

    with monkeypatch.context() as patch:
        patch.setattr(storing, "store_lists", lose_the_transaction)
        answer = client.post(reverse("results-publish", args=[event.slug, 2]), form)
    assert answer.status_code == 503
    assert factories.round_of(event, 2).state == "pairings_published"
    assert client.post(reverse("results-publish", args=[event.slug, 2]), form).status_code == 302
    assert factories.round_of(event, 2).state == "results_published"
