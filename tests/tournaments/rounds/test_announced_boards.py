"""Certain boards are announced, recorded and shown;
a pairing that contradicts them is not published.
"""

from __future__ import annotations

import json
from datetime import timedelta
from threading import Thread

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.announce import announced, announcement_withdraw, boards_announce
from pairing.rounds.automatic import outlook, publish_due
from pairing.rounds.next_round import LookAheads, next_round
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from tests.tournaments import factories
from tests.tournaments.reports.wanderers import checked, exported
from tests.tournaments.rounds.test_next_round import at_once, enter, games, playing
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.entries.byes import bye_request
from tournaments.models import Action, Decision, Tournament
from tournaments.setup.number_of_rounds import number_of_rounds_change
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update

__all__ = ["playing"]

Pairs = list[tuple[int, int]]


def certain_boards(tournament: Tournament) -> Pairs:
    ahead = next_round(tournament, 3, at_once())
    assert ahead is not None
    return [(line.white.pk, line.black.pk) for line in ahead.certain]


def announce(tournament: Tournament, boards: Pairs, actor: User) -> None:
    boards_announce(
        tournament_id=tournament.pk,
        number=3,
        boards=boards,
        actor=actor,
        now=factories.NOW,
        look_aheads=at_once(),
    )


@pytest.fixture
def public(playing: Tournament, chief_arbiter: User) -> Pairs:
    """The certain boards of round 3, announced."""
    boards = certain_boards(playing)
    announce(playing, boards, chief_arbiter)
    return boards


def draft_third(tournament: Tournament, actor: User) -> None:
    for game in games(tournament, 2)[8:]:
        enter(game, "==", actor)
    results_publish(round_id=factories.round_of(tournament, 2).pk, actor=actor, now=factories.NOW)
    round_pair(round_id=factories.round_of(tournament, 3).pk, actor=actor, now=factories.NOW)


def publish_third(tournament: Tournament, actor: User) -> None:
    round_publish(
        round_id=factories.round_of(tournament, 3).pk,
        actor=actor,
        now=factories.NOW,
        cut_short="the hall closes",
    )


def test_an_announcement_is_recorded_once(
    playing: Tournament, public: Pairs, chief_arbiter: User
) -> None:
    assert announced(playing, 3) == tuple(public)
    announce(playing, public, chief_arbiter)
    line = Decision.objects.get(tournament=playing, action=Action.BOARDS_ANNOUNCED)
    assert (line.round_number, line.after["boards"]) == (3, [list(pair) for pair in public])


@pytest.mark.costly
def test_only_certain_boards_are_announced(playing: Tournament, chief_arbiter: User) -> None:
    ahead = next_round(playing, 3, at_once())
    assert ahead is not None
    doubtful = [(line.white.pk, line.black.pk) for line in ahead.boards if not line.is_certain]
    assert doubtful
    for boards in (doubtful[:1], [*certain_boards(playing), doubtful[0]], [], [(0, 1)]):
        with pytest.raises(RuleRefused) as refused:
            announce(playing, boards, chief_arbiter)
        assert refused.value.code == "announcement.not_certain"
    assert announced(playing, 3) == ()


def test_nothing_is_announced_before_every_end_was_paired(
    playing: Tournament, chief_arbiter: User
) -> None:
    boards = certain_boards(playing)
    idle = LookAheads(lambda _work: None)
    with pytest.raises(RuleRefused):
        boards_announce(
            tournament_id=playing.pk,
            number=3,
            boards=boards,
            actor=chief_arbiter,
            now=factories.NOW,
            look_aheads=idle,
            patience=0.0,
        )


