"""The ratings page takes the estimates of all players without a rating at once."""

from __future__ import annotations

import html
import re
from functools import partial
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.desk.test_find import give
from tests.tournaments.web.test_queries_pages import count
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_add, entry_update
from tournaments.models import Action, Entry, RatingSource, Role, Round, Tournament


@pytest.fixture
def unrated(tournament: Tournament, chief_arbiter: User) -> list[Entry]:
    """Four players without a rating, and one with."""
    rated = {"name": "Rated, Rita", "fide_rating": 2100}
    for fields in ({"name": f"New, {n}"} for n in ("Ana", "Bo", "Cy", "Di")):
        entry_add(tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, **fields)
    entry_add(tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, **rated)
    return list(tournament.entries.filter(name__startswith="New").order_by("name"))


def address(tournament: Tournament) -> str:
    return reverse("ratings-check", args=[tournament.slug])


def form_of(page: str) -> dict[str, str]:
    """Return what a browser sends if nothing is changed."""
    form = page[page.index('aria-labelledby="estimates-heading"') :]
    form = form[: form.index("</form>")]
    fields = re.findall(r"<input[^>]*>", form)
    names = [(re.search(r'name="([^"]+)"', field), field) for field in fields]
    values = {name[1]: re.search(r'value="([^"]*)"', field) for name, field in names if name}
    return {name: html.unescape(value[1]) if value else "" for name, value in values.items()}


def opened(client: Client, tournament: Tournament) -> dict[str, str]:
    return form_of(client.get(address(tournament)).content.decode())


def lines(tournament: Tournament) -> int:
    return tournament.decisions.filter(action=Action.ENTRY_UPDATED).count()


