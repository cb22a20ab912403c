"""Reports of team events and round robins are refused by their name,
before anything in them is compared.
"""

from __future__ import annotations

import pytest

from pairing.trf.errors import TrfError
from pairing.trf.reader import read
from pairing.trf.remarks import remarks
from tests.trf.reports import FOUR, player, report

CONTRADICTING = report(player(1, "9.0", "   2 w 1"), player(2, "0.0", "   1 b 0"))
"""The points of team events may depend on the team: this file is refused for them, but later."""


def refused(line: str, text: str = CONTRADICTING) -> TrfError:
    with pytest.raises(TrfError) as raised:
        read(f"012 Open\n{line}\n{text}")
    return raised.value


@pytest.mark.parametrize(
    "line",
    [
        "013 Town A                              1    2",
        "310   1 Town A",
        "300   1   1   2    1    2",
        "320  1.0  2.0   1",
        "330 +- 001   1   2",
        "352 WBWB",
        "362 TW 2.0",
        "801 1 Town A",
        "802   1 TOWA",
        "082 3",
        "092 Team Swiss-System",
        "092 Mannschaftsturnier Schweizer System",
        "092 Par équipes",
        "192 FIDE_TEAM_TYPEA_MP_GP",
    ],
)
def test_a_team_event_is_refused_first(line: str) -> None:
    error = refused(line)
    assert (error.code, error.line) == ("trf.team_event", 2)
    assert "team event" in str(error)
    assert line[:3] in str(error)


@pytest.mark.parametrize(
    "line, kind",
    [
        ("092 Individual: Round-Robin", "a round robin"),
        ("092 Double round robin", "a round robin"),
        ("092 Berger", "a round robin"),
        ("092 Rundenturnier", "a round robin"),
        ("092 Toutes rondes", "a round robin"),
        ("192 FIDE_ROUNDROBIN", "a round robin"),
        ("092 Knock-out", "a knock-out event"),
        ("192 FIDE_KNOCKOUT", "a knock-out event"),
        ("092 Scheveningen", "a Scheveningen event"),
        ("192 FIDE_SCHILLER", "a Schiller event"),
    ],
)
def test_other_kinds_of_events_are_refused_by_their_name(line: str, kind: str) -> None:
    error = refused(line)
    assert (error.code, error.line, error.column, error.params["kind"]) == (
        "trf.other_kind",
        2,
        5,
        kind,
    )
    assert kind in str(error)


@pytest.mark.parametrize(
    "line",
    [
        "082 0",
        "092 Individual: Swiss-System",
        "092 Individual Swiss, ties by Berger",
        "092 Individual: Team spirit Open",
        "092 Swiss system",
        "192 FIDE_DUTCH_2026",
        "012 Round Robin of the Teams",
    ],
)
def test_individual_swiss_tournaments_are_read(line: str) -> None:
    assert len(read(f"{line}\n{FOUR}").players) == 4


def test_192_decides_against_092_and_a_remark_says_so() -> None:
    document = read(f"092 Round robin\n192 FIDE_DUTCH_2026\n{FOUR}")
    assert [(each.code, each.line) for each in remarks(document)] == [("trf.other_system", 1)]


@pytest.mark.parametrize("name", ["Swiss (Dubov)", "Burstein", "Monrad", "Double-Swiss"])
def test_another_swiss_system_without_192_is_named(name: str) -> None:
    found = remarks(read(f"092 {name}\n{FOUR}"))
    assert [(each.code, each.params["found"]) for each in found] == [("trf.other_system", name)]


def test_a_system_that_the_user_chooses_is_taken_for_a_round_robin_but_not_for_teams() -> None:
    assert len(read(f"092 Round robin\n{FOUR}", system="dutch_2026").players) == 4
    with pytest.raises(TrfError, match="team event"):
        read(f"082 3\n{FOUR}", system="dutch_2026")


def test_an_event_that_was_opened_before_can_be_read_again() -> None:
    assert (
        len(read(f"013 Town A                              1    2\n{FOUR}", any_kind=True).players)
        == 4
    )


def test_the_players_alone_can_be_read_from_every_kind() -> None:
    assert len(read(f"082 3\n{CONTRADICTING}", only_players=True).players) == 2
