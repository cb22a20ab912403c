"""The titles that are claimed on the sheet IT4."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.ratings.direct_titles import TitleClaim
from tests.policy.refusals import words_of
from tests.tournaments import factories
from tests.tournaments.reports.test_norms import make_strong
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Tournament
from tournaments.reports.fide_sheets import title_candidates, title_lines
from tournaments.reports.title_claims import claims_of, claims_save


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """After all nine rounds."""
    return make_strong(chief_arbiter, range(1, 10))


def entry(tournament: Tournament, tpn: int) -> Entry:
    return Entry.objects.get(tournament=tournament, tpn=tpn)


def page(tournament: Tournament, client: Client) -> str:
    answer = client.get(reverse("title-claims", args=[tournament.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def sent(text: str) -> dict[str, str]:
    found = re.search(r'name="shown" value="([^"]*)"', text)
    assert found is not None
    return {"shown": html.unescape(found[1])}


def sheet(tournament: Tournament, client: Client) -> str:
    address = reverse("sheets", args=[tournament.slug])
    return words_of(client.get(f"{address}?list=it4").content.decode())


def test_without_a_claim_the_sheet_has_the_candidates_and_room_to_write(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    frame = tournament_frame(over, runs=False)
    assert title_lines(frame, 9) == title_candidates(frame, 9)
    text = sheet(over, client)
    assert "Strike out players who ask for no title" in text
    assert "gold medal" in text
    assert "at least 10 players and 9 rounds" in text


def test_a_claim_is_on_the_sheet_and_the_others_are_not(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    winner, last = entry(over, 1), entry(over, 16)
    Entry.objects.filter(pk=winner.pk).update(fide_rating=2199)
    Entry.objects.filter(pk=last.pk).update(title="", sex="w")
    url = reverse("title-claims", args=[over.slug])
    data = sent(page(over, client)) | {
        f"e{winner.pk}-title": "IM",
        f"e{winner.pk}-group": "Open",
        "other-number": "16",
        "other-title": "WGM norm",
        "other-group": "Women",
        "other-result": "best woman",
        "other-remarks": "shared with nobody",
    }
    assert client.post(url, data).status_code == 302
    over.refresh_from_db()
    assert claims_of(over) == {
        winner.pk: TitleClaim("IM", "Open"),
        last.pk: TitleClaim("WGM norm", "Women", "best woman", "shared with nobody"),
    }
    text = sheet(over, client)
    assert "Strike out" not in text
    assert text.count("Conditional until a rating of 2200 with 30 games") == 1
    assert "best woman norm of WGM shared with nobody" in text
    assert "Open" in text
    assert [line.entry.tpn for line in title_lines(tournament_frame(over, runs=False), 9)] == [
        1,
        16,
    ]
    # The other player has a row of her own now, which empties her claimed.
    kept = {f"e{winner.pk}-title": "IM", f"e{winner.pk}-group": "Open"}
    data = sent(page(over, client)) | kept | {f"e{last.pk}-title": ""}
    assert client.post(url, data).status_code == 302
    over.refresh_from_db()
    assert set(claims_of(over)) == {winner.pk}
    assert not over.decisions.filter(action__contains="title").exists()


@pytest.mark.costly
def test_impossible_claims_are_refused(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url, text = reverse("title-claims", args=[over.slug]), page(over, client)
    for data in (
        {"other-number": "2", "other-title": "GM"},  # holds it
        {"other-number": "2", "other-title": "FM"},  # is below it
        {"other-number": "2", "other-title": "WIM"},  # a man
        {"other-number": "99", "other-title": "IM"},
        {"other-title": "IM"},
        {"other-number": "2", "other-title": "XM"},
    ):
        answer = client.post(url, sent(text) | data)
        assert answer.status_code == 422, data
        assert "Nothing is saved yet." in answer.content.decode()
    over.refresh_from_db()
    assert over.title_claims == {}


@pytest.mark.costly
def test_an_old_page_does_not_overwrite_a_newer_claim(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url, winner = reverse("title-claims", args=[over.slug]), entry(over, 1)
    old = sent(page(over, client))
    client.post(url, old | {f"e{winner.pk}-title": "IM"})
    refused = client.post(url, old | {f"e{winner.pk}-title": "FM"})
    assert refused.status_code == 409
    over.refresh_from_db()
    assert claims_of(over) == {winner.pk: TitleClaim("IM")}


def test_only_an_arbiter_of_a_live_copy_saves(
    over: Tournament, stranger: User, chief_arbiter: User
) -> None:
    claims = {entry(over, 1).pk: TitleClaim("IM")}
    with pytest.raises(PermissionDenied):
        claims_save(tournament_id=over.pk, actor=stranger, claims=claims)
    Tournament.objects.filter(pk=over.pk).update(handed_over_at=factories.NOW)
    claims_save(tournament_id=over.pk, actor=chief_arbiter, claims=claims)
    over.refresh_from_db()
    assert over.title_claims == {}


def test_before_results_there_is_no_form(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    client.force_login(chief_arbiter)
    assert "None after round 0." in page(tournament, client)


def test_a_file_made_by_hand_has_no_other_claims() -> None:
    damaged = {"1": {"title": "King"}, "x": {"title": "IM"}, "2": {}, "3": {"title": "FM"}}
    assert claims_of(Tournament(title_claims=damaged)) == {3: TitleClaim("FM")}
