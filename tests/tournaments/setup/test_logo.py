"""The logo of an event: who sets it, where everybody sees it, and the refused files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tests.tournaments.pictures import chunk, jpeg, png, webp
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.core.short_address import new_screen_code
from tournaments.events.screens import Wanted, screen_add
from tournaments.events.sections import event_create, section_add
from tournaments.lists.imports.duplicate import tournament_duplicate
from tournaments.models import Appointment, Decision, Event, Logo, Role, Section, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.setup.logo import LARGEST, logo_set
from tournaments.site.backups.one_event import export_event, import_event
from tournaments.web.mirror.tournament_export import version_of

PNG, JPEG = png(40, 20), jpeg(60, 30)


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": NOW}


def give(tournament: Tournament, actor: User, data: bytes | None = PNG, **more: Any) -> str:
    """Set the logo; return its address, empty without one."""
    logo_set(tournament_id=tournament.pk, data=data, **by(actor), **more)
    tournament.refresh_from_db()
    return reverse("logo", args=[tournament.slug, tournament.logo]) if tournament.logo else ""


def lines(tournament: Tournament) -> int:
    return Decision.objects.filter(tournament=tournament, action="logo.set").count()


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def send(client: Client, tournament: Tournament, data: bytes, name: str = "logo.png") -> Any:
    url = reverse("settings-logo", args=[tournament.slug])
    seen = client.get(url).context["seen_version"]
    return client.post(
        url, {"file": SimpleUploadedFile(name, data, "text/html"), "seen_version": seen}
    )


def test_an_arbiter_sets_changes_and_removes_it(desk: Client, ready: Tournament) -> None:
    page = reverse("settings-logo", args=[ready.slug])
    assert "Remove the logo" not in desk.get(page).content.decode()
    assert send(desk, ready, PNG).status_code == 302
    ready.refresh_from_db()
    address = reverse("logo", args=[ready.slug, ready.logo])
    assert ready.logo.endswith("-40x20.png")
    shown = desk.get(page).content.decode()
    assert f'src="{address}" alt="{ready.name}" width="40" height="20"' in shown
    assert "The logo is saved." in shown
    assert send(desk, ready, JPEG).status_code == 302
    assert desk.get(address).status_code == 404
    seen = desk.get(page).context["seen_version"]
    assert desk.post(page, {"remove": "1", "seen_version": seen}).status_code == 302
    ready.refresh_from_db()
    assert (ready.logo, own(Logo).count(), lines(ready)) == ("", 0, 3)
    assert differences(ready) == []


def test_everybody_gets_the_same_bytes_to_keep_for_a_year(
    ready: Tournament, chief_arbiter: User
) -> None:
    for data, kind in ((PNG, "png"), (JPEG, "jpeg"), (webp(), "webp")):
        address = give(ready, chief_arbiter, data + b"<script>alert(1)</script>")
        answer = Client().get(address)
        assert answer.content == data
        assert answer["Content-Type"] == f"image/{kind}"
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer["X-Content-Type-Options"] == "nosniff"
        again = Client().get(address, headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    give(ready, chief_arbiter, None)
    gone = Client().get(address, headers={"If-None-Match": answer["ETag"]})
    assert gone.status_code == 404
    assert "immutable" not in gone.get("Cache-Control", "")


@pytest.mark.costly
def test_it_is_on_public_pages_and_on_sheets_at_once(
    desk: Client, published_round: Any, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    public = [reverse("tournament", args=[tournament.slug])]
    public.append(reverse("pairings-public", args=[tournament.slug, 1]))
    sheet = reverse("sheets", args=[tournament.slug]) + "?list=boards"
    before = {url: Client().get(url).content for url in public}
    address = give(tournament, chief_arbiter)
    for url in public:
        page = Client().get(url).content
        assert page.count(address.encode()) == (2 if url == public[0] else 1)
        assert page != before[url]
    assert f'src="{address}" alt=""' in desk.get(sheet).content.decode()
    give(tournament, chief_arbiter, None)
    assert b"/logo/" not in b"".join(Client().get(url).content for url in public)


@pytest.mark.costly
@pytest.mark.parametrize(
    "data, sentence",
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "not a PNG, JPEG or WebP"),
        (b"<script>alert(1)</script>" + PNG, "not a PNG, JPEG or WebP"),
        (PNG[:-1], "not a PNG, JPEG or WebP"),
        (png(2001, 1), "at most 2000 pixels on each side"),
        (webp(16_000, 16_000), "at most 2000 pixels on each side"),
        (PNG + b"\0" * LARGEST, "a logo has at most 200 kB"),
        (png(more=chunk(b"acTL", b"\0" * 8)), "This picture moves."),
        (b"", "This file is empty."),
    ],
)
def test_another_file_is_refused_with_a_sentence(
    data: bytes, sentence: str, desk: Client, ready: Tournament
) -> None:
    answer = send(desk, ready, data)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    ready.refresh_from_db()
    assert (ready.logo, lines(ready)) == ("", 0)
    nothing = desk.post(reverse("settings-logo", args=[ready.slug]), {"seen_version": "1"})
    assert "Choose the file." in nothing.content.decode()


def test_only_arbiters_of_the_tournament_set_it(
    ready: Tournament, stranger: User, chief_arbiter: User, client: Client
) -> None:
    url = reverse("settings-logo", args=[ready.slug])
    assert client.post(url, {"remove": "1"}).status_code == 302  # to the log-in
    client.force_login(stranger)
    assert client.post(url, {"remove": "1"}).status_code == 403
    Appointment.objects.create(tournament=ready, person=stranger, role=Role.READER, since=NOW)
    assert client.get(url).status_code == 200
    assert client.post(url, {"remove": "1"}).status_code == 403
    with pytest.raises(PermissionDenied):
        give(ready, stranger)
    assert lines(ready) == 0


@pytest.mark.costly
def test_a_page_from_before_another_logo_changes_nothing(
    desk: Client, ready: Tournament, chief_arbiter: User
) -> None:
    url = reverse("settings-logo", args=[ready.slug])
    seen = desk.get(url).context["seen_version"]
    give(ready, chief_arbiter)
    answer = desk.post(url, {"remove": "1", "seen_version": seen})
    assert answer.status_code == 409
    assert "The logo was changed in the meantime" in answer.content.decode()
    with pytest.raises(Conflict):
        give(ready, chief_arbiter, None, seen_version=seen)
    assert Logo.objects.filter(tournament=ready).exists()
    give(ready, chief_arbiter)  # the same again
    assert lines(ready) == 1


def test_nothing_changes_while_the_standings_are_final(
    ready: Tournament, chief_arbiter: User
) -> None:
    address = give(ready, chief_arbiter)
    Tournament.objects.filter(pk=ready.pk).update(final_at=NOW)
    with pytest.raises(RuleRefused):
        give(ready, chief_arbiter, None)
    assert Client().get(address).status_code == 200


@pytest.fixture
def event(chief_arbiter: User) -> Event:
    first = factories.make_tournament(chief_arbiter, name="Cup")
    event = event_create(tournament_id=first.pk, name="Cup", label="A", **by(chief_arbiter))
    section_add(event_id=event.pk, like_id=first.pk, label="B", limits={}, **by(chief_arbiter))
    return event


class TestSections:
    @pytest.mark.costly
    def test_the_sections_of_an_event_get_it_together(
        self, event: Event, chief_arbiter: User, desk: Client
    ) -> None:
        first, second = (each.tournament for each in Section.objects.filter(event=event))
        page = desk.get(reverse("settings-logo", args=[second.slug])).content.decode()
        assert "These sections get the same logo:" in page
        give(second, chief_arbiter)
        first.refresh_from_db()
        assert first.logo == second.logo != ""
        shown = Client().get(reverse("event", args=[event.slug])).content.decode()
        assert f'/t/{first.slug}/logo/{first.logo}" alt="Cup"' in shown
        new = section_add(
            event_id=event.pk, like_id=first.pk, label="C", limits={}, **by(chief_arbiter)
        )
        assert Tournament.objects.get(pk=new.pk).logo == first.logo

    @pytest.mark.costly
    def test_a_section_of_other_arbiters_keeps_its_own(
        self, event: Event, chief_arbiter: User, stranger: User
    ) -> None:
        first, second = (each.tournament for each in Section.objects.filter(event=event))
        give(first, chief_arbiter)
        Appointment.objects.filter(tournament=second).delete()
        Tournament.objects.filter(pk=second.pk).update(created_by=stranger)
        give(first, chief_arbiter, JPEG)
        second.refresh_from_db()
        assert (first.logo[-3:], second.logo[-3:]) == ("jpg", "png")


def test_it_is_on_the_screens_of_the_hall(ready: Tournament, chief_arbiter: User) -> None:
    wanted = Wanted(name="Hall", contents=("clock",))
    screen = screen_add(
        tournament_id=ready.pk, code=new_screen_code(), wanted=wanted, **by(chief_arbiter)
    )
    url = reverse("screen", args=[screen.code])
    assert b"/logo/" not in Client().get(url).content
    address = give(ready, chief_arbiter)
    assert address.encode() in Client().get(url).content


def test_a_copy_of_the_tournament_has_it_too(ready: Tournament, chief_arbiter: User) -> None:
    give(ready, chief_arbiter)
    made = tournament_duplicate(
        source_id=ready.pk, name="Next year", first_day=None, **by(chief_arbiter)
    )
    assert made.logo == ready.logo
    assert Client().get(reverse("logo", args=[made.slug, made.logo])).content == PNG
    give(made, chief_arbiter, None)
    assert Client().get(reverse("logo", args=[ready.slug, ready.logo])).status_code == 200


@pytest.mark.costly
def test_a_mirror_has_the_picture_and_leads_to_it(
    published_round: Any, chief_arbiter: User, settings: Settings, tmp_path: Path
) -> None:
    settings.MIRROR_DIR = str(tmp_path)
    tournament = published_round.tournament
    give(tournament, chief_arbiter)
    pages = version_of(tournament.pk, NOW).make().pages
    assert pages[f"en/logo-{tournament.logo}"] == PNG
    assert f'src="logo-{tournament.logo}"'.encode() in pages["fr/index.html"]


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
@pytest.mark.alone("the lines of the tournament next door are not signed")
def test_it_goes_with_the_file_of_the_event_and_a_false_one_is_not_shown(
    chief_arbiter: User, tmp_path: Path
) -> None:
    from django.db import connection

    from tests.plugins.empty_tables import empty_tables

    tournament = factories.make_ready(chief_arbiter, players=4)
    address = give(tournament, chief_arbiter)
    export_event(tournament.slug, tmp_path / "x.event", now=NOW)
    empty_tables(connection)
    import_event(tmp_path / "x.event")
    assert Client().get(address).content == PNG
    own(Logo).update(data=b"<script>alert(1)</script>")
    assert Client().get(address).status_code == 404
    Tournament.objects.update(logo='x" onerror="alert(1)')
    page = Client().get(reverse("tournament", args=[tournament.slug])).content.decode()
    assert "onerror" not in page
