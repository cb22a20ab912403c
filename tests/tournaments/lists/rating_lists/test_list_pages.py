"""The page for loading lists, and the entry form that searches them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.long_work import do, lose
from tournaments.core import jobs
from tournaments.lists.rating_lists import loading
from tournaments.lists.rating_lists.loading import list_begin
from tournaments.lists.rating_lists.search import lists_in_use, search_lists
from tournaments.models import Entry, Job, RatingList, Tournament

from .conftest import PLAYERS, Load, text_list


@pytest.fixture
def url(tournament: Tournament) -> str:
    return reverse("entry-add", args=[tournament.slug])


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_a_site_administrator_uploads_a_list(
    client: Client, administrator: User, tournament: Tournament
) -> None:
    client.force_login(administrator)
    page = reverse("rating-lists")
    file = SimpleUploadedFile("standard_oct26.txt", text_list())
    response = client.post(page, {"file": file, "url": "https://x", "month": "2026-09"})
    assert response.status_code == 302
    row = RatingList.objects.get()
    assert jobs.waiting("rating_list").arguments == {"list": row.pk}  # type: ignore[union-attr]
    assert (row.origin, row.month, row.state) == ("standard_oct26.txt", date(2026, 9, 1), "loading")
    again = client.post(page, {"url": "https://ratings.example.org/l.zip"})
    assert again.status_code == 422
    assert b"A rating list is being loaded." in again.content
    do("rating_list")
    assert lists_in_use() == [row]
    assert not row.upload.exists()
    assert b"September 2026" in client.get(page).content


@pytest.mark.parametrize(
    "sent, sentence",
    [
        ({}, "Choose a file, or enter an address."),
        ({"url": "ftp://example.org/"}, "This is not an address that starts with http"),
        ({"url": "https://example.org/", "month": "11.2026"}, "Enter the month as in 2026-11."),
        ({"url": "https://example.org/", "federation": "F12"}, "F12"),
    ],
)
def test_a_form_that_cannot_be_used_says_why(
    client: Client,
    administrator: User,
    tournament: Tournament,
    sent: dict[str, str],
    sentence: str,
) -> None:
    client.force_login(administrator)
    response = client.post(reverse("rating-lists"), sent)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not RatingList.objects.exists()


@pytest.mark.costly
def test_others_may_not_load_lists(
    client: Client, stranger: User, chief_arbiter: User, deputy: User, tournament: Tournament
) -> None:
    for other in (stranger, chief_arbiter):
        client.force_login(other)
        assert client.get(reverse("rating-lists")).status_code == 403
        for sent in ({"url": "https://example.org"}, {"use": "1"}, {"drop": "1"}):
            assert client.post(reverse("rating-lists"), sent).status_code == 403
    client.force_login(deputy)  # a site administrator
    assert client.get(reverse("rating-lists")).status_code == 200


def test_a_loading_is_shown_with_its_progress_and_cancelled(
    client: Client, administrator: User, tournament: Tournament
) -> None:
    row = list_begin(actor=None, now=timezone.now(), origin="list.txt")
    Job.objects.filter(kind="rating_list").update(
        progress={"bytes_read": 250, "bytes_total": 1000, "players": 77}
    )
    client.force_login(administrator)
    part = client.get(reverse("rating-lists"), headers={"HX-Request": "true"}).content.decode()
    assert "77 players" in part
    assert 'hx-trigger="every 2s"' in part
    assert 'value="25"' in part
    assert '<form method="post" enctype' not in part
    client.post(reverse("rating-lists"), {"cancel": row.pk})
    row.refresh_from_db()
    assert (row.state, jobs.is_active("rating_list")) == ("cancelled", False)
    assert b"every 2s" not in client.get(reverse("rating-lists")).content


def test_cancelling_while_it_is_loaded_leaves_the_list_before_and_no_file(
    client: Client, administrator: User, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = load(text_list())
    monkeypatch.setattr(loading, "BETWEEN", 0.0)
    client.force_login(administrator)
    page = reverse("rating-lists")
    client.post(page, {"file": SimpleUploadedFile("standard_oct26.txt", text_list())})
    row = RatingList.objects.get(state="loading")
    assert do("rating_list", at=lambda mark: client.post(page, {"cancel": row.pk})) == 1
    row.refresh_from_db()
    assert (row.state, lists_in_use(), row.path.exists(), row.upload.exists()) == (
        "cancelled",
        [used],
        False,
        False,
    )


@pytest.mark.costly
def test_a_loading_whose_process_was_killed_says_so_and_another_one_begins(
    client: Client, administrator: User, tournament: Tournament
) -> None:
    client.force_login(administrator)
    page = reverse("rating-lists")
    client.post(page, {"file": SimpleUploadedFile("standard_oct26.txt", text_list())})

    def kill(mark: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        do("rating_list", at=kill)
    lose()
    shown = client.get(page).content.decode()
    assert "The work has failed. Start it again." in shown
    assert "every 2s" not in shown
    client.post(page, {"file": SimpleUploadedFile("standard_oct26.txt", text_list())})
    do("rating_list")
    assert [row.origin for row in lists_in_use()] == ["standard_oct26.txt"]
    assert (
        RatingList.objects.filter(state="failed", problem__code="rating_list.interrupted").count()
        == 1
    )


@pytest.mark.costly
def test_the_page_asks_about_a_smaller_list_and_returns_to_the_one_before(
    client: Client, administrator: User, load: Load
) -> None:
    page = reverse("rating-lists")
    used = load(text_list())
    RatingList.objects.filter(pk=used.pk).update(loaded_by=administrator)
    small = load(text_list(PLAYERS[:1]), "wrong.txt")
    client.force_login(administrator)
    shown = client.get(page).content.decode()
    assert "by Ada Admin" in shown
    assert (
        "The number of players would fall from 5 to 1: FIDE 2026-11 from wrong.txt is not in use yet."
        in shown
    )
    stale = client.post(
        page, {"use": small.pk, "current": used.pk + 100}, follow=True
    ).content.decode()
    assert "Another list is in use by now." in stale
    assert lists_in_use() == [used]
    client.post(page, {"use": small.pk, "current": used.pk})
    assert lists_in_use() == [small]
    back = client.get(page).content.decode()
    assert f'name="use" value="{used.pk}"' in back
    client.post(page, {"use": used.pk, "current": small.pk})
    assert lists_in_use() == [used]
    smaller = load(text_list(PLAYERS[:1]))
    assert "is discarded" in client.post(page, {"drop": smaller.pk}, follow=True).content.decode()
    assert client.post(page, {"use": "x"}).status_code < 500
    assert lists_in_use() == [used]


def test_without_a_list_the_form_does_not_search(
    client: Client, chief_arbiter: User, url: str
) -> None:
    client.force_login(chief_arbiter)
    assert b'id="hits"' not in client.get(url).content


def test_hits_while_typing(
    client: Client, chief_arbiter: User, tournament: Tournament, load: Load
) -> None:
    load(text_list())
    client.force_login(chief_arbiter)
    page = reverse("entry-hits", args=[tournament.slug])
    found = client.get(page, {"name": "brandt"}).content.decode()
    assert "2 players in the rating list" in found
    assert found.count('name="listed"') == 2
    assert found.index("Brandt, Łucja") < found.index("Łukasiewicz-Brandt, Zoë Ann")
    assert 'name="listed"' not in client.get(page, {"name": "b"}).content.decode()
    assert client.get(page).status_code == 200


@pytest.mark.costly
def test_a_page_of_hits_without_javascript_keeps_what_is_typed(
    client: Client, chief_arbiter: User, tournament: Tournament, load: Load, url: str
) -> None:
    load(text_list())
    client.force_login(chief_arbiter)
    typed = {"name": "zoe luk", "club": "Mat", "fide_rating": "", "sex": ""}
    page = client.post(url, typed | {"search": "yes"}).content.decode()
    assert "Łukasiewicz-Brandt, Zoë Ann" in page
    assert 'value="Mat"' in page
    (hit,) = search_lists(tournament, "zoe luk")
    filled = client.post(url, typed | {"listed": hit.key})
    assert [filled.context["form"][name].value() for name in ("name", "fide_id", "fide_rating", "club", "sex")] == [
        "Łukasiewicz-Brandt, Zoë Ann", 2000032, 1834, "Mat", "w",
    ]  # fmt: skip
    assert not Entry.objects.filter(tournament=tournament).exists()
    form = filled.context["form"]
    data = {
        bound.html_name: value for bound in form if (value := bound.value()) not in (None, False)
    }
    assert client.post(url, data).status_code == 302
    entry = Entry.objects.get(tournament=tournament)
    assert (entry.rating, entry.rating_source, entry.birth_date) == (1834, "fide", "2003/00/00")


@pytest.mark.costly
def test_a_hit_of_a_list_that_was_replaced_asks_to_search_again(
    client: Client, chief_arbiter: User, tournament: Tournament, load: Load, url: str
) -> None:
    load(text_list())
    (hit,) = search_lists(tournament, "zoe luk")
    load(text_list())
    client.force_login(chief_arbiter)
    page = client.post(url, {"name": "zoe luk", "listed": hit.key}).content.decode()
    assert "The rating list has changed in the meantime. Search again." in page
    assert 'value="zoe luk"' in page


def test_a_list_whose_file_is_gone_is_not_searched(
    client: Client, chief_arbiter: User, load: Load, url: str, folder: Path
) -> None:
    load(text_list()).path.unlink()
    client.force_login(chief_arbiter)
    assert b'id="hits"' not in client.get(url).content
