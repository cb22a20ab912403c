"""``python -m pairing generate``: its output and its refusals."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from pairing.cli.main import main
from pairing.engine.systems import SYSTEMS
from pairing.standings_recheck import decide_tie_break_edition, recheck_standings
from pairing.trf.crosstable import tie_break_list
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from tests.findings import findings

BUSY = [
    "--draw-rate=0.3",
    "--forfeit-rate=0.05",
    "--bye-rate=0.05",
    "--late-rate=0.1",
    "--withdraw-rate=0.1",
    "--prohibited=0.1",
]


def generate(*arguments: str) -> int:
    return main(["generate", *arguments])


def test_generate_writes_a_report_that_checks_without_differences(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "event.trf")
    assert (
        generate("--seed=7", "--players=30", "--rounds=9", "--accelerate", *BUSY, "-o", file) == 0
    )
    assert main(["check", file]) == 0
    assert findings(capfd.readouterr().out) == "checked: tournaments=1 rounds=9 differences=0\n"


def test_generate_pairs_by_the_requested_edition(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.trf"
    assert (
        generate(
            "--seed=7",
            "--players=30",
            "--rounds=9",
            "--system=dutch_2017",
            "--no-accelerate",
            *BUSY,
            "-o",
            str(file),
        )
        == 0
    )
    assert "192 FIDE_DUTCH_2017\n" in file.read_text()
    assert main(["check", str(file)]) == 0
    assert findings(capfd.readouterr().out) == "checked: tournaments=1 rounds=9 differences=0\n"


@pytest.mark.costly
@pytest.mark.parametrize("system", sorted(SYSTEMS))
@pytest.mark.parametrize(
    "plan",
    [
        (*BUSY, "--players=23"),
        ("--players=14", "--draw-rate=0.7", "--forfeit-rate=0.1", "--prohibited=1"),
        (
            "--players=9",
            "--points=3-1-0",
            "--bye-rate=0.2",
            "--late-rate=0.3",
            "--withdraw-rate=0.3",
        ),
        ("--players=26", "--accelerate", "--late-rate=0.2", "--forfeit-rate=0.1"),
    ],
    ids=["busy", "drawn", "other points", "accelerated"],
)
def test_generated_reports_of_every_system_check_without_differences(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], system: str, plan: tuple[str, ...]
) -> None:
    if "--accelerate" in plan and not SYSTEMS[system].is_accelerated:
        plan = tuple(option for option in plan if option != "--accelerate")
    pattern = tmp_path / "{seed}.trf"
    assert (
        generate(
            "--seed=41", "--count=3", "--rounds=6", "--system", system, *plan, "-o", str(pattern)
        )
        == 0
    )
    files = sorted(str(path) for path in tmp_path.iterdir())
    assert len(files) == 3
    capfd.readouterr()
    assert main(["check", "--standings", *files]) == 0
    assert findings(capfd.readouterr().out).endswith(" differences=0\n")
    assert main(["check", *files]) == 0
    done = re.fullmatch(
        r"checked: tournaments=3 rounds=(\d+) differences=0\n", findings(capfd.readouterr().out)
    )
    assert done is not None
    assert int(done[1]) >= 12


def test_generate_writes_to_standard_output(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "event.trf"
    assert generate("--seed=7", "--players=8", "--rounds=3", "-o", str(file)) == 0
    assert generate("--seed=7", "--players=8", "--rounds=3", "-o", "-") == 0
    assert capfdbinary.readouterr() == (file.read_bytes(), b"")


def test_generate_writes_the_requested_number_of_files(tmp_path: Path) -> None:
    pattern = str(tmp_path / "event-{seed}.trf")
    assert generate("--seed=3", "--players=8", "--rounds=3", "--count=4", "-o", pattern) == 0
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert sorted(texts) == [f"event-{seed}.trf" for seed in range(3, 7)]
    assert len(set(texts.values())) == 4
    assert generate("--seed=5", "--players=8", "--rounds=3", "-o", str(tmp_path / "alone.trf")) == 0
    assert (tmp_path / "alone.trf").read_text() == texts["event-5.trf"]


def test_generate_plays_only_the_requested_rounds(tmp_path: Path) -> None:
    file = tmp_path / "event.trf"
    assert generate("--seed=1", "--players=8", "--rounds=5", "--played=2", "-o", str(file)) == 0
    document = read(file.read_bytes())
    assert [len(player.rounds) for player in document.players] == [2] * 8
    assert "142 5" in file.read_text().splitlines()


def test_generate_writes_the_point_system(tmp_path: Path) -> None:
    file = tmp_path / "event.trf"
    assert generate("--seed=1", "--players=8", "--rounds=5", "--points=3-1-0", "-o", str(file)) == 0
    assert "162  W 3.0    D 1.0    L 0.0" in file.read_text().splitlines()
    assert main(["check", str(file)]) == 0


def test_everything_can_be_left_out_and_is_drawn(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The same line and seed give the same file; another seed gives another kind of tournament."""
    texts = []
    for seed in (*range(6), 3):
        assert generate(f"--seed={seed}") == 0
        texts.append(capfdbinary.readouterr().out.decode())
    assert texts[-1] == texts[3]
    assert len({*texts}) == 6
    documents = [read(text) for text in texts]
    assert len({len(document.players) for document in documents}) > 3
    assert len({document.text("202") for document in documents}) > 2


