"""One reader reads the values of a request, and no text in them makes the program fail."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments import factories
from tournaments.core.request_values import (
    MOST,
    BadValue,
    file_of,
    number_of,
    numbers_of,
    optional_number_of,
    whole_number,
)
from tournaments.lists.imports.sheets import MAX_COLUMNS
from tournaments.models import Appointment, Decision, Entry, Game, PublishedList, Round, Tournament
from tournaments.web.standings.prize_forms import MOST_CATEGORIES
from tournaments.web.urls import urlpatterns

ABSURD = ("9" * 5000, "-1", str(2**63), "é", "٣", "1_0", " 1", "1.0", "")


@pytest.fixture
@factories.cached
def spring_open(chief_arbiter: User) -> Tournament:
    """Another tournament with the same numbers, made first: its rows have the small ids."""
    other = factories.make_ready(chief_arbiter, name="Spring Open")
    factories.play_rounds(other, [1], chief_arbiter)
    return other


@pytest.fixture
def on_site(spring_open: Tournament, chief_arbiter: User) -> Tournament:
    """Round 1 over, round 2 published and without results."""
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    client.raise_request_exception = False
    return client


class TestTheReader:
    @pytest.mark.parametrize("text", [*ABSURD, "+1", "0x1", "1e3", "٣" * 5000])
    def test_a_text_that_is_not_a_whole_number_is_refused(self, text: str) -> None:
        assert whole_number(text) is None

    def test_limits_are_included(self) -> None:
        assert [whole_number(text) for text in ("0", "7", str(MOST))] == [0, 7, MOST]
        assert [whole_number(text, least=-2, most=3) for text in ("-3", "-2", "3", "4")] == [
            None,
            -2,
            3,
            None,
        ]

    def test_a_number_must_be_given_once(self) -> None:
        assert number_of(QueryDict("n=5"), "n") == 5
        for query in ("", "n=", "n=5&n=5", "n=x", "n=6"):
            with pytest.raises(BadValue) as refused:
                number_of(QueryDict(query), "n", most=5)
            assert refused.value.status == 422
        assert str(refused.value).startswith(
            "The page sent an invalid number for “n”: it must be a whole number from"
        )

    def test_an_optional_number(self) -> None:
        assert [optional_number_of(QueryDict(query), "n") for query in ("", "n=", "n=5")] == [
            None,
            None,
            5,
        ]
        with pytest.raises(BadValue):
            optional_number_of(QueryDict("n=x"), "n")

    def test_numbers_in_their_order(self) -> None:
        assert numbers_of(QueryDict("n=3&n=1"), "n") == [3, 1]
        with pytest.raises(BadValue):
            numbers_of(QueryDict("n=3&n="), "n")

    def test_a_file_is_returned_unchanged(self) -> None:
        data = QueryDict(mutable=True)
        data["confirmed"] = base64.b64encode("Ł".encode()).decode()
        assert file_of(data, "confirmed").decode() == "Ł"
        for text in ("é", "!", "a"):
            data["confirmed"] = text
            with pytest.raises(BadValue):
                file_of(data, "confirmed")


def addresses(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Return every address of the pages about *tournament* with existing ids, by name."""
    entry = Entry.objects.filter(tournament=tournament).latest("pk")
    game = Game.objects.filter(round__tournament=tournament, round__number=2).latest("pk")
    values: dict[str, object] = {
        "slug": tournament.slug,
        "entry_id": entry.pk,
        "chart": "federations",
        "kind": "standings",
        "appointment_id": Appointment.objects.filter(tournament=tournament).latest("pk").pk,
        "game_id": game.pk,
        "list_id": PublishedList.objects.filter(tournament=tournament).latest("pk").pk,
        "number": 2,
        "tpn": 1,
        "waiting_id": 1,
        "invitation_id": 1,
        "registration_id": 1,
        "screen_id": 1,
        "report_id": 1,
        "code": "unknown",
        "name": "unknown.png",
        "title": "GM",
        "part": 1,
        "board": 1,
    }
    for pattern in urlpatterns:
        route = str(pattern.pattern)
        if "<slug:slug>" in route:
            names = re.findall(r"<\w+:(\w+)>", route)
            yield (
                str(pattern.name),
                reverse(str(pattern.name), kwargs={name: values[name] for name in names}),
            )


