"""Numbers, initial colour and list on one page before round 1
[C.04.2/2026 2.2, 2.5; C.04.3/2026 5.1].
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW, make_tournament
from tournaments.entries.check_in import check_in_open
from tournaments.entries.entries import entry_add, entry_check_in
from tournaments.models import Decision, Entry, Round, Tournament
from tournaments.setup.initial_colour import initial_colour_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def entered(chief_arbiter: User) -> Tournament:
    """Three players without numbers, and no initial colour."""
    tournament = make_tournament(chief_arbiter)
    for rating, name in enumerate(("Abara", "Blomqvist", "Czerny")):
        entry_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name=name,
            national_rating=1500 + rating,
        )
    tournament.refresh_from_db()
    return tournament


def confirm(client: Client, tournament: Tournament, **form: object) -> tuple[int, str]:
    url = reverse("start", args=[tournament.slug])
    given = {"seen_version": tournament.version, "colour": "draw", "close": "yes"} | form
    response = client.post(url, given)
    tournament.refresh_from_db()
    return response.status_code, response.content.decode()


def lines(tournament: Tournament) -> list[str]:
    return list(
        Decision.objects.filter(tournament=tournament)
        .order_by("sequence")
        .values_list("action", flat=True)
    )


def test_c04_2_2_2_one_button_does_three_actions(
    entered: Tournament, client: Client, deputy: User
) -> None:
    client.force_login(deputy)
    desk = client.get(reverse("desk", args=[entered.slug])).content.decode()
    assert f'href="{reverse("start", args=[entered.slug])}"' in desk
    before = lines(entered)
    assert confirm(client, entered)[0] == 302
    assert lines(entered)[len(before) :] == [
        "numbers.assigned",
        "colour.drawn",
        "tournament.updated",
    ]
    names = Entry.objects.filter(tournament=entered).order_by("tpn").values_list("name", flat=True)
    assert list(names) == ["Czerny", "Blomqvist", "Abara"]
    assert (entered.initial_colour in "wb", entered.list_state) == (True, "definitive")
    # A second time there is nothing to do.
    assert confirm(client, entered)[0] == 302
    assert len(lines(entered)) == len(before) + 3


def test_c04_3_5_1_a_colour_drawn_at_the_venue_and_a_list_left_open(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    form = {"seen_version": entered.version, "colour": "b", "witness": "Wim Witness"}
    assert client.post(reverse("start", args=[entered.slug]), form).status_code == 302
    entered.refresh_from_db()
    assert (entered.initial_colour, entered.initial_colour_method, entered.list_state) == (
        "b",
        "drawn_outside",
        "provisional",
    )


@pytest.mark.parametrize(
    "form, status", [({"colour": "x"}, 400), ({"seen_version": 0}, 409), ({"named": "7"}, 400)]
)
def test_all_or_nothing_is_confirmed(
    form: dict[str, object], status: int, entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    before = lines(entered)
    assert confirm(client, entered, **form)[0] == status
    assert lines(entered) == before
    assert not Entry.objects.filter(tournament=entered, tpn__isnull=False).exists()


@pytest.mark.costly
def test_a_check_in_meanwhile_refuses_nothing_and_a_drawn_colour_does(
    entered: Tournament, client: Client, chief_arbiter: User, deputy: User
) -> None:
    client.force_login(chief_arbiter)
    seen = entered.version
    initial_colour_set(tournament_id=entered.pk, actor=deputy, now=NOW, colour="b")
    status, page = confirm(client, entered, seen_version=seen, colour="w")
    assert (status, "Dan Deputy: initial colour drawn" in page) == (409, True)
    seen = entered.version
    check_in_open(tournament_id=entered.pk, actor=deputy, now=NOW)
    entry_check_in(
        entry_id=entered.entries.earliest("pk").pk, actor=deputy, now=NOW, checked_in=True
    )
    assert confirm(client, entered, seen_version=seen)[0] == 302
    assert entered.initial_colour == "b"


def test_c04_3_5_1_nothing_is_left_after_round_1_is_paired(
    draft_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    page = client.get(reverse("start", args=[draft_round.tournament.slug])).content.decode()
    assert "Round 1 is paired: there is nothing left to confirm." in page
