"""A round without a legal pairing is paired by hand,
starting from no boards [C.04.3/2026 1.9.3].
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.against_engine import against_engine
from pairing.rounds.arrange import Pairings, ordered, pairings_of, round_arrange
from pairing.rounds.by_hand import round_pair_by_hand
from pairing.rounds.correction_outlook import outlook_for_game
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from pairing.rules.rounds import RoundState
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    cached,
    entry_of,
    make_ready,
    play_rounds,
    round_of,
)
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Decision, Game, Round, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.django_db

WHY = "everybody has met everybody"


@pytest.fixture
@cached
def stuck(chief_arbiter: User) -> Tournament:
    """Four players who have all met; round 4 is to be paired."""
    tournament = make_ready(chief_arbiter, players=4, rounds=5)
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    return tournament


def pairings(
    tournament: Tournament, *pairs: tuple[int, int], bye: int = 0, without: tuple[int, ...] = ()
) -> Pairings:
    pk = {tpn: entry_of(tournament, tpn).pk for tpn in range(1, 5)}
    letters = {pk[tpn]: "Z" for tpn in without} | ({pk[bye]: "U"} if bye else {})
    return Pairings(
        {n: (pk[white], pk[black]) for n, (white, black) in enumerate(pairs, start=1)}, letters
    )


def pair_by_hand(tournament: Tournament, actor: User, seats: Pairings, **given: object) -> Round:
    values: dict[str, object] = {"reason": WHY, **given}
    return round_pair_by_hand(
        round_id=round_of(tournament, 4).pk,
        pairings=seats,
        actor=actor,
        now=NOW,
        **values,  # type: ignore[arg-type]
    )


@pytest.mark.costly
def test_c04_3_1_9_3_the_chief_arbiter_pairs_the_round_by_hand(
    stuck: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(RuleRefused) as refused:
        round_pair(round_id=round_of(stuck, 4).pk, actor=chief_arbiter, now=NOW)
    assert (refused.value.code, refused.value.article) == ("no_legal_pairing", "C.04.3 1.9.3")
    row = pair_by_hand(stuck, chief_arbiter, pairings(stuck, (4, 3), (1, 2)))
    assert row.state == RoundState.DRAFT
    # In the order of C.04.2 3.6: the leader's board comes first.
    assert boards(stuck, 4) == [(1, 2, ""), (4, 3, "")]
    decision = Decision.objects.filter(tournament=stuck).latest("sequence")
    assert (decision.action, decision.article, decision.reason) == (
        "round.paired_by_hand",
        "C.04.3 1.9.3",
        WHY,
    )
    assert decision.before == {"boards": {}, "names": {}, "byes": {}, "names_of_byes": {}}
    assert decision.after["boards"] == {
        "1": [entry_of(stuck, 1).pk, entry_of(stuck, 2).pk],
        "2": [entry_of(stuck, 4).pk, entry_of(stuck, 3).pk],
    }
    assert {caution["code"] for caution in decision.after["cautions"]} >= {"met_before"}
    assert record.verify(stuck) == []


@pytest.mark.costly
def test_c04_3_1_9_3_the_draft_is_arranged_published_and_played_like_any_other(
    stuck: Tournament, chief_arbiter: User
) -> None:
    row = pair_by_hand(stuck, chief_arbiter, pairings(stuck, (4, 3), (1, 2)))
    turned = pairings(stuck, (2, 1), (4, 3))
    round_arrange(round_id=row.pk, pairings=turned, reason=WHY, actor=chief_arbiter, now=NOW)
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    assert boards(stuck, 4) == [(2, 1, ""), (4, 3, "")]
    for game in Game.objects.filter(round=row):
        result_record(game_id=game.pk, result="==", actor=chief_arbiter, now=NOW)
    results_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    recheck = event_recheck(stuck)
    assert [(seen.number, seen.no_legal_pairing) for seen in recheck.rounds] == [
        (4, "C.04.3 1.9.3")
    ]


@pytest.mark.costly
def test_c04_2_1_5_every_board_is_listed_as_paired_by_hand(
    stuck: Tournament, chief_arbiter: User, client: Client
) -> None:
    row = pair_by_hand(stuck, chief_arbiter, pairings(stuck, (1, 2), bye=3, without=(4,)))
    assert byes(stuck, 4) == {3: "U", 4: "Z"}
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    differences = against_engine(tournament_frame(stuck, runs=False))[-1]
    assert (differences.number, differences.known, differences.no_legal_pairing) == (
        4,
        True,
        "C.04.3 1.9.3",
    )
    assert [line.board for line in differences.deviations] == [1]
    text = client.get(reverse("against-engine", args=[stuck.slug])).content.decode()
    assert "The engine found no legal pairing. [C.04.3 1.9.3]" in text
    assert "round paired by hand (draft) [C.04.3 1.9.3]" in tidy(text)
    assert (
        "### MPA @ Round 4: boards 1, C.04.3 1.9.3" in trf_export(stuck, public=True).splitlines()
    )


def test_c04_2_1_5_a_round_that_can_be_paired_is_not_paired_by_hand(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, players=4, rounds=5)
    play_rounds(tournament, [1, 2], chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        round_pair_by_hand(
            round_id=round_of(tournament, 3).pk,
            pairings=pairings(tournament, (1, 2), (3, 4)),
            reason=WHY,
            actor=chief_arbiter,
            now=NOW,
        )
    assert (refused.value.code, refused.value.article) == (
        "manual.legal_pairing_exists",
        "C.04.2 1.5",
    )
    assert boards(tournament, 3) == []


@pytest.mark.parametrize(
    "pairs, more, code",
    [
        (((1, 2), (2, 3)), {}, "change.two_places"),
        (((1, 2),), {}, "change.no_place"),
        ((), {"without": (1, 2, 3, 4)}, "manual.no_board"),
    ],
)
def test_every_player_has_one_place(
    pairs: tuple[tuple[int, int], ...],
    more: dict[str, tuple[int, ...]],
    code: str,
    stuck: Tournament,
    chief_arbiter: User,
) -> None:
    rows = own(Decision).count()
    with pytest.raises(RuleRefused) as refused:
        pair_by_hand(stuck, chief_arbiter, pairings(stuck, *pairs, **more))  # type: ignore[arg-type]
    assert (refused.value.code, boards(stuck, 4), own(Decision).count()) == (code, [], rows)


def test_c04_2_3_3_absent_players_get_no_board(chief_arbiter: User) -> None:
    """Two of four have met and are present; the other two are absent."""
    tournament = make_ready(chief_arbiter, players=4, rounds=5)
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    bye_request(
        entry_id=entry_of(tournament, 3).pk, actor=chief_arbiter, now=NOW, round_number=4, kind="H"
    )
    entry_withdraw(entry_id=entry_of(tournament, 4).pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(RuleRefused) as refused:
        pair_by_hand(tournament, chief_arbiter, pairings(tournament, (1, 2), (3, 4)))
    names = "; ".join(entry_of(tournament, tpn).name for tpn in (3, 4))
    assert (
        str(refused.value) == f"These players cannot be paired in this round: {names}. (C.04.2 3.3)"
    )
    pair_by_hand(tournament, chief_arbiter, pairings(tournament, (1, 2)))
    assert (boards(tournament, 4), byes(tournament, 4)) == ([(1, 2, "")], {3: "H", 4: "Z"})


@pytest.mark.costly
def test_a_reason_and_the_chief_arbiter_are_needed(
    stuck: Tournament, chief_arbiter: User, deputy: User
) -> None:
    seats = pairings(stuck, (1, 2), (3, 4))
    with pytest.raises(BadInput) as missing:
        pair_by_hand(stuck, chief_arbiter, seats, reason=".")
    assert missing.value.code == "change.reason_missing"
    with pytest.raises(PermissionDenied):
        pair_by_hand(stuck, deputy, seats)
    with pytest.raises(Conflict):
        pair_by_hand(stuck, chief_arbiter, seats, seen_version=1)
    row = pair_by_hand(stuck, chief_arbiter, seats)
    with pytest.raises(PermissionDenied):
        round_arrange(round_id=row.pk, pairings=seats, reason=WHY, actor=deputy, now=NOW)


@pytest.mark.costly
def test_a_draft_that_is_out_of_date_is_paired_by_hand_again(
    stuck: Tournament, chief_arbiter: User
) -> None:
    seats = pairings(stuck, (1, 2), (3, 4))
    pair_by_hand(stuck, chief_arbiter, seats)
    with pytest.raises(RuleRefused):
        pair_by_hand(stuck, chief_arbiter, seats)
    bye_request(
        entry_id=entry_of(stuck, 4).pk, actor=chief_arbiter, now=NOW, round_number=4, kind="Z"
    )
    pair_by_hand(stuck, chief_arbiter, pairings(stuck, (2, 1), bye=3))
    assert (boards(stuck, 4), byes(stuck, 4)) == ([(2, 1, "")], {3: "U", 4: "Z"})
    round_unpair(round_id=round_of(stuck, 4).pk, actor=chief_arbiter, now=NOW)
    assert boards(stuck, 4) == []


def test_c04_2_4_4_the_draft_by_hand_is_undone_like_any_other(
    stuck: Tournament, chief_arbiter: User
) -> None:
    pair_by_hand(stuck, chief_arbiter, pairings(stuck, (1, 2), (3, 4)))
    last = Decision.objects.filter(tournament=stuck).latest("sequence")
    action_undo(tournament_id=stuck.pk, actor=chief_arbiter, now=NOW, sequence=last.sequence)
    assert (round_of(stuck, 4).state, boards(stuck, 4)) == (RoundState.PLANNED, [])
    assert record.verify(stuck) == []


@pytest.mark.costly
def test_c04_7_boards_by_hand_are_in_the_order_of_the_pairing_score(chief_arbiter: User) -> None:
    """Round 2 with Baku: a loser of group A is paired with as
    many points as a winner of group B.
    """
    tournament = make_ready(chief_arbiter, players=8, rounds=5, acceleration="baku")
    play_rounds(tournament, [1], chief_arbiter)
    draft = round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    state, entries = snapshot(tournament, 2)
    now, _ = arrangement_of(draft, entries)
    assert ordered(now, state).boards == now.boards
    turned = {
        n: ((black, white) if n == 4 else (white, black))
        for n, (white, black) in now.boards.items()
    }
    shuffled = {5 - n: pair for n, pair in turned.items()}
    seats = pairings_of(type(now)(shuffled, now.byes), entries)
    round_arrange(round_id=draft.pk, pairings=seats, reason=WHY, actor=chief_arbiter, now=NOW)
    after, _ = arrangement_of(draft, entries)
    assert after.boards == turned


class TestPage:
    def address(self, tournament: Tournament) -> str:
        return reverse("round-by-hand", args=[tournament.slug, 4])

    @pytest.mark.costly
    def test_c04_3_1_9_3_from_the_refusal_to_the_draft(
        self, stuck: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        for headers in ({}, {"HX-Request": "true"}):
            refused = client.post(reverse("round-pair", args=[stuck.slug, 4]), headers=headers)
            assert refused.status_code == 409
            assert f'href="{self.address(stuck)}">Pair by hand</a>' in refused.content.decode()
        page = client.get(self.address(stuck))
        assert "with your reason. [C.04.3 1.9.3]" in " ".join(page.content.decode().split())
        assert [(row.board, row.white, row.black) for row in page.context["rows"]] == [
            (1, None, None),
            (2, None, None),
        ]
        pk = {tpn: entry_of(stuck, tpn).pk for tpn in range(1, 5)}
        form: dict[str, object] = {
            "w-1": pk[1],
            "b-1": pk[2],
            "bye": pk[3],
            "version": stuck.version,
        }
        live = client.post(self.address(stuck), form)
        text = " ".join(live.content.decode().split())
        assert live.status_code == 200
        assert "The engine finds no legal pairing of this round. [C.04.3 1.9.3]" in text
        assert "they have already played each other [C.04.1 2]" in text
        assert f"Without a game: 4 {entry_of(stuck, 4).name}" in text
        assert 'name="save"' in text
        assert boards(stuck, 4) == []
        silent = client.post(self.address(stuck), {**form, "save": "yes"})
        assert silent.status_code == 400
        assert "Enter a reason" in silent.content.decode()
        form |= {"w-2": pk[3], "b-2": pk[4], "bye": "", "reason": WHY, "save": "yes"}
        done = client.post(self.address(stuck), form)
        assert done.headers["Location"] == reverse("round", args=[stuck.slug, 4])
        assert sorted(boards(stuck, 4)) == [(1, 2, ""), (3, 4, "")]

    def test_two_places_for_a_player_are_refused_before_saving(
        self, stuck: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        pk = {tpn: entry_of(stuck, tpn).pk for tpn in range(1, 5)}
        form = {"w-1": pk[1], "b-1": pk[2], "w-2": pk[2], "b-2": pk[3]}
        text = client.post(self.address(stuck), form).content.decode()
        assert f"These players are in two places at once: {entry_of(stuck, 2).name}." in text
        assert 'name="save"' not in text

    @pytest.mark.costly
    def test_where_a_legal_pairing_exists_the_page_says_so(
        self, ready: Tournament, client: Client, chief_arbiter: User, deputy: User
    ) -> None:
        client.force_login(chief_arbiter)
        address = reverse("round-by-hand", args=[ready.slug, 1])
        text = client.get(address).content.decode()
        assert (
            "There is a legal pairing: pair the round, then arrange the draft by hand. (C.04.2 1.5)"
            in text
        )
        assert client.post(address).status_code == 409

    @pytest.mark.costly
    def test_a_deputy_reads_that_it_is_for_the_chief_arbiter(
        self, stuck: Tournament, client: Client, deputy: User
    ) -> None:
        client.force_login(deputy)
        assert (
            "Only the Chief Arbiter can pair by hand."
            in client.get(self.address(stuck)).content.decode()
        )
        pk = [entry_of(stuck, tpn).pk for tpn in range(1, 5)]
        form = {
            "w-1": pk[0],
            "b-1": pk[1],
            "w-2": pk[2],
            "b-2": pk[3],
            "reason": WHY,
            "save": "yes",
        }
        assert client.post(self.address(stuck), form).status_code == 403


@pytest.mark.costly
def test_the_pages_say_that_no_legal_pairing_is_left(
    stuck: Tournament, chief_arbiter: User, client: Client
) -> None:
    """Those of the explanation, and of a correction before it is made."""
    pair_by_hand(stuck, chief_arbiter, pairings(stuck, (1, 2), (3, 4)))
    client.force_login(chief_arbiter)
    text = client.get(reverse("round-why", args=[stuck.slug, 4]), {"player": 1}).content.decode()
    assert "With the current data the round has no legal pairing" in text
    outlook = outlook_for_game(
        last_game(stuck, 3), CorrectionKind.RESULT, result="==", reported_at=NOW
    )
    assert (outlook.draft_round, outlook.can_be_paired, outlook.draft_boards) == (4, False, ())
    assert len(outlook.scoregroups) == 2


def last_game(tournament: Tournament, number: int) -> Game:
    return Game.objects.filter(
        round__tournament=tournament, round__number=number, result="10"
    ).latest("board")


def test_c04_2_4_3_a_correction_for_the_rating_report_moves_nobody(stuck: Tournament) -> None:
    late = outlook_for_game(
        last_game(stuck, 1), CorrectionKind.RESULT, result="==", reported_at=NOW
    )
    assert late.classification.effects == (CorrectionEffect.RATING_ONLY,)
    assert (late.moved, late.draft_round) == ((), None)


@pytest.mark.costly
def test_c04_3_1_9_3_a_round_paired_by_hand_differs_from_no_pairing_of_the_engine(
    stuck: Tournament, chief_arbiter: User, client: Client
) -> None:
    row = pair_by_hand(stuck, chief_arbiter, pairings(stuck, (4, 3), (1, 2)))
    client.force_login(chief_arbiter)
    draft = client.get(reverse("round", args=[stuck.slug, 4])).content.decode()
    assert (
        "The engine found no legal pairing, so the Chief Arbiter paired this round by hand."
        in draft
    )
    change = reverse("round-change", args=[stuck.slug, 4])
    arranged = client.post(
        f"{change}?b=1", {"w-1": entry_of(stuck, 2).pk, "b-1": entry_of(stuck, 1).pk, "show": "yes"}
    )
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    compared = client.get(reverse("against-engine", args=[stuck.slug])).content.decode()
    for text in (draft, arranged.content.decode(), compared):
        assert "from the engine" not in text
    assert "Paired by hand:" in compared
    line = Decision.objects.filter(tournament=stuck, action="pairings.published").latest("sequence")
    assert "otherwise" not in line.after.get("open_points", {})


@pytest.mark.costly
def test_c04_3_1_9_3_no_page_says_that_the_round_by_hand_ends_fide_mode(
    stuck: Tournament, chief_arbiter: User, client: Client
) -> None:
    """The page by hand, the two pages that arrange its draft, and the publication,
    which asks nothing.
    """
    client.force_login(chief_arbiter)
    pk = {tpn: entry_of(stuck, tpn).pk for tpn in range(1, 5)}
    form = {
        "w-1": pk[1],
        "b-1": pk[2],
        "w-2": pk[3],
        "b-2": pk[4],
        "version": stuck.version,
        "show": "yes",
    }
    by_hand = client.post(reverse("round-by-hand", args=[stuck.slug, 4]), form)
    row = pair_by_hand(stuck, chief_arbiter, pairings(stuck, (1, 2), (3, 4)))
    change = reverse("round-change", args=[stuck.slug, 4])
    arranged = client.post(f"{change}?b=1", {"w-1": pk[2], "b-1": pk[1], "show": "yes"})
    for page in (by_hand, arranged):
        text = tidy(page.content.decode())
        assert (
            "Publishing them does not end FIDE mode, and everybody can read it. [C.04.3 1.9.3]"
            in text
        )
        assert "would end FIDE mode" not in text
    swapped = client.get(f"{reverse('round-swap', args=[stuck.slug, 4])}?m={pk[1]}x{pk[3]}")
    assert (swapped.context["swap"].changes != (), swapped.context["swap"].leaves_fide_mode) == (
        True,
        False,
    )
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    stuck.refresh_from_db()
    assert stuck.left_fide_mode is None
