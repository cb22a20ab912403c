"""The reports of arbiters' norms FA1 and IA1 over all sections of an event."""

from __future__ import annotations

from datetime import date
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.record.report_archive import archive_faults
from tests.policy.refusals import words_of
from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds
from tournaments.core.frame import tournament_frame
from tournaments.events.sections import event_create
from tournaments.models import Appointment, Entry, Event, Section, Tournament
from tournaments.reports.arbiters_norms import Candidate, candidates, section_facts


@pytest.fixture
def festival(chief_arbiter: User) -> Event:
    """Section A with 4 players, over, and B with 6, after the first of two rounds.

    A1 and B1 are one person. Naves is a deputy of both, Roy of B, and Blom, an FA, of both.
    """
    first = make_ready(chief_arbiter, players=4, rounds=1, name="Festival A")
    second = make_ready(chief_arbiter, players=6, rounds=2, name="Festival B")
    made = event_create(
        tournament_id=first.pk, name="Festival", label="A", actor=chief_arbiter, now=NOW
    )
    Section.objects.create(event=made, tournament=second, label="B", position=20)
    for tournament, deputies, code in (
        (first, "FA Blom, Per (2000024)\nNaves, Iara (2000032)", "412345"),
        (second, "Naves, Iara (2000032), fair play\nNA Roy, Luc\nFA Blom, Per (2000024)", "412346"),
    ):
        Tournament.objects.filter(pk=tournament.pk).update(
            deputy_arbiters=deputies,
            event_code=code,
            federation="AUT",
            city="Graz",
            chief_arbiter="IA Rossi, Anna (2000016)",
            start_date=date(2026, 9, 1),
        )
        Entry.objects.filter(tournament=tournament).update(fide_rating=None, federation="AUT")
        Entry.objects.filter(pk=entry_of(tournament, 1).pk).update(
            fide_id=2000059, fide_rating=2100, title="FM", federation="SWE"
        )
        play_rounds(tournament, [1], chief_arbiter)
    return made


def found(event: Event, titles: set[str]) -> list[Candidate]:
    frames = [
        tournament_frame(section.tournament, runs=False)
        for section in event.sections.select_related("tournament")
    ]
    return candidates([section_facts(each, each.latest_results) for each in frames], titles)


def sheet(event: Event, client: Client, name: str) -> str:
    first = event.sections.first()
    assert first is not None
    address = reverse("sheets", args=[first.tournament.slug])
    answer = client.get(f"{address}?list={name}&for=event")
    assert answer.status_code == 200
    return words_of(answer.content.decode())


@pytest.mark.costly
@pytest.mark.django_db
def test_an_arbiter_of_two_sections_has_one_report_with_everybody_once(festival: Event) -> None:
    both, one = found(festival, {"", "NA"})
    assert (both.arbiter.name, both.players, both.rated, both.federations) == (
        "Naves, Iara",
        9,
        1,
        2,
    )
    assert (both.titled, both.twice, both.function) == (1, 1, "")
    assert [(section.label, role) for section, role in both.functions] == [
        ("A", "Deputy arbiter"),
        ("B", "fair play"),
    ]
    # Who worked in one section has the counts of that section.
    assert (one.arbiter.name, one.players, one.twice) == ("Roy, Luc", 6, 0)
    (ia,) = found(festival, {"FA"})
    assert (ia.function, ia.players) == ("Deputy arbiter", 9)


@pytest.mark.costly
@pytest.mark.django_db
def test_the_sheet_names_the_sections_with_their_numbers(
    festival: Event, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = sheet(festival, client, "fa1")
    assert text.count(" Candidate ") == 2
    for expected in (
        "One norm for the sections together.",
        "Event Festival Federation AUT Place Graz Players 9 Players with a rating 1",
        "1 player is in several sections and counts once.",
        "A Deputy arbiter 412345",
        "B fair play 412346",
        "IA Anna ROSSI (2000016)",
        "B: Not complete: after 1 of 2 rounds.",
    ):
        assert expected in text, expected
    assert "A: Not complete" not in text
    assert "ot counted" not in text
    assert sheet(festival, client, "ia1").count(" Candidate ") == 1
    link = reverse("norms", args=[festival.sections.all()[0].tournament.slug])
    assert "?list=fa1&amp;for=event" in client.get(link).content.decode()


@pytest.mark.django_db
def test_a_section_without_a_role_is_named_and_not_counted(
    festival: Event, client: Client, stranger: User, chief_arbiter: User
) -> None:
    third = make_ready(stranger, players=4, rounds=1, name="Festival C")
    Section.objects.create(event=festival, tournament=third, label="C", position=30)
    client.force_login(chief_arbiter)
    text = sheet(festival, client, "fa1")
    assert "Not counted, because you have no role there: C." in text
    assert "Players 9" in text
    assert not Appointment.objects.filter(tournament=third, person=chief_arbiter).exists()


@pytest.mark.django_db
def test_the_sheet_of_one_section_names_the_others(
    festival: Event, client: Client, chief_arbiter: User
) -> None:
    first = festival.sections.first()
    assert first is not None
    client.force_login(chief_arbiter)
    address = reverse("sheets", args=[first.tournament.slug])
    text = words_of(client.get(f"{address}?list=fa1").content.decode())
    assert (
        "Other sections of the event, not counted on this sheet: B. "
        "The sections of an event are one norm together."
    ) in text


@pytest.mark.costly
@pytest.mark.django_db
def test_the_archive_of_the_report_has_them_once(
    festival: Event, client: Client, chief_arbiter: User
) -> None:
    """An arbiter of two sections has one report in the archive, not one in each folder."""
    client.force_login(chief_arbiter)
    last = festival.sections.last()
    assert last is not None
    answer = client.get(reverse("report-archive", args=[last.tournament.slug]))
    summary, faults = archive_faults(answer.content)
    assert faults == []
    with ZipFile(BytesIO(answer.content)) as made:
        files = {name: made.read(name) for name in made.namelist()}
    sheets = {name for name in files if name.endswith(("fa1.html", "ia1.html"))}
    assert sheets == {"fa1.html", "ia1.html"}
    assert {each["name"] for each in summary["files"]} >= sheets
    assert "- fa1.html: Reports of arbiters’ norms (FA1)" in files["summary.txt"].decode()
    for name, expected in (("fa1", 2), ("ia1", 1)):
        text = files[f"{name}.html"].decode()
        assert 'href="sheets.css"' in text
        assert words_of(text).count("One norm for the sections together.") == expected
