"""Prizes by combined conditions, their headings, warnings and calculation, and the sheets."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from pairing.engine.model import TPN
from pairing.standings.prize_rules import Choice, Division
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.core.errors import BadInput
from tournaments.core.frame import tournament_frame
from tournaments.models import Decision, Eligible, Entry, PrizeFund, Tournament
from tournaments.standings.prize_conditions import admits, ages, heading_of, is_value, more_words
from tournaments.standings.prize_payees import payees
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, plan_of
from tournaments.standings.prizes import (
    CategoryList,
    PrizeList,
    Winner,
    prize_list,
    prizes_set,
)
from tournaments.web.standings.prize_rows import age_conditions, as_typed, rating_conditions
from tournaments.web.templatetags.prizes import warning_sentences

RULES: Final = {
    "currency": "EUR",
    "division": "equal",
    "most_each": "1",
    "choice": "most_valuable",
    "unit": "1",
    "withdrawn_win": "on",
    "row-INITIAL_FORMS": "0",
}


def category(*conditions: tuple[Eligible, str], name: str = "", **more: Any) -> CategoryPlan:
    (eligible, value), *also = conditions or ((Eligible.EVERYBODY, ""),)
    return CategoryPlan(name, eligible, value, more.pop("amounts", (100,)), tuple(also), **more)


@pytest.mark.parametrize(
    "plan, heading, more, french",
    [
        (category(), "All players", "", "Tous les joueurs"),
        (category((Eligible.WOMEN, "")), "Women", "", "Femmes"),
        (category((Eligible.WOMEN, ""), name="Women"), "Women", "", "Women"),
        (category((Eligible.RATING, "1-1799")), "Rated below 1800", "", "Elo inférieur à 1800"),
        (
            category((Eligible.RATING, "0-1799")),
            "Rated below 1800 or without a rating",
            "",
            "Elo inférieur à 1800 ou sans Elo",
        ),
        (
            category((Eligible.RATING, "2000-9999")),
            "Rated 2000 or more",
            "",
            "Elo à partir de 2000",
        ),
        (
            category((Eligible.RATING, "1600-1999"), name="Rating group B"),
            "Rating group B",
            "Rated 1600 to 1999",
            "Rating group B",
        ),
        (
            category((Eligible.WOMEN, ""), (Eligible.AGE_UNTIL, "15")),
            "Women, under 16",
            "",
            "Femmes, moins de 16 ans",
        ),
        (
            category((Eligible.UNRATED, ""), (Eligible.CLUB, "Lyon")),
            "Without a rating, club Lyon",
            "",
            "Sans Elo, club Lyon",
        ),
        (category((Eligible.AGE_FROM, "60")), "Aged 60 or over", "", "60 ans et plus"),
        (category(team_size=3), "Best 3 of a club", "", "Les 3 meilleurs d’un club"),
    ],
)
def test_headings_are_plain_words(plan: CategoryPlan, heading: str, more: str, french: str) -> None:
    assert (heading_of(plan), more_words(plan)) == (heading, more)
    with translation.override("fr"):
        assert heading_of(plan) == french


@pytest.mark.parametrize(
    "text, conditions, again",
    [
        ("U16", [(Eligible.AGE_UNTIL, "15")], "U16"),
        ("< 16", [(Eligible.AGE_UNTIL, "15")], "U16"),
        ("60+", [(Eligible.AGE_FROM, "60")], "60+"),
        ("12-15", [(Eligible.AGE_FROM, "12"), (Eligible.AGE_UNTIL, "15")], "12-15"),
        ("2010+", [(Eligible.BORN_FROM, "2010")], "2010+"),
        ("-1965", [(Eligible.BORN_UNTIL, "1965")], "-1965"),
        ("2008-2010", [(Eligible.BORN_FROM, "2008"), (Eligible.BORN_UNTIL, "2010")], "2008-2010"),
        ("2010", [(Eligible.BORN_FROM, "2010"), (Eligible.BORN_UNTIL, "2010")], "2010-2010"),
        ("", [], ""),
        ("U0", None, None),
        ("young", None, None),
        ("15-12", None, None),
    ],
)
def test_ages_are_read_as_people_write_them(
    text: str, conditions: list[tuple[Eligible, str]] | None, again: str | None
) -> None:
    assert age_conditions(text) == conditions
    if conditions is not None:
        assert all(is_value(*condition) for condition in conditions)
        assert as_typed(conditions)["age"] == again


@pytest.mark.parametrize(
    "text, conditions, again",
    [
        ("<1800", [(Eligible.RATING, "1-1799")], "<1800"),
        ("u1800", [(Eligible.RATING, "1-1799")], "<1800"),
        ("0-1799", [(Eligible.RATING, "0-1799")], "0-1799"),
        ("1600 – 1999", [(Eligible.RATING, "1600-1999")], "1600-1999"),
        ("2000+", [(Eligible.RATING, "2000-9999")], "2000+"),
        ("Unrated", [(Eligible.UNRATED, "")], "unrated"),
        ("0", [(Eligible.UNRATED, "")], "unrated"),
        ("strong", None, None),
        ("1999-1600", None, None),
    ],
)
def test_ratings_are_read_as_people_write_them(
    text: str, conditions: list[tuple[Eligible, str]] | None, again: str | None
) -> None:
    assert rating_conditions(text) == conditions
    if conditions is not None:
        assert all(is_value(*condition) for condition in conditions)
        assert as_typed(conditions)["rating"] == again


def test_unrated_is_read_in_the_language_of_the_page() -> None:
    with translation.override("fr"):
        assert rating_conditions("sans elo") == [(Eligible.UNRATED, "")]
        assert as_typed([(Eligible.UNRATED, "")])["rating"] == "sans Elo"


FIRST_DAY: Final = date(2026, 7, 15)


@pytest.mark.parametrize(
    "born, known",
    [
        ("2010/07/15", (16, 16)),  # the birthday is the first day
        ("2010/07/16", (15, 15)),
        ("2010/00/00", (15, 16)),
        ("", None),
    ],
)
def test_the_age_is_that_on_the_first_day(born: str, known: tuple[int, int] | None) -> None:
    entry = Entry(birth_date=born)
    assert ages(entry, FIRST_DAY) == known
    assert ages(entry, None) is None
    under_16, over_15 = category((Eligible.AGE_UNTIL, "15")), category((Eligible.AGE_FROM, "16"))
    assert admits(under_16, entry, FIRST_DAY) == (known == (15, 15))
    assert admits(over_15, entry, FIRST_DAY) == (known == (16, 16))


def test_all_conditions_must_be_met() -> None:
    girls = category((Eligible.WOMEN, ""), (Eligible.BORN_FROM, "2010"))
    people = [
        Entry(sex="w", birth_date="2011/01/01"),
        Entry(sex="w", birth_date="2009/01/01"),
        Entry(sex="m", birth_date="2011/01/01"),
    ]
    assert [admits(girls, person) for person in people] == [True, False, False]
    assert [admits(category((Eligible.MEN, "")), person) for person in people] == [
        False,
        False,
        True,
    ]


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Six players, two rounds, the lower number wins: after them 1 has two points; 1 and 5 are
    women, 2 and 4 play for Lyon, 1 and 3 for Nice.
    """
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=2)
    entries = Entry.objects.filter(tournament=tournament)
    entries.update(sex="m", club="")
    entries.filter(tpn__in=(1, 5)).update(sex="w")
    entries.filter(tpn__in=(2, 4)).update(club="Lyon")
    entries.filter(tpn__in=(1, 3)).update(club="Nice")
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    return tournament


