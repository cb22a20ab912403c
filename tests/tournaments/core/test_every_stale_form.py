"""Every address that accepts a form refuses an outdated one, saves nothing and names the change,
author and time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import round_arrange
from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.game_dates import game_schedule
from pairing.rounds.pair import round_pair
from pairing.rounds.results import result_record
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from tests.policy.refusals import words_of
from tests.tournaments import factories
from tests.tournaments.core.test_actions_by_actor_and_time import Case
from tests.tournaments.factories import NOW, entry_of, round_of, seen_now
from tests.tournaments.row_cache import all_rows
from tests.tournaments.web.test_access_pages import address
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_close, check_in_open
from tournaments.entries.entries import entry_add, entry_check_in, entry_update, entry_withdraw
from tournaments.models import Appointment, Decision, DraftView, Game, Role, Tournament
from tournaments.people.people import Access, access_renew, person_appoint, person_remove
from tournaments.reports.protests import protest_decide, protest_lodge
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.tournaments import round_schedule, tournament_update
from tournaments.standings.points import points_adjust, points_withdraw
from tournaments.standings.prize_plan import PrizePlan
from tournaments.standings.prizes import prizes_set
from tournaments.web.urls import urlpatterns

EXCEPTIONS: Final = {
    "tournament-create": "there is nothing yet that could change; a form sent twice opens the one tournament",
    "tournament-import": "the same",
    "entry-add": "adds a player and overwrites nothing; asks if a player of that name is entered",
    "entry-check-in": "two people at the check-in desk work at once, and the form says which mark it wants",
    "people": "adds a person and overwrites nothing; refused if a person of that name has a role",
    "round-pair": "has the version of its page: tests/policy/test_5_stale_pages.py",
    "boards-announce": "names the boards it announces, and each of them has to be certain still",
    "announcement-withdraw": "names the boards it withdraws; refused if others are announced: "
    "test_announced_boards.py",
    "game-result": "each board has a version of its own: test_stale_pages.py, "
    "test_results_pages.py",
    "round-results": "the same",
    "game-colours": "the same",
    "game-reading": "the same: test_second_reading.py",
    "second-reading": "the same",
    "reading-differences": "sends both versions that it showed: test_second_reading.py",
    "results-checks": "names the question with its result: test_plausible_results.py",
    "round-by-hand": "has the version of its round: test_pair_by_hand.py",
    "round-swap": "has the version of its page: test_swap_pages.py",
    "rating-reports": "sends the digest of the file that it showed: test_sent_reports.py",
    "rating-report-withdraw": "names the newest report, and is refused once there is a newer one: the same",
    "rating-reports-restore": "adds what the record lacks; the same file twice adds nothing: the same",
    "event-make": "a tournament joins an event once: the second form leads to the event",
    "tie-breaks-try": "compares ranks and saves nothing",
    "tie-break-preview": "the same",
    "entry-expel": "a decision about one player with a reason; refused if the player is expelled already",
    "check-in-find": "two people at the check-in desk work at once, and the newest state decides",
    "check-in-tick": "the same",
    "desk-card": "sends what it saw of the player: test_check_in_desk.py",
    "entry-fee": "one figure that replaces another",
    "round-missing": "the same, and names the players it asks about; refused if one is no longer missing",
    "self-check-in-settings": "switches one thing on or off",
    "table-codes": "the same; a form that makes codes names those that it replaces: "
    "test_report_pages.py",
    "round-floor": "each board has a version of its own: test_floor_page.py",
    "registration-settings": "has the version of its page: tests/tournaments/events/registration",
    "registrations-accept": "names the version of each registration it showed: the same",
    "registration-accept": "has the version of the registration and its doubts: the same",
    "registration-refuse": "the same",
    "register": "a visitor adds a registration and overwrites nothing; sent twice it is one",
    "waiting-enter": "sends what it saw of the row: test_waiting.py",
    "waiting-change": "sends what it saw of the row and of the player: test_waiting_changes.py",
    "waiting-keep": "the same",
    "waiting-discard": "the same",
    "waiting-enter-all": "names the last row it showed",
    "waiting-discard-all": "the same",
    "start": "has the version of its page: test_start_page.py",
    "prohibited-pairs": "sends the pairs it saw: test_prohibited_pairs_page.py",
    "ratings-check": "each box names the old and the new value",
    "tournament-manage": "has the version of its page: test_visibility.py",
    "tournament-duplicate": "makes another tournament; the same copy made twice is one",
    "tournament-delete": "has the version of its page: test_visibility.py",
    "hand-over": "has the version of its page: test_hand_over.py",
    "personal-data": "has the version of its page: test_personal_data.py",
    "personal-data-of": "the same",
    "rating-lists": "loads a list of its own and changes no tournament",
    "recheck": "reads the tournament and changes nothing of it: test_long_recheck.py",
    "take-over": "saves an event that is not here yet, or continues the one here: "
    "test_taking_over.py",
    "mirror": "has the revision of its settings: test_mirror_page.py",
    "venue": "measures the speed of the computer and changes no tournament",
    "sign-in-link": "shows nothing of the event",
    "invitation-withdraw": "the invitation is there once: test_invitations.py",
}
"""The addresses that accept a form without the version of a page, and why."""
ELSEWHERE: Final = {
    "sign-in-link",
    "self-check-in",
    "self-check-in-confirm",
    "event-sections",
    "event-entries",
} | {
    "event-check-in-find",
    "trf-opening",
    "role-accept",
    "invitation",
    "round-code",
    "event-check-in-tick",
    "event-check-in-turn",
    "event-import",
    "event-waiting-row",
    "event-register",
    "event-mirror",
    "registered",
    "registered-correct",
    "table-report",
    "kiosk",
    "kiosk-board",
}
"""Addresses of other people, of events with sections, and of files that are no tournament yet:
tests/tournaments/people, entries, events, registration, imports/test_large_file.py.
"""
DEPUTY: Final = "Dan Deputy"
CHIEF: Final = "Clara Chief"
Change = Callable[[Tournament, User], object]


class Forms(HTMLParser):
    """The forms of a page: the address of each and the values that a browser sends from it, without
    its buttons.
    """

    def __init__(self, page: str, url: str) -> None:
        super().__init__()
        self.url, self.found = url, []  # type: ignore[var-annotated]
        self.inside, self.select, self.area = False, "", ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("method") == "post"
            if self.inside:
                self.found.append((given.get("action", self.url), {}))
        elif self.inside and tag == "input" and given.get("name"):
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                self.add(given["name"], given.get("value", ""))
        elif self.inside and tag == "button" and given.get("name") == "confirmed":
            self.add("confirmed", given["value"])
        elif tag in ("select", "textarea"):
            self.select = given.get("name", "") if tag == "select" else ""
            self.area = given.get("name", "") if tag == "textarea" else ""
        elif self.inside and tag == "option" and self.select and "selected" in given:
            self.add(self.select, given.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self.inside and self.area:
            self.add(self.area, data.strip())
            self.area = ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "form"

    def add(self, name: str, value: str) -> None:
        values = self.found[-1][1]
        values[name] = [*values[name], value] if isinstance(values.get(name), list) else value
        if name == "missing" and not isinstance(values[name], list):
            values[name] = [value]


def form_on(
    client: Client, page: str, url: str, first: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return what the form for *url* on *page* sends; with *first* on the page that answers this
    form.
    """
    answer = client.get(page) if first is None else client.post(url, first)
    found = [
        values
        for action, values in Forms(answer.content.decode(), page).found
        if action.split("?")[0] == url
    ]
    return max(found, key=len)


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": NOW}


