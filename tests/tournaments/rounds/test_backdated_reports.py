"""A mistake entered later than it was reported:
its time, the user's role, and the line of the record.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.corrections import Report, rating_correct, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.corrections import Timeline, is_backdated, may_report
from pairing.rules.verdict import ALLOWED, Refused
from tests.tournaments.factories import NOW, entry_of, get_or_make, make_ready, round_of
from tests.tournaments.neighbour import own
from tournaments.core.errors import RuleRefused
from tournaments.models import Correction, Decision, Game, Round, Tournament
from tournaments.setup.tournaments import tournament_update
from tournaments.web.rounds.forms import CorrectionForm

PARIS = ZoneInfo("Europe/Paris")


def at(minutes: int) -> datetime:
    return NOW + timedelta(minutes=minutes)


TIMES = {"pairings_published": at(0), "results_published": at(100), "deadline": at(130)}
NEXT = TIMES | {"next_published": at(150), "next_ended": at(300)}


@pytest.mark.parametrize(
    "times, reported, now, over",
    [
        (TIMES, 105, 106, None),
        (TIMES, 105, 115, None),
        (TIMES, 105, 116, ""),  # more than ten minutes
        (TIMES, 99, 100, "_over_publication"),  # before the results were published
        (TIMES, 100, 101, None),
        (TIMES, 130, 131, "_over_deadline"),  # in time, entered after the deadline
        (TIMES, 131, 132, None),
        (NEXT, 149, 150, "_over_publication"),  # before the next pairings
        (NEXT, 299, 301, "_over_publication"),  # before the end of the next round
        (NEXT, 300, 301, None),
    ],
)
def test_c04_2_4_3_a_report_across_a_deadline_or_long_ago_is_for_the_chief_arbiter(
    times: dict[str, datetime], reported: int, now: int, over: str | None
) -> None:
    timeline = Timeline(1, is_last=False, **times)
    backdated = over is not None
    assert is_backdated(timeline, at(reported), at(now)) is backdated
    for decides in (True, False):
        verdict = may_report(
            timeline, at(reported), at(now), decides=decides, article="C.04.2 4.3.1"
        )
        refused = Refused(
            f"correction.backdated{over}", "C.04.2 4.3.1", {"minutes": now - reported}
        )
        assert verdict == (refused if backdated and not decides else ALLOWED)


@pytest.mark.parametrize(
    "reported, code", [(-1, "correction.before_pairings"), (107, "correction.from_the_future")]
)
def test_c04_2_4_3_a_report_is_not_before_the_pairings_or_in_the_future(
    reported: int, code: str
) -> None:
    timeline = Timeline(1, is_last=False, **TIMES)
    verdict = may_report(timeline, at(reported), at(106), decides=True, article="C.04.2 4.3.1")
    assert verdict == Refused(code, "C.04.2 4.3.1")


@pytest.fixture
def spring_open(chief_arbiter: User) -> Tournament:
    """Another tournament with the same numbers, hours earlier: its times do not count here."""

    def make() -> Tournament:
        tournament = make_ready(chief_arbiter, name="Spring Open", correction_minutes=30)
        return play(tournament, chief_arbiter, rounds=2, start=-900)

    return get_or_make("backdated, hours earlier", chief_arbiter.pk, make)


@pytest.fixture
def third(spring_open: Tournament, chief_arbiter: User) -> Tournament:
    """Rounds 1 and 2 are over, round 3 is public; a round takes 200 minutes."""

    def make() -> Tournament:
        tournament = make_ready(chief_arbiter, correction_minutes=30)
        play(tournament, chief_arbiter, rounds=2)
        row = round_of(tournament, 3)
        round_pair(round_id=row.pk, actor=chief_arbiter, now=at(400))
        round_publish(round_id=row.pk, actor=chief_arbiter, now=at(400))
        return tournament

    return get_or_make("backdated", chief_arbiter.pk, make)


def play(tournament: Tournament, actor: User, *, rounds: int, start: int = 0) -> Tournament:
    for number in range(1, rounds + 1):
        begin, row = start + 200 * (number - 1), round_of(tournament, number)
        round_pair(round_id=row.pk, actor=actor, now=at(begin))
        round_publish(round_id=row.pk, actor=actor, now=at(begin))
        for game in Game.objects.filter(round=row):
            result_record(game_id=game.pk, result="10", actor=actor, now=at(begin))
        results_publish(round_id=row.pk, actor=actor, now=at(begin + 100))
    return tournament


def correct(
    tournament: Tournament, actor: User, *, reported: int, now: int, number: int = 1
) -> Correction:
    game = Game.objects.get(round__tournament=tournament, round__number=number, board=1)
    report = Report(reported_at=at(reported), reason="White showed the score sheet")
    return result_correct(game_id=game.pk, result="01", report=report, actor=actor, now=at(now))


@pytest.mark.costly
def test_c04_2_4_3_1_a_deputy_cannot_change_an_old_result_by_an_earlier_date(
    third: Tournament, deputy: User, chief_arbiter: User
) -> None:
    """With its true time the report changes the rating report only;
    dated back it would change the standings.
    """
    rows = Decision.objects.count()
    for reported, code in (
        (-400 * 24 * 60, "correction.before_pairings"),
        (-1, "correction.before_pairings"),
        (110, "correction.backdated"),
        (451, "correction.from_the_future"),
    ):
        for actor in {deputy, chief_arbiter} if reported != 110 else {deputy}:
            with pytest.raises(RuleRefused) as refused:
                correct(third, actor, reported=reported, now=450)
            assert (refused.value.code, refused.value.article) == (code, "C.04.2 4.3.1")
    assert (Decision.objects.count(), own(Correction).count()) == (rows, 0)
    assert correct(third, deputy, reported=445, now=450).effect == "rating_only"


@pytest.mark.costly
def test_c04_2_4_3_the_record_keeps_both_times_and_everybody_can_read_them(
    third: Tournament, chief_arbiter: User, client: Client
) -> None:
    made = correct(third, chief_arbiter, reported=110, now=450)
    assert (made.reported_at, made.entered_at, made.effect) == (at(110), at(450), "rating_only")
    row = Decision.objects.get(tournament=third, action="result.corrected")
    kept = {name: row.after[name] for name in ("reported", "entered", "backdated")}
    assert kept == {
        "reported": at(110).isoformat(),
        "entered": at(450).isoformat(),
        "backdated": True,
    }
    shown = "reported 21 Nov 2026, 10:50:00, entered 21 Nov 2026, 16:30:00, 5 h 40 min later"
    assert shown in client.get(reverse("record", args=[third.slug])).content.decode()
    client.force_login(chief_arbiter)
    assert client.get(reverse("event-report", args=[third.slug])).content.decode().count(shown) == 2
    assert shown in client.get(reverse("corrections", args=[third.slug])).content.decode()
    assert "min later" not in client.get(reverse("record", args=["spring-open"])).content.decode()


def test_c04_2_4_3_3_a_wrong_rating_can_be_reported_from_round_1_on(
    third: Tournament, chief_arbiter: User
) -> None:
    entry = entry_of(third, 8)
    early, later = (
        Report(reported_at=at(n), reason="the list of November says 2345") for n in (-1, 1)
    )
    given = {
        "entry_id": entry.pk,
        "ratings": {"fide_rating": 2345},
        "actor": chief_arbiter,
        "now": at(450),
    }
    with pytest.raises(RuleRefused) as refused:
        rating_correct(**given, report=early)  # type: ignore[arg-type]
    assert refused.value.code == "correction.before_pairings"
    assert rating_correct(**given, report=later).reported_at == at(1)  # type: ignore[arg-type]


@pytest.mark.costly
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_c04_2_4_3_the_page_explains_who_may_enter_an_earlier_time(
    third: Tournament, deputy: User, chief_arbiter: User, client: Client, headers: dict[str, str]
) -> None:
    now = timezone.now()
    Round.objects.filter(tournament=third, number=1).update(published_at=now - timedelta(hours=9))
    Round.objects.filter(tournament=third, number=1).update(
        results_published_at=now - timedelta(hours=8)
    )
    Round.objects.filter(tournament=third, number=2).update(published_at=now - timedelta(hours=7))
    Round.objects.filter(tournament=third, number=2).update(
        results_published_at=now - timedelta(hours=1)
    )
    url = reverse("round-correct", args=[third.slug, 1]) + "?kind=result&board=1"
    reported = timezone.localtime(now - timedelta(hours=8, minutes=-5)).strftime(
        "%Y-%m-%dT%H:%M:%S"
    )
    form = {
        "result": "01",
        "reported_at": reported,
        "reason": "both players say so",
        "version": "1",
    }
    client.force_login(deputy)
    shown = client.post(url, form | {"show": "yes"}, headers=headers).content.decode()
    assert "only the Chief Arbiter can enter it. (C.04.2 4.3.1)" in shown
    assert "Save correction" not in shown
    assert client.post(url, form | {"save": "yes"}, headers=headers).status_code == 409
    assert not own(Correction).exists()
    client.force_login(chief_arbiter)
    assert (
        "The reported time is 7 h 55 min in the past"
        in client.post(url, form | {"show": "yes"}, headers=headers).content.decode()
    )
    stale = client.post(url, form | {"save": "yes", "version": "0"}, headers=headers)
    missing = client.post(url, form | {"save": "yes", "version": ""}, headers=headers)
    assert (stale.status_code, missing.status_code, own(Correction).count()) == (409, 409, 0)
    assert client.post(url, form | {"save": "yes"}, headers=headers).status_code == 302
    assert (
        client.post(url, form | {"save": "yes"}, headers=headers).status_code == 400
    )  # nothing to correct
    assert own(Correction).count() == 1


@pytest.mark.costly
def test_the_form_begins_with_now_to_the_second(
    third: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    before = timezone.localtime().replace(microsecond=0)
    page = client.get(reverse("round-correct", args=[third.slug, 1]) + "?kind=result&board=1")
    shown = page.context["form"]["reported_at"]
    assert before <= shown.initial <= timezone.localtime()
    assert f'value="{shown.initial:%Y-%m-%dT%H:%M:%S}"' in page.content.decode()
    assert 'step="1"' in page.content.decode()


def form(reported: str, **more: str) -> CorrectionForm:
    data = {"result": "01", "reported_at": reported, "reason": "the slip says so"} | more
    return CorrectionForm(data, kind="result", results=[("01", "0-1")], effects=[])


@pytest.mark.parametrize(
    "hour, utc, shown", [("", "01:30:15", "1"), ("0", "00:30:15", "0"), ("1", "01:30:15", "1")]
)
def test_the_hour_that_comes_twice_in_autumn_can_be_typed(hour: str, utc: str, shown: str) -> None:
    with timezone.override(PARIS):
        typed = form("2026-10-25T02:30:15", hour=hour)
        assert typed.is_valid()
        assert typed.cleaned_data["reported_at"].isoformat() == f"2026-10-25T{utc}+00:00"
        assert (typed.asks_hour, typed["hour"].value()) == (True, shown)
        plain = form("2026-10-25T03:30:15")
        assert plain.is_valid()
        assert not plain.asks_hour


def test_the_first_of_two_equal_hours_is_used_while_the_second_is_in_the_future(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 10, 25, 2, 45, tzinfo=PARIS))
    with timezone.override(PARIS):
        typed = form("2026-10-25T02:40:00")
        assert typed.is_valid()
        assert typed.cleaned_data["reported_at"].isoformat() == "2026-10-25T00:40:00+00:00"


def test_the_hour_skipped_in_spring_is_refused() -> None:
    with timezone.override(PARIS):
        assert set(form("2026-03-29T02:30:00").errors) == {"reported_at"}


def test_c04_2_1_3_a_refused_change_of_system_cites_the_rules_that_hold(
    third: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(RuleRefused) as refused:
        tournament_update(
            tournament_id=third.pk, actor=chief_arbiter, now=at(450), system="dutch_2017"
        )
    assert refused.value.article in ("C.04.2 1.3",)
    third.refresh_from_db()
    assert third.system == "dutch_2026"
