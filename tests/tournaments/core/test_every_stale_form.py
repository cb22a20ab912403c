"""Every address that accepts a form refuses an outdated one,
saves nothing and names the change, author and time.
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

from tests import examples
from tests.policy.refusals import words_of
from tests.tournaments.core.changes import (
    another_result,
    by,
    byes_in_round_1,
    check_in_closed,
    checked_in,
    colour_drawn,
    corrected,
    dated_game,
    drafted,
    entered,
    first,
    forfeited,
    given_bye,
    late_entry,
    new_city,
    new_link,
    new_logo,
    new_prizes,
    new_rating,
    new_time,
    nothing,
    other_bye,
    penalty,
    penalty_withdrawn,
    played,
    played_to_the_end,
    played_with_a_penalty,
    protest,
    published,
    rearranged,
    renamed,
    role_ended,
    ruling,
    somebody_arrived,
    with_a_helper,
    withdrawn,
    without_colour,
)
from tests.tournaments.factories import entry_of, seen_now
from tests.tournaments.row_cache import all_rows
from tests.tournaments.web.test_access_pages import address
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_check_in
from tournaments.models import Decision, DraftView, Tournament
from tournaments.web.urls import urlpatterns

EXCEPTIONS: Final = {
    "federation-files": "saves only fields that nobody else changed: test_federation_files.py",
    "title-claims": "the same: test_title_claims.py",
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
    "game-reading": "the same: test_second_reading_pages.py",
    "second-reading": "the same",
    "reading-differences": "sends both versions that it showed: test_second_reading_pages.py",
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
    "mistake": "has the version of the game: tests/tournaments/rounds/test_mistakes.py",
    "mistake-settle": "settles one report once: the same",
    "push": "the newest list of a phone replaces the one before: tests/tournaments/web/push",
    "hall-screen-add": "adds a screen and overwrites nothing",
    "hall-screen": "has the version of the screen: tests/tournaments/web/screens/test_desk.py",
    "hall-screen-show": "shows one thing, whatever was shown before",
    "hall-screens-message": "the same",
    "hall-screen-remove": "the screen is there once",
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
    "settings-pairing": "sends what it showed, as tournament-edit: test_shown_values.py",
    "settings-ratings": "the same",
    "settings-byes": "the same",
    "settings-deadlines": "the same",
    "settings-fide": "the same",
    "settings-privacy": "the same",
    "settings-tie-breaks": "the same",
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
    "event-prizes-define",
    "registered",
    "registered-correct",
    "pairing-mail",
    "table-report",
    "table-mistake",
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
    """The forms of a page: the address of each and the values that a browser sends from it,
    without its buttons.
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
    """Return what the form for *url* on *page* sends;
    with *first* on the page that answers this form.
    """
    answer = client.get(page) if first is None else client.post(url, first)
    found = [
        values
        for action, values in Forms(answer.content.decode(), page).found
        if action.split("?")[0] == url
    ]
    return max(found, key=len)


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
    "settings-logo": Stale(new_logo, {"remove": "1"}),
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
    "round-opponent": Stale(renamed, {"partner": "forfeit"}, at=published, query="?absent=1"),
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


@pytest.mark.parametrize("name", examples.first(sorted(CASES), 12, pytest.mark.costly))
def test_an_outdated_form_is_refused_and_says_who_did_what_and_when(
    name: str, ready: Tournament, desk: Client, chief_arbiter: User, deputy: User
) -> None:
    case = CASES[name]
    case.at(ready, chief_arbiter)
    url = address(name, ready)
    page = (address(case.page, ready) if case.page else url) + case.query
    sent = {**opened(desk, name, case, page, url, ready), **case.more}
    case.meanwhile(ready, deputy if case.who == DEPUTY else chief_arbiter)
    before = rows_now()
    if name == "round-change":
        sent["w-1"], sent["b-1"] = sent["b-1"], sent["w-1"]
    answer = desk.post(url + case.query, sent)
    words = words_of(answer.content.decode())
    assert answer.status_code == 409, words[:2000]
    assert f"{case.who}: " in words
    assert rows_now() == before


def rows_now() -> dict[str, object]:
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
    """A result at a board, a mark of the check-in and another player's
    bye come in while the page is open.
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