def nothing(tournament: Tournament, actor: User) -> None:
    """The tournament of the fixture: eight players with numbers, no round paired."""


def renamed(tournament: Tournament, actor: User) -> None:
    entry_update(entry_id=first(tournament), club="Chess Club", **by(actor))


def first(tournament: Tournament) -> int:
    """Return the entry in the address of every page about one player."""
    return int(address("entry-edit", tournament).rstrip("/").rsplit("/", 1)[-1])


def given_bye(tournament: Tournament, actor: User) -> None:
    bye_request(entry_id=first(tournament), round_number=4, kind="H", **by(actor))


def byes_in_round_1(tournament: Tournament, actor: User) -> None:
    bye_request(entry_id=first(tournament), round_number=1, kind="H", **by(actor))


def other_bye(tournament: Tournament, actor: User) -> None:
    bye_request(entry_id=first(tournament), round_number=1, kind="Z", **by(actor))


def withdrawn(tournament: Tournament, actor: User) -> None:
    entry_withdraw(entry_id=first(tournament), **by(actor))


def drafted(tournament: Tournament, actor: User) -> None:
    round_pair(round_id=round_of(tournament, 1).pk, **by(actor))


def published(tournament: Tournament, actor: User) -> None:
    factories.pair_and_publish(tournament, 1, actor)


