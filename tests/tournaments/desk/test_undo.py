"""Undo the last action: the record gets a new line, and the tables are as they were before."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.results import result_record
from tests.tournaments.factories import NOW, entry_of, round_of
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import Conflict, RuleRefused, ServiceError
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import entry_check_in, entry_return, entry_withdraw
from tournaments.models import Decision, Entry, Game, RequestedBye, Round, Seat, Tournament
from tournaments.reports.record_against_tables import differences

pytestmark = pytest.mark.django_db


def newest(tournament: Tournament) -> Decision:
    return Decision.objects.filter(tournament=tournament).latest("sequence")


def undo(tournament: Tournament, actor: User, line: Decision | None = None) -> Decision:
    sequence = (line or newest(tournament)).sequence
    return action_undo(tournament_id=tournament.pk, actor=actor, now=NOW, sequence=sequence)


def refusal(tournament: Tournament, line: Decision, actor: User, now: datetime = NOW) -> str:
    with pytest.raises(ServiceError) as refused:
        action_undo(tournament_id=tournament.pk, actor=actor, now=now, sequence=line.sequence)
    return refused.value.code


def tables(tournament: Tournament) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that an action with an undo may change."""
    return {
        "entries": list(
            Entry.objects.filter(tournament=tournament).order_by("pk").values_list("pk", "withdrawn_from", "checked_in")
        ),
        "byes": list(own(RequestedBye).order_by("entry", "round_number").values_list("entry", "round_number", "kind")),
        "rounds": list(
            Round.objects.filter(tournament=tournament).order_by("number").values_list("number", "state", "paired_at")
        ),
        "boards": list(own(Game).order_by("round", "board").values_list("round", "board", "result")),
        "seats": list(own(Seat).order_by("round", "entry").values_list("round", "entry", "colour", "bye")),
    }


def settle(tournament: Tournament, consequence: str, who: dict[str, object]) -> None:
    missing = Entry.objects.filter(tournament=tournament, checked_in=False, withdrawn_from=None)
    seen = [entry.pk for entry in missing if not entry.requested_byes.filter(round_number=2).exists()]
    check_in_settle(tournament_id=tournament.pk, consequence=consequence, seen=seen, confirmed=True, **who)


