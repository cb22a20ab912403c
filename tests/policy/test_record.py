"""The record: nobody can change its lines later, and an outsider can check them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair, round_unpair
from tests.plugins.empty_tables import guard_lifted
from tests.tournaments.core.test_record import REPLACING
from tests.tournaments.factories import NOW, boards, entry_of, play_rounds, round_of
from tests.tournaments.reports.wanderers import checked, exported
from tournaments.core import record
from tournaments.models import Decision, Game, Round, Tournament
from tournaments.reports.record_against_tables import differences

pytestmark = pytest.mark.django_db


def verified(tournament: Tournament) -> str:
    """Return the output of ``verify_record``."""
    out = io.StringIO()
    try:
        call_command("verify_record", tournament.slug, stdout=out)
    except CommandError as error:
        out.write(str(error))
    return out.getvalue()


@pytest.mark.parametrize("how", REPLACING)
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="INSERT OR REPLACE is SQLite's own")
def test_record_no_line_is_replaced(how: str, played_round: Round) -> None:
    tournament = played_round.tournament
    with (
        connection.cursor() as cursor,
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
    ):
        cursor.execute(REPLACING[how], [tournament.pk])
    assert record.verify(tournament) == []


def test_record_a_result_changed_in_the_tables_is_found(played_round: Round) -> None:
    tournament = played_round.tournament
    assert differences(tournament) == []
    Game.objects.filter(round=played_round, board=2).update(result="==")
    assert any("result of board 2" in message for message in differences(tournament))
    assert "The tables of" in verified(tournament)


def test_record_a_chain_computed_again_is_found(played_round: Round) -> None:
    """Line, chain and tables agree; nobody without the key can sign the new fingerprints."""
    tournament = played_round.tournament
    decision = tournament.decisions.get(action="result.recorded", after__board=1)
    with guard_lifted(connection):
        decision.after = {**decision.after, "result": "=="}
        previous = decision.previous_hash
        for row in [
            decision,
            *tournament.decisions.filter(sequence__gt=decision.sequence).order_by("sequence"),
        ]:
            row.previous_hash = previous
            row.hash = previous = record.fingerprint(row)
            Decision.objects.filter(pk=row.pk).update(
                after=row.after, previous_hash=row.previous_hash, hash=row.hash
            )
    Game.objects.filter(round=played_round, board=1).update(result="==")
    assert (record.verify(tournament), differences(tournament)) == ([], [])
    assert f"#{decision.sequence}: its signature does not fit its fingerprint." in verified(
        tournament
    )


def test_record_everybody_can_compute_the_fingerprints_again(
    played_round: Round, client: Client
) -> None:
    """The file for visitors has before, after and reason of every published line."""
    tournament = played_round.tournament
    lines = exported(tournament, runs=False)
    assert checked(lines) is None
    content = b"".join(client.get(reverse("record-file", args=[tournament.slug]))).decode()
    rows = [json.loads(line) for line in content.splitlines()]
    published = next(row for row in rows if row.get("action") == "round.paired")
    assert {"before", "after", "reason", "hash"} <= published.keys()
    assert len(published["after"]["boards"]) == 4


@pytest.mark.costly
def test_record_a_discarded_draft_is_kept_with_its_boards(
    ready: Tournament, deputy: User, chief_arbiter: User
) -> None:
    """A discarded draft stays with all its boards and the name of the user who read it."""
    row = round_of(ready, 1)
    round_pair(round_id=row.pk, actor=deputy, now=NOW)
    pairs = [[white, black] for white, black, _ in boards(ready, 1)]
    round_unpair(round_id=row.pk, actor=deputy, now=NOW)
    play_rounds(ready, [1], chief_arbiter)
    draft, discarded = (
        ready.decisions.filter(action=action).earliest("sequence")
        for action in ("round.paired", "round.discarded")
    )
    assert (draft.after["pairs"], draft.actor, discarded.actor) == (pairs, deputy, deputy)


def test_record_corrected_standings_say_so(
    played_round: Round, chief_arbiter: User, client: Client
) -> None:
    """The pairings and results as published remain in their lines;
    the list says which line changed it.
    """
    tournament = played_round.tournament
    game = Game.objects.get(round=played_round, board=1)
    printed = tournament.decisions.get(action="results.published")
    report: Any = Report(NOW, "both players say so")
    result_correct(game_id=game.pk, result="01", report=report, actor=chief_arbiter, now=NOW)
    assert tournament.decisions.get(action="results.published").after == printed.after
    page = client.get(reverse("standings", args=[tournament.slug])).content.decode()
    assert "C.04.2 4.3.1" in page
    assert entry_of(tournament, 1).name in page
