"""The time to report mistakes: it runs from the announced time,
and after the last round it is ended by decision.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.facts import timeline
from pairing.rounds.publish import deadline_end, results_publish
from pairing.rounds.results import result_record
from pairing.rules.corrections import (
    CorrectionEffect,
    CorrectionKind,
    deadline_after,
    may_end_reports,
)
from pairing.rules.rounds import may_publish_early
from pairing.rules.verdict import ALLOWED, Refused
from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tests.tournaments.factories import (
    NOW,
    appoint_on_record,
    make_ready,
    page_versions,
    pair_and_publish,
    round_of,
)
from tests.tournaments.markup import tidy
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Action, Decision, Eligible, Game, Round, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.setup.schedule import round_schedule
from tournaments.standings.final import standings_make_final
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set

WHY: Final = "everybody is at the prize-giving"


def at(minutes: int) -> datetime:
    return NOW + timedelta(minutes=minutes)


def by(actor: User, minutes: int = 0) -> dict[str, Any]:
    return {"actor": actor, "now": at(minutes)}


def entered(actor: User, *, rounds: int = 5, due: datetime | None = None) -> Round:
    """Return round 1 with all results, announced for *due*; 30 minutes to report mistakes."""
    tournament = make_ready(actor, players=4, rounds=rounds, correction_minutes=30)
    row = round_of(tournament, 1)
    if due is not None:
        round_schedule(round_id=row.pk, starts_at=NOW, results_due_at=due, **by(actor))
    pair_and_publish(tournament, 1, actor)
    for game in Game.objects.filter(round=row):
        result_record(game_id=game.pk, result="10", **by(actor))
    return row


def test_c04_2_4_3_the_deadline_is_the_later_of_publication_and_announcement() -> None:
    assert deadline_after(at(0), 30, at(60)) == at(90)
    assert deadline_after(at(70), 30, at(60)) == at(100)
    assert deadline_after(at(0), None, at(60)) is None


def test_c04_2_4_2_results_before_the_announced_time_are_confirmed() -> None:
    early = Refused("results.before_the_time", "C.04.2 4.2", {"minutes": 60})
    assert may_publish_early(at(60), at(0), confirmed=False) == early
    for announced, now, confirmed in (
        (at(60), at(0), True),
        (at(60), at(60), False),
        (None, at(0), False),
    ):
        assert may_publish_early(announced, now, confirmed=confirmed) == ALLOWED


@pytest.mark.costly
def test_c04_2_4_3_results_published_early_do_not_end_the_time_for_reports_early(
    chief_arbiter: User,
) -> None:
    row = entered(chief_arbiter, due=at(60))
    with pytest.raises(RuleRefused) as refused:
        results_publish(round_id=row.pk, **by(chief_arbiter, 5))
    assert refused.value.code == "results.before_the_time"
    results_publish(round_id=row.pk, before_time=True, **by(chief_arbiter, 5))
    tournament = Tournament.objects.get(pk=row.tournament_id)
    assert tournament.corrections_until == at(90)
    assert timeline(tournament, 1, CorrectionKind.RESULT).deadline == at(90)
    assert differences(tournament) == []
    game = Game.objects.filter(round=row).first()
    assert game is not None
    report = Report(at(89), "both players say so")
    made = result_correct(game_id=game.pk, result="01", report=report, **by(chief_arbiter, 89))
    assert made.effect == "next_round"


@pytest.mark.costly
@pytest.mark.parametrize("start", ["round", "desk"])
def test_c04_2_4_2_the_pages_ask_before_the_time(
    start: str, chief_arbiter: User, client: Client
) -> None:
    row = entered(chief_arbiter, due=timezone.now() + timedelta(hours=1))
    slug = row.tournament.slug
    client.force_login(chief_arbiter)
    page = client.get(
        reverse(start, args=[slug, 1] if start == "round" else [slug])
    ).content.decode()
    assert 'name="before_time"' in page
    url, versions = reverse("results-publish", args=[slug, 1]), page_versions(row.tournament, 1)
    refused = client.post(url, versions)
    assert (
        refused.status_code,
        "confirm that you publish them earlier" in refused.content.decode(),
    ) == (409, True)
    assert client.post(url, {**versions, "before_time": "yes"}).status_code == 302
    assert client.post(url, {**versions, "before_time": "yes"}).status_code == 409


def over(actor: User, minutes: int = 0) -> Tournament:
    """Return an event of one round whose results are published;
    mistakes can be reported for 30 minutes.
    """
    row = entered(actor, rounds=1)
    results_publish(round_id=row.pk, **by(actor, minutes))
    return Tournament.objects.get(pk=row.tournament_id)


@pytest.mark.costly
@pytest.mark.parametrize(
    "language, expected",
    [
        ("en", "within 30 minutes of the publication of the results"),
        ("fr", "dans les 30 minutes qui suivent la publication des résultats"),
    ],
)
def test_c04_2_4_3_players_read_from_when_the_time_runs(
    language: str, expected: str, chief_arbiter: User, client: Client
) -> None:
    later = {
        "en": ", or of the announced time if that is later",
        "fr": ", ou l’heure annoncée si elle est plus tardive",
    }
    row = entered(chief_arbiter)
    url = reverse("tournament", args=[row.tournament.slug])
    text = tidy(client.get(url, headers={"Accept-Language": language}).content.decode())
    assert (expected in text, later[language] in text) == (True, False)
    round_schedule(
        round_id=round_of(row.tournament, 2).pk,
        starts_at=None,
        results_due_at=at(60),
        **by(chief_arbiter),
    )
    text = tidy(client.get(url, headers={"Accept-Language": language}).content.decode())
    assert expected + later[language] in text


def test_c04_2_4_3_after_the_last_round_only_the_time_that_runs_is_ended() -> None:
    assert may_end_reports(at(30), at(5), is_over=True) == ALLOWED
    assert may_end_reports(at(30), at(5), is_over=False) == Refused(
        "deadline.next_pairings_end_it", "C.04.2 4.3"
    )
    for until in (None, at(5), at(4)):
        assert may_end_reports(until, at(5), is_over=True) == Refused(
            "deadline.not_running", "C.04.2 4.3"
        )


def test_c04_2_4_3_the_chief_arbiter_ends_the_time_after_the_last_round(
    chief_arbiter: User, deputy: User
) -> None:
    tournament = over(chief_arbiter)
    appoint_on_record(tournament, deputy, chief_arbiter)
    given: dict[str, Any] = {"tournament_id": tournament.pk}
    with pytest.raises(PermissionDenied):
        deadline_end(**given, reason=WHY, **by(deputy, 5))
    with pytest.raises(BadInput) as missing:
        deadline_end(**given, reason=" ", **by(chief_arbiter, 5))
    assert (missing.value.code, missing.value.field) == ("deadline.reason_missing", "reason")
    with pytest.raises(Conflict):
        deadline_end(**given, reason=WHY, seen_version=1, **by(chief_arbiter, 5))
    with pytest.raises(RuleRefused):
        standings_make_final(**given, ties_stay=True, **by(chief_arbiter, 5))
    deadline_end(**given, reason=WHY, **by(chief_arbiter, 5))
    line = Decision.objects.get(tournament=tournament, action=Action.DEADLINE_CUT_SHORT)
    assert (line.article, line.reason, line.after) == (
        "C.04.2 4.3", WHY, {"minutes_left": 25, "by_round": 1, "ended": True},
    )  # fmt: skip
    with pytest.raises(RuleRefused) as again:
        deadline_end(**given, reason=WHY, **by(chief_arbiter, 5))
    assert again.value.code == "deadline.not_running"
    tournament.refresh_from_db()
    assert (tournament.corrections_until, differences(tournament)) == (at(5), [])
    # A report after that is a decision of the Chief Arbiter, as after any deadline.
    game = Game.objects.filter(round__tournament=tournament).first()
    assert game is not None
    chosen = Report(at(10), "both players say so", chosen=CorrectionEffect.RATING_ONLY)
    made = result_correct(game_id=game.pk, result="01", report=chosen, **by(chief_arbiter, 10))
    assert made.effect == "rating_only"
    assert standings_make_final(**given, ties_stay=True, **by(chief_arbiter, 10)).final_at == at(10)


@pytest.mark.costly
def test_c04_2_4_3_before_the_last_round_the_next_pairings_end_it(chief_arbiter: User) -> None:
    row = entered(chief_arbiter)
    results_publish(round_id=row.pk, **by(chief_arbiter))
    with pytest.raises(RuleRefused) as refused:
        deadline_end(tournament_id=row.tournament_id, reason=WHY, **by(chief_arbiter, 5))
    assert refused.value.code == "deadline.next_pairings_end_it"


@pytest.mark.costly
def test_the_page_of_the_end_has_a_button(
    chief_arbiter: User, deputy: User, client: Client
) -> None:
    minutes = (timezone.now() - NOW) // timedelta(minutes=1) - 5
    tournament = over(chief_arbiter, minutes)
    appoint_on_record(tournament, deputy, chief_arbiter)
    url = reverse("final-standings", args=[tournament.slug])
    client.force_login(deputy)
    assert 'name="end_reports"' not in client.get(url).content.decode()
    client.force_login(chief_arbiter)
    assert 'name="end_reports"' in client.get(url).content.decode()
    form = {"end_reports": "yes", "seen_version": Tournament.objects.get(pk=tournament.pk).version}
    assert client.post(url, form | {"reason": ""}).status_code == 400
    assert client.post(url, form | {"reason": WHY}).status_code == 302
    assert client.post(url, form | {"reason": WHY}).status_code == 409
    page = client.get(url).content.decode()
    assert ('name="end_reports"' in page, "Make the standings final" in page) == (False, True)


@pytest.mark.costly
def test_the_time_ends_and_the_standings_are_final_in_one_step(
    chief_arbiter: User, client: Client
) -> None:
    minutes = (timezone.now() - NOW) // timedelta(minutes=1) - 5
    tournament = over(chief_arbiter, minutes)
    url, desk = (reverse(name, args=[tournament.slug]) for name in ("final-standings", "desk"))
    client.force_login(chief_arbiter)
    form = {
        "end_reports": "final",
        "ties_stay": "yes",
        "seen_version": Tournament.objects.get(pk=tournament.pk).version,
    }
    assert client.post(url, form | {"reason": ""}).status_code == 400
    done = client.post(url, form | {"reason": WHY}, follow=True)
    assert done.request["PATH_INFO"] == desk
    assert "Print the final standings" in done.content.decode()
    actions = tournament.decisions.order_by("-sequence").values_list("action", flat=True)[:2]
    assert list(actions) == ["standings.made_final", "deadline.cut_short"]
    assert client.post(url, form | {"reason": WHY}).status_code == 409


@pytest.mark.costly
@pytest.mark.parametrize("name", ["tournament", "standings"])
def test_c04_2_4_3_everybody_reads_that_the_time_has_ended(
    name: str, chief_arbiter: User, client: Client
) -> None:
    """Visitors had the page with the time before; the decision makes another one."""
    minutes = (timezone.now() - NOW) // timedelta(minutes=1) - 5
    tournament = over(chief_arbiter, minutes)
    url = reverse(name, args=[tournament.slug])
    runs, ended = (
        "Report mistakes in the results of round 1",
        "The time to report mistakes in the results of round 1",
    )
    page = client.get(url)
    assert (runs in page.content.decode(), ended in page.content.decode()) == (True, False)
    deadline_end(tournament_id=tournament.pk, reason=WHY, actor=chief_arbiter, now=timezone.now())
    for user in (None, chief_arbiter):
        if user is not None:
            client.force_login(user)
        text = client.get(url, headers={"If-None-Match": page.headers["ETag"]}).content.decode()
        assert (runs in text, ended in text) == (False, True)


@pytest.mark.costly
def test_prizes_say_when_by_which_line_and_whether_they_are_final(
    chief_arbiter: User, client: Client
) -> None:
    tournament = over(chief_arbiter)
    plan = PrizePlan(
        "EUR", Division.BY_RANK, True, (CategoryPlan("Main", Eligible.EVERYBODY, "", (30000,)),)
    )
    prizes_set(tournament_id=tournament.pk, plan=plan, **by(chief_arbiter))
    line = Decision.objects.get(tournament=tournament, action=Action.RESULTS_PUBLISHED)
    page, api = (
        reverse("prizes", args=[tournament.slug]),
        reverse("api:prizes", args=[tournament.slug]),
    )
    body, found = client.get(page).content.decode(), client.get(api).json()
    assert ('<span class="badge">provisional</span>' in body, line.hash in body) == (True, True)
    assert "Results published 21 Nov 2026" in body
    assert (found["is_provisional"], found["final_at"]) == (True, None)
    assert (found["publication"]["fingerprint"], found["corrections"]) == (line.hash, [])
    rows = (
        client.get(reverse("api:prizes-csv", args=[tournament.slug])).content.decode().splitlines()
    )
    assert {row.rpartition(",")[2] for row in rows[1:] if row} == {"True"}
    assert rows[0].endswith(",is_provisional")
    standings_make_final(tournament_id=tournament.pk, ties_stay=True, **by(chief_arbiter, 31))
    body, found = client.get(page).content.decode(), client.get(api).json()
    assert ('<span class="badge">provisional</span>' in body, "Final since" in body) == (
        False,
        True,
    )
    assert (found["is_provisional"], found["final_at"] is None) == (False, False)
    assert datetime.fromisoformat(found["final_at"]) > factories.NOW
