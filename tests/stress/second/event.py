"""A random event and its random arbiters: each action is a request of a browser, as a page offers
it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from .browser import Answer, Browser
from .pages import CONFIRMING, Form, csv_rows, forms, text_of

SYSTEMS: Final = ("dutch_2026", "dutch_2026", "dutch_2017", "dutch_pre2017", "double_swiss_2026")
DAYS: Final = ("", "2026-11-21", "2026-11-21", "2025-05-03", "2019-08-10", "2016-07-02")
"""First days: each edition of C.04.2 and of C.07 is in force on one of them."""
CODES: Final = (
    "BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "FB", "FB/C1", "SB", "SB/C1", "SB/C2", "DE", "WIN", "WON", "BPG", "BWG",
    "PS", "PS/C1", "PS/C2", "REP", "STD", "TPN", "TPN/R", "KS", "KS/L+1", "KS/L-1", "KS/L+3", "AOB", "AOB/F", "ARO",
    "ARO/C1", "ARO/C2", "ARO/M1", "ARO/M2", "TPR", "PTP", "APRO", "APPO", "RTNG", "RTNG/R", "BH/P", "BH/C1/P",
    "FB/C2", "FB/M1", "FB/P", "FB/C1/P", "SB/P", "SB/C1/P", "DE/P", "BH/F", "BH/C2/P",
)  # fmt: skip
OF_GAMES: Final = ("WIN", "WON", "BPG", "BWG", "TPR", "PTP", "APRO", "APPO")
"""Tie-breaks of single games, which a match does not have."""
TURNS: Final = 5
"""So often the page of a round is opened, until boards are certain."""
RESULTS: Final = (
    "10",
    "10",
    "01",
    "01",
    "==",
    "==",
    "10",
    "01",
    "+-",
    "-+",
    "--",
    "=0",
    "0=",
    "00",
    "WL",
    "DD",
    "LW",
    "??",
)
LONG_EVERY: Final = 4
"""Every fourth event is long, up to six rounds and twelve players; the others have at most three
and eight.
"""
FIELDS: Final = {
    "late_entry_bye": ("Z", "H"),
    "max_byes": ("", "", "1", "2"),
    "last_bye_round": ("", "", "2"),
    "correction_minutes": ("", "0", "30"),
    "change_clause": ("", "7.3"),
    "top_boards": ("0", "0", "1", "2"),
    "rating_method": ("FIDON", "FIDON", "NIDOF", "HBFN", "NRO"),
    "third_criterion": ("", "national", "entered"),
    "pab": ("win", "win", "draw", "none"),
    "byes_in_advance": ("", "on"),
    "explanations_public": ("", "on"),
    "automatic_results": ("", "", "on"),
}


@dataclass(frozen=True)
class People:
    """The browsers: the chief arbiter, a deputy, an account without a role, and a visitor."""

    chief: Browser
    deputy: Browser
    stranger: Browser
    visitor: Browser


class RandomEvent:
    """One event from its declaration on. Everything random comes from *chance*."""

    def __init__(self, people: People, chance: random.Random, number: int) -> None:
        self.people = people
        self.chance = chance
        self.number = number
        self.slug = ""
        self.done: Counter[str] = Counter()
        """Actions by name, and the refusals with their status."""
        self.names: list[str] = []
        """The same, one by one."""
        self.log: list[str] = []
        self.led_to = ""
        """The page to which the last action led."""
        self.has_changed = True
        """Whether an action may have changed anything since the last comparison."""
        self.opened: dict[tuple[Browser, str], Answer] = {}
        """The pages that were opened since the last action."""
        self.is_stuck = False
        """Whether the step that the event needs was refused the last time."""
        self.system = chance.choice(SYSTEMS)
        self.is_long = number % LONG_EVERY == 0
        self.rounds = chance.randint(1, 6) if self.is_long else chance.choice([1, 2, 2, 3])
        self.entry_ids: list[int] = []
        self.names_of_players: list[str] = []

    @property
    def base(self) -> str:
        return f"/t/{self.slug}/"

    def who(self) -> Browser:
        return self.people.deputy if self.chance.random() < 0.2 else self.people.chief

    # From the declaration to the first pairing

    def declare(self) -> None:
        chance = self.chance
        codes = [
            code
            for code in CODES
            if self.system != "double_swiss_2026" or code.split("/")[0] not in OF_GAMES
        ]
        listed = chance.sample(codes, chance.choice([0, 1, 2, 3, 4, 5]))
        day = chance.choice(DAYS)
        edition = "" if day else chance.choice(["fide-2026", "fide-2024"])
        if (edition or ("fide-2024" if day and day < "2026-03-01" else "")) == "fide-2024":
            listed = [
                code
                for code in listed
                if code.split("/")[0] not in ("STD", "TPN", "RTNG") and code != "AOB/F"
            ]
        settings = {name: chance.choice(values) for name, values in FIELDS.items()}
        scoring = chance.choice(["standard", "standard", "standard", "football", "custom"])
        settings |= {
            "name": f"Event {self.number}", "total_rounds": str(self.rounds), "system": self.system, "scoring": scoring,
            "points_win": "2", "points_draw": "1", "points_loss": "0", "tie_breaks": ",".join(listed),
            "tie_break_edition": edition, "start_date": day, "federation": chance.choice(["", "FRA"]),
            # Older rules leave FIDE mode, after two questions.
            "leave_fide_mode": "yes", "leave_fide_mode_again": "yes",
        }  # fmt: skip
        if self.system.startswith("dutch_20") and chance.random() < 0.3:
            settings["acceleration"] = "baku"
        answer = self.post(
            self.people.chief, "/new/", [(name, value) for name, value in settings.items() if value]
        )
        if answer.status != 302 and settings.pop(
            "acceleration", ""
        ):  # Not with every list and point system.
            answer = self.post(
                self.people.chief,
                "/new/",
                [(name, value) for name, value in settings.items() if value],
            )
        assert answer.status == 302, (settings, _problems(answer))
        self.slug = answer.location.split("/")[2]
        self._appoint()
        players = chance.choice(
            [2, 5, 6, 7, 8, 8, 9, 10, 11, 12] if self.is_long else [2, 4, 5, 5, 6, 6, 7, 8]
        )
        lines = ["Name,Rating,National rating,Federation,Club"]
        for n in range(players):
            fide = (
                "" if n % 7 == 6 and chance.random() < 0.5 else 2400 - 17 * n - chance.randint(0, 9)
            )
            national = 2380 - 23 * n if chance.random() < 0.2 else ""
            lines.append(
                f'"Player{n:02}, Pat","{fide}",{national},FRA,{chance.choice(["Nord", "Sud", ""])}'
            )
        answer = self.people.chief.send(
            f"/api/v1/tournaments/{self.slug}/entries/import/", "\n".join(lines)
        )
        assert answer.status == 200, answer
        self.read_entries()
        if chance.random() < 0.3:
            _prohibit(self, 0)
        self.submit(self.people.chief, "colour/", "colour/", colour=chance.choice("wb"))
        self.submit(self.people.chief, "numbers/", "numbers/")

    def _appoint(self) -> None:
        page = f"{self.base}people/"
        self.post(self.people.chief, page, [("username", "deputy"), ("role", "deputy")])

    def read_entries(self) -> None:
        text = self.people.chief.get(f"/api/v1/tournaments/{self.slug}/entries/csv/").text
        self.entry_ids = [int(row["id"]) for row in csv_rows(text)]
        self.names_of_players = [row["name"] for row in csv_rows(text)]

    # Requests

    def open(self, browser: Browser, path: str) -> Answer:
        """Open a page; one that is still open is used again, until the next action."""
        if (browser, path) not in self.opened:
            self.opened[browser, path] = browser.get(path)
        return self.opened[browser, path]

    def forget(self) -> None:
        """Forget what was seen, because something may have changed."""
        self.opened.clear()
        self.has_changed = True

    def post(self, browser: Browser, path: str, fields: list[tuple[str, str]]) -> Answer:
        shown = [one for one in fields if one[0] != "csrfmiddlewaretoken"]
        self.log.append(f"POST {path} {shown}")
        self.opened.clear()
        answer = browser.post(path, fields)
        self.has_changed = self.has_changed or answer.status < 400
        self.log.append(f"  -> {answer.status} {' '.join(_problems(answer))}")
        assert answer.status < 500, f"{answer.status} at {path}: {fields}"
        return answer

    def submit(
        self,
        browser: Browser,
        page: str,
        action: str,
        *,
        more: list[tuple[str, str]] | None = None,
        **wanted: Any,
    ) -> bool:
        """Open *page* and send its form for *action*; confirm if asked.

        Return whether the page leads on.
        """
        url = self.base + page
        opened = self.open(browser, url)
        if opened.status != 200:
            return self._count(action, opened.status)
        target = (self.base + action).split("?")[0]
        found = [form for form in forms(opened.text, url) if form.action.split("?")[0] == target]
        if not found:
            return self._count(action, 0)
        return self.send_form(browser, found[-1], label=action, more=more or [], **wanted)

    def send_form(
        self,
        browser: Browser,
        form: Form,
        *,
        label: str,
        more: list[tuple[str, str]] | None = None,
        **wanted: Any,
    ) -> bool:
        fields = form.filled(self.chance, **wanted) + (more or [])
        answer = self.post(browser, form.action, fields)
        if answer.status in (200, 409, 422):  # A page that asks to confirm.
            plain = form.action.split("?")[0]
            again = [
                each
                for each in forms(answer.text, form.action)
                if each.action.split("?")[0] == plain
                and {*CONFIRMING} & {*dict(each.fields), *dict(each.buttons)}
            ]
            if again:
                answer = self.post(browser, again[-1].action, again[-1].confirmed(dict(fields)))
        self.led_to = answer.location
        return self._count(label, answer.status)

    def _count(self, name: str, status: int) -> bool:
        plain = "".join("N" if letter.isdigit() else letter for letter in name).replace("NN", "N")
        self.done[f"{plain} {status}"] += 1
        self.names.append(f"{plain} {status}")
        return status == 302

    # Steps

    def step(self, states: list[str]) -> None:
        """Do something: mostly what the event needs next, sometimes anything else; *states* are
        those of the rounds.
        """
        number = next((n for n, state in enumerate(states, 1) if state != "results_published"), 0)
        if number and self.chance.random() < (0.2 if self.is_stuck else 0.62):
            before = self.done.total()
            self.go_on(number, states[number - 1])
            self.is_stuck = not any(word.endswith(" 302") for word in self.names[before:])
        else:
            # Everybody may have been removed before round 1: then somebody enters.
            act = self.chance.choice(OTHER) if self.entry_ids else _late
            act(self, number or len(states))

    def go_on(self, number: int, state: str) -> None:
        at = f"rounds/{number}/"
        chief = self.people.chief
        if state == "planned":
            self.submit(chief, at, f"{at}pair/", more=[("older_open", "yes")])
            if self.led_to.endswith("/missing/"):
                self.submit(chief, f"{at}missing/", f"{at}missing/")
                self.submit(chief, at, f"{at}pair/", more=[("older_open", "yes")])
        elif state == "draft":
            more = [("cut_short", "yes"), ("reason", "the hall closes"), ("leave_fide_mode", "yes")]
            if not self.submit(chief, at, f"{at}publish/", more=more):
                self.submit(chief, at, f"{at}pair/", more=[("older_open", "yes")])
        elif self.chance.random() < 0.15 or not self.enter_results(number):
            if self.chance.random() < 0.15:
                _second_reading(self, number)
            self.submit(chief, at, f"{at}results/publish/")

    def enter_results(self, number: int) -> bool:
        """Enter the results that are missing; return False if there were none."""
        browser, at = self.who(), f"rounds/{number}/"
        page = self.open(browser, self.base + at)
        form = next(
            (f for f in forms(page.text, self.base + at) if f.action.endswith("/results/")), None
        )
        if form is None:
            return False
        given = dict(form.fields)
        games = [name for name in given if name.startswith("result-")]
        lacking, still_playing = [name for name in games if not given[name]], []
        lacking += [name for name in games if given[name] == "??" and self.chance.random() < 0.5]
        if (
            self.chance.random() < 0.3
        ):  # Some games still go on: boards of the next round may be certain.
            still_playing = lacking[self.chance.randint(1, max(1, len(lacking))) :]
            lacking = lacking[: len(lacking) - len(still_playing)]
        for name in lacking:
            given[name] = self.chance.choice(RESULTS)
            given[name.replace("result-", "confirmed-")] = "yes"
        if lacking:
            self._count("results", self.post(browser, form.action, list(given.items())).status)
        if still_playing:
            _announce(self, number)
        return bool(lacking)


def _problems(answer: Answer) -> list[str]:
    """Return what the page says about a refusal."""
    found = re.findall(
        r'(?:id="problem"|class="errorlist)[^>]*>(.*?)</(?:ul|section|div)>', answer.text, re.S
    )
    return [text_of(markup)[:300] for markup in found if text_of(markup)]


Step = Callable[[RandomEvent, int], object]


def _of_entry(action: str, **wanted: Any) -> Step:
    def act(event: RandomEvent, number: int) -> None:
        pk = event.chance.choice(event.entry_ids)
        event.submit(event.who(), f"entries/{pk}/", f"entries/{pk}/{action}", **wanted)

    return act


def _late(event: RandomEvent, number: int) -> None:
    name = f"Late{len(event.entry_ids):02}, Lou"
    event.submit(
        event.who(), "entries/add/", "entries/add/", name=name, fide_rating=event.chance.choice(["", 1500, 2250]),
        federation="FRA", arrived="on", rating_source="", title="", estimate="",
    )  # fmt: skip
    event.read_entries()


def _remove(event: RandomEvent, number: int) -> None:
    _of_entry("remove/")(event, number)
    event.read_entries()


def _page(page: str, action: str = "", **wanted: Any) -> Step:
    def act(event: RandomEvent, number: int) -> None:
        here = page.format(n=number)
        event.submit(event.who(), here, (action or page.split("?")[0]).format(n=number), **wanted)

    return act


def _prohibit(event: RandomEvent, number: int) -> None:
    """Two players shall not meet: the page shows the effect, the second form saves it."""
    if len(event.names_of_players) < 2:
        return
    names = [("name", name) for name in event.chance.sample(event.names_of_players, 2)]
    path = f"{event.base}prohibited/"
    opened = event.people.chief.get(path)
    if found := [
        form
        for form in forms(opened.text, path)
        if "by" in form.choices or "by" in dict(form.fields)
    ]:
        sent = [one for one in found[0].fields if one[0] not in ("name", "by", "")]
        sent += [*names, ("by", "names"), ("reason", "one family"), ("prohibit", "yes")]
        answer = event.post(event.people.chief, path, sent)
        if again := [
            form for form in forms(answer.text, path) if {*CONFIRMING} & {*dict(form.buttons)}
        ]:
            answer = event.post(event.people.chief, path, again[-1].confirmed({}))
        event._count("prohibited", answer.status)


def _tie_breaks(event: RandomEvent, number: int) -> None:
    codes = [
        code
        for code in CODES
        if event.system != "double_swiss_2026" or code.split("/")[0] not in OF_GAMES
    ]
    listed = event.chance.sample(codes, event.chance.randint(1, 4))
    event.submit(event.people.chief, "tie-breaks/", "tie-breaks/", tie_breaks=",".join(listed))


def _number_of_rounds(event: RandomEvent, number: int) -> None:
    total = event.chance.randint(number, event.rounds + 1)
    event.submit(event.people.chief, "number-of-rounds/", "number-of-rounds/", total_rounds=total)


def _resume(event: RandomEvent, number: int) -> None:
    """Enter the result of a game that was adjourned in an earlier round."""
    event.enter_results(event.chance.randint(1, number))


def _correct(event: RandomEvent, number: int) -> None:
    at = event.chance.randint(1, number)
    kind = event.chance.choice(["result", "result", "colours", "rating"])
    about = (
        f"player={event.chance.choice(event.entry_ids)}"
        if kind == "rating"
        else f"board={event.chance.randint(1, 4)}"
    )
    effect = event.chance.choice(["", "next_round", "next_pairing", "rating_only"])
    path = f"rounds/{at}/correct/"
    more = {"chosen": effect} if effect else {}
    if kind == "result" and event.system == "double_swiss_2026":
        about += event.chance.choice(["", "/2"])
    event.submit(event.people.chief, f"{path}?kind={kind}&{about}", path, **more)


def _change(event: RandomEvent, number: int) -> None:
    """Change the pairings of a published round [C.04.2 4.4], or arrange a draft."""
    chance, path = event.chance, f"rounds/{number}/change/"
    situation = chance.choice(
        ["correction", "missing_players", "regulations", "top_boards", "consent", "late_entry"]
    )
    boards = "&".join(f"b={chance.randint(1, 5)}" for _ in range(2))
    people = f"&p={chance.choice(event.entry_ids)}" if chance.random() < 0.4 else ""
    page = event.base + path
    url = f"{page}?situation={situation}&{boards}{people}&go=on"
    opened = event.people.chief.get(url)
    found = [form for form in forms(opened.text, url) if form.action.split("?")[0] == page]
    if opened.status != 200 or not found:
        event._count("change", opened.status if not found else 0)
        return
    form = found[-1]
    fields = dict(form.fields)
    seats = [name for name in fields if name[:2] in ("w-", "b-")]
    for name, other in zip(seats, chance.sample(seats, len(seats)), strict=True):
        fields[name] = dict(form.fields)[other] if chance.random() < 0.8 else fields[name]
    sent = [
        *(
            fields | {"reason": "so it is", "further": "x", "exception": "x", "started": "yes"}
        ).items()
    ]
    sent += [*form.boxes, ("save", "yes")]
    event._count("change", event.post(event.people.chief, form.action, sent).status)


def _swap(event: RandomEvent, number: int) -> None:
    one, other = event.chance.choice(event.entry_ids), event.chance.choice(event.entry_ids)
    path = f"rounds/{number}/swap/"
    event.submit(event.people.chief, f"{path}?mark={one}&with={other}", path, reason="so it is")


def _press(page: str, ending: str, **wanted: Any) -> Step:
    """Return a step that sends one of the forms of *page* whose address ends with *ending*."""

    def act(event: RandomEvent, number: int) -> None:
        here = event.base + page.format(n=number, pk=event.chance.choice(event.entry_ids))
        browser = event.who()
        opened = event.open(browser, here)
        found = [form for form in forms(opened.text, here) if re.search(ending + "$", form.action)]
        if opened.status != 200 or not found:
            event._count(ending, 0)
            return
        form = event.chance.choice(found)
        event.send_form(browser, form, label=form.action.replace(event.base, ""), **wanted)

    return act


def _announce(event: RandomEvent, number: int) -> None:
    """Announce the certain boards of the round after *number*, whose games still go on."""
    page = f"{event.base}rounds/{number + 1}/"
    for _ in range(TURNS):  # Each time the page is opened, more of the outcomes are tried.
        event.opened.clear()
        opened = event.open(event.people.chief, page)
        form = next(
            (one for one in forms(opened.text, page) if one.action.endswith("/announce/")), None
        )
        if opened.status != 200 or form is not None:
            break
    if opened.status == 200 and form is not None:
        event.send_form(event.people.chief, form, label="announce/")
    else:
        event._count("announce/", 0)


def _withdraw_announcement(event: RandomEvent, number: int) -> None:
    _press(f"rounds/{number + 1}/", "/announce/withdraw/", reason="a mistake")(event, number)


def _second_reading(event: RandomEvent, number: int) -> None:
    """Somebody else enters all results again, with some mistakes; the Chief Arbiter decides the
    differences.
    """
    path = f"{event.base}rounds/{number}/second-reading/"
    opened = event.open(event.people.deputy, path)
    form = next((one for one in forms(opened.text, path) if one.action == path), None)
    if opened.status == 200 and form is not None:
        given = dict(form.fields)
        for name in [one for one in given if one.startswith("result-")]:
            given[name] = event.chance.choice(RESULTS)
            given[name.replace("result-", "confirmed-")] = "yes"
        answer = event.post(event.people.deputy, path, list(given.items()))
        event._count("second-reading", answer.status)
    _press("rounds/{n}/differences/", "/differences/")(event, number)


def _twice(event: RandomEvent, number: int) -> None:
    """Send a form a second time, from a page that shows an earlier state: a double click, or a slow
    connection.
    """
    page = event.base + event.chance.choice([f"rounds/{number}/", "points/", "desk/"])
    opened = event.open(event.people.chief, page)
    found = [form for form in forms(opened.text, page) if "/manage/" not in form.action]
    if opened.status != 200 or not found:
        return
    form = event.chance.choice(found)
    fields = form.filled(event.chance)
    for browser in (
        event.people.chief,
        event.chance.choice([event.people.chief, event.people.deputy]),
    ):
        event._count("twice", event.post(browser, form.action, fields).status)


def _desk_robot(event: RandomEvent, number: int) -> None:
    """Press any button on the page of the round, the desk or the check-in."""
    page = event.base + event.chance.choice(
        [f"rounds/{number}/", "desk/", "check-in/", f"rounds/{number}/missing/"]
    )
    browser = event.who()
    opened = event.open(browser, page)
    found = [
        form
        for form in forms(opened.text, page)
        if "/manage/" not in form.action and "/delete/" not in form.action
    ]
    if opened.status == 200 and found:
        form = event.chance.choice(found)
        event.send_form(browser, form, label=form.action.replace(event.base, ""))


OTHER: Final[tuple[Step, ...]] = (
    _of_entry("withdraw/"), _of_entry("bye/"), _of_entry("bye/"), _of_entry("return/"), _of_entry("expel/"),
    _late, _late, _remove, _correct, _correct, _correct, _change, _change, _swap, _swap,
    _desk_robot, _desk_robot, _desk_robot,
    _page("rounds/{n}/", "undo/"), _page("desk/", "undo/"), _page("desk/", "undo/"),
    _page("points/"), _page("points/"), _page("points/", "points/withdraw/", reason="a mistake"),
    _tie_breaks, _resume, _resume, _number_of_rounds, _prohibit, _page("rounds/{n}/by-hand/"),
    _page("final/"), _page("lots/"), _page("rounds/{n}/", "rounds/{n}/discard/"), _page("numbers/", "numbers/"),
    _page("numbers/", "numbers/close/"), _page("check-in/", "check-in/turn/"), _announce, _announce,
    _press("entries/{pk}/", r"/bye/\d+/cancel/"), _press("entries/{pk}/", "/explain/"), _second_reading, _twice,
    _withdraw_announcement,
    _page("settings/"), _page("colour/"), _of_entry(""),
)  # fmt: skip
