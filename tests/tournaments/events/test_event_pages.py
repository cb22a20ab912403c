"""The pages of an event of several sections: set-up, desk, list, and who sees what."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import NOW, make_entries, make_ready
from tournaments.entries.entries import entry_add
from tournaments.events.event_page import players_of, sections_of
from tournaments.events.sections import event_create, section_update
from tournaments.models import (
    Appointment,
    Entry,
    Event,
    Role,
    Tournament,
)


@pytest.mark.costly
def test_the_event_is_set_up_in_the_browser(
    first: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    assert (
        reverse("event-make", args=[first.slug])
        in client.get(reverse("tournament-edit", args=[first.slug])).content.decode()
    )
    page = reverse("event-make", args=[first.slug])
    assert client.get(page).status_code == 200
    assert client.post(page, {"name": "", "label": "A"}).status_code == 422
    made = client.post(page, {"name": "City Open", "label": "A"})
    sections = reverse("event-sections", args=["city-open"])
    assert made["Location"] == sections
    assert client.get(page)["Location"] == sections
    assert (
        client.post(sections, {"label": "B", "rating_to": "1799", "like": first.pk}).status_code
        == 302
    )
    assert client.post(sections, {"label": "B", "like": first.pk}).status_code == 400
    for like in ("0", "x", ""):
        assert client.post(sections, {"label": "D", "like": like}).status_code in (400, 422)
    assert (
        client.post(sections, {"label": "C", "rating_to": "abc", "like": first.pk}).status_code
        == 422
    )
    second = Tournament.objects.get(section__label="B")
    changed = {
        "section": second.section.pk,
        "seen_version": second.version,
        f"{second.section.pk}-label": "B",
        f"{second.section.pk}-rating_to": "1699",
    }
    assert client.post(sections, changed).status_code == 302
    again = client.post(sections, changed | {f"{second.section.pk}-rating_to": "1599"})
    assert (again.status_code, "Nothing was saved" in again.content.decode()) == (409, True)
    second.section.refresh_from_db()
    assert second.section.rating_to == 1699
    for name in ("event-desk", "event-entries", "event"):
        assert "City Open" in client.get(reverse(name, args=["city-open"])).content.decode()
    desk = client.get(reverse("event-desk", args=["city-open"])).content.decode()
    assert reverse("event-import", args=["city-open"]) in desk


@pytest.mark.costly
def test_an_arbiter_pairs_on_the_desk_of_the_event_and_a_reader_does_not(
    chief_arbiter: User, client: Client
) -> None:
    ready = make_ready(chief_arbiter, name="Ready")
    event = event_create(
        tournament_id=ready.pk, name="Whole", label="A", actor=chief_arbiter, now=NOW
    )
    reader = User.objects.create_user("reader", password="reader-secret")
    Appointment.objects.create(tournament=ready, person=reader, role=Role.READER, since=NOW)
    desk, pair = (
        reverse("event-desk", args=[event.slug]),
        reverse("round-pair", args=[ready.slug, 1]),
    )
    for user, pairs in ((chief_arbiter, True), (reader, False)):
        client.force_login(user)
        page = client.get(desk).content.decode()
        assert ("Pair round 1" in page, f'action="{pair}"' in page) == (True, pairs)
    client.force_login(chief_arbiter)
    assert client.post(pair)["Location"] == reverse("round", args=[ready.slug, 1])


@pytest.mark.costly
def test_players_move_in_the_browser(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    one, other = make_entries(first, chief_arbiter, 2)
    page = reverse("event-entries", args=[event.slug])
    assert f'<option value="{second.pk}"' in client.get(page).content.decode()
    assert client.post(page, {"entry": one.pk, "to": second.pk}).status_code == 302
    assert client.post(page, {"moves": f"{other.pk}:{second.pk}"}).status_code == 302
    assert Entry.objects.filter(tournament=second).count() == 2
    assert client.post(page, {"moves": "7"}).status_code == 422
    assert client.post(page, {"moves": "9" * 30 + ":1"}).status_code == 422
    assert client.post(page, {"entry": one.pk, "to": second.pk}).status_code == 409


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_the_list_has_pages_and_a_move_stays_on_its_page(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    Entry.objects.bulk_create(
        Entry(tournament=first, name=f"Player {n:03}", rating=1900, created_at=NOW)
        for n in range(101)
    )
    page = reverse("event-entries", args=[event.slug])
    opened = client.get(page, {"q": "player"})
    assert opened.content.decode().count('name="entry"') == 100
    assert 'href="?q=player&amp;page=2"' in opened.content.decode()
    assert "rows 1–100 of 101" in opened.content.decode()  # on each printed sheet
    whole = client.get(page, {"page": "all"}).content.decode()
    assert (whole.count('name="entry"'), "Not the whole list" in whole) == (101, False)
    last = opened.context["page"].paginator.page(2)[0].entry
    moved = client.post(f"{page}?q=player&page=2", {"entry": last.pk, "to": second.pk}, follow=True)
    assert moved.redirect_chain == [(f"{page}?q=player&page=2", 302)]
    shown = moved.context["page"]
    assert ([line.entry.name for line in shown], shown.paginator.count) == ([last.name], 101)


def test_visitors_find_their_section_and_strangers_no_desk(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    client: Client,
    stranger: User,
) -> None:
    entry_add(tournament_id=second.pk, actor=chief_arbiter, now=NOW, name="Ébène, Éva")
    address = reverse("event", args=[event.slug])
    seen = client.get(address, {"q": "eva ebene"})
    assert "Ébène, Éva" in seen.content.decode()
    assert (
        client.get(address, {"q": "eva ebene"}, headers={"If-None-Match": seen["ETag"]}).status_code
        == 304
    )
    assert [line.entry.name for line in players_of(sections_of(event), "EBENE")] == ["Ébène, Éva"]
    Entry.objects.filter(name="Ébène, Éva").update(name="O’Ébène-D'Or, Éva")
    for words in ("oebene", "o'ebene-d’or", "dor eva"):
        assert [line.entry.name for line in players_of(sections_of(event), words)] == [
            "O’Ébène-D'Or, Éva"
        ]
    overview = client.get(reverse("tournament", args=[second.slug])).content.decode()
    assert f'<a href="{address}">City Open</a>' in overview
    for name in ("event-desk", "event-entries", "event-sections"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 302
    client.force_login(stranger)
    for name in ("event-desk", "event-entries", "event-sections"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 403
        assert client.post(reverse(name, args=[event.slug]), {"moves": "1:2"}).status_code == 403
    assert client.get(reverse("event", args=["no-such"])).status_code == 404


@pytest.mark.on_postgres("many rows in one statement")
def test_open_pages_hear_about_every_section(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    htmx = {"HX-Request": "true"}
    for name in ("event", "event-desk"):
        address = reverse(name, args=[event.slug])
        key = client.get(address).context["key"]
        assert client.get(address, {"v": key}, headers=htmx).status_code == 204
        entry_add(tournament_id=second.pk, actor=chief_arbiter, now=NOW, name=f"News, {name}")
        part = client.get(address, {"v": key}, headers=htmx)
        assert part.status_code == 200
        assert "<html" not in part.content.decode()


@pytest.mark.costly
def test_the_pages_of_an_event_need_the_same_queries_for_more_players(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    section_update(
        tournament_id=first.pk,
        label="A",
        limits={"rating_from": 1800},
        actor=chief_arbiter,
        now=NOW,
    )
    client.force_login(chief_arbiter)
    counts = []
    for players in (2, 40):
        Entry.objects.bulk_create(
            Entry(tournament=first, name=f"Player {players}.{n}", rating=1000 + n, created_at=NOW)
            for n in range(players)
        )
        with CaptureQueriesContext(connection) as seen:
            for name in (
                "event",
                "event-desk",
                "event-entries",
                "event-sections",
                "event-check-in",
                "event-waiting",
            ):
                assert (
                    client.get(reverse(name, args=[event.slug]), {"q": "player"}).status_code == 200
                )
            many = "Name;Elo\n" + "".join(f"New {n}, Player;{1500 + n}\n" for n in range(players))
            assert (
                client.post(reverse("event-import", args=[event.slug]), {"text": many}).status_code
                == 200
            )
        counts.append(len(seen))
    assert counts[0] == counts[1]


@pytest.mark.costly
def test_whole_names_are_for_people_with_a_role_in_the_section(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    stranger: User,
    client: Client,
) -> None:
    """A player shown with initials has them, and no FIDE ID to search for,
    in every other section's eyes.
    """
    by = {"actor": chief_arbiter, "now": NOW, "initials": True}
    entry_add(
        tournament_id=first.pk, name="Quetzal, Xanthippe", fide_rating=1700, fide_id=98765432, **by
    )
    entry_add(
        tournament_id=second.pk, name="Zzyzx, Wolfgang", fide_rating=1900, fide_id=98765433, **by
    )
    role = Appointment.objects.create(
        tournament=second, person=stranger, role=Role.DEPUTY, since=NOW
    )
    pages = [
        reverse(f"event-{name}", args=[event.slug]) + query
        for name, query in [
            ("entries", ""), ("entries", "?q=quetzal"), ("check-in", ""), ("desk", ""), ("sections", ""),
            ("find", "?q=quetzal"), ("find", "?q=98765432"), ("find", "?q=q"), ("keys", ""), ("mirror", ""),
            ("import", ""), ("waiting", ""),
        ]
    ]  # fmt: skip
    everywhere = [
        *pages,
        *(page.replace("quetzal", "zzyzx").replace("5432", "5433") for page in pages),
    ]

    def seen(user: User, address: str) -> str:
        client.force_login(user)
        page = client.get(address).content.decode()
        return page.partition("<main")[2].replace("quetzal", "").replace("zzyzx", "")

    for each in (Role.DEPUTY, Role.READER, Role.CHECK_IN_DESK, Role.RESULT_DESK):
        Appointment.objects.filter(pk=role.pk).update(role=each)
        shown = {page: seen(stranger, page) for page in everywhere}
        assert {
            page for page, text in shown.items() if "Quetzal" in text or "Xanthippe" in text
        } == set(), each
        found = {page for page, text in shown.items() if "Q. X." in text}
        assert not {page for page in found if "98765432" in page or "quetzal" in page}, each
        assert any("Zzyzx, Wolfgang" in text for text in shown.values()), each
    shown = {page: seen(chief_arbiter, page) for page in pages}
    assert {page for page, text in shown.items() if "Quetzal, Xanthippe" in text} >= {
        pages[0],
        pages[5],
        pages[6],
    }
