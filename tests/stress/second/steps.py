"""What the arbiters of a random event do besides what it needs next: one function, one step."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from .choices import CODES, OF_GAMES, RESULTS, TURNS
from .pages import CONFIRMING, forms

if TYPE_CHECKING:
    from .event import RandomEvent

Step = Callable[["RandomEvent", int], object]


def _of_entry(action: str, **wanted: Any) -> Step:
    def act(event: RandomEvent, number: int) -> None:
        pk = event.chance.choice(event.entry_ids)
        event.submit(event.who(), f"entries/{pk}/", f"entries/{pk}/{action}", **wanted)

    return act


def late(event: RandomEvent, number: int) -> None:
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


def prohibit(event: RandomEvent, number: int) -> None:
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
        event.count("prohibited", answer.status)


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
        event.count("change", opened.status if not found else 0)
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
    event.count("change", event.post(event.people.chief, form.action, sent).status)


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
            event.count(ending, 0)
            return
        form = event.chance.choice(found)
        event.send_form(browser, form, label=form.action.replace(event.base, ""), **wanted)

    return act


def announce(event: RandomEvent, number: int) -> None:
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
        event.count("announce/", 0)


def _withdraw_announcement(event: RandomEvent, number: int) -> None:
    _press(f"rounds/{number + 1}/", "/announce/withdraw/", reason="a mistake")(event, number)


def second_reading(event: RandomEvent, number: int) -> None:
    """Somebody else enters all results again, with some mistakes;
    the Chief Arbiter decides the differences.
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
        event.count("second-reading", answer.status)
    _press("rounds/{n}/differences/", "/differences/")(event, number)


def _twice(event: RandomEvent, number: int) -> None:
    """Send a form a second time, from a page that shows an earlier state:
    a double click, or a slow connection.
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
        event.count("twice", event.post(browser, form.action, fields).status)


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
    late, late, _remove, _correct, _correct, _correct, _change, _change, _swap, _swap,
    _desk_robot, _desk_robot, _desk_robot,
    _page("rounds/{n}/", "undo/"), _page("desk/", "undo/"), _page("desk/", "undo/"),
    _page("points/"), _page("points/"), _page("points/", "points/withdraw/", reason="a mistake"),
    _tie_breaks, _resume, _resume, _number_of_rounds, prohibit, _page("rounds/{n}/by-hand/"),
    _page("final/"), _page("lots/"), _page("rounds/{n}/", "rounds/{n}/discard/"), _page("numbers/", "numbers/"),
    _page("numbers/", "numbers/close/"), _page("check-in/", "check-in/turn/"), announce, announce,
    _press("entries/{pk}/", r"/bye/\d+/cancel/"), _press("entries/{pk}/", "/explain/"), second_reading, _twice,
    _withdraw_announcement,
    _page("settings/"), _page("colour/"), _of_entry(""),
)  # fmt: skip
