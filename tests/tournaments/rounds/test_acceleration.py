"""Baku acceleration in a tournament: announced before round 1,
used for pairings and board order only.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.engine.model import TPN
from pairing.rounds.computed_standings import ranked
from pairing.rounds.publish import results_publish
from pairing.rounds.round_page import round_page
from pairing.rounds.snapshot import players_after, snapshot
from tests.tournaments.factories import (
    NOW,
    boards,
    cached,
    enter_results,
    entry_of,
    make_ready,
    make_tournament,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tests.tournaments.setup.test_setup_pages import FORM
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_update, entry_withdraw, numbers_assign
from tournaments.lists.imports.trf_tournament import tournament_import_trf, trf_preview
from tournaments.models import Tournament
from tournaments.reports.event_report import event_report
from tournaments.reports.recheck import event_recheck
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_create, tournament_update

pytestmark = pytest.mark.django_db


def accelerated(actor: User, **fields: object) -> Tournament:
    """Nine players, nine rounds: group A is 1-6, with one virtual point
    in rounds 1-3 and a half in rounds 4-5.
    """
    return make_ready(actor, **{"players": 9, "rounds": 9, "acceleration": "baku", **fields})  # type: ignore[arg-type]


def virtual(tournament: Tournament, number: int) -> dict[TPN, tuple[int, ...]]:
    state, _ = snapshot(tournament, number)
    return {player.tpn: player.virtual_points for player in state.players if player.virtual_points}


def records(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(("192", "250"))]


def accelerated_tpns(tournament: Tournament, number: int) -> list[int]:
    return sorted(virtual(tournament, number))


class TestDeclared:
    @pytest.mark.parametrize("system", ["dutch_2026", "dutch_2017"])
    def test_c04_2_1_1_a_modern_dutch_system_may_be_accelerated(
        self, chief_arbiter: User, system: str
    ) -> None:
        made = make_tournament(
            chief_arbiter, system=system, acceleration="baku", points_win=20, points_draw=10
        )
        assert made.acceleration == "baku"

    @pytest.mark.parametrize(
        "fields, code, article",
        [
            ({"system": "dutch_pre2017"}, "acceleration.system", "C.04.2 1.1"),
            ({"points_win": 30, "points_draw": 10}, "acceleration.points", "C.04.7"),
            (
                {"points_win": 30, "points_draw": 15, "points_loss": 5},
                "acceleration.points",
                "C.04.7",
            ),
        ],
    )
    def test_c04_7_it_is_refused_with_an_unsuitable_system_or_point_system(
        self, chief_arbiter: User, fields: dict[str, object], code: str, article: str
    ) -> None:
        with pytest.raises(RuleRefused) as refused:
            make_tournament(chief_arbiter, acceleration="baku", **fields)
        assert (refused.value.code, refused.value.article) == (code, article)
        assert own(Tournament).count() == 0

    def test_an_accelerated_tournament_does_not_change_to_a_system_that_forbids_it(
        self, chief_arbiter: User
    ) -> None:
        made = make_tournament(chief_arbiter, acceleration="baku")
        with pytest.raises(
            RuleRefused,
            match=r"Baku acceleration can be used with .* not with the system “dutch_pre2017”",
        ):
            tournament_update(
                tournament_id=made.pk, actor=chief_arbiter, now=NOW, system="dutch_pre2017"
            )
        made.refresh_from_db()
        assert (made.system, made.acceleration) == ("dutch_2026", "baku")

    @pytest.mark.costly
    @pytest.mark.parametrize("before, after", [("", "baku"), ("baku", "")])
    def test_c04_2_1_1_it_cannot_be_switched_once_round_1_is_paired(
        self, chief_arbiter: User, before: str, after: str
    ) -> None:
        made = accelerated(chief_arbiter, acceleration=before)
        pair_and_publish(made, 1, chief_arbiter)
        with pytest.raises(RuleRefused) as refused:
            tournament_update(
                tournament_id=made.pk, actor=chief_arbiter, now=NOW, acceleration=after
            )
        assert (refused.value.code, refused.value.article) == ("tournament.begun", "C.04.2 1.1")
        made.refresh_from_db()
        assert made.acceleration == before

    def test_an_unknown_acceleration_is_refused(self, chief_arbiter: User) -> None:
        with pytest.raises(BadInput) as bad:
            tournament_create(
                actor=chief_arbiter, now=NOW, name="X", total_rounds=5, acceleration="haley"
            )
        assert bad.value.field == "acceleration"

    @pytest.mark.costly
    def test_the_form_offers_it_with_a_sentence_and_articles(
        self, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        page = client.get(reverse("tournament-create")).content.decode()
        assert "Available for the Dutch Systems of 2017 and 2026" in page
        assert "(C.04.7, C.04.2 1.1)" in page
        client.post(reverse("tournament-create"), FORM | {"acceleration": "baku"})
        assert own(Tournament).get().acceleration == "baku"
        refused = client.post(
            reverse("tournament-create"), FORM | {"acceleration": "baku", "system": "dutch_pre2017"}
        )
        assert refused.status_code in (409, 422)
        assert "C.04.2 1.1" in refused.content.decode()
        assert own(Tournament).count() == 1


class TestPaired:
    def test_c04_7_group_a_has_a_win_then_half_of_it_then_nothing(
        self, chief_arbiter: User
    ) -> None:
        made = accelerated(chief_arbiter)
        assert virtual(made, 9) == dict.fromkeys(range(1, 7), (10, 10, 10, 5, 5, 0, 0, 0, 0))

    def test_c04_7_the_first_pairings_are_within_the_groups(self, chief_arbiter: User) -> None:
        made = accelerated(chief_arbiter)
        pair_and_publish(made, 1, chief_arbiter)
        pairs = [{white, black} for white, black, _ in boards(made, 1)]
        assert pairs == [{1, 4}, {2, 5}, {3, 6}, {7, 8}]

    @pytest.mark.costly
    def test_c04_2_3_6_boards_go_by_the_pairing_score(self, chief_arbiter: User) -> None:
        """Winners of group B have the pairing scores of the losers of group A,
        but no virtual point: they are below.
        """
        made = accelerated(chief_arbiter, players=8)
        play_rounds(
            made, [1], chief_arbiter, lambda board, white, black: "10" if white < black else "01"
        )
        pair_and_publish(made, 2, chief_arbiter)
        page = round_page(tournament_frame(made, runs=False), round_of(made, 2))
        scores = [max(line.white.pairing_score, line.black.pairing_score) for line in page.boards]
        assert scores == sorted(scores, reverse=True)
        assert {p.tpn: (p.points, p.virtual) for line in page.boards for p in (line.white, line.black)} == {
            1: (10, 10), 2: (10, 10), 3: (0, 10), 4: (0, 10), 5: (10, 0), 6: (10, 0), 7: (0, 0), 8: (0, 0),
        }  # fmt: skip

    @pytest.mark.costly
    def test_c04_7_standings_never_count_virtual_points(self, chief_arbiter: User) -> None:
        made = accelerated(chief_arbiter, players=8)
        play_rounds(made, [1], chief_arbiter)
        players, _ = players_after(made, 1)
        assert all(player.virtual_points == () for player in players)
        assert [line.points for line in ranked(made, players).lines] == [10, 10, 10, 10, 0, 0, 0, 0]

    @pytest.mark.costly
    def test_c04_7_a_late_entry_above_its_last_player_joins_group_a(
        self, chief_arbiter: User
    ) -> None:
        made = accelerated(chief_arbiter)
        play_rounds(made, [1], chief_arbiter)
        assert made.group_a_last == entry_of(made, 6)
        for name, rating in (("Above, Ada", 2375), ("Below, Ben", 2325)):
            entry_add(
                tournament_id=made.pk,
                actor=chief_arbiter,
                now=NOW,
                name=name,
                fide_rating=rating,
                checked_in=True,
            )
        assert accelerated_tpns(made, 2) == [1, 2, 3, 4, 5, 6, 7]
        assert [entry_of(made, tpn).name for tpn in (4, 7)] == ["Above, Ada", "Fabre, Player 6"]

    @pytest.mark.costly
    def test_c04_7_a_player_announced_for_a_later_round_does_not_count_for_group_a(
        self, chief_arbiter: User
    ) -> None:
        """Nine on the list, one from round 2 on, one withdrawn:
        group A has 2·⌈7/4⌉ = 4 players, the last is 5.
        """
        made = accelerated(chief_arbiter)
        entry_withdraw(entry_id=entry_of(made, 2).pk, actor=chief_arbiter, now=NOW, from_round=1)
        entry_update(entry_id=entry_of(made, 9).pk, actor=chief_arbiter, now=NOW, first_round=2)
        assert accelerated_tpns(made, 1) == [1, 2, 3, 4, 5]
        pair_and_publish(made, 1, chief_arbiter)
        made.refresh_from_db()
        assert made.group_a_last == entry_of(made, 5)

    @pytest.mark.costly
    @pytest.mark.parametrize("kind", ["Z", "H"])
    def test_c04_7_a_player_with_a_bye_in_round_1_does_not_count_for_group_a(
        self, kind: str, chief_arbiter: User
    ) -> None:
        """Eight of nine are to be paired: group A has four of them, and player 2 between them."""
        made, other = accelerated(chief_arbiter), accelerated(chief_arbiter)
        bye_request(
            entry_id=entry_of(made, 2).pk, actor=chief_arbiter, now=NOW, round_number=1, kind=kind
        )
        assert accelerated_tpns(made, 1) == [1, 2, 3, 4, 5]
        assert accelerated_tpns(other, 1) == [1, 2, 3, 4, 5, 6]
        pair_and_publish(made, 1, chief_arbiter)
        made.refresh_from_db()
        assert made.group_a_last == entry_of(made, 5)

    @pytest.mark.costly
    def test_c04_7_a_file_that_only_names_baku_is_paired_the_same(
        self, chief_arbiter: User
    ) -> None:
        """The values are fixed: an event without late entries
        is the same without its records 250.
        """
        made = accelerated(chief_arbiter)
        bye_request(
            entry_id=entry_of(made, 2).pk, actor=chief_arbiter, now=NOW, round_number=1, kind="H"
        )
        play_rounds(
            made,
            [1, 2, 3],
            chief_arbiter,
            lambda board, white, black: ["10", "01", "=="][board % 3],
        )
        text = trf_export(made, public=False)
        short = "".join(
            line for line in text.splitlines(keepends=True) if not line.startswith("250")
        )
        assert short != text
        preview = trf_preview(short.encode())
        assert (
            preview.accelerated,
            preview.differences,
            [str(warning) for warning in preview.warnings],
        ) == (
            True,
            (),
            [
                (
                    "No record 250 names the accelerated players. Group A ends with player 5, "
                    "from the players paired"
                    " in round 1 (C.04.7)."
                )
            ],
        )
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=short.encode())
        assert records(trf_export(again, public=False)) == records(text)


@pytest.fixture
@cached
def eventful(chief_arbiter: User) -> Tournament:
    """Two late entries, byes, forfeits, a withdrawal, beyond the end of the acceleration."""
    return play_eventfully(accelerated(chief_arbiter, players=13), chief_arbiter)


def play_eventfully(made: Tournament, actor: User) -> Tournament:
    bye_request(entry_id=entry_of(made, 3).pk, actor=actor, now=NOW, round_number=2, kind="H")
    play_rounds(made, [1], actor, lambda board, white, black: ["10", "01", "=="][board % 3])
    for name, rating in (("Above, Ada", 2375), ("Below, Ben", 2290)):
        entry_add(
            tournament_id=made.pk,
            actor=actor,
            now=NOW,
            name=name,
            fide_rating=rating,
            checked_in=True,
        )
    play_rounds(
        made, [2, 3], actor, lambda board, white, black: ["+-", "==", "10", "01"][board % 4]
    )
    entry_withdraw(entry_id=entry_of(made, 9).pk, actor=actor, now=NOW)
    play_rounds(made, [4, 5, 6], actor, lambda board, white, black: ["10", "==", "01"][board % 3])
    return made


class TestReported:
    @pytest.mark.costly
    @pytest.mark.parametrize("system", ["dutch_2026", "dutch_2017"])
    def test_an_accelerated_event_checked_again_has_0_differences(
        self, chief_arbiter: User, system: str
    ) -> None:
        made = play_eventfully(accelerated(chief_arbiter, players=13, system=system), chief_arbiter)
        found = event_recheck(made).found
        assert found is not None
        assert (found.differences, found.rounds, found.players, found.ranks) == (0, 6, 15, 15)

    def test_without_its_virtual_points_it_would_have_differences(
        self, eventful: Tournament
    ) -> None:
        """Prove that the check above can fail: without the acceleration
        the rounds would be different.
        """
        Tournament.objects.filter(pk=eventful.pk).update(acceleration="")
        eventful.refresh_from_db()
        found = event_recheck(eventful).found
        assert found is not None
        assert [difference.round_number for difference in found.pairing_differences][:1] == [1]

    def test_c04_2_1_3_the_file_declares_it(self, eventful: Tournament) -> None:
        text = trf_export(eventful, public=True)
        # Group A had 2·⌈13/4⌉ = 8 players, and a late entry above its last player.
        assert records(text) == [
            "192 FIDE_DUTCH_2026_BAKU",
            "250      01.0 001 003 0001 0009",
            "250      00.5 004 005 0001 0009",
        ]
        assert "092 Individual: FIDE Dutch System 2026, Baku acceleration" in text.splitlines()

    def test_without_players_there_are_no_virtual_points(self, chief_arbiter: User) -> None:
        made = make_tournament(chief_arbiter, acceleration="baku")
        assert records(trf_export(made, public=False)) == ["192 FIDE_DUTCH_2026"]

    @pytest.mark.costly
    def test_the_file_becomes_the_same_tournament_again(
        self, eventful: Tournament, chief_arbiter: User
    ) -> None:
        data = trf_export(eventful, public=False).encode()
        preview = trf_preview(data)
        assert (preview.accelerated, preview.rounds_compared, preview.differences) == (True, 6, ())
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        assert (again.acceleration, again.group_a_last) == ("baku", entry_of(again, 9))
        assert [boards(again, number) for number in range(1, 7)] == [
            boards(eventful, number) for number in range(1, 7)
        ]
        assert records(trf_export(again, public=False)) == records(data.decode())
        for made in (eventful, again):
            pair_and_publish(made, 7, chief_arbiter)
        assert boards(again, 7) == boards(eventful, 7)

    @pytest.mark.costly
    def test_c04_2_2_3_new_numbers_may_move_the_border_of_group_a(
        self, chief_arbiter: User
    ) -> None:
        """The last player of group A falls from 6 to 9, so all players are in it:
        the file says so and is used.
        """
        made = accelerated(chief_arbiter)
        first = pair_and_publish(made, 1, chief_arbiter)
        last = entry_of(made, 6)
        entry_update(
            entry_id=last.pk, actor=chief_arbiter, now=NOW, fide_rating=1000, reason="a slip"
        )
        numbers_assign(tournament_id=made.pk, actor=chief_arbiter, now=NOW)
        enter_results(made, 1, chief_arbiter)
        results_publish(round_id=first.pk, actor=chief_arbiter, now=NOW)
        made.refresh_from_db()
        data = trf_export(made, public=False).encode()
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
        assert again.group_a_last == entry_of(again, 9)
        for tournament in (made, again):
            pair_and_publish(tournament, 2, chief_arbiter)
        assert boards(again, 2) == boards(made, 2)

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "old, new",
        [
            ("250      01.0 001 003 0001 0009", "250      01.0 001 002 0001 0009"),
            ("250      00.5 004 005 0001 0009", "250      01.0 004 005 0001 0009"),
            ("250      00.5 004 005 0001 0009\n", ""),
            ("250      01.0 001 003 0001 0009", "250      01.0 001 003 0002 0009"),
            ("192 FIDE_DUTCH_2026_BAKU", "192 FIDE_DUTCH_PRE2017"),
        ],
    )
    def test_other_virtual_points_than_baku_are_refused_with_a_sentence(
        self, eventful: Tournament, old: str, new: str
    ) -> None:
        text = trf_export(eventful, public=False)
        assert old in text
        changed = text.replace(old, new)
        with pytest.raises(
            BadInput, match="not with the virtual points of Baku acceleration"
        ) as bad:
            trf_preview(changed.encode())
        first = next(n for n, line in enumerate(changed.splitlines(), 1) if line.startswith("250"))
        assert (bad.value.code, bad.value.line) == ("trf.acceleration", first)

    @pytest.mark.costly
    def test_the_report_of_the_arbiter_names_it_and_its_group(
        self, eventful: Tournament, client: Client
    ) -> None:
        report = event_report(tournament_frame(eventful, runs=True))
        assert report.group_a_last == entry_of(eventful, 9)
        client.force_login(eventful.created_by)
        text = words(client, reverse("event-report", args=[eventful.slug]))
        assert "Acceleration Baku acceleration [C.04.7] group A: up to 9 Hollis, Player 8" in text

    @pytest.mark.costly
    def test_the_public_pages_show_it(self, eventful: Tournament, client: Client) -> None:
        about = words(client, f"/t/{eventful.slug}/")
        assert "Acceleration Baku acceleration In the first half of the rounds" in about
        pairings = reverse("pairings-public", args=[eventful.slug, 2])
        assert re.search(r"1 \+&nbsp;1 ", words(client, pairings))
        assert "players are paired and boards are ordered by points plus virtual points" in words(
            client, pairings
        )
        assert "virtual points" not in words(
            client, reverse("pairings-public", args=[eventful.slug, 6])
        )
        french = client.get(pairings, headers={"Accept-Language": "fr"}).content.decode()
        assert "Accélération Baku" in french

    @pytest.mark.costly
    def test_the_draft_shows_the_pairing_score(self, chief_arbiter: User, client: Client) -> None:
        made = accelerated(chief_arbiter)
        client.force_login(chief_arbiter)
        client.post(reverse("round-pair", args=[made.slug, 1]))
        page = words(client, reverse("round", args=[made.slug, 1]))
        assert page.count("0 +&nbsp;1 ") == 6

    def test_the_api_shows_it(self, eventful: Tournament, client: Client) -> None:
        about = f"/api/v1/tournaments/{eventful.slug}/"
        assert client.get(about).json()["acceleration"] == "baku"
        found = client.get(about + "rounds/4/pairings/").json()["boards"]
        given = {
            board[side]["tpn"]: board[side]["virtual_points"]
            for board in found
            for side in ("white", "black")
        }
        assert given == {tpn: 0.5 if tpn <= 9 else 0 for tpn in given}
        assert {0, 0.5} == set(given.values())


def words(client: Client, address: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", client.get(address).content.decode()).split())


@pytest.mark.costly
def test_c04_7_the_explanation_shows_the_pairing_scores(
    chief_arbiter: User, client: Client
) -> None:
    made = accelerated(chief_arbiter)
    neighbour = make_ready(chief_arbiter, players=9, rounds=9, name="Beside")
    for event in (made, neighbour):
        play_rounds(event, [1], chief_arbiter)
        pair_and_publish(event, 2, chief_arbiter)
    client.force_login(chief_arbiter)
    white, black, _ = boards(made, 2)[0]
    address = reverse("round-why", args=[made.slug, 2])
    response = client.get(address, {"player": white, "other": 9})
    answer = {one.entry.tpn: (one.points, one.virtual) for one in response.context["why"].paired_by}
    page = round_page(tournament_frame(made, runs=True), round_of(made, 2))
    players = {p.tpn: p for line in page.boards for p in (line.white, line.black)}
    players |= {bye.player.tpn: bye.player for bye in page.byes}
    assert answer == {tpn: (players[tpn].points, players[tpn].virtual) for tpn in (white, black, 9)}
    assert {virtual for _, virtual in answer.values()} == {10, 0}
    text = " ".join(
        re.sub(r"<[^>]*>", " ", response.content.decode()).replace("&nbsp;", " ").split()
    )
    assert "players are paired by points plus virtual points. [C.04.7]" in text
    assert f"{white} {players[white].name}: 1 + 1" in text
    plain = client.get(reverse("round-why", args=[neighbour.slug, 2]), {"player": 1})
    assert plain.context["why"].paired_by == ()
    assert "virtual" not in plain.content.decode()