def entered(tournament: Tournament, actor: User) -> None:
    published(tournament, actor)
    factories.enter_results(tournament, 1, actor)


def played(tournament: Tournament, actor: User) -> None:
    factories.play_rounds(tournament, [1], actor)


def played_to_the_end(tournament: Tournament, actor: User) -> None:
    factories.play_rounds(tournament, [1, 2, 3, 4, 5], actor, factories.white_wins)


def forfeited(tournament: Tournament, actor: User) -> None:
    factories.play_rounds(tournament, [1], actor, lambda board, white, black: "--")


def rearranged(tournament: Tournament, actor: User) -> None:
    case = Case(tournament)
    case.round = round_of(tournament, 1)
    now, _ = arrangement_of(case.round, snapshot(tournament, 1)[1])
    pk = {entry.tpn: entry.pk for entry in tournament.entries.all()}
    boards = {n: (pk[white], pk[black]) for n, (white, black) in now.boards.items()}
    swapped = type(case.swapped())(boards | {1: boards[1][::-1]}, {})
    chief = Appointment.objects.get(tournament=tournament, role=Role.CHIEF).person
    round_arrange(
        round_id=case.round.pk, pairings=swapped, reason="asked for by the club", **by(chief)
    )


def game(tournament: Tournament) -> Game:
    return Game.objects.get(round__tournament=tournament, round__number=1, board=1)


def another_result(tournament: Tournament, actor: User) -> None:
    result_record(game_id=game(tournament).pk, result="==", **by(actor))


def corrected(tournament: Tournament, actor: User) -> None:
    result_correct(
        game_id=game(tournament).pk, result="==", report=Report(NOW, "the scoresheet"), **by(actor)
    )


def without_colour(tournament: Tournament, actor: User) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(initial_colour="", initial_colour_method="")


def colour_drawn(tournament: Tournament, actor: User) -> None:
    initial_colour_set(tournament_id=tournament.pk, colour="b", **by(actor))


def late_entry(tournament: Tournament, actor: User) -> None:
    entry_add(tournament_id=tournament.pk, name="Late, Lara", fide_rating=2999, **by(actor))


def new_rating(tournament: Tournament, actor: User) -> None:
    entry_update(entry_id=entry_of(tournament, 8).pk, fide_rating=2998, **by(actor))


def checked_in(tournament: Tournament, actor: User) -> None:
    check_in_open(tournament_id=tournament.pk, **by(actor))


def check_in_closed(tournament: Tournament, actor: User) -> None:
    checked_in(tournament, actor)
    check_in_close(tournament_id=tournament.pk, **by(actor))


def somebody_arrived(tournament: Tournament, actor: User) -> None:
    checked_in(tournament, actor)
    entry_check_in(entry_id=entry_of(tournament, 3).pk, checked_in=True, **by(actor))
    check_in_close(tournament_id=tournament.pk, **by(actor))


def with_a_helper(tournament: Tournament, actor: User) -> None:
    person_appoint(
        tournament_id=tournament.pk,
        name="Rita Result",
        role="deputy",
        access=Access("one", "123456"),
        **by(actor),
    )


def helper(tournament: Tournament) -> int:
    return Appointment.objects.filter(tournament=tournament).latest("pk").pk


def new_link(tournament: Tournament, actor: User) -> None:
    access_renew(appointment_id=helper(tournament), access=Access("two", "654321"), **by(actor))


def role_ended(tournament: Tournament, actor: User) -> None:
    person_remove(appointment_id=helper(tournament), **by(actor))


def new_city(tournament: Tournament, actor: User) -> None:
    tournament_update(tournament_id=tournament.pk, city="Lyon", **by(actor))


def new_time(tournament: Tournament, actor: User) -> None:
    round_schedule(
        round_id=round_of(tournament, 1).pk, starts_at=NOW, results_due_at=None, **by(actor)
    )


def new_prizes(tournament: Tournament, actor: User) -> None:
    prizes_set(tournament_id=tournament.pk, plan=PrizePlan(currency="CHF"), **by(actor))


def penalty(tournament: Tournament, actor: User) -> None:
    seen = Decision.objects.filter(
        tournament=tournament, action__in=("points.adjusted", "points.withdrawn")
    ).count()
    points_adjust(
        tournament_id=tournament.pk, entry_id=first(tournament), points=-5, round_number=1, article="Laws 12.9",
        reason="the telephone", seen=seen, **by(actor),
    )  # fmt: skip


