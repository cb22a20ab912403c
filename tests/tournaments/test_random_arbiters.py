"""Arbiters who do anything at any time: whatever is refused or done, tables, record and report agree."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.rules.corrections import Effect
from pairing.rules.publication import Ground
from pairing.services import result_record, results_publish, round_pair, round_publish, round_unpair
from pairing.standings.points import score
from pairing.trf.convert import state_before_round
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from tournaments import bridge, record
from tournaments.models import Decision, Entry, Game, Round, RoundState, Tournament
from tournaments.services.changes import Seating, round_arrange, round_change
from tournaments.services.corrections import RIGHT_RESULTS, Report, colours_correct, rating_correct, result_correct
from tournaments.services.entries import bye_request, entry_add, entry_return, entry_withdraw, numbers_assign
from tournaments.services.errors import ServiceError
from tournaments.services.exports import trf_export
from tournaments.services.undo import last_act_undo

from .factories import NOW, make_ready

pytestmark = pytest.mark.django_db

STEPS = 120
"""Acts of one event; about a third of them are refused."""


class Arbiter:
    """Somebody with a lot of dice."""

    def __init__(self, tournament: Tournament, actors: list[User], chance: Random) -> None:
        self.tournament = tournament
        self.actors = actors
        self.chance = chance
        self.now = NOW
        self.done = 0
        self.refused: set[str] = set()

    def step(self) -> None:
        """Do something, or be refused; a refusal leaves no trace in the record."""
        self.now += timedelta(minutes=self.chance.randrange(20))
        before = Decision.objects.count()
        act = self.chance.choice([*self.forward, *self.others])
        try:
            act()
        except ServiceError as error:
            self.refused.add(error.code)
            assert Decision.objects.count() == before
        except PermissionDenied:
            assert Decision.objects.count() == before
        else:
            self.done += 1

    @property
    def who(self) -> dict[str, User | datetime]:
        return {"actor": self.chance.choice(self.actors), "now": self.now}

    @property
    def report(self) -> Report:
        when = self.now - timedelta(minutes=self.chance.randrange(90))
        return Report(when, "said so", self.chance.choice([None, None, *Effect]))

    def round(self) -> Round:
        """The round at hand, or now and then any other."""
        rounds = list(Round.objects.filter(tournament=self.tournament).order_by("number"))
        open_rounds = [row for row in rounds if row.state != RoundState.RESULTS_PUBLISHED]
        return open_rounds[0] if open_rounds and self.chance.random() < 0.85 else self.chance.choice(rounds)

    def game(self) -> Game:
        games = list(Game.objects.filter(round__tournament=self.tournament).order_by("pk"))
        return self.chance.choice(games) if games else Game(pk=0)

    def entry(self) -> Entry:
        return self.chance.choice(list(Entry.objects.filter(tournament=self.tournament).order_by("pk")))

    def seating(self, row: Round) -> Seating:
        """The round as it is, with two players in each other's places."""
        entries = {entry.tpn: entry for entry in Entry.objects.filter(tournament=self.tournament)}
        numbered = {tpn: entry for tpn, entry in entries.items() if tpn is not None}
        now, _ = bridge.seating(row, numbered)  # type: ignore[arg-type]
        people = sorted(now.everybody)
        one, other = self.chance.sample(people, 2) if len(people) > 1 else (0, 0)
        swap = {one: other, other: one}
        pk = {tpn: numbered[swap.get(tpn, tpn)].pk for tpn in people}  # type: ignore[arg-type, call-overload]
        return Seating(
            {n: (pk[white], pk[black]) for n, (white, black) in now.boards.items()},
            {pk[tpn]: letter for tpn, letter in now.byes.items()},
        )

    @property
    def forward(self) -> list[Callable[[], object]]:
        """What brings the event on: oftener than the rest."""
        return [
            lambda: round_pair(round_id=self.round().pk, **self.who),
            lambda: round_publish(round_id=self.round().pk, **self.who),
            self.all_results,
            lambda: results_publish(round_id=self.round().pk, **self.who),
        ] * 3

    def somebody_comes(self) -> None:
        if self.chance.random() < 0.3:
            entry_add(tournament_id=self.tournament.pk, name=f"Late {self.now:%j %H%M%S}", **self.who)

    def all_results(self) -> None:
        for game in Game.objects.filter(round=self.round(), result="").order_by("board"):
            result_record(game_id=game.pk, result=self.chance.choice(["10", "==", "01", "+-", "??"]), **self.who)

    def change(self) -> None:
        row = self.round()
        ground, everybody = (
            self.chance.choice([*Ground, *[Ground.REGULATIONS] * 6]),
            Entry.objects.values_list("pk", flat=True),
        )
        round_change(
            round_id=row.pk, seating=self.seating(row), ground=ground, consents=list(everybody), reason="so", **self.who
        )

    def arrange(self) -> None:
        row = self.round()
        round_arrange(round_id=row.pk, seating=self.seating(row), reason="so", **self.who)

    def correct(self) -> None:
        game, result = self.game(), self.chance.choice(RIGHT_RESULTS)
        if game.pk and self.chance.random() < 0.6:
            result_correct(game_id=game.pk, result=result, report=self.report, **self.who)
        elif game.pk:
            colours_correct(game_id=game.pk, report=self.report, **self.who)

    def undo(self) -> None:
        newest = Decision.objects.filter(tournament=self.tournament).latest("sequence")
        last_act_undo(tournament_id=self.tournament.pk, sequence=newest.sequence, **self.who)

    def mend_rating(self) -> None:
        ratings = {"fide_rating": self.chance.randrange(1400, 2500)}
        rating_correct(entry_id=self.entry().pk, ratings=ratings, report=self.report, **self.who)

    @property
    def others(self) -> list[Callable[[], object]]:
        rounds = range(1, self.tournament.total_rounds + 1)
        return [
            self.change,
            self.arrange,
            self.correct,
            self.correct,
            self.mend_rating,
            *[self.undo] * 3,
            lambda: round_unpair(round_id=self.round().pk, **self.who),
            *[lambda: numbers_assign(tournament_id=self.tournament.pk, **self.who)] * 3,
            self.somebody_comes,
            lambda: entry_withdraw(entry_id=self.entry().pk, **self.who),
            lambda: entry_return(entry_id=self.entry().pk, **self.who),
            lambda: bye_request(
                entry_id=self.entry().pk, round_number=self.chance.choice(rounds), kind="H", **self.who
            ),
        ]


