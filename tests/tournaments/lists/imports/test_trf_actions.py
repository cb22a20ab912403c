"""Import a TRF file, and export the tournament again."""

from pathlib import Path

import pytest

from pairing.engine.model import Result
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.trf.document import PlayerRecord
from pairing.trf.reader import read
from tests.plugins.shared import shared_params
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tests.trf.reports import player, report
from tournaments.core import record
from tournaments.core.errors import BadInput
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_withdraw, numbers_assign
from tournaments.lists.imports.entry_lists import tournament_import_trf, trf_preview
from tournaments.models import Decision, Entry, RequestedBye, Round, Tournament
from tournaments.reports import recheck
from tournaments.reports.trf_export import trf_export

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("many rows in one statement")]


class TestImport:
    def test_an_exported_tournament_is_imported_unchanged(self, eventful, chief_arbiter):
        text = trf_export(eventful, public=False)
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        for number in (1, 2, 3):
            assert boards(again, number) == boards(eventful, number)
        # Player 7 came late: the file has a Z for the missed round; the tables have only the first
        # round.
        assert [byes(eventful, number) for number in (1, 2, 3)] == [{3: "H"}, {}, {9: "Z", 10: "U"}]
        assert [byes(again, number) for number in (1, 2, 3)] == [
            {3: "H", 7: "Z"}, {}, {9: "Z", 10: "U"},
        ]  # fmt: skip
        columns = ["tpn", "name", "title", "fide_rating", "rating", "federation"]
        assert list(again.entries.order_by("tpn").values_list(*columns)) == list(
            eventful.entries.order_by("tpn").values_list(*columns)
        )
        assert trf_export(again, public=False) == text

    @pytest.mark.costly
    def test_the_next_round_is_paired_the_same_before_and_after(self, eventful, chief_arbiter):
        bye_request(
            entry_id=entry_of(eventful, 4).pk,
            actor=chief_arbiter,
            now=NOW,
            round_number=4,
            kind="H",
        )
        again = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=trf_export(eventful, public=False).encode()
        )
        for tournament in (eventful, again):
            pair_and_publish(tournament, 4, chief_arbiter)
        assert (boards(again, 4), byes(again, 4)) == (boards(eventful, 4), byes(eventful, 4))

    @pytest.mark.costly
    def test_a_round_without_all_results_continues_after_the_import(
        self, ready, published_round, chief_arbiter
    ):
        result_record(
            game_id=published_round.games.get(board=1).pk, result="==", actor=chief_arbiter, now=NOW
        )
        again = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=trf_export(ready, public=False).encode()
        )
        assert [round_.state for round_ in again.rounds.order_by("number")] == [
            "pairings_published",
            *["planned"] * 4,
        ]
        assert [result for _, _, result in boards(again, 1)] == ["==", "", "", ""]
        enter_results(again, 1, chief_arbiter)
        results_publish(round_id=round_of(again, 1).pk, actor=chief_arbiter, now=NOW)
        assert (
            round_pair(round_id=round_of(again, 2).pk, actor=chief_arbiter, now=NOW).state
            == "draft"
        )

    def test_the_import_is_one_row_in_the_record(self, ready, chief_arbiter):
        again = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=trf_export(ready, public=False).encode()
        )
        rows = list(again.decisions.values_list("action", "after__players", "after__rounds"))
        assert (rows, record.verify(again)) == ([("tournament.imported", 8, 0)], [])

    def test_before_round_1_the_initial_colour_is_in_the_file_or_still_to_be_drawn(
        self, ready, chief_arbiter
    ):
        text = trf_export(ready, public=False)
        with_colour = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        without = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=text.replace("152 W\n", "").encode()
        )
        assert (with_colour.initial_colour, with_colour.initial_colour_method) == ("w", "imported")
        assert (without.initial_colour, without.initial_colour_method) == ("", "")

    def test_every_round_in_the_file_is_paired_again(self, eventful, chief_arbiter):
        text = trf_export(eventful, public=False)
        preview = trf_preview(text.encode())
        assert (preview.rounds_compared, preview.differences) == (3, ())

    def test_rounds_paired_differently_are_listed_and_recorded(self, chief_arbiter):
        """The winners meet the losers in round 2, against the rules."""
        data = (
            report(
                "012 By hand",
                "142 5",
                "152 W",
                player(1, "2.0", "   3 w 1", "   4 b 1"),
                player(2, "2.0", "   4 b 1", "   3 w 1"),
                player(3, "0.0", "   1 b 0", "   2 b 0"),
                player(4, "0.0", "   2 w 0", "   1 w 0"),
            )
            .replace("12345678", " " * 8)
            .encode()
        )
        (found,) = trf_preview(data).differences
        assert found.number == 2
        assert {(board.white, board.black) for board in found.in_file} == {
            ("2 Player 2", "3 Player 3"),
            ("4 Player 4", "1 Player 1"),
        }
        assert {(board.white, board.black) for board in found.paired_again} == {
            ("2 Player 2", "1 Player 1"),
            ("3 Player 3", "4 Player 4"),
        }
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        assert again.decisions.get().after["paired_otherwise"] == [2]
        assert set(boards(again, 2)) == {(2, 3, "10"), (4, 1, "01")}
        # The report says so once, even after another import.
        expected = "### Import @ Round 2: pairings differ from the engine's, C.04.2 1.4"
        text = trf_export(again, public=True)
        assert expected in text.splitlines()
        twice = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        assert trf_export(twice, public=True).count("### Import") == 1

    def test_c04_2_3_3_a_full_point_bye_is_named_in_the_report(self, ready, chief_arbiter):
        bye_request(
            entry_id=entry_of(ready, 3).pk, actor=chief_arbiter, now=NOW, round_number=1, kind="F"
        )
        pair_and_publish(ready, 1, chief_arbiter)
        text = trf_export(ready, public=True)
        assert "### Full-point bye @ Round 1: TPN 3, C.04.2 3.3" in text.splitlines()
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        assert trf_export(again, public=True).count("### Full-point bye") == 1

    @pytest.mark.parametrize("symbol", ["X", "é", "5"])
    def test_c04_2_3_1_an_unknown_symbol_is_an_unknown_result_with_a_remark(
        self, chief_arbiter, symbol
    ):
        players = [
            player(1, "1.0", f"   3 w {symbol}"),
            player(2, "1.0", "   4 b 1"),
            player(3, "0.0", "   1 b 0"),
            player(4, "0.0", "   2 w 0"),
        ]
        data = (
            report("012 Elsewhere", "142 3", "152 W", *players)
            .replace("12345678", " " * 8)
            .encode()
        )
        (remark,) = [
            warning
            for warning in trf_preview(data).warnings
            if warning.code == "trf.result_unknown"
        ]
        assert (remark.line, remark.column, remark.params) == (4, 99, {"value": symbol, "round": 1})
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        assert sorted(boards(again, 1)) == [(1, 3, "??"), (4, 2, "01")]

    @pytest.mark.costly
    def test_a_very_large_file_is_not_paired_again_and_says_so(self, eventful, monkeypatch):
        monkeypatch.setattr(recheck, "MAX_SEATS", 29)
        preview = trf_preview(trf_export(eventful, public=False).encode())
        assert (preview.rounds_compared, preview.differences) == (0, ())
        assert [warning.code for warning in preview.warnings] == ["trf.not_paired_again"]

    def test_a_zero_byte_is_refused_before_it_reaches_the_database(self, ready):
        text = trf_export(ready, public=False).replace("Autumn", "Aut\0mn")
        with pytest.raises(BadInput) as caught:
            trf_preview(text.encode())
        assert (caught.value.code, caught.value.line, caught.value.column) == ("file.nul", 1, 8)

    def test_point_adjustments_are_imported_and_named(self, ready):
        text = trf_export(ready, public=False) + "299          -1.0  001    1\n"
        preview = trf_preview(text.encode())
        assert [(warning.code, warning.line) for warning in preview.warnings] == [
            ("trf.point_adjustments", len(text.splitlines()))
        ]

    @pytest.mark.parametrize(
        "line, problem",
        [
            ("299          -1.0  000    1", "does not name the round of the point change"),
            ("299          -1.0  001", "does not name the player of the point change"),
            ("299          -1.0  001   99", "names player 99, but there is no such player"),
            ("299 W        -1.0  999    1", "does not name the round of the point change"),
        ],
    )
    def test_points_of_an_unknown_player_are_refused_with_their_line(self, line, problem, ready):
        text = trf_export(ready, public=False) + line + "\n"
        with pytest.raises(BadInput, match=problem) as caught:
            trf_preview(text.encode())
        assert (caught.value.code, caught.value.line) == ("trf.invalid", len(text.splitlines()))

    @pytest.mark.costly
    def test_national_ratings_are_exported_and_imported(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, players=2, rounds=3, federation="FRA")
        entry_add(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="Local, Léa", national_rating=1450,
            federation="BEL",
        )  # fmt: skip
        numbers_assign(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
        text = trf_export(tournament, public=False)
        assert "\n172 FRA FIDON\n001    1" in text
        assert text.endswith("\nFRA    3" + " " * 40 + "1450\n")
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        local = entry_of(again, 3)
        assert (local.fide_rating, local.national_rating, local.rating, local.rating_source) == (
            None, 1450, 1450, "national",
        )  # fmt: skip
        assert trf_export(again, public=False) == text

    def test_records_we_do_not_use_are_kept(self, ready, chief_arbiter):
        text = trf_export(ready, public=False) + "### noted by hand\n302 something new\n"
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        assert again.trf_extras == ["### noted by hand", "302 something new"]
        assert set(again.trf_extras) < set(trf_export(again, public=False).splitlines())

    def test_requested_byes_are_imported(self, ready, chief_arbiter):
        bye_request(
            entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW, round_number=3, kind="H"
        )
        again = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=trf_export(ready, public=False).encode()
        )
        wishes = RequestedBye.objects.filter(entry__tournament=again)
        assert list(wishes.values_list("entry__tpn", "round_number", "kind")) == [(2, 3, "H")]

    @pytest.mark.costly
    def test_c04_2_3_2_a_withdrawn_player_is_not_paired_again_after_an_import(
        self, ready, chief_arbiter
    ):
        entry_withdraw(entry_id=entry_of(ready, 8).pk, actor=chief_arbiter, now=NOW)
        again = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=trf_export(ready, public=False).encode()
        )
        play_rounds(again, [1, 2], chief_arbiter)
        assert [byes(again, number)[8] for number in (1, 2)] == ["Z", "Z"]

    @pytest.mark.costly
    def test_c04_2_2_4_a_late_entry_is_paired_from_the_same_round_after_an_import(
        self, ready, chief_arbiter
    ):
        entry_add(
            tournament_id=ready.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lena",
            fide_rating=1000,
            first_round=3,
        )
        numbers_assign(tournament_id=ready.pk, actor=chief_arbiter, now=NOW)
        again = tournament_import_trf(
            actor=chief_arbiter, now=NOW, data=trf_export(ready, public=False).encode()
        )
        play_rounds(again, [1, 2, 3], chief_arbiter)
        assert [byes(again, number).get(9, "a game") for number in (1, 2, 3)] == [
            "Z",
            "Z",
            "a game",
        ]

    def test_a_preview_saves_nothing(self, eventful):
        preview = trf_preview(trf_export(eventful, public=False).encode())
        assert (preview.name, preview.city, preview.system.code, preview.total_rounds, preview.rounds_played) == (
            "Autumn Open", "Lyon", "dutch_2026", 5, 3,
        )  # fmt: skip
        assert (len(preview.players), preview.boards_open, preview.warnings) == (10, 0, ())
        assert (preview.players[4].tpn, preview.players[4].name, preview.players[4].rating) == (
            5, "Eriksen, Player 5", 2360,
        )  # fmt: skip
        assert own(Tournament).count() == 1