@pytest.mark.costly
def test_another_process_than_that_of_the_page_pairs_the_ends_first(
    playing: Tournament, chief_arbiter: User
) -> None:
    """A site has several processes, and each pairs the outcomes itself."""
    boards = certain_boards(playing)
    other = LookAheads(lambda work: Thread(target=work, daemon=True).start())
    boards_announce(
        tournament_id=playing.pk,
        number=3,
        boards=boards,
        actor=chief_arbiter,
        now=factories.NOW,
        look_aheads=other,
    )
    assert set(announced(playing, 3)) == set(boards)


@pytest.mark.costly
def test_a_board_that_was_certain_before_a_bye_is_not_announced(
    playing: Tournament, chief_arbiter: User
) -> None:
    boards = certain_boards(playing)
    bye_request(
        entry_id=boards[0][0], actor=chief_arbiter, now=factories.NOW, round_number=3, kind="Z"
    )
    still = certain_boards(playing)
    gone = [pair for pair in boards if pair not in still]
    assert gone
    with pytest.raises(RuleRefused):
        announce(playing, gone, chief_arbiter)
    announce(playing, still, chief_arbiter)
    assert announced(playing, 3) == tuple(still)


@pytest.mark.costly
def test_a_pairing_as_announced_is_published(
    playing: Tournament, public: Pairs, chief_arbiter: User
) -> None:
    draft_third(playing, chief_arbiter)
    publish_third(playing, chief_arbiter)
    with pytest.raises(RuleRefused):
        announcement_withdraw(
            tournament_id=playing.pk,
            number=3,
            reason="too late",
            actor=chief_arbiter,
            now=factories.NOW,
        )


@pytest.mark.costly
def test_a_pairing_that_contradicts_an_announcement_stops_before_publication(
    playing: Tournament, public: Pairs, chief_arbiter: User, client: Client
) -> None:
    """The page of the draft says so before, with the other points to look at."""
    gone = public[0][0]
    bye_request(entry_id=gone, actor=chief_arbiter, now=factories.NOW, round_number=3, kind="Z")
    draft_third(playing, chief_arbiter)
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[playing.slug, 3]))
    assert "Announced as certain, but not in this draft" in page.content.decode()
    with pytest.raises(RuleRefused) as refused:
        publish_third(playing, chief_arbiter)
    assert refused.value.code == "announcement.contradicted"
    assert "; ".join(page.context["contradicted"]) in str(refused.value)
    assert playing.entries.get(pk=gone).name in str(refused.value)
    assert factories.round_of(playing, 3).state == "draft"
    announcement_withdraw(
        tournament_id=playing.pk,
        number=3,
        reason="the player is ill",
        actor=chief_arbiter,
        now=factories.NOW,
    )
    publish_third(playing, chief_arbiter)
    line = Decision.objects.get(tournament=playing, action=Action.ANNOUNCEMENT_WITHDRAWN)
    assert (line.reason, line.before["boards"]) == (
        "the player is ill",
        [list(pair) for pair in public],
    )


@pytest.mark.costly
def test_a_pairing_that_contradicts_an_announcement_is_not_published_at_its_time(
    playing: Tournament, public: Pairs, chief_arbiter: User
) -> None:
    bye_request(
        entry_id=public[0][0], actor=chief_arbiter, now=factories.NOW, round_number=3, kind="Z"
    )
    draft_third(playing, chief_arbiter)
    values = {"automatic_pairings": 30, "correction_minutes": None}
    tournament_update(tournament_id=playing.pk, actor=chief_arbiter, now=factories.NOW, **values)
    starts = factories.NOW + timedelta(hours=1)
    third = factories.round_of(playing, 3)
    round_schedule(
        round_id=third.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        starts_at=starts,
        results_due_at=None,
    )
    playing.refresh_from_db()
    found = outlook(playing, factories.round_of(playing, 3), starts)
    assert found is not None
    assert "announcement.contradicted" in [stop.code for stop in found.stops]
    assert publish_due(starts) == []


