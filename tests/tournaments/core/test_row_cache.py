"""A tournament saved again has the rows, the keys and the
future of the one made by real actions.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from tests.plugins.repeatable_tokens import TOKENS
from tests.tournaments import factories
from tests.tournaments.neighbour import move_in
from tests.tournaments.row_cache import ROW_CACHE, RowCache, Rows, all_rows, set_next_keys
from tournaments.models import Decision, Tournament

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


class UndoneError(Exception):
    """Ends a block whose rows are not wanted any more."""


def made(actor: User, *, first: str, keys_from: dict[str, int]) -> Rows:
    """Return all rows after an event named *first* of two rounds and one entry more,
    made from the same rows.
    """
    try:
        with transaction.atomic():
            set_next_keys(keys_from)
            tournament = factories.make_ready(actor, name=first, rounds=3)
            factories.play_rounds(tournament, [1, 2], actor)
            factories.make_tournament(actor, name="One more")
            rows = all_rows()
            rows.pop("tournaments_job")  # It has the time of the clock, and is nothing of an event.
            raise UndoneError
    except UndoneError:
        return rows


@pytest.mark.costly
def test_rows_saved_again_are_those_of_the_actions(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = {table: rows[-1][0] if rows else 0 for table, rows in all_rows().items()}
    assert not ROW_CACHE.is_on
    monkeypatch.setattr(
        "secrets.token_hex", lambda size: "0" * 2 * size
    )  # identities, secrets and salts
    by_actions = made(chief_arbiter, first="Spring Open", keys_from=last)
    cache = RowCache()
    cache.is_on = True
    monkeypatch.setattr(factories, "ROW_CACHE", cache)
    for _ in range(2):
        assert made(chief_arbiter, first="Spring Open", keys_from=last) == by_actions
    assert len(cache) == 8, (
        "the entries; pairings, results and publication of two rounds; both rounds together"
    )


@pytest.mark.costly
def test_other_rows_other_accounts_and_other_arguments_are_made_anew(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = RowCache()
    cache.is_on = True
    monkeypatch.setattr(factories, "ROW_CACHE", cache)
    last = {table: rows[-1][0] if rows else 0 for table, rows in all_rows().items()}
    made(chief_arbiter, first="Spring Open", keys_from=last)
    made(chief_arbiter, first="Autumn Open", keys_from=last)
    assert len(cache) == 16
    chief_arbiter.first_name = "Claire"
    chief_arbiter.save()
    rows = made(chief_arbiter, first="Autumn Open", keys_from=last)
    assert len(cache) == 24
    assert "Claire Chief" in str(rows["tournaments_decision"])


def test_a_factory_after_the_same_actions_saves_again_and_no_token_is_in_two_rows(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = RowCache()
    cache.is_on = True
    monkeypatch.setattr(factories, "ROW_CACHE", cache)
    last = {table: rows[-1][0] if rows else 0 for table, rows in all_rows().items()}
    seen = []
    for _ in range(2):
        TOKENS.drawn = 0
        with suppress(UndoneError), transaction.atomic():
            set_next_keys(last)
            factories.make_tournament(chief_arbiter, name="First")
            factories.make_ready(chief_arbiter, name="Second")
            factories.make_tournament(chief_arbiter, name="Third")
            seen.append((all_rows(), TOKENS.drawn, len(cache)))
            salts = [*Decision.objects.exclude(salt="").values_list("salt", flat=True)]
            salts += Tournament.objects.values_list("account_salt", flat=True)
            raise UndoneError
        assert len({*salts}) == len(salts) > 10
    assert seen[0] == seen[1]


@pytest.mark.alone("it saves the second tournament before its own rows, and then not")
def test_what_was_saved_beside_the_second_tournament_is_saved_again_without_it(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = RowCache()
    cache.is_on = True
    monkeypatch.setattr(factories, "ROW_CACHE", cache)
    seen = []
    for comes_last in (False, True):
        TOKENS.drawn = 0
        with suppress(UndoneError), transaction.atomic():
            next_door = move_in(comes_last=comes_last)
            cache.next_door = {} if comes_last else next_door.rows
            actor = User.objects.create(username="chief", first_name="Clara")
            tournament = factories.make_ready(actor)
            seen.append((actor.pk, [*Decision.objects.filter(tournament=tournament).values()]))
            raise UndoneError
    assert len(cache) == 1
    assert seen[0] == seen[1]
