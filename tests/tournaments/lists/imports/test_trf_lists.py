"""A TRF file as a list of players: nothing of it is lost without a word."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.trf.reports import player, report
from tournaments.events.sections import event_create
from tournaments.lists.imports.reading import read_list
from tournaments.lists.imports.trf_tournament import tournament_import_trf, trf_preview
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def line(tpn: int) -> str:
    """Return a player without rating, with a FIDE ID of its own."""
    return player(tpn, "0.0").replace("12345678", f"1234567{tpn}").replace(" 2000 ", "      ")


DAMAGED = report(
    "062 8",
    "142 5",
    line(1),
    line(2).replace("1990/01/01", "1850/01/01"),
    "101" + line(3)[3:],
    line(4),
)
"""Record 062 counts eight players, a line is mistyped, so that number 3 is missing,
and a date cannot be.
"""


def says_all(text: str) -> bool:
    wanted = (
        "062 says 8 players",
        "must begin with 001",
        "The pairing numbers have gaps: 3",
        "1850/01/01",
    )
    return all(each in text for each in wanted)


@pytest.mark.parametrize("event", [False, True])
def test_the_preview_of_a_list_shows_the_remarks_on_a_trf_file(
    event: bool, tournament: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    address = reverse("entries-import", args=[tournament.slug])
    if event:
        made = event_create(
            tournament_id=tournament.pk,
            name="City Open",
            label="A",
            actor=chief_arbiter,
            now=factories.NOW,
        )
        address = reverse("event-import", args=[made.slug])
    response = client.post(address, {"text": DAMAGED})
    assert response.status_code == 200
    assert says_all(tidy(response.content.decode()).replace("&#x27;", "'"))


def test_the_answer_of_the_api_has_the_remarks_on_a_trf_file(
    tournament: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    for query, saved in (("?preview=yes", False), ("", True)):
        answer = client.post(
            f"/api/v1/tournaments/{tournament.slug}/entries/import/{query}",
            DAMAGED.encode(),
            content_type="application/octet-stream",
        ).json()
        assert (answer["saved"], answer["new"]) == (saved, 3)
        assert says_all(" ".join(answer["remarks"]))


def test_a_list_has_the_ratings_of_national_records_and_of_our_comments(
    chief_arbiter: User,
) -> None:
    text = report(
        "142 5",
        "152 W",
        *map(line, (1, 2, 3)),
        "### Rating of TPN 2: 1700, national",
        "### Rating of TPN 3: 1600, estimate by the arbiter",
        f"FRA    1{'':40}1800{'Z99001':>16}",
    )
    rows = read_list(text.encode()).rows
    assert [(row.national_rating, row.estimate, row.national_id) for row in rows] == [
        (1800, None, "Z99001"), (1700, None, ""), (None, 1600, ""),
    ]  # fmt: skip
    made = tournament_import_trf(actor=chief_arbiter, now=factories.NOW, data=text.encode())
    ratings = (
        Entry.objects.filter(tournament=made)
        .order_by("tpn")
        .values_list("national_rating", "rating")
    )
    assert list(ratings) == [(1800, 1800), (1700, 1700), (None, 1600)]


@pytest.mark.parametrize(
    "written, read",
    [
        (("12/31/1985", "05/12/2010"), ("1985/12/31", "2010/05/12")),
        (("05-12-2010", "12-31-1985"), ("2010/05/12", "1985/12/31")),
        (("31/12/1985", "05/12/2010"), ("1985/12/31", "2010/12/05")),
        (("1985/12/31", "05/05/2010"), ("1985/12/31", "2010/05/05")),
        (("1985/12/31", "05.12.2010"), ("1985/12/31", "2010/12/05")),
    ],
)
def test_one_date_decides_which_is_the_month_in_the_whole_file(
    written: tuple[str, str], read: tuple[str, str], chief_arbiter: User
) -> None:
    text = report(
        "142 5",
        "152 W",
        *(line(n).replace("1990/01/01", each) for n, each in enumerate(written, 1)),
    )
    assert tuple(row.birth_date for row in read_list(text.encode()).rows) == read
    made = tournament_import_trf(actor=chief_arbiter, now=factories.NOW, data=text.encode())
    assert tuple(made.entries.order_by("tpn").values_list("birth_date", flat=True)) == read
    assert "trf.date_ambiguous" not in [each.code for each in trf_preview(text.encode()).warnings]


@pytest.mark.parametrize("other", ["1985/12/31", "contradiction"])
def test_a_date_of_which_nothing_says_which_is_the_month_is_named(other: str) -> None:
    dates = (
        ["05/12/2010", "12/31/1985", "31/12/1985"]
        if other == "contradiction"
        else ["05/12/2010", other]
    )
    text = report(
        "142 5", "152 W", *(line(n).replace("1990/01/01", each) for n, each in enumerate(dates, 1))
    )
    expected = (
        "Line 3, column 70: “05/12/2010” could mean two days (001): it is read as 2010/12/05."
    )
    for remarks in (trf_preview(text.encode()).warnings, read_list(text.encode()).remarks):
        assert expected in [str(each) for each in remarks]