@pytest.mark.costly
def test_a_withdrawal_names_the_announced_board_before_and_after(
    playing: Tournament, public: Pairs, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    white, black = (playing.entries.get(pk=pk) for pk in public[0])
    other = playing.entries.exclude(pk__in=[pk for pair in public for pk in pair]).earliest("pk")
    board = f"{white.name} – {black.name}"
    for entry, says in ((white, True), (black, True), (other, False)):
        card = client.get(
            reverse("round-player", args=[playing.slug, 2, entry.pk])
        ).content.decode()
        form = client.get(reverse("entry-edit", args=[playing.slug, entry.pk])).content.decode()
        assert [f"Announced to players for round 3: {board}." in page for page in (card, form)] == [
            says,
            says,
        ]
    for entry, first, says in ((other, 3, False), (black, 4, False), (white, 3, True)):
        playing.refresh_from_db()
        sent = {"from_round": first, **factories.seen_now(playing)}
        answer = client.post(
            reverse("entry-withdraw", args=[playing.slug, entry.pk]), sent, follow=True
        )
        text = answer.content.decode()
        assert "is withdrawn from round" in text
        assert (
            f"Announced to players for round 3, but no longer possible: {board}." in text
        ) == says
    assert ("withdraws the announcement on the page of round 3" in text) == says


@pytest.mark.costly
def test_every_way_to_leave_the_coming_round_names_the_announced_board(
    playing: Tournament, public: Pairs, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    one, two, three = (playing.entries.get(pk=pair[0]) for pair in public[:3])
    expected = "Announced to players for round 3, but no longer possible: "
    ways = {
        "bye-request": (one, {"round_number": "3", "kind": "Z"}),
        "entry-expel": (two, {"reason": "he left the hall angrily"}),
    }
    for name, (entry, sent) in ways.items():
        playing.refresh_from_db()
        form = sent | factories.seen_now(playing)
        text = client.post(
            reverse(name, args=[playing.slug, entry.pk]), form, follow=True
        ).content.decode()
        assert f"{expected}{entry.name} – " in text, name
    for game in games(playing, 2)[8:]:
        enter(game, "==", chief_arbiter)
    results_publish(
        round_id=factories.round_of(playing, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    missing = reverse("round-missing", args=[playing.slug, 3])
    for answer, says in (("coming", False), ("skip", True)):
        form = {
            "save": "yes",
            "entry-1": three.pk,
            f"answer-{three.pk}": answer,
            "confirmed": "yes",
        }
        text = client.post(missing, form, follow=True).content.decode()
        assert (f"{expected}{three.name} – " in text) == says


@pytest.mark.costly
def test_only_the_chief_arbiter_withdraws_and_with_a_reason(
    playing: Tournament, public: Pairs, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    for actor in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            announcement_withdraw(
                tournament_id=playing.pk,
                number=3,
                reason="the player is ill",
                actor=actor,
                now=factories.NOW,
            )
    with pytest.raises(PermissionDenied):
        announce(playing, public, stranger)
    with pytest.raises(BadInput):
        announcement_withdraw(
            tournament_id=playing.pk, number=3, reason=" .", actor=chief_arbiter, now=factories.NOW
        )
    assert announced(playing, 3) == tuple(public)
    announcement_withdraw(
        tournament_id=playing.pk,
        number=3,
        reason="an error",
        actor=chief_arbiter,
        now=factories.NOW,
    )
    with pytest.raises(RuleRefused) as refused:
        announcement_withdraw(
            tournament_id=playing.pk,
            number=3,
            reason="an error",
            actor=chief_arbiter,
            now=factories.NOW,
        )
    assert refused.value.code == "announcement.none"


@pytest.mark.costly
def test_visitors_read_announcements_and_why_boards_were_withdrawn_at_once(
    playing: Tournament, public: Pairs, chief_arbiter: User, client: Client
) -> None:
    page = reverse("record", args=[playing.slug])
    assert "certain boards announced" in client.get(page).content.decode()
    announcement_withdraw(
        tournament_id=playing.pk,
        number=3,
        reason="a player fell ill",
        actor=chief_arbiter,
        now=factories.NOW,
    )
    later = factories.round_of(playing, 3).pk
    starts = factories.NOW + timedelta(days=1)
    round_schedule(
        round_id=later,
        actor=chief_arbiter,
        now=factories.NOW,
        starts_at=starts,
        results_due_at=None,
    )
    shown = client.get(page).content.decode()
    assert "(a player fell ill)" in shown
    assert "schedule set" in shown
    for game in games(playing, 2)[8:]:
        enter(game, "==", chief_arbiter)
    results_publish(
        round_id=factories.round_of(playing, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    lines = exported(playing, runs=False)
    assert checked(lines) is None
    assert json.loads(lines[-2])["action"] == "results.published"
    assert "a player fell ill" in b"".join(lines).decode()


@pytest.mark.costly
def test_an_announcement_ends_with_its_round(
    playing: Tournament, public: Pairs, chief_arbiter: User, client: Client
) -> None:
    for total in (2, 5):
        playing.refresh_from_db()
        number_of_rounds_change(
            tournament_id=playing.pk,
            actor=chief_arbiter,
            now=factories.NOW,
            total_rounds=total,
            reason="the hall closes",
            version=playing.version,
        )
        shown = client.get(reverse("pairings-public", args=[playing.slug, 2])).content.decode()
        assert "certain already" not in shown
        client.force_login(chief_arbiter)
        sent = {"reason": "an error"}
        assert (
            client.post(reverse("announcement-withdraw", args=[playing.slug, 3]), sent).status_code
            == 409
        )
        client.logout()


@pytest.mark.costly
def test_the_pages(playing: Tournament, chief_arbiter: User, client: Client) -> None:
    public_page = reverse("pairings-public", args=[playing.slug, 2])
    assert "certain already" not in client.get(public_page).content.decode()
    client.force_login(chief_arbiter)
    page = reverse("round", args=[playing.slug, 3])
    boards = certain_boards(playing)
    for _ in range(200):
        shown = client.get(page).content.decode()
        if f"Announce {len(boards)} certain boards to players" in shown:
            break
    sent = [f"{white}-{black}" for white, black in boards]
    assert all(f'name="board" value="{text}"' in shown for text in sent)
    assert (
        client.post(
            reverse("boards-announce", args=[playing.slug, 3]), {"board": "1-x"}
        ).status_code
        == 422
    )
    refused = client.post(reverse("boards-announce", args=[playing.slug, 3]), {"board": "1-2"})
    assert refused.status_code == 409
    assert "Nothing was announced" in refused.content.decode()
    client.post(reverse("boards-announce", args=[playing.slug, 3]), {"board": sent})
    names = [playing.entries.get(pk=pk).name for pair in boards for pk in pair]
    shown = client.get(page).content.decode()
    assert "certain boards to players" not in shown
    # The page asks for news every two seconds: the form with a reason begun stays as it is.
    assert '<details class="confirm only-screen" id="withdraw-announcement" hx-preserve>' in shown
    assert "Withdraw the announcement" in shown
    client.logout()
    visited = client.get(public_page).content.decode()
    assert "Round 3: these boards are certain already" in visited
    assert all(name in visited for name in names)
    client.force_login(chief_arbiter)
    withdrawing = reverse("announcement-withdraw", args=[playing.slug, 3])
    for outdated in (sent[:-1], [*sent[:-1], "1-2"], []):
        refused = client.post(withdrawing, {"reason": "an error", "board": outdated})
        assert refused.status_code == 409
        assert "Nothing was withdrawn" in refused.content.decode()
    # The list is renewed beside the form, and the form sends what it shows.
    assert all(f'name="board" value="{text}" form="withdraw-form"' in shown for text in sent)
    client.post(withdrawing, {"reason": "an error", "board": sent})
    client.logout()
    assert "certain already" not in client.get(public_page).content.decode()
