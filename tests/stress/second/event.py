"""A random event and its random arbiters: each action is a request of a browser,
as a page offers it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from . import steps
from .browser import Answer, Browser
from .choices import CODES, DAYS, FIELDS, LONG_EVERY, OF_GAMES, RESULTS, SYSTEMS
from .pages import CONFIRMING, Form, csv_rows, forms, text_of


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
            steps.prohibit(self, 0)
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
            return self.count(action, opened.status)
        target = (self.base + action).split("?")[0]
        found = [form for form in forms(opened.text, url) if form.action.split("?")[0] == target]
        if not found:
            return self.count(action, 0)
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
        return self.count(label, answer.status)

    def count(self, name: str, status: int) -> bool:
        """Count the action *name*; return whether its page has led on."""
        plain = "".join("N" if letter.isdigit() else letter for letter in name).replace("NN", "N")
        self.done[f"{plain} {status}"] += 1
        self.names.append(f"{plain} {status}")
        return status == 302

    # Steps

    def step(self, states: list[str]) -> None:
        """Do something: mostly what the event needs next, sometimes anything else;
        *states* are those of the rounds.
        """
        number = next((n for n, state in enumerate(states, 1) if state != "results_published"), 0)
        if number and self.chance.random() < (0.2 if self.is_stuck else 0.62):
            before = self.done.total()
            self.go_on(number, states[number - 1])
            self.is_stuck = not any(word.endswith(" 302") for word in self.names[before:])
        else:
            # Everybody may have been removed before round 1: then somebody enters.
            act = self.chance.choice(steps.OTHER) if self.entry_ids else steps.late
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
                steps.second_reading(self, number)
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
            self.count("results", self.post(browser, form.action, list(given.items())).status)
        if still_playing:
            steps.announce(self, number)
        return bool(lacking)


def _problems(answer: Answer) -> list[str]:
    """Return what the page says about a refusal."""
    found = re.findall(
        r'(?:id="problem"|class="errorlist)[^>]*>(.*?)</(?:ul|section|div)>', answer.text, re.S
    )
    return [text_of(markup)[:300] for markup in found if text_of(markup)]
