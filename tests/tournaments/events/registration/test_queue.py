"""The queue of the arbiters: doubts, accepting with correction, all without doubts, refusing,
and nothing public.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import NOW, make_entries, make_tournament
from tests.tournaments.lists.rating_lists.conftest import text_list
from tests.tournaments.neighbour import own
from tests.tournaments.web.test_hidden_pages import read_everything
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.core.record import lines_of, verify
from tournaments.entries.entries import entry_add, numbers_assign
from tournaments.events.moves import entries_move
from tournaments.events.registration.matching import matches
from tournaments.events.registration.opening import Wanted, registration_set
from tournaments.events.registration.queue import (
    queue,
    registration_accept,
    registration_refuse,
    registrations_accept,
)
from tournaments.events.registration.visitor import (
    registration_confirm,
    registration_correct,
    registration_of,
)
from tournaments.events.sections import event_create, section_add
from tournaments.models import (
    Appointment,
    Decision,
    DeskData,
    Entry,
    Registration,
    RequestedBye,
    Role,
    Tournament,
)
from tournaments.reports.record_against_tables import differences
from tournaments.reports.record_file import record_file
from tournaments.setup.tournaments import tournament_update

from .conftest import Load, Register, opened, wish

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("somebody else comes first")]
CODES = {
    "registration.unconfirmed",
    "registration.namesake",
    "registration.double",
    "registration.waits",
}


def accept(row: Registration, actor: User, **more: Any) -> Entry:
    given: dict[str, Any] = {
        "values": row.fields,
        "with_byes": True,
        "seen_version": row.version,
        "seen_doubts": (),
    }
    given |= {"tournament_id": row.tournament_id, "now": NOW}
    return registration_accept(registration_id=row.pk, actor=actor, **(given | more))


def refuse(
    row: Registration, actor: User, reason: str = "The hall is too small.", **more: Any
) -> Registration:
    given: dict[str, Any] = {
        "seen_version": row.version,
        "tournament_id": row.tournament_id,
        "now": NOW,
    }
    return registration_refuse(registration_id=row.pk, actor=actor, reason=reason, **(given | more))


def doubts(tournament: Tournament) -> dict[str, set[str]]:
    return {str(row.registration): set(row.codes) for row in queue(tournament, now=NOW)}


def seen(tournament: Tournament) -> dict[int, int]:
    return dict(Registration.objects.filter(tournament=tournament).values_list("pk", "version"))


@pytest.mark.costly
def test_nothing_is_public_before_acceptance(
    autumn: Tournament, chief_arbiter: User, register: Register, client: Client
) -> None:
    make_entries(autumn, chief_arbiter, 5)
    numbers_assign(tournament_id=autumn.pk, actor=chief_arbiter, now=NOW)
    before = read_everything(client, autumn)
    version = Tournament.objects.get(pk=autumn.pk).version
    row = register("Zuse, Zoe", email="zoe@example.org", phone="06 12 34 56 78")
    refuse(register("Yilmaz, Yara"), chief_arbiter)
    assert {
        name: page for name, page in read_everything(client, autumn).items() if page != before[name]
    } == {}
    accept(row, chief_arbiter)
    after = read_everything(client, autumn)
    assert "Zuse, Zoe" in after["players"]
    everything = "".join(after.values()) + "".join(record_file(tournament_frame(autumn, runs=True)))
    for private in ("zoe@example.org", "06 12 34 56 78", "Yilmaz", "too small"):
        assert private not in everything, private
    # It could leak: the arbiters' record has it.
    lines = [line for line in lines_of(autumn, private=True) if line.sequence > version]
    assert [line.action for line in lines] == [
        "registration.refused",
        "entry.added",
        "desk_data.changed",
    ]
    assert "Yilmaz" in str(lines[0].before)
    assert "zoe@example.org" in str(lines[2].after)


@pytest.mark.costly
def test_an_accepted_player_has_byes_and_data_of_the_desk(
    chief_arbiter: User, register: Register, autumn: Tournament
) -> None:
    opened(autumn, chief_arbiter, offers_byes=True)
    row = register(byes=[2, 3], phone="06 12 34 56 78")
    entry = accept(
        row, chief_arbiter, values=row.fields | {"fide_rating": "1650", "club": " Mate  club "}
    )
    assert (entry.name, entry.rating, entry.club, entry.birth_date) == (
        "Abara, Ada",
        1650,
        "Mate club",
        "1990/00/00",
    )
    assert list(RequestedBye.objects.filter(entry=entry).values_list("round_number", "kind")) == [
        (2, "H"),
        (3, "H"),
    ]
    desk = DeskData.objects.get(entry=entry)
    assert (desk.phone, desk.note) == ("06 12 34 56 78", "ada@example.org")
    own = registration_of("secret of Abara, Ada", now=NOW)
    assert own is not None
    assert (own.state, own.entry, own.fields["club"]) == ("accepted", entry, "Mate club")
    assert (own.email, own.phone) == ("", "")
    autumn.refresh_from_db()
    assert verify(autumn) == []
    assert differences(autumn) == []


@pytest.mark.costly
def test_c04_2_2_1_the_second_rating_of_the_list_ranks_the_player(
    autumn: Tournament, chief_arbiter: User, register: Register, load: Load, client: Client
) -> None:
    tournament_update(
        tournament_id=autumn.pk,
        actor=chief_arbiter,
        now=NOW,
        rate_of_play="rapid",
        second_rating_method="fide_standard",
    )
    autumn.refresh_from_db()
    players = [(2000008 * n, f"Brandt, Zoe {n}", "POL", "F", "", 1834, 0, 0, 2003) for n in (1, 2)]
    load(text_list(players))
    for number in (2000008, 4000016):
        typed = {"last_name": "Brandt", "first_name": "Zoe", "fide_id": str(number)}
        (hit,) = matches(autumn, typed) or []
        register(secret=str(number), values=typed, listed=hit.key)
    row = own(Registration).earliest("pk")
    client.force_login(chief_arbiter)
    page = client.get(reverse("registrations", args=[autumn.slug])).content.decode()
    assert f'name="r{row.pk}-second_rating" value="1834"' in page
    with pytest.raises(BadInput, match="“many”"):
        accept(row, chief_arbiter, values=row.fields | {"second_rating": "many"})
    accept(row, chief_arbiter)
    registrations_accept(tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, seen=seen(autumn))
    ratings = Entry.objects.filter(tournament=autumn).values_list(
        "rating", "rating_source", "second_rating"
    )
    assert list(ratings) == [(1834, "second", 1834)] * 2


@pytest.mark.costly
def test_byes_can_be_left_out_and_a_rule_refuses_everything(
    chief_arbiter: User, register: Register, autumn: Tournament
) -> None:
    opened(autumn, chief_arbiter, offers_byes=True)
    one, other = register(byes=[1]), register("Blom, Bo", byes=[1])
    assert not RequestedBye.objects.filter(
        entry=accept(one, chief_arbiter, with_byes=False)
    ).exists()
    tournament_update(tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, max_byes=0)
    lines = Decision.objects.filter(tournament=autumn).count()
    autumn.refresh_from_db()
    assert doubts(autumn) == {"Blom, Bo": {"registration.bye_round"}}
    with pytest.raises(RuleRefused, match="at most 0 bye"):
        accept(other, chief_arbiter, seen_doubts={"registration.bye_round"})
    assert Decision.objects.filter(tournament=autumn).count() == lines
    other.refresh_from_db()
    assert (other.state, Entry.objects.filter(tournament=autumn).count()) == ("confirmed", 1)
    # Those without such a wish are entered together all the same.
    register("Czerny, Cleo")
    by: dict[str, Any] = {"tournament_id": autumn.pk, "actor": chief_arbiter, "now": NOW}
    assert [entry.name for entry in registrations_accept(seen=seen(autumn), **by)] == [
        "Czerny, Cleo"
    ]


@pytest.mark.costly
def test_every_doubt_is_named(autumn: Tournament, chief_arbiter: User, register: Register) -> None:
    entry_add(
        tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, name="Blöm, Bo", fide_id=100077
    )
    opened(autumn, chief_arbiter, most=4)
    register("Abara, Ada")
    register("Blom, Bo")
    register("Czerny, Cleo", values={"fide_id": "100005"})
    register("Czerny, Cléo", secret="again")
    register("Dumont, Dora", values={"fide_id": "100005"})
    register("Eriksen, Elsa", confirm=False)
    assert doubts(autumn) == {
        "Abara, Ada": set(),
        "Blom, Bo": {"registration.namesake"},
        "Czerny, Cleo": {"registration.double"},
        "Czerny, Cléo": {"registration.double", "registration.waits"},
        "Dumont, Dora": {"registration.double", "registration.waits"},
        "Eriksen, Elsa": {"registration.unconfirmed"},
    }
    row = Registration.objects.get(fields__name="Abara, Ada")
    entry_add(tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, name="Other", fide_id=100005)
    assert doubts(autumn)["Dumont, Dora"] >= {"entry.fide_id_taken"}
    accept(row, chief_arbiter)


def test_accepting_again_or_what_has_changed_is_refused(
    autumn: Tournament, chief_arbiter: User, register: Register
) -> None:
    row = register(confirm=False)
    registration_confirm(secret="secret of Abara, Ada", now=NOW)
    with pytest.raises(Conflict, match="has corrected or confirmed"):
        accept(row, chief_arbiter, seen_doubts=CODES)
    row.refresh_from_db()
    entry_add(tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, name="Abara, Ada")
    with pytest.raises(Conflict, match="Abara, Ada is already entered"):
        accept(row, chief_arbiter)
    accept(row, chief_arbiter, seen_doubts={"registration.namesake"})
    for again in (accept, refuse):
        with pytest.raises(Conflict, match="no longer waiting"):
            again(row, chief_arbiter)
    with pytest.raises(Conflict, match="has decided"):
        registration_correct(secret="secret of Abara, Ada", wish=wish(), now=NOW)
    assert Entry.objects.filter(tournament=autumn).count() == 2


def test_what_cannot_be_entered_keeps_the_registration(
    chief_arbiter: User, register: Register
) -> None:
    row = register()
    with pytest.raises(BadInput, match="“many” is not a whole number"):
        accept(row, chief_arbiter, values=row.fields | {"fide_rating": "many"})
    with pytest.raises(BadInput, match="Enter a reason"):
        refuse(row, chief_arbiter, " . ")
    row.refresh_from_db()
    assert (row.state, row.version) == ("confirmed", 2)
    assert refuse(row, chief_arbiter).state == "refused"


@pytest.mark.costly
def test_all_without_doubts_and_as_seen_with_one_line(
    autumn: Tournament, chief_arbiter: User, register: Register
) -> None:
    make_entries(autumn, chief_arbiter, 1)
    for name in ("Blom, Bo", "Czerny, Cleo", "Abara, Player 1", "Kovar, Eva"):
        register(name)
    register("Late, Lea", confirm=False)
    shown = seen(autumn)
    register("New, Nia")
    registration_correct(
        secret="secret of Kovar, Eva", wish=wish("Kovar, Eva", email="e@example.org"), now=NOW
    )
    by: dict[str, Any] = {
        "tournament_id": autumn.pk,
        "actor": chief_arbiter,
        "now": NOW,
        "seen": shown,
    }
    assert [entry.name for entry in registrations_accept(**by)] == ["Blom, Bo", "Czerny, Cleo"]
    assert (
        Decision.objects.filter(tournament=autumn, action="entries.imported").get().after["source"]
        == "registration"
    )
    lines = Decision.objects.filter(tournament=autumn).count()
    assert registrations_accept(**by) == []
    assert Decision.objects.filter(tournament=autumn).count() == lines
    autumn.refresh_from_db()
    assert verify(autumn) == []
    assert differences(autumn) == []


def test_c04_2_2_4_a_late_entry_is_a_doubt(
    autumn: Tournament, chief_arbiter: User, register: Register
) -> None:
    register()
    tournament_update(
        tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, list_state="definitive"
    )
    autumn.refresh_from_db()
    assert doubts(autumn) == {"Abara, Ada": {"registration.late"}}
    by: dict[str, Any] = {"tournament_id": autumn.pk, "actor": chief_arbiter, "now": NOW}
    assert registrations_accept(**by, seen=seen(autumn)) == []


def test_the_queue_leaves_out_what_has_expired(autumn: Tournament, register: Register) -> None:
    register(confirm=False)
    register("Blom, Bo")
    late = NOW + timedelta(hours=48)
    assert [str(row.registration) for row in queue(autumn, now=late)] == ["Blom, Bo"]
    assert own(Registration).count() == 1


def test_what_has_expired_since_the_page_was_opened_is_neither_accepted_nor_refused(
    chief_arbiter: User, register: Register
) -> None:
    row = register(confirm=False)
    for decide in (partial(accept, seen_doubts=CODES), refuse):
        with pytest.raises(Conflict, match="no longer waiting"):
            decide(row, chief_arbiter, now=NOW + timedelta(hours=48))


@pytest.mark.parametrize("role", [None, Role.READER, Role.RESULT_DESK, Role.CHECK_IN_DESK])
def test_only_arbiters_open_accept_and_refuse(
    role: Role | None, autumn: Tournament, stranger: User, register: Register
) -> None:
    if role is not None:
        Appointment.objects.create(tournament=autumn, person=stranger, role=role, since=NOW)
    row = register()
    by: dict[str, Any] = {"tournament_id": autumn.pk, "actor": stranger, "now": NOW}
    for action in (
        lambda: accept(row, stranger),
        lambda: refuse(row, stranger),
        lambda: registrations_accept(**by, seen=seen(autumn)),
        lambda: registration_set(**by, wanted=Wanted(False)),
    ):
        with pytest.raises(PermissionDenied):
            action()
    row.refresh_from_db()
    assert row.state == "confirmed"


def test_a_registration_of_another_tournament_is_not_found(
    autumn: Tournament, chief_arbiter: User, register: Register
) -> None:
    row = register()
    other = make_tournament(chief_arbiter, name="Other Open")
    with pytest.raises(Conflict, match="no longer waiting"):
        refuse(row, chief_arbiter, tournament_id=other.pk)


def test_a_deputy_accepts(autumn: Tournament, deputy: User, register: Register) -> None:
    assert accept(register(), deputy).name == "Abara, Ada"


@pytest.mark.costly
def test_the_link_follows_a_player_to_another_section(
    autumn: Tournament, chief_arbiter: User, register: Register
) -> None:
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    event = event_create(tournament_id=autumn.pk, name="City Open", label="A", **by)
    second = section_add(event_id=event.pk, like_id=autumn.pk, label="B", limits={}, **by)
    row = register()
    autumn.refresh_from_db()
    entry = accept(row, chief_arbiter)
    entries_move(moves={entry.pk: second.pk}, event_id=event.pk, **by)
    own = registration_of("secret of Abara, Ada", now=NOW)
    assert own is not None
    assert own.entry is not None
    assert own.entry.tournament == second


@pytest.mark.costly
def test_the_queue_needs_no_query_per_row(autumn: Tournament, register: Register) -> None:
    counts = []
    for names in (("Abara, Ada",), ("Blom, Bo", "Czerny, Cleo", "Dumont, Dora", "Eriksen, Elsa")):
        for name in names:
            register(name)
        with CaptureQueriesContext(connection) as queries:
            assert queue(autumn, now=NOW)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 7


def test_the_log_hides_the_link() -> None:
    import logging

    from config.log import WithoutSecrets

    record = logging.LogRecord(
        "x", 30, "", 1, "Not Found: %s", ("/registered/abc123secret/correct/",), None
    )
    assert WithoutSecrets().filter(record)
    assert record.getMessage() == "Not Found: /registered/…/correct/"
    assert not re.search("secret", record.getMessage())


@pytest.mark.costly
def test_who_asks_for_initials_is_entered_with_them(
    autumn: Tournament, chief_arbiter: User, register: Register
) -> None:
    entry = accept(register("Quetzal, Xanthippe", values={"initials": "on"}), chief_arbiter)
    assert (entry.name, entry.full_name) == ("Q. X.", "Quetzal, Xanthippe")
    autumn.refresh_from_db()
    assert verify(autumn) + differences(autumn) == []


@pytest.mark.costly
def test_the_national_id_of_a_registration_is_that_of_the_entry(
    chief_arbiter: User, register: Register, autumn: Tournament
) -> None:
    row = register(values={"national_id": "N 42"})
    assert accept(row, chief_arbiter).national_id == "N 42"
    other = register("Blom, Bo", values={"national_id": "N 43"})
    assert (
        accept(other, chief_arbiter, values=other.fields | {"national_id": "N 44"}).national_id
        == "N 44"
    )
