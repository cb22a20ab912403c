"""A third colour in a row in changed pairings [C.04.1/2026 7] [C.04.2/2026 4.4]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from pairing.rounds.arrange import round_arrange
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from pairing.rules.manual import new_cautions
from pairing.rules.published import Arrangement, Situation
from tests.tournaments.factories import (
    CUT_SHORT,
    NOW,
    boards,
    enter_results,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.rounds.test_change_actions import WHY, change, pairings
from tournaments.core.errors import RuleRefused
from tournaments.models import Decision, Tournament

pytestmark = pytest.mark.django_db


def as_text(arrangement: Arrangement) -> str:
    return " ".join(f"{white}-{black}" for _, (white, black) in sorted(arrangement.boards.items()))


def change3(tournament: Tournament, actor: User, text: str, **more):
    return change(tournament, 3, actor, text, Situation.REGULATIONS, **more)


@pytest.fixture
def third_round(chief_arbiter: User) -> tuple[Tournament, str]:
    """Return an event with round 3 published, and a change that no
    colours save from a third colour in a row.

    1, 3, 6 and 8 had White twice and the others Black; the change lets two of them meet.
    """
    tournament = make_ready(chief_arbiter, players=8, change_clause="7.3")
    play_rounds(tournament, [1], chief_arbiter)
    draft = round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    by_hand = pairings(tournament, "1-2 6-5 3-4 8-7")
    round_arrange(round_id=draft.pk, pairings=by_hand, reason=WHY, actor=chief_arbiter, now=NOW)
    round_publish(
        round_id=draft.pk, actor=chief_arbiter, now=NOW, cut_short=CUT_SHORT, leave_fide_mode=True
    )
    enter_results(tournament, 2, chief_arbiter)
    results_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
    pair_and_publish(tournament, 3, chief_arbiter)
    (a, b, _), (c, d, _), *rest = boards(tournament, 3)
    return tournament, " ".join([f"{a}-{c}", f"{b}-{d}", *(f"{w}-{b}" for w, b, _ in rest)])


@pytest.mark.costly
def test_c04_1_7_a_third_colour_needs_its_own_reason_and_is_recorded(third_round, chief_arbiter):
    tournament, text = third_round
    state, entries = snapshot(tournament, 3)
    now, _ = arrangement_of(round_of(tournament, 3), entries)

    def answer(exception: str) -> str:
        try:
            change3(tournament, chief_arbiter, text, exception=exception)
        except RuleRefused as refused:
            return refused.code
        return "yes"

    assert (answer(""), answer("."), answer("nobody else may play them")) == (
        "change.exception_missing", "change.exception_missing", "yes",
    )  # fmt: skip
    after, _ = arrangement_of(round_of(tournament, 3), entries)
    expected = [(c.code, c.article, list(c.players)) for c in new_cautions(state, now, after)]
    row = Decision.objects.latest("sequence")
    assert expected
    # Only the boards that change are in the record.
    assert [(c["code"], c["article"], c["players"]) for c in row.after["cautions"]] == expected
    assert row.after["exception"] == "nobody else may play them"


def test_c04_1_7_a_third_colour_that_other_colours_avoid_is_refused(third_round, chief_arbiter):
    tournament, _ = third_round
    state, entries = snapshot(tournament, 3)
    now, _ = arrangement_of(round_of(tournament, 3), entries)
    turned = next(
        Arrangement(now.boards | {n: (black, white)})
        for n, (white, black) in now.boards.items()
        if new_cautions(state, now, Arrangement(now.boards | {n: (black, white)}))
    )
    with pytest.raises(RuleRefused) as refused:
        change3(tournament, chief_arbiter, as_text(turned), exception="he asked for it")
    assert (refused.value.code, refused.value.article) == ("change.colours_avoidable", "C.04.1 7")
    assert arrangement_of(round_of(tournament, 3), entries)[0] == now
