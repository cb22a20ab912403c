"""The lists of the shared cases: the page and REST enter the same players,
and let the same rows wait.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.plugins.shared import SHARED, shared_params
from tests.tournaments.lists.imports.previews import sent
from tournaments.models import Entry, Tournament, WaitingEntry

EXPECTED = {
    "a-no-headings.csv": ([1950, 1871, 2004, 1830], 0),
    "e-swedish-headings.csv": ([1950, 1871, 2004, 1830], 0),
    "a-elo-and-fide-elo.csv": ([2020, 1971], 0),
    "b-rtg-rtgn-rtgi.csv": ([2020], 0),
    "e-spanish.csv": ([2020, 1971], 0),
    "thousands.csv": ([2000, 1000, 2000], 0),
    "usdates.csv": ([2020, 1971, 1904, 1800], 0),
    "a-total-with-count-under-fide-id.csv": ([2000, 1900], 1),
    "mojibake.csv": ([], 3),
    "first-list.csv": ([2000, 1900, 1800, 1700, 1600, 1500], 0),
    "second-list.csv": ([2000, 1900, 1800, 1700, 1600, 1500], 0),
    "implausible.csv": ([1700], 3),
    "dates.csv": ([1971, 1904, 1800, 1700, 1600, 1500, 1400, 1300], 1),
    "quotes.csv": ([2020, 1971, 1800, 1500], 3),
}
"""The FIDE ratings of the players entered, and how many rows wait."""


LISTS = (
    shared_params("cases/*/*.csv")
    if (SHARED / "cases").is_dir()
    else [pytest.param(SHARED, marks=pytest.mark.skip(reason="../shared has no folder cases"))]
)


@pytest.mark.django_db
@pytest.mark.parametrize("path", LISTS)
def test_page_and_rest_agree(
    path: Path, client: Client, tournament: Tournament, chief_arbiter: User
) -> None:
    if path.name not in EXPECTED:
        pytest.skip(f"no expectation for {path.name}")
    ratings, waiting = EXPECTED[path.name]
    client.force_login(chief_arbiter)
    for way in ("page", "rest"):
        if way == "page":
            url = reverse("entries-import", args=[tournament.slug])
            shown = client.post(url, {"file": SimpleUploadedFile(path.name, path.read_bytes())})
            assert client.post(url, sent(shown)).status_code == 302
        else:
            url = f"/api/v1/tournaments/{tournament.slug}/entries/import/"
            done = client.post(url, path.read_bytes(), content_type="application/octet-stream")
            assert done.status_code == 200
        entered = Entry.objects.filter(tournament=tournament)
        rows = WaitingEntry.objects.filter(tournament=tournament)
        found = sorted(entry.fide_rating or 0 for entry in entered)
        assert (way, found, rows.count()) == (way, sorted(ratings), waiting)
        entered.delete()
        rows.delete()
