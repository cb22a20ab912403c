"""The demo tournament has three rounds played, and running the command again adds nothing."""

import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from tests.tournaments.factories import boards, byes, make_tournament, round_of
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.models import Decision, Entry, GameResult, Tournament

pytestmark = pytest.mark.django_db


def demo(**options: str) -> list[str]:
    out = StringIO()
    call_command("demo", stdout=out, **options)
    return out.getvalue().splitlines()


@pytest.mark.costly
def test_the_command_for_the_own_account_names_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("SWISS_DATA_DIR", str(tmp_path))
    option = f"--data {shlex.quote(str(tmp_path))}"
    assert f"To run it with your account: ./run manage appoint demo-open NAME {option}" in demo()


@pytest.mark.costly
def test_three_rounds_are_played_with_a_line_for_each_step(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SWISS_DATA_DIR", raising=False)  # var is meant: no option
    assert demo() == [
        "Tournament “Demo Open” set up: 7 rounds.",
        "24 participants entered.",
        "Numbers assigned, initial colour White.",
        "Round 1: paired, published and played on 12 boards.",
        "Round 2: paired, published and played on 11 boards.",
        "Round 3: paired, published and played on 11 boards.",
        "To run it with your account: ./run manage appoint demo-open NAME",
        "The demo tournament /t/demo-open/ waits for the pairing of round 4.",
    ]
    tournament = own(Tournament).get()
    states = list(tournament.rounds.order_by("number").values_list("state", flat=True))
    assert states == ["results_published"] * 3 + ["planned"] * 4
    assert sorted(byes(tournament, 2).values()) == ["H", "U"]
    assert sorted(byes(tournament, 3).values()) == ["Z", "Z"]
    assert boards(tournament, 3)[6][2] == GameResult.BLACK_FORFEITS
    assert record.verify(tournament) == []


@pytest.mark.costly
def test_a_second_run_changes_nothing():
    demo()
    count = own(Decision).count()
    assert (
        demo()[0]
        == "The tournament “Demo Open” is there already; what is missing of it is played now."
    )
    assert (own(Tournament).count(), own(Entry).count(), own(Decision).count()) == (1, 24, count)


@pytest.mark.costly
def test_an_interrupted_demo_is_continued(chief_arbiter):
    demo()
    tournament = own(Tournament).get()
    round_ = round_of(tournament, 3)
    round_.games.update(result="")
    round_.state = "pairings_published"
    round_.save()
    demo()
    assert [result for *_, result in boards(tournament, 3)] == [
        "10",
        "==",
        "==",
        "01",
        "10",
        "01",
        "+-",
        "10",
        "==",
        "10",
        "01",
    ]


@pytest.mark.costly
def test_staff_runs_it_and_nobody_can_log_in_as_its_invented_user(deputy):
    demo()
    assert own(Tournament).get().created_by == deputy
    own(Tournament).update(name="Another")
    User.objects.filter(pk=deputy.pk).update(is_staff=False)
    demo()
    invented = own(Tournament).get(name="Demo Open").created_by
    assert (invented.username, invented.check_password(""), invented.check_password("demo")) == (
        "demo",
        False,
        False,
    )


@pytest.mark.costly
def test_a_real_tournament_of_that_name_is_not_changed(chief_arbiter):
    real = make_tournament(chief_arbiter, name="Demo Open", rounds=7)
    demo()
    assert real.entries.count() == 0


def test_an_unknown_account_is_named():
    with pytest.raises(CommandError, match="There is no account called “nobody”"):
        demo(user="nobody")
