"""Final standings: who makes them final and when, what they close, and how they are reopened."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.results import result_record
from pairing.rules.final_standings import AFTER_THE_END
from tests.tournaments import factories
from tests.tournaments.core.test_actions_by_actor_and_time import ACTIONS, Case
from tests.tournaments.factories import NOW
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Action, Appointment, Decision, Game, Role, Tournament
from tournaments.people.people import Access, person_appoint
from tournaments.reports.protests import protest_lodge
from tournaments.reports.record_against_tables import differences
from tournaments.standings.final import standings_make_final, standings_reopen

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")

LATER: Final = NOW + timedelta(hours=2)
ACCESS: Final = Access("a-long-secret", "123456")


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """Eight players, two rounds, all results published at ``NOW`` with half an hour for reports."""
    tournament = factories.make_ready(chief_arbiter, rounds=2, correction_minutes=30)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def make_final(tournament: Tournament, actor: User, **more: object) -> Tournament:
    given = {"now": LATER, "ties_stay": True, **more}
    return standings_make_final(tournament_id=tournament.pk, actor=actor, **given)  # type: ignore[arg-type]


def lines(tournament: Tournament) -> int:
    return Decision.objects.filter(tournament=tournament).count()


@pytest.mark.costly
def test_c04_2_4_3_final_standings_close_every_action(
    over: Tournament, chief_arbiter: User
) -> None:
    make_final(over, chief_arbiter)
    before = lines(over)
    answers: dict[str, list[str]] = {}
    for name, action in ACTIONS.items():
        if name.startswith("undo"):
            continue  # it would write a line of the record first
        with pytest.raises(RuleRefused) as refused:
            action(Case(over), {"actor": chief_arbiter, "now": LATER})
        answers.setdefault(refused.value.code, []).append(name)
    # Two actions compute something before they open the tournament, and are refused then.
    assert answers.pop("round.already_published") == [
        "pair",
        "pair again a draft that is out of date",
    ]
    assert answers.pop("rounds.final") == ["change the number of rounds after the start"]
    assert answers.keys() == {"standings.final"}
    assert lines(over) == before


def test_what_is_still_possible_are_actions_of_the_record() -> None:
    assert {*Action} > AFTER_THE_END


def test_c04_2_4_3_not_while_mistakes_can_be_reported(
    over: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(RuleRefused, match=r"30 min.*\(C\.04\.2 4\.3\)"):
        make_final(over, chief_arbiter, now=NOW)
    make_final(over, chief_arbiter, now=NOW + timedelta(minutes=30))


@pytest.mark.costly
def test_c07_4_2_players_who_share_a_rank_are_named_in_the_record(
    over: Tournament, chief_arbiter: User
) -> None:
    Tournament.objects.filter(pk=over.pk).update(tie_breaks="")
    with pytest.raises(RuleRefused) as refused:
        make_final(over, chief_arbiter, ties_stay=False)
    assert refused.value.code == "final.tied"
    make_final(over, chief_arbiter)
    row = Decision.objects.filter(tournament=over).get(action=Action.STANDINGS_MADE_FINAL)
    groups = row.after["share_rank"]
    assert isinstance(groups, list)
    assert sum(map(len, groups)) == refused.value.params["count"]


def test_only_the_chief_arbiter_makes_standings_final_and_reopens_them(
    over: Tournament, deputy: User, chief_arbiter: User, stranger: User
) -> None:
    for user in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            make_final(over, user)
    make_final(over, chief_arbiter)
    for user in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            standings_reopen(
                tournament_id=over.pk, actor=user, now=LATER, reason="a scoresheet was found"
            )
    over.refresh_from_db()
    assert over.final_at == LATER


def test_twice_and_from_an_old_page(over: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(Conflict, match="has changed since you opened this page"):
        make_final(over, chief_arbiter, seen_version=over.version - 1)
    make_final(over, chief_arbiter, seen_version=over.version)
    with pytest.raises(RuleRefused, match="The standings are final"):
        make_final(over, chief_arbiter)
    assert Decision.objects.filter(tournament=over, action=Action.STANDINGS_MADE_FINAL).count() == 1


def test_reopening_needs_a_reason_that_everybody_reads(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    make_final(over, chief_arbiter)
    with pytest.raises(BadInput, match="Give a reason"):
        standings_reopen(tournament_id=over.pk, actor=chief_arbiter, now=LATER, reason=".")
    standings_reopen(
        tournament_id=over.pk, actor=chief_arbiter, now=LATER, reason="a scoresheet was found"
    )
    for page in ("standings", "record"):
        assert (
            "a scoresheet was found" in client.get(reverse(page, args=[over.slug])).content.decode()
        )
    assert differences(over) == []
    game = Game.objects.filter(round__tournament=over).first()
    assert game is not None
    with pytest.raises(RuleRefused) as refused:
        result_record(game_id=game.pk, result="==", actor=chief_arbiter, now=LATER)
    assert refused.value.code == "result.closed"  # as before the standings were final
    with pytest.raises(RuleRefused, match="not final"):
        standings_reopen(
            tournament_id=over.pk, actor=chief_arbiter, now=LATER, reason="a scoresheet was found"
        )


def test_the_links_of_people_end_with_the_event(
    over: Tournament, chief_arbiter: User, deputy: User
) -> None:
    given = {"tournament_id": over.pk, "actor": chief_arbiter, "now": NOW}
    with_link = person_appoint(**given, name="Rita Result", role="result_desk", access=ACCESS)  # type: ignore[arg-type]
    make_final(over, chief_arbiter)
    with_link.refresh_from_db()
    assert (with_link.until, with_link.pin) == (LATER, "")
    today = Appointment.objects.filter(tournament=over, until=None)
    assert {each.role for each in today} == {
        Role.CHIEF,
        Role.DEPUTY,
    }  # accounts with a password stay
    last = Decision.objects.filter(tournament=over).latest("sequence")
    assert (last.action, last.payload.name) == (Action.PERSON_REMOVED, "Rita Result")


@pytest.mark.costly
def test_the_page_leads_from_the_desk_to_final_standings_and_back(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    Tournament.objects.filter(pk=over.pk).update(
        corrections_until=timezone.now() + timedelta(minutes=5)
    )
    client.force_login(chief_arbiter)
    page = reverse("final-standings", args=[over.slug])
    assert page in client.get(reverse("desk", args=[over.slug])).content.decode()
    assert "Mistakes can still be reported for 5 min" in client.get(page).content.decode()
    assert client.post(page, {"seen_version": over.version, "ties_stay": "yes"}).status_code == 409
    Tournament.objects.filter(pk=over.pk).update(corrections_until=timezone.now())
    assert client.post(page, {"ties_stay": "yes"}).status_code == 409  # a form without its version
    assert client.post(page, {"seen_version": over.version, "ties_stay": "yes"}).status_code == 302
    desk = client.get(reverse("desk", args=[over.slug])).content.decode()
    assert "The tournament is over" in desk
    assert "stay as they are until the Chief Arbiter reopens them." in desk
    assert "Final since" in Client().get(reverse("standings", args=[over.slug])).content.decode()
    for public in ("standings", "tournament"):
        text = Client().get(reverse(public, args=[over.slug])).content.decode()
        assert "Report mistakes in the results" not in text
    over.refresh_from_db()
    answer = client.post(page, {"reopen": "yes", "reason": "", "seen_version": over.version})
    assert answer.status_code == 400
    assert "Give a reason" in answer.content.decode()
    reason = {"reason": "a scoresheet was found", "seen_version": over.version}
    assert client.post(page, {"reopen": "yes", **reason}).status_code == 302
    assert "Not final yet" in Client().get(reverse("standings", args=[over.slug])).content.decode()


@pytest.mark.costly
@pytest.mark.parametrize("page, form", [("schedule", {}), ("prizes-define", {"currency": "EUR"})])
def test_forms_from_before_the_end_are_refused_with_a_sentence(
    page: str, form: dict[str, str], over: Tournament, chief_arbiter: User, client: Client
) -> None:
    make_final(over, chief_arbiter)
    client.force_login(chief_arbiter)
    answer = client.post(reverse(page, args=[over.slug]), form)
    assert answer.status_code in (409, 422)
    schedule = client.get(reverse(page, args=[over.slug])).content.decode()
    fields = dict(re.findall(r'name="([^"]+)"[^>]* value="([^"]*)"', schedule))
    refused = client.post(reverse(page, args=[over.slug]), {**fields, **form})
    assert refused.status_code in (409, 422)


def test_open_protests_are_named_before_the_standings_become_final(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    Tournament.objects.filter(pk=over.pk).update(corrections_until=None)
    protest_lodge(
        tournament_id=over.pk,
        by="Pia Player",
        at=NOW,
        subject="The clock",
        seen=0,
        actor=chief_arbiter,
        now=NOW,
    )
    client.force_login(chief_arbiter)
    page = client.get(reverse("final-standings", args=[over.slug])).content.decode()
    assert "These protests are still undecided:" in page
    assert "1. Pia Player" in page


def test_a_deputy_sees_the_page_without_its_buttons(
    over: Tournament, deputy: User, client: Client
) -> None:
    client.force_login(deputy)
    page = reverse("final-standings", args=[over.slug])
    assert (
        "Only the Chief Arbiter can make the standings final" in client.get(page).content.decode()
    )
    assert client.post(page, {"seen_version": over.version, "ties_stay": "yes"}).status_code == 403
