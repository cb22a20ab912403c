"""``python -m pairing norms``: worked cases and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pairing.cli.main import main
from pairing.ratings import norms
from tests.ratings.notation import NINE

OPPONENT = {"rating": 2450, "title": "GM", "federation": "SWE"}
EVENT = {
    "rounds": 9,
    "system": "swiss",
    "kind": "ordinary",
    "host_federation": "AUT",
    "chapter": "standard",
    "start": "2026-09-05",
    "minutes_60_moves": 120,
    "max_rounds_per_day": 1,
}


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: object) -> dict[str, Any]:
    file = tmp_path / "cases.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    code = main(["norms", str(file)])
    out = capsys.readouterr().out
    return {"code": code, **(json.loads(out) if out else {})}


def norm_case(**changes: Any) -> dict[str, Any]:
    games = []
    for number, line in enumerate(NINE.replace("\n", " ").split(";"), 1):
        letter, rating, title, federation = line.split()
        score = {"1": 1, "=": 0.5, "0": 0}[letter]
        opponent = {
            "rating": int(rating),
            "title": None if title == "-" else title,
            "federation": federation,
        }
        games.append({"round": number, "kind": "played", "score": score, "opp": opponent})
    player = {"sex": "m", "federation": "AUT", "rating": 2410, "title": None}
    return {"id": "A", "type": "norm", "player": player, "event": EVENT, "games": games, **changes}


def test_a_case_of_a_norm_prints_the_figures_of_four_titles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run(tmp_path, capsys, {"cases": [norm_case()]})
    assert found["code"] == 0
    assert found["A"]["WGM"] == {"norm": False, "failing": ["women only"]}
    assert found["A"]["GM"] == {
        "norm": True,
        "failing": [],
        "games": 9,
        "score": 7.0,
        "ra": 2398,
        "percent": 78,
        "dp": 220,
        "rp": 2618,
        "raised": None,
        "titled": 5,
        "required_titles": 3,
        "foreign_federations": 4,
        "own": 2,
        "largest": 2,
        "exemption": None,
        "how": "1.4.1",
        "by_141c": False,
        "score_needed": 7.0,
        "overscore_full_points": 0,
    }


def test_ignored_rounds_are_in_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = norm_case(event=EVENT | {"rounds": 10})
    case["games"].append(
        {"round": 10, "kind": "played", "score": 1, "opp": OPPONENT | {"rating": 1900, "title": ""}}
    )
    found = run(tmp_path, capsys, {"cases": [case]})["A"]["GM"]
    assert (found["how"], found["dropped"]) == ("1.4.1 without rounds [10]", [10])


def test_an_answer_that_is_not_searched_completely_is_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = norm_case(event=EVENT | {"rounds": 10})
    weak = OPPONENT | {"rating": 1900, "title": ""}
    case["games"].append({"round": 10, "kind": "played", "score": 1, "opp": weak})
    monkeypatch.setattr(norms, "MOST_SETS", 0)
    found = run(tmp_path, capsys, {"cases": [case]})["A"]["GM"]
    assert (found["norm"], found["searched_completely"]) == (False, False)


@pytest.mark.parametrize(
    "changes, exemption",
    [
        ({"kind": "national_championship_final"}, "1.4.3a"),
        ({"kind": "national_team_championship"}, "1.4.3b"),
        ({"kind": "final_of_national_championship"}, "1.4.3a"),
        ({"kind": "subzonal"}, "1.4.3c"),
        ({"kind": "swiss_1.4.3d"}, "1.4.3d"),
        ({"swiss_143d": True}, "1.4.3d"),
        ({"exemption": "1.4.3d"}, "1.4.3d"),
    ],
)
def test_the_kind_of_event_exempts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], exemption: str
) -> None:
    case = norm_case(event=EVENT | changes)
    for game in case["games"]:
        game["opp"]["federation"] = "AUT"
    assert run(tmp_path, capsys, {"cases": [case]})["A"]["GM"]["exemption"] == exemption


def test_cases_of_ratings_and_of_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = [
        {"round": number, "kind": kind, "score": 1, "opp": OPPONENT | {"rating": 1700}}
        for number, kind in enumerate(["played"] * 5 + ["forfeit_win"], 1)
    ]
    players = [
        {"id": n, "federation": flag, "title": "GM", "rating": 2000, "rounds": ["P", "U", "P"]}
        for n, flag in enumerate(["SWE", "HUN", "CZE"] * 7)
    ]
    found = run(
        tmp_path,
        capsys,
        {
            "cases": [
                {"id": "R", "type": "rating_change", "player": {"rating": 1700, "k": 20},
                 "params": {}, "games": games},
                {"id": "M", "type": "rating_change", "player": {"rating": 1700, "k": 20},
                 "params": {"games_in_period": 70, "chapter": "rapid"}, "games": games},
                {"id": "N", "type": "rating_change", "player": {"rating": None}, "params": {},
                 "games": games},
                {"id": "I", "type": "initial_rating", "params": {}, "games": games},
                {"id": "0", "type": "initial_rating", "params": {}, "games": []},
                {"id": "E", "type": "swiss143d", "event": EVENT, "players": players},
                {"id": "L", "type": "swiss156a", "event": EVENT, "players": players},
            ]
        },
    )  # fmt: skip
    assert found.pop("code") == 0
    assert found["R"] == {
        "rated_games": 5,
        "score": 5.0,
        "expected": 2.5,
        "sum_delta": 2.5,
        "k": 20,
        "change": 50.0,
        "rounded_if_only_event_of_period": 50,
        "not_rated": [6],
    }
    assert (found["M"]["k"], found["M"]["change"]) == (10, 25.0)
    assert (found["N"]["rated_games"], found["N"]["not_rated"]) == (0, [1, 2, 3, 4, 5, 6])
    assert found["I"] == {
        "games": 5,
        "ra": 1728.57,
        "percent": 86,
        "dp": 309,
        "ru_uncapped": 2038,
        "ru": 2038,
        "published": True,
        "reason": None,
    }
    assert found["0"]["reason"] == "fewer than 5 games"
    assert found["E"] == {"met": True, "per_round": [[21, 3, 21]] * 3}
    assert found["L"] == {"met": False, "per_round": [[21, 2000]] * 3}


def change_case(**game: Any) -> dict[str, Any]:
    """Return a win of 2200 against 2200, with *game* in the place of its facts."""
    opponent = OPPONENT | {"rating": 2200}
    one = {"round": 1, "kind": "played", "score": 1, "opp": opponent} | game
    return {
        "id": "R",
        "type": "rating_change",
        "player": {"rating": 2200, "k": 20},
        "games": [one],
    }


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"kind": "Played"},
        {"score": "1"},
        {"score": 1.0},
        {"round": "1"},
        {"opp": {"rating": "2200"}},
        {"opp": {"rating": 2200.0}},
    ],
)
def test_b02_8_3_numbers_may_be_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any]
) -> None:
    case = change_case(**changes) | {"params": None, "event": None}
    case["player"] = {"rating": "2200", "k": "20"}
    found = run(tmp_path, capsys, {"cases": [case]})
    assert (found["code"], found["R"]["change"], found["R"]["not_rated"]) == (0, 10.0, [])


def test_b02_8_3_1_a_rating_of_null_zero_or_nothing_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [
        change_case(opp={"federation": "SWE", **rating}) | {"id": name}
        for name, rating in {"null": {"rating": None}, "0": {"rating": 0}, "none": {}}.items()
    ]
    found = run(tmp_path, capsys, {"cases": cases})
    assert found.pop("code") == 0
    assert [one["not_rated"] for one in found.values()] == [[1]] * 3


def test_b01_1_4_1c_without_its_rounds_an_event_has_those_of_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = norm_case(event={key: EVENT[key] for key in EVENT if key != "rounds"})
    case["games"][8] = {"round": 9, "kind": "pab", "score": 1, "opp": None}
    found = run(tmp_path, capsys, {"cases": [case]})["A"]["IM"]
    assert (found["norm"], found["by_141c"], found["games"]) == (True, True, 8)


def test_b01_1_4_5_the_second_title_of_a_woman_may_have_a_key_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = norm_case()
    before = run(tmp_path, capsys, {"cases": [case]})["A"]["IM"]["required_titles"]
    fide_master = next(game for game in case["games"] if game["opp"]["title"] == "FM")
    fide_master["opp"] |= {"women_title": "IM"}
    found = run(tmp_path, capsys, {"cases": [case]})["A"]["IM"]
    assert found["required_titles"] == before + 1


def test_b01_1_4_3d_letters_of_attendance_may_be_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = [
        {"federation": flag, "title": "GM", "rating": 2000, "rounds": "pUh"}
        for flag in ["SWE", "HUN", "CZE"] * 7
    ]
    case = {"id": "E", "type": "swiss143d", "event": EVENT, "players": players}
    found = run(tmp_path, capsys, {"cases": [case]})
    assert found["E"]["per_round"] == [[21, 3, 21], [21, 3, 21], [0, 0, 0]]


@pytest.mark.parametrize(
    "case, message",
    [
        (change_case(score="won"), "“won” is no number for “score”"),
        (change_case(score=11), "“11” is not a score of a game"),
        (change_case(score=None), "'score' is missing"),
        (change_case(round=1.5), "“1.5” is no whole number for “round”"),
        (change_case(round=None), "'round' is missing"),
        (change_case(opp=None), "the game of round 1 has no opponent"),
        (change_case(opp="Two, Ben"), "“opp” must be an object"),
        (change_case(opp={"rating": "?"}), "“?” is no number for “rating”"),
        (change_case(opp={"rating": True}), "“True” is no number for “rating”"),
        (change_case(opp={"rating": -1}), "“-1” is no number for “rating”"),
        (change_case(opp={"rating": float("inf")}), "“inf” is no number for “rating”"),
        (change_case() | {"params": {"rounds": float("inf")}}, "“inf” is no number for “rounds”"),
        (change_case() | {"params": {"minutes_60_moves": "1e9"}}, "no number for “minutes"),
        (change_case() | {"games": 1}, "“games” must be a list"),
    ],
)
def test_a_fact_that_cannot_be_read_never_passes_for_an_absent_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: dict[str, Any], message: str
) -> None:
    found = run(tmp_path, capsys, {"cases": [case, norm_case()]})
    assert (found["code"], found["A"]["GM"]["norm"]) == (3, True)
    assert message in found["R"]["error"]["message"]


def test_two_cases_with_one_id_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run(tmp_path, capsys, {"cases": [norm_case(), change_case() | {"id": "A"}]})
    assert (found["code"], found["A"]["GM"]["norm"]) == (3, True)
    assert "the id “A”" in found["A (2)"]["error"]["message"]


@pytest.mark.parametrize(
    "case, message",
    [
        ({"id": "X", "type": "prize"}, "“prize” is not a type of case"),
        ({"id": "X", "type": "norm", "event": EVENT, "player": {}}, "'games' is missing."),
        ({"id": "X", "type": "norm", "event": EVENT | {"start": "soon"}, "player": {}, "games": []},
         "soon"),
        ({"id": "X", "type": "norm", "event": EVENT, "player": {}, "games": [
            {"round": 1, "kind": "won", "score": 1}]}, "“won” is not a kind of game"),
        ({"id": "X", "type": "swiss143d", "event": EVENT, "players": [{"rounds": ["Q"]}]}, "“Q”"),
        ({"id": "X", "type": "swiss143d", "event": EVENT, "players": [{"rounds": 9}]}, "letters"),
        ({"id": "X", "type": "norm", "event": EVENT | {"chapter": "bullet"}, "player": {},
          "games": []}, "bullet"),
        (7, "must be an object"),
    ],
)  # fmt: skip
def test_a_case_that_cannot_be_read_has_an_error_and_the_others_are_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: object, message: str
) -> None:
    found = run(tmp_path, capsys, {"cases": [case, norm_case()]})
    assert (found["code"], found["A"]["GM"]["norm"]) == (3, True)
    assert message in found["X" if isinstance(case, dict) else "1"]["error"]["message"]


@pytest.mark.parametrize(
    "content, message",
    [("{", "line 1, column 2"), ('{"a": 1}', "no list “cases”"), ("nothing", "line 1")],
)
def test_a_file_that_is_neither_cases_nor_a_report_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, message: str
) -> None:
    file = tmp_path / "file"
    file.write_text(content)
    assert main(["norms", str(file)]) == 3
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("pairing: ")


REPORT = """\
012 Invented Open
032 AUT
042 2026/09/05
052 2026/09/06
222 5400+30
132                                                                                        26/09/05  26/09/06
142 2
001    1 wWGM One, Anna                         2250 SWE      100001 1990/00/00  1.5    1     2 w 1     3 b =
001    2 m GM Two, Ben                          2450 HUN      100002 2010/00/00  1.0    2     1 b 0  0000 - U
001    3 m    Three, Carl                            AUT      100003 2011/00/00  0.5    3  0000 - H     1 w =
"""


def test_a_report_prints_the_figures_of_each_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run(tmp_path, capsys, REPORT)
    assert found.pop("code") == 0
    assert list(found) == ["event", "1", "2", "3"]
    assert found["event"]["editions"][0] == "FIDE B.01, applied from 1 January 2024"
    assert ["1.1.3", "≥ 120 min", "120 min", "met"] in found["event"]["conditions"]
    assert ["1.1.3", "≤ 2", "1", "met"] in found["event"]["conditions"]
    assert found["event"]["1.4.3d"] == {"met": False, "per_round": [[2, 2, 2]] * 2}
    change = found["1"]["rating_change"]
    assert (change["rated_games"], change["k"], change["k_assumed"]) == (1, 20, True)
    assert (change["change"], change["not_rated"]) == (15.2, [2])
    assert found["3"]["initial_rating"]["games"] == 1
    assert found["1"]["WIM"]["failing"][0] == "1.4.1"
    assert found["2"]["WIM"] == {"norm": False, "failing": ["women only"]}


def test_the_options_say_what_a_report_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.trf"
    file.write_text(REPORT.replace("222 5400+30\n", "092 Double Round Robin\n"))
    assert main(["norms", "--minutes=30", "--host=SWE", "--kind=zonal", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert ["0.5", "standard", "rapid", "failed"] in found["event"]["conditions"]
    assert ["1.4.2e", "", "double_round_robin", "met"] in found["event"]["conditions"]
    assert found["event"]["1.4.3d"]["per_round"] == [[1, 1, 1]] * 2


@pytest.mark.parametrize("minutes", ["0", "-90"])
def test_minutes_are_a_number_from_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], minutes: str
) -> None:
    file = tmp_path / "event.trf"
    file.write_text(REPORT)
    assert main(["norms", f"--minutes={minutes}", str(file)]) == 3
    assert "--minutes needs a number from 1." in capsys.readouterr().err


@pytest.mark.parametrize(
    "record, message",
    [
        ("042 2026/09/05\n", ""),
        ("042 soon\n", "the first day (042) “soon” is not a valid date, so the present editions"),
        ("", "the first day (042) is missing, so the present editions are used; please check"),
        ("042 01/02/2023\n", "the first day (042) is read as 2023-02-01, 01/02/2023; please check"),
    ],
)
def test_a_first_day_that_does_not_decide_the_edition_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], record: str, message: str
) -> None:
    file = tmp_path / "event.trf"
    file.write_text(REPORT.replace("042 2026/09/05\n", record))
    assert main(["norms", str(file)]) == 0
    error = capsys.readouterr().err
    assert message in error
    assert bool(error) is bool(message)
