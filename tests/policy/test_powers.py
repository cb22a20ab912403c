"""Only people appointed to the tournament can change it, and only the Chief Arbiter decides."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.results import result_record
from tests.policy.refusals import NOT_THEIRS, page_refuses, refused
from tests.tournaments.factories import NOW, make_ready, page_versions, round_of
from tests.tournaments.neighbour import own
from tests.tournaments.row_cache import all_rows
from tests.tournaments.web.test_access_pages import ARBITER_ACTIONS, ARBITER_PAGES, addresses
from tournaments.core.permissions import Power
from tournaments.entries.entries import entry_add
from tournaments.models import Action, Appointment, Game, Role, Round, Tournament
from tournaments.people.people import account_appoint, chief_hand_over, person_remove
from tournaments.reports.protests import protest_decide, protest_lodge

DECISIONS: Final = {
    Action.ROUND_CHANGED,
    Action.ROUND_ARRANGED,
    Action.ROUND_PAIRED_BY_HAND,
    Action.ENTRY_RATING_CHANGED,
    Action.ENTRY_EXPELLED,
    Action.ENTRY_RETURNED,
    Action.EQUALS_RANKED,
    Action.ROUNDS_CHANGED,
    Action.TIE_BREAKS_CHANGED,
    Action.LOTS_DRAWN,
    Action.DEADLINE_CUT_SHORT,
    Action.ANNOUNCEMENT_WITHDRAWN,
    Action.POINTS_ADJUSTED,
    Action.POINTS_WITHDRAWN,
    Action.PROTEST_DECIDED,
    Action.APPEAL_DECIDED,
    Action.STANDINGS_MADE_FINAL,
    Action.STANDINGS_REOPENED,
    Action.DATA_DELETED,
}
"""Always for the Chief Arbiter. The policies add more, by the time: see the other modules."""


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


@pytest.fixture
def administrator(published_round: Round) -> User:
    """A site administrator without an appointment."""
    return User.objects.create_user(
        "root", password="root-secret", is_staff=True, is_superuser=True
    )


def test_c04_2_4_decisions_are_reserved_for_the_chief_arbiter() -> None:
    assert {action for action in DECISIONS if action.row.power is not Power.DECIDE} == set()


@pytest.mark.costly
def test_c04_2_4_an_account_without_a_role_does_nothing(
    published_round: Round, administrator: User, stranger: User, logged_in: Callable[[User], Client]
) -> None:
    tournament = published_round.tournament
    urls = addresses(ARBITER_ACTIONS | ARBITER_PAGES, tournament)
    before = all_rows()
    game = Game.objects.filter(round=published_round).earliest("board")
    for user in (administrator, stranger):
        client = logged_in(user)
        assert {client.post(url, {"result": "10"}).status_code for url in urls.values()} == {403}
        for action in (
            lambda who: result_record(game_id=game.pk, result="10", **by(who)),
            lambda who: round_pair(round_id=round_of(tournament, 2).pk, **by(who)),
            lambda who: entry_add(tournament_id=tournament.pk, name="Late, Lena", **by(who)),
        ):
            with pytest.raises(PermissionDenied):
                action(user)
    assert all_rows() == before
    # Strangers do not read the pages either: test_strangers_are_refused_pages.
    client = logged_in(administrator)
    assert {client.get(urls[name]).status_code for name in ARBITER_PAGES} == {403}


@pytest.mark.costly
def test_c04_2_4_a_deputy_of_one_event_has_no_power_in_another(
    deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    """Forged ids of the other event are not found, whatever address they are sent to."""
    ours, theirs = (make_ready(chief_arbiter, name=name) for name in ("Ours", "Theirs"))
    Appointment.objects.filter(tournament=theirs, person=deputy).update(until=NOW)
    row = round_pair(round_id=round_of(theirs, 1).pk, **by(chief_arbiter))
    round_publish(round_id=row.pk, **by(chief_arbiter))
    game, entry = theirs.rounds.get(number=1).games.earliest("board"), theirs.entries.earliest("pk")
    before = all_rows()
    forged = {"result": "10", "seen_version": "0"}
    assert (
        as_deputy.post(reverse("game-result", args=[theirs.slug, game.pk]), forged).status_code
        == 403
    )
    assert (
        as_deputy.post(reverse("game-result", args=[ours.slug, game.pk]), forged).status_code == 404
    )
    for action in ("entry-withdraw", "entry-remove", "bye-request", "entry-return"):
        form = {"from_round": "2", "round_number": "2", "kind": "Z", "reason": "so they say"}
        assert as_deputy.post(reverse(action, args=[ours.slug, entry.pk]), form).status_code == 404
    assert all_rows() == before


@pytest.mark.costly
def test_c04_2_4_a_deputy_appoints_and_removes_nobody(
    published_round: Round, deputy: User, chief_arbiter: User, stranger: User, as_deputy: Client
) -> None:
    tournament = published_round.tournament
    given = {"tournament_id": tournament.pk, "username": stranger.username, "role": "deputy"}
    refused(lambda: account_appoint(**given, **by(deputy)), NOT_THEIRS)
    chief, own_role = (
        own(Appointment).get(tournament=tournament, person=who) for who in (chief_arbiter, deputy)
    )
    refused(lambda: person_remove(appointment_id=chief.pk, **by(deputy)), NOT_THEIRS)
    refused(lambda: chief_hand_over(appointment_id=own_role.pk, **by(deputy)), NOT_THEIRS)
    page_refuses(
        as_deputy, reverse("person-hand-over", args=[tournament.slug, own_role.pk]), {}, 403
    )
    form = {"username": stranger.username, "role": "deputy"}
    page_refuses(as_deputy, reverse("people", args=[tournament.slug]), form, 403)


def test_c04_2_4_the_chief_arbiter_hands_over_and_decides_no_longer(
    ready: Tournament, deputy: User, chief_arbiter: User
) -> None:
    role = own(Appointment).get(tournament=ready, person=deputy)
    chief_hand_over(appointment_id=role.pk, **by(chief_arbiter))
    newest = list(ready.decisions.order_by("-sequence").values_list("action", flat=True)[:2])
    assert newest == ["tournament.updated", "chief.handed_over"]
    roles = (
        own(Appointment)
        .filter(tournament=ready, until=None)
        .values_list("person__username", "role")
    )
    assert dict(roles) == {"chief": Role.DEPUTY, "deputy": Role.CHIEF}
    refused(lambda: chief_hand_over(appointment_id=role.pk, **by(chief_arbiter)), NOT_THEIRS)


def test_c04_2_4_a_role_that_ended_has_no_power(
    published_round: Round, deputy: User, as_deputy: Client
) -> None:
    tournament = published_round.tournament
    Appointment.objects.filter(tournament=tournament, person=deputy).update(
        until=NOW + timedelta(minutes=1)
    )
    form = page_versions(tournament, 1)
    assert (
        as_deputy.post(reverse("results-publish", args=[tournament.slug, 1]), form).status_code
        == 403
    )


def test_laws_11_10_protests_are_kept_and_decided_by_the_chief_arbiter(
    published_round: Round, deputy: User, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    given: dict[str, Any] = {"tournament_id": tournament.pk}
    protest: dict[str, Any] = {
        "by": "Pia Player",
        "at": NOW,
        "subject": "The clock was wrong",
        "seen": 0,
    }
    protest_lodge(**given, **protest, **by(deputy))
    ruling = {**given, "number": 1, "ruling": "The game goes on", "article": "Laws 6.10.2"}
    refused(lambda: protest_decide(**ruling, **by(deputy)), NOT_THEIRS)
    protest_decide(**ruling, **by(chief_arbiter))
    refused(lambda: protest_decide(**ruling, **by(chief_arbiter)), "protest.moved")


@pytest.mark.costly
def test_c04_2_4_the_api_changes_nothing(published_round: Round, as_deputy: Client) -> None:
    """The REST interface answers questions only:
    every method that writes is refused at every address.
    """
    tournament = published_round.tournament
    before = all_rows()
    start = f"/api/v1/tournaments/{tournament.slug}/"
    for address_ in (
        start,
        f"{start}rounds/",
        f"{start}rounds/1/",
        f"{start}standings/",
        f"{start}players/",
    ):
        found = as_deputy.get(address_).status_code
        for method in (as_deputy.post, as_deputy.put, as_deputy.patch, as_deputy.delete):
            answer = method(address_, {"state": "draft"}, content_type="application/json")
            assert answer.status_code in ((405,) if found == 200 else (404, 405)), address_
    assert all_rows() == before
