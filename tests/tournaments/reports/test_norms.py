"""The page of norms and the certificate IT1."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.ratings import norms
from pairing.ratings.conditions import State
from pairing.ratings.editions import Title
from tests.policy.refusals import words_of
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.models import ByeKind, Entry, RequestedBye, Tournament
from tournaments.reports.norms import certificate, norms_page
from tournaments.setup.tournaments import tournament_update
from tournaments.web.setup.settings import PARTS
from tournaments.web.templatetags.fide_norms import remarks

ROUNDS = 9
FEDERATIONS = ("SWE", "HUN", "CZE")


def make_strong(actor: User, rounds: range, total: int = ROUNDS) -> Tournament:
    """Return an event of sixteen grandmasters rated 2500 of three federations.

    The player with number 1 is from AUT, without a title.
    """
    tournament = factories.make_ready(actor, players=16, rounds=total)
    factories.play_rounds(tournament, rounds, actor)
    for number in range(1, 17):
        Entry.objects.filter(tournament=tournament, tpn=number).update(
            fide_rating=2500, title="GM", federation=FEDERATIONS[number % 3], sex="m"
        )
    Entry.objects.filter(tournament=tournament, tpn=1).update(title="", federation="AUT")
    Tournament.objects.filter(pk=tournament.pk).update(time_control="90 min + 30 s")
    tournament.refresh_from_db()
    return tournament


def change(tournament: Tournament, actor: User, **fields: object) -> None:
    tournament_update(tournament_id=tournament.pk, actor=actor, now=factories.NOW, **fields)
    tournament.refresh_from_db()


def states_of(tournament: Tournament) -> dict[str, State]:
    """Return the conditions of the event that are not met."""
    page = norms_page(tournament_frame(tournament, runs=True))
    return {row.code: row.state for row in page.conditions if row.state is not State.MET}


@pytest.fixture
@factories.cached
def strong(chief_arbiter: User) -> Tournament:
    """After seven of nine rounds."""
    return make_strong(chief_arbiter, range(1, 8))


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """After all nine rounds."""
    return make_strong(chief_arbiter, range(1, 10))


@pytest.mark.django_db
class TestNorms:
    def test_a_norm_is_listed_with_its_figures(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        page = norms_page(tournament_frame(over, runs=True))
        found = {(row.entry.tpn, row.norm.title.title): row.norm for row in page.met}
        assert set(found) == {(1, Title.GM), (1, Title.IM)}
        assert found[1, Title.GM].figures is not None
        assert found[1, Title.GM].figures.average == 2500
        assert page.forecasts == ()
        client.force_login(chief_arbiter)
        assert (len(page.changes), page.too_short_for) == (16, ())
        change = page.changes[0].change
        assert change is not None
        text = words_of(client.get(reverse("norms", args=[over.slug])).content.decode())
        assert f"2500 9 {change.made // 100}.{change.made % 100:02} 4.50 10*" in text
        assert "FIDE B.01, applied from 1 January 2024." in text
        assert "A norm is not valid until confirmed by the FIDE Qualification Commission." in text
        assert "1.1.3 Time of each player for 60 moves ≥ 120 min 120 min met" in text
        assert (
            "1.4.3d, fewest in a round: rated players of other federations than the host: 16"
            in text
        )

    @pytest.mark.costly
    def test_before_the_last_rounds_there_is_a_forecast(
        self, strong: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        page = norms_page(tournament_frame(strong, runs=True))
        assert (page.met, page.after_round) == ((), 7)
        assert {row.entry.tpn for row in page.forecasts} == {1}
        client.force_login(chief_arbiter)
        text = words_of(client.get(reverse("norms", args=[strong.slug])).content.decode())
        assert "Still possible" in text
        assert "from the last 2 rounds; any opponent" in text

    def test_the_certificate_has_every_round_and_the_conditions(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        entry = factories.entry_of(over, 1)
        found = certificate(tournament_frame(over, runs=True), entry.pk, Title.GM)
        assert found is not None
        assert len(found.lines) == ROUNDS
        assert (found.foreign, found.rated, found.titles[0]) == (9, 9, ("GM", 9))
        client.force_login(chief_arbiter)
        text = words_of(
            client.get(reverse("norm", args=[over.slug, entry.pk, "GM"])).content.decode()
        )
        for expected in (
            "Certificate of title norm (IT1)",
            "Not valid until confirmed by the FIDE Qualification Commission.",
            "FIDE B.01, applied from 1 January 2024",
            "Average rating of the opponents 2500",
            "1.4.5b Opponents with the title or a higher one ≥ 3 9 met",
            "1.5.6a: 40 players in each round with an average of 2000: not met.",
            "Date and signature of the chief arbiter",
        ):
            assert expected in text
        french = client.get(
            reverse("norm", args=[over.slug, entry.pk, "GM"]), headers={"Accept-Language": "fr"}
        ).content.decode()
        assert "Certificat de norme de titre (IT1)" in french

    def test_the_remarks_name_the_rating_of_the_title_and_the_exemption(
        self, over: Tournament
    ) -> None:
        entry = factories.entry_of(over, 1)
        Entry.objects.filter(pk=entry.pk).update(fide_rating=2490)
        found = certificate(tournament_frame(over, runs=True), entry.pk, Title.GM)
        assert found is not None
        # Nine wins against 2500 with K 10, each with 0.49 expected.
        rating = "The title also needs a rating of 2500 once; the highest of this event was "
        assert f"{rating}2535.90 after round 9 [B.01 1.5.3]." in list(remarks(found))
        exempt = replace(
            found, row=replace(found.row, norm=replace(found.row.norm, exemption="1.4.3d"))
        )
        assert any("1.4.3d, fewest in a round: " in remark for remark in remarks(exempt))
        Entry.objects.filter(pk=entry.pk).update(fide_rating=2500)
        found = certificate(tournament_frame(over, runs=True), entry.pk, Title.GM)
        assert found is not None
        assert not any("1.5.3" in remark for remark in remarks(found))

    @pytest.mark.costly
    def test_a_norm_that_is_not_met_has_conditions_and_no_certificate(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        Entry.objects.filter(tournament=over).update(federation="AUT")
        entry = factories.entry_of(over, 1)
        client.force_login(chief_arbiter)
        address = reverse("norm", args=[over.slug, entry.pk, "GM"])
        text = words_of(client.get(address).content.decode())
        assert "Conditions of a title norm" in text
        assert "1.4.3 Other federations of opponents ≥ 2 0 not met" in text
        assert "signature" not in text
        change(over, chief_arbiter, event_kind="zonal")
        zonal = words_of(client.get(address).content.decode())
        assert "Exempt from the mix of federations [B.01 1.4.3c]." in zonal
        assert len(norms_page(tournament_frame(over, runs=True)).met) == 2

    @pytest.mark.costly
    def test_the_arbiter_confirms_what_the_data_cannot_decide(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        doubtful = {"registered", "arbiter_in_hall", "arbiters_playing"}
        assert states_of(over) == dict.fromkeys(
            doubtful | {"hours", "rounds_a_day", "chief_arbiter"}, State.CONFIRM
        )
        page = client.get(reverse("settings-fide", args=[over.slug]))
        form = page.context["form"]
        fields = {name: form[name].value() for name in PARTS["fide"] if form[name].value()}
        answer = client.post(
            reverse("settings-fide", args=[over.slug]),
            fields
            | {"shown": page.context["shown"], "organiser": "Chess Club Metz", "event_code": "412"}
            | {"registered_on": "2026-01-02", "arbiter_in_hall": "on", "no_arbiter_plays": "on"},
        )
        assert answer.status_code == 302, words_of(answer.content.decode())
        change(over, chief_arbiter, start_date=date(2026, 9, 1), chief_arbiter="IA Chief, Clara")
        assert states_of(over) == dict.fromkeys(("hours", "rounds_a_day"), State.CONFIRM)
        text = words_of(client.get(reverse("norms", args=[over.slug])).content.decode())
        assert "1.1.5 An IA or FA is always in the hall – confirmed by the arbiter met" in text
        change(over, chief_arbiter, registered_on=date(2026, 8, 3))
        assert states_of(over)["registered"] is State.FAILED
        assert norms_page(tournament_frame(over, runs=True)).met == ()

    def test_an_arbiter_who_plays_is_found_by_the_fide_id(
        self, over: Tournament, chief_arbiter: User
    ) -> None:
        arbiters = {"chief_arbiter": "IA Chief, Clara (2000016)", "no_arbiter_plays": True}
        change(over, chief_arbiter, **arbiters, deputy_arbiters="FA Roy, Luc (2000024), fair play")
        assert "arbiters_playing" not in states_of(over)
        Entry.objects.filter(tournament=over, tpn=3).update(fide_id=2000024)
        assert states_of(over)["arbiters_playing"] is State.FAILED

    def test_a_short_time_control_and_a_held_title(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        over.time_control = "60 min + 30 s"
        Tournament.objects.filter(pk=over.pk).update(time_control=over.time_control)
        Entry.objects.filter(tournament=over, tpn__gt=2).update(fide_rating=1700)
        Entry.objects.filter(tournament=over, tpn=1).update(sex="w", title="IM", women_title="WGM")
        page = norms_page(tournament_frame(over, runs=True))
        assert [entry.tpn for entry in page.too_short_for] == [1, 2]
        assert page.met == ()
        client.force_login(chief_arbiter)
        text = words_of(client.get(reverse("norms", args=[over.slug])).content.decode())
        assert "too short for FIDE rating in the games of 2 players" in text
        assert "1.1.3 Time of each player for 60 moves ≥ 120 min 90 min not met" in text

    @pytest.mark.costly
    def test_before_the_numbers_all_entries_are_checked(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = factories.make_tournament(chief_arbiter, time_control="60 min + 30 s")
        factories.make_entries(tournament, chief_arbiter, 4)
        Entry.objects.filter(tournament=tournament).update(fide_rating=1700)
        strong = Entry.objects.filter(tournament=tournament).latest("pk")
        Entry.objects.filter(pk=strong.pk).update(fide_rating=2400)
        page = norms_page(tournament_frame(tournament, runs=True))
        assert [entry.pk for entry in page.too_short_for] == [strong.pk]
        client.force_login(chief_arbiter)
        address = reverse("norms", args=[tournament.slug])
        text = words_of(client.get(address).content.decode())
        assert "too short for FIDE rating in the games of 1 player [B.02 1.1]" in text
        change(tournament, chief_arbiter, time_approved=True)
        assert "too short" not in words_of(client.get(address).content.decode())
        change(tournament, chief_arbiter, time_approved=False, time_control="30 min + 20 s")
        assert "no game will be rated. [B.02 1.1]" in words_of(client.get(address).content.decode())

    @pytest.mark.costly
    def test_who_has_a_bye_in_a_round_to_come_has_no_forecast(
        self, strong: Tournament, chief_arbiter: User
    ) -> None:
        RequestedBye.objects.create(
            entry=factories.entry_of(strong, 1), round_number=9, kind=ByeKind.ZERO_POINT
        )
        assert norms_page(tournament_frame(strong, runs=True)).forecasts == ()

    @pytest.mark.costly
    def test_a_norm_with_too_many_sets_of_rounds_to_ignore_is_named(
        self, client: Client, chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        long = make_strong(chief_arbiter, range(1, 11), total=10)
        Entry.objects.filter(tournament=long).update(federation="AUT")
        client.force_login(chief_arbiter)
        address = reverse("norms", args=[long.slug])
        assert "Not certain" not in words_of(client.get(address).content.decode())
        monkeypatch.setattr(norms, "MOST_SETS", 0)
        entry = factories.entry_of(long, 1)
        html = client.get(address).content.decode()
        assert "Not certain, because there are too many sets of rounds" in words_of(html)
        assert reverse("norm", args=[long.slug, entry.pk, "GM"]) in html
        detail = client.get(reverse("norm", args=[long.slug, entry.pk, "GM"])).content.decode()
        assert "Sets of rounds to ignore: too many to try all of them" in words_of(detail)

    def test_unknown_players_and_titles_are_not_found(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        entry = factories.entry_of(over, 1)
        for entry_id, title in ((entry.pk, "FM"), (10**9, "GM")):
            address = reverse("norm", args=[over.slug, entry_id, title])
            assert client.get(address).status_code == 404

    def test_an_event_without_pairings_has_no_norms(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = factories.make_ready(chief_arbiter, players=4, rounds=9)
        client.force_login(chief_arbiter)
        text = words_of(client.get(reverse("norms", args=[tournament.slug])).content.decode())
        assert "None after round 0." in text

    def test_the_page_needs_four_queries(self, over: Tournament) -> None:
        frame = tournament_frame(over, runs=True)
        with CaptureQueriesContext(connection) as queries:
            norms_page(frame)
        assert len(queries) == 4


def rows_of(client: Client, tournament: Tournament, name: str) -> list[dict[str, str]]:
    response = client.get(reverse(f"api:{name}-csv", args=[tournament.slug]))
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


@pytest.mark.costly
@pytest.mark.django_db
def test_the_files_have_norms_chances_and_rating_changes(
    over: Tournament, strong: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    found = rows_of(client, over, "norms")
    assert [(row["tpn"], row["norm"], row["games"], row["average"]) for row in found] == [
        ("1", "GM", "9", "2500"),
        ("1", "IM", "9", "2500"),
    ]
    assert {row["needs"] for row in found} == {""}
    chances = rows_of(client, strong, "norms")
    assert {(row["tpn"], row["state"], row["rounds_missing"]) for row in chances} == {
        ("1", "possible", "2")
    }
    assert all(float(row["needs"]) <= 2 for row in chances)
    changes = rows_of(client, over, "rating-changes")
    page = norms_page(tournament_frame(over, runs=True)).changes
    assert [(row["tpn"], round(100 * float(row["change"]))) for row in changes] == [
        (str(each.entry.tpn), each.change.change) for each in page if each.change
    ]
