"""Columns with phone numbers and paid fees: for the check-in desk only."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput
from tournaments.core.record import verify
from tournaments.entries.cells import read_row, texts_of
from tournaments.entries.desk_data import fee_set
from tournaments.entries.waiting_rows import waiting_enter, waiting_rows
from tournaments.lists.imports.entry_lists import Choice, Imported, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Decision, DeskData, Tournament
from tournaments.reports.record_against_tables import differences

LIST = (
    "Nom;Elo;Tél.;Mobile;Droits payés\n"
    "Abara, Ada;1500;06 12 34;07 99;25,50 €\nBlom, Bo;1600;;;oui\nCole, Cy;1700;;;non\nDoe, "
    "Di;many;06 77;;20\n"
)


def imported(tournament: Tournament, actor: User, text: str = LIST) -> Imported:
    return list_import(
        tournament_id=tournament.pk,
        actor=actor,
        now=NOW,
        reading=read_list(text),
        choice=Choice(),
        seen=None,
    )


def stored(tournament: Tournament) -> dict[str, tuple[str, int]]:
    rows = DeskData.objects.filter(entry__tournament=tournament).select_related("entry")
    return {row.entry.name: (row.phone, row.fee_paid) for row in rows}


@pytest.mark.django_db
def test_phone_numbers_and_paid_fees_go_to_the_check_in_desk(
    tournament: Tournament, chief_arbiter: User
) -> None:
    by = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
    fee_set(fee=3000, **by)
    assert len(imported(tournament, chief_arbiter).entered) == 3
    assert stored(tournament) == {"Abara, Ada": ("06 12 34", 2550), "Blom, Bo": ("", 3000)}
    # The row that waits keeps them until it is entered.
    doe = waiting_rows(tournament).get()
    typed = doe.fields | {"fide_rating": "1800"}
    waiting_enter(waiting_id=doe.pk, values=typed, seen=doe.fields, **by)
    assert stored(tournament)["Doe, Di"] == ("06 77", 2000)
    lines = own(Decision).filter(action="desk_data.changed")
    assert (lines.count(), lines.filter(is_public=True).count()) == (3, 0)
    tournament.refresh_from_db()
    assert verify(tournament) == []
    assert differences(tournament) == []
    # A newer list changes nothing of the desk.
    imported(tournament, chief_arbiter, LIST.replace("06 12 34", "1").replace("many", "1800"))
    assert stored(tournament)["Abara, Ada"] == ("06 12 34", 2550)


@pytest.mark.costly
@pytest.mark.django_db
def test_the_preview_shows_them_and_nothing_is_entered_without_the_fee(
    tournament: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    page = reverse("entries-import", args=[tournament.slug])
    shown = client.post(page, {"text": LIST})
    text = shown.content.decode()
    assert (
        "06 12 34" in text,
        "25.50" in text,
        "The column “Mobile” is not used: “Tél.” has the same meaning" in text,
    ) == (True, True, True)
    sent = {"confirmed": shown.context["data"], "seen": shown.context["digest"], "new": ["2", "3"]}
    refused = client.post(page, sent)
    assert (refused.status_code, "has no entry fee" in refused.content.decode()) == (400, True)
    assert stored(tournament) == {}
    assert client.post(page, sent | {"new": ["2"]}).status_code == 302
    assert stored(tournament) == {"Abara, Ada": ("06 12 34", 2550)}
    row = waiting_rows(tournament).get()
    assert (
        f'name="row-{row.pk}-phone"'
        in client.get(reverse("waiting", args=[tournament.slug])).content.decode()
    )


@pytest.mark.parametrize(
    "text, cents, in_full",
    [
        ("30", 3000, False), ("12,5", 1250, False), ("CHF 20", 2000, False), ("0", None, False), ("-", None, False),
        ("No", None, False), ("Payé", None, True), ("✓", None, True), ("TRUE", None, True),
    ],
)  # fmt: skip
def test_an_amount_or_yes_or_no(text: str, cents: int | None, in_full: bool) -> None:
    row, problems = read_row({"name": "Doe, Di", "fee_paid": text})
    assert row is not None
    assert (row.fee_paid, row.paid_in_full, problems) == (cents, in_full, [])
    assert read_row(texts_of(row))[0] == row


def test_another_text_is_doubtful() -> None:
    for values, code in (
        ({"fee_paid": "half"}, "csv.amount"),
        ({"fee_paid": "100001"}, "csv.amount"),
    ):
        (problem,) = read_row({"name": "Doe, Di", **values})[1]
        assert isinstance(problem, BadInput)
        assert (problem.code, problem.field, "(paid)" in str(problem)) == (code, "fee_paid", True)
    assert read_row({"name": "Doe, Di", "phone": "1" * 41})[1][0].code == "csv.too_long"
