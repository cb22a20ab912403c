"""``./run manage forecast TOURNAMENT``: make the forecast of a tournament."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.models import Tournament
from tournaments.standings.forecasts import forecast_make


class Command(BaseCommand):
    help = (
        "Play the rest of a tournament up to a thousand times, and store the chances for its page."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tournament", help="the number of a tournament, or its address")

    def handle(self, *args: Any, **options: Any) -> None:
        named = options["tournament"]
        found = (
            Tournament.objects.filter(pk=int(named))
            if named.isdecimal()
            else Tournament.objects.filter(slug=named)
        )
        tournament = found.first()
        if tournament is None:
            raise CommandError(f"There is no tournament {named}.")
        row = forecast_make(tournament.pk, timezone.now)
        if row is None:
            self.stdout.write(
                "There is nothing to forecast: no pairings are published, or the last results are."
            )
        else:
            self.stdout.write(f"{tournament}: {row.simulations} simulations.")