@pytest.mark.costly
def test_drawn_tournaments_check_without_differences(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert generate("--seed=50", "--count=8", "-o", str(tmp_path / "{seed}.trf")) == 0
    files = sorted(str(path) for path in tmp_path.iterdir())
    capfd.readouterr()
    for arguments in (("check",), ("check", "--standings")):
        assert main([*arguments, *files]) == 0
        captured = capfd.readouterr()
        assert findings(captured.out).endswith(" differences=0\n")
        assert "please check" not in captured.err


QUIET = (
    *(
        "--forfeit-rate=0",
        "--bye-rate=0",
        "--late-rate=0",
        "--withdraw-rate=0",
        "--prohibited=0",
        "--unusual-rate=0",
    ),
    *("--points=1-0.5-0", "--no-accelerate"),
)
"""Nothing happens but games."""


@pytest.mark.parametrize(
    "option, letters",
    [
        ("--half-byes=0.3", "H"),
        ("--zero-byes=0.3", "Z"),
        ("--full-byes=0.3", "F"),
        ("--forfeit-wins=0.3", "+-"),
        ("--forfeit-losses=0.3", "+-"),
        ("--double-forfeits=0.3", "-"),
        ("--bye-rate=0.5", "HZF"),
        ("--forfeit-rate=0.5", "+-"),
    ],
)
def test_each_kind_of_bye_and_forfeit_has_its_option(
    option: str, letters: str, tmp_path: Path
) -> None:
    file = tmp_path / "event.trf"
    assert generate("--seed=2", "--players=40", "--rounds=5", *QUIET, option, "-o", str(file)) == 0
    players = read(file.read_bytes()).players
    found = {
        cell.result.value
        for player in players
        for cell in player.rounds
        if cell is not None and cell.result
    }
    assert found - set("10=U") == set(letters)


def test_unusual_results_have_their_option(tmp_path: Path) -> None:
    file = tmp_path / "event.trf"
    assert (
        generate(
            "--seed=2", "--players=40", "--rounds=5", *QUIET, "--unusual-rate=0.5", "-o", str(file)
        )
        == 0
    )
    players = read(file.read_bytes()).players
    found = {
        cell.result.value
        for player in players
        for cell in player.rounds
        if cell is not None and cell.result
    }
    assert found >= set("WDL=0")


def ratings_of(*options: str) -> list[int | None]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        assert generate("--seed=2", "--rounds=2", *options, "-o", str(file)) == 0
        return [player.rating for player in read(file.read_bytes()).players]


def test_ratings_are_a_list_or_have_bounds_or_a_gap() -> None:
    assert ratings_of("--ratings=1900,2400,2000,1800") == [2400, 2000, 1900, 1800]
    assert ratings_of("--rating-bounds=1500-1500", "--players=6") == [1500] * 6
    gap = ratings_of("--rating-gap=30", "--players=6")
    assert [(one or 0) - (two or 0) for one, two in pairwise(gap)] == [30] * 5


def test_the_tie_breaks_are_those_of_the_option(tmp_path: Path) -> None:
    file = tmp_path / "event.trf"
    assert generate("--seed=2", "--players=20", "--tie-breaks=sb, BH-C1", "-o", str(file)) == 0
    assert "202 SB,BH/C1\n" in file.read_text()
    assert main(["check", "--standings", str(file)]) == 0


def test_c04_3_1_9_3_generate_reports_that_a_tournament_ended_early(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.trf"
    assert generate("--seed=0", "--players=4", "--rounds=9", "-o", str(file)) == 0
    rounds = len(read(file.read_bytes()).players[0].rounds)
    assert 2 <= rounds <= 3
    printed = (
        f"pairing: seed 0: round {rounds + 1} has no legal pairing (C.04.3 1.9.3): "
        f"the tournament ends after round {rounds}.\n"
    )
    assert capfd.readouterr() == ("", printed)
    assert main(["check", str(file)]) == 0
    assert main(["pair", str(file)]) == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            ("--draw-rate=1.5",),
            "argument --draw-rate: '1.5' is not a number from 0 to 1 with up to four decimals",
        ),
        (("--bye-rate=often",), "argument --bye-rate: 'often' is not a number"),
        (
            ("--bye-rate=0.00001",),
            "argument --bye-rate: '0.00001' is not a number from 0 to 1 with up to four",
        ),
        (("--bye-rate=nan",), "argument --bye-rate: 'nan' is not a number from 0 to 1"),
        (("--points=3-1",), "argument --points: '3-1' is not WIN-DRAW-LOSS, like 3-1-0 or 1-0.5-0"),
        (("--points=1-0.05-0",), "argument --points: '1-0.05-0' is not WIN-DRAW-LOSS"),
        (("--points=3-2-0",), "two draws cannot be worth more than a win and a loss"),
        (("--points=3-1-0", "--accelerate"), "Baku acceleration needs a win to be worth two draws"),
        (("--players=10000",), "A report holds at most 9999 players and 99 rounds."),
        (("--played=4",), "A tournament has at least one player and one round, and plays no more."),
        (("--tie-breaks=XYZ",), "argument --tie-breaks: "),
        (
            ("--ratings=2000,none",),
            "argument --ratings: '2000,none' is not a list of ratings from 1 to 4000",
        ),
        (("--ratings=2000,1900",), "There are 2 ratings for 4 players."),
        (
            ("--ratings=2000,1900,1800,1700", "--rating-gap=5"),
            "--rating-gap is not for a list of ratings.",
        ),
        (
            ("--rating-bounds=2000-1000",),
            "argument --rating-bounds: '2000-1000' is not LOW-HIGH, like 1400-2700",
        ),
        (("--half-byes=0.6", "--zero-byes=0.6"), "so is the sum of those of a kind"),
        (("--count=2",), "--count needs a number from 1 and a FILE with {seed} in its name."),
        (("-o", "nowhere/event.trf"), "nowhere/event.trf: No such file or directory."),
    ],
)
def test_generate_refuses_in_one_line(
    arguments: tuple[str, ...], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    try:
        code = generate("--seed=1", "--players=4", "--rounds=3", "-o", "-", *arguments)
    except SystemExit as end:  # argparse refuses
        code = int(end.code or 0)
    out, error = capfd.readouterr()
    assert (code, out) == (3, "")
    assert error.startswith("pairing")
    assert message in error
    assert error.count("\n") == 1


def test_generate_without_a_seed_draws_one_and_prints_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The same command writes a different file each time,
    and the printed seed writes that file again.
    """
    texts = []
    for _ in range(2):
        file = tmp_path / "event.trf"
        assert generate("--players=12", "--rounds=3", "-o", str(file)) == 0
        printed = re.fullmatch(r"pairing: seed (\d+)\n", capfd.readouterr().err)
        assert printed is not None
        texts.append(file.read_text())
        assert generate(f"--seed={printed[1]}", "--players=12", "--rounds=3", "-o", str(file)) == 0
        assert file.read_text() == texts[-1]
    assert texts[0] != texts[1]


@pytest.mark.costly
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    players=st.integers(2, 24),
    rounds=st.integers(1, 7),
    rates=st.tuples(*[st.sampled_from(("0", "0.05", "0.3"))] * 4),
    points=st.sampled_from(("1-0.5-0", "3-1-0")),
    system=st.sampled_from(sorted(SYSTEMS)),
)
def test_generated_files_follow_the_list_of_tie_breaks_they_state(
    seed: int, players: int, rounds: int, rates: tuple[str, ...], points: str, system: str
) -> None:
    names = ("--forfeit-rate", "--bye-rate", "--late-rate", "--withdraw-rate")
    options = [f"{name}={rate}" for name, rate in zip(names, rates, strict=True)]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        plan = (
            f"--seed={seed}",
            f"--players={players}",
            f"--rounds={rounds}",
            f"--points={points}",
        )
        assert generate(*plan, f"--system={system}", *options, "-o", str(file)) == 0
        document = by_rounds_played(read(file.read_bytes()))
    assert recheck_standings(document).differences == ()
    assert tie_break_list(document) is not None
    assert not decide_tie_break_edition(document).is_guess
