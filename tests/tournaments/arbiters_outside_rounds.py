"""What random arbiters do outside a round: settings, points, final standings, undo."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pairing.rounds.game_dates import game_schedule
from pairing.rules.rounds import PUBLIC_STATES
from tests.tournaments.arbiters import PICKS, TURNS, Event, Turn
from tournaments.models import Game
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.number_of_rounds import number_of_rounds_change
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tie_breaks import tie_breaks_change
from tournaments.setup.tournaments import list_close, tournament_update
from tournaments.standings.adjust_points import decisions_on_points, points_adjust, points_withdraw
from tournaments.standings.final import standings_make_final, standings_reopen
from tournaments.standings.lots import lots_draw


class OutsideRounds(Event):
    """An event with the actions that belong to no round as further rules."""

    @rule(turn=TURNS, back=st.sampled_from([0, 0, 1, 2, 3, 5]))
    def undo(self, turn: Turn, back: int) -> None:
        self.undo_last(replace(turn, goes_on=False, regrets=False), back)

    @rule(
        turn=TURNS,
        fields=st.sampled_from(
            [{"top_boards": 2}, {"list_state": "provisional"}, {"total_rounds": 3}, {"correction_minutes": 90},
             {"name": "Winter Open"}, {"system": "dutch_2017", "leave_fide_mode": True}, {"points_win": 30},
             {"tie_breaks": "DE"}],
        ),
    )  # fmt: skip
    def set_up(self, turn: Turn, fields: dict[str, object]) -> None:
        self.action(turn, tournament_update, tournament_id=self.tournament.pk, **fields)

    @rule(
        turn=TURNS,
        total=st.integers(0, 8),
        reason=st.sampled_from(["the hall closes", "the hall closes", ""]),
    )
    def change_number_of_rounds(self, turn: Turn, total: int, reason: str) -> None:
        self.action(
            replace(turn, goes_on=False), number_of_rounds_change, tournament_id=self.tournament.pk,
            total_rounds=total, reason=reason, version=self.tournament.version,
        )  # fmt: skip

    @rule(turn=TURNS, named=st.sampled_from(["", "5", " "]))
    def draw_lots(self, turn: Turn, named: str) -> None:
        self.action(turn, lots_draw, tournament_id=self.tournament.pk, named=named, witness=named)

    @rule(turn=TURNS, ties_stay=st.sampled_from([True, True, False]))
    def make_standings_final(self, turn: Turn, *, ties_stay: bool) -> None:
        self.action(
            turn, standings_make_final, tournament_id=self.tournament.pk, ties_stay=ties_stay
        )

    @rule(turn=TURNS, reason=st.sampled_from(["a scoresheet was found", "."]))
    def reopen_standings(self, turn: Turn, reason: str) -> None:
        self.action(turn, standings_reopen, tournament_id=self.tournament.pk, reason=reason)

    @rule(
        turn=TURNS,
        pick=PICKS,
        points=st.sampled_from([-5, -5, -10, -20, 5, 10, -95, -3]),
        off=st.sampled_from([0, 0, 0, 0, -1, 1]),
    )
    def give_or_take_points(self, turn: Turn, pick: int, points: int, off: int) -> None:
        public = self.tournament.rounds.filter(state__in=PUBLIC_STATES).count()
        seen = decisions_on_points(self.tournament).count() + (pick % 11 == 10)
        if entry := self.pick_entry(pick):
            self.action(
                turn, points_adjust, tournament_id=self.tournament.pk, entry_id=entry.pk, points=points,
                round_number=public + off, article="Laws 12.9" if pick % 9 else "",
                reason="telephone" if pick % 7 else "", seen=seen,
            )  # fmt: skip

    @rule(turn=TURNS, pick=PICKS)
    def withdraw_points(self, turn: Turn, pick: int) -> None:
        given = list(
            self.tournament.point_adjustments.values_list("entry_id", "points", "round_number")
        )
        if given:
            entry, points, number = given[-1 - pick % len(given)]
            self.action(
                turn, points_withdraw, tournament_id=self.tournament.pk, entry_id=entry, points=points,
                round_number=number, reason="it was the clock" if pick % 7 else "",
            )  # fmt: skip

    @rule(turn=TURNS)
    def close_list(self, turn: Turn) -> None:
        self.action(turn, list_close, tournament_id=self.tournament.pk)

    @rule(
        turn=TURNS,
        colour=st.sampled_from("wbx"),
        reason=st.sampled_from(["the coin fell off the table", ""]),
    )
    def draw_colour(self, turn: Turn, colour: str, reason: str) -> None:
        self.action(
            turn, initial_colour_set, tournament_id=self.tournament.pk, colour=colour,
            reason=reason,
        )  # fmt: skip

    @rule(turn=TURNS, pick=PICKS)
    def announce_times(self, turn: Turn, pick: int) -> None:
        due = self.now + timedelta(minutes=pick)
        self.action(
            turn,
            round_schedule,
            round_id=self.pick_round(pick).pk,
            starts_at=self.now,
            results_due_at=due,
        )

    @rule(turn=TURNS, pick=PICKS, removes=st.booleans())
    def set_the_date_of_a_game(self, turn: Turn, pick: int, removes: bool) -> None:
        games = list(Game.objects.filter(round__tournament=self.tournament).order_by("pk"))
        if games:
            at = None if removes else self.now + timedelta(days=pick)
            game = games[pick % len(games)]
            self.action(
                turn, game_schedule, game_id=game.pk, starts_at=at, place="" if removes else "club"
            )

    @rule(turn=TURNS, tie_breaks=st.sampled_from(["DE,BH", "AOB,SB", "ARO"]))
    def change_tie_breaks(self, turn: Turn, tie_breaks: str) -> None:
        self.action(
            turn, tie_breaks_change, tournament_id=self.tournament.pk, tie_breaks=tie_breaks, edition="fide-2026",
            reason="so it is", version=self.tournament.version,
        )  # fmt: skip
