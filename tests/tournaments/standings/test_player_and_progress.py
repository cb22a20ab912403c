"""The page of a player and the picture of the scoregroups show public data only."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from pairing.engine.model import TPN, Colour, Result, RoundRecord
from tests.conftest import forget_pages
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add
from tournaments.models import Entry, Round, Tournament
from tournaments.standings.performance_picture import curve_of
from tournaments.standings.player import NextSeat, Performance, PlayerPage, performance, player_page
from tournaments.standings.progress import counted

FRENCH = {"Accept-Language": "fr"}
SVG = "{http://www.w3.org/2000/svg}"


def page(client: Client, name: str, tournament: Tournament, *more: int) -> str:
    response = client.get(reverse(name, args=[tournament.slug, *more]))
    assert response.status_code == 200
    return " ".join(
        re.sub(
            r"<[^>]*>", " ", response.content.decode().partition("<main")[2].partition("</main>")[0]
        ).split()
    )


def page_of(client: Client, tournament: Tournament, tpn: int) -> str:
    return page(client, "player-page", tournament, factories.entry_of(tournament, tpn).pk)


@pytest.fixture
@factories.cached
def two_rounds(chief_arbiter: User) -> Tournament:
    """Five players, one round over, the second published with all
    its results entered but not published.
    """
    tournament = factories.make_ready(chief_arbiter, players=5, rounds=3)
    third = factories.entry_of(tournament, 3)
    bye_request(entry_id=third.pk, actor=chief_arbiter, now=factories.NOW, round_number=2, kind="H")
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    factories.enter_results(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


class TestPlayer:
    @pytest.mark.costly
    def test_opponents_have_federation_and_points_and_the_player_a_fide_id(
        self, two_rounds: Tournament, client: Client
    ) -> None:
        one = factories.entry_of(two_rounds, 1)
        first = player_page(tournament_frame(two_rounds, runs=False), one.pk)
        assert first is not None
        opponent = Entry.objects.get(pk=first.rounds[0].cell.opponent_id)
        Entry.objects.filter(pk=opponent.pk).update(federation="ISL")
        Entry.objects.filter(pk=one.pk).update(fide_id=1234567)
        forget_pages()
        assert "ISL · 0 points" in page_of(client, two_rounds, 1)
        assert "FIDE ID 1234567" in page_of(client, two_rounds, 1)
        address = reverse("player-page", args=[two_rounds.slug, one.pk])
        assert "https://ratings.fide.com/profile/1234567" in client.get(address).content.decode()
        # The number would name a player who is shown with initials.
        Entry.objects.filter(pk=one.pk).update(full_name=one.name, name="A. P.")
        forget_pages()
        assert "1234567" not in page_of(client, two_rounds, 1)

    def test_rounds_points_and_the_next_board(self, two_rounds: Tournament, client: Client) -> None:
        seen = player_page(
            tournament_frame(two_rounds, runs=False), factories.entry_of(two_rounds, 1).pk
        )
        assert seen is not None
        assert [
            (line.cell.opponent, line.cell.colour, line.board, line.total) for line in seen.rounds
        ] == [(3, "w", 1, 10)]
        board, white, black = next(
            (number, white, black)
            for number, (white, black, _) in enumerate(factories.boards(two_rounds, 2), start=1)
            if 1 in (white, black)
        )
        colour, opponent = ("w", black) if white == 1 else ("b", white)
        other = factories.entry_of(two_rounds, opponent)
        assert seen.next_seat == NextSeat(
            2, board, board, colour, "", other.pk, other.name, opponent_rating=other.rating
        )
        text = page_of(client, two_rounds, 1)
        assert f"Round 2 Board {board}" in text
        assert f"After round 1: rank {seen.rank} with 1 point." in text

    def test_c04_2_4_2_unpublished_results_are_hidden_from_an_arbiter_too(
        self, two_rounds: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        visitors = page_of(client, two_rounds, 2)
        client.force_login(chief_arbiter)
        assert page_of(client, two_rounds, 2) == visitors
        assert "After round 1" in visitors

    def test_c04_2_3_3_a_bye_of_the_round_in_play_is_shown_as_in_the_list_of_the_round(
        self, two_rounds: Tournament, client: Client
    ) -> None:
        seen = player_page(
            tournament_frame(two_rounds, runs=False), factories.entry_of(two_rounds, 3).pk
        )
        assert seen is not None
        assert seen.next_seat == NextSeat(2, None, None, "", "H", None, "")
        pairings = client.get(
            reverse("pairings-public", args=[two_rounds.slug, 2])
        ).content.decode()
        assert "half-point bye" in pairings
        assert "Half-point bye" in page_of(client, two_rounds, 3)

    def test_c04_2_4_4_a_draft_is_not_shown_as_next_board(
        self, draft_round: Round, client: Client
    ) -> None:
        text = page_of(client, draft_round.tournament, 1)
        assert "Board" not in text
        assert "No results are published yet." in text

    @pytest.mark.costly
    def test_an_unknown_id_is_not_found(
        self, two_rounds: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        elsewhere = factories.make_ready(chief_arbiter, name="Spring Open")
        for entry_id in (factories.entry_of(elsewhere, 1).pk, 10**9):
            assert (
                client.get(reverse("player-page", args=[two_rounds.slug, entry_id])).status_code
                == 404
            )

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "gives, english, french",
        [
            (
                "Z",
                "1 – not yet entered – – 0 2 – not yet entered – – 0 3 ",
                "1 – pas encore inscrit – – 0 ",
            ),
            (
                "H",
                "1 – not yet entered – bye ½ ½ 2 – not yet entered – bye ½ 1 3 ",
                "– pas encore inscrit – absence ½ ½ ",
            ),
        ],
    )
    def test_c04_2_2_4_a_late_entry_did_not_miss_the_rounds_before(
        self, client: Client, chief_arbiter: User, gives: str, english: str, french: str
    ) -> None:
        tournament = factories.make_ready(chief_arbiter, players=5, rounds=4, late_entry_bye=gives)
        factories.play_rounds(tournament, [1], chief_arbiter)
        by = {"actor": chief_arbiter, "now": factories.NOW}
        late = entry_add(
            tournament_id=tournament.pk, name="Zorn, Late", first_round=3, checked_in=True, **by
        )
        factories.play_rounds(tournament, [2, 3], chief_arbiter)
        late.refresh_from_db()
        assert english in page(client, "player-page", tournament, late.pk)
        address = reverse("player-page", args=[tournament.slug, late.pk])
        assert french in " ".join(
            re.sub(r"<[^>]*>", " ", client.get(address, headers=FRENCH).text).split()
        )
        titles = {"Z": "not yet entered", "H": "not yet entered, half-point bye"}
        assert f'<abbr title="{titles[gives]}">' in client.get(address).text
        for name in ("crosstable", "crosstable-picture"):
            drawn = client.get(reverse(name, args=[tournament.slug])).text
            assert titles[gives] in drawn
            assert "zero-point" not in drawn

    @pytest.mark.costly
    def test_c04_2_2_4_a_late_entry_has_no_place_in_a_round_before_the_entry(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = factories.make_ready(chief_arbiter, players=6, rounds=4)
        factories.play_rounds(tournament, [1], chief_arbiter)
        by = {"actor": chief_arbiter, "now": factories.NOW}
        late = entry_add(tournament_id=tournament.pk, name="Zorn, Late", first_round=3, **by)
        factories.pair_and_publish(tournament, 2, chief_arbiter)
        assert "absent" not in page(client, "player-page", tournament, late.pk)

    @pytest.mark.costly
    def test_a_bye_is_the_headline_of_my_board(self, client: Client, chief_arbiter: User) -> None:
        tournament = factories.make_ready(chief_arbiter, players=5, rounds=3)
        factories.pair_and_publish(tournament, 1, chief_arbiter)
        assert (
            '<p class="where">Pairing-allocated bye</p>'
            in client.get(factories.player_address(tournament, 5)).content.decode()
        )

    @pytest.mark.costly
    def test_a_player_is_reached_from_the_lists(
        self, two_rounds: Tournament, client: Client
    ) -> None:
        link = f'href="{factories.player_address(two_rounds, 4)}"'
        for name in ("players", "standings", "crosstable"):
            assert link in client.get(reverse(name, args=[two_rounds.slug])).content.decode(), name


def record(opponent: int, result: Result) -> RoundRecord:
    return RoundRecord(TPN(opponent), Colour.WHITE, result)


class TestPerformance:
    RATINGS = {TPN(1): 2000, TPN(2): 2100, TPN(3): 1900, TPN(4): 0}

    def test_c07_10_2_the_average_and_the_difference_for_the_score(self) -> None:
        """Opponents 2100 and 1900, 1½ of 2: 75 % is +193;
        expected 36 + 64 hundredths by B.02 8.1.2.
        """
        rounds = (record(2, Result.WIN), record(3, Result.DRAW))
        assert performance(rounds, 2000, self.RATINGS) == Performance(
            2, 2000, 150, 100, 2193, ((1, 100, 36), (2, 150, 100))
        )

    def test_c07_10_3_the_expected_score_has_the_full_scale_and_its_own_name(self) -> None:
        """500 points higher: 96 hundredths by C.07;
        the rating rules cut the difference at 400 and have 92.
        """
        found = performance((record(2, Result.WIN),), 2600, self.RATINGS)
        assert found is not None
        assert found.expected == 96
        entry = Entry(pk=1, name="Abara, Ada", rating=2600)
        page = PlayerPage(entry, 1, None, 10, (), next_seat=None, performance=found, coming=None)
        context = {
            "page": page,
            "curve": curve_of(found),
            "frame": {"tournament": {"slug": "open"}},
        }
        for language, name in (
            ("en", "expected by C.07: 0.96"),
            ("fr", "attendu selon C.07\u202f: 0,96"),
        ):
            with override(language):
                assert name in render_to_string("standings/_performance.html", context)

    def test_forfeits_and_unrated_opponents_are_left_out(self) -> None:
        rounds = (record(2, Result.FORFEIT_WIN), record(4, Result.WIN), record(3, Result.LOSS))
        assert performance(rounds, 2000, self.RATINGS) == Performance(
            1, 1900, 0, 64, 1100, ((3, 0, 64),)
        )

    def test_an_unrated_player_has_no_expected_score(self) -> None:
        found = performance((record(2, Result.DRAW),), 0, self.RATINGS)
        assert found == Performance(1, 2100, 50, None, 2100, ())

    def test_without_a_game_there_is_no_performance(self) -> None:
        assert performance((record(4, Result.WIN),), 2000, self.RATINGS) is None


class TestProgress:
    def test_the_picture_has_every_player_in_every_round(self, two_rounds: Tournament) -> None:
        seen = counted(tournament_frame(two_rounds, runs=False)).drawn()
        assert seen.after_round == 1
        assert seen.table == ((10, (0, 3)), (0, (5, 2)))
        assert [(f.round_number, f.before, f.after, f.players) for f in seen.flows] == [
            (1, 0, 0, 2),
            (1, 0, 10, 3),
        ]

    def test_the_picture_is_drawn_with_the_numbers_in_it(
        self, two_rounds: Tournament, client: Client
    ) -> None:
        response = client.get(reverse("progress-picture", args=[two_rounds.slug]))
        assert response.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert (
            response.headers["Content-Disposition"]
            == f'attachment; filename="{two_rounds.slug}-progress.svg"'
        )
        picture = ElementTree.fromstring(response.content)  # noqa: S314 - our own picture
        assert picture.tag == f"{SVG}svg"
        assert [text.text for text in picture.findall(f"{SVG}text")] == ["5", "2", "3"]
        assert len(picture.findall(f".//{SVG}path")) == 2

    @pytest.mark.costly
    def test_the_page_has_the_picture_and_the_table(
        self, two_rounds: Tournament, client: Client
    ) -> None:
        text = page(client, "progress", two_rounds)
        assert "Round 1: 3 players from 0 to 1" in text
        assert "Points start after 1 1 3 0 5 2" in text

    def test_before_the_first_results_there_is_nothing_to_show(
        self, ready: Tournament, client: Client
    ) -> None:
        text = page(client, "progress", ready)
        assert "The progress is available after the results of round 1 are published." in text
