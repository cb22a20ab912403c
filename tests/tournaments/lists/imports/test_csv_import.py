"""Entry lists as CSV: the headers and values that can be read,
and the messages about the others.
"""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.contents import tables
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tests.tournaments.replay import Replay
from tournaments.core.errors import BadInput
from tournaments.entries.cells import ImportRow
from tournaments.entries.entries import entry_add
from tournaments.lists.imports.comparing import compare
from tournaments.lists.imports.entry_lists import entries_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Decision, Entry

ENGLISH = """Name,FIDE ID,Title,Rating,National,Fed,Club,Sex,Birth
"Kovar, Eva",300123,WFM,2011,2050,CZE,"Mate, Brno",F,1999-03-07
"Ito, Ken",,,,1820,jpn,,m,1985
"""
FRENCH = (
    "\ufeffNom;Prénom;Élo FIDE;Titre;Fédération;Sexe;Date de "
    "naissance\r\nMoreau;Léa;2105;mff;FRA;F;07/03/2001\r\n"
)


def problems_of(data, tournament=None) -> list[BadInput]:
    """Return the problem with the whole file, or those of its rows in order."""
    try:
        doubtful = compare(read_list(data), tournament).doubtful
    except BadInput as bad:
        return [bad]
    return sorted(
        (problem for row in doubtful for problem in row.problems),
        key=lambda found: (found.line, found.column or 0),
    )


def problem_of(data) -> tuple[str, int | None, int | None]:
    problem = problems_of(data)[0]
    return problem.code, problem.line, problem.column


class TestUnderstood:
    def test_an_english_list(self):
        assert tuple(read_list(ENGLISH).rows) == (
            ImportRow(
                line=2, name="Kovar, Eva", fide_id=300123, federation="CZE", club="Mate, Brno", sex="w", title="WFM",
                birth_date="1999/03/07", fide_rating=2011, national_rating=2050,
            ),
            ImportRow(
                line=3, name="Ito, Ken", federation="JPN", sex="m", birth_date="1985/00/00", national_rating=1820
            ),
        )  # fmt: skip

    def test_a_french_list_with_semicolons_and_a_byte_order_mark(self):
        assert tuple(read_list(FRENCH.encode()).rows) == (
            ImportRow(
                line=2, name="Moreau, Léa", federation="FRA", sex="w", title="WFM", birth_date="2001/03/07",
                fide_rating=2105,
            ),
        )  # fmt: skip

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
    def test_the_encoding_is_found(self, encoding):
        (row,) = read_list("Nom;Prénom;Élo\r\nMüller;Léa;2105\r\n".encode(encoding)).rows
        assert (row.name, row.fide_rating) == ("Müller, Léa", 2105)

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
    def test_the_encoding_of_a_trf_list_is_found(self, encoding):
        (row,) = read_list("001    1      Müller, Léa\n".encode(encoding)).rows
        assert row.name == "Müller, Léa"

    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    def test_the_delimiter_is_found(self, delimiter):
        text = delimiter.join(["Name", "Elo"]) + "\n" + delimiter.join(["Ann", "1500"]) + "\n"
        assert tuple(read_list(text).rows) == (ImportRow(line=2, name="Ann", fide_rating=1500),)

    @pytest.mark.parametrize(
        "header, cell, field, value",
        [
            ("LAST NAME", "Kovar", "name", "Kovar"),
            ("Nom de famille", "Kovar", "name", "Kovar"),
            ("Name;First name", "Kovar;Eva", "name", "Kovar, Eva"),
            ("Name;fide_rating", "A;2000", "fide_rating", 2000),
            ("Name;FideID", "A;300123", "fide_id", 300123),
            ("Name;N° FIDE", "A;300123", "fide_id", 300123),
            ("Nom;Nº FIDE", "A;300123", "fide_id", 300123),
            ("Name;RtgN", "A;1700", "national_rating", 1700),
            ("Name;Elo national", "A;1700", "national_rating", 1700),
            ("Name;Elo", "A;0", "fide_rating", None),
            ("Name;Elo", "A;-", "fide_rating", None),
            ("Name;Elo", "A;2000.0", "fide_rating", 2000),
            ("Name;Elo", "A;1500 F", "fide_rating", 1500),
            ("Name;Elo", "A;1500f", "fide_rating", 1500),
            ("Name;Elo", "A;1500 N", "national_rating", 1500),
            ("Name;Elo", "A;1500 N", "fide_rating", None),
            ("Name;Elo", "A;1199 E", "estimate", 1199),
            ("Name;Elo;RtgN", "A;1500 N;1600", "national_rating", 1600),
            ("Name;Elo;RtgN", "A;1199 E;1600", "estimate", None),
            ("Name;RtgN", "A;1500 F", "fide_rating", 1500),
            ("Name;Title", "A;g", "title", "GM"),
            ("Name;Titre", "A;MI", "title", "IM"),
            ("Name;Sexe", "A;H", "sex", "m"),
            ("Name;Born", "A;1.2.2003", "birth_date", "2003/02/01"),
            ("Name;Born", "A;2003/02/00", "birth_date", "2003/02/00"),
            ("Name;Club/City", "A;Mate", "club", "Mate"),
        ],
    )
    def test_headers_and_cells_in_common_spellings(self, header, cell, field, value):
        (row,) = read_list(f"{header}\n{cell}\n").rows
        assert getattr(row, field) == value

    def test_blank_lines_and_cells_over_two_lines_keep_the_line_numbers(self):
        text = 'Name,Club,Elo\n\n"A","Two\nlines",1500\n\nB,,many\n'
        assert problem_of(text) == ("csv.not_a_number", 6, 3)

    def test_an_unused_column_is_reported(self):
        (warning,) = read_list("Name;Lucky number\nA;7\n").remarks
        assert str(warning) == "Line 1, column 2: The column “Lucky number” is not used."

    @pytest.mark.parametrize("heading", ["Category", "Cat.", "Catégorie", "Altersklasse"])
    def test_a_column_of_categories_is_not_used_with_the_reason(self, heading):
        (warning,) = read_list(f"Name;{heading}\nA, B;U16\n").remarks
        assert warning.code == "csv.category_ignored"
        assert str(warning).startswith(f"Line 1, column 2: The column “{heading}” is not used: ")