def fields(tournament: Tournament) -> list[str]:
    """Return every numeric field that a page sends,
    and the counting fields of Django's own forms.
    """
    games = Game.objects.filter(round__tournament=tournament).values_list("pk", flat=True)
    named = [
        "seen_version",
        "version",
        "adjourning",
        "missing",
        "round_number",
        "sequence",
        "points",
        "player",
    ]
    named += [
        "round",
        "consent",
        "bye",
        "w-1",
        "b-1",
        "from_round",
        "total_rounds",
        "amount",
        "sign",
        "fide_rating",
    ]
    named += [
        "fixed_table",
        "fide_id",
        "row-TOTAL_FORMS",
        "row-INITIAL_FORMS",
        "round-1-starts_at",
        "confirmed",
    ]
    named += [
        "estimate",
        "max_byes",
        "last_bye_round",
        "correction_minutes",
        "reported_at",
        "national_rating",
    ]
    named += ["last", "new", "remove", "change"]
    return named + [f"{name}-{pk}" for pk in games for name in ("version", "result", "was")]


@pytest.mark.costly
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("9" * 5000, id="digits"),
        pytest.param(
            str(MOST), id="most", marks=pytest.mark.on_postgres("numbers that one database refuses")
        ),
        pytest.param("-1", id="minus"),
        # Python reads a letter as a number no more than five thousand digits; damaged files have a
        # test below.
        pytest.param("é", id="letter", marks=pytest.mark.slow),
    ],
)
def test_no_action_fails_with_absurd_numbers(text: str, on_site: Tournament, desk: Client) -> None:
    """Send absurd numbers to every address and in every query:
    each is refused or handled, never an error 500.
    """
    data = dict.fromkeys(fields(on_site), text) | {"save": "1", "reason": "fuzz", "result": "10"}
    values = {name: desk.post(url, data).status_code for name, url in addresses(on_site)}
    queries = {
        "round-change": f"?b=1&p={text}&situation=regulations",
        "round-correct": f"?kind=result&board=1/{text}",
        "round-why": f"?player={text}",
        "points": f"?player={text}",
        "record": f"?page={text}",
        "norms": f"?kind={text}",
        "norm": f"?kind={text}",
    }
    for name, url in addresses(on_site):
        if query := queries.get(name):
            values[f"{name} asked"] = desk.get(url + query).status_code
            values[f"{name} told"] = desk.post(url + query, data).status_code
    assert {name: status for name, status in values.items() if status >= 500} == {}
    rating = reverse("round-correct", args=[on_site.slug, 1]) + f"?kind=rating&player={text}"
    assert desk.get(rating).status_code in (200, 404)


