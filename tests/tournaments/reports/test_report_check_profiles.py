"""The page *Check before sending*: the files of each federation, and of an event of sections."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments import factories
from tests.tournaments.events.conftest import add
from tests.tournaments.reports import test_report_check
from tests.tournaments.reports.test_report_check import NOW, archive, page, words
from tournaments.events.sections import event_create
from tournaments.models import Appointment, ReportProfile, Role, Section, Tournament
from tournaments.standings.final import standings_reopen

pytestmark = pytest.mark.django_db
desk, whole = test_report_check.desk, test_report_check.whole


class TestProfiles:
    """The federation of the event gets the report, unless a setting says otherwise."""

    @pytest.mark.parametrize(
        "federation, shown",
        [("FRA", "FFE (FRA)"), ("GER", "DSB (GER)"), ("USA", "US Chess (USA)"), ("", "FIDE")],
    )
    def test_the_default(
        self, whole: Tournament, desk: Client, federation: str, shown: str
    ) -> None:
        Tournament.objects.filter(pk=whole.pk).update(federation=federation)
        assert f"For {shown}" in words(page(whole, desk))

    @pytest.mark.costly
    def test_the_setting(self, whole: Tournament, desk: Client) -> None:
        Tournament.objects.filter(pk=whole.pk).update(report_profile=ReportProfile.DSB)
        assert "For DSB (GER)" in words(page(whole, desk))
        _files, summary = archive(whole, desk)
        assert summary["left_out"] == [
            "DSB also takes a file .swi, which the program cannot write."
        ]

    @pytest.mark.costly
    def test_us_chess_gets_its_files(self, whole: Tournament, desk: Client) -> None:
        Tournament.objects.filter(pk=whole.pk).update(report_profile=ReportProfile.US_CHESS)
        files, summary = archive(whole, desk)
        assert {name for name in files if name.startswith("us-chess/")} == {
            "us-chess/THEXPORT.DBF", "us-chess/TSEXPORT.DBF", "us-chess/TDEXPORT.DBF",
        }  # fmt: skip
        assert summary["left_out"][0].startswith("US Chess: some numbers are empty")
        assert "has no US Chess number" in summary["left_out"][1]

    @pytest.mark.costly
    def test_us_chess_gets_the_numbers_that_were_saved(
        self, whole: Tournament, desk: Client
    ) -> None:
        ids = {"affiliate": "A7700001", "state": "NY", "key": "of chess-results"}
        Tournament.objects.filter(pk=whole.pk).update(report_profile="us_chess", federation_ids=ids)
        files, _summary = archive(whole, desk)
        assert b"A7700001" in files["us-chess/THEXPORT.DBF"]
        assert not [name for name, content in files.items() if b"of chess-results" in content]

    @pytest.mark.costly
    def test_us_chess_gets_the_numbers_of_the_section_that_has_them(
        self, desk: Client, chief_arbiter: User
    ) -> None:
        first = factories.make_ready(chief_arbiter, players=4, rounds=1)
        event = event_create(
            tournament_id=first.pk, name="Festival", label="A", actor=chief_arbiter, now=NOW
        )
        other = factories.make_ready(chief_arbiter, players=4, rounds=1, name="Other")
        Section.objects.create(event=event, tournament=other, label="B", position=20)
        for section, ids in ((first, {"key": "k"}), (other, {"affiliate": "A7700001"})):
            section.report_profile, section.federation_ids = "us_chess", ids
            section.save()
            factories.play_rounds(section, [1], chief_arbiter)
        files, _summary = archive(first, desk)
        assert b"A7700001" in files["us-chess/THEXPORT.DBF"]

    @pytest.mark.costly
    def test_us_chess_without_a_round(self, chief_arbiter: User, desk: Client) -> None:
        tournament = factories.make_ready(chief_arbiter, players=4, federation="USA")
        files, summary = archive(tournament, desk)
        assert not [name for name in files if name.startswith("us-chess/")]
        assert any(each.startswith("US Chess: ") for each in summary["left_out"])


class TestSections:
    """The report is of the whole event, as far as the reader has a role."""

    @pytest.fixture
    def sections(self, chief_arbiter: User) -> list[Tournament]:
        first = factories.make_ready(chief_arbiter, players=4, rounds=2)
        factories.play_rounds(first, [1], chief_arbiter)
        event = event_create(
            tournament_id=first.pk, name="Festival", label="A", actor=chief_arbiter, now=NOW
        )
        others = [add(event, first, chief_arbiter, label) for label in "BCDEFGHIJ"]
        return [first, *others]

    @pytest.mark.costly
    def test_ten_sections(self, sections: list[Tournament], desk: Client) -> None:
        text = page(sections[0], desk)
        headings = re.findall(r'<h2 id="check-\d+">([^<]+)</h2>', text)
        assert headings == list("ABCDEFGHIJ")
        files, summary = archive(sections[3], desk)
        assert summary["event"] == "Festival"
        assert [each["label"] for each in summary["sections"]] == list("ABCDEFGHIJ")
        folders = {name.partition("/")[0] for name in files if "/" in name}
        assert folders == {each.slug for each in sections}
        assert any(each.startswith("B: No results are published") for each in summary["left_out"])

    @pytest.mark.costly
    def test_a_section_of_others_is_named(
        self, whole: Tournament, chief_arbiter: User, stranger: User, desk: Client
    ) -> None:
        standings_reopen(
            tournament_id=whole.pk, actor=chief_arbiter, now=NOW, reason="a section more",
            seen_version=whole.version,
        )  # fmt: skip
        event = event_create(
            tournament_id=whole.pk, name="Festival", label="A", actor=chief_arbiter, now=NOW
        )
        other = factories.make_ready(stranger, players=4, rounds=1, name="Other")
        Section.objects.create(event=event, tournament=other, label="B", position=20)
        text = words(page(whole, desk))
        assert "Not shown, because you have no role there: B." in text
        files, summary = archive(whole, desk)
        assert not [name for name in files if name.startswith("other")]
        line = "B is not in the report: you are not an arbiter of this section."
        assert summary["left_out"] == [line]
        Appointment.objects.create(
            tournament=other, person=chief_arbiter, role=Role.READER, since=NOW, accepted=True
        )
        text = words(page(whole, desk))
        assert "The archive has only the sections of which you are an arbiter." in text
        assert archive(whole, desk)[1]["left_out"] == [line]