ACTIONS: dict[str, Callable[[Tournament, dict[str, object]], object]] = {
    "a draft": lambda t, who: round_pair(round_id=round_of(t, 2).pk, **who),
    "a withdrawal": lambda t, who: entry_withdraw(entry_id=entry_of(t, 1).pk, from_round=3, **who),
    "a second withdrawal": lambda t, who: entry_withdraw(entry_id=entry_of(t, 8).pk, from_round=3, **who),
    "a return": lambda t, who: entry_return(entry_id=entry_of(t, 8).pk, reason="as told", **who),
    "a bye": lambda t, who: bye_request(entry_id=entry_of(t, 1).pk, round_number=2, kind="H", **who),
    "another bye": lambda t, who: bye_request(entry_id=entry_of(t, 7).pk, round_number=2, kind="Z", **who),
    "a bye cancelled": lambda t, who: bye_cancel(entry_id=entry_of(t, 7).pk, round_number=2, **who),
    "those missing excluded": lambda t, who: settle(t, "excluded", who),
    "those missing given a bye": lambda t, who: settle(t, "H", who),
    "those missing paired": lambda t, who: settle(t, "paired", who),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_an_undone_action_leaves_the_tables_as_they_were(name: str, played_round: Round, chief_arbiter: User) -> None:
    tournament, who = played_round.tournament, {"actor": chief_arbiter, "now": NOW}
    entry_withdraw(entry_id=entry_of(tournament, 8).pk, from_round=2, **who)
    bye_request(entry_id=entry_of(tournament, 7).pk, round_number=2, kind="H", **who)
    if name.startswith("those missing"):
        check_in_open(tournament_id=tournament.pk, **who)
        check_in_close(tournament_id=tournament.pk, **who)
    before = tables(tournament)
    ACTIONS[name](tournament, who)
    done = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert tables(tournament) != before
    undone = undo(tournament, chief_arbiter)
    assert tables(tournament) == before
    assert (undone.sequence, undone.action, undone.article) == (done.sequence + 1, "action.undone", done.article)
    assert undone.before == done.after
    assert undone.after == {**done.before, "undone": done.sequence, "action": done.action}
    assert record.verify(tournament) == []


def test_c04_2_3_2_undoing_an_exclusion_restores_the_announced_withdrawal(
    played_round: Round, chief_arbiter: User
) -> None:
    """The player is missing at the check-in of round 2 and excluded, after announcing a withdrawal from round 4."""
    tournament, who = played_round.tournament, {"actor": chief_arbiter, "now": NOW}
    entry = entry_withdraw(entry_id=entry_of(tournament, 3).pk, from_round=4, **who)
    check_in_open(tournament_id=tournament.pk, **who)
    check_in_close(tournament_id=tournament.pk, **who)
    missing = [each.pk for each in Entry.objects.filter(tournament=tournament)]
    check_in_settle(tournament_id=tournament.pk, consequence="excluded", seen=missing, confirmed=True, **who)
    entry.refresh_from_db()
    assert entry.withdrawn_from == 2
    undo(tournament, chief_arbiter)
    assert set(own(Entry).exclude(withdrawn_from=None).values_list("tpn", "withdrawn_from")) == {(3, 4)}


@pytest.mark.parametrize("earlier", ["", "=="])
def test_a_result_just_typed_is_undone(earlier: str, published_round: Round, chief_arbiter: User) -> None:
    game = Game.objects.get(round=published_round, board=2)
    for result in filter(None, (earlier, "10")):
        result_record(game_id=game.pk, result=result, actor=chief_arbiter, now=NOW)
    seen = Game.objects.get(pk=game.pk).version
    undone = undo(published_round.tournament, chief_arbiter)
    game.refresh_from_db()
    assert (game.result, game.version, undone.action) == (earlier, seen + 1, "result.undone")


@pytest.mark.parametrize("checked_in", [True, False])
def test_a_check_in_is_undone(checked_in: bool, ready: Tournament, chief_arbiter: User) -> None:
    entry = entry_of(ready, 4)
    Entry.objects.filter(pk=entry.pk).update(checked_in=not checked_in)
    entry_check_in(entry_id=entry.pk, actor=chief_arbiter, now=NOW, checked_in=checked_in)
    undo(ready, chief_arbiter)
    entry.refresh_from_db()
    assert entry.checked_in is not checked_in


def test_c04_2_4_4_a_publication_is_not_undone(draft_round: Round, chief_arbiter: User) -> None:
    tournament = draft_round.tournament
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(RuleRefused) as refused:
        undo(tournament, chief_arbiter)
    assert refused.value.code == "undo.not_this"


def test_an_undone_action_is_not_undone_again(draft_round: Round, chief_arbiter: User) -> None:
    undo(draft_round.tournament, chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        undo(draft_round.tournament, chief_arbiter)
    assert refused.value.code == "undo.not_this"


def test_c04_2_4_4_an_older_action_is_undone_if_nothing_depends_on_it(
    draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    """Ten minutes, unless it is the newest; a later line about the same player, round or board is named."""
    tournament, who = draft_round.tournament, {"actor": chief_arbiter, "now": NOW}
    paired = newest(tournament)
    bye_request(entry_id=entry_of(tournament, 1).pk, round_number=3, kind="H", **who)
    granted = newest(tournament)
    entry_withdraw(entry_id=entry_of(tournament, 2).pk, from_round=4, actor=deputy, now=NOW)
    assert refusal(tournament, granted, chief_arbiter, NOW + timedelta(minutes=11)) == "undo.too_late"
    assert undo(tournament, chief_arbiter, granted).after["undone"] == granted.sequence
    assert not own(RequestedBye).exists()
    assert refusal(tournament, granted, chief_arbiter) == "undo.already"
    assert undo(tournament, chief_arbiter, paired).before == paired.after
    bye_request(entry_id=entry_of(tournament, 1).pk, round_number=3, kind="H", **who)
    granted = newest(tournament)
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, from_round=4, **who)
    with pytest.raises(Conflict) as conflict:
        undo(tournament, chief_arbiter, granted)
    assert [line.sequence for line in conflict.value.lines] == [granted.sequence + 1]
    undo(tournament, chief_arbiter)
    undo(tournament, chief_arbiter, granted)
    assert differences(tournament) == []
    assert refusal(tournament, granted, deputy) == "undo.already"
    with pytest.raises(Conflict, match="The record has no such action"):
        action_undo(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, sequence=999)


def test_c04_2_4_4_a_draft_that_was_published_since_is_not_undone(draft_round: Round, chief_arbiter: User) -> None:
    tournament = draft_round.tournament
    paired = newest(tournament)
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    assert refusal(tournament, paired, chief_arbiter) == "round.already_published"


def test_a_deputy_undoes_only_own_actions(draft_round: Round, chief_arbiter: User, deputy: User) -> None:
    tournament = draft_round.tournament
    with pytest.raises(RuleRefused) as refused:
        undo(tournament, deputy)
    assert refused.value.code == "undo.of_another"
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, actor=deputy, now=NOW)
    assert undo(tournament, deputy).actor == deputy
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, actor=deputy, now=NOW)
    assert undo(tournament, chief_arbiter).actor == chief_arbiter


def test_the_desk_offers_the_undo_and_names_the_action(draft_round: Round, client: Client, chief_arbiter: User) -> None:
    tournament = draft_round.tournament
    client.force_login(chief_arbiter)
    desk, url = (reverse(name, args=[tournament.slug]) for name in ("desk", "undo"))
    page = client.get(desk)
    assert "Undo" in page.content.decode()
    sequence = page.context["undoables"][0].sequence
    done = client.post(url, {"sequence": sequence}, follow=True).content.decode()
    assert "Undone. The record keeps both actions." in done
    assert ("undone: round paired (draft)" in " ".join(done.split()), "Undo" in done.replace("Undone", "")) == (
        True,
        False,
    )
    again = client.post(url, {"sequence": sequence})
    assert again.status_code == Conflict.status
    assert client.post(url, {"sequence": "x"}).status_code == 422


def test_visitors_do_not_learn_of_an_undone_result(published_round: Round, client: Client, chief_arbiter: User) -> None:
    tournament = published_round.tournament
    game = Game.objects.get(round=published_round, board=1)
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    undone = undo(tournament, chief_arbiter)
    url = reverse("record", args=[tournament.slug])
    assert undone.hash[:8] not in client.get(url).content.decode()
    client.force_login(chief_arbiter)
    shown = client.get(url).content.decode()
    assert "board 1: 1 – 0 → –" in shown
