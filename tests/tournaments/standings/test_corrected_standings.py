"""Corrected standings show when and under which article,
and have their own fingerprint [C.04.2/2026 4.3].
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rules.corrections import CorrectionEffect
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.models import Decision, Game, Round, Tournament
from tournaments.setup.tie_breaks import tie_breaks_change
from tournaments.standings.adjust_points import points_adjust
from tournaments.standings.final import standings_make_final, standings_reopen

LATER = factories.NOW + timedelta(minutes=26)


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """An event of two rounds with published results, beside another event with the same numbers."""
    neighbour = factories.make_ready(chief_arbiter, rounds=2, correction_minutes=30, name="Beside")
    tournament = factories.make_ready(chief_arbiter, rounds=2, correction_minutes=30)
    for event in (neighbour, tournament):
        factories.play_rounds(event, [1, 2], chief_arbiter)
    return tournament


def correct(
    tournament: Tournament,
    actor: User,
    *,
    number: int = 2,
    minutes: int = 26,
    chosen: CorrectionEffect | None = None,
) -> Decision:
    game = Game.objects.get(round__tournament=tournament, round__number=number, board=1)
    at = factories.NOW + timedelta(minutes=minutes)
    report = Report(reported_at=at, reason="the slip says so", chosen=chosen)
    result_correct(game_id=game.pk, result=game.result[::-1], report=report, actor=actor, now=at)
    return Decision.objects.filter(tournament=tournament).latest("sequence")


def page(client: Client, tournament: Tournament, after: int = 2) -> str:
    return client.get(reverse("standings-after", args=[tournament.slug, after])).content.decode()


def test_c04_2_4_3_1_final_standings_show_that_they_were_corrected(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    published = Decision.objects.get(tournament=over, action="results.published", round_number=2)
    before = page(client, over)
    assert "Corrected" not in before
    assert published.hash in before
    decision = correct(over, chief_arbiter)
    text = page(client, over)
    assert "Results published 21 Nov 2026, 09:00" in text
    assert "<strong>Corrected 21 Nov 2026, 09:26</strong>: result corrected [C.04.2 4.3.1]" in tidy(
        text
    )
    board = re.search(r'4\.3\.1\]<span class="muted">(.*?)</span>', tidy(text))
    assert board is not None
    assert board[1].replace("\N{NO-BREAK SPACE}", " ") == "round 2, board 1: 0 – 1 → 1 – 0"
    notice, foot = text.split("print-foot")
    assert f'<abbr title="{decision.hash}">{decision.hash[:12]}</abbr>' in notice
    assert (
        f"Corrected 21 Nov 2026, 09:26 · Clara Chief · record #{decision.sequence}<span "
        f'class="hash">' in tidy(foot)
    )
    assert decision.hash in foot
    assert published.hash not in text
    # Neither the standings after the previous round nor those of another event were corrected.
    assert "Corrected" not in page(client, over, after=1)
    assert "Corrected" not in page(client, Tournament.objects.get(name="Beside"))


@pytest.mark.costly
def test_c04_2_4_3_the_part_that_a_phone_fetches_shows_it_too(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    """A page left open shows the correction, because the part that it fetches again contains it."""
    text = page(client, over)
    correct(over, chief_arbiter)
    assert "Corrected" not in text[: text.index('id="live"')]
    fresh = page(client, over)
    assert fresh.index('id="live"') < fresh.index("<strong>Corrected 21 Nov 2026, 09:26</strong>")


def test_c04_2_4_3_a_correction_of_the_rating_report_only_does_not_mark_the_standings(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    correct(over, chief_arbiter, minutes=31, chosen=CorrectionEffect.RATING_ONLY)
    assert "Corrected" not in page(client, over)


@pytest.mark.costly
def test_c04_2_4_3_a_correction_that_waits_shows_once_it_is_applied(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=3, correction_minutes=30)
    factories.play_rounds(tournament, [1], chief_arbiter)
    correct(tournament, chief_arbiter, number=1, minutes=31, chosen=CorrectionEffect.NEXT_PAIRING)
    assert "Corrected" not in page(client, tournament, after=1)
    draft = factories.round_of(tournament, 2)
    round_pair(round_id=draft.pk, actor=chief_arbiter, now=LATER)
    round_publish(round_id=draft.pk, actor=chief_arbiter, now=LATER + timedelta(minutes=10))
    applied = Decision.objects.get(tournament=tournament, action="correction.applied")
    text = page(client, tournament, after=1)
    assert (
        "<strong>Corrected 21 Nov 2026, 09:36</strong>: waiting correction done [C.04.2 4.3.1]"
        in tidy(text)
    )
    assert applied.hash in text[text.index("print-foot") :]


def test_a_point_adjustment_marks_the_standings_too(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    points_adjust(
        tournament_id=over.pk,
        entry_id=factories.entry_of(over, 3).pk,
        points=-5,
        round_number=2,
        article="Laws of Chess 12.9.4",
        reason="left the playing area",
        seen=0,
        actor=chief_arbiter,
        now=LATER,
    )
    text = page(client, over)
    shown = tidy(text)
    assert (
        "<strong>Corrected 21 Nov 2026, 09:26</strong>: point adjustment [Laws of Chess 12.9.4]"
        in shown
    )
    assert "(left the playing area)" in shown
    assert "point adjustment [Laws" not in page(client, over, after=1)


@pytest.mark.costly
def test_c07_4_1_1_another_list_of_tie_breaks_marks_the_standings(
    played_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    tournament.refresh_from_db()
    tie_breaks_change(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=LATER,
        tie_breaks="SB",
        edition="fide-2026",
        reason="on time",
        version=tournament.version,
    )
    text = tidy(page(client, tournament, after=1))
    assert "tie-breaks changed after the start [C.07 4.1.1]" in text
    assert "→ SB: on time" in text


def test_c04_2_4_3_reopened_standings_are_not_called_corrected(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    end = LATER + timedelta(minutes=5)
    given = {"tournament_id": over.pk, "actor": chief_arbiter, "now": end}
    standings_make_final(**given, ties_stay=True)
    standings_reopen(**given, reason="a slip was found")
    text = tidy(page(client, over))
    assert "<strong>21 Nov 2026, 09:31</strong>: final standings reopened [C.04.2 4.3]" in text
    assert "(a slip was found)" in text
    foot = text[text.index("print-foot") :]
    assert "21 Nov 2026, 09:31 · Clara Chief" in foot
    assert "Corrected" not in text


@pytest.mark.costly
def test_the_api_gives_the_time_of_a_correction(
    over: Tournament, client: Client, chief_arbiter: User
) -> None:
    address = f"/api/v1/tournaments/{over.slug}/standings/"
    answer = client.get(address).json()
    published = Decision.objects.get(tournament=over, action="results.published", round_number=2)
    assert (answer["publication"]["fingerprint"], answer["corrections"]) == (published.hash, [])
    decision = correct(over, chief_arbiter)
    answer = client.get(address).json()
    assert answer["publication"]["fingerprint"] == published.hash
    assert answer["corrections"] == [
        {
            "sequence": decision.sequence,
            "action": "result.corrected",
            "article": "C.04.2 4.3.1",
            "at": "2026-11-21T09:26:00Z",
            "round": 2,
            "by": "Clara Chief",
            "fingerprint": decision.hash,
        }
    ]
    assert client.get(f"{address}?after_round=0").json()["publication"] is None
    assert client.get(f"{address}?after_round=1").json()["corrections"] == []
