"""Players who move from one section of an event to another."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.rounds.pair import round_pair
from tests.tournaments.events.conftest import add
from tests.tournaments.factories import NOW, make_entries, make_ready, round_of
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_open
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import entry_add, entry_update, entry_withdraw, numbers_assign
from tournaments.entries.missing import missing_answer
from tournaments.events.event_page import sections_of
from tournaments.events.moves import entries_move, misplaced
from tournaments.events.sections import event_create, section_update
from tournaments.models import (
    DeskData,
    Entry,
    Event,
    PairingMail,
    RequestedBye,
    Round,
    Tournament,
)
from tournaments.models.regulations import pairs_of
from tournaments.reports.record_against_tables import differences
from tournaments.setup.prohibited_pairs import prohibited_pairs_set


def test_c04_2_2_1_players_are_proposed_by_rating_and_age(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User
) -> None:
    third = add(event, first, chief_arbiter, "U12", born_from=2014)
    section_update(
        tournament_id=first.pk,
        label="A",
        limits={"rating_from": 1800},
        actor=chief_arbiter,
        now=NOW,
    )
    for name, rating, born in (
        ("Strong, Sara", 2100, ""),
        ("Weak, Walt", 1500, ""),
        ("Kid, Kim", 1200, "2015/00/00"),
    ):
        entry_add(
            tournament_id=first.pk,
            actor=chief_arbiter,
            now=NOW,
            name=name,
            fide_rating=rating,
            birth_date=born,
        )
    moves, lost = misplaced(sections_of(event))
    # U12 comes before B, because its limit of age is the narrower one.
    assert [(move.entry.name, move.to.label) for move in moves] == [
        ("Kid, Kim", "U12"),
        ("Weak, Walt", "B"),
    ]
    assert lost == []
    section_update(
        tournament_id=second.pk,
        label="B",
        limits={"rating_from": 1300, "rating_to": 1799},
        actor=chief_arbiter,
        now=NOW,
    )
    moves, lost = misplaced(sections_of(event))
    assert {move.entry.name: move.to.tournament_id for move in moves} == {
        "Kid, Kim": third.pk,
        "Weak, Walt": second.pk,
    }
    section_update(
        tournament_id=second.pk,
        label="B",
        limits={"rating_from": 1600, "rating_to": 1799},
        actor=chief_arbiter,
        now=NOW,
    )
    assert [entry.name for entry in misplaced(sections_of(event))[1]] == ["Weak, Walt"]


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_c04_2_2_4_a_player_moves_with_everything_and_both_records_agree(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User
) -> None:
    make_entries(first, chief_arbiter, 6)
    numbers_assign(tournament_id=first.pk, actor=chief_arbiter, now=NOW)
    moving = list(Entry.objects.filter(tournament=first, tpn__in=(2, 5)).order_by("tpn"))
    entry_update(entry_id=moving[0].pk, actor=chief_arbiter, now=NOW, club="Rooks", fixed_table=3)
    bye_request(entry_id=moving[0].pk, actor=chief_arbiter, now=NOW, round_number=2, kind="H")
    mail = PairingMail.objects.create(entry=moving[0], email="a@example.org", language="en")
    desk_data_set(
        entry_id=moving[0].pk, phone="0612", note="late train", fee_due=None, fee_paid=2500,
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    prohibited_pairs_set(
        tournament_id=first.pk,
        pairs=[[*sorted(each.pk for each in moving), 2]],
        actor=chief_arbiter,
        now=NOW,
    )
    given = {"event_id": event.pk, "actor": chief_arbiter, "now": NOW}
    moves = {entry.pk: second.pk for entry in moving}
    assert entries_move(moves=moves, **given) == 2
    assert list(
        Entry.objects.filter(tournament=first).order_by("tpn").values_list("tpn", flat=True)
    ) == [1, 2, 3, 4]
    there = Entry.objects.get(tournament=second, name=moving[0].name)
    assert (there.club, there.fixed_table, there.rating, there.tpn) == (
        "Rooks",
        3,
        moving[0].rating,
        None,
    )
    assert list(RequestedBye.objects.filter(entry=there).values_list("round_number", "kind")) == [
        (2, "H")
    ]
    desk = DeskData.objects.get(entry=there)
    assert (desk.phone, desk.note, desk.fee_paid) == ("0612", "late train", 2500)
    assert PairingMail.objects.get(entry=there).pk == mail.pk
    other = Entry.objects.get(tournament=second, name=moving[1].name)
    assert pairs_of(second) == [[*sorted((there.pk, other.pk)), 2]]
    for section in (first, second):
        section.refresh_from_db()
        assert not differences(section)
    # The same page sent again: the players are not in the first section any more.
    with pytest.raises(Conflict, match="in the meantime"):
        entries_move(moves=moves, **given)


@pytest.mark.costly
def test_c04_2_2_4_nobody_moves_from_or_to_a_section_whose_round_1_was_paired(
    chief_arbiter: User, stranger: User
) -> None:
    begun = make_ready(chief_arbiter)
    round_pair(round_id=round_of(begun, 1).pk, actor=chief_arbiter, now=NOW)
    event = event_create(
        tournament_id=begun.pk, name="Late", label="A", actor=chief_arbiter, now=NOW
    )
    other = add(event, begun, chief_arbiter)
    newcomer = entry_add(tournament_id=other.pk, actor=chief_arbiter, now=NOW, name="New, Nia")
    leaving = Entry.objects.filter(tournament=begun).first()
    assert leaving is not None
    for moves in ({newcomer.pk: begun.pk}, {leaving.pk: other.pk}):
        with pytest.raises(RuleRefused, match="players can no longer move"):
            entries_move(moves=moves, event_id=event.pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(PermissionDenied):
        entries_move(moves={newcomer.pk: begun.pk}, event_id=event.pk, actor=stranger, now=NOW)
    assert Entry.objects.get(pk=newcomer.pk).tournament_id == other.pk


def test_c04_2_4_1_answers_end_with_a_move_and_withdrawn_players_stay(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User
) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    one, other = make_entries(first, chief_arbiter, 2)
    check_in_open(tournament_id=first.pk, **by)
    missing_answer(tournament_id=first.pk, round_number=1, answers={one.pk: "coming"}, **by)
    entry_withdraw(entry_id=other.pk, **by)
    assert entries_move(moves={one.pk: second.pk}, event_id=event.pk, **by) == 1
    with pytest.raises(RuleRefused, match="has withdrawn"):
        entries_move(moves={other.pk: second.pk}, event_id=event.pk, **by)
    for section in (first, second):
        section.refresh_from_db()
        assert not differences(section)


def test_a_player_moves_only_inside_the_event(
    event: Event, first: Tournament, chief_arbiter: User, neighbour: Tournament
) -> None:
    (entry,) = make_entries(first, chief_arbiter, 1)
    given = {"event_id": event.pk, "actor": chief_arbiter, "now": NOW}
    with pytest.raises(BadInput, match="not a section"):
        entries_move(moves={entry.pk: neighbour.pk}, **given)
    outside = Entry.objects.filter(tournament=neighbour).first()
    if outside is not None:
        with pytest.raises(Conflict):
            entries_move(moves={outside.pk: first.pk}, **given)


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_three_hundred_players_are_distributed_with_few_queries(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    django_assert_max_num_queries,
) -> None:  # type: ignore[no-untyped-def]
    Entry.objects.bulk_create(
        Entry(tournament=first, name=f"Player {n}", rating=1000 + n, created_at=NOW)
        for n in range(300)
    )
    pks = list(Entry.objects.filter(tournament=first).values_list("pk", flat=True))
    with django_assert_max_num_queries(6 * 300 + 60):
        entries_move(
            moves=dict.fromkeys(pks, second.pk), event_id=event.pk, actor=chief_arbiter, now=NOW
        )
    assert Round.objects.filter(tournament=second).exists()
    assert Entry.objects.filter(tournament=second).count() == 300
