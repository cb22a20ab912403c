"""The prizes over all sections of an event: who is compared by what, who wins, and who reads it."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.desk.test_find import give
from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.core.record import verify
from tournaments.events.event_page import sections_of
from tournaments.events.sections import event_create
from tournaments.models import Eligible, Entry, Event, Role, Section, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.standings.event_prizes import (
    Criterion,
    EventPlan,
    EventPrizeList,
    described,
    event_plan_from,
    event_prize_list,
    event_prizes_set,
    plan_of_event,
)
from tournaments.standings.final import standings_make_final
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prize_list, prizes_set
from tournaments.web.templatetags.event_prizes import result_of

ALL = CategoryPlan("Best of all", Eligible.EVERYBODY, "", (30000, 20000, 10000))
WOMEN = CategoryPlan("", Eligible.WOMEN, "", (10000,), things=("Cup",))
CLUBS = CategoryPlan("Best club", Eligible.EVERYBODY, "", (9000, 4001), team_size=2)
PLAN = EventPlan(PrizePlan("EUR", categories=(ALL, WOMEN, CLUBS)))


@pytest.fixture
def event(chief_arbiter: User) -> Event:
    """Three rounds of section A with 4 players, and of B with 6, all played; the lower number wins.

    The best are A1 with 3 points, B1 with 3, A2 with 2. Some have a club, B1 and B4 are women.
    """
    first = make_ready(chief_arbiter, players=4, rounds=3, name="Festival A")
    second = make_ready(chief_arbiter, players=6, rounds=3, name="Festival B")
    by = {"actor": chief_arbiter, "now": NOW}
    made = event_create(tournament_id=first.pk, name="Festival", label="A", **by)
    Section.objects.create(event=made, tournament=second, label="B", position=20)
    for tournament, clubs in ((first, "Rook Rook Pawn Pawn"), (second, "Pawn Rook King King - -")):
        for tpn, club in enumerate(clubs.split(), start=1):
            Entry.objects.filter(pk=entry_of(tournament, tpn).pk).update(
                club=club.strip("-"),
                sex="w" if (tournament, tpn) in ((second, 1), (second, 4)) else "m",
            )
    for tournament in (first, second):
        play_rounds(tournament, [1, 2, 3], chief_arbiter)
    return made


def a_and_b(event: Event) -> tuple[Tournament, Tournament]:
    first, second = sections_of(event)
    return first.tournament, second.tournament


def save(event: Event, actor: User, plan: EventPlan = PLAN) -> None:
    event_prizes_set(event_id=event.pk, actor=actor, now=NOW, plan=plan)
    event.refresh_from_db()


def awarded(event: Event, *, runs: bool = False) -> EventPrizeList:
    return event_prize_list(event, sections_of(event), runs=runs)


def winners(found: EventPrizeList, category: int = 0) -> list[tuple[str, str, int]]:
    """Return section and number, the result, and the cents of the winners of a category."""
    return [
        (
            f"{found.sections[entry.tournament_id]}{entry.tpn}",
            result_of(winner, found).replace("\N{NO-BREAK SPACE}", " "),
            winner.amount,
        )
        for winner in found.prizes.categories[category].winners
        for entry in [found.entries[winner.entry_id]]
    ]


def test_players_are_compared_by_their_share_of_the_points(
    event: Event, chief_arbiter: User
) -> None:
    save(event, chief_arbiter)
    found = awarded(event)
    assert winners(found)[:2] == [("A1", "100.0 %", 25000), ("B1", "100.0 %", 25000)]
    assert sum(of.amount for of in found.prizes.categories[0].winners) == sum(ALL.amounts)
    # B1 has the more valuable prize, so the best other woman gets that of the women; the cup goes
    # by rank.
    assert [who for who, _, amount in winners(found, 1) if amount] == ["B4"]
    assert [who for who, _, amount in winners(found, 1) if not amount] == ["B1"]
    teams = found.prizes.categories[2].teams
    assert {team.team.name for team in teams} <= {"Rook", "Pawn", "King"}
    assert sum(team.amount for team in teams) == sum(CLUBS.amounts)


@pytest.mark.parametrize("criterion", list(Criterion))
def test_every_criterion_hands_out_to_the_cent(
    event: Event, chief_arbiter: User, criterion: Criterion
) -> None:
    save(event, chief_arbiter, replace(PLAN, criterion=criterion))
    found = awarded(event)
    for of in found.prizes.categories:
        paid = sum(winner.amount for winner in of.winners) + sum(team.amount for team in of.teams)
        assert paid + of.left_over == sum(of.category.amounts)
        assert of.has_winners
    values = [winner.points for winner in found.prizes.categories[0].winners]
    assert values == sorted(values, reverse=True)


def test_the_results_are_those_of_the_pages_of_the_players(
    event: Event, chief_arbiter: User
) -> None:
    for criterion, expected in ((Criterion.POINTS, "3"), (Criterion.SHARE, "100.0 %")):
        save(event, chief_arbiter, replace(PLAN, criterion=criterion))
        assert winners(awarded(event))[0][:2] == ("A1", expected)
    save(event, chief_arbiter, replace(PLAN, criterion=Criterion.CHANGE))
    who, change, _ = winners(awarded(event))[0]
    assert change.startswith("+")
    tournament = a_and_b(event)[0] if who[0] == "A" else a_and_b(event)[1]
    assert tournament.entries.filter(tpn=int(who[1:])).exists()


def test_a_section_of_more_rounds_has_no_advantage(event: Event, chief_arbiter: User) -> None:
    """Two of two points are more than two of three."""
    first, _second = a_and_b(event)
    short = make_ready(chief_arbiter, players=4, rounds=1, name="Festival C")
    Section.objects.create(event=event, tournament=short, label="C", position=30)
    play_rounds(short, [1], chief_arbiter)
    save(event, chief_arbiter)
    best = {who for who, share, _ in winners(awarded(event)) if share == "100.0 %"}
    assert best == {"A1", "B1", "C1", "C2"}
    save(event, chief_arbiter, replace(PLAN, least_games=3))
    assert {who for who, _, _ in winners(awarded(event))} <= {"A1", "A2", "A3", "B1", "B2", "B3"}
    assert first.rounds.count() == 3


def test_who_wins_in_the_section_wins_nothing_here_and_the_page_warns(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    first, _second = a_and_b(event)
    of_section = PrizePlan("EUR", categories=(replace(ALL, amounts=(5000,)),))
    prizes_set(tournament_id=first.pk, actor=chief_arbiter, now=NOW, plan=of_section)
    save(event, chief_arbiter)
    found = awarded(event, runs=True)
    assert "A1" not in [who for who, _, _ in winners(found)]
    assert winners(found)[0] == ("B1", "100.0 %", 30000)
    ((entry, in_section, here),) = found.better_here
    assert (entry.pk, in_section, here) == (entry_of(first, 1).pk, 5000, 25000)
    client.force_login(chief_arbiter)
    page = client.get(reverse("event-prizes", args=[event.slug])).content.decode()
    assert "(A 1) wins 50.00 in the section and would win 250.00 here" in page
    # The more valuable prize: the one of the section goes to the next.
    of_section = replace(of_section, event_winners=(entry.pk,))
    prizes_set(tournament_id=first.pk, actor=chief_arbiter, now=NOW, plan=of_section)
    found = awarded(event, runs=True)
    assert winners(found)[:2] == [("A1", "100.0 %", 25000), ("B1", "100.0 %", 25000)]
    assert found.better_here == found.better_in_section == ()
    (of_a,) = prize_list(tournament_frame(first, runs=True)).categories
    assert [(winner.tpn, winner.amount) for winner in of_a.winners] == [(2, 5000)]
    # Both prizes, if the arbiter says so.
    of_section = replace(of_section, event_winners=())
    prizes_set(tournament_id=first.pk, actor=chief_arbiter, now=NOW, plan=of_section)
    save(event, chief_arbiter, replace(PLAN, section_winners=True))
    assert winners(awarded(event))[0] == ("A1", "100.0 %", 25000)


def test_who_gave_up_more_in_the_section_is_in_a_warning(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    """A1 gives up 300 and gets 250."""
    first, _second = a_and_b(event)
    cup = replace(ALL, amounts=(30000,), things=("Cup",))
    given_up = PrizePlan("EUR", categories=(cup,), event_winners=(entry_of(first, 1).pk,))
    prizes_set(tournament_id=first.pk, actor=chief_arbiter, now=NOW, plan=given_up)
    save(event, chief_arbiter)
    found = awarded(event, runs=True)
    ((entry, in_section, here),) = found.better_in_section
    assert (entry.tpn, in_section, here) == (1, 30000, 25000)
    client.force_login(chief_arbiter)
    page = page_of(client, event)
    assert "(A 1) gave up 300.00 in the section and wins 250.00 here" in page
    assert (
        client.get(reverse("prizes-define", args=[first.slug]))
        .content.decode()
        .count('name="event_winners"')
        == 1
    )
    client.logout()
    page = client.get(reverse("prizes", args=[first.slug])).content.decode()
    assert "1 player takes money over all sections of the event" in page
    # The cup stays here.
    (of_a,) = prize_list(tournament_frame(first, runs=True)).categories
    assert {(winner.tpn, winner.amount, winner.thing) for winner in of_a.winners} == {
        (1, 0, "Cup"),
        (2, 30000, ""),
    }
    assert not verify(first)
    assert [each for each in differences(first) if "rize" in each] == []


def test_a_person_in_two_sections_competes_once_with_the_better_result(
    event: Event, chief_arbiter: User
) -> None:
    first, second = a_and_b(event)
    for tournament, tpn in ((first, 1), (second, 6)):
        Entry.objects.filter(pk=entry_of(tournament, tpn).pk).update(fide_id=2000016)
    save(event, chief_arbiter, replace(PLAN, plan=replace(PLAN.plan, most_each=0)))
    found = awarded(event)
    entries = [entry for entry in (found.prizes.entries or {}).values() if entry.fide_id == 2000016]
    assert [(entry.tournament_id, entry.tpn) for entry in entries] == [(first.pk, 1)]
    assert len(found.prizes.entries or {}) == 9


def test_namesakes_of_a_section_have_their_own_numbers(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    """The numbers are those of the section, and not the places in the order of all players."""
    _first, second = a_and_b(event)
    for tpn in (2, 4):
        Entry.objects.filter(pk=entry_of(second, tpn).pk).update(name="Twin, Ada", sex="w")
    save(event, chief_arbiter)
    main = page_of(client, event).partition("<main")[2]
    numbers = re.findall(r'needed">(\d+)</span> (?:<bdi>)?Twin, Ada', main)
    assert set(numbers) == {"2"}  # in the table and in the calculation
    link = reverse("player-page", args=[second.slug, entry_of(second, 2).pk])
    assert re.search(rf'href="{link}"><span class="tpn needed">2</span>', main)


def test_who_may_not_win_in_a_section_does_not_win_here(event: Event, chief_arbiter: User) -> None:
    first, _second = a_and_b(event)
    plan = PrizePlan(categories=(ALL,), excluded=(entry_of(first, 1).pk,), most_each=0)
    prizes_set(tournament_id=first.pk, actor=chief_arbiter, now=NOW, plan=plan)
    save(event, chief_arbiter, replace(PLAN, section_winners=True))
    assert winners(awarded(event))[0] == ("B1", "100.0 %", 30000)


def test_a_person_excluded_in_one_section_does_not_win_with_the_result_of_another(
    event: Event, chief_arbiter: User
) -> None:
    """The same person is A1, the best of all, and B6, who may not win in B."""
    first, second = a_and_b(event)
    Entry.objects.filter(pk__in=(entry_of(first, 1).pk, entry_of(second, 6).pk)).update(
        name="Twin, Ada", full_name="", birth_date="1999/05/03"
    )
    plan = PrizePlan(categories=(ALL,), excluded=(entry_of(second, 6).pk,), most_each=0)
    prizes_set(tournament_id=second.pk, actor=chief_arbiter, now=NOW, plan=plan)
    save(event, chief_arbiter, replace(PLAN, section_winners=True))
    assert winners(awarded(event))[0] == ("B1", "100.0 %", 30000)
    # Another person of that name is not excluded.
    Entry.objects.filter(pk=entry_of(second, 6).pk).update(birth_date="1998/05/03")
    assert winners(awarded(event))[0][0] == "A1"


def test_the_record_of_each_section_has_a_line_and_agrees(
    event: Event, chief_arbiter: User
) -> None:
    save(event, chief_arbiter)
    save(event, chief_arbiter)
    for tournament in a_and_b(event):
        line = tournament.decisions.get(action="event_prizes.set")
        assert event_plan_from(line.after) == PLAN == plan_of_event(event)
        tournament.refresh_from_db()
        assert not verify(tournament)
        # The fixture has changed the players and the section by hand.
        found = differences(tournament)
        assert [each for each in found if not each.startswith(("Entry", "Setting section"))] == []


def test_only_an_arbiter_of_all_sections_defines_them(
    event: Event, chief_arbiter: User, stranger: User, client: Client
) -> None:
    first, _second = a_and_b(event)
    factories.appoint_on_record(first, stranger, chief_arbiter)
    with pytest.raises(PermissionDenied):
        save(event, stranger)
    client.force_login(stranger)
    for name, kind in (("event-prizes-define", []), ("event-prize-sheets", ["receipts"])):
        assert client.get(reverse(name, args=[event.slug, *kind])).status_code == 403
    assert "Define the prizes" not in page_of(client, event)
    event.refresh_from_db()
    assert event.prizes == {}


def test_they_are_fixed_once_a_section_is_final(event: Event, chief_arbiter: User) -> None:
    first, _second = a_and_b(event)
    standings_make_final(tournament_id=first.pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(RuleRefused):
        save(event, chief_arbiter)


@pytest.mark.costly
def test_invalid_prizes_are_refused(event: Event, chief_arbiter: User) -> None:
    for plan in (
        replace(PLAN, least_games=100),
        replace(PLAN, plan=replace(PLAN.plan, unit=7)),
        replace(PLAN, plan=replace(PLAN.plan, categories=(replace(ALL, amounts=(0,)),))),
    ):
        with pytest.raises(BadInput):
            save(event, chief_arbiter, plan)


def page_of(client: Client, event: Event) -> str:
    return client.get(reverse("event-prizes", args=[event.slug])).content.decode()


def test_visitors_read_winners_when_all_sections_are_over(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    assert "No prizes are defined." in page_of(client, event)
    save(event, chief_arbiter)
    running = make_ready(chief_arbiter, players=4, rounds=2, name="Festival C")
    Section.objects.create(event=event, tournament=running, label="C", position=30)
    play_rounds(running, [1], chief_arbiter)
    page = page_of(client, event)
    assert "The winners are shown when all sections are over." in page
    assert "300.00" in page
    assert entry_of(a_and_b_of(event, 0), 1).name not in page
    client.force_login(chief_arbiter)
    page = page_of(client, event)
    assert "Winners if the event ended now." in page
    assert entry_of(a_and_b_of(event, 0), 1).name in page
    play_rounds(running, [2], chief_arbiter)
    client.logout()
    page = page_of(client, event)
    assert entry_of(a_and_b_of(event, 0), 1).name in page
    assert "provisional" in page
    assert "Check before the prize-giving" not in page
    link = reverse("event-prizes", args=[event.slug])
    german = client.get(link, headers={"Accept-Language": "de"}).content.decode()
    assert "Preise über alle Gruppen" in german
    assert "FIDE hat dafür keine Regel" in german
    assert link in client.get(reverse("event", args=[event.slug])).content.decode()


def a_and_b_of(event: Event, place: int) -> Tournament:
    return sections_of(event)[place].tournament


def test_the_page_of_visitors_is_stored_and_has_initials(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    first, _second = a_and_b(event)
    Entry.objects.filter(pk=entry_of(first, 1).pk).update(name="W. B.", full_name="Whole, Bea")
    save(event, chief_arbiter)
    answer = client.get(reverse("event-prizes", args=[event.slug]))
    assert "Whole" not in answer.content.decode()
    again = client.get(
        reverse("event-prizes", args=[event.slug]), headers={"if-none-match": answer["ETag"]}
    )
    assert again.status_code == 304
    client.force_login(chief_arbiter)
    for kind in ("receipts", "signatures"):
        sheet = client.get(reverse("event-prize-sheets", args=[event.slug, kind])).content.decode()
        assert "Whole, Bea (A 1)" in sheet
    assert client.get(reverse("event-prize-sheets", args=[event.slug, "x"])).status_code == 404


def form_of(page: str) -> dict[str, str]:
    """Return what a browser sends if nothing is changed."""
    names = {}
    for field in re.findall(r"<input[^>]*>", page):
        name, value = re.search(r'name="([^"]+)"', field), re.search(r'value="([^"]*)"', field)
        if name and ('type="checkbox"' not in field or " checked" in field):
            names[name[1]] = (
                html.unescape(value[1]) if value else "on" if "checkbox" in field else ""
            )
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', page, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options)
        names[name] = chosen[1] if chosen else ""
    return names


@pytest.mark.costly
def test_the_form_saves_and_an_old_page_saves_nothing(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("event-prizes-define", args=[event.slug])
    old = form_of(client.get(url).content.decode())
    sent = old | {
        "criterion": "performance", "least_games": "2", "currency": "CHF", "withdrawn_win": "on",
        "row-0-name": "Best of all", "row-0-amounts": "300 200", "row-1-sex": "women", "row-1-amounts": "50",
    }  # fmt: skip
    saved = client.post(url, sent)
    assert saved.status_code == 302, re.findall(
        r'role="alert".*?</div>', saved.content.decode(), re.S
    )
    event.refresh_from_db()
    plan = plan_of_event(event)
    assert (plan.criterion, plan.least_games, plan.section_winners) == (
        Criterion.PERFORMANCE,
        2,
        False,
    )
    assert [each.amounts for each in plan.plan.categories] == [(30000, 20000), (5000,)]
    # Sent twice, and from an old page: nothing is lost.
    assert client.post(url, sent).status_code == 409
    refused = client.post(url, old | {"row-0-name": "Other", "row-0-amounts": "1"})
    assert refused.status_code == 409
    assert 'value="Other"' in refused.content.decode()
    event.refresh_from_db()
    assert plan_of_event(event) == plan
    # The page shows the saved values; the input can be saved after all.
    assert "Current values: Best of all, Women" in html.unescape(refused.content.decode())
    assert client.post(url, form_of(refused.content.decode())).status_code == 302
    event.refresh_from_db()
    assert [each.name for each in plan_of_event(event).plan.categories] == ["Other"]
    save(event, chief_arbiter, plan)
    newest = form_of(client.get(url).content.decode())
    assert client.post(url, newest).status_code == 302
    event.refresh_from_db()
    assert plan_of_event(event) == plan
    more = client.post(url, newest | {"add_rows": "yes", "row-2-name": "Third"})
    assert 'value="Third"' in more.content.decode()
    wrong = client.post(url, newest | {"row-0-amounts": "many", "least_games": "-1"})
    assert wrong.status_code == 422


def test_someone_who_saves_at_the_same_time_is_not_overwritten(
    event: Event, chief_arbiter: User
) -> None:
    with pytest.raises(Conflict):
        event_prizes_set(
            event_id=event.pk, actor=chief_arbiter, now=NOW, plan=PLAN, is_seen=lambda now: False
        )


@pytest.mark.costly
def test_the_queries_do_not_grow_with_players(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    save(event, chief_arbiter)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            awarded(Event.objects.get(pk=event.pk), runs=True)
        return len(found)

    few = queries()
    larger = make_ready(chief_arbiter, players=16, rounds=3, name="Festival L")
    play_rounds(larger, [1, 2, 3], chief_arbiter)
    second = sections_of(event)[1]
    Section.objects.filter(pk=second.pk).update(tournament=larger)
    assert queries() == few


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"x": 1},
        {"criterion": "luck"},
        {"unit": 0},
        {"categories": [{"name": "A"}]},
        {"least_games": "1"},
        {"least_games": 100},
    ],
)
def test_prizes_of_a_file_made_by_hand_are_no_error(changed: dict[str, object]) -> None:
    values = {**described(PLAN), **changed} if len(changed) == 1 and "x" not in changed else changed
    assert plan_of_event(Event(prizes=values)) == EventPlan(PrizePlan())


def test_an_event_without_sections_has_no_winners(event: Event, chief_arbiter: User) -> None:
    save(event, chief_arbiter)
    found = event_prize_list(event, [], runs=False)
    assert not any(of.has_winners for of in found.prizes.categories)


def test_described_and_read_are_opposites() -> None:
    plan = replace(PLAN, criterion=Criterion.CHANGE, section_winners=True, least_games=4)
    values: Any = described(plan)
    assert event_plan_from(values) == plan


def test_a_reader_of_one_section_reads_what_visitors_read(
    event: Event, stranger: User, chief_arbiter: User, client: Client
) -> None:
    save(event, chief_arbiter)
    give(stranger, a_and_b(event)[0], Role.READER)
    client.force_login(stranger)
    assert "Receipts of the prizes" not in page_of(client, event)