class TestNotUnderstood:
    @pytest.mark.parametrize(
        "data, expected",
        [
            ("", ("file.empty", 1, 1)),
            (" \n \n", ("file.empty", 1, 1)),
            ("Rating,Club\n2000,Mate\n", ("csv.no_name_column", 1, 1)),
            ("\n\nRating,Club\n2000,Mate\n", ("csv.no_name_column", 3, 1)),
            ("Name,Elo\n", ("csv.no_rows", 2, 1)),
            ("Name,Elo\nA,many\n", ("csv.not_a_number", 2, 2)),
            ("Name,Elo\nA,F\n", ("csv.not_a_number", 2, 2)),
            ("Name,Elo\nA,1500 X\n", ("csv.not_a_number", 2, 2)),
            ("Name,Elo\nA,12000 F\n", ("csv.number_range", 2, 2)),
            ("Name,Elo\nA,12000\n", ("csv.number_range", 2, 2)),
            ("Name,Elo\nA,-5\n", ("csv.number_range", 2, 2)),
            ("Name,Elo\n ,2000\n", ("csv.name_missing", 2, 1)),
            ("Name,Elo\nA,2000,,x\n", ("csv.too_many_cells", 2, 3)),
            ("Name,Title\nA,BOSS\n", ("csv.title_unknown", 2, 2)),
            ("Name,Sex\nA,q\n", ("csv.sex_unknown", 2, 2)),
            ("Name,Fed\nA,UK\n", ("csv.federation_meant", 2, 2)),
            ("Name,Fed\nA,GBR\n", ("csv.federation_meant", 2, 2)),
            ("Name,Fed\nA,Narnia\n", ("csv.federation_unknown", 2, 2)),
            ("Name,Fed\nA,XYZ\n", ("csv.federation_new", 2, 2)),
            ("Name,Born\nA,31/02/2001\n", ("csv.birth_unknown", 2, 2)),
            ("Name,Born\nA,soon\n", ("csv.birth_unknown", 2, 2)),
            (f"Name\n{'x' * 121}\n", ("csv.too_long", 2, 1)),
            (f"Name,Club\nA,{'x' * 101}\n", ("csv.too_long", 2, 2)),
            ('Name,Club\nA,"open\nB,\n', ("csv.broken_cell", 2, 1)),
            ("Name,Elo\nA\0,1\n", ("file.nul", 2, 2)),
            (b"x" * 10_000_000, ("file.too_large", None, None)),
            ("Name\n" + "A\n" * 5_001, ("csv.too_many_rows", 5_002, 1)),
        ],
    )
    def test_the_place_is_reported(self, data, expected):
        assert problem_of(data) == expected

    def test_a_trf_list_has_the_same_limit_as_a_csv_list(self):
        players = "".join(f"001 {number:4}      Player\n" for number in range(1, 5_002))
        with pytest.raises(BadInput) as bad:
            read_list(players.encode())
        assert (
            str(bad.value)
            == "A list can have at most 5000 players. Split the file and import the parts."
        )

    def test_the_sentence_says_what_was_expected(self):
        with pytest.raises(BadInput) as bad:
            read_list("Rating,Club\n2000,Mate\n")
        assert str(bad.value) == (
            "Line 1, column 1: there is no name column. Expected: a header such as “Name”, or "
            "“Last name” and"
            " “First name”; found: Rating, Club."
        )

    def test_all_problems_are_reported_at_once(self):
        found = problems_of("Name,Elo,Title\nA,x,BOSS\n,2000,\n")
        assert [(problem.code, problem.line, problem.column) for problem in found] == [
            ("csv.not_a_number", 2, 2), ("csv.title_unknown", 2, 3), ("csv.name_missing", 3, 1),
        ]  # fmt: skip


