"""One live copy of an event: handed over, the copy here is read only until it is brought back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.entries import entry_add, entry_withdraw, numbers_assign
from tournaments.events.sections import event_create, section_add
from tournaments.models import Action, Decision, Event, Tournament
from tournaments.people.log_in_changes import log_in_changed
from tournaments.setup.deletion import tournament_delete
from tournaments.setup.personal_data import data_delete
from tournaments.setup.visibility import tournament_list_set
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.copy_file import CopyError
from tournaments.site.backups.hand_over import event_bring_back, event_hand_over
from tournaments.site.backups.one_event import export_tournaments, import_event
from tournaments.site.backups.taking_over import take_over

LATER = NOW + timedelta(hours=1)


def hand_over(tournament: Tournament, actor: User, **given: Any) -> Tournament:
    values = {"to": "the laptop of the club", "now": LATER, **given}
    event_hand_over(tournament_id=tournament.pk, actor=actor, **values)
    return Tournament.objects.get(pk=tournament.pk)


def bring_back(tournament: Tournament, actor: User, **given: Any) -> Tournament:
    event_bring_back(
        tournament_id=tournament.pk, actor=actor, **{"now": LATER, "confirmed": True, **given}
    )
    return Tournament.objects.get(pk=tournament.pk)


def actions(tournament: Tournament, count: int) -> list[tuple[str, bool]]:
    rows = Decision.objects.filter(tournament=tournament).order_by("-sequence")[:count]
    return [(row.action, row.is_public) for row in rows]


def test_a_copy_that_was_handed_over_refuses_every_action(
    ready: Tournament, chief_arbiter: User
) -> None:
    there = hand_over(ready, chief_arbiter)
    assert (there.handed_over_at, there.handed_over_to) == (LATER, "the laptop of the club")
    assert (there.public_version, there.automatic_by) == (ready.public_version, None)
    given: dict[str, Any] = {"actor": chief_arbiter, "now": LATER}
    tries = (
        lambda: round_pair(round_id=factories.round_of(ready, 1).pk, **given),
        lambda: entry_add(tournament_id=ready.pk, name="Late, Luc", **given),
        lambda: entry_withdraw(entry_id=factories.entry_of(ready, 1).pk, from_round=1, **given),
        lambda: tournament_list_set(tournament_id=ready.pk, listed=True, **given),
        lambda: tournament_delete(tournament_id=ready.pk, name=ready.name, **given),
        lambda: hand_over(ready, chief_arbiter),
    )
    for attempt in tries:
        with pytest.raises(
            RuleRefused, match=r"handed over to the laptop of the club on .*: go on there"
        ) as refused:
            attempt()
        assert refused.value.code == "hand_over.is_away"
    assert actions(ready, 1) == [(Action.TOURNAMENT_HANDED_OVER, False)]
    assert Tournament.objects.get(pk=ready.pk).version == there.version
    assert event_faults(there) == []


@pytest.mark.costly
def test_brought_back_it_goes_on_here(ready: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(RuleRefused, match="not handed over"):
        bring_back(ready, chief_arbiter)
    hand_over(ready, chief_arbiter, address="https://club.example/t/autumn-open/")
    with pytest.raises(BadInput, match="Two live copies make a fork"):
        bring_back(ready, chief_arbiter, confirmed=False)
    back = bring_back(ready, chief_arbiter)
    assert (back.handed_over_at, back.handed_over_to, back.handed_over_address) == (None, "", "")
    assert actions(ready, 2) == [
        (Action.TOURNAMENT_BROUGHT_BACK, True),
        (Action.TOURNAMENT_HANDED_OVER, True),
    ]
    factories.play_rounds(back, [1], chief_arbiter)
    assert event_faults(back) == []


def test_only_the_chief_arbiter_who_has_seen_the_event_as_it_is(
    ready: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    for somebody in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            hand_over(ready, somebody)
    with pytest.raises(Conflict):
        hand_over(ready, chief_arbiter, seen_version=ready.version - 1)
    for to, address in (
        ("  ", ""),
        ("x" * 101, ""),
        ("a laptop", "javascript:alert(1)"),
        ("a laptop", "club"),
    ):
        with pytest.raises(BadInput):
            hand_over(ready, chief_arbiter, to=to, address=address)
    assert Tournament.objects.get(pk=ready.pk).handed_over_at is None
    there = hand_over(
        ready, chief_arbiter, seen_version=Tournament.objects.get(pk=ready.pk).version
    )
    for somebody in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            bring_back(ready, somebody)
    with pytest.raises(Conflict):
        bring_back(ready, chief_arbiter, seen_version=there.version - 1)


def test_a_password_writes_no_line_in_a_copy_that_went_elsewhere(
    ready: Tournament, chief_arbiter: User, stranger: User
) -> None:
    hand_over(ready, chief_arbiter)
    log_in_changed(person=chief_arbiter, actor=stranger, now=LATER)
    assert actions(ready, 1) == [(Action.TOURNAMENT_HANDED_OVER, False)]


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_the_page_hands_over_gives_the_file_and_brings_back(
    ready: Tournament, chief_arbiter: User, deputy: User, client: Client
) -> None:
    url = reverse("hand-over", args=[ready.slug])
    sees = {
        "seen_version": ready.version,
        "to": "the laptop of the club",
        "address": "https://club.example/",
    }
    client.force_login(deputy)
    assert client.post(url, {**sees, "do": "hand-over"}).status_code == 403
    client.force_login(chief_arbiter)
    now = Tournament.objects.get(pk=ready.pk).version
    assert client.post(url, {**sees, "do": "hand-over", "seen_version": now - 1}).status_code == 409
    assert client.post(url, {"do": "file", "seen_version": now}).status_code == 400
    page = client.post(
        url, {**sees, "do": "hand-over", "seen_version": now}, follow=True
    ).content.decode()
    assert "This event was handed over to the laptop of the club" in page
    again = client.post(url, {**sees, "do": "hand-over", "seen_version": now + 1})
    assert (again.status_code, "go on there" in again.content.decode()) == (409, True)
    for name in ("desk", "entries", "tournament-edit"):
        assert (
            "Nothing can be changed here."
            in client.get(reverse(name, args=[ready.slug])).content.decode()
        )
    # After a crash the file is made again.
    files = [client.post(url, {"do": "file", "seen_version": now + 1}) for _ in range(2)]
    assert [file.headers["Content-Disposition"] for file in files] == [
        'attachment; filename="autumn-open.event"'
    ] * 2
    assert all(file.content.startswith(b"PK") for file in files)
    visitor = Client().get(reverse("tournament", args=[ready.slug])).content.decode()
    assert "This event goes on at another address:" in visitor
    assert "the laptop of the club" not in visitor
    assert client.post(url, {"do": "bring-back", "seen_version": now + 1}).status_code == 400
    back = client.post(
        url, {"do": "bring-back", "seen_version": now + 1, "confirmed": "yes"}, follow=True
    )
    assert "The event is back" in back.content.decode()
    assert Tournament.objects.get(pk=ready.pk).handed_over_at is None


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
@pytest.mark.alone("the database is saved and emptied, as if it were another computer")
def test_the_event_goes_to_another_computer_and_comes_back(
    tmp_path: Path, chief_arbiter: User
) -> None:
    ours = factories.make_ready(actor=chief_arbiter, players=9)
    factories.play_rounds(ours, [1], chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "live", now=LATER)
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "away", now=LATER)

    # The other computer goes on.
    empty_tables(connection)
    (there,) = take_over(tmp_path / "away", now=LATER).tournaments
    assert (there.handed_over_at, actions(there, 1)) == (
        None,
        [(Action.TOURNAMENT_TAKEN_OVER, False)],
    )
    chief = User.objects.get(username="chief")
    factories.play_rounds(there, [2], chief)
    assert event_faults(there) == []
    export_tournaments([there.pk], tmp_path / "not sealed", now=LATER)
    with pytest.raises(
        CopyError, match=r"is here already, at /t/autumn-open/, with all lines of the file"
    ):
        take_over(tmp_path / "away", now=LATER)
    hand_over(there, chief, to="the first laptop")
    export_tournaments([there.pk], tmp_path / "back", now=LATER)
    lines = Tournament.objects.get().version

    # Back on the first one, whose copy was handed over.
    empty_tables(connection)
    import_event(tmp_path / "away")
    here = Tournament.objects.get()
    with pytest.raises(
        CopyError, match="was not handed over: the other computer has the live copy"
    ):
        take_over(tmp_path / "not sealed", now=LATER)
    (again,) = take_over(tmp_path / "back", now=LATER).tournaments
    assert (again.pk, again.slug, again.version, again.handed_over_at) == (
        here.pk,
        here.slug,
        lines + 1,
        None,
    )
    assert event_faults(again) == []
    factories.play_rounds(again, [3], User.objects.get(username="chief"))
    assert event_faults(again) == []

    # The first one was brought back and went on, and so did the other: a fork, with its first two
    # lines.
    empty_tables(connection)
    import_event(tmp_path / "away")
    both = bring_back(Tournament.objects.get(), User.objects.get(username="chief"))
    before = both.version
    with pytest.raises(CopyError) as refused:
        take_over(tmp_path / "back", now=LATER)
    number = before
    assert f"the record is a fork from #{number} on" in str(refused.value)
    assert "Here: “tournament brought back after a hand-over” by " in str(refused.value)
    assert "In the file: “tournament taken over from another computer” by " in str(refused.value)
    assert Tournament.objects.get().version == before
    hand_over(both, User.objects.get(username="chief"))
    export_tournaments([both.pk], tmp_path / "other", now=LATER)
    with pytest.raises(CommandError, match=f"a fork from #{number} on"):
        call_command("compare_records", tmp_path / "other", tmp_path / "back")
    output = StringIO()
    call_command("compare_records", tmp_path / "away", tmp_path / "back", stdout=output)
    assert "continues the other after" in output.getvalue()


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_two_at_once_hand_it_over_or_bring_it_back_once(
    ready: Tournament, chief_arbiter: User
) -> None:
    def outcomes_of(*attempts: Callable[[], object]) -> list[type]:
        return sorted((type(each) for each in at_once(*attempts)), key=lambda kind: kind.__name__)

    assert outcomes_of(*[lambda: hand_over(ready, chief_arbiter)] * 2) == [RuleRefused, Tournament]
    assert outcomes_of(*[lambda: bring_back(ready, chief_arbiter)] * 2) == [RuleRefused, Tournament]
    assert [action for action, _ in actions(ready, 3)].count(Action.TOURNAMENT_HANDED_OVER) == 1
    assert event_faults(Tournament.objects.get(pk=ready.pk)) == []


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
@pytest.mark.alone("the database is emptied, as if it were another computer")
def test_all_sections_go_together_and_come_back(tmp_path: Path, chief_arbiter: User) -> None:
    first = factories.make_ready(actor=chief_arbiter, players=12, acceleration="baku", rounds=5)
    factories.play_rounds(first, [1], chief_arbiter)
    event = event_create(
        tournament_id=first.pk, name="Autumn", label="A", actor=chief_arbiter, now=NOW
    )
    section_add(
        event_id=event.pk, like_id=first.pk, label="B", actor=chief_arbiter, now=NOW, limits={}
    )
    hand_over(first, chief_arbiter)
    both = list(Tournament.objects.order_by("pk"))
    assert [each.handed_over_at for each in both] == [LATER, LATER]
    export_tournaments([each.pk for each in both], tmp_path / "away", now=LATER)
    empty_tables(connection)
    there = take_over(tmp_path / "away", now=LATER).tournaments
    assert [each.handed_over_at for each in there] == [None, None]
    chief = User.objects.get(username="chief")
    factories.play_rounds(there[0], [2], chief)
    hand_over(there[0], chief)
    export_tournaments([each.pk for each in there], tmp_path / "back", now=LATER)
    empty_tables(connection)
    import_event(tmp_path / "away")
    assert own(Event).get().name == "Autumn"
    again = take_over(tmp_path / "back", now=LATER).tournaments
    assert [event_faults(each) for each in again] == [[], []]
    assert own(Event).get().sections.count() == 2


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
@pytest.mark.alone("the database is emptied, as if it were another computer")
def test_private_values_that_the_other_computer_deleted_go_here_too(
    tmp_path: Path, chief_arbiter: User
) -> None:
    ours = factories.make_tournament(chief_arbiter, rounds=1)
    for number in range(1, 5):
        entry_add(
            tournament_id=ours.pk,
            name=f"Player {number}",
            birth_date="1987/06/05",
            actor=chief_arbiter,
            now=NOW,
        )
    numbers_assign(tournament_id=ours.pk, actor=chief_arbiter, now=NOW)
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "away", now=LATER)
    empty_tables(connection)
    (there,) = take_over(tmp_path / "away", now=LATER).tournaments
    chief = User.objects.get(username="chief")
    data_delete(
        tournament_id=there.pk, actor=chief, now=LATER + timedelta(days=900), confirmed=True
    )
    hand_over(there, chief)
    export_tournaments([there.pk], tmp_path / "back", now=LATER)
    empty_tables(connection)
    import_event(tmp_path / "away")
    assert Decision.objects.filter(action=Action.ENTRY_ADDED, salt="").count() == 0
    (again,) = take_over(tmp_path / "back", now=LATER).tournaments
    assert Decision.objects.filter(action=Action.ENTRY_ADDED, salt="").count() == 4
    assert event_faults(again) == []
