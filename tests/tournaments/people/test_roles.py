"""Every action and every page, for every role."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import resolve, reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.results import result_record
from tests.tournaments.factories import NOW, entry_of, round_of
from tests.tournaments.web.test_access_pages import (
    ARBITER_ACTIONS,
    ARBITER_PAGES,
    address,
    addresses,
)
from tournaments.core.names_of_people import name_of
from tournaments.core.permissions import POWERS, Power
from tournaments.entries.entries import entry_check_in, entry_withdraw
from tournaments.models import Action, Appointment, Decision, Game, Role, Round, Tournament

PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "rules" / "roles.md"
RESULTS: Final = {
    "round-results",
    "results-state",
    "results-checks",
    "game-result",
    "second-reading",
    "game-reading",
}
RESULTS |= {"round-floor"}
CHECK_IN: Final = {
    "entries",
    "check-in",
    "entry-check-in",
    "check-in-find",
    "check-in-tick",
    "desk-card",
}
CHECK_IN |= {"self-check-in-settings"}
ANY_ROLE: Final = {"desk", "undo", "find", "keys"}
CHIEF_ONLY: Final = {
    "tournament-delete",
    "person-remove",
    "person-renew",
    "person-hand-over",
    "invitation-withdraw",
}


@pytest.fixture
def person(published_round: Round) -> User:
    return User.objects.create_user(
        "person", password="person-secret", first_name="Pia", last_name="Person"
    )


@pytest.fixture
def on_site(published_round: Round) -> Tournament:
    return published_round.tournament


def give(person: User, tournament: Tournament, role: Role) -> None:
    Appointment.objects.create(tournament=tournament, person=person, role=role, since=NOW)


def test_the_table_in_the_documents_says_what_each_role_can_do() -> None:
    page = PAGE.read_text(encoding="utf-8").partition("## Actions and roles")[2]
    for power in (Power.DECIDE, Power.RESULTS, Power.CHECK_IN):
        roles = ", ".join(str(role.label) for role in Role if power in POWERS[role])
        codes = ", ".join(f"`{action}`" for action in Action if action.row.power is power)
        row = f"| {roles} | {codes} |"
        assert row in page, f"This row belongs in docs/rules/roles.md: {row}"
    roles = ", ".join(str(role.label) for role in Role if Power.RUN in POWERS[role])
    assert f"| {roles} | every other action" in page


OPEN_TO: Final = {
    Role.DEPUTY: (ARBITER_PAGES | ARBITER_ACTIONS) - CHIEF_ONLY,
    Role.READER: (ARBITER_PAGES | {"desk"})
    - {
        "round-by-hand",
        "desk-card",
        "self-check-in-settings",
        "registrations",
        "registration-settings",
    }
    - {"second-reading", "round-floor", "table-codes", "table-sheet"}
    - {"personal-data", "personal-data-of", "personal-data-file", "mirror", "hand-over"}
    - {"hall-screens", "hall-screen-add", "hall-screen", "hall-screen-pages", "report-archive"},
    Role.RESULT_DESK: RESULTS | ANY_ROLE,
    Role.CHECK_IN_DESK: CHECK_IN | ANY_ROLE,
}
"""The pages and the actions of each role."""


def links(page: bytes) -> set[str | None]:
    """Return the names of the pages of tournaments to which *page* links."""
    found = re.findall(r'<a [^>]*href="(/t/[^"?#]+)', page.decode(errors="replace"))
    return {resolve(address).url_name for address in found}


@pytest.mark.costly
@pytest.mark.parametrize("role", OPEN_TO)
def test_every_page_and_every_action_is_open_to_its_roles_only(
    role: Role, on_site: Tournament, person: User, client: Client
) -> None:
    give(person, on_site, role)
    client.force_login(person)
    urls = addresses(ARBITER_PAGES | ARBITER_ACTIONS, on_site)
    if role is not Role.DEPUTY:  # Who opens every page: test_a_deputy_can_open_every_page.
        pages = {name: client.get(urls[name]) for name in sorted(ARBITER_PAGES)}
        assert {name for name, page in pages.items() if page.status_code != 403} == (
            ARBITER_PAGES & OPEN_TO[role]
        )
        linked = {
            name: links(page.content) & ARBITER_PAGES - OPEN_TO[role]
            for name, page in pages.items()
        }
        assert {name: refused for name, refused in linked.items() if refused} == {}
    lines = Decision.objects.filter(tournament=on_site).count()
    refused = [name for name in sorted(ARBITER_ACTIONS) if name not in OPEN_TO[role]]
    assert [client.post(urls[name]).status_code for name in refused] == [403] * len(refused)
    if role is not Role.DEPUTY:
        posts = sorted(ARBITER_PAGES - RESULTS - CHECK_IN - ANY_ROLE)
        assert {client.post(urls[name]).status_code for name in posts} <= {403, 405}
    assert Decision.objects.filter(tournament=on_site).count() == lines


def test_a_result_desk_enters_results_and_nothing_else(
    on_site: Tournament, person: User, chief_arbiter: User
) -> None:
    give(person, on_site, Role.RESULT_DESK)
    game = Game.objects.get(round__tournament=on_site, board=1)
    result_record(game_id=game.pk, result="10", actor=person, now=NOW)
    assert Decision.objects.filter(tournament=on_site).latest("sequence").actor_name == "Pia Person"
    entry = entry_of(on_site, 1).pk
    with pytest.raises(PermissionDenied, match="Your role in this tournament does not allow this"):
        entry_check_in(entry_id=entry, checked_in=True, actor=person, now=NOW)
    with pytest.raises(PermissionDenied):
        entry_withdraw(entry_id=entry, from_round=2, actor=person, now=NOW)


def test_a_check_in_desk_marks_players_and_nothing_else(on_site: Tournament, person: User) -> None:
    give(person, on_site, Role.CHECK_IN_DESK)
    entry_check_in(entry_id=entry_of(on_site, 1).pk, checked_in=True, actor=person, now=NOW)
    game = Game.objects.get(round__tournament=on_site, board=1)
    with pytest.raises(PermissionDenied):
        result_record(game_id=game.pk, result="10", actor=person, now=NOW)


def test_drafts_are_seen_by_arbiters_and_readers_only(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    seen = {}
    for role in (Role.READER, Role.RESULT_DESK, Role.CHECK_IN_DESK):
        person = User.objects.create_user(role.value, password="person-secret")
        give(person, ready, role)
        client.force_login(person)
        rounds = client.get(f"/api/v1/tournaments/{ready.slug}/rounds/").json()["results"]
        page = client.get(reverse("round", args=[ready.slug, 1])).status_code
        seen[role] = (rounds[0]["state"], page)
    assert seen == {
        Role.READER: ("draft", 200),
        Role.RESULT_DESK: ("planned", 403),
        Role.CHECK_IN_DESK: ("planned", 403),
    }


@pytest.mark.parametrize(
    "role, page, missing",
    [
        (Role.RESULT_DESK, "round-results", "4 results of round 1 are missing."),
        (Role.CHECK_IN_DESK, "check-in", "8 players are not checked in."),
    ],
)
def test_the_first_page_of_a_desk_says_name_role_and_what_is_missing(
    role: Role, page: str, missing: str, on_site: Tournament, person: User, client: Client
) -> None:
    give(person, on_site, role)
    client.force_login(person)
    first = client.get(reverse("desk", args=[on_site.slug])).content.decode()
    assert f"Hello {name_of(person)}</h1>" in first
    assert f'<p class="standing">{role.label}</p>' in first
    assert missing in first
    assert f'href="{address(page, on_site)}"' in first
    shown = first + client.get(address(page, on_site)).content.decode()
    theirs = set(
        addresses(
            [page, "check-in", "desk", "second-reading", "round-floor", "find"], on_site
        ).values()
    )
    others = set(addresses(ARBITER_PAGES - {"entry-edit", "desk-card"}, on_site).values()) - theirs
    assert [link for link in sorted(others) if f'href="{link}"' in shown] == []
