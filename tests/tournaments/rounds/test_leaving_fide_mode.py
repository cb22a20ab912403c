"""FIDE mode is left by publishing pairings that break a basic rule, after two questions,
and shown from then on.
"""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.tournaments import factories
from tests.tournaments.factories import NOW, page_versions, round_of
from tournaments.core.chosen_rules import left_fide_mode
from tournaments.core.errors import RuleRefused
from tournaments.models import Action, Decision, Entry, Round, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export


@pytest.fixture
def rematch(chief_arbiter: User) -> Round:
    """The draft of round 2 of four players, in which the Chief Arbiter
    has arranged the boards of round 1 again.
    """
    tournament = factories.make_ready(chief_arbiter, players=4)
    factories.play_rounds(tournament, [1], chief_arbiter)
    draft = round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    pk = {entry.tpn: entry.pk for entry in Entry.objects.filter(tournament=tournament)}
    games = enumerate(factories.boards(tournament, 1), start=1)
    pairings = Pairings({n: (pk[black], pk[white]) for n, (white, black, _) in games}, {})
    round_arrange(
        round_id=draft.pk,
        pairings=pairings,
        reason="nothing else is left",
        actor=chief_arbiter,
        now=NOW,
    )
    return draft


@pytest.mark.costly
def test_c04_1_2_publishing_a_rematch_leaves_fide_mode_after_a_second_question(
    rematch: Round, chief_arbiter: User, deputy: User
) -> None:
    tournament = rematch.tournament
    lines = Decision.objects.filter(tournament=tournament).count()
    for actor, code in (
        (deputy, "fide_mode.chief_arbiter_decides"),
        (chief_arbiter, "fide_mode.confirm"),
    ):
        with pytest.raises(RuleRefused) as refused:
            round_publish(round_id=rematch.pk, actor=actor, now=NOW)
        assert (refused.value.code, refused.value.article) == (code, "C.04.1 2, 4")
    assert Decision.objects.filter(tournament=tournament).count() == lines
    round_publish(round_id=rematch.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)
    tournament.refresh_from_db()
    assert tournament.left_fide_mode == left_fide_mode(tournament) == 2
    after = Decision.objects.get(
        tournament=tournament, action=Action.PAIRINGS_PUBLISHED, round_number=2
    ).after
    assert after["leaves_fide_mode"] is True
    assert differences(tournament) == []
    assert "### FIDE mode left @ Round 2" in trf_export(tournament, public=True)


def test_c04_1_2_fide_mode_is_left_once_and_for_good(rematch: Round, chief_arbiter: User) -> None:
    round_publish(round_id=rematch.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)
    tournament = Tournament.objects.get(pk=rematch.tournament_id)
    factories.enter_results(tournament, 2, chief_arbiter)
    assert (
        "leaves_fide_mode"
        not in Decision.objects.filter(tournament=tournament).latest("sequence").after
    )
    assert left_fide_mode(tournament) == 2


@pytest.mark.costly
def test_the_page_asks_and_every_page_of_the_arbiters_shows_it(
    rematch: Round, chief_arbiter: User, client: Client
) -> None:
    tournament = rematch.tournament
    client.force_login(chief_arbiter)
    page = reverse("round", args=[tournament.slug, 2])
    draft = client.get(page).content.decode()
    assert 'name="leave_fide_mode"' in draft
    assert (
        "Rules broken by the manual arrangement: they have already played each other"
        in " ".join(draft.split())
    )
    publish = reverse("round-publish", args=[tournament.slug, 2])
    assert client.post(publish, page_versions(tournament, 2)).status_code == 409
    given = {**page_versions(tournament, 2), "leave_fide_mode": "yes"}
    assert client.post(publish, given).status_code == 302
    for name in ("desk", "entries", "event-report"):
        assert (
            "Not in FIDE mode since round 2"
            in client.get(reverse(name, args=[tournament.slug])).content.decode()
        )


SENTENCE = ("tournament", "standings", "crosstable", "players", "progress", "prizes", "me")
"""Public pages with the sentence; every page of a tournament has the badge in its head."""


@pytest.mark.costly
def test_every_public_page_says_that_fide_mode_was_left(
    rematch: Round, chief_arbiter: User, client: Client
) -> None:
    tournament = rematch.tournament
    urls = {
        name: reverse(name, args=[tournament.slug])
        for name in (*SENTENCE, "record", "published-lists")
    }
    first = Entry.objects.get(tournament=tournament, tpn=1)
    urls["player-page"] = reverse("player-page", args=[tournament.slug, first.pk])
    urls["pairings-public"] = reverse("pairings-public", args=[tournament.slug, 1])
    before = {name: "FIDE mode" in client.get(url).content.decode() for name, url in urls.items()}
    assert before == dict.fromkeys(urls, False)
    round_publish(round_id=rematch.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)
    for name, url in urls.items():
        body = client.get(url).content.decode()
        assert "Not in FIDE mode since round 2" in body, name
        assert ("Since round 2 outside FIDE mode" in body) or name not in SENTENCE, name


@pytest.mark.costly
@pytest.mark.parametrize("numbered", [("pairings-public", 1), ("standings",), ("crosstable",)])
def test_c04_1_2_visitors_read_since_when_and_open_the_line(
    numbered: tuple[str, *tuple[int, ...]], rematch: Round, chief_arbiter: User, client: Client
) -> None:
    tournament = rematch.tournament
    url = reverse(numbered[0], args=[tournament.slug, *numbered[1:]])
    assert "outside FIDE mode" not in client.get(url).content.decode()
    round_publish(round_id=rematch.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)
    body = client.get(url).content.decode()
    assert "Since round 2 outside FIDE mode: published pairings break a basic rule." in " ".join(
        body.split()
    )
    line = Decision.objects.get(
        tournament=tournament, action=Action.PAIRINGS_PUBLISHED, round_number=2
    ).sequence
    link = f"{reverse('record', args=[tournament.slug])}?line={line}"
    assert f'href="{link}#line-{line}"' in body
    assert f'id="line-{line}"' in client.get(link).content.decode()
    client.force_login(chief_arbiter)
    assert (
        f'href="{link}#line-{line}"'
        in client.get(reverse("event-report", args=[tournament.slug])).content.decode()
    )


@pytest.mark.costly
def test_an_ordinary_round_asks_nothing(
    draft_round: Round, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[draft_round.tournament.slug, 1])).content.decode()
    assert 'name="leave_fide_mode"' not in page
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    assert left_fide_mode(Tournament.objects.get(pk=draft_round.tournament_id)) is None


def test_c04_2_1_3_older_rules_are_outside_fide_mode_unless_they_were_in_force(
    chief_arbiter: User,
) -> None:
    old = factories.make_tournament(chief_arbiter, system="dutch_2017", start_date=date(2025, 5, 1))
    assert left_fide_mode(old) is None
    # An event from before the state was stored, whose rules were out of date.
    old.start_date = date(2026, 5, 1)
    assert (old.left_fide_mode, left_fide_mode(old)) == (None, 0)


@pytest.mark.costly
def test_c04_1_2_the_start_page_names_the_broken_rule_to_everybody(
    rematch: Round, chief_arbiter: User, client: Client
) -> None:
    round_publish(round_id=rematch.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)
    page = client.get(reverse("tournament", args=[rematch.tournament.slug])).content.decode()
    assert "Since round 2 outside FIDE mode" in page
    assert "(they have already played each other)" in page
