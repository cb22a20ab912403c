"""The FIDE rating change on the page of a player."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.ratings.k_factor import KFactor
from tests.tournaments import factories
from tests.tournaments.standings.test_player_and_progress import FRENCH, page_of
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Tournament
from tournaments.standings.player import player_page
from tournaments.standings.rating_change import RatingOfPlayer
from tournaments.standings.rating_facts import event_of, person_of
from tournaments.standings.standings import standings


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Four players, one published round: 1 beat 3, and 2 and 4 have made theirs."""
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    factories.play_rounds(tournament, [1], chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def rate(tournament: Tournament, **ratings: int | None) -> None:
    """Give players FIDE ratings by their number: ``rate(t, p1=2300)``."""
    for name, rating in ratings.items():
        entry = factories.entry_of(tournament, int(name[1:]))
        Entry.objects.filter(pk=entry.pk).update(fide_rating=rating)


def rating_of(tournament: Tournament, tpn: int) -> RatingOfPlayer | None:
    frame = tournament_frame(tournament, runs=False)
    page = player_page(frame, factories.entry_of(tournament, tpn).pk)
    assert page is not None
    return page.rating


@pytest.mark.django_db
class TestRatingChange:
    def test_the_page_shows_the_change_and_opens_to_its_calculation(
        self, played: Tournament, client: Client
    ) -> None:
        rate(played, p1=2300, p3=2100)
        found = rating_of(played, 1)
        assert found is not None
        assert found.change is not None
        assert found.change.k == KFactor(20, 20, 1, is_listed=False)
        assert [(row.game.difference, row.game.expected) for row in found.games] == [(200, 76)]
        text = page_of(client, played, 1)
        assert "FIDE rating change +4.80 (K 20 assumed) [B.02 8.3]" in text
        assert "1 rated game, score 1.00, expected 0.76: +0.24 × K 20 = +4.80" in text
        assert "new rating" in text
        french = client.get(
            f"/t/{played.slug}/player/{factories.entry_of(played, 1).pk}/", headers=FRENCH
        ).content.decode()
        assert "+4,80" in french
        assert "FIDE B.02, appliqué depuis le 1er mars 2024" in french

    @pytest.mark.costly
    def test_b02_8_3_3_k_is_that_of_the_list_from_which_the_player_came(
        self, played: Tournament, client: Client
    ) -> None:
        rate(played, p1=2300, p3=2100)
        Entry.objects.filter(tournament=played, tpn=1).update(k_factor=10, women_title="WGM")
        found = rating_of(played, 1)
        assert found is not None
        assert found.change is not None
        assert found.change.k == KFactor(10, 10, 1, is_listed=True)
        assert "FIDE rating change +2.40 (K 10) [B.02 8.3]" in page_of(client, played, 1)
        assert person_of(factories.entry_of(played, 1), played).titles == {"WGM"}

    def test_a_national_rating_is_never_used(self, played: Tournament, client: Client) -> None:
        rate(played, p1=None, p3=2100)
        Entry.objects.filter(tournament=played, tpn=1).update(national_rating=2300, rating=2300)
        found = rating_of(played, 1)
        assert found is not None
        assert (found.change, found.initial is not None) == (None, True)
        assert "1 of 5 games against rated opponents; FIDE keeps it for 26 months." in page_of(
            client, played, 1
        )

    def test_nothing_is_shown_without_a_rated_game(
        self, played: Tournament, client: Client
    ) -> None:
        rate(played, p1=2300, p3=None)
        assert rating_of(played, 1) is None
        assert "FIDE rating change" not in page_of(client, played, 1)

    def test_a_time_control_that_is_too_short_for_the_pairing(self, played: Tournament) -> None:
        rate(played, p1=2400, p3=2100)
        Tournament.objects.filter(pk=played.pk).update(time_control="60 min + 30 s")
        played.refresh_from_db()
        assert rating_of(played, 1) is None
        Tournament.objects.filter(pk=played.pk).update(time_control="90 min + 30 s")
        played.refresh_from_db()
        assert rating_of(played, 1) is not None

    @pytest.mark.costly
    def test_the_standings_have_both_figures_and_lead_to_the_calculation(
        self, played: Tournament, client: Client
    ) -> None:
        address = reverse("standings", args=[played.slug])
        rate(played, p1=None, p2=None, p3=None, p4=None)
        assert ">Rp</abbr>" not in client.get(address).content.decode()
        rate(played, p1=2300, p3=2100)
        Tournament.objects.filter(pk=played.pk).update(public_fingerprint="another state")
        frame = tournament_frame(played, runs=True)
        figures = {
            line.tpn: (line.fide_performance, line.fide_change)
            for line in standings(frame, after_round=1).lines
        }
        # 1 beat 3: 2100 + 800, and 0.24 × 20; 3 lost: 2300 - 800, and as much back.
        assert figures == {1: (2900, 480), 3: (1500, -480), 2: (None, None), 4: (None, None)}
        client.force_login(User.objects.get(pk=played.created_by_id))
        html = client.get(address).content.decode()
        entry = factories.entry_of(played, 1)
        player = reverse("player-page", args=[played.slug, entry.pk])
        assert f'<a href="{player}#rating">2900</a>' in html
        assert f'<a href="{player}#rating">+4.80</a>' in html
        text = page_of(client, played, 1)
        assert "FIDE performance: 2900" in text
        assert "average of the opponents 2100, score 100 %, difference +800, together 2900" in text

    def test_fide_performance_and_c07_differ_where_the_ratings_do(self, played: Tournament) -> None:
        rate(played, p1=2300, p3=2100)
        Entry.objects.filter(tournament=played, tpn=3).update(rating=2000)
        frame = tournament_frame(played, runs=True)
        page = player_page(frame, factories.entry_of(played, 1).pk)
        assert page is not None
        assert page.performance is not None
        assert page.rating is not None
        assert (page.performance.rating, page.rating.performance.rating) == (2800, 2900)

    def test_unpublished_results_do_not_count(
        self, played: Tournament, chief_arbiter: User
    ) -> None:
        rate(played, p1=2300, p2=2200, p3=2100, p4=2000)
        factories.pair_and_publish(played, 2, chief_arbiter)
        factories.enter_results(played, 2, chief_arbiter)
        played.refresh_from_db()
        found = rating_of(played, 1)
        assert found is not None
        assert [row.game.round for row in found.games] == [1]

    def test_the_facts_of_the_event_are_those_of_its_settings(self, played: Tournament) -> None:
        played.start_date, played.time_control = date(2026, 9, 5), "Fischer"
        played.trf_extras = ["222 40/5400+30:1800+30"]
        event = event_of(played)
        assert (event.start, event.seconds, event.same_time) == (date(2026, 9, 5), 9000, True)
        played.trf_extras, played.time_control = [], "15+10"
        assert event_of(played).seconds == 1500
        played.time_control = "as announced"
        assert event_of(played).seconds is None
        assert event_of(played).chief_arbiter_titles is None
        played.chief_arbiter = "IA Rosa Arbiter"
        assert event_of(played).chief_arbiter_titles == frozenset({"IA"})

    def test_a_standard_rating_replaces_a_missing_one_in_rapid(self, played: Tournament) -> None:
        played.rate_of_play, played.second_rating_method = "rapid", "fide_standard"
        entry = Entry(second_rating=1900, birth_date="2010/05/00", title="WFM", sex="w")
        person = person_of(entry, played)
        assert (person.rating, person.standard, person.birth_year) == (None, 1900, 2010)
        played.second_rating_method = "national_rapid"
        assert person_of(entry, played).standard is None
