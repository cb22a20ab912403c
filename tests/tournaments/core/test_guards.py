"""The constraints of the database itself, whichever code writes, on SQLite and on PostgreSQL."""

import pytest
from django.contrib import admin
from django.db import IntegrityError, transaction
from django.urls import reverse

from tests.tournaments.factories import (
    NOW,
    cached,
    entry_of,
    make_ready,
    pair_and_publish,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.models import (
    Decision,
    DeletedTournament,
    Entry,
    Game,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.people.people import Access, person_appoint

pytestmark = pytest.mark.django_db


@pytest.fixture
@cached
def odd(chief_arbiter) -> Tournament:
    """Seven players, pairings of round 1 published: boards 1-3 and a pairing-allocated bye."""
    tournament = make_ready(chief_arbiter, players=7)
    pair_and_publish(tournament, 1, chief_arbiter)
    return tournament


def seated(tournament: Tournament, **lookup: object) -> Seat:
    return Seat.objects.get(round__tournament=tournament, round__number=1, **lookup)


REFUSED = {
    "a round number twice": lambda t: Round.objects.create(tournament=t, number=1),
    "no round at all": lambda t: Tournament.objects.filter(pk=t.pk).update(total_rounds=0),
    "a draw worth more than a win": lambda t: Tournament.objects.filter(pk=t.pk).update(
        points_draw=11
    ),
    "a board twice": lambda t: Game.objects.create(round=round_of(t, 1), board=1),
    "a board before the first": lambda t: Game.objects.create(round=round_of(t, 1), board=0),
    "a result nobody knows": lambda t: Game.objects.filter(board=1).update(result="11"),
    "a player in two places": lambda t: Seat.objects.create(
        round=round_of(t, 1), entry=entry_of(t, 1), bye="Z"
    ),
    "a player as his own opponent": lambda t: Seat.objects.filter(
        pk=seated(t, entry__tpn=1).pk
    ).update(entry=seated(t, entry__tpn=4).entry),
    "two with White": lambda t: Seat.objects.filter(entry__tpn=1).update(
        colour=seated(t, entry__tpn=4).colour
    ),
    "a second pairing-allocated bye": lambda t: Seat.objects.filter(entry__tpn=1).update(
        game=None, colour="", bye="U"
    ),
    "a game and a bye": lambda t: Seat.objects.filter(entry__tpn=1).update(bye="H"),
    "neither a game nor a bye": lambda t: Seat.objects.filter(entry__tpn=7).update(bye=""),
    "a game without a colour": lambda t: Seat.objects.filter(entry__tpn=1).update(colour=""),
    "a number twice": lambda t: Entry.objects.filter(tpn=2).update(tpn=1),
    "the number 0": lambda t: Entry.objects.filter(tpn=2).update(tpn=0),
    "a FIDE ID twice": lambda t: Entry.objects.filter(tpn__in=(1, 2)).update(fide_id=77),
    "two byes asked for in one round": lambda t: RequestedBye.objects.bulk_create(
        RequestedBye(entry=entry_of(t, 1), round_number=2, kind=kind) for kind in "HZ"
    ),
    "two rows of the record with one number": lambda t: Decision.objects.create(
        tournament=t, sequence=1, action="x", actor_name="x", at=t.created_at, hash="x"
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_the_database_refuses(odd, what):
    with pytest.raises(IntegrityError), transaction.atomic():
        REFUSED[what](odd)


def test_one_fide_id_may_play_in_two_tournaments(odd, chief_arbiter):
    other = make_ready(chief_arbiter, players=2, name="Another")
    for tournament in (odd, other):
        Entry.objects.filter(tournament=tournament, tpn=1).update(fide_id=77)
    assert own(Entry).filter(fide_id=77).count() == 2


@pytest.mark.costly
def test_the_admin_site_shows_tournaments_and_changes_nothing(admin_client, odd):
    listed = admin_client.get(reverse("admin:tournaments_tournament_changelist"), {"q": "Autumn"})
    address = reverse("admin:tournaments_tournament_change", args=[odd.pk])
    shown = admin_client.get(address)
    assert odd.draw_secret not in shown.content.decode()
    assert [
        listed.status_code,
        shown.status_code,
        admin_client.post(address, {"name": "Changed"}).status_code,
        admin_client.get(reverse("admin:tournaments_tournament_add")).status_code,
        admin_client.post(
            reverse("admin:tournaments_tournament_delete", args=[odd.pk]), {"post": "yes"}
        ).status_code,
    ] == [200, 200, 403, 403, 403]


@pytest.mark.costly
def test_the_admin_site_shows_nothing_of_what_happens_in_a_tournament(
    admin_client, odd, chief_arbiter
):
    """A site administrator has no role in it, and cannot take the
    place of people who sign in with a link.
    """
    access = Access("a-long-secret", "123456")
    given = {"tournament_id": odd.pk, "actor": chief_arbiter, "now": NOW, "role": "reader"}
    person = person_appoint(**given, name="Rita Reader", access=access).person
    ours = [model for model in admin.site._registry if model._meta.app_label == "tournaments"]
    assert ours == [DeletedTournament, Tournament]
    assert "Rita" not in admin_client.get(reverse("admin:auth_user_changelist")).content.decode()
    for name in ("auth_user_change", "auth_user_password_change"):
        assert admin_client.get(reverse(f"admin:{name}", args=[person.pk])).status_code in (
            302,
            404,
        )
