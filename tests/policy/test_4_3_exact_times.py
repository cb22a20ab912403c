"""The time of a report decides its effect, so both times are shown to the second;
protests have a possible time.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, result_correct
from tests.policy.refusals import words_of
from tests.tournaments.factories import NOW, make_ready, play_rounds, round_of
from tournaments.core.errors import BadInput
from tournaments.models import Game, Tournament
from tournaments.reports.protests import protest_appeal, protest_decide, protest_lodge

pytestmark = pytest.mark.django_db


@pytest.mark.costly
def test_c04_2_4_3_report_and_entry_are_shown_to_the_second(
    chief_arbiter: User, as_chief: Client
) -> None:
    tournament = make_ready(chief_arbiter)
    play_rounds(tournament, [1], chief_arbiter)
    game = Game.objects.get(round=round_of(tournament, 1), board=1)
    report = Report(NOW + timedelta(seconds=7), "both players say so")
    result_correct(
        game_id=game.pk,
        result="==",
        report=report,
        actor=chief_arbiter,
        now=NOW + timedelta(seconds=19),
    )
    for name in ("corrections", "event-report", "record"):
        words = words_of(as_chief.get(reverse(name, args=[tournament.slug])).content.decode())
        assert "reported 21 Nov 2026, 09:00:07, entered 21 Nov 2026, 09:00:19" in words, name
    page = as_chief.get(reverse("corrections", args=[tournament.slug])).content.decode()
    french = as_chief.get(
        reverse("record", args=[tournament.slug]), headers={"accept-language": "fr"}
    )
    assert "signalé le 21 nov. 2026, 09:00:07, saisi le 21 nov. 2026, 09:00:19" in words_of(
        french.content.decode()
    )
    narrow = page.split('class="only-narrow small muted"')[1].split("</th>")[0]
    assert "09:00:07" in narrow
    assert "both players say so" in narrow


PROTEST: dict[str, Any] = {
    "by": "Pia Player",
    "subject": "The clock was wrong",
    "seen": 0,
    "now": NOW,
}


def refused(tournament: Tournament, actor: User, code: str, **when: Any) -> None:
    with pytest.raises(BadInput) as caught:
        protest_lodge(tournament_id=tournament.pk, actor=actor, **PROTEST, **when)
    assert caught.value.code == code
    assert "correct the time" in str(caught.value)


@pytest.mark.costly
def test_laws_11_10_a_protest_is_not_before_what_it_is_about(
    chief_arbiter: User, deputy: User
) -> None:
    tournament = make_ready(chief_arbiter)
    long_ago = NOW.replace(year=1999)
    refused(tournament, deputy, "protest.before_tournament", at=long_ago)
    play_rounds(tournament, [1, 2], chief_arbiter)
    tournament.rounds.filter(number=1).update(published_at=NOW - timedelta(hours=3))
    tournament.rounds.filter(number=2).update(published_at=NOW - timedelta(hours=1))
    refused(tournament, deputy, "protest.before_publication", at=long_ago)
    refused(tournament, deputy, "protest.before_round", at=NOW - timedelta(hours=2), round_number=2)
    between = {"at": NOW - timedelta(hours=2), "round_number": 1}
    assert (
        protest_lodge(tournament_id=tournament.pk, actor=deputy, **PROTEST, **between).round_number
        == 1
    )


def test_laws_11_10_an_appeal_has_its_reasons(chief_arbiter: User, as_chief: Client) -> None:
    tournament = make_ready(chief_arbiter)
    given: dict[str, Any] = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
    protest_lodge(at=NOW, **{**PROTEST, **given})
    protest_decide(number=1, ruling="The game goes on", article="Laws 6.2", **given)
    with pytest.raises(BadInput):
        protest_appeal(number=1, by="Pia Player", at=NOW, reasons=" ", **given)
    protest_appeal(
        number=1, by="Pia Player", at=NOW, reasons="The clock was never checked", **given
    )
    assert tournament.decisions.latest("sequence").after["reasons"] == "The clock was never checked"
    for page in (
        reverse("protest", args=[tournament.slug, 1]),
        reverse("event-report", args=[tournament.slug]),
    ):
        assert "The clock was never checked" in as_chief.get(page).content.decode()
