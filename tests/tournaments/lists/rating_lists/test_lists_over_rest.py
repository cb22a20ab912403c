"""Rating lists over REST: the lists in use, the search, and the refresh,
for the right people only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.api.asking import V1, error, get, read
from tests.tournaments.factories import NOW, make_ready, pair_and_publish, play_rounds
from tournaments.entries.entries import entry_add, entry_update
from tournaments.models import Decision, Entry, Tournament

from .conftest import PLAYERS, Load, text_list

pytestmark = pytest.mark.on_postgres("many rows in one statement")

LogIn = Callable[[User], Client]


@pytest.fixture
def listed(load: Load, tournament: Tournament, chief_arbiter: User) -> Entry:
    """A list of five players, and one of them entered with an older rating."""
    load(text_list(), "players_nov26.txt")
    return entry_add(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="Abara, Player 1", fide_id=2000016,
        fide_rating=2400, federation="FRA", sex="m", title="GM", birth_date="1990",
    )  # fmt: skip


def take(client: Client, tournament: Tournament, body: object) -> Any:
    address = f"{V1}tournaments/{tournament.slug}/ratings/"
    return client.post(address, body, content_type="application/json")


def test_the_lists_in_use_with_month_and_players(
    listed: Entry, chief_arbiter: User, administrator: User, logged_in: LogIn
) -> None:
    assert error(get(logged_in(chief_arbiter), "rating-lists/"))[0] == 403
    (row,) = read(logged_in(administrator), "rating-lists/")
    assert (row["federation"], row["rate_of_play"], row["month"], row["players"]) == (
        "",
        None,
        "2026-11-01",
        5,
    )


@pytest.mark.parametrize(
    "query, names",
    [("lukas zo", ["Łukasiewicz-Brandt, Zoë Ann"]), ("2000040", ["O'Hara, Séan"]), ("nobody", [])],
)
def test_a_search_by_name_or_fide_id(
    listed: Entry, chief_arbiter: User, logged_in: LogIn, query: str, names: list[str]
) -> None:
    address = f"tournaments/{listed.tournament.slug}/ratings/search/?q={query}"
    found = read(logged_in(chief_arbiter), address)
    assert [each["name"] for each in found] == names


@pytest.mark.parametrize(
    "query", ["", "?q=", "?q=a", f"?q={'x' * 101}", "?q=ab&q=cd", "?name=abara"]
)
def test_a_search_without_a_usable_query_is_refused(
    listed: Entry, chief_arbiter: User, logged_in: LogIn, query: str
) -> None:
    answer = get(
        logged_in(chief_arbiter), f"tournaments/{listed.tournament.slug}/ratings/search/{query}"
    )
    assert answer.status_code == 400
    assert error(answer)[1]["code"] in ("query.invalid", "query.unknown")


def test_c04_2_2_1_chosen_differences_are_taken_over_once(
    listed: Entry, chief_arbiter: User, logged_in: LogIn
) -> None:
    client, tournament = logged_in(chief_arbiter), listed.tournament
    found = read(client, f"tournaments/{tournament.slug}/ratings/")
    (one,) = found["different"]
    (rating,) = one["differences"]
    assert (one["id"], rating["field"], rating["old"], rating["new"]) == (
        listed.pk,
        "fide_rating",
        "2400",
        "2450",
    )
    assert take(client, tournament, {"take": [rating["key"]]}).json() == {"changed": 1}
    listed.refresh_from_db()
    assert (listed.fide_rating, listed.rating) == (2450, 2450)
    assert (
        Decision.objects.filter(tournament=tournament).latest("sequence").action == "entry.updated"
    )
    again = take(client, tournament, {"take": [rating["key"]]})
    assert error(again)[0] == 409
    assert error(again)[1]["code"] == "rating_list.differences_moved"


def test_a_player_changed_meanwhile_is_not_overwritten(
    listed: Entry, chief_arbiter: User, logged_in: LogIn
) -> None:
    client = logged_in(chief_arbiter)
    (one,) = read(client, f"tournaments/{listed.tournament.slug}/ratings/")["different"]
    entry_update(entry_id=listed.pk, actor=chief_arbiter, now=NOW, fide_rating=2300)
    assert (
        take(client, listed.tournament, {"take": [one["differences"][0]["key"]]}).status_code == 409
    )
    listed.refresh_from_db()
    assert listed.fide_rating == 2300


@pytest.mark.parametrize(
    "body, code",
    [
        ({}, "json.type"),
        ([], "json.type"),
        ({"take": "all"}, "json.type"),
        ({"take": [1]}, "json.type"),
        ({"take": [], "reason": 5}, "json.type"),
        ({"take": []}, "rating_list.nothing_ticked"),
        ("{", "parse_error"),
    ],
)
def test_a_body_of_another_shape_is_refused(
    listed: Entry, chief_arbiter: User, logged_in: LogIn, body: object, code: str
) -> None:
    status, problem = error(take(logged_in(chief_arbiter), listed.tournament, body))
    assert (status, problem["code"]) == (400, code)


def test_only_people_with_the_role_search_and_refresh(
    listed: Entry, client: Client, stranger: User, deputy: User, logged_in: LogIn
) -> None:
    about = f"tournaments/{listed.tournament.slug}/ratings/"
    for other in (client, logged_in(stranger)):
        for address in (about, f"{about}search/?q=abara"):
            assert get(other, address).status_code == 403, address
        assert take(other, listed.tournament, {"take": []}).status_code == 403
    helper = logged_in(deputy)
    answer = get(helper, f"{about}search/?q=abara")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_only_who_may_load_lists_sees_which_are_loaded(
    listed: Entry, client: Client, logged_in: LogIn
) -> None:
    for other in (client, logged_in(User.objects.create_user("nobody"))):
        assert get(other, "rating-lists/").status_code == 403


def test_another_site_cannot_refresh_with_the_cookie_of_an_arbiter(
    listed: Entry, chief_arbiter: User
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(chief_arbiter)
    assert (
        take(
            client, listed.tournament, {"take": [f"{listed.pk}/fide_rating/2400/2450"]}
        ).status_code
        == 403
    )
    listed.refresh_from_db()
    assert listed.fide_rating == 2400


@pytest.mark.costly
def test_c04_2_4_3_3_after_published_results_a_rating_is_refused_with_its_player(
    load: Load,
    chief_arbiter: User,
    logged_in: LogIn,
) -> None:
    load(text_list())
    tournament = make_ready(chief_arbiter)
    entry = Entry.objects.get(tournament=tournament, tpn=1)
    entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, fide_id=2000016)
    play_rounds(tournament, [1], chief_arbiter)
    client = logged_in(chief_arbiter)
    (one,) = (
        each
        for each in read(client, f"tournaments/{tournament.slug}/ratings/")["different"]
        if each["fide_id"]
    )
    (key,) = (each["key"] for each in one["differences"] if each["field"] == "fide_rating")
    status, problem = error(take(client, tournament, {"take": [key], "reason": "new list"}))
    assert (status, problem["code"], problem["params"]["name"]) == (
        400,
        "rating_list.entry_refused",
        entry.name,
    )


@pytest.mark.costly
@pytest.mark.parametrize("sign", ["\0", "\ud800"])
def test_a_reason_that_no_database_can_keep_is_refused(
    load: Load, chief_arbiter: User, logged_in: LogIn, sign: str
) -> None:
    load(text_list())
    tournament = make_ready(chief_arbiter)
    entry = Entry.objects.get(tournament=tournament, tpn=1)
    entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, fide_id=2000016)
    pair_and_publish(tournament, 1, chief_arbiter)
    client = logged_in(chief_arbiter)
    (one,) = (
        each
        for each in read(client, f"tournaments/{tournament.slug}/ratings/")["different"]
        if each["fide_id"]
    )
    (key,) = (each["key"] for each in one["differences"] if each["field"] == "fide_rating")
    status, problem = error(take(client, tournament, {"take": [key], "reason": f"new{sign} list"}))
    assert (status, problem["code"]) == (400, "json.type")
    assert take(client, tournament, {"take": [key], "reason": "new list"}).status_code == 200


@pytest.mark.costly
def test_a_smaller_list_waits_over_rest_too_and_the_one_before_comes_back(
    listed: Entry,
    load: Load,
    chief_arbiter: User,
    administrator: User,
    client: Client,
    logged_in: LogIn,
) -> None:
    small = load(text_list(PLAYERS[:1]))
    admin = logged_in(administrator)
    (row,) = read(admin, "rating-lists/")
    assert (row["players"], row["replaced"], row["waiting"]["id"], row["loaded_by"]) == (
        5,
        None,
        small.pk,
        None,
    )

    def use(who: Client, **body: object) -> Any:
        return who.post(f"{V1}rating-lists/use/", body, content_type="application/json")

    for other in (client, logged_in(chief_arbiter)):
        assert error(use(other, list=small.pk))[0] == 403
    assert (
        error(use(admin, list=small.pk, seen_current=0))[1]["code"]
        == "rating_list.replaced_meanwhile"
    )
    assert error(use(admin, list="x"))[0] == 400
    assert error(use(admin, list=10**12))[0] == 409
    answer = use(admin, list=small.pk, seen_current=row["id"]).json()
    assert (answer["players"], answer["replaced"]["id"], answer["waiting"]) == (1, row["id"], None)
    assert use(admin, list=row["id"], seen_current=small.pk).json()["players"] == 5
