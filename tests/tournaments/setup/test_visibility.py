"""The public list, the archive, and deleting while nothing is public."""

from __future__ import annotations

import logging
import re

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import Decision, DeletedTournament, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export
from tournaments.setup.deletion import tournament_delete
from tournaments.setup.visibility import tournament_archive, tournament_list_set

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


def names(client: Client, query: str = "") -> list[str]:
    return re.findall(
        r"<strong>([^<]*)</strong>", client.get(reverse("home") + query).content.decode()
    )


@pytest.mark.costly
def test_a_long_list_has_pages_and_is_searched_by_name_and_place(
    client: Client, chief_arbiter: User
) -> None:
    """A page costs the same queries, and about the same bytes, with 60 tournaments as with 120."""
    client.force_login(chief_arbiter)
    costs = []
    for first in (0, 60):
        for number in range(first, first + 60):
            factories.make_tournament(
                chief_arbiter, name=f"Open {number:03}", city="Łódź" if number == 7 else ""
            )
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("home"))
        costs.append((len(queries), len(page.content) // 2000))
    assert costs[0] == costs[1]
    pages = [names(client, query) for query in ("", "?page=2", "?page=3")]
    assert [len(page) for page in pages] == [50, 50, 20]
    assert len(set().union(*pages)) == 120
    assert names(client, "?q=lodz") == ["Open 007"]
    assert names(client, "?q=open+11") == [f"Open {number}" for number in range(119, 109, -1)]
    nothing = client.get(
        reverse("home"), {"q": "nobody"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "No tournament was found." in nothing
    assert "<html" not in nothing
    client.logout()
    assert names(client, "?q=open&page=2") == []


def lines(tournament: Tournament) -> list[str]:
    return list(Decision.objects.filter(tournament=tournament).values_list("action", flat=True))


class TestList:
    @pytest.mark.costly
    def test_a_new_tournament_is_not_in_the_public_list_until_it_is_shown(
        self, client: Client, tournament: Tournament, chief_arbiter: User, stranger: User
    ) -> None:
        assert tournament.name not in names(client)
        # With the address everybody can read it.
        assert client.get(reverse("tournament", args=[tournament.slug])).status_code == 200
        client.force_login(stranger)
        assert tournament.name not in names(client)
        client.force_login(chief_arbiter)
        assert names(client) == [tournament.name]
        assert "not in the public list" in client.get(reverse("home")).content.decode()
        url = reverse("tournament-manage", args=[tournament.slug])
        seen = client.get(url).context["seen_version"]
        assert client.post(url, {"do": "list", "seen_version": seen}).status_code == 302
        client.logout()
        assert names(client) == [tournament.name]
        tournament_list_set(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, listed=False)
        assert names(client) == []
        assert lines(tournament) == [
            "tournament.created",
            "tournament.listed",
            "tournament.unlisted",
        ]
        assert differences(tournament) == []

    @pytest.mark.costly
    def test_an_outdated_page_changes_nothing_and_twice_is_once(
        self, client: Client, tournament: Tournament, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = reverse("tournament-manage", args=[tournament.slug])
        for _ in range(2):
            client.post(url, {"do": "list", "seen_version": tournament.version})
        assert lines(tournament) == ["tournament.created", "tournament.listed"]
        stale = client.post(url, {"do": "unlist", "seen_version": tournament.version})
        assert stale.status_code == 409
        assert client.post(url, {"do": "unlist"}).status_code == 409
        assert client.post(url, {"do": "dance"}).status_code == 422
        assert lines(tournament) == ["tournament.created", "tournament.listed"]

    def test_roles(self, tournament: Tournament, deputy: User, stranger: User) -> None:
        given = {"tournament_id": tournament.pk, "now": NOW}
        tournament_list_set(**given, actor=deputy, listed=True)
        for actor in (deputy, stranger):
            with pytest.raises(PermissionDenied):
                tournament_archive(**given, actor=actor, archived=True)
            with pytest.raises(PermissionDenied):
                tournament_delete(**given, actor=actor, name=tournament.name)
        with pytest.raises(PermissionDenied):
            tournament_list_set(**given, actor=stranger, listed=False)

    def test_final_standings_can_still_be_listed_and_archived(
        self, chief_arbiter: User, deputy: User
    ) -> None:
        event = factories.make_ready(chief_arbiter, players=4, rounds=1)
        Tournament.objects.filter(pk=event.pk).update(final_at=NOW)
        given = {"tournament_id": event.pk, "now": NOW}
        with pytest.raises(PermissionDenied):
            tournament_list_set(**given, actor=deputy, listed=True)
        tournament_list_set(**given, actor=chief_arbiter, listed=True)
        tournament_archive(**given, actor=chief_arbiter, archived=True)
        assert lines(event)[-2:] == ["tournament.listed", "tournament.archived"]


class TestArchive:
    @pytest.mark.costly
    def test_an_archived_tournament_leaves_the_list_of_its_arbiters_only(
        self, client: Client, tournament: Tournament, chief_arbiter: User
    ) -> None:
        given = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
        tournament_list_set(**given, listed=True)
        tournament_archive(**given, archived=True)
        assert names(client) == names(client, "?archived=1") == [tournament.name]
        client.force_login(chief_arbiter)
        assert names(client) == []
        assert "?archived=1" in client.get(reverse("home")).content.decode()
        assert names(client, "?archived=1") == [tournament.name]
        tournament.refresh_from_db()
        url = reverse("tournament-manage", args=[tournament.slug])
        client.post(url, {"do": "restore", "seen_version": tournament.version})
        assert names(client) == [tournament.name]
        assert lines(tournament)[-2:] == ["tournament.archived", "tournament.restored"]
        assert differences(tournament) == []


class TestDelete:
    @pytest.mark.costly
    def test_with_its_record_while_nothing_is_public(
        self, client: Client, chief_arbiter: User, caplog: pytest.LogCaptureFixture
    ) -> None:
        event = factories.make_ready(chief_arbiter)
        round_pair(round_id=factories.round_of(event, 1).pk, actor=chief_arbiter, now=NOW)
        event.refresh_from_db()
        client.force_login(chief_arbiter)
        url = reverse("tournament-delete", args=[event.slug])
        wrong = client.post(url, {"name": "Another", "seen_version": event.version})
        assert wrong.status_code == 400
        assert "Nothing was deleted" in wrong.content.decode()
        assert client.post(url, {"name": event.name, "seen_version": 1}).status_code == 409
        with caplog.at_level(logging.INFO):
            done = client.post(
                url, {"name": event.name, "seen_version": event.version}, follow=True
            )
        assert "is deleted" in done.content.decode()
        assert not own(Tournament).exists()
        assert not own(Decision).exists()
        gone = DeletedTournament.objects.get()
        assert (gone.slug, gone.identity, gone.lines) == (event.slug, event.identity, event.version)
        assert (gone.by, gone.by_name) == (chief_arbiter, "Clara Chief")
        assert f"Deleted: tournament '{event.slug}'" in caplog.text
        assert client.post(url, {"name": event.name}).status_code == 404

    @pytest.mark.costly
    def test_c04_2_4_2_not_once_pairings_were_published_or_the_list_was_public(
        self, chief_arbiter: User
    ) -> None:
        event = factories.make_ready(chief_arbiter)
        shown = factories.make_tournament(chief_arbiter, name="Shown")
        for listed in (True, False):
            tournament_list_set(tournament_id=shown.pk, actor=chief_arbiter, now=NOW, listed=listed)
        factories.pair_and_publish(event, 1, chief_arbiter)
        for each in (event, shown):
            with pytest.raises(RuleRefused, match="archive it instead"):
                tournament_delete(
                    tournament_id=each.pk, actor=chief_arbiter, now=NOW, name=each.name
                )
        assert not DeletedTournament.objects.exists()

    @pytest.mark.costly
    def test_an_import_by_mistake_can_be_deleted(self, chief_arbiter: User) -> None:
        event = factories.make_ready(chief_arbiter)
        factories.play_rounds(event, [1], chief_arbiter)
        data = trf_export(event, public=False).encode()
        made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        copy = Tournament.objects.exclude(pk=event.pk).latest("pk")
        tournament_delete(tournament_id=copy.pk, actor=chief_arbiter, now=NOW, name=copy.name)
        assert not Tournament.objects.filter(pk=copy.pk).exists()
        assert made is not None

    def test_the_database_lets_no_other_record_go(
        self, tournament: Tournament, chief_arbiter: User
    ) -> None:
        other = factories.make_tournament(chief_arbiter, name="Other")
        tournament_delete(tournament_id=other.pk, actor=chief_arbiter, now=NOW, name=" Other ")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            Decision.objects.filter(tournament=tournament).delete()
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            DeletedTournament.objects.all().delete()
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            DeletedTournament.objects.update(name="Nothing")
        assert lines(tournament) == ["tournament.created"]

    def test_errors_name_their_field(self, tournament: Tournament, chief_arbiter: User) -> None:
        given = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
        with pytest.raises(BadInput) as caught:
            tournament_delete(**given, name="")
        assert caught.value.field == "name"
        with pytest.raises(Conflict):
            tournament_delete(**given, name=tournament.name, seen_version=99)
