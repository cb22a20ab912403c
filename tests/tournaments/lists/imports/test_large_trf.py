"""A large TRF file: one transaction with a few statements,
and everything that is possible before it.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pairing.cli.generate import text_of
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.trf.reader import read
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.lists.imports import trf_tournament
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Decision, Entry, Game, Round, Seat, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.on_postgres("many rows in one statement")


def file_of(players: int, system: str = "dutch_2026") -> bytes:
    plan = EventPlan(players=players, rounds=3, byes=500, forfeits=500, system=system)
    return text_of(generate(plan, Random(players)), players).encode()


def statements(actor: User, data: bytes) -> list[str]:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        tournament_import_trf(actor=actor, now=NOW, data=data)
    return [query["sql"].partition(" (")[0] for query in captured]


@pytest.mark.costly
@pytest.mark.parametrize("system", ["dutch_2026", "double_swiss_2026"])
def test_a_file_with_more_players_needs_no_more_statements(
    chief_arbiter: User, system: str
) -> None:
    few, many = (statements(chief_arbiter, file_of(players, system)) for players in (11, 151))
    assert len(many) == len(few)
    assert (own(Entry).count(), own(Seat).count()) == (162, 3 * 162)


@pytest.mark.parametrize("system", ["dutch_2026", "double_swiss_2026"])
def test_every_cell_of_the_file_is_saved(chief_arbiter: User, system: str) -> None:
    data = file_of(40, system)
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
    first, second = read(data).players, read(trf_export(made, public=False)).players
    assert [(one.tpn, one.rating, one.points, one.rounds) for one in second] == [
        (one.tpn, one.rating, one.points, one.rounds) for one in first
    ]
    seconds = Game.objects.filter(round__tournament=made, first__isnull=False)
    assert all(game.first.board == game.board for game in seconds.select_related("first"))
    assert seconds.exists() == (system == "double_swiss_2026")


@pytest.mark.costly
@pytest.mark.parametrize("system", ["dutch_2026", "double_swiss_2026"])
def test_the_record_was_made_before_the_rows_and_agrees_with_them(
    chief_arbiter: User, system: str
) -> None:
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=file_of(40, system))
    assert differences(made) == []
    assert record.verify(made) == []
    line = Decision.objects.get(tournament=made)
    assert line.hash == record.fingerprint(line), "hidden before the lock as without it"


def test_rounds_of_other_tournaments_stay_in_whatever_order_they_are_read(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Round._meta, "ordering", ("number", "-pk"))
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=file_of(11))
    games = Game.objects.filter(round__tournament=made).values_list("round__number", flat=True)
    assert sorted(set(games)) == [1, 2, 3]


def test_no_player_seat_or_game_is_read_back_under_the_lock(chief_arbiter: User) -> None:
    found = statements(chief_arbiter, file_of(40))
    locked = found[found.index(next(text for text in found if "INSERT INTO" in text)) :]
    for model in (Entry, Game, Seat):
        table = connection.ops.quote_name(model._meta.db_table)
        assert [
            text for text in locked if text.startswith("SELECT") and f"FROM {table}" in text
        ] == []
        assert len([text for text in locked if f"INSERT INTO {table}" in text]) == 1


def test_the_transaction_begins_after_reading_and_a_failure_in_it_saves_nothing(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = []

    def noted(name: str) -> None:
        real = getattr(trf_tournament, name)

        def step(*given: Any, **more: Any) -> Any:
            before.append(name)
            return real(*given, **more)

        monkeypatch.setattr(trf_tournament, name, step)

    def fail(*given: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    for name in ("trf_open", "taken_round", "_fields", "establish"):
        noted(name)
    monkeypatch.setattr(trf_tournament, "taken_over", fail)
    with pytest.raises(KeyboardInterrupt):
        tournament_import_trf(actor=chief_arbiter, now=NOW, data=file_of(11))
    assert before == ["trf_open", *["taken_round"] * 3, "_fields", "establish"]
    assert not own(Tournament).exists()
    assert not own(Entry).exists()
