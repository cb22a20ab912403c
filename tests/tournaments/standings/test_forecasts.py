"""The forecast of a tournament: made from public data alone, stored for one state,
shown if the arbiters allow it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.test import Client
from django.urls import reverse

from pairing.engine.model import Result
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tests.tournaments.long_work import do
from tests.tournaments.neighbour import own
from tournaments.core import jobs
from tournaments.entries.byes import bye_request
from tournaments.models import Eligible, Forecast, Round, Tournament
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.forecasts import forecast_make, position
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set

ONE_PRIZE = PrizePlan(
    "EUR", Division.BY_RANK, True, (CategoryPlan("Main", Eligible.EVERYBODY, "", (10_000,)),)
)


def now() -> datetime:
    return factories.NOW


@pytest.fixture
@factories.cached
def running(chief_arbiter: User) -> Tournament:
    """Nine players, one round of four is over, the pairings of round 2 are published."""
    tournament = factories.make_ready(chief_arbiter, players=9, rounds=4, forecast_public=True)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    return tournament


def page_of(client: Client, tournament: Tournament) -> str:
    body = client.get(reverse("forecast", args=[tournament.slug])).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", body.partition("<main")[2]).split())


@pytest.mark.costly
def test_the_forecast_is_stored_and_shown_to_everybody(
    running: Tournament, client: Client, chief_arbiter: User
) -> None:
    assert "There is no forecast yet" in page_of(client, running)
    row = forecast_make(running.pk, now, most=30)
    assert row is not None
    assert (row.simulations, row.unpairable, row.after_round, row.next_round) == (30, 0, 1, 3)
    lines = row.content["players"]
    assert len(lines) == 9
    assert sum(line["first"] for line in lines) >= 9_990
    assert all(line["first"] <= line["best_three"] and line["money"] == 0 for line in lines)
    text = page_of(client, running)
    assert "Likely opponents in round 3" in text
    assert "played the rest of the tournament 30 times" in text
    assert "Something was published since" not in text
    again = forecast_make(running.pk, now, most=30)
    assert again is not None
    assert again.content == row.content


@pytest.mark.costly
def test_a_page_that_a_visitor_has_is_not_sent_again(running: Tournament, client: Client) -> None:
    forecast_make(running.pk, now, most=2)
    address = reverse("forecast", args=[running.slug])
    first = client.get(address)
    assert first["Cache-Control"] == "public, max-age=2"
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert client.get(address, headers={"Accept-Encoding": "gzip"})["Content-Encoding"] == "gzip"
    Forecast.objects.filter(tournament=running).update(
        state="another", made_at=factories.NOW + timedelta(minutes=1)
    )
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200
    assert "Something was published since" in page_of(client, running)


def test_no_forecast_is_shown_unless_the_arbiters_allow_it(
    running: Tournament, client: Client, chief_arbiter: User
) -> None:
    forecast_make(running.pk, now, most=2)
    tournament_update(
        tournament_id=running.pk, actor=chief_arbiter, now=factories.NOW, forecast_public=False
    )
    text = page_of(client, running)
    assert "show no forecast" in text
    assert "%" not in text


@pytest.mark.costly
def test_c04_2_4_2_unpublished_results_and_byes_of_coming_rounds_are_not_used(
    running: Tournament, chief_arbiter: User
) -> None:
    before = position(running)
    assert before is not None
    factories.enter_results(running, 2, chief_arbiter)
    entry = factories.entry_of(running, 1)
    bye_request(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, round_number=3, kind="H")
    running.refresh_from_db()
    after = position(running)
    assert after is not None
    assert after[0] == before[0]
    games = [player.rounds[-1] for player in before[0].state.players if player.rounds[-1].opponent]
    assert {record.result for record in games} == {Result.UNKNOWN}


@pytest.mark.costly
def test_c04_2_4_1_a_draft_is_not_shown_as_likely_opponents(
    running: Tournament, client: Client, chief_arbiter: User
) -> None:
    """Once the results are published, the next pairings follow from them:
    only their publication may show them.
    """
    factories.enter_results(running, 2, chief_arbiter)
    results_publish(
        round_id=factories.round_of(running, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    round_pair(round_id=factories.round_of(running, 3).pk, actor=chief_arbiter, now=factories.NOW)
    row = forecast_make(running.pk, now, most=3)
    assert row is not None
    assert row.next_round is None
    assert not any(line["opponents"] for line in row.content["players"])
    assert "Likely opponents" not in page_of(client, running)


def test_prizes_have_their_chances(
    running: Tournament, client: Client, chief_arbiter: User
) -> None:
    prizes_set(tournament_id=running.pk, actor=chief_arbiter, now=factories.NOW, plan=ONE_PRIZE)
    row = forecast_make(running.pk, now, most=10)
    assert row is not None
    assert sum(line["money"] for line in row.content["players"]) >= 9_990
    assert " Prize " in page_of(client, running)


@pytest.mark.costly
def test_there_is_nothing_to_forecast_before_the_first_pairings_and_after_the_last_results(
    tournament: Tournament, chief_arbiter: User
) -> None:
    over = factories.make_ready(chief_arbiter, players=4, rounds=1, name="Short")
    assert forecast_make(over.pk, now) is None
    factories.play_rounds(over, [1], chief_arbiter)
    assert forecast_make(over.pk, now) is None
    assert forecast_make(tournament.pk, now) is None


def test_something_published_meanwhile_ends_the_forecast(running: Tournament) -> None:
    seen = []

    def publish_at_the_second_look(
        execute: Callable[..., object], sql: str, *rest: object
    ) -> object:
        if sql.startswith("SELECT") and "public_fingerprint" in sql and "account_salt" not in sql:
            seen.append(sql)
            if len(seen) == 2:
                Tournament.objects.filter(pk=running.pk).update(
                    public_version=F("public_version") + 1
                )
        return execute(sql, *rest)

    with connection.execute_wrapper(publish_at_the_second_look):
        assert forecast_make(running.pk, now, most=60) is None
    assert len(seen) == 2
    assert not own(Forecast).exists()


def test_a_forecast_that_is_switched_off_ends(running: Tournament, chief_arbiter: User) -> None:
    requested = []

    def switch_off(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if sql.startswith("SELECT") and "public_fingerprint" in sql and "account_salt" not in sql:
            requested.append(sql)
            if len(requested) == 1:
                tournament_update(
                    tournament_id=running.pk, actor=chief_arbiter, now=now(), forecast_public=False
                )
        return execute(sql, *rest)

    with connection.execute_wrapper(switch_off):
        assert forecast_make(running.pk, now, most=60) is None
    assert not own(Forecast).exists()


@pytest.mark.costly
def test_a_publication_asks_for_a_forecast(chief_arbiter: User) -> None:
    shows = factories.make_ready(chief_arbiter, players=4, rounds=2, forecast_public=True)
    hides = factories.make_ready(chief_arbiter, players=4, rounds=2, name="Without")
    for tournament in (shows, hides):
        round_ = factories.round_of(tournament, 1)
        round_pair(round_id=round_.pk, actor=chief_arbiter, now=factories.NOW)
        assert not jobs.is_active("forecast", str(tournament.pk))
        round_publish(round_id=round_.pk, actor=chief_arbiter, now=factories.NOW)
    assert [jobs.is_active("forecast", str(each.pk)) for each in (shows, hides)] == [True, False]
    do("forecast", shows.pk)
    assert Forecast.objects.filter(tournament=shows).exists()
    assert not jobs.is_active("forecast", str(shows.pk))
    prizes_set(tournament_id=shows.pk, actor=chief_arbiter, now=factories.NOW, plan=ONE_PRIZE)
    assert jobs.is_active("forecast", str(shows.pk)), (
        "a change of the prizes makes the forecast out of date too"
    )


@pytest.mark.costly
def test_the_command_names_the_tournament_and_what_it_did(
    running: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match="There is no tournament nowhere"):
        call_command("forecast", "nowhere")
    over = Tournament.objects.get(pk=running.pk)
    Round.objects.filter(tournament=over).update(state="planned")
    call_command("forecast", over.slug)
    assert "nothing to forecast" in capsys.readouterr().out