def played_with_a_penalty(tournament: Tournament, actor: User) -> None:
    played(tournament, actor)
    penalty(tournament, actor)


def penalty_withdrawn(tournament: Tournament, actor: User) -> None:
    points_withdraw(
        tournament_id=tournament.pk, entry_id=first(tournament), points=-5, round_number=1, reason="a mistake",
        **by(actor),
    )  # fmt: skip


def protest(tournament: Tournament, actor: User) -> None:
    protest_lodge(
        tournament_id=tournament.pk, by="Pia", at=NOW, subject="The clock", seen=0, **by(actor)
    )


def ruling(tournament: Tournament, actor: User) -> None:
    given = {
        "tournament_id": tournament.pk,
        "number": 1,
        "ruling": "Play on",
        "article": "Laws 6.10.2",
    }
    protest_decide(**given, **by(actor))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Stale:
    """A form that was opened at *at*, and sent with *more* after *meanwhile* by *who*.

    *page* has the form, by default its own address. *first* is the form before it, of an action in
    two steps.
    """

    meanwhile: Change
    more: dict[str, Any] = field(default_factory=dict)
    at: Change = nothing
    page: str = ""
    who: str = DEPUTY
    first: dict[str, Any] | None = None
    query: str = ""


def dated_game(tournament: Tournament, actor: User) -> None:
    game = Game.objects.filter(round__tournament=tournament).first()
    assert game is not None
    game_schedule(game_id=game.pk, starts_at=NOW, **by(actor))


TWO_STEPS: Final = {"reason": "the hall is free"}
PENALTY: Final = {"amount": "5", "sign": "-1", "article": "Laws 12.9", "reason": "the telephone"}
CASES: Final[dict[str, Stale]] = {
    "entry-edit": Stale(renamed, {"club": "Other Club"}),
    "entry-remove": Stale(renamed, page="entry-edit"),
    "bye-request": Stale(given_bye, {"round_number": "3", "kind": "Z"}, page="entry-edit"),
    "bye-cancel": Stale(other_bye, at=byes_in_round_1, page="entry-edit"),
    "entry-withdraw": Stale(given_bye, {"from_round": "2"}, at=published, page="entry-edit"),
    "entry-return": Stale(renamed, {"reason": "well again"}, at=withdrawn, page="entry-edit"),
    "absence-explain": Stale(renamed, {"explanation": "the train"}, at=forfeited, page="desk"),
    "list-close": Stale(late_entry, page="numbers"),
    "numbers": Stale(new_rating),
    "initial-colour": Stale(colour_drawn, {"draw": "yes"}, at=without_colour),
    "check-in-turn": Stale(checked_in, page="check-in"),
    "check-in-settle": Stale(
        somebody_arrived, {"consequence": "Z", "confirmed": "yes"}, at=check_in_closed, page="check-in"
    ),
    "person-renew": Stale(new_link, at=with_a_helper, page="people", who=CHIEF),
    "person-remove": Stale(role_ended, at=with_a_helper, page="people", who=CHIEF),
    "person-hand-over": Stale(new_link, at=with_a_helper, page="people", who=CHIEF),
    "undo": Stale(renamed, at=drafted, page="desk"),
    "tournament-edit": Stale(new_city, {"city": "Paris"}),
    "schedule": Stale(new_time, {"round-1-starts_at": "2027-01-02T10:00"}),
    "prizes-define": Stale(new_prizes, {"currency": "EUR"}),
    "tie-breaks": Stale(renamed, at=played, first={"tie_breaks": "DE", "tie_break_edition": "fide-2026", **TWO_STEPS}),
    "number-of-rounds": Stale(renamed, at=played, first={"total_rounds": "4", **TWO_STEPS}),
    "points": Stale(penalty, at=played, who=CHIEF, first={**PENALTY}),
    "points-withdraw": Stale(
        penalty_withdrawn, {"reason": "a mistake"}, at=played_with_a_penalty, page="points", who=CHIEF
    ),
    "lots": Stale(renamed, at=played_to_the_end),
    "final-standings": Stale(renamed, {"ties_stay": "yes"}, at=played_to_the_end),
    "round-publish": Stale(rearranged, at=drafted, page="round", who=CHIEF),
    "round-discard": Stale(rearranged, at=drafted, page="round", who=CHIEF),
    "results-publish": Stale(another_result, at=entered, page="round"),
    "round-change": Stale(renamed, {"reason": "the club", "save": "yes"}, at=drafted, query="?b=1&go=on"),
    "round-correct": Stale(
        corrected, {"result": "01", "reason": "the scoresheet", "save": "yes"}, at=played, who=CHIEF,
        query="?kind=result&board=1",
    ),
    "game-date": Stale(dated_game, {"starts_at": "2027-02-03T10:00:00"}, at=published),
    "protests": Stale(protest, {"by": "Paul", "subject": "The light was bad"}),
    "protest": Stale(ruling, {"ruling": "Play on", "article": "Laws 6.10.2"}, at=protest, who=CHIEF),
    "entries-import": Stale(late_entry),
}  # fmt: skip


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


