"""Tied players ranked by decision of the Chief Arbiter, and expelled players
[C.07/2026 4.2; C.04.2/2026 3.2].
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.computed_standings import ranked
from pairing.rounds.snapshot import players_after
from pairing.standings_recheck import recheck_standings
from pairing.trf.reader import read
from tests.tournaments.factories import (
    NOW,
    boards,
    cached,
    entry_of,
    make_ready,
    play_rounds,
    player_address,
    round_of,
)
from tournaments.core import record
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_return, entry_withdraw
from tournaments.entries.expulsion import entry_expel
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export
from tournaments.standings.lots import equals_rank, lots_draw

WHY = "the organiser tossed a coin at the closing"


@pytest.fixture
@cached
def tied(chief_arbiter: User) -> Tournament:
    """Four players, two rounds, points only: 1 and 2 have two and one point, and so on."""
    tournament = make_ready(chief_arbiter, players=4, rounds=1, tie_breaks="")
    play_rounds(tournament, [1], chief_arbiter, lambda board, white, black: "==")
    return tournament


def ranks(tournament: Tournament) -> dict[int, int]:
    tournament = Tournament.objects.get(pk=tournament.pk)
    players, _ = players_after(tournament, tournament.total_rounds)
    return {int(line.tpn): line.rank for line in ranked(tournament, players).lines}


def keys(tournament: Tournament, *tpns: int) -> list[int]:
    return [entry_of(tournament, tpn).pk for tpn in tpns]


def require_sound(tournament: Tournament) -> None:
    tournament.refresh_from_db()
    assert record.verify(tournament) == []
    assert differences(tournament) == []


class TestOrderOfEquals:
    @pytest.mark.costly
    def test_c07_4_2_the_chief_arbiter_ranks_tied_players(
        self, tied: Tournament, chief_arbiter: User
    ) -> None:
        assert set(ranks(tied).values()) == {1}
        by = {"actor": chief_arbiter, "now": NOW}
        equals_rank(tournament_id=tied.pk, order=keys(tied, 3, 1, 4, 2), reason=WHY, **by)
        assert ranks(tied) == {3: 1, 1: 2, 4: 3, 2: 4}
        row = tied.decisions.latest("sequence")
        assert (row.action, row.article, row.reason) == ("equals.ranked", "C.07 4.2", WHY)
        # Another decision replaces the first.
        equals_rank(tournament_id=tied.pk, order=keys(tied, 1, 2, 3, 4), reason=WHY, **by)
        assert ranks(tied) == {1: 1, 2: 2, 3: 3, 4: 4}
        require_sound(tied)
        text = trf_export(tied, public=True)
        assert "### Order of tied players @ Round 1: TPN 1, 2, 3, 4, C.07 4.2" in text.splitlines()
        assert recheck_standings(read(text), tie_breaks="PTS").differences == ()

    @pytest.mark.parametrize("tpns", [(), (1,), (1, 2, 3), (1, 2, 3, 3, 4), (1, 1, 2, 3)])
    def test_c07_4_2_a_whole_group_is_ranked(
        self, tied: Tournament, chief_arbiter: User, tpns: tuple[int, ...]
    ) -> None:
        with pytest.raises(RuleRefused) as refused:
            equals_rank(
                tournament_id=tied.pk,
                order=keys(tied, *tpns),
                reason=WHY,
                actor=chief_arbiter,
                now=NOW,
            )
        assert refused.value.code == "equals.not_tied"

    def test_c07_4_2_only_the_chief_arbiter_with_a_reason_from_a_fresh_page_and_before_lots(
        self, tied: Tournament, chief_arbiter: User, deputy: User
    ) -> None:
        given = {"tournament_id": tied.pk, "order": keys(tied, 3, 1, 4, 2), "now": NOW}
        with pytest.raises(PermissionDenied):
            equals_rank(actor=deputy, reason=WHY, **given)
        with pytest.raises(BadInput) as bad:
            equals_rank(actor=chief_arbiter, reason=" ", **given)
        assert bad.value.code == "equals.reason_missing"
        with pytest.raises(Conflict):
            equals_rank(actor=chief_arbiter, reason=WHY, seen_version=tied.version - 1, **given)
        lots_draw(tournament_id=tied.pk, actor=chief_arbiter, now=NOW)
        with pytest.raises(RuleRefused) as refused:
            equals_rank(actor=chief_arbiter, reason=WHY, **given)
        assert refused.value.code == "lots.drawn"

    @pytest.mark.costly
    def test_c07_4_2_the_order_is_entered_on_the_page_and_everybody_reads_the_reason(
        self, tied: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        client.force_login(chief_arbiter)
        url = reverse("lots", args=[tied.slug])
        page = client.get(url).content.decode()
        fields = {f"place-1-{pk}": str(n) for n, pk in enumerate(keys(tied, 4, 3, 2, 1), start=1)}
        assert all(f'name="{name}"' in page for name in fields)
        form = {**fields, "reason": WHY, "rank": "yes", "seen_version": str(tied.version)}
        assert client.post(url, form | {next(iter(fields)): "2"}).status_code == 409
        assert client.post(url, form).status_code == 302
        assert ranks(tied) == {4: 1, 3: 2, 2: 3, 1: 4}
        client.logout()
        assert WHY in client.get(reverse("standings", args=[tied.slug])).content.decode()


class TestExpulsion:
    @pytest.fixture
    def begun(self, chief_arbiter: User) -> Tournament:
        tournament = make_ready(chief_arbiter, players=8, rounds=3)
        play_rounds(tournament, [1], chief_arbiter)
        return tournament

    @pytest.mark.costly
    def test_c04_2_3_2_an_expelled_player_is_not_paired_and_left_out_of_the_standings(
        self, begun: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        by = {"actor": chief_arbiter, "now": NOW}
        entry = entry_of(begun, 1)
        assert entry_expel(entry_id=entry.pk, reason="blows in the hall", **by).withdrawn_from == 2
        row = begun.decisions.latest("sequence")
        assert (row.action, row.article, row.reason) == (
            "entry.expelled",
            "C.04.2 3.2",
            "blows in the hall",
        )
        with pytest.raises(RuleRefused) as refused:
            entry_expel(entry_id=entry.pk, reason="again", **by)
        assert refused.value.code == "expulsion.done"
        with pytest.raises(RuleRefused):
            entry_withdraw(entry_id=entry.pk, from_round=3, **by)
        play_rounds(begun, [2, 3], chief_arbiter)
        assert sorted(ranks(begun)) == [2, 3, 4, 5, 6, 7, 8]
        assert min(ranks(begun).values()) == 1
        for name in ("standings", "crosstable", "progress", "prizes"):
            assert client.get(reverse(name, args=[begun.slug])).status_code == 200
        assert client.get(player_address(begun, 1)).status_code == 200
        assert (
            entry.name not in client.get(reverse("standings", args=[begun.slug])).content.decode()
        )
        for tpn in range(2, 9):  # The opponents' tie-breaks name the expelled player.
            page = client.get(player_address(begun, tpn, after=3))
            assert page.status_code == 200
            met = {frozenset(pair[:2]) for pair in boards(begun, 1)}
            assert (entry.name in page.content.decode()) == (frozenset((1, tpn)) in met)
        require_sound(begun)
        text = trf_export(begun, public=True)
        assert "### Expelled @ Round 2: TPN 1" in text.splitlines()
        assert recheck_standings(read(text)).differences == ()
        again = tournament_import_trf(data=text.encode(), **by)
        assert sorted(ranks(again)) == [2, 3, 4, 5, 6, 7, 8]
        assert entry_of(again, 1).withdrawn_from == 2
        assert trf_export(again, public=True).count("### Expelled") == 1
        require_sound(again)

    def test_c04_2_3_2_a_return_ends_the_expulsion_and_its_undo_restores_it(
        self, begun: Tournament, chief_arbiter: User
    ) -> None:
        by = {"actor": chief_arbiter, "now": NOW}
        entry = entry_of(begun, 1)
        entry_expel(entry_id=entry.pk, reason="blows in the hall", **by)
        entry_return(entry_id=entry.pk, reason="it was the other one", **by)
        begun.refresh_from_db()
        assert (begun.expelled, entry_of(begun, 1).withdrawn_from) == ([], None)
        newest = begun.decisions.latest("sequence").sequence
        action_undo(tournament_id=begun.pk, sequence=newest, **by)
        begun.refresh_from_db()
        assert (begun.expelled, entry_of(begun, 1).withdrawn_from) == ([entry.pk], 2)
        require_sound(begun)

    @pytest.mark.costly
    def test_c04_2_3_2_only_the_chief_arbiter_expels_with_a_reason_once_play_has_begun(
        self, begun: Tournament, chief_arbiter: User, deputy: User, client: Client
    ) -> None:
        entry = entry_of(begun, 8)
        with pytest.raises(PermissionDenied):
            entry_expel(entry_id=entry.pk, reason=WHY, actor=deputy, now=NOW)
        with pytest.raises(BadInput):
            entry_expel(entry_id=entry.pk, reason=".", actor=chief_arbiter, now=NOW)
        fresh = make_ready(chief_arbiter, name="Other")
        with pytest.raises(RuleRefused) as refused:
            entry_expel(entry_id=entry_of(fresh, 1).pk, reason=WHY, actor=chief_arbiter, now=NOW)
        assert refused.value.code == "expulsion.not_begun"
        url = reverse("entry-expel", args=[begun.slug, entry.pk])
        client.force_login(deputy)
        assert client.post(url, {"reason": WHY}).status_code == 403
        client.force_login(chief_arbiter)
        assert client.post(url, {"reason": WHY}).status_code == 302
        begun.refresh_from_db()
        assert begun.expelled == [entry.pk]
        assert round_of(begun, 1).seats.filter(entry=entry).exists()
