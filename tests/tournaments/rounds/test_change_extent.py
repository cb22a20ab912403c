"""How much of the published pairings each situation allows to change [C.04.2/2026 4.4]."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.rounds.arrange import round_arrange
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rules.published import Situation
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.rounds.test_change_actions import WHY, change, pairings
from tournaments.core.errors import RuleRefused
from tournaments.models import Decision, Seat, Tournament
from tournaments.setup.schedule import round_schedule

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]


class TestExtent:
    """A situation allows only its own change; every event has another event beside it."""

    @pytest.fixture
    def open_door(self, chief_arbiter: User) -> Tournament:
        """Seven players, any change allowed by the regulations;
        7 had the bye of round 1, round 2 is published.
        """
        for name in ("Beside it", "Autumn Open"):
            tournament = make_ready(chief_arbiter, players=7, change_clause="7.3", name=name)
            play_rounds(tournament, [1], chief_arbiter)
            pair_and_publish(tournament, 2, chief_arbiter)
        assert byes(tournament, 1) == {7: "U"}
        return tournament

    def answer_to(
        self,
        tournament: Tournament,
        actor: User,
        text: str,
        situation=Situation.REGULATIONS,
        **more,
    ) -> str:
        rows = list(Seat.objects.order_by("pk").values())
        try:
            change(tournament, 2, actor, text, situation, **more)
        except RuleRefused as refused:
            assert list(Seat.objects.order_by("pk").values()) == rows
            return f"{refused.code} {refused.article}"
        return "yes"

    def text(self, tournament: Tournament, **seats: int) -> str:
        """Return round 2 as text, with other players on the seats *seats*, such as ``w1``."""
        now = [[white, black] for white, black, _ in boards(tournament, 2)]
        for seat, tpn in seats.items():
            now[int(seat[1:]) - 1]["wb".index(seat[0])] = tpn
        return " ".join(f"{white}-{black}" for white, black in now)

    @pytest.mark.costly
    def test_c04_1_4_no_regulation_gives_a_second_bye(self, open_door, chief_arbiter):
        (holder,) = byes(open_door, 2)
        board = next(n for n, row in enumerate(boards(open_door, 2), start=1) if 7 in row[:2])
        side = "w" if boards(open_door, 2)[board - 1][0] == 7 else "b"
        text = self.text(open_door, **{f"{side}{board}": holder})
        assert self.answer_to(open_door, chief_arbiter, text, U="7") == "change.second_bye C.04.1 4"

    def test_c04_2_4_4_2_no_present_player_is_left_without_a_game(self, open_door, chief_arbiter):
        (white, black, _), *_ = boards(open_door, 2)
        (holder,) = byes(open_door, 2)
        text = ". " + self.text(open_door).partition(" ")[2]
        assert self.answer_to(
            open_door, chief_arbiter, text, U=f"{holder}", Z=f"{white} {black}"
        ) == ("change.sent_home C.04.2 4.4")

    @pytest.mark.costly
    def test_c04_2_4_4_2_no_change_after_play_has_begun(self, open_door, chief_arbiter):
        """Two hours after the announced start; before it the same change is made."""
        (white, black, _), *_ = boards(open_door, 2)
        (holder,) = byes(open_door, 2)
        text, bye = self.text(open_door, w1=black, b1=white), str(holder)
        start = NOW + timedelta(minutes=10)
        round_schedule(
            round_id=round_of(open_door, 2).pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=start,
            results_due_at=None,
            reason="the hall opened late",
        )
        later = {"now": start + timedelta(hours=2)}
        assert (
            self.answer_to(open_door, chief_arbiter, text, U=bye, **later)
            == "change.begun C.04.2 4.4.2"
        )
        assert (
            self.answer_to(open_door, chief_arbiter, text, U=bye, now=start)
            == "change.begun C.04.2 4.4.2"
        )
        assert (
            self.answer_to(open_door, chief_arbiter, text, U=bye, now=start - timedelta(minutes=1))
            == "yes"
        )

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "system, situation, article",
        [
            ("dutch_2026", Situation.ALREADY_MET, "C.04.2 4.4.1"),
            ("dutch_2017", Situation.ALREADY_MET, "C.04.2 D.10"),
            ("dutch_pre2017", Situation.ABSOLUTE_CRITERION, "C.04.3 F6"),
        ],
    )
    def test_c04_2_4_4_1_one_repeated_pair_does_not_allow_other_changes(
        self, system, situation, article, chief_arbiter, deputy
    ):
        """Round 1 was 1-5, 6-2, 3-7, 8-4; in round 2 two of them meet again by mistake."""
        tournament = make_ready(chief_arbiter, players=8, system=system)
        play_rounds(tournament, [1], chief_arbiter)
        draft = round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
        round_arrange(
            round_id=draft.pk,
            pairings=pairings(tournament, "5-1 2-3 7-8 4-6"),
            reason=WHY,
            actor=chief_arbiter,
            now=NOW,
        )
        round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)

        def with_boards(**other: str) -> str:
            """Return round 2 with these pairs instead of the boards of the White players named."""
            return " ".join(
                other.get(f"w{white}", f"{white}-{black}")
                for white, black, _ in boards(tournament, 2)
            )

        wide = with_boards(w5="5-3", w2="2-8", w7="7-1")
        assert (
            self.answer_to(tournament, chief_arbiter, wide, situation)
            == f"change.not_minimal {article}"
        )
        narrow = with_boards(w5="5-3", w2="2-1")
        with pytest.raises(PermissionDenied):
            change(tournament, 2, deputy, narrow, situation)
        numbers = {w: n for n, (w, _, _) in enumerate(boards(tournament, 2), start=1)}
        assert self.answer_to(tournament, chief_arbiter, narrow, situation) == "yes"
        row = Decision.objects.latest("sequence")
        assert (
            {*row.after["boards"]} == {*row.before["boards"]} == {str(numbers[5]), str(numbers[2])}
        )
        # Once more from the same page: these players do not meet again any more.
        assert self.answer_to(
            tournament, chief_arbiter, with_boards(w7="7-4", w4="8-6"), situation
        ).startswith("change.no")
