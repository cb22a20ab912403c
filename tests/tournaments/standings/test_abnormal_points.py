"""Point adjustments (record 299) are imported from a file, and exported again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.cli.main import main
from pairing.engine.checker.records import read_records
from pairing.engine.model import Pairing
from pairing.engine.systems import pair
from pairing.rounds.snapshot import snapshot
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.trf_export import trf_export
from tournaments.standings.standings import standings

PENALTY = "299          -1.0  001    1"
BONUS = "299           0.5  999    8"
ODD_GAME = "299 W         0.5  002    2"


@pytest.fixture
def text(chief_arbiter: User) -> str:
    """Return a file with two of five rounds of eight players:
    the lower number has won every game.
    """
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    return trf_export(tournament, public=False)


def opened(text: str, *lines: str, actor: User) -> Tournament:
    """Import *text* with *lines* and the points they give, as in its own export."""
    first = tournament_import_trf(
        actor=actor, now=factories.NOW, data=("\n".join([text.rstrip(), *lines])).encode()
    )
    return tournament_import_trf(
        actor=actor, now=factories.NOW, data=trf_export(first, public=False).encode()
    )


def places(tournament: Tournament) -> dict[int, tuple[int, int]]:
    frame = tournament_frame(tournament, runs=False)
    return {
        line.tpn: (line.rank, line.points)
        for line in standings(frame, after_round=frame.latest_results).lines
    }


@pytest.mark.costly
def test_they_are_imported_count_and_are_exported(
    text: str, chief_arbiter: User, client: Client
) -> None:
    plain = places(opened(text, actor=chief_arbiter))
    changed = opened(text, PENALTY, BONUS, actor=chief_arbiter)
    assert {tpn: points for tpn, (_, points) in places(changed).items()} == {
        **{tpn: points for tpn, (_, points) in plain.items()},
        1: plain[1][1] - 10,
        8: plain[8][1] + 5,
    }
    assert trf_export(changed, public=True).splitlines()[-2:] == [PENALTY, BONUS]
    page = client.get(reverse("standings", args=[changed.slug])).content.decode()
    assert "1 Abara, Player 1 −1" in page
    assert "8 Hollis, Player 8 +½" in page
    for name in ("crosstable", "progress"):
        assert client.get(reverse(name, args=[changed.slug])).status_code == 200
    own = client.get(f"/api/v1/tournaments/{changed.slug}/crosstable/").json()["players"]
    assert {line["tpn"]: line["points"] for line in own} == {
        t: p / 10 for t, (_, p) in places(changed).items()
    }
    assert client.get(factories.player_address(changed, 1)).status_code == 200


@pytest.mark.costly
def test_the_file_alone_gives_the_same_standings_and_a_wrong_column_is_named(
    text: str, chief_arbiter: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = opened(text, PENALTY, BONUS, ODD_GAME, actor=chief_arbiter)
    found = event_recheck(changed).found
    assert found is not None
    assert (found.differences, found.ranks) == (0, 8)
    path = tmp_path / "changed.trf"
    path.write_text(trf_export(changed, public=True))
    assert main(["check", "--standings", str(path)]) == 0
    path.write_text(
        trf_export(changed, public=True).replace(PENALTY, PENALTY.replace("-1.0", "-0.5"))
    )
    capsys.readouterr()
    assert main(["check", "--standings", str(path)]) == 2
    assert "player 1: points 1 in the file; worked out again 1.5" in capsys.readouterr().out


@pytest.mark.costly
def test_the_next_round_is_paired_by_them(text: str, chief_arbiter: User) -> None:
    changed = opened(text, "299          -2.0  001    1", actor=chief_arbiter)
    expected: Pairing = pair(state_before_round(read(trf_export(changed, public=False)), 3))
    factories.pair_and_publish(changed, 3, chief_arbiter)
    assert {(white, black) for white, black, _ in factories.boards(changed, 3)} == set(
        expected.pairs
    )
    plain = opened(text, actor=chief_arbiter)
    factories.pair_and_publish(plain, 3, chief_arbiter)
    assert {(white, black) for white, black, _ in factories.boards(plain, 3)} != set(expected.pairs)


@pytest.mark.costly
def test_c04_3_1_8_a_player_with_half_after_points_taken_is_not_a_topscorer(
    chief_arbiter: User,
) -> None:
    """Three rounds, two played: a point less takes a topscorer out of the last round,
    which can still be paired.
    """
    tournament = factories.make_ready(chief_arbiter, rounds=3)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    changed = opened(trf_export(tournament, public=False), PENALTY, actor=chief_arbiter)
    state = snapshot(changed, 3)[0]
    assert state == state_before_round(read(trf_export(changed, public=False)), 3)
    assert {player.tpn: player.decided for player in state.players if player.decided} == {1: -10}
    topscorers = [{tpn for tpn, record in read_records(each).items() if record.is_topscorer}
                  for each in (snapshot(tournament, 3)[0], state)]  # fmt: skip
    assert (1 in topscorers[0], topscorers[0] - topscorers[1]) == (True, {1})
    factories.pair_and_publish(changed, 3, chief_arbiter)
    assert event_recheck(changed).rounds == ()


@pytest.mark.costly
def test_negative_points_are_written_and_read(
    text: str, chief_arbiter: User, client: Client
) -> None:
    changed = opened(text, "299          -2.5  001    8", actor=chief_arbiter)
    assert places(changed)[8] == (8, -25)
    assert "−2½" in client.get(reverse("standings", args=[changed.slug])).content.decode()


def test_records_299_keep_their_players_and_none_is_merged_into_another(
    text: str, chief_arbiter: User
) -> None:
    lines = [
        "299          -1.0  001    1    2",
        "299          -1.0  001    1",
        "299 W         0.5  002    2    1",
    ]
    changed = opened(text, *lines, actor=chief_arbiter)
    assert trf_export(changed, public=True).splitlines()[-3:] == lines
    rows = changed.point_adjustments.values_list("entry__tpn", "points", "round_number", "result")
    assert list(rows) == [
        (1, -10, 1, ""),
        (2, -10, 1, ""),
        (1, -10, 1, ""),
        (2, 5, 2, "1"),
        (1, 5, 2, "1"),
    ]
