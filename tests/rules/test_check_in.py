"""Confirming presence before the drawing of lots [C.04.2/2026 4.1]."""

import pytest

from pairing.rules.check_in import (
    Answer,
    CheckIn,
    Consequence,
    article_of,
    may_answer,
    may_close,
    may_open,
    may_settle,
    may_tick,
    needs_confirmation,
)
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused

NOT_BEGUN = [RoundFacts(1, RoundState.PLANNED), RoundFacts(2, RoundState.PLANNED)]
DRAFTED = [RoundFacts(1, RoundState.DRAFT), RoundFacts(2, RoundState.PLANNED)]
UNDER_WAY = [RoundFacts(1, RoundState.PAIRINGS_PUBLISHED), RoundFacts(2, RoundState.PLANNED)]
OVER = [RoundFacts(1, RoundState.RESULTS_PUBLISHED), RoundFacts(2, RoundState.PAIRINGS_PUBLISHED)]

NEVER, OPEN, CLOSED = CheckIn(), CheckIn(1, is_open=True), CheckIn(1)


def answer(verdict):
    return f"{verdict.code} [{verdict.article}]" if isinstance(verdict, Refused) else "yes"


@pytest.mark.parametrize(
    "check_in, rounds, expected",
    [
        (
            NEVER,
            NOT_BEGUN,
            ("yes", "yes", "check_in.not_open []", "check_in.not_closed [C.04.2 4.1]"),
        ),
        (
            OPEN,
            NOT_BEGUN,
            ("yes", "check_in.open_already []", "yes", "check_in.not_closed [C.04.2 4.1]"),
        ),
        (CLOSED, NOT_BEGUN, ("check_in.closed [C.04.2 4.1]", "yes", "check_in.not_open []", "yes")),
        (CLOSED, DRAFTED, ("check_in.closed [C.04.2 4.1]", "yes", "check_in.not_open []", "yes")),
        (
            OPEN,
            UNDER_WAY,
            ("yes", "yes", "check_in.not_open []", "check_in.not_closed [C.04.2 4.1]"),
        ),
        (
            CLOSED,
            UNDER_WAY,
            (
                "check_in.closed [C.04.2 4.1]",
                "yes",
                "check_in.not_open []",
                "check_in.round_published [C.04.2 4.4]",
            ),
        ),
        (
            CLOSED,
            OVER,
            (
                "check_in.closed [C.04.2 4.1]",
                "check_in.no_round [C.04.2 4.1]",
                "check_in.not_open []",
                "check_in.round_published [C.04.2 4.4]",
            ),
        ),
    ],
)
def test_c04_2_4_1_allowed_actions_in_each_state_of_the_check_in(check_in, rounds, expected):
    settle = may_settle(
        check_in, rounds, Consequence.EXCLUDED, missing=1, due=8, decides=True, confirmed=False
    )
    verdicts = (may_tick(check_in), may_open(check_in, rounds), may_close(check_in, rounds), settle)
    assert tuple(map(answer, verdicts)) == expected


@pytest.mark.parametrize(
    "missing, due, expected", [(1, 5, False), (2, 10, False), (2, 9, True), (1, 4, True)]
)
def test_more_than_a_fifth_missing_needs_confirmation(missing, due, expected):
    assert needs_confirmation(missing=missing, due=due) is expected
    verdicts = {
        confirmed: may_settle(
            CLOSED,
            NOT_BEGUN,
            Consequence.EXCLUDED,
            missing=missing,
            due=due,
            decides=False,
            confirmed=confirmed,
        )
        for confirmed in (False, True)
    }
    unconfirmed = Refused("check_in.ask_again", "", {"missing": missing, "due": due})
    assert verdicts == {False: unconfirmed if expected else ALLOWED, True: ALLOWED}


@pytest.mark.parametrize("consequence", list(Consequence))
@pytest.mark.parametrize("decides", [False, True])
def test_c04_2_4_1_before_round_1_only_the_chief_arbiter_decides_otherwise(consequence, decides):
    facts = {"missing": 1, "due": 8, "decides": decides, "confirmed": False}
    first = may_settle(CLOSED, NOT_BEGUN, consequence, **facts)
    later = may_settle(CheckIn(2), UNDER_WAY, consequence, **facts)
    refused = Refused("check_in.chief_arbiter_decides", "C.04.2 4.1")
    assert first == (ALLOWED if decides or consequence is Consequence.EXCLUDED else refused)
    # In any round, pairing missing players is a decision of the Chief Arbiter.
    assert later == (ALLOWED if decides or consequence is not Consequence.PAIRED else refused)