@pytest.mark.parametrize("text", ["9" * 5000, "-1", "é"], ids=["digits", "minus", "letter"])
class TestInvalidVersion:
    """A version that is not a number is refused and nothing is saved:
    no page sends such a version.
    """

    def test_at_one_board(self, text: str, on_site: Tournament, desk: Client) -> None:
        game = Game.objects.filter(round__tournament=on_site, round__number=2).earliest("pk")
        url = reverse("game-result", args=[on_site.slug, game.pk])
        response = desk.post(url, {"result": "10", "seen_version": text})
        assert (response.status_code, response.json()["conflict"], response.json()["result"]) == (
            422,
            False,
            "",
        )
        assert "seen_version" in response.json()["sentence"]
        assert unchanged(on_site)

    @pytest.mark.costly
    def test_at_all_boards(self, text: str, on_site: Tournament, desk: Client) -> None:
        game = Game.objects.filter(round__tournament=on_site, round__number=2).earliest("pk")
        form = {f"result-{game.pk}": "10", f"was-{game.pk}": "", f"version-{game.pk}": text}
        response = desk.post(reverse("round-results", args=[on_site.slug, 2]), form)
        assert response.status_code == 422
        assert f"version-{game.pk}" in response.content.decode()
        assert unchanged(on_site)

    @pytest.mark.costly
    def test_of_an_adjourned_board(self, text: str, on_site: Tournament, desk: Client) -> None:
        url = reverse("results-publish", args=[on_site.slug, 2])
        for headers, whole in (({}, True), ({"HX-Request": "true"}, False)):
            response = desk.post(url, {"adjourning": ["1", text]}, headers=headers)
            assert response.status_code == 422
            assert ("<html" in response.content.decode()) is whole
            assert "“adjourning”" in response.content.decode()
        assert unchanged(on_site)


def unchanged(tournament: Tournament) -> bool:
    """Return whether *tournament* is as the fixture made it."""
    version = tournament.version
    tournament.refresh_from_db()
    return tournament.version == version == Decision.objects.filter(tournament=tournament).count()


@pytest.mark.parametrize("name", ["entries-import", "tournament-import"])
@pytest.mark.parametrize("text", ["é", "!!", "a"])
def test_a_damaged_file_is_refused(name: str, text: str, on_site: Tournament, desk: Client) -> None:
    url = reverse(name, args=[on_site.slug] if name == "entries-import" else [])
    response = desk.post(url, {"confirmed": text})
    assert response.status_code == 422
    assert "Choose it again." in response.content.decode()
    assert unchanged(on_site)


@pytest.mark.costly
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_header_of_four_hundred_thousand_columns_is_refused(
    delimiter: str, on_site: Tournament, desk: Client
) -> None:
    data = delimiter.join(["Name", *["x"] * 400_000]) + "\nAnna\n"
    response = desk.post(reverse("entries-import", args=[on_site.slug]), {"text": data})
    assert response.status_code == 422
    assert f"at most {MAX_COLUMNS} can be read" in response.content.decode()


@pytest.mark.costly
@pytest.mark.on_postgres("numbers and texts that one database refuses")
@pytest.mark.parametrize(
    "zone, moment", [("Asia/Tokyo", "0001-01-01T00:00"), ("America/New_York", "9999-12-31T23:59")]
)
def test_c04_2_4_2_a_schedule_outside_the_calendar_is_refused(
    zone: str, moment: str, on_site: Tournament, desk: Client
) -> None:
    with timezone.override(zone):
        response = desk.post(
            reverse("schedule", args=[on_site.slug]), {"round-3-starts_at": moment}
        )
        assert response.status_code == 422
        assert "Type a year from 1900 to 2200." in response.content.decode()
        correction = reverse("round-correct", args=[on_site.slug, 1]) + "?kind=result&board=1"
        form = {"result": "01", "reported_at": moment, "reason": "Both players", "save": "1"}
        assert desk.post(correction, form).status_code == 422
    assert unchanged(on_site)
    assert not Round.objects.filter(starts_at__isnull=False).exists()


@pytest.mark.costly
def test_a_request_that_claims_two_thousand_million_prizes_gets_forty_rows(
    on_site: Tournament, desk: Client
) -> None:
    sent = {
        "division": "equal",
        "row-TOTAL_FORMS": "2147483648",
        "row-INITIAL_FORMS": "0",
        "row-0-name": "Main",
    }
    response: HttpResponse = desk.post(reverse("prizes-define", args=[on_site.slug]), sent)
    assert response.status_code == 422
    assert len(response.context["rows"].forms) == MOST_CATEGORIES  # type: ignore[attr-defined]
    assert unchanged(on_site)