def test_four_estimates_are_saved_at_once_and_each_is_undone_alone(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    sent = opened(client, tournament)
    assert [name for name in sent if name.startswith("estimate_")] == [
        f"estimate_{entry.pk}" for entry in unrated
    ]
    sent |= {f"estimate_{entry.pk}": str(1400 + n) for n, entry in enumerate(unrated)}
    page = client.post(address(tournament), sent, follow=True).content.decode()
    assert "4 estimates are saved." in page
    saved = list(tournament.entries.filter(name__startswith="New").order_by("name"))
    assert [(entry.rating, entry.rating_source) for entry in saved] == [
        (1400 + n, RatingSource.ESTIMATE) for n in range(4)
    ]
    assert lines(tournament) == 4
    line = tournament.decisions.filter(action=Action.ENTRY_UPDATED).order_by("sequence")[0]
    action_undo(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, sequence=line.sequence
    )
    saved = list(tournament.entries.filter(name__startswith="New").order_by("name"))
    assert [entry.rating for entry in saved] == [0, 1401, 1402, 1403]


@pytest.mark.costly
def test_saved_estimates_can_be_changed_and_ended_and_twice_is_once(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    first, second = (f"estimate_{entry.pk}" for entry in unrated[:2])
    sent = opened(client, tournament) | {first: "1500", second: "1600"}
    for _ in range(2):
        client.post(address(tournament), sent)
    assert lines(tournament) == 2
    again = opened(client, tournament)
    assert (again[first], again[second]) == ("1500", "1600")
    client.post(address(tournament), again | {first: "", second: "1650"})
    ratings = [
        (entry.rating, entry.rating_source) for entry in tournament.entries.order_by("name")[:2]
    ]
    assert ratings == [(0, RatingSource.NONE), (1650, RatingSource.ESTIMATE)]


@pytest.mark.costly
def test_a_wrong_value_saves_nothing_and_keeps_the_input(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    first, second = (f"estimate_{entry.pk}" for entry in unrated[:2])
    for wrong in ("12x", "-5", "99999", "１４００", "½"):
        sent = opened(client, tournament) | {first: "1500", second: wrong}
        response = client.post(address(tournament), sent)
        page = response.content.decode()
        assert response.status_code == 422, wrong
        assert 'value="1500"' in page
        assert f'value="{wrong}"' in page
    assert lines(tournament) == 0


@pytest.mark.costly
def test_a_field_of_no_player_is_ignored(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    sent = opened(client, tournament) | {f"estimate_{unrated[0].pk}": "1500"}
    for number in ("", "x", "-1", "0", "9" * 20, "9" * 5000):
        form = urlencode({**sent, f"estimate_{number}": "1"})
        answer = client.post(address(tournament), form, "application/x-www-form-urlencoded")
        assert answer.status_code == 302, number
    assert lines(tournament) == 1


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_of_two_who_estimate_a_player_at_once_one_reads_the_value_of_the_other(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    other = Client()
    other.force_login(chief_arbiter)
    field = f"estimate_{unrated[0].pk}"
    sent = opened(client, tournament)

    def save(reader: Client, value: str) -> int:
        return reader.post(address(tournament), sent | {field: value}).status_code

    codes = at_once(partial(save, client, "1500"), partial(save, other, "1600"))
    assert set(codes) == {302, 409}
    assert tournament.entries.get(pk=unrated[0].pk).rating in (1500, 1600)
    assert lines(tournament) == 1


@pytest.mark.costly
def test_saving_takes_as_many_queries_for_each_player(
    tournament: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    counts = {}
    for number in (3, 30):
        for n in range(number):
            entry_add(
                tournament_id=tournament.pk,
                actor=chief_arbiter,
                now=factories.NOW,
                name=f"New, {number} {n}",
            )
        sent = opened(client, tournament)
        names = [name for name, value in sent.items() if name.startswith("estimate_") and not value]
        sent |= dict.fromkeys(names, "1500")
        counts[number] = count(partial(client.post, address(tournament), sent))
        assert lines(tournament) == sum(counts)
    assert counts[30] <= 10 * counts[3]


@pytest.mark.costly
def test_a_page_that_is_out_of_date_replaces_no_rating(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    first, second = (f"estimate_{entry.pk}" for entry in unrated[:2])
    sent = opened(client, tournament)
    entry_update(
        entry_id=unrated[0].pk,
        actor=chief_arbiter,
        now=factories.NOW,
        fide_rating=1900,
    )
    response = client.post(address(tournament), sent | {first: "1500", second: "1600"})
    assert response.status_code == 409
    assert "“1900”" in response.content.decode()
    assert tournament.entries.get(pk=unrated[1].pk).rating == 0
    client.post(address(tournament), sent | {second: "1600"})
    assert [tournament.entries.get(pk=entry.pk).rating for entry in unrated[:2]] == [1900, 1600]


@pytest.mark.costly
def test_after_round_1_was_paired_a_reason_is_needed_and_after_results_there_is_no_form(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    entry = factories.entry_of(tournament, 2)
    Entry.objects.filter(pk=entry.pk).update(
        rating=0, fide_rating=None, rating_source=RatingSource.NONE
    )
    client.force_login(chief_arbiter)
    sent = opened(client, tournament) | {f"estimate_{entry.pk}": "1500", "reason": ""}
    assert client.post(address(tournament), sent).status_code == 422
    assert tournament.entries.get(pk=entry.pk).rating == 0
    client.post(address(tournament), sent | {"reason": "no list has him"})
    assert tournament.entries.get(pk=entry.pk).rating == 1500
    sent = opened(client, tournament)
    published_round.state = "results_published"
    published_round.save()
    assert "estimates-heading" not in client.get(address(tournament)).content.decode()
    late = client.post(
        address(tournament), sent | {f"estimate_{entry.pk}": "1700", "reason": "again"}
    )
    page = late.content.decode()
    assert (late.status_code, 'value="1700"' in page, "C.04.2 4.3.3" in page) == (422, True, True)
    assert tournament.entries.get(pk=entry.pk).rating == 1500


def test_who_may_only_read_saves_nothing(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    sent = opened(client, tournament) | {f"estimate_{unrated[0].pk}": "1500"}
    person = User.objects.create_user("person", password="person-secret")
    give(person, tournament, Role.READER)
    client.force_login(person)
    assert client.post(address(tournament), sent).status_code == 403
    assert tournament.entries.get(pk=unrated[0].pk).rating == 0


def test_withdrawn_players_and_a_tournament_of_rated_players_have_no_field(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    tournament.entries.filter(pk__in=[entry.pk for entry in unrated]).update(withdrawn_from=1)
    client.force_login(chief_arbiter)
    assert "estimates-heading" not in client.get(address(tournament)).content.decode()


def test_fields_that_name_no_entry_are_ignored(
    tournament: Tournament, unrated: list[Entry], client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    sent = opened(client, tournament) | {f"estimate_{'9' * 30}": "1500", "estimate_x": "1500"}
    assert client.post(address(tournament), sent).status_code == 302
    assert not tournament.entries.filter(rating=1500).exists()