def set_plan(tournament: Tournament, actor: User, plan: PrizePlan) -> None:
    prizes_set(tournament_id=tournament.pk, actor=actor, now=factories.NOW, plan=plan)


def page(client: Client, tournament: Tournament, name: str = "prizes") -> str:
    body = client.get(reverse(name, args=[tournament.slug])).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", body.partition("<main")[2]).split())


def entry_of(tournament: Tournament, tpn: int) -> Entry:
    return Entry.objects.get(tournament=tournament, tpn=tpn)


@pytest.mark.costly
def test_the_page_warns_arbiters_where_the_order_costs_money(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    main = category(amounts=(5000,))
    women = category((Eligible.WOMEN, ""), amounts=(20000,))
    old = PrizePlan("EUR", Division.BY_RANK, 1, (main, women), choice=Choice.IN_ORDER)
    set_plan(played, chief_arbiter, old)
    best = entry_of(played, 1).name
    assert "would get" not in page(client, played)
    client.force_login(chief_arbiter)
    warned = page(client, played)
    assert (
        f"{best} gets 50.00 and would get 200.00 in the category “Women” "
        "without the limit of prizes." in warned
    )
    assert (
        f"{best} gets 50.00, and {entry_of(played, 5).name} gets 200.00 with a weaker result "
        "in the category “Women”, which is open to both." in warned
    )
    set_plan(played, chief_arbiter, PrizePlan("EUR", Division.BY_RANK, 1, (main, women)))
    assert "would get" not in page(client, played)


def test_namesakes_who_are_tied_for_a_cup_have_their_numbers() -> None:
    entries = {TPN(tpn): Entry(pk=tpn, tpn=tpn, name="Lee, A") for tpn in (3, 4)}
    for entry in entries.values():
        entry.is_namesake = True
    cup = category(things=("Cup",), amounts=())
    winners = tuple(
        Winner(3, tpn, tpn, None, "Lee, A", "", 20, 0, is_namesake=True, thing="Cup", is_tied=True)
        for tpn in (3, 4)
    )
    shown = PrizeList(
        PrizePlan(categories=(cup,)),
        2,
        is_final=True,
        is_handed_out=True,
        categories=(CategoryList(cup, winners, 0),),
        entries=entries,
    )
    assert warning_sentences(shown) == [
        "Lee, A (3); Lee, A (4): equal on all tie-breaks; decide who gets “Cup”."
    ]


def test_the_calculation_is_on_the_page_to_the_cent(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    plan = PrizePlan("EUR", Division.EQUAL, 1, (category(amounts=(30000, 10000, 5001)),))
    set_plan(played, chief_arbiter, plan)
    shown = page(client, played)
    # Two players have two points: (300 + 100) / 2. The others share the third prize.
    assert shown.count("Places 1 to 2: 300.00 + 100.00 = 400.00, divided by 2: 200.00.") == 2
    (sharers,) = set(re.findall(r"Places 3 to (\d): 50\.01, divided by", shown))
    assert f"divided by {int(sharers) - 2}" in shown
    answer = client.get(f"/api/v1/tournaments/{played.slug}/prizes/").json()
    assert sum(winner["cents"] for winner in answer["categories"][0]["winners"]) == 45001
    assert (answer["choice"], answer["most_each"]) == ("most_valuable", 1)


def test_who_may_not_win_and_who_has_withdrawn(played: Tournament, chief_arbiter: User) -> None:
    cup = category(things=("Cup",), amounts=())
    set_plan(played, chief_arbiter, PrizePlan(categories=(cup,)))

    def winner() -> tuple[int, str]:
        (line,) = prize_list(tournament_frame(played, runs=True)).categories[0].winners
        return line.entry_id, line.thing

    first, thing = winner()
    assert thing == "Cup"
    plan = PrizePlan(categories=(cup,), excluded=(first,), withdrawn_win=False)
    set_plan(played, chief_arbiter, plan)
    second, _thing = winner()
    assert second != first
    Entry.objects.filter(pk=second).update(withdrawn_from=2)
    third, _thing = winner()
    assert third not in (first, second)


def test_a_player_of_another_tournament_cannot_be_excluded(
    played: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(BadInput) as caught:
        set_plan(played, chief_arbiter, PrizePlan(excluded=(10**6,)))
    assert caught.value.code == "prizes.excluded"


@pytest.mark.parametrize(
    "plan, code",
    [
        (PrizePlan(unit=7), "prizes.rules"),
        (PrizePlan(most_each=10), "prizes.rules"),
        (PrizePlan(unit=100, cap=50), "prizes.rules"),
        (PrizePlan(unit=100, categories=(category(amounts=(150,)),)), "prizes.unit"),
    ],
)
def test_the_service_refuses_rules_that_do_not_fit(
    plan: PrizePlan, code: str, played: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(BadInput) as caught:
        set_plan(played, chief_arbiter, plan)
    assert caught.value.code == code


def test_the_best_of_a_club_win_together(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    clubs = category(name="Clubs", amounts=(6000, 4000), things=("Shield",), team_size=2)
    set_plan(played, chief_arbiter, PrizePlan("EUR", categories=(clubs,)))
    answer = client.get(f"/api/v1/tournaments/{played.slug}/prizes/").json()
    teams = answer["categories"][0]["teams"]
    assert {team["club"] for team in teams} == {"Lyon", "Nice"}
    assert sum(team["cents"] for team in teams) == 10000
    assert [team["thing"] for team in teams] == ["Shield", ""]
    shown = page(client, played)
    assert "Best 2 of a club" in shown
    assert entry_of(played, 4).name in shown


@pytest.mark.costly
def test_rows_are_added_without_saving_and_lose_nothing(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("prizes-define", args=[played.slug])
    lines = Decision.objects.filter(tournament=played).count()
    assert client.get(url).content.decode().count("<legend>Category") == 8
    sent = RULES | {"add_rows": "yes", "row-TOTAL_FORMS": "8", "currency": "CHF"}
    sent |= {f"row-{n}-name": f"Name {n}" for n in range(8)} | {"row-3-age": "young"}
    answer = client.post(url, sent)
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert shown.count("<legend>Category") == 16
    assert all(f'value="{text}"' in shown for text in ("Name 7", "young", "CHF"))
    assert "Nothing is saved yet" not in shown
    for odd in ("", "x", "9" * 5000):
        assert client.post(url, sent | {"row-TOTAL_FORMS": odd}).status_code == 200
    assert Decision.objects.filter(tournament=played).count() == lines
    assert not PrizeFund.objects.filter(tournament=played).exists()


@pytest.mark.costly
def test_eight_prizes_are_defined_at_once_and_come_back_the_same(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("prizes-define", args=[played.slug])
    rows: list[dict[str, str]] = [
        {"name": "Main prizes", "amounts": "500 300 200", "things": "Cup, Medal"},
        {"sex": "women", "amounts": "100 50"},
        {"age": "U16", "sex": "women", "things": "Cup"},
        {"age": "60+", "amounts": "60"},
        {"rating": "<1800", "amounts": "80 40"},
        {"rating": "unrated", "club": "Lyon", "amounts": "30"},
        {"federation": "FRA", "amounts": "20", "order": "1"},
        {"team_size": "3", "amounts": "90", "name": "Clubs"},
    ]
    sent = RULES | {"row-TOTAL_FORMS": "8", "unit": "1000", "cap": "500", "minimum": "5"}
    sent |= {"most_each": "2", "excluded": "3, 5"}
    sent |= {f"row-{n}-{name}": text for n, row in enumerate(rows) for name, text in row.items()}
    assert client.post(url, sent).status_code == 302
    plan = plan_of(played)
    assert (plan.unit, plan.cap, plan.minimum, plan.most_each) == (1000, 50000, 500, 2)
    assert plan.excluded == tuple(sorted(entry_of(played, tpn).pk for tpn in (3, 5)))
    # The federation has number 1; the rows above it have none and stay first.
    assert [heading_of(line) for line in plan.categories] == [
        "Main prizes",
        "Women",
        "Women, under 16",
        "Aged 60 or over",
        "Rated below 1800",
        "Without a rating, club Lyon",
        "Federation FRA",
        "Clubs",
    ]
    assert plan.categories[0].things == ("Cup", "Medal")
    assert plan.categories[7].team_size == 3
    fields = dict(
        re.findall(r'name="([^"]+)" value="([^"]*)"', tidy(client.get(url).content.decode()))
    )
    assert fields["excluded"] == "3 5"
    assert (fields["row-2-age"], fields["row-4-rating"]) == ("U16", "&lt;1800")


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"unit": "100", "row-0-amounts": "10.50"}, "Not a multiple of the unit of rounding."),
        ({"unit": "100", "cap": "10.50"}, "Not a multiple of the unit of rounding."),
        ({"cap": "much"}, "An amount such as 300 or 200.50."),
        ({"excluded": "3 99"}, "No player has the number 99."),
    ],
)
def test_wrong_rules_are_reported_at_their_field(
    wrong: dict[str, str],
    sentence: str,
    played: Tournament,
    client: Client,
    chief_arbiter: User,
) -> None:
    client.force_login(chief_arbiter)
    sent = RULES | {"row-TOTAL_FORMS": "1", "row-0-amounts": "10"} | wrong
    answer = client.post(reverse("prizes-define", args=[played.slug]), sent)
    assert answer.status_code == 422
    assert sentence in tidy(answer.content.decode())
    assert not PrizeFund.objects.filter(tournament=played).exists()


def test_a_fund_of_an_older_program_keeps_its_rule(played: Tournament) -> None:
    PrizeFund.objects.create(tournament=played, currency="EUR", division="equal")
    assert plan_of(played).choice is Choice.IN_ORDER
    assert PrizePlan().choice is Choice.MOST_VALUABLE


def test_everybody_who_gets_something_signs_once(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    main = category(name="Main", amounts=(30000, 20000), things=("Cup",))
    women = category((Eligible.WOMEN, ""), amounts=(5000,), things=("Book",))
    set_plan(played, chief_arbiter, PrizePlan("EUR", Division.BY_RANK, 0, (main, women)))
    client.force_login(chief_arbiter)
    listed = payees(prize_list(tournament_frame(played, runs=True)))
    assert len({payee.name for payee in listed}) == len(listed) < 5
    assert sum(payee.amount for payee in listed) == 55000
    sheets = f"{reverse('sheets', args=[played.slug])}?list="
    signatures = tidy(client.get(f"{sheets}signatures").content.decode())
    receipts = tidy(client.get(f"{sheets}receipts").content.decode())
    for payee in listed:
        assert signatures.count(payee.name) == receipts.count(payee.name) == 1
    assert "550.00 EUR" in signatures
    assert "Provisional: the standings are not final yet." in signatures
    assert f"Receipt {len(listed)} ·" in " ".join(receipts.split())
    prizes = tidy(client.get(f"{sheets}prizes").content.decode())
    assert all(text in prizes for text in ("Women", "300.00 EUR · Cup", "Provisional"))