GOOD = """012 Test
142 3
152 W
001    1 m    Ann                               2000 FRA    12345678 1990/01/01  1.0    1     2 w 1
001    2 m    Bob                               1900 FRA    12345679 1990/01/01  0.0    2     1 b 0
"""
MATCH = (
    GOOD.replace("142 3", "142 6")
    .replace("2 w 1", "2 w 1     2 b 0")
    .replace("1 b 0", "1 b 0     1 w 1")
).replace("  0.0    2 ", "  1.0    2 ") + "192 FIDE_DOUBLESWISS\n"


class TestRefused:
    @pytest.mark.parametrize(
        "data, code, line, column, words",
        [
            (GOOD.replace(" 1.0 ", " 2.0 "), "trf.invalid", 4, 81, "add up to 1.0"),
            (GOOD.replace("    1 b 0", "    2 b 0"), "trf.invalid", 4, 92, "but 2 plays against"),
            (GOOD.replace("001    2", "001    1"), "trf.invalid", 5, 5, "twice|already|also"),
            (GOOD.replace("1 b 0", "1 w 0"), "trf.invalid", 4, 97, "both have 'w'"),
            (GOOD.replace("12345679", "12345678"), "csv.fide_id_twice", 5, 58, "on line 4 too"),
            (GOOD + "250      01.0 001 003 0001 0001\n", "trf.acceleration", 6, 1, "not with the virtual points"),
            (GOOD + "192 FIDE_DUBOV\n", "trf.invalid", 6, 5, "FIDE_DUBOV"),
            (GOOD + "192 FIDE_DOUBLESWISS\n", "trf.invalid", 4, 92, "odd number"),
            (MATCH.replace("w 1     2 b 0", "w 1     2 w 0"), "trf.invalid", 4, 107, "both have 'w'"),
            (GOOD.replace("142 3", "142 0"), "trf.invalid", 2, 5, "the number of rounds"),
            (GOOD + "XXS HPB=0.3\n", "trf.points_unsupported", None, None, "XXS"),
            (b"\xff\xfe" + GOOD.encode(), "trf.invalid", 1, 1, "not UTF-8"),
            (b"junk " * 2_000_000, "trf.invalid", 1, 1, "too large for a tournament report"),
            (b"", "trf.invalid", 1, 1, "no player"),
        ],
    )  # fmt: skip
    def test_a_refusal_names_the_place_and_nothing_is_saved(
        self, chief_arbiter, data, code, line, column, words
    ):
        if isinstance(data, str):
            data = data.encode()
        with pytest.raises(BadInput, match=words) as bad:
            tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        assert (bad.value.code, bad.value.line, bad.value.column) == (code, line, column)
        assert (own(Tournament).count(), own(Entry).count(), own(Decision).count()) == (0, 0, 0)

    def test_an_unrated_game_with_two_losers_is_refused(self, chief_arbiter):
        data = GOOD.replace("w 1", "w L").replace("b 0", "b L").replace(" 1.0 ", " 0.0 ").encode()
        with pytest.raises(BadInput) as bad:
            tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        assert (bad.value.code, own(Tournament).count(), own(Round).count()) == (
            "trf.result_pair",
            0,
            0,
        )

    def test_a_double_forfeit_without_colours_is_imported(self, chief_arbiter):
        """Files of 2006 have such double forfeits; the import takes the
        round over and reports the chosen colours.
        """
        data = (
            GOOD.replace("2 w 1", "2 - -")
            .replace("1 b 0", "1 - -")
            .replace(" 1.0 ", " 0.0 ")
            .encode()
        )
        expected = "Round 1: the forfeited game 1 – 2 has no colours: 1 gets White."
        assert expected in [str(warning) for warning in trf_preview(data).warnings]
        made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        assert boards(made, 1) == [(1, 2, "--")]

    def test_records_that_are_dropped_are_reported(self):
        odd = (
            GOOD.replace("m    Ann", "m XM Ann")
            .replace("142 3\n", "")
            .replace("12345678 ", "unknown  ")
        )
        assert [str(warning) for warning in trf_preview(odd.encode()).warnings] == [
            (
                "The pairing system is a guess: no record 192 names a system, and the first day "
                "is missing (042), so"
                " the current edition of the Dutch System is used."
            ),
            (
                "The edition of the tie-break rules is a guess: the first day is missing (042), "
                "so the current"
                " edition is used."
            ),
            "The file lists no tie-breaks (202, 212). These are used: BH/C1,BH,SB,DE,WIN.",
            "The file does not give the number of rounds (142). 1 is used.",
            "Line 3: “XM” is not a FIDE title and is ignored.",
            "Line 3: “unknown” is not a FIDE ID and is ignored.",
        ]


@pytest.mark.costly
@pytest.mark.parametrize("path", shared_params("corpus/2026/m000[0-4]0.trf"))
def test_the_rounds_of_other_programs_files_are_kept(path: Path, chief_arbiter):
    """Import and export again: every player and every cell is the same."""
    data = path.read_bytes()
    tournament = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)

    def cells(players: tuple[PlayerRecord, ...]):
        rounds = max(len(player.rounds) for player in players)
        return {
            player.tpn: [
                (cell.opponent, cell.colour, cell.result)
                if cell is not None
                else (None, None, Result.ZERO_POINT_BYE)
                for cell in (player.cell(number) for number in range(1, rounds + 1))
            ]
            for player in players
        }

    assert cells(read(trf_export(tournament, public=False)).players) == cells(read(data).players)
