"""The table of ``python -m tools.covered``."""

from tools.covered import by_folder


def test_folders_are_summed_and_lines_that_nothing_runs_are_named() -> None:
    files: dict[str, dict[str, object]] = {
        "pairing/rules/point_adjustments.py": {"executed_lines": [1, 2, 5], "missing_lines": [9]},
        "pairing/rules/undo.py": {"executed_lines": [1, 2, 3, 4], "missing_lines": []},
        "pairing/__init__.py": {"executed_lines": [], "missing_lines": []},
    }
    folders, left = by_folder(files)
    assert [" ".join(line.split()) for line in folders] == [
        "pairing 0 lines 100.00 %",
        "pairing/rules 8 lines 87.50 %",
    ]
    assert left == ["pairing/rules/point_adjustments.py: 9"]
