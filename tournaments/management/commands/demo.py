"""Create a demo tournament and play three rounds."""

from __future__ import annotations

import secrets
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from config.data_folder import data_option
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.rounds import RoundState
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw, numbers_assign
from tournaments.lists.imports.entry_lists import entries_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Entry, Game, GameResult, Role, Round, Tournament
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.tournaments import tournament_create
from tournaments.setup.visibility import tournament_list_set

NAME: Final = "Demo Open"
ENTRIES: Final = Path(__file__).resolve().parents[2] / "demo" / "entries.csv"
CITY: Final = "Nowhere-on-Sea"
ROUNDS: Final = 7

RESULTS: Final = {
    1: "10 01 10 == 10 10 01 10 == 10 10 01",
    2: "== 10 01 10 10 == 01 10 01 10 10",
    3: "10 == == 01 10 01 +- 10 == 10 01",
}
"""The results of the rounds, board by board."""


class Command(BaseCommand):
    help = "Fill a demo tournament from the shipped entry list and play three rounds with fixed results."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--user", help="who runs the demo tournament (default: the first account of staff)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # The place is invented like the name, so that nobody plays on a real tournament by mistake.
        tournament = Tournament.objects.filter(name=NAME, city=CITY).order_by("pk").first()
        if tournament is None:
            actor = self._actor(options["user"])
            with transaction.atomic():
                tournament = self._set_up(actor)
        else:
            actor = (
                tournament.appointments.select_related("person")
                .get(role=Role.CHIEF, until=None)
                .person
            )
            self._say(
                f"The tournament “{NAME}” is there already; what is missing of it is played now."
            )
        for number in RESULTS:
            self._play(tournament, number, actor)
        if actor.username == "demo":
            appoint = f"./run manage appoint {tournament.slug} NAME{data_option()}"
            self._say(f"To run it with your account: {appoint}")
        self._say(
            f"The demo tournament /t/{tournament.slug}/ waits for the pairing of round "
            f"{len(RESULTS) + 1}."
        )

    def _actor(self, name: str | None) -> User:
        if name is not None:
            try:
                return User.objects.get(username=name)
            except User.DoesNotExist as error:
                raise CommandError(f"There is no account called “{name}”.") from error
        actor = User.objects.filter(is_staff=True, is_active=True).order_by("pk").first()
        if actor is None:
            # Nobody knows the password: “./run manage appoint” makes a later account the Chief
            # Arbiter.
            actor, _ = User.objects.get_or_create(
                username="demo",
                defaults={
                    "first_name": "Demo",
                    "last_name": "Arbiter",
                    "password": make_password(secrets.token_urlsafe(32)),
                },
            )
        return actor

    def _set_up(self, actor: User) -> Tournament:
        tournament = tournament_create(
            actor=actor,
            now=timezone.now(),
            name=NAME,
            total_rounds=ROUNDS,
            city=CITY,
            chief_arbiter="Demo Arbiter",
            time_control="90 min + 30 s",
        )
        self._say(f"Tournament “{NAME}” set up: {ROUNDS} rounds.")
        rows = read_list(ENTRIES.read_bytes()).rows
        entries_import(
            tournament_id=tournament.pk,
            actor=actor,
            now=timezone.now(),
            rows=rows,
            source=ENTRIES.name,
        )
        self._say(f"{len(rows)} participants entered.")
        numbers_assign(tournament_id=tournament.pk, actor=actor, now=timezone.now())
        initial_colour_set(tournament_id=tournament.pk, actor=actor, now=timezone.now(), colour="w")
        self._say("Numbers assigned, initial colour White.")
        for name, number, kind in (("Gallego, Inés", 2, "H"), ("Tamm, Kaarel", 3, "Z")):
            entry = Entry.objects.get(tournament=tournament, name=name)
            bye_request(
                entry_id=entry.pk, actor=actor, now=timezone.now(), round_number=number, kind=kind
            )
        gone = Entry.objects.get(tournament=tournament, name="Underhill, Percy")
        entry_withdraw(entry_id=gone.pk, actor=actor, now=timezone.now(), from_round=3)
        tournament_list_set(
            tournament_id=tournament.pk, actor=actor, now=timezone.now(), listed=True
        )
        return tournament

    def _play(self, tournament: Tournament, number: int, actor: User) -> None:
        """Play round *number*, starting from its current state."""
        round_ = Round.objects.get(tournament=tournament, number=number)
        if round_.state == RoundState.PLANNED:
            round_ = round_pair(round_id=round_.pk, actor=actor, now=timezone.now())
        if round_.state == RoundState.DRAFT:
            round_ = round_publish(round_id=round_.pk, actor=actor, now=timezone.now())
        if round_.state == RoundState.RESULTS_PUBLISHED:
            self._say(f"Round {number}: played.")
            return
        games = Game.objects.filter(round=round_).order_by("board")
        # If somebody has added players there are more boards than results: start again from the
        # first result.
        for game, result in zip(games, cycle(RESULTS[number].split()), strict=False):
            if game.result == GameResult.NOT_YET:
                result_record(game_id=game.pk, result=result, actor=actor, now=timezone.now())
        results_publish(round_id=round_.pk, actor=actor, now=timezone.now(), before_time=True)
        self._say(f"Round {number}: paired, published and played on {len(games)} boards.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
