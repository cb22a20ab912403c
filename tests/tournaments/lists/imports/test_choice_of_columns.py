"""A table that is not read as a list is shown with the choice of its columns,
and nothing of it is saved.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW
from tests.tournaments.lists.imports.previews import sent
from tournaments.entries.entries import entry_add
from tournaments.models import DeskData, Entry, Tournament, WaitingEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def url(tournament: Tournament) -> str:
    return reverse("entries-import", args=[tournament.slug])


def looked_at(desk: Client, tournament: Tournament, text: str) -> Any:
    return desk.post(url(tournament), {"text": text})


@pytest.mark.costly
@pytest.mark.parametrize(
    "text, expected",
    [
        ("Rating,Club\n2000,Mate\n1900,Mate\n", "there is no name column"),
        ("Xa;Xb;Xc\nTest Tom;Club One;1950\nProof Pia;Club Two;1871\n", "there is no name column"),
        ("1950;2004\n1871;1990\n", "there is no name column"),
        ("Name,Elo\n", "no participants"),
        ('"Name,Club\nA,One\nB,\nC,\n', "starts with a quotation mark"),
        ("Name\n" + "A\n" * 5_001, "at most 5000 players"),
    ],
)
def test_the_page_shows_the_columns(
    desk: Client, tournament: Tournament, text: str, expected: str
) -> None:
    shown = looked_at(desk, tournament, text)
    page = shown.content.decode()
    assert shown.status_code == 422
    assert expected in page
    assert 'name="column-1"' in page
    assert "Import the ticked rows" not in page
    assert not Entry.objects.filter(tournament=tournament).exists()


@pytest.mark.costly
def test_the_chosen_name_column_is_read(
    desk: Client, tournament: Tournament, chief_arbiter: User
) -> None:
    there = entry_add(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="There, Theo")
    first = looked_at(
        desk, tournament, "Xa;Xb;Rating\nTest Tom;Club One;1950\nProof Pia;Club Two;1871\n"
    )
    assert (first.status_code, first.context["found"].missing, first.context["can_save"]) == (
        422,
        [],
        False,
    )
    # Nobody is removed or entered by a table that is not read.
    forced = desk.post(url(tournament), sent(first, remove=[there.pk], new=[2, 3]))
    assert forced.status_code == 422
    assert Entry.objects.filter(tournament=tournament).get() == there
    chosen = desk.post(url(tournament), sent(first, **{"column-1": "name", "again": "yes"}))
    assert chosen.status_code == 200
    assert [row.name for row in chosen.context["found"].new] == ["Test Tom", "Proof Pia"]
    assert desk.post(url(tournament), sent(chosen)).status_code == 302
    names = Entry.objects.filter(tournament=tournament).values_list("name", "fide_rating")
    assert set(names) == {("There, Theo", None), ("Test Tom", 1950), ("Proof Pia", 1871)}


def test_another_column_of_the_same_meaning_can_be_chosen(
    desk: Client, tournament: Tournament
) -> None:
    first = looked_at(desk, tournament, "Name;Rating;Rating\nTest Tom;1900;1950\n")
    assert "“Rating” has the same meaning (FIDE rating)" in first.content.decode()
    form = sent(first, **{"column-2": "", "column-3": "fide_rating", "again": "yes"})
    chosen = desk.post(url(tournament), form)
    assert desk.post(url(tournament), sent(chosen)).status_code == 302
    assert Entry.objects.get(tournament=tournament).fide_rating == 1950


@pytest.mark.costly
def test_one_choice_repairs_all_dates(desk: Client, tournament: Tournament) -> None:
    text = "Name,Date of birth\nTest Tom,05/12/2010\nProof Pia,11/02/1990\n"
    first = looked_at(desk, tournament, text)
    assert (len(first.context["found"].doubtful), 'name="dates"' in first.content.decode()) == (
        2,
        True,
    )
    again = desk.post(url(tournament), sent(first, dates="month", again="yes"))
    assert (len(again.context["found"].new), again.context["found"].doubtful) == (2, [])
    # The choice of the last preview is read again, and another one is shown before it is saved.
    changed = desk.post(url(tournament), sent(again, **{"dates-shown": "month", "dates": "day"}))
    assert (changed.status_code, Entry.objects.filter(tournament=tournament).count()) == (422, 0)
    saved = desk.post(url(tournament), sent(again, **{"dates-shown": "month", "dates": "month"}))
    assert saved.status_code == 302
    born = (
        Entry.objects.filter(tournament=tournament)
        .order_by("name")
        .values_list("birth_date", flat=True)
    )
    assert list(born) == ["1990/11/02", "2010/05/12"]


def test_dates_without_a_choice_wait_and_are_not_entered_with_all(
    desk: Client, tournament: Tournament
) -> None:
    first = looked_at(desk, tournament, "Name,Date of birth\nTest Tom,05/12/2010\n")
    assert desk.post(url(tournament), sent(first)).status_code == 302
    desk.post(reverse("waiting-enter-all", args=[tournament.slug]), {"last": 10**9})
    assert not Entry.objects.filter(tournament=tournament).exists()
    assert WaitingEntry.objects.get(tournament=tournament).fields["birth_date"] == "05/12/2010"


def test_the_letters_of_a_list_are_repaired_by_one_choice(
    desk: Client, tournament: Tournament
) -> None:
    first = looked_at(desk, tournament, "Name;Rating\nJÃ¶rg Test;1900\n")
    page = first.content.decode()
    assert "did you mean “Jörg Test”?" in page
    assert '<option value="utf-8 twice"' in page
    again = desk.post(url(tournament), sent(first, encoding="utf-8 twice", again="yes"))
    assert [row.name for row in again.context["found"].new] == ["Jörg Test"]


def test_a_remark_goes_to_the_note_of_the_desk(desk: Client, tournament: Tournament) -> None:
    text = "Name;Rating;Bemerkungen\nTest Tom;1900;pays later\nProof Pia;many;needs a ramp\n"
    first = looked_at(desk, tournament, text)
    assert ">pays later</td>" in first.content.decode()
    assert desk.post(url(tournament), sent(first)).status_code == 302
    assert DeskData.objects.get(entry__tournament=tournament).note == "pays later"
    assert WaitingEntry.objects.get(tournament=tournament).fields["note"] == "needs a ramp"


class TestNamesakes:
    @pytest.fixture
    def entered(self, tournament: Tournament, chief_arbiter: User) -> Tournament:
        for name in ("Müller, Jörg", "Birch, Bo", "Gross, Sören", "Ångström, Åke", "Li, Wei"):
            entry_add(
                tournament_id=tournament.pk,
                actor=chief_arbiter,
                now=NOW,
                name=name,
                fide_rating=1500,
            )
        return tournament

    def test_a_list_as_fide_writes_it_has_the_same_players(
        self, desk: Client, entered: Tournament
    ) -> None:
        text = "Name;Rating\nMueller, Joerg;1510\nGross, Soeren;1500\nAangstroem, Aake;1500\n"
        found = looked_at(desk, entered, text).context["found"]
        changes = [
            (player.entry.name, [each.field for each in player.changes]) for player in found.changed
        ]
        assert (found.new, changes, len(found.unchanged)) == (
            [],
            [("Müller, Jörg", ["fide_rating"])],
            2,
        )
        assert [entry.name for entry in found.missing] == ["Birch, Bo", "Li, Wei"]

    def test_a_name_in_another_order_waits_and_is_not_missing(
        self, desk: Client, entered: Tournament
    ) -> None:
        found = looked_at(desk, entered, "Name;Rating\nBo Birch;1500\nWei, Li;1600\n").context[
            "found"
        ]
        assert [(row.name, row.problems[0].code) for row in found.doubtful] == [
            ("Bo Birch", "csv.name_entered")
        ]
        assert [row.name for row in found.new] == ["Wei, Li"]
        assert "Birch, Bo" not in [entry.name for entry in found.missing]

    @pytest.mark.parametrize(
        "name", ["Mueller, Joerg", "Bo Birch", "Gross, Soeren", "Aangstroem, Aake"]
    )
    def test_by_hand_the_page_asks(self, desk: Client, entered: Tournament, name: str) -> None:
        answer = desk.post(reverse("entry-add", args=[entered.slug]), {"name": name})
        assert "Is it the same person twice?" in answer.content.decode()
        assert Entry.objects.filter(tournament=entered).count() == 5


@pytest.mark.parametrize(
    "field, text, expected",
    [
        ("fide_id", "6", "at least five digits"),
        ("fide_rating", "12", "too low for this kind of rating"),
        ("birth_date", "2099", "it must be in 1920 or later"),
        ("birth_date", "1850", "it must be in 1920 or later"),
        ("name", "JÃ¶rg Test", "did you mean “Jörg Test”?"),
        ("club", "MÃ¼nchen", "did you mean “München”?"),
    ],
)
def test_by_hand_such_values_are_refused_too(
    desk: Client, tournament: Tournament, field: str, text: str, expected: str
) -> None:
    answer = desk.post(
        reverse("entry-add", args=[tournament.slug]), {"name": "Test, Tom"} | {field: text}
    )
    assert expected in answer.content.decode()
    assert not Entry.objects.filter(tournament=tournament).exists()