class TestDuplicates:
    def test_one_fide_id_twice_is_a_problem(self):
        assert problem_of("Name,Fide ID\nA,100077\nB,100088\nC,100077\n") == (
            "csv.fide_id_twice",
            4,
            None,
        )

    def test_a_repeated_name_is_a_problem(self):
        assert [str(problem) for problem in problems_of('Name\n"Kovar, Eva"\n"kovar, eva"\n')] == [
            "Line 3: Kovar, Eva is on line 2 too: the same person twice?"
        ]

    @pytest.mark.parametrize(
        "one, other, warned",
        [
            ("Testard, Félix;;", "testard, felix;;", True),
            ("Testard, Félix;;", "Testard  Felix;;", True),
            ("Łukasz Groß;;", "lukasz gross;;", True),
            ("Li, Wei;;", "Wei, Li;;", False),
            ("Smith, John;100077;", "Smith, John;100078;", False),
            ("Smith, John;100077;", "Smith, John;;", True),
            ("Smith, John;;1990-05-01", "Smith, John;;1990-05-02", False),
            ("Smith, John;;1990-05-01", "Smith, John;;1990-05-01", True),
            ("Smith, John;;1990", "Smith, John;;1990-05-02", True),
            ("Smith, John;;1990", "Smith, John;;1991-05-02", False),
            ("Smith, John;100077;1990", "Smith, John;;1991", False),
        ],
    )
    def test_namesakes_are_reported_unless_another_field_differs(self, one, other, warned):
        found = problems_of(f"Name;Fide ID;Born\n{one}\n{other}\n")
        assert [(problem.code, problem.line) for problem in found] == [
            ("csv.name_twice", 3)
        ] * warned


