"""Rows that wait: correct and enter, discard, two people at once, and nothing for visitors."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.entries.cells import VALUES
from tournaments.entries.entries import entry_add
from tournaments.entries.waiting_rows import waiting_rows
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Decision, Entry, Tournament, WaitingEntry

pytestmark = pytest.mark.on_postgres("somebody else comes first")

LIST = "Name;Elo;Fed\nAbara, Ada;many;FRA\nBlom, Bo;1500;GBR\nKovar, Eva;1400;XYZ\n"


@pytest.fixture
def queue(tournament: Tournament, chief_arbiter: User) -> Tournament:
    """Three doubtful rows of an import."""
    list_import(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        reading=read_list(LIST),
        choice=Choice(),
        seen=None,
    )
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def desk(chief_arbiter: User, client: Client) -> Client:
    client.force_login(chief_arbiter)
    return client


def row(tournament: Tournament, name: str) -> WaitingEntry:
    return next(each for each in waiting_rows(tournament) if each.fields.get("name") == name)


def form_of(
    client: Client, tournament: Tournament, waiting: WaitingEntry, **typed: str
) -> dict[str, str]:
    """Return the form of a row on the open page, with the fields *typed*."""
    page = client.get(reverse("waiting", args=[tournament.slug])).content.decode()
    part = page.partition(f'id="waiting-{waiting.pk}"')[2].partition("</form>")[0]
    shown = unescape(re.findall(r'name="shown" value="(.*?)"', part)[0])
    values = {name: str(text) for name, text in waiting.fields.items()} | typed
    return {"shown": shown} | {f"row-{waiting.pk}-{name}": text for name, text in values.items()}


def enter(
    client: Client,
    tournament: Tournament,
    waiting: WaitingEntry,
    form: dict[str, str],
    name: str = "enter",
):
    return client.post(reverse(f"waiting-{name}", args=[tournament.slug, waiting.pk]), form)


@pytest.mark.django_db
class TestRow:
    def test_the_form_has_every_value_that_a_row_can_have(
        self, queue: Tournament, desk: Client
    ) -> None:
        """What is not in the form is lost when an arbiter corrects the row."""
        waiting = waiting_rows(queue)[0]
        WaitingEntry.objects.filter(pk=waiting.pk).update(fields=dict.fromkeys(VALUES, "1"))
        page = desk.get(reverse("waiting", args=[queue.slug])).content.decode()
        assert {*VALUES} - {*re.findall(rf'name="row-{waiting.pk}-(\w+)"', page)} == set()

    @pytest.mark.costly
    def test_each_row_has_its_reason(self, queue: Tournament, desk: Client) -> None:
        page = desk.get(reverse("waiting", args=[queue.slug])).content.decode()
        for reason in (
            "“many” is not a whole number (FIDE rating).",
            "“GBR” is not a code of a FIDE federation; did you mean ENG?",
            "XYZ is not on the list of FIDE’s federations: check it.",
        ):
            assert reason in page
        assert "3 waiting rows" in desk.get(reverse("entries", args=[queue.slug])).content.decode()
        french = desk.get(
            reverse("waiting", args=[queue.slug]), headers={"Accept-Language": "fr"}
        ).content.decode()
        assert "(Elo FIDE)" in french

    def test_the_number_of_a_reason_chooses_the_plural_in_rows_of_older_programs_too(
        self, tournament: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        text = "Name;Elo\nWide, Wim;1500;x;y\n"
        list_import(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            reading=read_list(text),
            choice=Choice(),
        )
        waiting = row(tournament, "Wide, Wim")
        (problem,) = waiting.problems
        for number in (4, "4"):
            waiting.problems = [{**problem, "params": problem["params"] | {"found": number}}]
            waiting.save()
            page = desk.get(reverse("waiting", args=[tournament.slug])).content.decode()
            assert "4 columns, but the header has 2." in page

    @pytest.mark.costly
    def test_the_arbiter_is_reminded_before_the_list_is_closed(
        self, queue: Tournament, desk: Client
    ) -> None:
        reminder = "3 rows wait to be corrected or discarded."
        for name in ("numbers", "start"):
            assert reminder in desk.get(reverse(name, args=[queue.slug])).content.decode(), name
        now = reverse("desk", args=[queue.slug])
        assert "3 waiting rows</strong>" in desk.get(now).content.decode()
        waiting_rows(queue).delete()
        assert "waiting row" not in desk.get(reverse("desk", args=[queue.slug])).content.decode()

    @pytest.mark.costly
    def test_what_is_typed_in_one_row_is_kept_when_another_is_entered(
        self, queue: Tournament, desk: Client
    ) -> None:
        abara, blom = row(queue, "Abara, Ada"), row(queue, "Blom, Bo")
        form = form_of(desk, queue, blom, federation="FRA")
        kept = desk.post(
            reverse("waiting-keep", args=[queue.slug, blom.pk]),
            form,
            headers={"HX-Request": "true"},
        )
        assert "notice" not in kept.content.decode()
        assert f'id="shown-{blom.pk}"' in kept.content.decode()
        enter(desk, queue, abara, form_of(desk, queue, abara, fide_rating="1650"))
        assert row(queue, "Blom, Bo").fields["federation"] == "FRA"
        last = waiting_rows(queue).order_by("-pk")[0].pk
        desk.post(reverse("waiting-enter-all", args=[queue.slug]), {"last": last})
        assert {entry.name for entry in Entry.objects.filter(tournament=queue)} == {
            "Abara, Ada",
            "Blom, Bo",
        }

    @pytest.mark.costly
    def test_a_text_that_is_still_wrong_is_kept_with_its_problem(
        self, queue: Tournament, desk: Client
    ) -> None:
        abara = row(queue, "Abara, Ada")
        form = form_of(desk, queue, abara, fide_rating="few")
        address = reverse("waiting-keep", args=[queue.slug, abara.pk])
        kept = desk.post(address, form, headers={"HX-Request": "true"})
        assert "“few” is not a whole number" in kept.content.decode()
        assert row(queue, "Abara, Ada").fields["fide_rating"] == "few"
        stale = desk.post(
            address, form | {f"row-{abara.pk}-fide_rating": "1700"}, headers={"HX-Request": "true"}
        )
        assert stale.status_code == 409
        assert "“few”" in stale.content.decode()
        assert row(queue, "Abara, Ada").fields["fide_rating"] == "few"

    def test_a_corrected_row_is_entered_with_a_line_of_the_record(
        self, queue: Tournament, desk: Client
    ) -> None:
        waiting = row(queue, "Abara, Ada")
        form = form_of(desk, queue, waiting, fide_rating="1650 F")
        assert enter(desk, queue, waiting, form).status_code == 302
        entry = Entry.objects.get(tournament=queue)
        assert (entry.name, entry.rating, entry.rating_source, entry.federation) == (
            "Abara, Ada",
            1650,
            "fide",
            "FRA",
        )
        assert own(Decision).last().action == "entry.added"
        again = enter(desk, queue, waiting, form)
        assert again.status_code == 409
        assert "no longer waits" in again.content.decode()
        assert Entry.objects.filter(tournament=queue).count() == 1

    @pytest.mark.costly
    def test_a_row_that_is_still_wrong_keeps_what_was_typed(
        self, queue: Tournament, desk: Client
    ) -> None:
        waiting = row(queue, "Blom, Bo")
        requested = enter(
            desk, queue, waiting, form_of(desk, queue, waiting, federation="UK", club="Mate")
        )
        assert requested.status_code == 400
        assert (
            "“UK” is not a code of a FIDE federation; did you mean ENG?"
            in requested.content.decode()
        )
        waiting.refresh_from_db()
        assert waiting.fields == {
            "name": "Blom, Bo",
            "fide_rating": "1500",
            "federation": "UK",
            "club": "Mate",
        }
        assert not Entry.objects.filter(tournament=queue).exists()

    @pytest.mark.costly
    def test_two_people_correct_one_row_and_the_second_sees_both_values(
        self, queue: Tournament, desk: Client
    ) -> None:
        waiting = row(queue, "Blom, Bo")
        first = form_of(desk, queue, waiting, federation="Narnia")
        second = form_of(desk, queue, waiting, federation="SWE")
        enter(desk, queue, waiting, first)
        conflict = enter(desk, queue, waiting, second)
        page = conflict.content.decode()
        assert conflict.status_code == 409
        assert "federation “Narnia”" in page
        assert 'value="SWE"' in page
        assert not Entry.objects.filter(tournament=queue).exists()
        assert enter(desk, queue, waiting, second, name="discard").status_code == 409

    @pytest.mark.costly
    @pytest.mark.parametrize("confirmed, status", [(False, 400), (True, 302)])
    def test_an_arbiter_confirms_a_namesake_or_a_new_federation(
        self, queue: Tournament, desk: Client, chief_arbiter: User, confirmed: bool, status: int
    ) -> None:
        entry_add(tournament_id=queue.pk, actor=chief_arbiter, now=NOW, name="Kovár, Eva")
        waiting = row(queue, "Kovar, Eva")
        form = form_of(desk, queue, waiting)
        if confirmed:
            form[f"row-{waiting.pk}-confirmed"] = "on"
        assert enter(desk, queue, waiting, form).status_code == status
        assert Entry.objects.filter(tournament=queue).count() == 1 + confirmed

    def test_a_namesake_in_a_tournament_of_another_event_is_no_doubt(
        self, queue: Tournament, neighbour: Tournament, desk: Client
    ) -> None:
        assert neighbour.entries.filter(name="Abara, Player 1").exists()
        waiting = row(queue, "Abara, Ada")
        form = form_of(desk, queue, waiting, name="Abara, Player 1", fide_rating="1650")
        assert enter(desk, queue, waiting, form).status_code == 302
        assert Entry.objects.get(tournament=queue).name == "Abara, Player 1"

    def test_a_discarded_row_is_gone(self, queue: Tournament, desk: Client) -> None:
        waiting, before = row(queue, "Abara, Ada"), own(Decision).count()
        assert (
            enter(desk, queue, waiting, form_of(desk, queue, waiting), name="discard").status_code
            == 302
        )
        assert (waiting_rows(queue).count(), own(Decision).count()) == (2, before)

    @pytest.mark.costly
    def test_a_row_of_another_tournament_is_not_found(
        self, queue: Tournament, desk: Client
    ) -> None:
        form = {"shown": "{}"}
        assert (
            desk.post(reverse("waiting-enter", args=[queue.slug, 10**17]), form).status_code == 409
        )
        assert desk.post(
            reverse("waiting-discard", args=[queue.slug, 10**25]), form
        ).status_code in (404, 409)


@pytest.mark.django_db
class TestAll:
    def test_rows_without_a_problem_are_entered_together(
        self, queue: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        for name, fields in (
            ("Abara, Ada", {"fide_rating": "1650"}),
            ("Blom, Bo", {"federation": "SWE"}),
        ):
            waiting = row(queue, name)
            waiting.fields |= fields
            waiting.save()
        last = waiting_rows(queue).latest("pk").pk
        url = reverse("waiting-enter-all", args=[queue.slug])
        assert desk.post(url, {"last": last}).status_code == 302
        assert sorted(Entry.objects.filter(tournament=queue).values_list("name", flat=True)) == [
            "Abara, Ada",
            "Blom, Bo",
        ]
        assert own(Decision).last().action == "entries.imported"
        assert [each.fields["name"] for each in waiting_rows(queue)] == ["Kovar, Eva"]
        assert desk.post(url, {"last": last}).status_code == 302
        assert Entry.objects.filter(tournament=queue).count() == 2

    @pytest.mark.costly
    def test_a_row_with_a_doubt_about_the_list_waits_for_an_arbiter(
        self, tournament: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        text = (
            "Name;Elo;Fed\nTotal 3;;\nZaj?c, Al;1500;\nWide, Wim;1500;FRA;x;y\nSame, "
            "Sue;1400;\nSame, Sue;1500;\n"
        )
        untouched = Choice(lines=())
        list_import(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            reading=read_list(text),
            choice=untouched,
        )
        before = [(each.fields["name"], each.problems) for each in waiting_rows(tournament)]
        desk.post(reverse("waiting-enter-all", args=[tournament.slug]), {"last": 10**9})
        assert not Entry.objects.filter(tournament=tournament).exists()
        assert [(each.fields["name"], each.problems) for each in waiting_rows(tournament)] == before
        assert [name for name, _ in before] == ["Total 3", "Zaj?c, Al", "Wide, Wim", "Same, Sue"]
        zajac = row(tournament, "Zaj?c, Al")
        enter(desk, tournament, zajac, form_of(desk, tournament, zajac, name="Zając, Al"))
        assert Entry.objects.get(tournament=tournament).name == "Zając, Al"

    def test_a_row_that_came_later_is_not_discarded_with_all(
        self, queue: Tournament, desk: Client
    ) -> None:
        first = waiting_rows(queue).earliest("pk").pk
        desk.post(reverse("waiting-discard-all", args=[queue.slug]), {"last": first})
        assert waiting_rows(queue).count() == 2


@pytest.mark.django_db
class TestPrivate:
    def test_waiting_rows_change_nothing_that_visitors_see(
        self, tournament: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        versions = (tournament.version, tournament.public_version)
        addresses = [
            reverse(name, args=[tournament.slug]) for name in ("tournament", "players", "record")
        ]
        before = [client.get(address).content for address in addresses]
        list_import(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            reading=read_list(LIST),
            choice=Choice(),
        )
        tournament.refresh_from_db()
        assert (tournament.version, tournament.public_version) == versions
        assert waiting_rows(tournament).count() == 3
        assert [client.get(address).content for address in addresses] == before
        assert client.get(reverse("waiting", args=[tournament.slug])).status_code == 302

    def test_a_stranger_sees_and_enters_nothing(
        self, queue: Tournament, stranger: User, client: Client
    ) -> None:
        client.force_login(stranger)
        assert client.get(reverse("waiting", args=[queue.slug])).status_code == 403
        for name in ("waiting-enter-all", "waiting-discard-all"):
            assert client.post(reverse(name, args=[queue.slug]), {"last": 10**9}).status_code == 403
        assert waiting_rows(queue).count() == 3
