"""A doubtful row about a player who is entered already:
its values are saved as a change, ticked one by one.
"""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW, make_ready, play_rounds
from tournaments.core import record
from tournaments.entries.entries import entry_add, entry_update
from tournaments.entries.waiting_rows import waiting_rows
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Decision, Entry, Tournament, WaitingEntry
from tournaments.reports.record_against_tables import differences

LIST = "Name;Elo;Fed;Club;Birth;Sex\nAbara, Ada;many;ESP;New Club;1990;f\n"


@pytest.fixture
def ada(tournament: Tournament, chief_arbiter: User) -> Entry:
    return entry_add(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="Abara, Ada", fide_rating=1500,
        federation="FRA", club="Old Club", birth_date="1990/05/06",
    )  # fmt: skip


@pytest.fixture
def waiting(ada: Entry, chief_arbiter: User) -> WaitingEntry:
    """Her row of the updated list, whose rating cannot be read."""
    return let_wait(ada.tournament, chief_arbiter)


def let_wait(tournament: Tournament, chief_arbiter: User, text: str = LIST) -> WaitingEntry:
    list_import(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        reading=read_list(text),
        choice=Choice(),
        seen=None,
    )
    return waiting_rows(tournament).get()


@pytest.fixture
def desk(chief_arbiter: User, client: Client) -> Client:
    client.force_login(chief_arbiter)
    return client


def form_of(client: Client, waiting: WaitingEntry, **typed: str) -> tuple[str, dict[str, object]]:
    """Return the page and what the form of the row sends."""
    page = client.get(reverse("waiting", args=[waiting.tournament.slug])).content.decode()
    values = {f"row-{waiting.pk}-{name}": text for name, text in (waiting.fields | typed).items()}
    shown = unescape(re.findall(r'name="shown" value="(.*?)"', page)[0])
    return page, {
        "shown": shown,
        "take": [unescape(key) for key in re.findall(r'name="take" value="(.*?)"', page)],
    } | values


def change(client: Client, waiting: WaitingEntry, form: dict[str, object]):  # type: ignore[no-untyped-def]
    return client.post(reverse("waiting-change", args=[waiting.tournament.slug, waiting.pk]), form)


@pytest.mark.costly
def test_the_ticked_values_are_saved_and_the_row_is_gone(
    desk: Client, ada: Entry, waiting: WaitingEntry
) -> None:
    page, form = form_of(desk, waiting)
    assert "Abara, Ada is entered already." in page
    assert "<del>FRA</del> → <ins>ESP</ins>" in page
    taken = form["take"]
    assert isinstance(taken, list)
    assert [key.split("/")[1] for key in taken] == ["federation", "sex", "club"]
    response = change(desk, waiting, form | {"take": [key for key in taken if "/club/" not in key]})
    assert response.status_code == 302
    ada.refresh_from_db()
    assert (ada.federation, ada.club, ada.sex, ada.birth_date) == (
        "ESP",
        "Old Club",
        "w",
        "1990/05/06",
    )
    assert not waiting_rows(ada.tournament).exists()
    assert (
        Decision.objects.filter(tournament=ada.tournament).latest("sequence").action
        == "entry.updated"
    )
    assert record.verify(ada.tournament) == []
    assert differences(ada.tournament) == []


@pytest.mark.costly
def test_a_corrected_text_is_saved_and_shows_its_difference_first(
    desk: Client, ada: Entry, waiting: WaitingEntry
) -> None:
    response = change(desk, waiting, form_of(desk, waiting, fide_rating="1600")[1])
    assert response.status_code == 400
    assert "Check the differences, then save the change." in response.content.decode()
    ada.refresh_from_db()
    assert ada.fide_rating == 1500
    waiting.refresh_from_db()
    page, form = form_of(desk, waiting)
    assert "<del>1500</del> → <ins>1600</ins>" in page
    assert change(desk, waiting, form).status_code == 302
    ada.refresh_from_db()
    assert (ada.fide_rating, ada.rating, ada.club) == (1600, 1600, "New Club")