@pytest.mark.django_db
class TestSaved:
    def test_everybody_is_entered_with_one_row_in_the_record(self, tournament, chief_arbiter):
        rows = read_list(ENGLISH).rows
        entries = entries_import(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, rows=rows
        )
        assert list(own(Entry).order_by("pk").values_list("name", "rating", "rating_source", "first_round")) == [
            ("Kovar, Eva", 2011, "fide", 1), ("Ito, Ken", 1820, "national", 1),
        ]  # fmt: skip
        row = own(Decision).last()
        assert (row.action, row.sequence) == ("entries.imported", 2)
        assert [(each["entry"], each["name"], each["tpn"]) for each in row.after["entries"]] == [
            (entry.pk, entry.name, None) for entry in entries
        ]

    def test_c04_2_2_1_an_estimate_is_not_a_rating(self, tournament, chief_arbiter):
        rows = read_list("Name;Elo\nA;1500 F\nB;1400 N\nC;1199 E\n").rows
        entries = entries_import(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, rows=rows
        )
        assert [(e.fide_rating, e.national_rating, e.rating, e.rating_source) for e in entries] == [
            (1500, None, 1500, "fide"), (None, 1400, 1400, "national"), (None, None, 1199, "estimate"),
        ]  # fmt: skip

    def test_all_players_are_entered_or_none(self, tournament, chief_arbiter):
        entry_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Kovar, Eva",
            fide_id=100077,
        )
        rows = read_list("Name,Fide ID\nA,100076\nB,100077\n").rows
        with pytest.raises(BadInput):
            entries_import(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, rows=rows)
        assert (own(Entry).count(), own(Decision).count()) == (1, 2)

    @pytest.mark.costly
    def test_c04_2_2_4_after_round_1_they_are_late_entries(self, ready, chief_arbiter):
        play_rounds(ready, [1], chief_arbiter)
        rows = read_list("Name,Elo\nA,2395\nB,1000\n").rows
        entries_import(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, rows=rows)
        late = (
            own(Entry)
            .filter(name__in="AB")
            .order_by("tpn")
            .values_list("name", "tpn", "first_round")
        )
        assert list(late) == [("A", 2, 2), ("B", 10, 2)]
        assert own(Decision).last().article == "C.04.2 2.4"

    @pytest.mark.costly
    def test_c04_2_2_4_the_record_alone_has_the_numbers_of_late_entries(self, chief_arbiter):
        ready = make_ready(chief_arbiter, late_entry_bye="H")
        play_rounds(ready, [1], chief_arbiter)
        rows = read_list("Name,Elo,Club\nA,2395,Mate\nB,1000,\nC,2395,\n").rows
        entries_import(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, rows=rows)
        assert entry_of(ready, 2).name == "A"
        assert entry_of(ready, 3).name == "C"
        replay = Replay()
        replay.read_on(ready)
        held = tables(ready)
        assert (replay.contents.entries, replay.contents.rounds) == (held.entries, held.rounds)

    @pytest.mark.costly
    @pytest.mark.parametrize("begun", [False, True])
    def test_the_number_of_queries_grows_neither_with_the_rows_nor_with_the_participants(
        self, chief_arbiter, begun
    ):
        def queries(*, players: int, rows: int) -> int:
            tournament = make_ready(chief_arbiter, players=players, late_entry_bye="H")
            if begun:
                pair_and_publish(tournament, 1, chief_arbiter)
            text = "Name,Elo,Fide ID\n" + "".join(
                f"P{i},{2700 - i},{100_000 + i}\n" for i in range(rows)
            )
            understood = read_list(text).rows
            with CaptureQueriesContext(connection) as made:
                entries_import(
                    tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, rows=understood
                )
            assert Entry.objects.filter(tournament=tournament).count() == players + rows
            assert round_of(tournament, 1).state == ("pairings_published" if begun else "planned")
            return len(made)

        assert (
            queries(players=4, rows=2)
            == queries(players=4, rows=20)
            == queries(players=20, rows=20)
        )

    def test_cells_are_checked_before_anything_is_locked(
        self, tournament, chief_arbiter, django_assert_num_queries
    ):
        rows = [ImportRow(line=2, name="A"), ImportRow(line=7, name="B", federation="x" * 9)]
        with django_assert_num_queries(0), pytest.raises(BadInput) as bad:
            entries_import(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, rows=rows)
        assert (bad.value.code, bad.value.line) == ("field.invalid", 7)
