"""The prize list: defined by the arbiter, with public prizes before
the end and winners after the last round.
"""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.standings.prize_rules import Choice, Division
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput
from tournaments.models import Decision, Eligible, Entry, PrizeFund, Tournament
from tournaments.standings.prize_conditions import admits, is_value
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, described, plan_of
from tournaments.standings.prizes import prizes_set
from tournaments.web.standings.prize_forms import cents_of

MAIN = CategoryPlan("Main", Eligible.EVERYBODY, "", (30000, 20000, 10000))
JUNIOR = CategoryPlan("U16", Eligible.BORN_FROM, "2010", (5000, 2550))
PLAN = PrizePlan("EUR", Division.BY_RANK, 1, (MAIN, JUNIOR), choice=Choice.IN_ORDER)
ROWS = {
    "currency": "EUR",
    "division": "by_rank",
    "most_each": "1",
    "choice": "in_order",
    "unit": "1",
    "withdrawn_win": "on",
    "row-TOTAL_FORMS": "3",
    "row-INITIAL_FORMS": "0",
    "row-0-name": "Main",
    "row-0-amounts": "300, 200 100.00",
    "row-1-name": "U16",
    "row-1-age": "2010+",
    "row-1-amounts": "50 25.5",
    "row-2-name": "",
}


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Six players, two rounds, the lower number wins;
    numbers 1 and 5 were born in 2010 or later.
    """
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=2)
    for tpn, born in ((1, "2011/01/02"), (2, "1987/06/05"), (5, "2010/00/00")):
        Entry.objects.filter(tournament=tournament, tpn=tpn).update(birth_date=born)
    factories.play_rounds(tournament, [1], chief_arbiter)
    return tournament


def text_of(client: Client, tournament: Tournament, name: str = "prizes") -> str:
    body = client.get(reverse(name, args=[tournament.slug])).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", body.partition("<main")[2]).split())


@pytest.mark.costly
def test_an_arbiter_defines_prizes_with_a_plain_form(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("prizes-define", args=[played.slug])
    assert client.post(url, ROWS).status_code == 302
    played.refresh_from_db()
    assert plan_of(played) == PLAN
    decision = Decision.objects.get(tournament=played, action="prizes.set")
    assert (decision.before, decision.after) == (described(PrizePlan()), described(PLAN))
    # The same list again is not recorded.
    assert client.post(url, ROWS).status_code == 302
    assert Decision.objects.filter(tournament=played, action="prizes.set").count() == 1
    assert 'value="300 200 100"' in client.get(url).content.decode()


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"row-0-amounts": "300 two hundred"}, "Amounts such as"),
        ({"row-0-amounts": "0"}, "Amounts such as"),
        ({"row-0-amounts": ""}, "Amounts such as"),
        ({"row-1-age": "young"}, "Such as U16, 60+, 2010+ or 2008-2010."),
        ({"row-1-rating": "strong"}, "Such as &lt;1800, 1600-1999, 2000+ or unrated."),
        ({"row-1-federation": "FR"}, "Three letters, such as FRA."),
        ({"row-1-things": "x" * 61}, "At most 60 characters each"),
    ],
)
def test_an_invalid_category_is_reported_in_its_row_and_nothing_is_saved(
    wrong: dict[str, str], sentence: str, played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.post(reverse("prizes-define", args=[played.slug]), ROWS | wrong)
    assert response.status_code == 422
    summary, _, page = tidy(response.content.decode()).partition("</ul></div>")
    row = next(iter(wrong))[4]
    assert sentence in page
    assert re.search(
        rf'Category {int(row) + 1},<a href="#id_{next(iter(wrong))}">[^<]*</a>: {re.escape(sentence)}',
        summary,
    )
    played.refresh_from_db()
    assert not own(PrizeFund).exists()


@pytest.mark.costly
def test_money_is_typed_and_shown_in_the_notation_of_the_reader(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("prizes-define", args=[played.slug])
    assert client.post(url, ROWS | {"row-1-amounts": "50; 25,5"}).status_code == 302
    played.refresh_from_db()
    assert plan_of(played) == PLAN
    assert 'value="50 25.50"' in client.get(url).content.decode()
    assert 'value="50 25,50"' in client.get(url, headers={"Accept-Language": "fr"}).content.decode()


@pytest.mark.parametrize(
    "category, code",
    [
        (CategoryPlan("U16", Eligible.BORN_FROM, "soon", (100,)), "prizes.value"),
        (CategoryPlan("Main", Eligible.EVERYBODY, "", (100, 0)), "prizes.amounts"),
        (CategoryPlan("", Eligible.WOMEN, "", (100,), ((Eligible.CLUB, ""),)), "prizes.value"),
        (CategoryPlan("", Eligible.EVERYBODY, "", (), things=("",)), "prizes.amounts"),
        (CategoryPlan("", Eligible.EVERYBODY, "", (100,), team_size=21), "prizes.amounts"),
        (CategoryPlan("Main", Eligible.EVERYBODY, "", ()), "prizes.amounts"),
    ],
)
def test_the_service_refuses_the_same_values_as_the_form(
    category: CategoryPlan, code: str, played: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(BadInput) as caught:
        prizes_set(
            tournament_id=played.pk,
            actor=chief_arbiter,
            now=factories.NOW,
            plan=PrizePlan(categories=(category,)),
        )
    assert caught.value.code == code


@pytest.fixture
def with_prizes(played: Tournament, chief_arbiter: User) -> Tournament:
    return prizes_set(tournament_id=played.pk, actor=chief_arbiter, now=factories.NOW, plan=PLAN)


@pytest.mark.costly
def test_before_the_end_visitors_see_the_prizes_and_arbiters_also_the_winners(
    with_prizes: Tournament, client: Client, chief_arbiter: User
) -> None:
    seen = text_of(client, with_prizes)
    assert "1. 300.00 EUR · 2. 200.00 EUR · 3. 100.00 EUR" in seen
    assert "Abara" not in seen
    answer = client.get(f"/api/v1/tournaments/{with_prizes.slug}/prizes/").json()
    assert [of["winners"] for of in answer["categories"]] == [[], []]
    file = client.get(f"/api/v1/tournaments/{with_prizes.slug}/prizes/csv/").content.decode()
    assert [line.split(",")[2:9] for line in file.splitlines()[1:3]] == [
        ["", "", "", "", "", "", cents] for cents in ("30000", "20000")
    ]
    client.force_login(chief_arbiter)
    sentence = (
        "Prize winners if the tournament ended after round 1. Only arbiters see this list before"
    )
    assert sentence in text_of(client, with_prizes)
    assert "Abara" in text_of(client, with_prizes)


def test_after_the_last_round_the_list_is_public_and_adds_up(
    with_prizes: Tournament, client: Client, chief_arbiter: User
) -> None:
    factories.play_rounds(with_prizes, [2], chief_arbiter)
    answer = client.get(f"/api/v1/tournaments/{with_prizes.slug}/prizes/").json()
    main, junior = answer["categories"]
    assert (answer["is_final"], answer["currency"], answer["division"]) == (True, "EUR", "by_rank")
    assert sum(winner["cents"] for winner in main["winners"]) == 60000
    assert main["winners"][0]["tpn"] == 1
    # Number 1 has won the main prize; number 5 is the only other player who is young enough.
    assert [(winner["tpn"], winner["place"], winner["cents"]) for winner in junior["winners"]] == [
        (5, 1, 5000)
    ]
    assert junior["left_over"] == 2550
    seen = text_of(client, with_prizes)
    assert "Prize list" in seen
    assert "Not awarded: 25.50 EUR" in seen
    # As a whole number: four digits in a row are found in some fingerprint by chance.
    assert not re.search(r"\b1987\b", seen)
    response = client.get(f"/api/v1/tournaments/{with_prizes.slug}/prizes/csv/")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    *won, left = [(row["category"], row["tpn"], int(row["cents"])) for row in rows]
    assert won == [
        (of["name"], str(winner["tpn"]), winner["cents"])
        for of in (main, junior)
        for winner in of["winners"]
    ]
    assert left == (junior["name"], "", 2550)


@pytest.mark.parametrize(
    "eligible, value, expected",
    [
        (Eligible.EVERYBODY, "", [True, True, True]),
        (Eligible.WOMEN, "", [True, False, False]),
        (Eligible.UNRATED, "", [False, False, True]),
        (Eligible.BORN_FROM, "2010", [True, False, False]),
        (Eligible.BORN_UNTIL, "1960", [False, True, False]),
        (Eligible.RATING, "1600-1999", [True, False, False]),
        (Eligible.CLUB, "lyon", [False, True, False]),
        (Eligible.FEDERATION, "FRA", [True, False, False]),
    ],
)
def test_the_players_who_can_win_a_category(
    eligible: Eligible, value: str, expected: list[bool]
) -> None:
    people = [
        Entry(
            name="A",
            sex="w",
            birth_date="2010/01/01",
            fide_rating=1999,
            rating=1999,
            federation="FRA",
        ),
        Entry(
            name="B",
            sex="m",
            birth_date="1960/12/31",
            national_rating=2000,
            rating=2000,
            club="Lyon",
        ),
        Entry(name="C"),
    ]
    category = CategoryPlan("x", eligible, value, (100,))
    assert is_value(eligible, value)
    assert [admits(category, person) for person in people] == expected


@pytest.mark.parametrize(
    "text, cents",
    [
        ("150", 15000),
        ("0.5", 50),
        ("12.34", 1234),
        ("1,5", 150),
        ("1,50.5", None),
        ("1,500", None),
        ("-3", None),
        ("1.234", None),
        ("٣", None),
    ],
)
def test_money_is_whole_cents(text: str, cents: int | None) -> None:
    assert cents_of(text) == cents


def test_the_page_speaks_french(with_prizes: Tournament, client: Client) -> None:
    response = client.get(
        reverse("prizes", args=[with_prizes.slug]), headers={"Accept-Language": "fr"}
    )
    assert "Né en 2010 ou après" in response.content.decode()
