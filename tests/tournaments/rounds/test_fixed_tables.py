"""Players who cannot move play at their fixed table,
and both numbers are shown [C.04.2/2026 3.6].
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.changes import round_change
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rules.published import Situation
from tests.tournaments.factories import (
    NOW,
    boards,
    entry_of,
    make_ready,
    pair_and_publish,
    player_address,
    round_of,
)
from tests.tournaments.markup import tidy
from tournaments.core.errors import BadInput
from tournaments.entries.entries import entry_update
from tournaments.models import Decision, Game, Round, Tournament

pytestmark = pytest.mark.django_db


def tables(tournament: Tournament, number: int = 1) -> list[int]:
    games = Game.objects.filter(round__tournament=tournament, round__number=number).order_by(
        "board"
    )
    return [game.table or game.board for game in games]


def fix(tournament: Tournament, tpn: int, table: int | None, actor: User) -> None:
    entry_update(entry_id=entry_of(tournament, tpn).pk, actor=actor, now=NOW, fixed_table=table)


@pytest.fixture
def seated(ready: Tournament, chief_arbiter: User) -> Tournament:
    """Player 1, on board 1, cannot move from table 3; the pairings of round 1 are published."""
    fix(ready, 1, 3, chief_arbiter)
    pair_and_publish(ready, 1, chief_arbiter)
    return ready


def test_c04_2_3_6_the_board_stays_first_and_is_played_at_the_fixed_table(
    seated: Tournament,
) -> None:
    assert boards(seated, 1) == [(1, 5, ""), (6, 2, ""), (3, 7, ""), (8, 4, "")]
    assert tables(seated) == [3, 1, 2, 4]


def test_c04_2_3_6_a_draft_follows_a_new_fixed_table(
    ready: Tournament, chief_arbiter: User
) -> None:
    draft = round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    fix(ready, 4, 1, chief_arbiter)
    assert tables(ready) == [2, 3, 4, 1]
    ready.refresh_from_db()
    draft.refresh_from_db()
    assert draft.paired_from_version == ready.pairing_version
    pk = {tpn: entry_of(ready, tpn).pk for tpn in range(1, 9)}
    round_arrange(
        round_id=draft.pk,
        pairings=Pairings(
            {1: (pk[4], pk[5]), 2: (pk[6], pk[2]), 3: (pk[3], pk[7]), 4: (pk[8], pk[1])}
        ),
        reason="so it is",
        actor=chief_arbiter,
        now=NOW,
    )
    assert (boards(ready, 1)[0][:2], tables(ready)) == ((8, 1), [2, 3, 4, 1])
    fix(ready, 4, None, chief_arbiter)
    assert tables(ready) == [1, 2, 3, 4]


@pytest.mark.costly
def test_c04_2_4_4_published_tables_change_only_with_the_pairing(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, change_clause="7.3")
    fix(tournament, 1, 3, chief_arbiter)
    pair_and_publish(tournament, 1, chief_arbiter)
    # A change after the publication counts from the next round on.
    fix(tournament, 8, 1, chief_arbiter)
    assert tables(tournament) == [3, 1, 2, 4]
    pk = {tpn: entry_of(tournament, tpn).pk for tpn in range(1, 9)}
    round_change(
        round_id=round_of(tournament, 1).pk,
        pairings=Pairings(
            {1: (pk[1], pk[5]), 2: (pk[6], pk[2]), 3: (pk[3], pk[4]), 4: (pk[8], pk[7])}
        ),
        situation=Situation.REGULATIONS,
        consents=(),
        reason="so it is",
        actor=chief_arbiter,
        now=NOW,
    )
    assert tables(tournament) == [3, 1, 2, 4]
    tournament.refresh_from_db()


@pytest.mark.costly
def test_c04_2_3_6_both_numbers_are_on_every_list(
    seated: Tournament, client: Client, chief_arbiter: User
) -> None:
    name = entry_of(seated, 1).name
    pages = [
        reverse("pairings-public", args=[seated.slug, 1]),
        reverse("pairings-public", args=[seated.slug, 1]) + "?order=name",
        reverse("pairings-public", args=[seated.slug, 1]) + f"?q={name}",
        player_address(seated, 1),
    ]
    lines = [client.get(page).content.decode().count("table 3") for page in pages]
    assert lines == [1, 2, 2, 2]  # on the own page also in the sentence that open pages say
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[seated.slug, 1])).content.decode()
    assert tidy(page).count("table 3</span>") == 1
    answer = client.get(reverse("api:pairings", args=[seated.slug, 1])).json()
    assert [(line["board"], line["table"]) for line in answer["boards"]] == [
        (1, 3),
        (2, 1),
        (3, 2),
        (4, 4),
    ]
    csv = (
        client.get(reverse("api:pairings-csv", args=[seated.slug, 1])).content.decode().splitlines()
    )
    assert csv[0].lstrip("\ufeff").split(",")[:2] == ["board", "table"]
    assert csv[1].split(",")[:2] == ["1", "3"]


def test_the_reason_of_a_fixed_table_is_not_shown(seated: Tournament, client: Client) -> None:
    assert (
        "fixed_table" not in client.get(reverse("api:entries", args=[seated.slug])).content.decode()
    )
    assert "cannot move" not in client.get(player_address(seated, 1)).content.decode().lower()


@pytest.mark.costly
def test_the_form_of_a_player_has_the_fixed_table(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    entry = entry_of(ready, 2)
    address = reverse("entry-edit", args=[ready.slug, entry.pk])
    assert "Fixed table" in client.get(address).content.decode()
    given = {
        "name": entry.name,
        "fide_rating": entry.fide_rating,
        "federation": "FRA",
        "fixed_table": "12",
    }
    assert client.post(address, given).status_code == 302
    entry.refresh_from_db()
    assert entry.fixed_table == 12
    row = Decision.objects.filter(tournament=ready).latest("sequence")
    whom = {"entry": entry.pk, "name": entry.name}
    assert (row.before, row.after) == ({**whom, "fixed_table": None}, {**whom, "fixed_table": 12})
    with pytest.raises(BadInput):
        fix(ready, 2, 0, chief_arbiter)
    round_ = Round.objects.get(tournament=ready, number=1)
    round_pair(round_id=round_.pk, actor=chief_arbiter, now=NOW)
    round_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW)
    assert tables(ready) == [1, 12, 2, 3]
