"""The end of an event: tie-breaks, lots, rounds and standings once the
results are known [C.04.2/2026 4.3, C.07].
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.corrections import Report, result_correct
from tests.policy.refusals import NOT_THEIRS, page_refuses, refused, words_of
from tests.tournaments.factories import NOW, cached, entry_of, make_ready, play_rounds, round_of
from tests.tournaments.standings.test_lots import SECRET
from tests.tournaments.web.test_shown_values import opened
from tournaments.entries.entries import entry_update, entry_withdraw
from tournaments.models import Appointment, Game, Tournament
from tournaments.people.people import (
    Access,
    account_appoint,
    chief_hand_over,
    person_appoint,
    person_remove,
)
from tournaments.reports.record_against_tables import differences
from tournaments.setup.number_of_rounds import number_of_rounds_change
from tournaments.setup.tie_breaks import tie_breaks_change
from tournaments.setup.tournaments import list_reopen, tournament_update
from tournaments.standings.final import standings_make_final, standings_reopen
from tournaments.standings.lots import equals_rank, lots_draw
from tournaments.standings.prize_plan import plan_of
from tournaments.standings.prizes import prizes_set

WHY: Final = "so the deputy says"
A_YEAR_LATER: Final = NOW + timedelta(days=365)


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


@pytest.fixture
@cached
def over(chief_arbiter: User) -> Tournament:
    """Two rounds of eight, every game drawn, no tie-breaks: all share the first place."""
    tournament = make_ready(chief_arbiter, rounds=2, tie_breaks="")
    play_rounds(tournament, [1, 2], chief_arbiter, lambda *_: "==")
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def final(over: Tournament, chief_arbiter: User) -> Tournament:
    standings_make_final(tournament_id=over.pk, ties_stay=True, **by(chief_arbiter))
    over.refresh_from_db()
    return over


def test_c07_4_1_1_no_other_tie_breaks_after_the_last_round(
    over: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    given: dict[str, Any] = {"tournament_id": over.pk, "tie_breaks": "BH", "reason": WHY}
    as_action = {**given, "edition": "fide-2026", "version": over.version}
    refused(lambda: tie_breaks_change(**as_action, **by(deputy)), NOT_THEIRS)
    refused(
        lambda: tie_breaks_change(**as_action, **by(chief_arbiter)), "tie_break.final C.07 4.1.1"
    )
    refused(lambda: tournament_update(**given, **by(deputy)), "tournament.begun C.07 4.1.1")
    form = {
        "tie_breaks": "BH",
        "tie_break_edition": "fide-2026",
        "reason": WHY,
        "confirmed": f"{over.version} BH",
    }
    page_refuses(as_deputy, reverse("tie-breaks", args=[over.slug]), form, 422, "C.07 4.1.1")


def test_c07_4_2_lots_are_not_ground_out(
    over: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    """No seed can be typed, a deputy draws nothing, and the program draws once,
    from a secret nobody knows.
    """
    Tournament.objects.filter(pk=over.pk).update(draw_secret=SECRET)
    over.refresh_from_db()
    refused(lambda: lots_draw(tournament_id=over.pk, **by(deputy)), NOT_THEIRS)
    url = reverse("lots", args=[over.slug])
    form = {"draw": "yes", "seed": "1 1 1 1", "seen_version": over.version}
    page_refuses(as_deputy, url, form, 403, says="Only the Chief Arbiter")
    refused(
        lambda: lots_draw(tournament_id=over.pk, seen_version=0, **by(chief_arbiter)),
        "final.moved_meanwhile",
    )
    refused(
        lambda: lots_draw(tournament_id=over.pk, seen_version=-1, **by(chief_arbiter)),
        "form.no_version",
    )
    assert SECRET not in str(list(over.decisions.values()))
    lots_draw(tournament_id=over.pk, named="6 2 5 5", witness="Wanda Witness", **by(chief_arbiter))
    refused(lambda: lots_draw(tournament_id=over.pk, **by(chief_arbiter)), "lots.drawn C.07 4.2")


@pytest.mark.parametrize("total_rounds", [1, 3])
def test_c04_1_1_no_round_is_added_or_removed_at_the_end(
    total_rounds: int, over: Tournament, deputy: User, chief_arbiter: User
) -> None:
    given: dict[str, Any] = {
        "tournament_id": over.pk, "total_rounds": total_rounds, "reason": WHY, "version": over.version
    }  # fmt: skip
    refused(lambda: number_of_rounds_change(**given, **by(deputy)), NOT_THEIRS)
    refused(lambda: number_of_rounds_change(**given, **by(chief_arbiter)), "rounds.final C.04.1 1")


def test_c04_2_4_3_standings_are_made_final_by_the_chief_arbiter(
    over: Tournament, deputy: User, as_deputy: Client
) -> None:
    refused(
        lambda: standings_make_final(tournament_id=over.pk, ties_stay=True, **by(deputy)),
        NOT_THEIRS,
    )
    url = reverse("final-standings", args=[over.slug])
    page_refuses(as_deputy, url, {"ties_stay": "yes", "seen_version": over.version}, 403)


@pytest.mark.costly
def test_c04_2_4_3_final_standings_are_final_a_year_later(
    final: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client, as_chief: Client
) -> None:
    game = Game.objects.get(round=round_of(final, 2), board=1)
    report = Report(A_YEAR_LATER, "both players say so")
    closed = "standings.final C.04.2 4.3"
    entry = entry_of(final, 8)
    for actor in (deputy, chief_arbiter):
        who: dict[str, Any] = by(actor, now=A_YEAR_LATER)
        pk = {"tournament_id": final.pk}
        refused(lambda: result_correct(game_id=game.pk, result="10", report=report, **who), closed)  # noqa: B023
        refused(lambda: entry_update(entry_id=entry.pk, club="Elsewhere", **who), closed)  # noqa: B023
        refused(lambda: entry_withdraw(entry_id=entry.pk, **who), closed)  # noqa: B023
        refused(lambda: tournament_update(**pk, city="Elsewhere", **who), closed)  # noqa: B023
        refused(lambda: prizes_set(**pk, plan=plan_of(final), **who), closed)  # noqa: B023
        refused(lambda: lots_draw(**pk, **who), closed if actor == chief_arbiter else NOT_THEIRS)  # noqa: B023
    # A form that was opened before the end is answered with the reason, although the page has no
    # form any more.
    url = reverse("tournament-edit", args=[final.slug])
    Tournament.objects.filter(pk=final.pk).update(final_at=None)
    form = opened(as_deputy, url)
    Tournament.objects.filter(pk=final.pk).update(final_at=final.final_at)
    for client in (as_deputy, as_chief):
        page_refuses(client, url, form | {"city": "Elsewhere"}, 422, "C.04.2 4.3")


def test_c04_2_4_3_reopening_is_a_decision_that_everybody_reads(
    final: Tournament, deputy: User, chief_arbiter: User
) -> None:
    pk = {"tournament_id": final.pk}
    refused(lambda: standings_reopen(**pk, reason=WHY, **by(deputy)), NOT_THEIRS)
    refused(lambda: standings_reopen(**pk, reason=".", **by(chief_arbiter)), "final.reason_missing")
    stale = {"reason": WHY, "seen_version": final.version - 1}
    refused(lambda: standings_reopen(**pk, **stale, **by(chief_arbiter)), "final.moved_meanwhile")


def test_c04_2_2_5_final_standings_close_the_list(
    over: Tournament, chief_arbiter: User, as_chief: Client, client: Client
) -> None:
    """The numbers are definitive at the end, and the record says
    that a list opened again was closed.
    """
    list_reopen(tournament_id=over.pk, **by(chief_arbiter))
    page = words_of(as_chief.get(reverse("final-standings", args=[over.slug])).content.decode())
    assert "The list of participants is still open. It is closed in the same action" in page
    standings_make_final(tournament_id=over.pk, ties_stay=True, **by(chief_arbiter))
    over.refresh_from_db()
    assert over.list_state == "definitive"
    lines = list(over.decisions.order_by("-sequence").values_list("action", "article")[:2])
    assert lines == [("standings.made_final", "C.04.2 4.3"), ("tournament.updated", "C.04.2 2.5")]
    record = words_of(client.get(reverse("record", args=[over.slug])).content.decode())
    assert "List of participants: provisional → definitive" in record
    assert not differences(over)


@pytest.mark.costly
def test_c07_4_2_no_order_among_tied_players_while_mistakes_can_be_reported(
    over: Tournament, chief_arbiter: User, as_chief: Client
) -> None:
    """A correction that came in after the draw would decide who profits from the lots."""
    now = timezone.now()
    Tournament.objects.filter(pk=over.pk).update(corrections_until=now + timedelta(minutes=20))
    given: dict[str, Any] = {"tournament_id": over.pk, "actor": chief_arbiter, "now": now}
    entries = list(over.entries.order_by("tpn").values_list("pk", flat=True))
    refused(lambda: lots_draw(**given), "lots.reports_open C.04.2 4.3")
    refused(lambda: equals_rank(order=entries, reason=WHY, **given), "lots.reports_open C.04.2 4.3")
    url = reverse("lots", args=[over.slug])
    assert ("Mistakes can still be reported for 20 min") in words_of(
        as_chief.get(url).content.decode()
    )
    form = {"draw": "yes", "seen_version": over.version}
    page_refuses(as_chief, url, form, 409, "C.04.2 4.3", "order the tied players after that")
    lots_draw(**(given | {"now": now + timedelta(minutes=20)}))


@pytest.mark.costly
def test_c04_2_4_3_nobody_is_appointed_after_the_end(
    final: Tournament, chief_arbiter: User, deputy: User, stranger: User, as_chief: Client
) -> None:
    pk = {"tournament_id": final.pk}
    person: dict[str, Any] = {
        "name": "Max Helper",
        "role": "deputy",
        "access": Access("a-long-secret", "123456"),
    }
    refused(
        lambda: person_appoint(**pk, **person, **by(chief_arbiter)), "standings.final C.04.2 4.3"
    )
    account = {"username": "stranger", "role": "deputy"}
    refused(
        lambda: account_appoint(**pk, **account, **by(chief_arbiter)), "standings.final C.04.2 4.3"
    )
    url = reverse("people", args=[final.slug])
    page_refuses(
        as_chief,
        url,
        {"name": "Max Helper", "role": "deputy"},
        409,
        "C.04.2 4.3",
        "nobody can be appointed",
    )
    page = words_of(as_chief.get(url).content.decode())
    assert "Nobody can be appointed while the standings are final." in page
    assert "Protests and rulings, ending a role and handing over remain possible." in page
    # Handing over and ending a role stay; final standings keep the name of the arbiter who made
    # them.
    new = Appointment.objects.get(tournament=final.pk, person=deputy, until=None)
    chief_hand_over(appointment_id=new.pk, **by(chief_arbiter))
    old = Appointment.objects.get(tournament=final.pk, person=chief_arbiter, until=None)
    person_remove(appointment_id=old.pk, **by(deputy))
    final.refresh_from_db()
    assert final.chief_arbiter == "Clara Chief"
    assert not differences(final)


@pytest.mark.costly
def test_c04_2_4_everybody_reads_that_a_role_has_begun_or_ended(
    over: Tournament, chief_arbiter: User, deputy: User, client: Client
) -> None:
    """At once, without the name: after the links that end with
    the event there is no other public line.
    """
    url = reverse("record", args=[over.slug])
    access = Access("a-long-secret", "123456")
    person_appoint(
        tournament_id=over.pk, name="Max Helper", role="reader", access=access, **by(chief_arbiter)
    )
    assert "person appointed read-only" in words_of(client.get(url).content.decode())
    role = Appointment.objects.get(tournament=over.pk, person=deputy, until=None)
    person_remove(appointment_id=role.pk, **by(chief_arbiter))
    assert "role ended deputy" in words_of(client.get(url).content.decode())
    over.refresh_from_db()
    standings_make_final(tournament_id=over.pk, ties_stay=True, **by(chief_arbiter))
    page = words_of(client.get(url).content.decode())
    assert "role ended read-only" in page
    assert "Max Helper" not in page
