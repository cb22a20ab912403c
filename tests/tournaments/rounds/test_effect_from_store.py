"""The effect of a correction and a player's tie-breaks, which read the standings from the store.

After every kind of action that changes standings they are those that the tables give.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.computed_standings import ranked
from pairing.rounds.correction_outlook import Place, outlook_for_game
from pairing.rounds.corrections import Report, rating_correct, result_correct
from pairing.rounds.snapshot import players_after
from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from tests.conftest import forget_pages
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.entries.entries import entry_return, entry_withdraw
from tournaments.entries.expulsion import entry_expel
from tournaments.models import Game, Tournament
from tournaments.setup.tie_breaks import tie_breaks_change
from tournaments.standings.adjust_points import points_adjust, points_withdraw
from tournaments.standings.final import standings_make_final, standings_reopen
from tournaments.standings.lots import equals_rank, lots_draw
from tournaments.standings.standings import opened_standing, standings

WHY = "seen by the arbiter"


class Event:
    """An event whose every action is followed by a comparison of the store with the tables.

    ``seen`` are the effect and the ranking of each comparison, the newest last.
    """

    def __init__(self, tournament: Tournament, client: Client, actor: User) -> None:
        self.tournament, self.client = tournament, client
        self.by: dict[str, Any] = {"actor": actor, "now": factories.NOW}
        self.seen: list[tuple[tuple[Place, ...], tuple[tuple[int, int], ...]]] = []

    def key(self, tpn: int) -> int:
        return factories.entry_of(self.tournament, tpn).pk

    def game(self) -> Game:
        """Return the first board of the newest results, of which a correction still counts."""
        games = Game.objects.select_related("round__tournament", "second", "first__second")
        return games.get(round__tournament=self.tournament, round__number=self.latest, board=1)

    @property
    def latest(self) -> int:
        return tournament_frame(self.tournament, runs=False).latest_results

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Do an action after the store was filled, and require that it changes the standings."""
        before = self.seen[-1]
        yield
        self.compare()
        assert self.seen[-1] != before

    def compare(self) -> None:
        """Require that page and store have what the tables give, first while the store is old."""
        self.tournament = Tournament.objects.get(pk=self.tournament.pk)
        result = "10" if self.game().result == "01" else "01"
        exact = outlook_for_game(
            self.game(), CorrectionKind.RESULT, result=result, reported_at=timezone.now()
        ).moved
        assert exact
        for _ in ("the store may be old", "the store is filled"):
            assert self.shown(result) == exact
        players, _entries = players_after(self.tournament, self.latest)
        table = ranked(self.tournament, players)
        frame = tournament_frame(self.tournament, runs=False)
        lines = standings(frame, after_round=self.latest).lines
        assert [(line.tpn, line.rank, line.points) for line in lines] == [
            (line.tpn, line.rank, line.points) for line in table.lines
        ]
        self.compare_opened()
        self.seen.append((exact, tuple((line.rank, line.tpn) for line in table.lines)))

    def shown(self, result: str) -> tuple[Place, ...]:
        """Return the players who move on the page of the correction."""
        address = reverse("round-correct", args=[self.tournament.slug, self.latest])
        now = timezone.localtime().strftime("%Y-%m-%dT%H:%M:%S")
        form = {"reported_at": now, "reason": WHY, "chosen": "", "version": "1"}
        form |= {"result": result, "show": "yes"}
        answer = self.client.post(f"{address}?kind=result&board=1", form)
        assert answer.status_code == 200
        moved: tuple[Place, ...] = answer.context["outlook"].moved
        return moved

    def compare_opened(self) -> None:
        """Require the same tie-breaks of every player with the store and without it."""
        keys = [entry.pk for entry in self.tournament.entries.all()]
        found = []
        for is_stored in (True, False):
            if not is_stored:
                forget_pages()
            frame = tournament_frame(self.tournament, runs=False)
            opened = (opened_standing(frame, after_round=self.latest, entry_id=key) for key in keys)
            found.append(list(opened))
        assert found[0] == found[1]
        standings(tournament_frame(self.tournament, runs=False), after_round=self.latest)


