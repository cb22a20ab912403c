"""Publish the next pairings while mistakes can still be reported:
this needs a decision [C.04.2/2026 4.3].
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.corrections import may_cut_short
from pairing.rules.rounds import RoundState
from pairing.rules.verdict import ALLOWED, Refused
from tests.tournaments.factories import NOW, make_ready, page_versions, pair_and_publish, round_of
from tournaments.core.errors import RuleRefused
from tournaments.models import Decision, Game, Tournament

HTMX = {"HX-Request": "true"}


@pytest.fixture
def timed(chief_arbiter: User) -> Tournament:
    """The results of round 1 were published 18 minutes ago, round 2 is a draft;
    30 minutes to report mistakes.

    Another tournament at the same point has no deadline.
    """
    for name, minutes in (("Spring Open", None), ("Autumn Open", 30)):
        tournament = make_ready(chief_arbiter, name=name, correction_minutes=minutes)
        pair_and_publish(tournament, 1, chief_arbiter)
        for game in Game.objects.filter(round__tournament=tournament):
            result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
        early = timezone.now() - timedelta(minutes=18)
        results_publish(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=early)
        round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=timezone.now())
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize(
    "left, decides, decided, code",
    [
        (None, False, False, ""),
        (-1, False, False, ""),
        (0, False, False, ""),
        (90, True, True, ""),
        (90, True, False, "deadline.running"),
        (90, False, True, "deadline.chief_arbiter_decides"),
        (90, False, False, "deadline.chief_arbiter_decides"),
    ],
)
def test_c04_2_4_3_the_time_to_report_is_ended_early_by_decision_only(
    left: int | None, decides: bool, decided: bool, code: str
) -> None:
    """*left* in seconds."""
    until = None if left is None else NOW + timedelta(seconds=left)
    verdict = may_cut_short(until, NOW, decides=decides, decided=decided)
    assert verdict == (Refused(code, "C.04.2 4.3", {"minutes": 2}) if code else ALLOWED)


@pytest.mark.costly
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_c04_2_4_3_the_page_asks_for_a_decision_and_its_reason(
    timed: Tournament, client: Client, chief_arbiter: User, headers: dict[str, str]
) -> None:
    client.force_login(chief_arbiter)
    page, url = (
        reverse("round", args=[timed.slug, 2]),
        reverse("round-publish", args=[timed.slug, 2]),
    )
    assert 'name="cut_short"' in client.get(page, headers=headers).content.decode()
    rows = Decision.objects.count()
    fresh = page_versions(timed, 2)
    waits, short = (
        "Mistakes can still be reported for 12 min: wait, or end",
        "at least three letters",
    )
    for form, status, sentence in (
        ({}, 409, waits),
        ({"reason": "the hall closes"}, 409, waits),
        ({"cut_short": "yes"}, 400, short),
        ({"cut_short": "yes", "reason": "."}, 400, short),
    ):
        refused = client.post(url, {**fresh, **form}, headers=headers)
        assert (refused.status_code, sentence in refused.content.decode()) == (status, True)
    decided = {"cut_short": "yes", "reason": "the hall closes"}
    for stale in ({}, {"seen_version": fresh["seen_version"] + 1}):
        assert client.post(url, {**decided, **stale}, headers=headers).status_code == 409
    assert (round_of(timed, 2).state, Decision.objects.count()) == (RoundState.DRAFT, rows)
    done = client.post(url, {**fresh, **decided}, headers=headers)
    assert (done.headers.get("HX-Redirect") or done.headers["Location"]) == page
    assert client.post(url, {**fresh, **decided}, headers=headers).status_code == 409
    assert Decision.objects.filter(action="deadline.cut_short").count() == 1
    timed.refresh_from_db()
    assert timed.corrections_until is None


@pytest.mark.costly
def test_c04_2_4_3_the_record_and_the_report_keep_how_much_time_was_left(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    until = timed.corrections_until
    assert until is not None
    now = until - timedelta(minutes=12)
    round_publish(
        round_id=round_of(timed, 2).pk, actor=chief_arbiter, now=now, cut_short=" the hall closes "
    )
    cut, published = timed.decisions.order_by("-sequence")[:2][::-1]
    assert (cut.action, cut.article, cut.round_number, cut.reason) == (
        "deadline.cut_short", "C.04.2 4.3", 1, "the hall closes",
    )  # fmt: skip
    assert (cut.before, cut.after) == (
        {"until": until.isoformat()},
        {"minutes_left": 12, "by_round": 2},
    )
    assert published.action == "pairings.published"
    record = client.get(reverse("record", args=[timed.slug])).content.decode()
    assert "time to report mistakes ended early" in record
    assert "(12 min left)" in record
    assert "the hall closes" not in record
    client.force_login(chief_arbiter)
    report = client.get(reverse("event-report", args=[timed.slug])).content.decode()
    assert "(12 min left)" in report
    assert "the hall closes" in report


@pytest.mark.costly
def test_c04_2_4_3_a_deputy_waits(timed: Tournament, client: Client, deputy: User) -> None:
    client.force_login(deputy)
    text = client.get(reverse("round", args=[timed.slug, 2])).content.decode()
    assert "Until then, only the Chief Arbiter can publish these pairings." in text
    assert "Publish pairings" not in text
    form = {**page_versions(timed, 2), "cut_short": "yes", "reason": "the hall closes"}
    refused = client.post(reverse("round-publish", args=[timed.slug, 2]), form)
    assert refused.status_code == 409
    assert (
        "only the Chief Arbiter can end that time early. (C.04.2 4.3)" in refused.content.decode()
    )
    assert round_of(timed, 2).state == RoundState.DRAFT
    over = timed.corrections_until
    round_publish(round_id=round_of(timed, 2).pk, actor=deputy, now=over)  # type: ignore[arg-type]
    assert not Decision.objects.filter(action="deadline.cut_short").exists()


@pytest.mark.costly
def test_c04_2_4_3_no_decision_is_needed_without_a_deadline(
    timed: Tournament, client: Client, deputy: User
) -> None:
    client.force_login(deputy)
    neighbour = Tournament.objects.get(slug="spring-open")
    assert (
        'name="cut_short"'
        not in client.get(reverse("round", args=[neighbour.slug, 2])).content.decode()
    )
    assert (
        client.post(
            reverse("round-publish", args=[neighbour.slug, 2]), page_versions(neighbour, 2)
        ).status_code
        == 302
    )
    with pytest.raises(RuleRefused):
        round_publish(round_id=round_of(timed, 2).pk, actor=deputy, now=timezone.now())