@pytest.mark.costly
def test_nothing_ticked_a_stale_page_and_twice_save_nothing(
    desk: Client, ada: Entry, waiting: WaitingEntry, chief_arbiter: User
) -> None:
    _, form = form_of(desk, waiting)
    assert change(desk, waiting, form | {"take": []}).status_code == 400
    entry_update(entry_id=ada.pk, actor=chief_arbiter, now=NOW, federation="ITA")
    stale = change(desk, waiting, form)
    assert stale.status_code == 409
    assert "check the differences again" in stale.content.decode()
    ada.refresh_from_db()
    assert (ada.federation, ada.club) == ("ITA", "Old Club")
    _, form = form_of(desk, waiting)
    assert change(desk, waiting, form).status_code == 302
    assert change(desk, waiting, form).status_code == 409


def test_only_arbiters_change_a_player(client: Client, waiting: WaitingEntry, ada: Entry) -> None:
    assert change(client, waiting, {"take": [f"{ada.pk}/club/Old Club/New Club"]}).status_code in (
        302,
        403,
        404,
    )
    ada.refresh_from_db()
    assert ada.club == "Old Club"


@pytest.mark.costly
def test_c04_2_2_1_after_round_1_the_rating_has_no_box(desk: Client, chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter)
    play_rounds(tournament, [1], chief_arbiter)
    waiting = let_wait(
        tournament, chief_arbiter, "Name;Elo;Club;Fed\nAbara, Player 1;2600;New;XQ\n"
    )
    page, form = form_of(desk, waiting)
    taken = form["take"]
    assert isinstance(taken, list)
    assert [key.split("/")[1] for key in taken] == ["club"]
    assert "<del>2400</del> → 2600" in page
    entry = Entry.objects.get(tournament=tournament, tpn=1)
    forged = change(desk, waiting, form | {"take": [f"{entry.pk}/fide_rating/2400/2600"]})
    assert forged.status_code == 409
    assert change(desk, waiting, form).status_code == 302
    entry.refresh_from_db()
    assert (entry.club, entry.fide_rating) == ("New", 2400)


def test_a_row_of_a_new_player_or_of_one_of_two_namesakes_has_no_change(
    desk: Client, ada: Entry, chief_arbiter: User
) -> None:
    entry_add(
        tournament_id=ada.tournament_id,
        actor=chief_arbiter,
        now=NOW,
        name="Abara, Ada",
        federation="GER",
    )
    waiting = let_wait(ada.tournament, chief_arbiter, "Name;Elo\nAbara, Ada;many\n")
    assert "Values that the row changes" not in form_of(desk, waiting)[0]


@pytest.mark.costly
def test_a_row_that_changes_nothing_is_discarded_first(
    desk: Client, ada: Entry, chief_arbiter: User
) -> None:
    """A duplicate: the entry has all its values."""
    text = "Name;Elo;Fed\nAbara, Ada;1500;FRA\nAbara, Ada;1500;FRA\n"
    waiting = let_wait(ada.tournament, chief_arbiter, text)
    page, form = form_of(desk, waiting)
    assert "All readable values of this row are in the entry already" in page
    buttons = re.findall(
        r"<button([^>]*)>([^<]*)</button>", page.partition(f'id="waiting-{waiting.pk}"')[2]
    )
    seen = [
        (words, "primary" in attributes)
        for attributes, words in buttons
        if "aria-hidden" not in attributes
    ]
    assert seen[:3] == [
        ("Discard the row", True),
        ("Save the correction", False),
        ("Enter the player", False),
    ]
    # Enter in a field sends the first button of the form.
    assert reverse("waiting-change", args=[ada.tournament.slug, waiting.pk]) in buttons[0][0]
    discard = reverse("waiting-discard", args=[ada.tournament.slug, waiting.pk])
    assert desk.post(discard, form).status_code == 302
    assert not waiting_rows(ada.tournament).exists()
    assert desk.post(discard, form).status_code == 409
