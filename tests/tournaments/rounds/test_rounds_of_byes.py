"""A round with one player, and a round in which nobody plays: the event goes on [C.04.1/2026 3]."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings
from pairing.rounds.automatic import publish_due
from pairing.rounds.by_hand import round_pair_by_hand
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rules.rounds import RoundState
from tests.tournaments.agreement import require_agreement, require_import, require_recheck
from tests.tournaments.contents import tables
from tests.tournaments.core.test_stale_pages import carried
from tests.tournaments.double_swiss.matches import play
from tests.tournaments.factories import (
    CUT_SHORT,
    NOW,
    appoint_on_record,
    boards,
    byes,
    enter_results,
    entry_of,
    make_ready,
    page_versions,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.replay import Replay
from tournaments.core.chosen_rules import is_of_matches
from tournaments.core.errors import RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.standings.standings import standings

pytestmark = pytest.mark.django_db

SYSTEMS = ("dutch_2026", "dutch_2017", "dutch_pre2017", "double_swiss_2026")


def five(
    actor: User, number: int, *away: int, system: str = "dutch_2026", kind: str = "Z"
) -> Tournament:
    """Make an event of five players in which the players *away* have a bye in round *number*."""
    tournament = make_ready(actor, players=5, rounds=3, system=system, max_byes=3)
    for tpn in away:
        bye_request(
            entry_id=entry_of(tournament, tpn).pk,
            round_number=number,
            kind=kind,
            actor=actor,
            now=NOW,
        )
    tournament.refresh_from_db()
    return tournament


def agrees(tournament: Tournament) -> None:
    tournament.refresh_from_db()
    require_agreement(tournament, Replay(), tables(tournament))


def play_some(tournament: Tournament, actor: User, *numbers: int) -> None:
    for number in numbers:
        if is_of_matches(tournament):
            play(tournament, number, actor)
        else:
            play_rounds(tournament, [number], actor)


def play_on(tournament: Tournament, number: int, actor: User, **given: bool) -> None:
    """Pair, publish and end round *number*, which has no games, and play the next one."""
    row = round_of(tournament, number)
    round_pair(round_id=row.pk, actor=actor, now=NOW, **given)
    agrees(tournament)
    round_publish(round_id=row.pk, actor=actor, now=NOW, cut_short=CUT_SHORT)
    agrees(tournament)
    results_publish(round_id=row.pk, actor=actor, now=NOW)
    agrees(tournament)
    require_import(tournament, actor, NOW)
    play_some(tournament, actor, number + 1)
    agrees(tournament)
    require_recheck(tournament)
    require_import(tournament, actor, NOW)


@pytest.mark.costly
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("system", SYSTEMS)
def test_c04_1_3_one_player_present_gets_the_bye(
    chief_arbiter: User, system: str, number: int
) -> None:
    tournament = five(chief_arbiter, number, 2, 3, 4, 5, system=system)
    play_some(tournament, chief_arbiter, *range(1, number))
    play_on(tournament, number, chief_arbiter)
    assert byes(tournament, number) == {1: "U", 2: "Z", 3: "Z", 4: "Z", 5: "Z"}
    lines = {
        line.tpn: line
        for line in standings(tournament_frame(tournament, runs=True), after_round=number).lines
    }
    assert len(lines) == 5
    assert len(boards(tournament, number + 1)) == 2


@pytest.mark.costly
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("system", SYSTEMS)
def test_c04_2_3_3_nobody_plays_and_the_event_goes_on(
    chief_arbiter: User, system: str, number: int
) -> None:
    # Before 2017, half a point without a game bars from the allocated bye of the next round
    # [C.04.3/pre2017 B1.b].
    kind = "Z" if system == "dutch_pre2017" else "H"
    tournament = five(chief_arbiter, number, 1, 2, 3, 4, 5, system=system, kind=kind)
    play_some(tournament, chief_arbiter, *range(1, number))
    play_on(tournament, number, chief_arbiter, byes_only=True)
    assert byes(tournament, number) == dict.fromkeys(range(1, 6), kind)
    assert len(boards(tournament, number + 1)) == 2


@pytest.mark.costly
def test_c04_2_3_3_the_last_round_may_have_byes_only(chief_arbiter: User) -> None:
    tournament = five(chief_arbiter, 3)
    play_rounds(tournament, [1, 2], chief_arbiter)
    for entry in tournament.entries.all():
        entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
    row = round_of(tournament, 3)
    round_pair(round_id=row.pk, actor=chief_arbiter, now=NOW, byes_only=True)
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW, cut_short=CUT_SHORT)
    results_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    agrees(tournament)
    require_recheck(tournament)
    require_import(tournament, chief_arbiter, NOW)


@pytest.mark.costly
@pytest.mark.parametrize("is_chief", [True, False])
def test_c04_2_3_3_only_the_chief_arbiter_confirms_that_nobody_plays(
    chief_arbiter: User, deputy: User, client: Client, is_chief: bool
) -> None:
    tournament = five(chief_arbiter, 1, 1, 2, 3, 4, 5)
    appoint_on_record(tournament, deputy, chief_arbiter)
    client.force_login(chief_arbiter if is_chief else deputy)
    page = client.get(reverse("round", args=[tournament.slug, 1])).content.decode()
    assert 'name="byes_only"' in page
    url = reverse("round-pair", args=[tournament.slug, 1])
    assert client.post(url, {"seen_version": tournament.version}).status_code == 409
    assert round_of(tournament, 1).state == RoundState.PLANNED
    form = {"seen_version": tournament.version, "byes_only": "yes"}
    answer = client.post(url, form)
    assert answer.status_code == (302 if is_chief else 409)
    assert round_of(tournament, 1).state == (RoundState.DRAFT if is_chief else RoundState.PLANNED)
    if is_chief:
        assert client.post(url, form).status_code == 409  # twice
        client.post(
            reverse("round-publish", args=[tournament.slug, 1]), page_versions(tournament, 1)
        )
        assert round_of(tournament, 1).state == RoundState.PAIRINGS_PUBLISHED
        for name in ("round", "pairings-public", "desk"):
            args: list[Any] = [tournament.slug] if name == "desk" else [tournament.slug, 1]
            assert client.get(reverse(name, args=args)).status_code == 200


@pytest.mark.costly
def test_no_confirmation_is_shown_while_somebody_plays(chief_arbiter: User, client: Client) -> None:
    tournament = five(chief_arbiter, 1, 1, 2, 3, 4)
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[tournament.slug, 1])).content.decode()
    assert "byes_only" not in page
    assert (
        client.post(
            reverse("round-pair", args=[tournament.slug, 1]), {"byes_only": "yes"}
        ).status_code
        == 302
    )
    assert byes(tournament, 1)[5] == "U"


@pytest.mark.costly
@pytest.mark.parametrize("letter", ["U", "Z"])
def test_c04_1_4_one_player_who_had_the_bye_is_paired_by_hand(
    chief_arbiter: User, client: Client, letter: str
) -> None:
    """No second allocated bye by the engine: the Chief Arbiter decides [C.04.3/2026 1.9.3]."""
    tournament = five(chief_arbiter, 2)
    play_rounds(tournament, [1], chief_arbiter)
    (holder,) = byes(tournament, 1)
    for entry in tournament.entries.exclude(tpn=holder):
        bye_request(entry_id=entry.pk, round_number=2, kind="Z", actor=chief_arbiter, now=NOW)
    row = round_of(tournament, 2)
    with pytest.raises(RuleRefused) as refused:
        round_pair(round_id=row.pk, actor=chief_arbiter, now=NOW)
    assert refused.value.code == "no_legal_pairing"
    client.force_login(chief_arbiter)
    assert client.get(reverse("round-by-hand", args=[tournament.slug, 2])).status_code == 200
    alone = {entry_of(tournament, holder).pk: letter}
    given: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    round_pair_by_hand(
        round_id=row.pk, pairings=Pairings({}, alone), reason="nobody else is here", **given
    )
    assert byes(tournament, 2)[holder] == letter
    round_publish(round_id=row.pk, cut_short=CUT_SHORT, leave_fide_mode=True, **given)
    results_publish(round_id=row.pk, **given)
    agrees(tournament)
    require_recheck(tournament)
    require_import(tournament, chief_arbiter, NOW)


def test_c04_2_4_2_a_round_without_games_is_published_automatically(chief_arbiter: User) -> None:
    tournament = make_ready(
        chief_arbiter, players=5, rounds=3, automatic_pairings=10, automatic_results=True
    )
    for entry in tournament.entries.all():
        bye_request(entry_id=entry.pk, round_number=1, kind="Z", actor=chief_arbiter, now=NOW)
    row, start = round_of(tournament, 1), NOW + timedelta(hours=1)
    times: dict[str, Any] = {
        "starts_at": start,
        "results_due_at": start + timedelta(hours=4),
        "reason": "the hall opened late",
    }
    round_schedule(round_id=row.pk, actor=chief_arbiter, now=NOW, **times)
    round_pair(round_id=row.pk, actor=chief_arbiter, now=NOW, byes_only=True)
    assert len(publish_due(start - timedelta(minutes=10))) == 1
    assert len(publish_due(start + timedelta(hours=4))) == 1
    assert round_of(tournament, 1).state == RoundState.RESULTS_PUBLISHED
    agrees(tournament)


@pytest.mark.costly
@pytest.mark.parametrize("away", [(1, 2, 3, 4, 5), (2, 3, 4, 5)])
def test_c04_2_4_2_the_page_of_a_round_of_byes_publishes_its_results(
    chief_arbiter: User, client: Client, away: tuple[int, ...]
) -> None:
    """The page, the desk and the action count one version of a round without boards."""
    tournament = five(chief_arbiter, 1, *away)
    row = round_pair(
        round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=NOW, byes_only=True
    )
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW, cut_short=CUT_SHORT)
    client.force_login(chief_arbiter)
    address = reverse("results-publish", args=[tournament.slug, 1])
    pages = (reverse("round", args=[tournament.slug, 1]), reverse("desk", args=[tournament.slug]))
    (seen,) = {
        carried(client.get(page).content.decode(), address)["seen_version"] for page in pages
    }
    assert int(seen) > 0
    assert client.post(address, {"seen_version": "0"}).status_code == 409
    assert client.post(address, {"seen_version": seen}).status_code == 302
    row.refresh_from_db()
    assert row.state == RoundState.RESULTS_PUBLISHED
    agrees(tournament)


@pytest.mark.costly
def test_c04_2_4_2_the_desk_says_that_nobody_plays(chief_arbiter: User, client: Client) -> None:
    tournament = five(chief_arbiter, 1, 1, 2, 3, 4, 5)
    row = round_of(tournament, 1)
    round_pair(round_id=row.pk, actor=chief_arbiter, now=NOW, byes_only=True)
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    client.force_login(chief_arbiter)
    desk = reverse("desk", args=[tournament.slug])
    values = {"en": "Nobody plays in this round", "fr": "Personne ne joue dans cette ronde"}
    for language, sentence in values.items():
        text = client.get(desk, headers={"Accept-Language": language}).content.decode()
        assert (sentence in text, "0 boards" in text, "0 échiquier" in text) == (True, False, False)


def test_c04_2_4_2_the_results_of_two_boards_are_those_of_both(
    chief_arbiter: User, client: Client
) -> None:
    tournament = five(chief_arbiter, 1)
    pair_and_publish(tournament, 1, chief_arbiter)
    enter_results(tournament, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    text = client.get(reverse("desk", args=[tournament.slug])).content.decode()
    assert "The results of both boards are entered." in text


@pytest.mark.costly
def test_c04_1_3_one_player_in_the_event_can_be_paired_from_every_page(
    chief_arbiter: User, client: Client
) -> None:
    tournament = make_ready(chief_arbiter, players=1, rounds=2)
    client.force_login(chief_arbiter)
    url = reverse("round-pair", args=[tournament.slug, 1])
    for page in (
        reverse("desk", args=[tournament.slug]),
        reverse("round", args=[tournament.slug, 1]),
    ):
        text = client.get(page).content.decode()
        assert (f'action="{url}"' in text, "Enter the players" in text) == (True, False)
        assert "Enter players first" not in text
    tournament.refresh_from_db()
    assert client.post(url, {"seen_version": tournament.version}).status_code == 302
    assert byes(tournament, 1) == {1: "U"}
    agrees(tournament)
