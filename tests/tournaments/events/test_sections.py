"""Events of several sections: set-up, players who move, people, and the pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.rounds.pair import round_pair
from tests.tournaments.factories import NOW, make_entries, make_ready, make_tournament, round_of
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.record import verify
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_open
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import entry_add, entry_update, entry_withdraw, numbers_assign
from tournaments.entries.missing import missing_answer
from tournaments.events.event_page import players_of, sections_of
from tournaments.events.moves import entries_move, misplaced
from tournaments.events.sections import event_create, section_add, section_update
from tournaments.events.staff import person_leave, shared
from tournaments.models import (
    Appointment,
    Decision,
    DeskData,
    Entry,
    Event,
    RequestedBye,
    Role,
    Round,
    Tournament,
)
from tournaments.models.regulations import pairs_of
from tournaments.people.people import Access, access_renew, person_appoint
from tournaments.reports.record_against_tables import differences
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.tournaments import round_schedule

NO_LIMITS: dict[str, int | None] = {}


@pytest.fixture
def first(chief_arbiter: User) -> Tournament:
    return make_tournament(chief_arbiter, name="City Open", tie_breaks="BH,SB", points_pab=5)


@pytest.fixture
def event(first: Tournament, chief_arbiter: User) -> Event:
    return event_create(
        tournament_id=first.pk, name="City Open", label="A", actor=chief_arbiter, now=NOW
    )


def add(
    event: Event, like: Tournament, actor: User, label: str = "B", **limits: int | None
) -> Tournament:
    return section_add(
        event_id=event.pk, like_id=like.pk, label=label, limits=limits, actor=actor, now=NOW
    )


@pytest.fixture
def second(event: Event, first: Tournament, chief_arbiter: User) -> Tournament:
    return add(event, first, chief_arbiter, rating_to=1799)


def test_the_first_section_is_called_after_its_label(event: Event, first: Tournament) -> None:
    first.refresh_from_db()
    assert (event.slug, first.name, first.slug) == ("city-open", "City Open A", "city-open")
    assert (
        Decision.objects.filter(tournament=first, action="section.set").get().after["label"] == "A"
    )
    assert not verify(first)


@pytest.mark.on_postgres("many rows in one statement")
def test_a_tournament_is_a_section_once(
    event: Event, first: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(Conflict, match="already a section"):
        event_create(tournament_id=first.pk, name="Other", label="A", actor=chief_arbiter, now=NOW)
    assert own(Event).count() == 1


def test_only_the_chief_arbiter_makes_sections(
    first: Tournament, deputy: User, stranger: User
) -> None:
    Appointment.objects.get_or_create(
        tournament=first, person=deputy, until=None, defaults={"role": Role.DEPUTY, "since": NOW}
    )
    for user in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            event_create(tournament_id=first.pk, name="City Open", label="A", actor=user, now=NOW)
    assert not own(Event).exists()


def test_a_new_section_has_the_settings_the_schedule_and_the_people(
    event: Event, first: Tournament, chief_arbiter: User
) -> None:
    round_schedule(
        round_id=round_of(first, 1).pk,
        actor=chief_arbiter,
        now=NOW,
        starts_at=NOW,
        results_due_at=None,
    )
    helper = person_appoint(
        tournament_id=first.pk, name="Hal Helper", role="check_in_desk", access=Access("s" * 32, "123456"),
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    second = add(event, first, chief_arbiter, rating_to=1799)
    assert (second.name, second.tie_breaks, second.points_pab) == ("City Open B", "BH,SB", 5)
    assert round_of(second, 1).starts_at == NOW
    there = Appointment.objects.get(tournament=second, person=helper.person)
    assert (there.role, there.link, there.pin) == ("check_in_desk", helper.link, helper.pin)
    assert (second.section.label, second.section.rating_to) == ("B", 1799)
    assert not differences(second)


def test_labels_and_limits_are_checked(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(BadInput, match="Another section of this event is called b"):
        add(event, first, chief_arbiter, "b")
    with pytest.raises(BadInput, match="1500 is below the lower limit 1800"):
        add(event, first, chief_arbiter, "C", rating_from=1800, rating_to=1500)
    with pytest.raises(BadInput, match="one line"):
        add(event, first, chief_arbiter, " \n ")
    assert Tournament.objects.filter(section__event=event).count() == 2
    lines = Decision.objects.filter(tournament=second).count()
    given = {"label": "B", "actor": chief_arbiter, "now": NOW}
    section_update(tournament_id=second.pk, limits={"rating_to": 1799}, **given)
    assert Decision.objects.filter(tournament=second).count() == lines
    section_update(tournament_id=second.pk, limits={"rating_to": 1699}, **given)
    assert Decision.objects.filter(tournament=second).count() == lines + 1


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_the_arbiter_chooses_the_order_of_the_sections(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    stranger: User,
    client: Client,
) -> None:
    third = add(event, first, chief_arbiter, "C")
    third.refresh_from_db()
    assert [(each.label, each.position) for each in sections_of(event)] == [
        ("A", 10),
        ("B", 20),
        ("C", 30),
    ]
    client.force_login(chief_arbiter)
    page = reverse("event-sections", args=[event.slug])
    pk = third.section.pk
    sent = {"section": pk, "seen_version": third.version, f"{pk}-label": "C", f"{pk}-position": "5"}
    assert client.post(page, sent | {f"{pk}-position": "0"}).status_code == 422
    assert client.post(page, sent).status_code == 302
    assert client.post(page, sent | {f"{pk}-position": "15"}).status_code == 409
    shown = client.get(reverse("event-desk", args=[event.slug])).context["desks"]
    answer = client.get(f"/api/v1/events/{event.slug}/").json()["sections"]
    assert (
        [each.section.label for each in shown]
        == [each["section"] for each in answer]
        == ["C", "A", "B"]
    )
    # Without a number the order stays. Of several sections that fit a player, the first one is
    # proposed.
    third.refresh_from_db()
    limit = {"seen_version": third.version, f"{pk}-position": "", f"{pk}-rating_to": "2000"}
    assert client.post(page, sent | limit).status_code == 302
    section_update(
        tournament_id=first.pk,
        label="A",
        limits={"rating_from": 1800},
        actor=chief_arbiter,
        now=NOW,
    )
    entry_add(
        tournament_id=first.pk, actor=chief_arbiter, now=NOW, name="Weak, Walt", fide_rating=1500
    )
    assert [move.to.label for move in misplaced(sections_of(event))[0]] == ["C"]
    lines = Decision.objects.filter(tournament=third, action="section.set").order_by("sequence")
    assert [line.after["position"] for line in lines] == [30, 5, 5]
    third.refresh_from_db()
    assert (verify(third), differences(third)) == ([], [])
    with pytest.raises(BadInput, match="between 1 and 999"):
        section_update(
            tournament_id=third.pk,
            label="C",
            limits={},
            position=1000,
            actor=chief_arbiter,
            now=NOW,
        )
    with pytest.raises(PermissionDenied):
        section_update(
            tournament_id=third.pk, label="C", limits={}, position=40, actor=stranger, now=NOW
        )


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
    other = Entry.objects.get(tournament=second, name=moving[1].name)
    assert pairs_of(second) == [[*sorted((there.pk, other.pk)), 2]]
    for section in (first, second):
        section.refresh_from_db()
        assert not differences(section)
    # The same page sent again: the players are not in the first section any more.
    with pytest.raises(Conflict, match="in the meantime"):
        entries_move(moves=moves, **given)


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


@pytest.mark.on_postgres("many rows in one statement")
def test_people_of_an_event_have_one_link_for_all_sections(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    given = {"actor": chief_arbiter, "now": NOW}
    access = Access("s" * 32, "123456")
    made = shared(
        person_appoint, everywhere=True, tournament_id=first.pk, name="Hal Helper", role="result_desk",
        access=access, **given,
    )  # fmt: skip
    roles = Appointment.objects.filter(person=made.person, until=None)
    assert sorted(roles.values_list("tournament", "link")) == sorted(
        (pk, made.link) for pk in (first.pk, second.pk)
    )
    new = access_renew(appointment_id=made.pk, access=Access("t" * 32, "654321"), **given)
    assert set(roles.values_list("link", "pin")) == {(new.link, new.pin)}
    signed_in = client.post(reverse("sign-in-link", args=["t" * 32]), {"pin": "654 321"})
    assert signed_in["Location"] == reverse("event-desk", args=[event.slug])
    assert client.get(reverse("event-desk", args=[event.slug])).status_code == 200
    person_leave(appointment_id=made.pk, **given)
    assert not roles.exists()
    assert client.get(reverse("event-desk", args=[event.slug])).status_code == 403
    for section in (first, second):
        assert not verify(section)


def test_a_role_in_one_section_only(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    client.post(reverse("people", args=[first.slug]), {"name": "Only Here", "role": "reader"})
    client.post(
        reverse("people", args=[first.slug]),
        {"name": "Every Where", "role": "reader", "everywhere": "yes"},
    )
    assert Appointment.objects.filter(person__first_name="Only Here").count() == 1
    assert Appointment.objects.filter(person__first_name="Every Where").count() == 2


@pytest.mark.costly
def test_the_event_is_set_up_in_the_browser(
    first: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    assert (
        reverse("event-make", args=[first.slug])
        in client.get(reverse("desk", args=[first.slug])).content.decode()
    )
    page = reverse("event-make", args=[first.slug])
    assert client.get(page).status_code == 200
    assert client.post(page, {"name": "", "label": "A"}).status_code == 422
    made = client.post(page, {"name": "City Open", "label": "A"})
    sections = reverse("event-sections", args=["city-open"])
    assert made["Location"] == sections
    assert client.get(page)["Location"] == sections
    assert (
        client.post(sections, {"label": "B", "rating_to": "1799", "like": first.pk}).status_code
        == 302
    )
    assert client.post(sections, {"label": "B", "like": first.pk}).status_code == 400
    for like in ("0", "x", ""):
        assert client.post(sections, {"label": "D", "like": like}).status_code in (400, 422)
    assert (
        client.post(sections, {"label": "C", "rating_to": "abc", "like": first.pk}).status_code
        == 422
    )
    second = Tournament.objects.get(section__label="B")
    changed = {
        "section": second.section.pk,
        "seen_version": second.version,
        f"{second.section.pk}-label": "B",
        f"{second.section.pk}-rating_to": "1699",
    }
    assert client.post(sections, changed).status_code == 302
    again = client.post(sections, changed | {f"{second.section.pk}-rating_to": "1599"})
    assert (again.status_code, "Nothing was saved" in again.content.decode()) == (409, True)
    second.section.refresh_from_db()
    assert second.section.rating_to == 1699
    for name in ("event-desk", "event-entries", "event"):
        assert "City Open" in client.get(reverse(name, args=["city-open"])).content.decode()
    desk = client.get(reverse("event-desk", args=["city-open"])).content.decode()
    assert reverse("event-import", args=["city-open"]) in desk


@pytest.mark.costly
def test_an_arbiter_pairs_on_the_desk_of_the_event_and_a_reader_does_not(
    chief_arbiter: User, client: Client
) -> None:
    ready = make_ready(chief_arbiter, name="Ready")
    event = event_create(
        tournament_id=ready.pk, name="Whole", label="A", actor=chief_arbiter, now=NOW
    )
    reader = User.objects.create_user("reader", password="reader-secret")
    Appointment.objects.create(tournament=ready, person=reader, role=Role.READER, since=NOW)
    desk, pair = (
        reverse("event-desk", args=[event.slug]),
        reverse("round-pair", args=[ready.slug, 1]),
    )
    for user, pairs in ((chief_arbiter, True), (reader, False)):
        client.force_login(user)
        page = client.get(desk).content.decode()
        assert ("Pair round 1" in page, f'action="{pair}"' in page) == (True, pairs)
    client.force_login(chief_arbiter)
    assert client.post(pair)["Location"] == reverse("round", args=[ready.slug, 1])


@pytest.mark.costly
def test_players_move_in_the_browser(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    one, other = make_entries(first, chief_arbiter, 2)
    page = reverse("event-entries", args=[event.slug])
    assert f'<option value="{second.pk}"' in client.get(page).content.decode()
    assert client.post(page, {"entry": one.pk, "to": second.pk}).status_code == 302
    assert client.post(page, {"moves": f"{other.pk}:{second.pk}"}).status_code == 302
    assert Entry.objects.filter(tournament=second).count() == 2
    assert client.post(page, {"moves": "7"}).status_code == 422
    assert client.post(page, {"moves": "9" * 30 + ":1"}).status_code == 422
    assert client.post(page, {"entry": one.pk, "to": second.pk}).status_code == 409


@pytest.mark.on_postgres("many rows in one statement")
def test_the_list_has_pages_and_a_move_stays_on_its_page(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    Entry.objects.bulk_create(
        Entry(tournament=first, name=f"Player {n:03}", rating=1900, created_at=NOW)
        for n in range(101)
    )
    page = reverse("event-entries", args=[event.slug])
    opened = client.get(page, {"q": "player"})
    assert opened.content.decode().count('name="entry"') == 100
    assert 'href="?q=player&amp;page=2"' in opened.content.decode()
    assert "rows 1–100 of 101" in opened.content.decode()  # on each printed sheet
    whole = client.get(page, {"page": "all"}).content.decode()
    assert (whole.count('name="entry"'), "Not the whole list" in whole) == (101, False)
    last = opened.context["page"].paginator.page(2)[0].entry
    moved = client.post(f"{page}?q=player&page=2", {"entry": last.pk, "to": second.pk}, follow=True)
    assert moved.redirect_chain == [(f"{page}?q=player&page=2", 302)]
    shown = moved.context["page"]
    assert ([line.entry.name for line in shown], shown.paginator.count) == ([last.name], 101)


def test_visitors_find_their_section_and_strangers_no_desk(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    client: Client,
    stranger: User,
) -> None:
    entry_add(tournament_id=second.pk, actor=chief_arbiter, now=NOW, name="Ébène, Éva")
    address = reverse("event", args=[event.slug])
    seen = client.get(address, {"q": "eva ebene"})
    assert "Ébène, Éva" in seen.content.decode()
    assert (
        client.get(address, {"q": "eva ebene"}, headers={"If-None-Match": seen["ETag"]}).status_code
        == 304
    )
    assert [line.entry.name for line in players_of(sections_of(event), "EBENE")] == ["Ébène, Éva"]
    Entry.objects.filter(name="Ébène, Éva").update(name="O’Ébène-D'Or, Éva")
    for words in ("oebene", "o'ebene-d’or", "dor eva"):
        assert [line.entry.name for line in players_of(sections_of(event), words)] == [
            "O’Ébène-D'Or, Éva"
        ]
    overview = client.get(reverse("tournament", args=[second.slug])).content.decode()
    assert f'<a href="{address}">City Open</a>' in overview
    for name in ("event-desk", "event-entries", "event-sections"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 302
    client.force_login(stranger)
    for name in ("event-desk", "event-entries", "event-sections"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 403
        assert client.post(reverse(name, args=[event.slug]), {"moves": "1:2"}).status_code == 403
    assert client.get(reverse("event", args=["no-such"])).status_code == 404


@pytest.mark.on_postgres("many rows in one statement")
def test_open_pages_hear_about_every_section(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    htmx = {"HX-Request": "true"}
    for name in ("event", "event-desk"):
        address = reverse(name, args=[event.slug])
        key = client.get(address).context["key"]
        assert client.get(address, {"v": key}, headers=htmx).status_code == 204
        entry_add(tournament_id=second.pk, actor=chief_arbiter, now=NOW, name=f"News, {name}")
        part = client.get(address, {"v": key}, headers=htmx)
        assert part.status_code == 200
        assert "<html" not in part.content.decode()


@pytest.mark.costly
def test_the_pages_of_an_event_need_the_same_queries_for_more_players(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    section_update(
        tournament_id=first.pk,
        label="A",
        limits={"rating_from": 1800},
        actor=chief_arbiter,
        now=NOW,
    )
    client.force_login(chief_arbiter)
    counts = []
    for players in (2, 40):
        Entry.objects.bulk_create(
            Entry(tournament=first, name=f"Player {players}.{n}", rating=1000 + n, created_at=NOW)
            for n in range(players)
        )
        with CaptureQueriesContext(connection) as seen:
            for name in (
                "event",
                "event-desk",
                "event-entries",
                "event-sections",
                "event-check-in",
                "event-waiting",
            ):
                assert (
                    client.get(reverse(name, args=[event.slug]), {"q": "player"}).status_code == 200
                )
            many = "Name;Elo\n" + "".join(f"New {n}, Player;{1500 + n}\n" for n in range(players))
            assert (
                client.post(reverse("event-import", args=[event.slug]), {"text": many}).status_code
                == 200
            )
        counts.append(len(seen))
    assert counts[0] == counts[1]


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


def test_whole_names_are_for_people_with_a_role_in_the_section(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    stranger: User,
    client: Client,
) -> None:
    """A player shown with initials has them, and no FIDE ID to search for, in every other section's
    eyes.
    """
    by = {"actor": chief_arbiter, "now": NOW, "initials": True}
    entry_add(
        tournament_id=first.pk, name="Quetzal, Xanthippe", fide_rating=1700, fide_id=98765432, **by
    )
    entry_add(
        tournament_id=second.pk, name="Zzyzx, Wolfgang", fide_rating=1900, fide_id=98765433, **by
    )
    role = Appointment.objects.create(
        tournament=second, person=stranger, role=Role.DEPUTY, since=NOW
    )
    pages = [
        reverse(f"event-{name}", args=[event.slug]) + query
        for name, query in [
            ("entries", ""), ("entries", "?q=quetzal"), ("check-in", ""), ("desk", ""), ("sections", ""),
            ("find", "?q=quetzal"), ("find", "?q=98765432"), ("find", "?q=q"), ("keys", ""), ("mirror", ""),
            ("import", ""), ("waiting", ""),
        ]
    ]  # fmt: skip
    everywhere = [
        *pages,
        *(page.replace("quetzal", "zzyzx").replace("5432", "5433") for page in pages),
    ]

    def seen(user: User, address: str) -> str:
        client.force_login(user)
        page = client.get(address).content.decode()
        return page.partition("<main")[2].replace("quetzal", "").replace("zzyzx", "")

    for each in (Role.DEPUTY, Role.READER, Role.CHECK_IN_DESK, Role.RESULT_DESK):
        Appointment.objects.filter(pk=role.pk).update(role=each)
        shown = {page: seen(stranger, page) for page in everywhere}
        assert {
            page for page, text in shown.items() if "Quetzal" in text or "Xanthippe" in text
        } == set(), each
        found = {page for page, text in shown.items() if "Q. X." in text}
        assert not {page for page in found if "98765432" in page or "quetzal" in page}, each
        assert any("Zzyzx, Wolfgang" in text for text in shown.values()), each
    shown = {page: seen(chief_arbiter, page) for page in pages}
    assert {page for page, text in shown.items() if "Quetzal, Xanthippe" in text} >= {
        pages[0],
        pages[5],
        pages[6],
    }