def require_agreement(tournament: Tournament) -> None:
    """Record, tables and report say the same."""
    tournament.refresh_from_db()
    assert record.verify(tournament) == []
    over = Round.objects.filter(tournament=tournament, state=RoundState.RESULTS_PUBLISHED).count()
    document = by_rounds_played(read(trf_export(tournament, public=False)))
    ours, _ = bridge.players_after(tournament, over)
    theirs = state_before_round(document, over + 1, system=tournament.system).players
    assert theirs == ours
    system = bridge.point_system(tournament)
    assert {line.tpn: line.points for line in bridge.ranked(tournament, ours).lines} == {
        player.tpn: score(player, system) for player in ours
    }


@pytest.mark.parametrize("system, seed", [*(("dutch_2026", n) for n in range(4)), ("double_swiss_2026", 11)])
def test_c04_2_4_whatever_arbiters_do_tables_record_and_report_agree(
    system: str, seed: int, chief_arbiter: User, deputy: User
) -> None:
    tournament = make_ready(
        chief_arbiter, players=9, rounds=4, correction_minutes=30, change_clause="7.3", system=system
    )
    arbiter = Arbiter(tournament, [chief_arbiter, chief_arbiter, deputy], Random(seed))
    for _ in range(STEPS):
        arbiter.step()
        require_agreement(tournament)
    assert arbiter.done > STEPS / 4
    assert len(arbiter.refused) > 5
    acts = set(Decision.objects.filter(tournament=tournament).values_list("act", flat=True))
    assert {"round.published", "results.published"} <= acts
