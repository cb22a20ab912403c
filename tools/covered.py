"""``python -m tools.covered``: run the tests, and print the lines of each
folder of ``pairing/`` that none of them ran.

``python -m tools.covered pairing/rules -- tests/rules`` measures one folder with some of the tests;
arguments after ``--`` go to pytest. The suite itself does not measure, because it would take
longer.
"""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WITHOUT = ["tests", *(f"--ignore=tests/{folder}" for folder in ("e2e", "live", "stress"))]


def main(arguments: list[str]) -> int:
    """Measure; the exit code is that of pytest, or 1 if a line of the folders is not run."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    folders, tests = arguments[:end] or ["pairing"], arguments[end + 1 :] or WITHOUT
    with tempfile.TemporaryDirectory(prefix="swiss-covered-") as folder:
        data, report = f"--data-file={folder}/data", Path(folder, "report.json")
        coverage = [sys.executable, "-m", "coverage"]
        source = f"--source={','.join(folders)}"
        code = subprocess.call(
            [*coverage, "run", data, source, "-m", "pytest", "-q", "-n", "0", *tests], cwd=ROOT
        )
        subprocess.check_call([*coverage, "json", data, "-q", "-o", str(report)], cwd=ROOT)
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    lines, open_lines = by_folder(files)
    print(*lines, *open_lines, sep="\n")
    return code or int(bool(open_lines))


def by_folder(files: dict[str, dict[str, object]]) -> tuple[list[str], list[str]]:
    """Return a line for each folder, and one for each file of which lines were not run;
    *files* are coverage's.
    """
    statements: defaultdict[str, int] = defaultdict(int)
    missing: defaultdict[str, int] = defaultdict(int)
    left = []
    for name, known in sorted(files.items()):
        folder, ran, gone = str(Path(name).parent), known["executed_lines"], known["missing_lines"]
        assert isinstance(ran, list)
        assert isinstance(gone, list)
        statements[folder] += len(ran) + len(gone)
        missing[folder] += len(gone)
        if gone:
            left.append(f"{name}: {', '.join(map(str, gone))}")
    return [
        f"{folder:44}{total:7} lines "
        f"{100 * (total - missing[folder]) / total if total else 100:7.2f} %"
        for folder, total in statements.items()
    ], left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
