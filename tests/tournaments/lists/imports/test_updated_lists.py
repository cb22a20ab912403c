"""Import a newer list: new, changed, unchanged and missing players, and the line of the record."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.tournaments.contents import tables
from tests.tournaments.factories import NOW, make_ready, play_rounds
from tests.tournaments.lists.imports.previews import sent
from tests.tournaments.neighbour import own
from tests.tournaments.replay import Replay
from tournaments.core.errors import Conflict
from tournaments.lists.imports.comparing import MAX_CHANGED, Comparison, compare
from tournaments.lists.imports.entry_lists import Choice, Imported, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Decision, Entry, Tournament, WaitingEntry

HEADER = "Name;Fide ID;Elo;Born;Title;Fed\n"
OLD = HEADER + (
    "Testard, Félix;;1500;1999-01-02;;FRA\nSmith, John;100077;1600;;;ENG\n"
    "Smith, John;100078;1700;;;ENG\nKovar, Eva;100009;2000;;;CZE\n"
)


def imported(
    tournament: Tournament, actor: User, text: str, choice: Choice | None = None, **more: Any
) -> Imported:
    return list_import(
        tournament_id=tournament.pk,
        actor=actor,
        now=NOW,
        reading=read_list(text),
        choice=choice or Choice(),
        **more,
    )


def found(tournament: Tournament, text: str) -> Comparison:
    return compare(read_list(text), tournament)


def changes(comparison: Comparison) -> list[tuple[str, str, object, object]]:
    return [(p.entry.name, c.field, c.old, c.new) for p in comparison.changed for c in p.changes]


@pytest.fixture
def entered(tournament: Tournament, chief_arbiter: User) -> Tournament:
    assert len(imported(tournament, chief_arbiter, OLD).entered) == 4
    return tournament


@pytest.mark.django_db
class TestCompared:
    def test_the_same_list_again_changes_nothing(self, entered: Tournament) -> None:
        same = found(entered, OLD)
        assert (same.new, same.changed, same.missing, same.doubtful, len(same.unchanged)) == (
            [],
            [],
            [],
            [],
            4,
        )

    @pytest.mark.on_postgres("many rows in one statement")
    def test_players_are_found_by_id_then_by_folded_name_and_birth(
        self, entered: Tournament
    ) -> None:
        newer = found(
            entered,
            HEADER + "testard, felix;100555;1520;1999;;\n"
            "Smith, John;100078;1710;;CM;\nSmith, John;100079;1400;;;\nE. Kovar;100009;;;;\n",
        )
        assert changes(newer) == [
            ("Testard, Félix", "fide_rating", 1500, 1520),
            ("Testard, Félix", "fide_id", None, 100555),
            ("Smith, John", "fide_rating", 1700, 1710),
            ("Smith, John", "title", "", "CM"),
            ("Kovar, Eva", "name", "Kovar, Eva", "E. Kovar"),
        ]
        assert [row.fide_id for row in newer.new] == [100079]
        assert [entry.fide_id for entry in newer.missing] == [100077]
        assert newer.removable

    @pytest.mark.parametrize(
        "row, code",
        [
            ("Smith, John;;1650;;;", "csv.name_entered"),
            ("Rossi, Ugo;100077;1650;;;", "entry.fide_id_taken"),
            ("Kovar, Eva;100009;;;;\nKovar, Eva;100009;2010;;;", "csv.fide_id_twice"),
            ("Kovar, Eva;100009;;;;\nkovar eva;;2010;;;", "csv.name_twice"),
        ],
    )
    def test_a_player_who_cannot_be_told_is_doubtful(
        self, entered: Tournament, row: str, code: str
    ) -> None:
        (doubtful,) = found(entered, f"{HEADER}{row}\n").doubtful
        assert [problem.code for problem in doubtful.problems] == [code]

    def test_a_doubtful_row_does_not_make_its_player_missing(self, entered: Tournament) -> None:
        newer = found(entered, HEADER + "Kovar, Eva;100009;many;;;\nTestard, Felix;;x;;;\n")
        assert [entry.fide_id for entry in newer.missing] == [100077, 100078]

    @pytest.mark.on_postgres("many rows in one statement")
    def test_an_empty_cell_a_year_and_other_accents_change_nothing(
        self, entered: Tournament
    ) -> None:
        assert (
            found(entered, "Name;Fide ID;Born\nTESTARD, FELIX;;1999\nkovar eva;100009;\n").changed
            == []
        )


@pytest.mark.django_db
class TestSaved:
    @pytest.mark.on_postgres("many rows in one statement")
    def test_every_change_has_its_line_of_the_record(
        self, entered: Tournament, chief_arbiter: User
    ) -> None:
        before = own(Decision).count()
        text = HEADER + "Kovar, Eva;100009;2010;;WFM;CZE\nSmith, John;100077;1600;;;ENG\n"
        text += "New, Nia;100005;1400;;;FRA\nBad, Bo;;x;;;\n"
        gone = Entry.objects.get(tournament=entered, fide_id=100078)
        eva = Entry.objects.get(tournament=entered, fide_id=100009)
        choice = Choice(fields={eva.pk: {"fide_rating"}}, removed={gone.pk})
        done = imported(entered, chief_arbiter, text, choice, seen=found(entered, text).digest)
        assert (len(done.entered), len(done.changed), done.removed, done.waiting) == (1, 1, 1, 1)
        lines = [(row.action, row.before, row.after) for row in own(Decision).order_by("sequence")][
            before:
        ]
        assert [action for action, _, _ in lines] == [
            "entry.removed",
            "entry.updated",
            "entries.imported",
        ]
        rating = {"entry": eva.pk, "name": "Kovar, Eva", "fide_rating": 2010, "rating": 2010}
        assert lines[1][2] == rating
        eva.refresh_from_db()
        assert (eva.rating, eva.title) == (2010, "")
        replay = Replay()
        replay.read_on(entered)
        assert replay.contents.entries == tables(entered).entries
        (waiting,) = WaitingEntry.objects.filter(tournament=entered)
        assert (waiting.fields, waiting.line) == ({"name": "Bad, Bo", "fide_rating": "x"}, 5)

    @pytest.mark.on_postgres("many rows in one statement")
    def test_nothing_is_saved_if_one_part_fails(
        self, entered: Tournament, chief_arbiter: User
    ) -> None:
        before, lines = tables(entered), own(Decision).count()
        bad = "".join(f"P{n};;x;;;\n" for n in range(501))
        with pytest.raises(Exception, match="More than 500 rows would wait"):
            imported(
                entered,
                chief_arbiter,
                HEADER + "Kovar, Eva;100009;2010;;;\nNew, Nia;100005;1400;;;\n" + bad,
            )
        assert (tables(entered), own(Decision).count()) == (before, lines)
        assert not WaitingEntry.objects.filter(tournament=entered).exists()

    @pytest.mark.on_postgres("many rows in one statement")
    def test_a_row_that_waits_already_does_not_wait_twice(
        self, entered: Tournament, chief_arbiter: User
    ) -> None:
        text = HEADER + "Bad, Bo;;x;;;\n"
        assert [imported(entered, chief_arbiter, text).waiting for _ in range(2)] == [1, 0]

    @pytest.mark.on_postgres("many rows in one statement")
    def test_two_at_once_the_second_sees_the_list_again(
        self, entered: Tournament, chief_arbiter: User
    ) -> None:
        text = HEADER + "Kovar, Eva;100009;2010;;;\n"
        seen = found(entered, text).digest
        assert len(imported(entered, chief_arbiter, text, seen=seen).changed) == 1
        with pytest.raises(Conflict, match="have changed since you opened the preview"):
            imported(entered, chief_arbiter, text, seen=seen)

    def test_a_stranger_imports_nothing(self, entered: Tournament, stranger: User) -> None:
        with pytest.raises(PermissionDenied):
            imported(entered, stranger, OLD + "New, Nia;100005;1400;;;\n")

    def test_c04_2_2_3_after_round_1_the_chief_arbiter_changes_ratings_by_hand(
        self, chief_arbiter: User
    ) -> None:
        ready = make_ready(chief_arbiter)
        play_rounds(ready, [1], chief_arbiter)
        entry = Entry.objects.get(tournament=ready, tpn=1)
        text = f"Name;Elo;Club\n{entry.name};2500;Mate\n"
        newer = found(ready, text)
        (player,) = newer.changed
        assert [(c.field, c.refused and c.refused.code) for c in player.changes] == [
            ("fide_rating", "rating.on_own_page"), ("club", None),
        ]  # fmt: skip
        assert (len(newer.missing), newer.removable) == (7, False)
        imported(
            ready,
            chief_arbiter,
            text,
            Choice(fields={entry.pk: {"fide_rating", "club"}}, removed={entry.pk}),
        )
        entry.refresh_from_db()
        assert (entry.fide_rating, entry.club) == (2400, "Mate")

    @pytest.mark.costly
    @pytest.mark.on_postgres("many rows in one statement")
    def test_more_than_five_hundred_changed_players_are_saved_in_parts(
        self, tournament: Tournament, chief_arbiter: User
    ) -> None:
        """Each has its line of the record, and others wait for the lock meanwhile."""

        def lists(rating: int) -> str:
            return HEADER + "".join(
                f"P {n};{n + 100_001};{rating};;;\n" for n in range(MAX_CHANGED + 2)
            )

        imported(tournament, chief_arbiter, lists(1500))
        newer = found(tournament, lists(1600))
        assert (len(newer.changed), newer.later) == (MAX_CHANGED, 2)
        assert (
            len(imported(tournament, chief_arbiter, lists(1600), seen=newer.digest).changed)
            == MAX_CHANGED
        )
        assert [
            found(tournament, lists(1600)).later,
            len(found(tournament, lists(1600)).changed),
        ] == [0, 2]

    @pytest.mark.costly
    @pytest.mark.on_postgres("many rows in one statement")
    def test_five_thousand_rows_are_entered_and_compared_fast(
        self, tournament: Tournament, chief_arbiter: User
    ) -> None:
        names = [f"Player {chr(97 + n % 26)}{n}" for n in range(5_000)]
        rows = (f"{name};{n + 100_001};{1000 + n % 1500};;;FRA\n" for n, name in enumerate(names))
        text = HEADER + "".join(rows)
        begun = time.process_time()
        assert len(imported(tournament, chief_arbiter, text).entered) == 5_000
        middle = time.process_time()
        assert len(found(tournament, text).unchanged) == 5_000
        # Three seconds on a machine that does nothing else.
        assert (middle - begun < 9, time.process_time() - middle < 3) == (True, True)


@pytest.mark.django_db
class TestPage:
    def url(self, tournament: Tournament) -> str:
        return reverse("entries-import", args=[tournament.slug])

    def test_ticked_changes_are_saved_and_others_are_not(
        self, entered: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        client.force_login(chief_arbiter)
        text = (
            HEADER + "Kovar, Eva;100009;2010;;WFM;CZE\nNew, Nia;100005;1400;;;\nOther, "
            "Odd;100006;1400;;;\n"
        )
        looked = client.post(self.url(entered), {"text": text})
        eva = Entry.objects.get(tournament=entered, fide_id=100009)
        page = " ".join(looked.content.decode().split())
        assert f'name="change" value="{eva.pk}-fide_rating" checked' in page
        assert "<del>2000</del> → <ins>2010</ins>" in page
        assert "3 entered players are not in the file" in page
        form = sent(looked, new=[3], change=[f"{eva.pk}-title"])
        assert client.post(self.url(entered), form).status_code == 302
        eva.refresh_from_db()
        assert (eva.fide_rating, eva.title) == (2000, "WFM")
        assert (
            Entry.objects.filter(tournament=entered, fide_id__in=(100005, 100006))
            .values_list("name", flat=True)
            .get()
            == "New, Nia"
        )

    @pytest.mark.costly
    def test_a_corrected_column_is_read_again_before_anything_is_saved(
        self, tournament: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        client.force_login(chief_arbiter)
        looked = client.post(self.url(tournament), {"text": "Name;Number\nAbara, Ada;1234567\n"})
        assert looked.context["found"].new[0].fide_id is None
        corrected = client.post(self.url(tournament), sent(looked, **{"column-2": "fide_id"}))
        assert (corrected.status_code, Entry.objects.filter(tournament=tournament).count()) == (
            422,
            0,
        )
        assert "The columns have changed." in corrected.content.decode()
        assert corrected.context["found"].new[0].fide_id == 1234567
        assert client.post(self.url(tournament), sent(corrected)).status_code == 302
        assert Entry.objects.get(tournament=tournament).fide_id == 1234567

    def test_a_column_chosen_twice_is_refused_and_the_list_stays(
        self, tournament: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        client.force_login(chief_arbiter)
        looked = client.post(self.url(tournament), {"text": "Name;Number\nAbara, Ada;1\n"})
        twice = client.post(
            self.url(tournament), sent(looked, **{"column-2": "name", "again": "yes"})
        )
        assert twice.status_code == 422
        assert "has the same meaning as column 1" in twice.content.decode()
        assert [row.name for row in twice.context["found"].new] == ["Abara, Ada"]

    def test_another_encoding_can_be_chosen(
        self, tournament: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        from django.core.files.uploadedfile import SimpleUploadedFile

        client.force_login(chief_arbiter)
        upload = SimpleUploadedFile("list.csv", "Name;Elo\nŁukasz Wójcik;1500\n".encode("cp1250"))
        looked = client.post(self.url(tournament), {"file": upload})
        assert looked.context["found"].new[0].name != "Łukasz Wójcik"
        again = client.post(self.url(tournament), sent(looked, encoding="cp1250", again="yes"))
        assert again.context["found"].new[0].name == "Łukasz Wójcik"
        assert client.post(self.url(tournament), sent(again)).status_code == 302
        assert Entry.objects.get(tournament=tournament).name == "Łukasz Wójcik"
