"""The regulations about numbers, late entries and byes, and their effects [C.04.2/2026 2, 3.3]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.engine.model import Result
from pairing.rounds.arrange import Pairings
from pairing.rounds.changes import round_change
from pairing.rounds.pair import round_pair
from pairing.rounds.snapshot import snapshot
from pairing.rules.published import Situation
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    entry_of,
    make_ready,
    make_tournament,
    pair_and_publish,
    play_rounds,
    round_of,
    seen_now,
)
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tournaments.core.errors import RuleRefused
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import entry_add, entry_update, numbers_assign
from tournaments.entries.number_preview import number_preview
from tournaments.models import Entry, RequestedBye, Seat, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_update

pytestmark = pytest.mark.django_db


def equals(actor: User, **fields: object) -> Tournament:
    """Three players of rating 2000 without title, entered as Zoe, Ada, Max;
    national ratings 1900, none, 1950.
    """
    tournament = make_tournament(actor, **fields)
    for name, national in (("Zoe", 1900), ("Ada", None), ("Max", 1950)):
        entry_add(
            tournament_id=tournament.pk,
            actor=actor,
            now=NOW,
            name=name,
            fide_rating=2000,
            national_rating=national,
        )
    numbers_assign(tournament_id=tournament.pk, actor=actor, now=NOW)
    return tournament


class TestNumbers:
    @pytest.mark.parametrize(
        "criterion, expected",
        [
            ("", ["Ada", "Max", "Zoe"]),
            ("national", ["Max", "Zoe", "Ada"]),
            ("entered", ["Zoe", "Ada", "Max"]),
        ],
    )
    def test_c04_2_2_2_3_a_declared_criterion_replaces_the_alphabet(
        self, criterion: str, expected: list[str], chief_arbiter: User
    ) -> None:
        tournament = equals(chief_arbiter, third_criterion=criterion)
        names = (
            Entry.objects.filter(tournament=tournament)
            .order_by("tpn")
            .values_list("name", flat=True)
        )
        assert list(names) == expected
        assert [line.name for line in number_preview(tournament).lines] == expected

    def test_c04_2_2_2_3_the_criterion_is_declared_before_round_1_only(
        self, ready: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        tournament_update(
            tournament_id=ready.pk, actor=chief_arbiter, now=NOW, third_criterion="entered"
        )
        page = client.get(reverse("tournament", args=[ready.slug])).content.decode()
        assert "order of entry" in page
        round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        with pytest.raises(RuleRefused) as refused:
            tournament_update(
                tournament_id=ready.pk, actor=chief_arbiter, now=NOW, third_criterion=""
            )
        assert refused.value.article == "C.04.2 2.2.3"

    @pytest.mark.costly
    def test_c04_2_2_1_the_rating_list_is_named_and_is_the_same_for_all(
        self, ready: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        tournament_update(
            tournament_id=ready.pk,
            actor=chief_arbiter,
            now=NOW,
            rating_list="FIDE standard, Nov 2026",
        )
        entry_update(entry_id=entry_of(ready, 3).pk, actor=chief_arbiter, now=NOW, rating=2390)
        assert number_preview(ready).not_of_the_list == 1
        client.force_login(chief_arbiter)
        page = " ".join(client.get(reverse("numbers", args=[ready.slug])).content.decode().split())
        assert "Rating list: FIDE standard, Nov 2026" in page
        assert (
            "1 player has a rating from another source, although all players are on one rating list"
            in page
        )
        client.logout()
        assert (
            "FIDE standard, Nov 2026"
            in client.get(reverse("tournament", args=[ready.slug])).content.decode()
        )
        players = client.get(reverse("players", args=[ready.slug])).content.decode()
        assert tidy(players).count('title="arbiter’s estimate">est.</abbr>') == 1

    def test_c04_2_2_3_the_preview_names_every_player_and_board(
        self, ready: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        pair_and_publish(ready, 1, chief_arbiter)
        assert boards(ready, 1) == [(1, 5, ""), (6, 2, ""), (3, 7, ""), (8, 4, "")]
        entry_update(
            entry_id=entry_of(ready, 3).pk,
            actor=chief_arbiter,
            now=NOW,
            fide_rating=2395,
            reason="a slip",
        )
        preview = number_preview(ready)
        assert [(line.tpn, line.proposed) for line in preview.lines if line.changes] == [
            (3, 2),
            (2, 3),
        ]
        assert (preview.paired_round, preview.boards) == (1, (2, 3))
        client.force_login(chief_arbiter)
        page = " ".join(client.get(reverse("numbers", args=[ready.slug])).content.decode().split())
        assert "The players on these boards of round 1 would get other numbers: 2, 3." in page


class TestLateEntries:
    @pytest.fixture
    def generous(self, chief_arbiter: User) -> Tournament:
        """The player gets half a point for each round missed; two of five rounds are played."""
        tournament = make_ready(chief_arbiter, late_entry_bye="H")
        play_rounds(tournament, [1, 2], chief_arbiter)
        return tournament

    @pytest.mark.costly
    def test_c04_2_2_4_late_entries_get_the_points_of_the_regulations(
        self, generous: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        late = entry_add(
            tournament_id=generous.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lara",
            fide_rating=2500,
            checked_in=True,
        )
        assert (late.tpn, late.first_round) == (1, 3)
        assert [byes(generous, number) for number in (1, 2)] == [{1: "H"}, {1: "H"}]
        state, _ = snapshot(generous, 3)
        assert [record.result for record in state.by_tpn()[1].rounds] == [Result.HALF_POINT_BYE] * 2  # type: ignore[index]
        standings = client.get(reverse("api:standings", args=[generous.slug])).json()["standings"]
        assert next(line["points"] for line in standings if line["tpn"] == 1) == 1
        row = next(
            line for line in trf_export(generous, public=True).splitlines() if "Late, Lara" in line
        )
        assert row.rstrip().endswith("0000 - H  0000 - H")
        pair_and_publish(generous, 3, chief_arbiter)
        assert 1 in {tpn for white, black, _ in boards(generous, 3) for tpn in (white, black)}

    @pytest.mark.costly
    def test_c04_2_2_4_players_announced_for_a_later_round_get_points_for_the_rounds_between(
        self, generous: Tournament, chief_arbiter: User
    ) -> None:
        entry_add(
            tournament_id=generous.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lara",
            fide_rating=1,
            first_round=4,
        )
        assert "240 H 003 0009" in trf_export(generous, public=False)
        pair_and_publish(generous, 3, chief_arbiter)
        assert [byes(generous, number).get(9) for number in (1, 2, 3)] == ["H", "H", "H"]

    def test_c04_2_2_4_no_points_unless_the_regulations_give_them(
        self, played_round, chief_arbiter: User
    ) -> None:  # type: ignore[no-untyped-def]
        late = entry_add(
            tournament_id=played_round.tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lara",
            checked_in=True,
        )
        assert not Seat.objects.filter(entry=late).exists()

    @pytest.mark.costly
    def test_c04_2_4_4_4_a_late_entry_admitted_to_a_published_round_gets_no_points_for_it(
        self, chief_arbiter: User
    ) -> None:
        tournament = make_ready(chief_arbiter, players=7, late_entry_bye="H")
        pair_and_publish(tournament, 1, chief_arbiter)
        late = entry_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lara",
            checked_in=True,
        )
        assert byes(tournament, 1) == {7: "U", 8: "H"}
        pk = {tpn: entry_of(tournament, tpn).pk for tpn in range(1, 9)}
        round_change(
            round_id=round_of(tournament, 1).pk,
            pairings=Pairings(
                {1: (pk[1], pk[4]), 2: (pk[5], pk[2]), 3: (pk[3], pk[6]), 4: (pk[7], late.pk)}
            ),
            situation=Situation.LATE_ENTRY,
            consents=[pk[7], late.pk],
            witness="Wilma Witness",
            reason="she had told us",
            actor=chief_arbiter,
            now=NOW,
        )
        assert (boards(tournament, 1)[3], byes(tournament, 1)) == ((7, 8, ""), {})

    @pytest.mark.costly
    def test_c04_2_2_5_definitive_numbers_do_not_move_for_a_late_entry(
        self, ready: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        pair_and_publish(ready, 1, chief_arbiter)
        client.force_login(chief_arbiter)
        client.post(reverse("list-close", args=[ready.slug]), seen_now(ready))
        given = {"name": "Late, Lara", "fide_rating": "2600"}
        refused = client.post(reverse("entry-add", args=[ready.slug]), given)
        assert refused.status_code == 422
        assert "reopen the list before you add an entry. (C.04.2 2.5)" in refused.content.decode()
        assert Entry.objects.filter(tournament=ready).count() == 8
        client.post(reverse("list-close", args=[ready.slug]), {"reopen": "yes", **seen_now(ready)})
        assert client.post(reverse("entry-add", args=[ready.slug]), given).status_code == 302
        assert entry_of(ready, 1).name == "Late, Lara"
        assert (
            "numbers provisional"
            in client.get(reverse("players", args=[ready.slug])).content.decode()
        )


class TestByes:
    @pytest.fixture
    def strict(self, chief_arbiter: User) -> Tournament:
        return make_ready(chief_arbiter, byes_in_advance=True)

    def ask(self, tournament: Tournament, actor: User, number: int, kind: str = "H") -> None:
        bye_request(
            entry_id=entry_of(tournament, 2).pk,
            actor=actor,
            now=NOW,
            round_number=number,
            kind=kind,
        )

    @pytest.mark.costly
    def test_c04_2_3_3_a_bye_is_requested_before_the_pairings_of_the_previous_round(
        self, strict: Tournament, chief_arbiter: User
    ) -> None:
        self.ask(strict, chief_arbiter, 1)
        pair_and_publish(strict, 1, chief_arbiter)
        with pytest.raises(RuleRefused) as refused:
            self.ask(strict, chief_arbiter, 2)
        assert (refused.value.code, refused.value.article) == ("bye.not_in_advance", "C.04.2 3.3")
        self.ask(strict, chief_arbiter, 2, "Z")
        self.ask(strict, chief_arbiter, 3)
        assert list(
            own(RequestedBye).order_by("round_number").values_list("round_number", "kind")
        ) == [
            (1, "H"),
            (2, "Z"),
            (3, "H"),
        ]

    @pytest.mark.costly
    def test_c04_2_3_3_the_check_in_grants_no_later_bye(
        self, strict: Tournament, chief_arbiter: User
    ) -> None:
        play_rounds(strict, [1], chief_arbiter)
        who = {"actor": chief_arbiter, "now": NOW}
        check_in_open(tournament_id=strict.pk, **who)
        check_in_close(tournament_id=strict.pk, **who)
        seen = list(Entry.objects.filter(tournament=strict).values_list("pk", flat=True))
        with pytest.raises(RuleRefused) as refused:
            check_in_settle(
                tournament_id=strict.pk, consequence="H", seen=seen, confirmed=True, **who
            )
        assert refused.value.code == "bye.not_in_advance"

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "had, kind, sentences",
        [
            ((), "H", []),
            ((), "Z", []),
            ((2,), "Z", []),
            ((2,), "H", ["another bye with points"]),
            ((), "F", ["is discouraged"]),
            ((2,), "F", ["another bye with points", "is discouraged"]),
        ],
    )
    def test_c04_2_3_3_a_second_bye_and_a_full_point_bye_need_a_confirmation(
        self,
        had: tuple[int, ...],
        kind: str,
        sentences: list[str],
        ready: Tournament,
        client: Client,
        chief_arbiter: User,
    ) -> None:
        for number in had:
            self.ask(ready, chief_arbiter, number)
        client.force_login(chief_arbiter)
        url = reverse("bye-request", args=[ready.slug, entry_of(ready, 2).pk])
        form = {"round_number": "4", "kind": kind, **seen_now(ready)}
        answer = client.post(url, form)
        noted = own(RequestedBye).filter(round_number=4)
        if sentences:
            text = answer.content.decode()
            assert (answer.status_code, noted.exists()) == (422, False)
            assert [
                sentence in text for sentence in ("another bye with points", "is discouraged")
            ] == [
                sentence in sentences for sentence in ("another bye with points", "is discouraged")
            ]
            # A different bye needs a confirmation of its own.
            assert client.post(url, {**form, "confirmed": "3 H"}).status_code == 422
            assert client.post(url, {**form, "confirmed": f"4 {kind}"}).status_code == 302
        assert noted.exists()
