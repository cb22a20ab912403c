"""The undo under a message is that of the action just done, or there is none (UI2)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments import factories
from tests.tournaments.factories import entry_of
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.models import Decision, Entry, RequestedBye, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def ready(chief_arbiter: User, client: Client) -> Tournament:
    client.force_login(chief_arbiter)
    return factories.make_ready(chief_arbiter, players=8, rounds=5)


def done_before(tournament: Tournament, actor: User) -> None:
    """Grant a bye, or cancel it: an action of the same person, a moment ago, that can be undone."""
    given: dict[str, object] = {"actor": actor, "now": timezone.now(), "round_number": 5}
    last = entry_of(tournament, 8)
    if RequestedBye.objects.filter(entry=last).exists():
        bye_cancel(entry_id=last.pk, **given)  # type: ignore[arg-type]
    else:
        bye_request(entry_id=last.pk, kind="Z", **given)  # type: ignore[arg-type]


def offered(text: str) -> list[int]:
    """Return the lines of the record whose undo a page offers in its messages."""
    part = text[text.index('<div id="messages"') :]
    part = part[: part.index("<h1")] if "<h1" in part else part
    return [int(number) for number in re.findall(r'name="sequence" value="(\d+)"', part)]


def entry_form(client: Client, entry: Entry, **changed: str) -> dict[str, str]:
    """Return what the page of *entry* sends, with the fields *changed*."""
    page = client.get(reverse("entry-edit", args=[entry.tournament.slug, entry.pk]))
    form = page.context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: str(value) for name, value in sent.items() if value not in (None, False, "")}
    return {**sent, "shown": page.context["shown"], **changed}


def requests(
    client: Client, tournament: Tournament
) -> Iterator[tuple[str, str, dict[str, object], bool]]:
    """Yield each action that shows a message: a name, its address, its form,
    and whether its undo is offered.
    """

    def at(name: str, *more: object) -> str:
        return reverse(name, args=[tournament.slug, *more])

    def seen() -> dict[str, object]:
        return {"seen_version": Tournament.objects.get(pk=tournament.pk).version}

    one, two, three = (entry_of(tournament, number) for number in (1, 2, 3))
    yield "entry, nothing changed", at("entry-edit", one.pk), {**entry_form(client, one)}, False
    yield "entry", at("entry-edit", one.pk), {**entry_form(client, one, club="Rochade")}, True
    yield "bye", at("bye-request", one.pk), {"round_number": 2, "kind": "Z", **seen()}, True
    yield "bye cancelled", at("bye-cancel", one.pk, 2), seen(), True
    yield "withdrawal", at("entry-withdraw", two.pk), {"from_round": 1, **seen()}, True
    yield "return", at("entry-return", two.pk), {"reason": "He is back.", **seen()}, True
    yield (
        "new entry",
        at("entry-add"),
        {**form_of(client, at("entry-add")), "name": "New, Nora"},
        True,
    )
    pair = {"confirmed": "yes", "one": one.pk, "other": two.pk, "last": 0, "was": "[]"}
    yield "no pair", at("prohibited-pairs"), {"confirmed": "yes", "was": "[]"}, False
    yield "a pair", at("prohibited-pairs"), pair, True
    yield (
        "settings, nothing changed",
        at("tournament-edit"),
        form_of(client, at("tournament-edit")),
        False,
    )
    yield "schedule, nothing changed", at("schedule"), form_of(client, at("schedule")), False
    yield (
        "prizes, nothing changed",
        at("prizes-define"),
        form_of(client, at("prizes-define")),
        False,
    )
    yield "listed", at("tournament-manage"), {"do": "list", **seen()}, True
    yield "check-in opened", at("check-in-turn"), {"open": "yes", **seen()}, False
    yield "check in", at("check-in-tick"), {"in": three.pk}, True
    yield "check in again", at("check-in-tick"), {"in": three.pk}, False
    yield "numbers", at("numbers"), seen(), False
    yield (
        "desk card, nothing changed",
        at("desk-card", three.pk),
        form_of(client, at("desk-card", three.pk)),
        False,
    )


def form_of(client: Client, address: str) -> dict[str, object]:
    """Return what the main form of the page at *address* sends if nothing is changed."""
    text = client.get(address).content.decode()
    forms = re.findall(r'<form method="post"(?! action="[^"]*undo).*?</form>', text, re.DOTALL)
    form = max(forms, key=len)
    sent: dict[str, object] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        kind, name, value = (_attribute(tag, each) for each in ("type", "name", "value"))
        if (
            name
            and name != "csrfmiddlewaretoken"
            and (kind not in ("checkbox", "radio") or " checked" in tag)
        ):
            sent[name] = value or ("on" if kind == "checkbox" else "")
    for name, options in re.findall(
        r'<select[^>]*name="([^"]*)".*?>(.*?)</select>', form, re.DOTALL
    ):
        chosen = re.search(r'<option value="([^"]*)"[^>]*selected', options)
        sent[name] = chosen[1] if chosen else ""
    for name, value in re.findall(
        r'<textarea[^>]*name="([^"]*)"[^>]*>(.*?)</textarea>', form, re.DOTALL
    ):
        sent[name] = value.strip("\r\n")
    return sent


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return html.unescape(found[1]) if found else ""


@pytest.mark.costly
def test_the_undo_under_a_message_is_that_of_its_action(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    wrong = {}
    coming = requests(client, ready)
    done_before(ready, chief_arbiter)
    while (request := next(coming, None)) is not None:
        name, address, form, is_offered = request
        newest = Tournament.objects.get(pk=ready.pk).version
        answer = client.post(address, form, follow=True)
        assert answer.status_code == 200, (
            name,
            answer.status_code,
            re.findall(r'class="error[^>]*>([^<]*)', answer.content.decode()),
        )
        written = list(
            Decision.objects.filter(tournament=ready, sequence__gt=newest).values_list(
                "sequence", flat=True
            )
        )
        message = offered(answer.content.decode())
        if message != (written if is_offered else []):
            wrong[name] = (message, written)
        done_before(ready, chief_arbiter)
    assert wrong == {}
