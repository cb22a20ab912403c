"""C.04.2 2.3: after round 1 was paired nobody becomes another player
without a reason that the record keeps.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.policy.refusals import page_refuses, refused, words_of
from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds
from tests.tournaments.web.test_shown_values import opened
from tournaments.entries.entries import entry_update
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Tournament

WHY = "the passport says so"


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


@pytest.fixture
def begun(chief_arbiter: User) -> Tournament:
    tournament = make_ready(chief_arbiter, rounds=3)
    play_rounds(tournament, [1], chief_arbiter)
    return tournament


@pytest.mark.costly
@pytest.mark.parametrize(
    "field, value", [("name", "Other, Person"), ("fide_id", 471100), ("birth_date", "1999/01/02")]
)  # fmt: skip
def test_c04_2_2_3_nobody_becomes_another_player_without_a_reason(
    field: str,
    value: object,
    begun: Tournament,
    deputy: User,
    chief_arbiter: User,
    as_deputy: Client,
    client: Client,
) -> None:
    entry = entry_of(begun, 5)
    name = entry.name
    for actor in (deputy, chief_arbiter):
        for reason in ("", ". ."):
            change: dict[str, Any] = {"entry_id": entry.pk, field: value, "reason": reason}
            refused(lambda: entry_update(**change, **by(actor)), "entry.reason_missing")  # noqa: B023
    url = reverse("entry-edit", args=[begun.slug, entry.pk])
    form = opened(as_deputy, url) | {field: str(value).replace("/", "-")}
    page_refuses(
        as_deputy,
        url,
        form,
        422,
        says="enter a reason for the change of name, FIDE ID or date of birth",
    )
    saved = as_deputy.post(url, form | {"reason": WHY}, follow=True)
    assert f"{value if field == 'name' else name} is saved." in words_of(saved.content.decode())
    line = begun.decisions.latest("sequence")
    assert (line.action, line.reason, line.actor_name) == ("entry.updated", WHY, "Dan Deputy")
    public = words_of(client.get(reverse("record", args=[begun.slug])).content.decode())
    assert ("Birth date changed" if field == "birth_date" else f"→ {value}") in public
    report = words_of(as_deputy.get(reverse("event-report", args=[begun.slug])).content.decode())
    assert WHY in report
    if field == "name":
        assert f"Name: {name} → Other, Person" in public
        assert f"Name: {name} → Other, Person" in report


def test_c04_2_2_3_an_imported_list_changes_no_identity_after_round_1(
    begun: Tournament, deputy: User
) -> None:
    entry = entry_of(begun, 5)
    newer = read_list(f"Name;Fide ID;Born;Club\n{entry.name};471100;1999-01-02;Mate\n")
    list_import(tournament_id=begun.pk, reading=newer, choice=Choice(), **by(deputy))
    entry.refresh_from_db()
    assert (entry.fide_id, entry.birth_date, entry.club) == (None, "", "Mate")


def test_c04_2_2_3_before_round_1_no_reason_is_needed(chief_arbiter: User, deputy: User) -> None:
    ready = make_ready(chief_arbiter)
    entry_update(
        entry_id=entry_of(ready, 5).pk, name="Other, Person", birth_date="1999/01/02", **by(deputy)
    )
    assert ready.decisions.latest("sequence").reason == ""
