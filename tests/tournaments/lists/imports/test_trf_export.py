"""A tournament exported to a TRF file: its content, its readers, and that the engine pairs it the
same.
"""

import pytest

from pairing.engine.systems import pair
from pairing.rounds.publish import results_publish
from pairing.trf.convert import round_of as pairing_in_file, state_before_round
from pairing.trf.reader import read
from pairing.trf.rounds import played_rounds
from tests.tournaments.factories import (
    NOW,
    enter_results,
    entry_of,
    make_ready,
    make_tournament,
    play_rounds,
)
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_withdraw, numbers_assign
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.reports import recheck
from tournaments.reports.trf_export import trf_export
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.tournaments import tournament_update

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("many rows in one statement")]


def differences(text: str) -> list[int]:
    """Return the rounds of a report that the engine, from that report alone, pairs differently."""
    document = read(text)
    return [
        number
        for number in range(1, played_rounds(document.players) + 1)
        if set(pair(state_before_round(document, number)).pairs)
        != set(pairing_in_file(document, number).pairs)
    ]


class TestExport:
    @pytest.mark.costly
    def test_the_file_of_a_small_tournament(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, players=3, rounds=2, city="Lyon")
        play_rounds(tournament, [1], chief_arbiter)
        assert trf_export(tournament, public=True) == (
            "012 Autumn Open\n"
            "022 Lyon\n"
            "062 3\n"
            "072 3\n"
            "092 Individual: FIDE Dutch System 2026\n"
            "102 Clara Chief\n"
            "142 2\n"
            "152 W\n"
            "182 Swiss Arbiter\n"
            "192 FIDE_DUTCH_2026\n"
            "202 BH/C1,BH,SB,DE,WIN\n"
            "### Tie-break rules: C.07, edition fide-2026\n"
            "001    1      Abara, Player 1                   2400 FRA                         1.0 "
            "   2     2 w 1  \n"
            "001    2      Blomqvist, Player 2               2390 FRA                         0.0 "
            "   3     1 b 0  \n"
            "001    3      Czerny, Player 3                  2380 FRA                         1.0 "
            "   1  0000 - U  \n"
        )

    def test_the_engine_pairs_every_exported_round_the_same(self, eventful):
        assert (played_rounds(read(trf_export(eventful, public=False)).players), differences(
            trf_export(eventful, public=False))) == (3, [])  # fmt: skip

    @pytest.mark.costly
    def test_c04_3_2017_the_edition_is_exported_and_imported(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, players=9, rounds=5, colour="b", system="dutch_2017")
        play_rounds(tournament, [1, 2, 3], chief_arbiter)
        report = trf_export(tournament, public=False)
        assert "192 FIDE_DUTCH_2017\n" in report
        assert differences(report) == []
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=report.encode())
        assert (again.system, trf_export(again, public=False)) == ("dutch_2017", report)

    def test_a_draft_is_not_exported(self, ready, draft_round):
        for public in (True, False):
            assert [player.rounds for player in read(trf_export(ready, public=public)).players] == [
                ()
            ] * 8

    @pytest.mark.costly
    def test_the_public_sees_results_only_when_they_are_published(
        self, ready, published_round, chief_arbiter
    ):
        enter_results(ready, 1, chief_arbiter)

        def results(public: bool) -> set[str | None]:
            players = read(trf_export(ready, public=public)).players
            return {
                cell.result.value if cell.result else None
                for player in players
                for cell in player.rounds
                if cell
            }

        assert (results(public=True), results(public=False)) == ({None}, {"1", "0"})
        results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW)
        assert results(public=True) == {"1", "0"}

    def test_future_byes_and_absences_are_in_the_arbiters_file_only(self, ready, chief_arbiter):
        bye_request(
            entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW, round_number=1, kind="H"
        )
        bye_request(
            entry_id=entry_of(ready, 5).pk, actor=chief_arbiter, now=NOW, round_number=3, kind="Z"
        )
        entry_withdraw(entry_id=entry_of(ready, 8).pk, actor=chief_arbiter, now=NOW, from_round=1)
        lines = trf_export(ready, public=False).splitlines()
        assert [line for line in lines if line.startswith("240")] == [
            "240 H 001 0002", "240 Z 001 0008", "240 Z 002 0008", "240 Z 003 0005 0008", "240 Z 004 0008",
            "240 Z 005 0008",
        ]  # fmt: skip
        # Withdrawn players and later entries are on the public list; byes requested are not.
        late = entry_add(
            tournament_id=ready.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Zoe, Late",
            fide_rating=1000,
            first_round=2,
        )
        numbers_assign(tournament_id=ready.pk, actor=chief_arbiter, now=NOW)
        late.refresh_from_db()
        assert late.tpn == 9
        lines = trf_export(ready, public=True).splitlines()
        assert [line for line in lines if line.startswith("240")] == [
            "240 Z 001 0008 0009", *(f"240 Z {number:03} 0008" for number in range(2, 6))
        ]  # fmt: skip

    @pytest.mark.costly
    def test_c04_2_3_1_an_adjourned_game_has_given_no_points_yet(
        self, ready, published_round, chief_arbiter
    ):
        """It is a draw for pairing only: the file has the points of the standings,
        which give its ranks.
        """
        enter_results(
            ready, 1, chief_arbiter, lambda board, white, black: "??" if board == 1 else "10"
        )
        results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW)
        players = read(trf_export(ready, public=False)).players
        assert [(player.points, player.rank) for player in players[::4]] == [(0, 7), (0, 7)]

    @pytest.mark.costly
    def test_c07_4_1_1_without_a_list_the_points_alone_decide_and_the_file_says_so(
        self, chief_arbiter
    ):
        tournament = make_ready(chief_arbiter, players=6, tie_breaks="")
        play_rounds(tournament, [1], chief_arbiter)
        text = trf_export(tournament, public=False)
        assert "\n212 PTS\n" in text
        assert (
            tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode()).tie_breaks == ""
        )

    @pytest.mark.costly
    def test_c07_10_1_a_player_with_only_a_national_rating_counts_with_it_here_and_in_the_file(
        self, chief_arbiter
    ):
        tournament = make_tournament(chief_arbiter, tie_breaks="ARO", federation="FRA")
        given = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
        for number in range(6):
            entry_add(
                name=f"Player {number}",
                federation="FRA",
                national_rating=1900 - 50 * number,
                **given,
            )
        numbers_assign(**given)
        initial_colour_set(colour="w", **given)
        tournament.refresh_from_db()
        play_rounds(tournament, [1], chief_arbiter)
        found = recheck.event_recheck(tournament)
        assert (found.problem, found.rounds, found.points, found.ranks) == ("", (), (), ())
        ranks = {
            player.tpn: player.rank for player in read(trf_export(tournament, public=False)).players
        }
        assert ranks == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}

    def test_prohibited_pairs_and_points_are_exported(self, ready, chief_arbiter):
        pair_ = [entry_of(ready, 5).pk, entry_of(ready, 1).pk]
        tournament_update(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, points_pab=5)
        prohibited_pairs_set(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, pairs=[pair_])
        ready.refresh_from_db()
        lines = trf_export(ready, public=True).splitlines()
        assert [line for line in lines if line[:3] in ("260", "162")] == [
            "162  W 1.0    D 0.5    L 0.0    P 0.5", "260 001 005 0001 0005",
        ]  # fmt: skip
        assert state_before_round(read("\n".join(lines)), 1).prohibited == {frozenset({1, 5})}

    @pytest.mark.costly
    def test_an_export_takes_the_same_queries_for_three_players_and_for_thirty(
        self, chief_arbiter, django_assert_num_queries
    ):
        for players in (3, 30):
            tournament = make_ready(chief_arbiter, players=players, rounds=3)
            play_rounds(tournament, [1, 2], chief_arbiter)
            with django_assert_num_queries(8):
                trf_export(tournament, public=False)

    def test_c04_2_1_3_system_and_edition_are_declared(self, ready, client):
        assert "\n192 FIDE_DUTCH_2026\n" in trf_export(ready, public=True)
        text = client.get(f"/t/{ready.slug}/").content.decode()
        assert "FIDE Dutch System 2026" in text
        assert "C.04.2 (2026)" in text
