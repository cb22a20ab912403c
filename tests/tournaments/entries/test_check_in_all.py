"""Check in all missing players at once [C.04.2/2026 4.1]."""

from __future__ import annotations

import re
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, entry_of, make_ready
from tests.tournaments.web.test_queries_pages import count
from tournaments.core import record
from tournaments.core.errors import Conflict
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, entries_check_in
from tournaments.entries.entries import entry_check_in
from tournaments.models import Action, Appointment, Entry, Role, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.record_file import record_file

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("two people at once")]


@pytest.fixture
def helper(ready: Tournament) -> User:
    user = User.objects.create_user("helper", password="helper-secret")
    Appointment.objects.create(tournament=ready, person=user, role=Role.CHECK_IN_DESK, since=NOW)
    return user


def form_of(client: Client, tournament: Tournament) -> dict[str, str]:
    """Return what the button on the page sends."""
    text = client.get(reverse("check-in", args=[tournament.slug])).content.decode()
    fields = re.findall(r'name="((?:round|missing)-\d+)" value="([^"]*)"', text)
    return dict(fields) | {"all": "yes"}


def send(client: Client, tournament: Tournament, sent: dict[str, str]) -> int:
    return client.post(reverse("check-in-tick", args=[tournament.slug]), sent).status_code


def present(tournament: Tournament) -> list[int]:
    there = tournament.entries.filter(checked_in=True)
    return sorted(there.values_list("tpn", flat=True))


def lines(tournament: Tournament) -> int:
    return tournament.decisions.filter(action=Action.ENTRIES_CHECKED_IN).count()


def test_c04_2_4_1_all_missing_players_are_one_line_which_can_be_undone(
    ready: Tournament, client: Client, helper: User, chief_arbiter: User
) -> None:
    who = {"actor": chief_arbiter, "now": NOW}
    bye_request(entry_id=entry_of(ready, 5).pk, round_number=1, kind="H", **who)
    entry_check_in(entry_id=entry_of(ready, 1).pk, checked_in=True, **who)
    client.force_login(helper)
    page = client.post(
        reverse("check-in-tick", args=[ready.slug]), form_of(client, ready), follow=True
    )
    text = page.content.decode()
    assert ("6 players are checked in." in text, "Check in all" in text) == (True, False)
    assert reverse("undo", args=[ready.slug]) in text
    assert present(ready) == [1, 2, 3, 4, 6, 7, 8]
    line = ready.decisions.get(action=Action.ENTRIES_CHECKED_IN)
    assert (line.actor, line.article, line.after["for_round"]) == (helper, "C.04.2 4.1", 1)
    assert [each["tpn"] for each in line.after["players"]] == [2, 3, 4, 6, 7, 8]
    ready.refresh_from_db()
    action_undo(tournament_id=ready.pk, actor=helper, now=NOW, sequence=line.sequence)
    assert present(ready) == [1]
    record.verify(ready)
    assert differences(ready) == []


def test_an_undo_is_refused_when_one_of_them_was_marked_as_missing_again(
    ready: Tournament, helper: User
) -> None:
    give_all(ready, helper)
    entry_check_in(entry_id=entry_of(ready, 3).pk, actor=helper, now=NOW, checked_in=False)
    line = ready.decisions.get(action=Action.ENTRIES_CHECKED_IN)
    with pytest.raises(Conflict) as refused:
        action_undo(tournament_id=ready.pk, actor=helper, now=NOW, sequence=line.sequence)
    assert refused.value.code == "undo.moved_on"
    assert present(ready) == [1, 2, 4, 5, 6, 7, 8]


def give_all(tournament: Tournament, actor: User, number: int = 1) -> list[Entry]:
    everybody = list(tournament.entries.values_list("pk", flat=True))
    return entries_check_in(
        tournament_id=tournament.pk, actor=actor, now=NOW, round_number=number, seen=everybody
    )


def test_twice_is_once_and_an_old_page_adds_nobody(
    ready: Tournament, client: Client, helper: User
) -> None:
    """Players who were marked as missing after the page was shown stay missing."""
    entry_check_in(entry_id=entry_of(ready, 4).pk, actor=helper, now=NOW, checked_in=True)
    client.force_login(helper)
    sent = form_of(client, ready)
    entry_check_in(entry_id=entry_of(ready, 4).pk, actor=helper, now=NOW, checked_in=False)
    assert [send(client, ready, sent), send(client, ready, sent)] == [302, 302]
    assert present(ready) == [1, 2, 3, 5, 6, 7, 8]
    assert lines(ready) == 1


@pytest.mark.costly
def test_a_page_of_another_round_and_a_closed_check_in_are_refused(
    ready: Tournament, client: Client, helper: User, chief_arbiter: User
) -> None:
    client.force_login(helper)
    sent = form_of(client, ready)
    round_ = f"round-{ready.pk}"
    assert send(client, ready, sent | {round_: "2"}) == 409
    for wrong in ({round_: "x"}, {f"missing-{ready.pk}": "1 x"}, {f"missing-{ready.pk}": "9" * 30}):
        assert send(client, ready, sent | wrong) == 422
    who = {"tournament_id": ready.pk, "actor": chief_arbiter, "now": NOW}
    check_in_open(**who)
    check_in_close(**who)
    assert send(client, ready, sent) == 409
    assert form_of(client, ready) == {"all": "yes"}
    assert (present(ready), lines(ready)) == ([], 0)


@pytest.mark.costly
def test_players_of_other_tournaments_stay_and_strangers_do_nothing(
    ready: Tournament, client: Client, helper: User, chief_arbiter: User, stranger: User
) -> None:
    other = make_ready(chief_arbiter, name="Other")
    client.force_login(helper)
    sent = form_of(client, ready)
    theirs = " ".join(str(pk) for pk in other.entries.values_list("pk", flat=True))
    assert send(client, ready, sent | {f"missing-{ready.pk}": theirs}) == 302
    assert send(
        client, other, {**sent, f"round-{other.pk}": "1", f"missing-{other.pk}": theirs}
    ) in (403, 404)
    client.force_login(stranger)
    assert send(client, ready, sent) in (403, 404)
    client.logout()
    assert send(client, ready, sent) == 302
    assert (present(ready), present(other)) == ([], [])


def test_no_visitor_reads_the_line(ready: Tournament, helper: User, client: Client) -> None:
    give_all(ready, helper)
    assert "entries.checked_in" not in "".join(record_file(tournament_frame(ready, runs=False)))
    assert "entries.checked_in" in "".join(record_file(tournament_frame(ready, runs=True)))
    assert (
        "several players" not in client.get(reverse("record", args=[ready.slug])).content.decode()
    )


@pytest.mark.django_db(transaction=True)
def test_of_two_helpers_at_once_one_checks_them_in(ready: Tournament, helper: User) -> None:
    saved = at_once(partial(give_all, ready, helper), partial(give_all, ready, helper))
    assert sorted(len(each) for each in saved) == [0, 8]
    assert lines(ready) == 1


def test_queries_do_not_grow_with_the_players(ready: Tournament, helper: User) -> None:
    few = count(partial(give_all, ready, helper))
    Entry.objects.filter(tournament=ready).update(checked_in=False)
    Entry.objects.bulk_create(
        Entry(tournament=ready, name=f"More, {n}", tpn=100 + n, created_at=NOW) for n in range(80)
    )
    assert count(partial(give_all, ready, helper)) == few
    assert len(present(ready)) == 88
