"""Every form sends what its page showed; a refusal names the changes since then, their users,
and the new state.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.results import result_record
from tests.policy.refusals import HTMX, page_refuses, refused, words_of
from tests.tournaments.factories import NOW, enter_results, entry_of, page_versions
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_open
from tournaments.entries.entries import (
    entry_add,
    entry_check_in,
    entry_return,
    entry_update,
    entry_withdraw,
    numbers_assign,
)
from tournaments.models import Game, Round, Tournament


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": NOW}


def fields(client: Client, url: str, action: str) -> dict[str, str]:
    """Return the hidden versions that the form for *action* on the page *url* sends."""
    page = client.get(url).content.decode()
    form = re.search(rf'<form [^>]*action="{re.escape(action)}".*?</form>', page, re.DOTALL)
    assert form is not None
    return dict(re.findall(r'name="(seen_\w+)" value="(\d+)"', form[0]))


@pytest.mark.costly
def test_c04_2_4_2_an_outdated_page_says_what_changed_and_who_changed_it(
    published_round: Round, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = published_round.tournament
    enter_results(tournament, 1, deputy)
    page, publish = (
        reverse(name, args=[tournament.slug, 1]) for name in ("round", "results-publish")
    )
    stale = fields(as_deputy, page, publish)
    assert stale.keys() == {"seen_version", "seen_line"}
    game = Game.objects.get(round=published_round, board=2)
    result_record(game_id=game.pk, result="==", seen_version=game.version, **by(chief_arbiter))
    for language, message in (
        ("en", "Clara Chief: result entered board 2"),
        ("fr", "Clara Chief : résultat saisi"),
    ):
        answer = as_deputy.post(publish, stale, headers={"Accept-Language": language})
        words = words_of(answer.content.decode())
        assert answer.status_code == 409
        assert message in words
    assert "Clara Chief\u202f:" in answer.content.decode()
    # htmx is sent to the page of now, which shows the same lines.
    answer = as_deputy.post(publish, stale, headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (409, page)
    assert "Clara Chief: result entered" in words_of(as_deputy.get(page).content.decode())
    # Invalid or missing lines change nothing of the refusal.
    for line in ("", "x", "9" * 5000):
        assert as_deputy.post(publish, stale | {"seen_line": line}).status_code == 409
    assert as_deputy.post(publish, page_versions(tournament, 1)).status_code == 302


@pytest.mark.costly
def test_c04_2_2_3_numbers_are_assigned_as_they_were_shown(
    ready: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    """A looks at the order, B changes an estimate, A assigns the numbers."""
    url = reverse("numbers", args=[ready.slug])
    entry_update(entry_id=entry_of(ready, 3).pk, fide_rating=2999, **by(chief_arbiter))
    shown = fields(as_deputy, url, url)
    entry_update(entry_id=entry_of(ready, 8).pk, fide_rating=2998, **by(chief_arbiter))
    for stale in (shown, {}, {"seen_version": "0"}):
        page_refuses(as_deputy, url, stale, 409)
    assert "entry changed" in words_of(as_deputy.post(url, shown).content.decode())
    given: dict[str, Any] = {"tournament_id": ready.pk, **by(deputy)}
    refused(
        lambda: numbers_assign(**given, seen_version=int(shown["seen_version"])),
        "numbers.moved_meanwhile",
    )
    assert as_deputy.post(url, fields(as_deputy, url, url)).status_code == 302
    assert entry_of(ready, 1).fide_rating == 2999


@pytest.mark.costly
@pytest.mark.parametrize("action", ["round-publish", "round-discard"])
def test_c04_2_4_4_the_new_draft_is_shown_with_its_author(
    action: str, draft_round: Round, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = draft_round.tournament
    page, url = (reverse(name, args=[tournament.slug, 1]) for name in ("round", action))
    stale = fields(as_deputy, page, url)
    entry_update(entry_id=entry_of(tournament, 8).pk, first_round=2, **by(chief_arbiter))
    round_pair(round_id=draft_round.pk, **by(chief_arbiter))
    words = words_of(as_deputy.post(url, stale).content.decode())
    assert "Clara Chief: round paired (draft)" in words
    assert "Nothing was saved" in words


PLAYERS: dict[str, tuple[Any, str]] = {
    "withdrawal": (lambda entry, who: entry_withdraw(entry_id=entry.pk, **who), "withdrawal"),
    "return": (
        lambda entry, who: entry_return(entry_id=entry.pk, reason="was ill", **who),
        "return of a player",
    ),
    "bye": (
        lambda entry, who: bye_request(entry_id=entry.pk, round_number=2, kind="Z", **who),
        "bye granted",
    ),
    "entry": (
        lambda entry, who: entry_add(tournament_id=entry.tournament_id, name="Late, Lena", **who),
        "entry added",
    ),
}


@pytest.mark.costly
@pytest.mark.parametrize("what", PLAYERS)
def test_c04_2_3_2_nobody_pairs_without_the_players_that_changed_meanwhile(
    what: str, played_round: Round, chief_arbiter: User, as_deputy: Client
) -> None:
    """Once: the page after the refusal has them, and pairs."""
    tournament = played_round.tournament
    entry = entry_of(tournament, 5)
    if what == "return":
        entry_withdraw(entry_id=entry.pk, **by(chief_arbiter))
    desk, pair = (
        reverse("desk", args=[tournament.slug]),
        reverse("round-pair", args=[tournament.slug, 2]),
    )
    stale = fields(as_deputy, desk, pair)
    change, found = PLAYERS[what]
    change(entry, by(chief_arbiter))
    page_refuses(as_deputy, pair, stale, 409, says=f"Clara Chief: {found}")
    answer = as_deputy.post(pair, stale)
    assert "Players have changed since you opened this page" in words_of(answer.content.decode())
    newer = dict(re.findall(r'name="(seen_\w+)" value="(\d+)"', answer.content.decode()))
    late = tournament.entries.filter(first_round=2).first()
    if late is not None:
        entry_check_in(entry_id=late.pk, checked_in=True, **by(chief_arbiter))
    assert as_deputy.post(pair, newer).status_code == 302
    assert tournament.rounds.get(number=2).state == "draft"


def test_c04_2_4_3_1_a_result_that_comes_in_does_not_refuse_the_pairing(
    played_round: Round, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = played_round.tournament
    desk, pair = (
        reverse("desk", args=[tournament.slug]),
        reverse("round-pair", args=[tournament.slug, 2]),
    )
    stale = fields(as_deputy, desk, pair)
    game = Game.objects.get(round=played_round, board=2)
    report = Report(NOW, "both players say so")
    result_correct(game_id=game.pk, result="==", report=report, **by(chief_arbiter))
    assert as_deputy.post(pair, stale).status_code == 302


@pytest.mark.costly
def test_c04_2_4_1_the_question_about_missing_players_is_not_asked_from_an_old_page(
    ready: Tournament, chief_arbiter: User, as_deputy: Client
) -> None:
    check_in_open(tournament_id=ready.pk, **by(chief_arbiter))
    pair = reverse("round-pair", args=[ready.slug, 1])
    stale = fields(as_deputy, reverse("round", args=[ready.slug, 1]), pair)
    entry_withdraw(entry_id=entry_of(ready, 5).pk, **by(chief_arbiter))
    page_refuses(as_deputy, pair, stale, 409, says="Clara Chief: withdrawal")
    answer = as_deputy.post(pair, fields(as_deputy, reverse("round", args=[ready.slug, 1]), pair))
    assert answer.headers["Location"] == reverse("round-missing", args=[ready.slug, 1])


def test_c04_2_4_4_a_second_publication_names_the_first(
    draft_round: Round, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = draft_round.tournament
    given = {
        **page_versions(tournament, 1),
        "seen_line": str(tournament.decisions.latest("sequence").sequence),
    }
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    answer = as_deputy.post(reverse("round-publish", args=[tournament.slug, 1]), given)
    assert answer.status_code == 409
    assert "09:00 Clara Chief: pairings published" in words_of(answer.content.decode())