def test_nothing_to_settle_when_nobody_is_missing():
    verdict = may_settle(
        CLOSED, NOT_BEGUN, Consequence.EXCLUDED, missing=0, due=8, decides=True, confirmed=True
    )
    assert verdict == Refused("check_in.nobody_missing")


def test_c04_2_4_1_applies_to_the_start_and_other_articles_to_later_rounds():
    articles = {number: [article_of(each, number) for each in Consequence] for number in (1, 2)}
    assert articles == {
        1: ["C.04.2 4.1"] * 4,
        2: ["C.04.2 3.2", "C.04.2 3.3", "C.04.2 3.3", "C.04.2 4.1"],
    }


def test_c04_2_4_1_pairing_the_missing_players_needs_no_confirmation():
    verdict = may_settle(
        CLOSED, NOT_BEGUN, Consequence.PAIRED, missing=8, due=8, decides=True, confirmed=False
    )
    assert verdict == ALLOWED


def test_c04_2_2_4_a_late_entry_may_arrive_at_any_time():
    assert (may_tick(CLOSED, arrives=True), may_tick(CLOSED)) == (
        ALLOWED,
        Refused("check_in.closed", "C.04.2 4.1"),
    )


@pytest.mark.parametrize("number, rounds", [(1, NOT_BEGUN), (2, UNDER_WAY)])
def test_c04_2_4_1_only_the_chief_arbiter_answers_otherwise_about_missing_players(number, rounds):
    facts = {"due": 8, "confirmed": False}
    refused = Refused("check_in.chief_arbiter_decides", "C.04.2 4.1")
    deputies = {each: may_answer(rounds, number, [each], decides=False, **facts) for each in Answer}
    skip = refused if number == 1 else ALLOWED
    assert deputies == {Answer.SKIP: skip, Answer.WITHDRAW: ALLOWED, Answer.COMING: refused}
    assert {may_answer(rounds, number, [each], decides=True, **facts) for each in Answer} == {
        ALLOWED
    }
    assert (
        may_answer(rounds, number, [Answer.WITHDRAW, Answer.COMING], decides=False, **facts)
        == refused
    )


def test_c04_2_4_4_no_answers_for_a_published_round():
    refused = Refused("check_in.round_published", "C.04.2 4.4", {"round": 1})
    assert may_answer(UNDER_WAY, 1, [Answer.COMING], due=8, decides=True, confirmed=True) == refused


def test_answers_that_leave_out_more_than_a_fifth_need_confirmation():
    def ask(*answers, confirmed=False):
        return may_answer(NOT_BEGUN, 1, answers, due=5, decides=True, confirmed=confirmed)

    assert ask(Answer.SKIP) == ask(Answer.SKIP, Answer.COMING, Answer.COMING) == ALLOWED
    refused = Refused("check_in.ask_again", "", {"missing": 2, "due": 5})
    assert ask(Answer.SKIP, Answer.WITHDRAW) == refused
    assert ask(Answer.SKIP, Answer.WITHDRAW, confirmed=True) == ALLOWED


def test_answers_in_parts_are_confirmed_for_all_missing_players():
    def ask(*answers, others, confirmed=False):
        return may_answer(
            NOT_BEGUN, 1, answers, due=10, decides=True, confirmed=confirmed, others=others
        )

    assert ask(Answer.SKIP, others=1) == ask(Answer.COMING, others=2) == ALLOWED
    assert ask(Answer.SKIP, others=2) == Refused(
        "check_in.ask_again", "", {"missing": 3, "due": 10}
    )
    assert ask(Answer.SKIP, others=2, confirmed=True) == ALLOWED
    # Who is coming is paired: such an answer leaves nobody out, however many others are missing.
    assert ask(Answer.COMING, others=9) == ALLOWED


def test_a_check_in_is_opened_once_and_its_round_is_named():
    assert may_open(OPEN, NOT_BEGUN) == Refused("check_in.open_already", "", {"round": 1})
    assert may_open(CLOSED, NOT_BEGUN) == ALLOWED
    settled = may_settle(
        CLOSED, UNDER_WAY, Consequence.EXCLUDED, missing=1, due=8, decides=True, confirmed=True
    )
    assert settled == Refused("check_in.round_published", "C.04.2 4.4", {"round": 1})