@pytest.fixture
def event(client: Client, chief_arbiter: User) -> Event:
    """Three rounds, of which one is played and public; nine players, so one has a bye."""
    tournament = factories.make_ready(
        chief_arbiter, players=9, rounds=3, tie_breaks="BH,AOB,ARO", correction_minutes=30
    )
    factories.play_rounds(tournament, [1], chief_arbiter)
    client.force_login(chief_arbiter)
    event = Event(tournament, client, chief_arbiter)
    event.compare()
    return event


@pytest.mark.costly
def test_after_every_action_the_store_has_what_the_tables_give(event: Event) -> None:
    pk, by = event.tournament.pk, event.by
    adjusted: dict[str, Any] = {
        "tournament_id": pk,
        "entry_id": event.key(3),
        "points": -5,
        "round_number": 1,
    }
    with event.changed():
        points_adjust(**adjusted, article="Laws of Chess 12.9.4", reason=WHY, seen=0, **by)
    with event.changed():
        points_withdraw(**adjusted, reason=WHY, **by)
    with event.changed():
        report = Report(reported_at=factories.NOW, reason=WHY)
        result_correct(game_id=event.game().pk, result="==", report=report, **by)
    with event.changed():
        tie_breaks_change(
            tournament_id=pk,
            tie_breaks="DE,SB,WIN",
            edition="fide-2024",
            reason=WHY,
            version=event.tournament.version,
            **by,
        )
    with event.changed():
        entry_expel(entry_id=event.key(4), reason=WHY, **by)
    with event.changed():
        entry_return(entry_id=event.key(4), reason=WHY, **by)
    entry_withdraw(entry_id=event.key(5), **by)
    event.compare()
    with event.changed():
        factories.play_rounds(event.tournament, [2], by["actor"], lambda *_board: "10")
    with event.changed():
        tie_breaks_change(
            tournament_id=pk,
            tie_breaks="ARO",
            edition="fide-2026",
            reason=WHY,
            version=event.tournament.version,
            **by,
        )
    with event.changed():
        rating_correct(
            entry_id=event.key(1),
            ratings={"fide_rating": 1100},
            report=Report(factories.NOW, WHY, CorrectionEffect.NEXT_ROUND),
            **by,
        )


@pytest.mark.costly
def test_at_the_end_too(event: Event) -> None:
    pk, by = event.tournament.pk, event.by
    tie_breaks_change(
        tournament_id=pk,
        tie_breaks="",
        edition="fide-2026",
        reason=WHY,
        version=Tournament.objects.get(pk=pk).version,
        **by,
    )
    factories.play_rounds(event.tournament, [2, 3], by["actor"], lambda *_board: "==")
    event.compare()
    by["now"] += timedelta(minutes=31)
    with event.changed():
        players, _entries = players_after(event.tournament, 3)
        table = ranked(event.tournament, players).lines
        first = [line.tpn for line in table if line.rank == table[0].rank]
        equals_rank(
            tournament_id=pk, order=[event.key(tpn) for tpn in reversed(first)], reason=WHY, **by
        )
    with event.changed():
        lots_draw(tournament_id=pk, **by)
    standings_make_final(tournament_id=pk, ties_stay=True, **by)
    standings_reopen(tournament_id=pk, reason=WHY, **by)
    event.compare()
    with event.changed():
        report = Report(by["now"], WHY, CorrectionEffect.NEXT_ROUND)
        result_correct(game_id=event.game().pk, result="10", report=report, **by)


def test_a_player_opened_from_the_store_reads_no_names(event: Event) -> None:
    """With the store the entries are read as numbers alone;
    a changed line of it is not believed.
    """
    key = event.key(2)
    frame = tournament_frame(event.tournament, runs=False)
    with CaptureQueriesContext(connection) as queries:
        opened = opened_standing(frame, after_round=1, entry_id=key)
    of_entries = [query["sql"] for query in queries if 'FROM "tournaments_entry"' in query["sql"]]
    assert of_entries
    assert not any("full_name" in sql for sql in of_entries)
    Game.objects.filter(pk=event.game().pk).update(result="==")  # no action: the state is the same
    frame = tournament_frame(event.tournament, runs=False)
    again = opened_standing(frame, after_round=1, entry_id=key)
    assert opened is not None
    assert again is not None
    forget_pages()
    frame = tournament_frame(event.tournament, runs=False)
    assert again == opened_standing(frame, after_round=1, entry_id=key) != opened