@pytest.mark.costly
def test_every_address_that_accepts_a_form_is_in_one_of_the_lists(
    published_round: object, desk: Client
) -> None:
    tournament = Tournament.objects.get(slug="autumn-open")
    names = {pattern.name or "" for pattern in urlpatterns} - ELSEWHERE
    # "TRACE" is accepted nowhere; the answer lists the accepted methods.
    allowed = {
        name: desk.generic("TRACE", address(name, tournament)).headers.get("Allow", "")
        for name in names
    }
    assert {name for name in names if "POST" in allowed[name]} == {*CASES, *EXCEPTIONS} - {
        "sign-in-link"
    }
    assert not CASES.keys() & EXCEPTIONS.keys()


@pytest.mark.parametrize("name", sorted(CASES))
def test_an_outdated_form_is_refused_and_says_who_did_what_and_when(
    name: str, ready: Tournament, desk: Client, chief_arbiter: User, deputy: User
) -> None:
    case = CASES[name]
    case.at(ready, chief_arbiter)
    url = address(name, ready)
    page = (address(case.page, ready) if case.page else url) + case.query
    sent = {**opened(desk, name, case, page, url, ready), **case.more}
    case.meanwhile(ready, deputy if case.who == DEPUTY else chief_arbiter)
    before = kept()
    if name == "round-change":
        sent["w-1"], sent["b-1"] = sent["b-1"], sent["w-1"]
    answer = desk.post(url + case.query, sent)
    words = words_of(answer.content.decode())
    assert answer.status_code == 409, words[:2000]
    assert f"{case.who}: " in words
    assert kept() == before


def kept() -> dict[str, object]:
    """Return the rows of all tables except views of drafts, which a page may write."""
    return {table: rows for table, rows in all_rows().items() if table != DraftView._meta.db_table}


def opened(
    desk: Client, name: str, case: Stale, page: str, url: str, tournament: Tournament
) -> dict[str, Any]:
    """Return what the form sends if it is sent as opened."""
    given = case.first
    if name == "points":
        given = {**PENALTY, "player": str(first(tournament))}
    if name == "entries-import":
        # The preview of a list with a player who is entered by somebody else before it is
        # confirmed.
        given = {"text": "Name;Rating\nLate, Lara;2000\n"}
    return form_on(desk, page, url, given)


@pytest.mark.costly
def test_actions_elsewhere_do_not_make_a_form_about_one_player_stale(
    ready: Tournament, desk: Client, chief_arbiter: User, deputy: User
) -> None:
    """A result at a board, a mark of the check-in and another player's bye come in while the page
    is open.
    """
    published(ready, chief_arbiter)
    seen = seen_now(ready)
    another_result(ready, deputy)
    bye_request(entry_id=entry_of(ready, 7).pk, round_number=2, kind="Z", **by(deputy))
    checked_in(ready, deputy)
    entry_check_in(entry_id=entry_of(ready, 2).pk, checked_in=True, **by(deputy))
    args = [ready.slug, entry_of(ready, 2).pk]
    answer = desk.post(
        reverse("bye-request", args=args), {"round_number": "2", "kind": "Z", **seen}
    )
    assert answer.status_code == 302
    answer = desk.post(reverse("entry-withdraw", args=args), {"from_round": "3", **seen})
    assert answer.status_code == 409
    assert "Clara Chief: bye granted" in words_of(answer.content.decode())
    assert desk.post(reverse("entry-withdraw", args=args), {"from_round": "3"}).status_code == 409
    assert (
        desk.post(
            reverse("entry-withdraw", args=args), {"from_round": "3", **seen_now(ready)}
        ).status_code
        == 302
    )
    # Sent twice: it is done already, so nothing is refused and nothing saved.
    lines = Decision.objects.count()
    assert (
        desk.post(reverse("entry-withdraw", args=args), {"from_round": "3", **seen}).status_code
        == 302
    )
    assert Decision.objects.count() == lines
