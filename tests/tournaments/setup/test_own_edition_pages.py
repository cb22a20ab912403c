"""The pages of a tournament with older handling rules name only articles of its own edition."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation

from pairing.rounds.attendance import attendance
from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from tests.tournaments import factories
from tests.tournaments.web.test_access_pages import (
    ARBITER_ACTIONS,
    ARBITER_PAGES,
    EVERYBODY,
    addresses,
)
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import entry_add, entry_withdraw, numbers_assign
from tournaments.models import Game, Tournament
from tournaments.models.pairing_systems import SENTENCES
from tournaments.reports.trf_export import trf_export

SYSTEMS = {"dutch_2017": "c04_2_2017", "dutch_pre2017": "pre2017"}
TEXTS = {
    "c04_2_2017": re.compile(
        r"C\.04\.(1( [a-i])?|2( [A-D]\.\d+)?|3( [A-E](\.\d+(\.[a-z]\d?)*)?)?|5)"
    ),
    "pre2017": re.compile(r"C\.04\.3( [A-F](\d+(\.[a-z]\d?)?)?(-F9)?)?"),
}
"""Patterns for the articles of each edition; the articles of 2026 match
none except for the chapters themselves.
"""

NAMED = {
    "dutch_2017": {"C.04.1 a", "C.04.1 b", "C.04.2 D.8", "C.04.2 D.10", "C.04.2 B.2", "C.04.5"},
    "dutch_pre2017": {"C.04.3 B1.a", "C.04.3 A2", "C.04.3 F5", "C.04.3 F6", "C.04.3 F7"},
}
"""Articles that must be on some page; otherwise the test read nothing."""

WITH_PAGES = {4, 5}
WITH_ACTIONS = {3}
"""The moments of the event in which all pages are read, and in which all actions are tried: with
the draft of round 2 (3), with its pairings published (4), and at the end (5). ``--run-slow`` reads
and tries all at every moment.
"""

OTHER_PAGES = {0: {"desk", "round-by-hand", "start"}, 3: {"desk", "round", "round-provisional"}}
OTHER_ACTIONS = {
    0: {"entry-check-in", "entry-expel", "reading-differences", "schedule", "second-reading"}
}
"""The pages and actions at the other moments, before round 1 (0) and with a draft (3), whose
answers cite an article that they do not cite at those above."""

NOT_PAGES = {
    "language",
    "report-archive",
    "progress-picture",
    "crosstable-picture",
    "performance-picture",
    "undo",
}
CITED = re.compile(
    r"C\.04\.\d(?: [^\s,;:()\[\]<\"]+(?:, (?!C\.0)(?:[A-F]?\.?\d|[a-i]\b)[^\s,;:()\[\]<\"]*)*)?"
)
BARE = re.compile(r"\[((?!C\.0)(?:[A-Z]\.?\d[\d.]*[a-z]?|\d+\.\d[\d.]*)(?:, [^\],]+)*)\]")


@dataclass
class Reader:
    """Reads pages as the chief arbiter, and collects every article on them:
    by edition and by page.
    """

    client: Client
    tournament: Tournament
    language: str
    found: dict[str, set[str]] = field(default_factory=dict)

    def some_pages(self, names: set[str]) -> None:
        for name in sorted(names):
            self.read(name, self.client.get(self.of_round(name)))

    def pages(self) -> None:
        """Read every page, with the questions that open more of it."""
        self.some_pages((EVERYBODY | ARBITER_PAGES) - NOT_PAGES)
        for name, query in (
            ("round-why", "?player=1&other=2"),
            ("round-why", "?player=8&other=3"),
            ("round-correct", "?kind=result&board=1"),
            ("round-correct", "?kind=colours&board=1"),
            ("round-correct", f"?kind=rating&player={factories.entry_of(self.tournament, 2).pk}"),
            ("round-change", "?b=1&b=2"),
            ("recheck", "?run=1"),
        ):
            self.read(name, self.client.get(self.of_round(name) + query))

    def actions(self, names: set[str]) -> None:
        """Submit the actions with an empty form."""
        for name in sorted(names):
            self.tried(name, self.of_round(name), {})

    def tried(self, name: str, url: str, form: dict[str, object]) -> None:
        """Read the answer to an action, and roll its changes back."""
        before = transaction.savepoint()
        self.read(name, self.client.post(url, form, follow=True))
        transaction.savepoint_rollback(before)

    def of_round(self, name: str) -> str:
        """Return the address of a page for the newest round that has begun."""
        return re.sub(r"(rounds|pairings)/1/", rf"\1/{self.newest}/", self.addresses[name])

    @cached_property
    def addresses(self) -> dict[str, str]:
        return addresses(EVERYBODY | ARBITER_PAGES | ARBITER_ACTIONS, self.tournament)

    @cached_property
    def newest(self) -> int:
        """The newest round that has begun, or 1."""
        begun = self.tournament.rounds.exclude(state="planned").order_by("number").last()
        return begun.number if begun else 1

    def read(self, name: str, response: HttpResponse) -> None:
        if response.status_code >= 500:
            pytest.fail(f"{name}: {response.status_code}")
        if response.headers["Content-Type"].startswith("image/png"):
            return  # Drawn from the SVG, which is read too.
        text = html.unescape(response.content.decode())
        with translation.override(self.language):
            for sentence in SENTENCES.values():  # the choice of a system describes all of them
                text = text.replace(str(sentence), "")
        self.found.setdefault(name, set()).update(
            one_by_one(CITED.findall(text)), BARE.findall(text)
        )


def one_by_one(cited: Iterable[str]) -> Iterator[str]:
    """Split ``C.04.2 D.3, D.10`` in two; a full stop at the end belongs to the sentence."""
    for articles in cited:
        chapter, _, numbers = articles.partition(" ")
        for number in numbers.split(", "):
            yield f"{chapter} {number}".strip().rstrip(".")


def unknown_articles(found: dict[str, set[str]], system: str) -> dict[str, list[str]]:
    """Return the articles on pages that are in no text of the edition.

    Explanations name articles of C.04.3 without the chapter.
    """
    own = TEXTS[SYSTEMS[system]]
    bare = re.compile(r"[A-F]\.?\d+.*")
    strange = {
        name: sorted(
            a
            for a in there
            if not own.fullmatch(a) and not (name == "round-why" and bare.fullmatch(a))
        )
        for name, there in found.items()
    }
    return {name: articles for name, articles in strange.items() if articles}


def an_event(actor: User, system: str) -> Iterator[Tournament]:
    """Run an event with every kind of situation; yield wherever there is something new to read."""
    event = factories.make_ready(
        actor,
        players=9,
        rounds=4,
        system=system,
        acceleration="baku" if system == "dutch_2017" else "",
        change_clause="As the organiser wishes.",
        top_boards=2,
        max_byes=1,
        last_bye_round=3,
        correction_minutes=30,
    )
    who, at = {"actor": actor, "now": factories.NOW}, lambda n: factories.round_of(event, n).pk
    bye_request(entry_id=factories.entry_of(event, 5).pk, round_number=2, kind="H", **who)
    entry_add(tournament_id=event.pk, name="Unknown, Una", **who)
    check_in_open(tournament_id=event.pk, **who)
    yield event
    check_in_close(tournament_id=event.pk, **who)
    missing = [entry.pk for entry in attendance(event).missing]
    check_in_settle(tournament_id=event.pk, consequence="paired", seen=missing, **who)
    numbers_assign(tournament_id=event.pk, **who)
    round_pair(round_id=at(1), **who)
    yield event
    round_publish(round_id=at(1), **who)
    yield event
    factories.enter_results(
        event, 1, actor, lambda board, white, black: "-+" if board == 2 else "10"
    )
    results_publish(round_id=at(1), **who)
    game = Game.objects.get(round_id=at(1), board=1)
    result_correct(
        game_id=game.pk, result="==", report=Report(factories.NOW, "the two of them"), **who
    )
    entry_add(tournament_id=event.pk, name="Late, Lara", **who, checked_in=True)
    entry_withdraw(entry_id=factories.entry_of(event, 9).pk, **who)
    round_pair(round_id=at(2), **who)
    yield event
    round_publish(round_id=at(2), **who, cut_short=factories.CUT_SHORT)
    yield event
    factories.enter_results(event, 2, actor)
    results_publish(round_id=at(2), **who)
    factories.play_rounds(event, [3, 4], actor)
    yield event


def meet_again(reader: Reader) -> None:
    """Arrange round 2 so that the first two of round 1 meet again, and read the page."""
    event = reader.tournament
    if event.rounds.get(number=2).state not in ("draft", "pairings_published"):
        return
    (white, black, _), *_ = factories.boards(event, 1)
    seats = [
        tpn
        for board in factories.boards(event, 2)
        for tpn in board[:2]
        if tpn not in (white, black)
    ]
    form: dict[str, object] = {"left": "U", "show": "yes"}
    for board, (one, other) in enumerate(
        [(white, black), *zip(seats[0::2], seats[1::2], strict=True)], 1
    ):
        form |= {
            f"w-{board}": factories.entry_of(event, one).pk,
            f"b-{board}": factories.entry_of(event, other).pk,
        }
    boards = "&".join(f"b={board}" for board in range(1, len(seats) // 2 + 2))
    for situation in ("", "4.4.1", "absolute"):
        reader.tried(
            "round-change",
            f"{reader.of_round('round-change')}?{boards}&situation={situation}",
            form,
        )


def read_all(
    client: Client, actor: User, system: str, language: str, *, all_moments: bool
) -> dict[str, set[str]]:
    client.force_login(actor)
    client.cookies["django_language"] = language
    found: dict[str, set[str]] = {}
    for moment, event in enumerate(an_event(actor, system)):
        event.refresh_from_db()
        reader = Reader(client, event, language, found)
        if all_moments or moment in WITH_PAGES:
            reader.pages()
        else:
            reader.some_pages(OTHER_PAGES.get(moment, set()))
        everything = all_moments or moment in WITH_ACTIONS
        reader.actions(
            ARBITER_ACTIONS | ARBITER_PAGES if everything else OTHER_ACTIONS.get(moment, set())
        )
        meet_again(reader)
    form: dict[str, object] = {"text": trf_export(event, public=False)}
    reader.tried("tournament-import", reverse("tournament-import"), form)
    return found


@pytest.mark.costly
@pytest.mark.parametrize("system, language", [("dutch_2017", "en"), ("dutch_pre2017", "fr")])
def test_no_page_names_an_article_of_another_edition(
    client: Client, chief_arbiter: User, system: str, language: str, pytestconfig: pytest.Config
) -> None:
    found = read_all(
        client, chief_arbiter, system, language, all_moments=pytestconfig.getoption("--run-slow")
    )
    # The help is about the present rules, whatever tournament the reader came from.
    del found["help-page"]
    assert unknown_articles(found, system) == {}
    assert set().union(*found.values()) >= NAMED[system]
    assert len(found) > 40


@pytest.mark.parametrize("system", [*SYSTEMS])
def test_an_article_of_2026_would_be_found(system: str) -> None:
    found = {
        "a page": {
            *one_by_one(CITED.findall("by C.04.2 4.3, 4.4. And (C.04.1 3, C.04.7)")),
            *BARE.findall("[3.1.2]"),
        }
    }
    numbers = ["3.1.2", "C.04.1 3", "C.04.2 4.3", "C.04.2 4.4", "C.04.7"]
    assert unknown_articles(found, system) == {"a page": numbers}


def test_templates_write_articles_of_the_handling_rules_only_with_the_tag() -> None:
    written = {
        path.name: shown
        for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")
        if (
            shown := re.findall(
                r"C\.04\.[127]\b[^%\n]{0,20}",
                re.sub(r'(?<!\[){% cite "[^"]+" %}', "", path.read_text()),
            )
        )
    }
    assert written == {}


@pytest.mark.costly
def test_settings_without_effect_in_the_older_rules_say_so(
    client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    shown = {}
    for system in ("dutch_2026", *SYSTEMS):
        event = factories.make_tournament(chief_arbiter, name=system, system=system)
        text = "".join(
            client.get(reverse(f"settings-{part}", args=[event.slug])).content.decode()
            for part in ("byes", "deadlines")
        )
        shown[system] = re.findall(
            r"Has no effect under the handling rules of this tournament \[(.+?)\]", text
        )
    assert shown == {
        "dutch_2026": [],
        "dutch_2017": ["C.04.2 D.10", "C.04.2 D.10"],
        "dutch_pre2017": ["C.04.3 F7", "C.04.3 F6", "C.04.3 F6"],
    }
