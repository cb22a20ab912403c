"""The rules of the architecture that a program can check (docs/developer/architecture.md)."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import parts

ROOT = Path(__file__).resolve().parents[1]
PURE = (
    *("pairing/engine", "pairing/rules", "pairing/trf", "pairing/standings", "pairing/record"),
    "pairing/ratings",
)
MAY_BE_MISSING = {("signatures.py", "cryptography")}
"""Modules that import a package when they need it, and work without it."""
CODE = ("config", "pairing", "tournaments", "tools", "tests")
MODULE_LINES = 500
FUNCTION_LINES = 60

NOT_FOR_PAIR = {
    *("concurrent", "hashlib", "json", "pathlib"),
    *("pairing.cli.check", "pairing.json_io", "pairing.record", "pairing.standings"),
    *("pairing.engine.checker", "pairing.engine.dutch.explain"),
    *("pairing.engine.dutch_pre2017.procedure", "pairing.engine.double_swiss.procedure"),
    "pairing.engine.dutch.edition_2017.procedure",
}
"""Modules that ``pair`` does not import for a round of the Dutch System of 2026."""

# Four players, no games, the initial colour is white: round 1 by [C.04.3/2026 3.1] and
# [C.04.3/2026 5.2.5].
ROUND_ONE = """\
012 Test
XXR 5
XXC white1
001    1      One                               2400                            0.0    1
001    2      Two                               2300                            0.0    2
001    3      Three                             2200                            0.0    3
001    4      Four                              2100                            0.0    4
"""


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def imported(path: Path) -> set[str]:
    """Return the absolute names that the module at *path* imports; relative ones are resolved."""
    package = path.relative_to(ROOT).parent.parts
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            names.add(".".join((*base, *filter(None, [node.module]))))
    return names


@pytest.mark.costly
def test_layers_import_only_downwards() -> None:
    """Check the contracts in pyproject.toml with import-linter."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize("folder", PURE)
def test_the_pure_layers_import_the_standard_library_and_each_other(folder: str) -> None:
    paths = list(modules(folder))
    assert paths, f"{folder} holds no module"
    # A clock, random numbers and the outside world must be arguments.
    impure = {
        "random",
        "secrets",
        "time",
        "socket",
        "subprocess",
        "os",
        "pathlib",
        "tempfile",
        "urllib",
    }
    foreign = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in imported(path)
        if (top := name.partition(".")[0]) in impure
        or (
            top != "pairing"
            and top not in sys.stdlib_module_names
            and (path.name, top) not in MAY_BE_MISSING
        )
        or name in {"pairing.rounds", "pairing.cli", "pairing.apps"}
    }
    assert foreign == set()


@pytest.mark.costly
def test_the_table_of_parts_is_made_from_the_imports() -> None:
    """``python -m tools.parts`` writes it. The limits are those the layout was chosen for."""
    page = parts.PAGE.read_text(encoding="utf-8")
    assert page == parts.with_table(page)
    imports = parts.dependencies()
    assert len(imports) <= 14
    assert max(parts.layers(imports).values()) <= 8
    assert sum(map(len, imports.values())) <= 65


def test_no_module_is_too_long() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): path.read_text().count("\n")
        for path in [*modules(*CODE), ROOT / "run"]
    }
    assert {name: lines for name, lines in lengths.items() if lines > MODULE_LINES} == {}


@pytest.mark.costly
def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{path.relative_to(ROOT)}:{node.name}": node.end_lineno - node.lineno + 1
        for path in modules("config", "pairing", "tournaments", "tools")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
        and node.end_lineno
        and node.end_lineno - node.lineno >= FUNCTION_LINES
    }
    assert long == {}


@pytest.mark.costly
def test_pair_works_without_django_and_imports_what_a_round_needs(tmp_path: Path) -> None:
    """With ``-I -S`` Python only sees the standard library. Imports take most of the time."""
    (tmp_path / "event.trf").write_text(ROUND_ONE)
    program = (
        "import atexit, importlib.util, runpy, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "assert importlib.util.find_spec('django') is None\n"
        f"sys.argv = ['pairing', 'pair', '--system', 'dutch_2026', "
        f"{str(tmp_path / 'event.trf')!r}]\n"
        "runpy.run_module('pairing', run_name='__main__', alter_sys=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "2\n1 3\n4 2\n")
    imported = set(done.stderr.split())
    assert {"pairing.cli.pair", "pairing.engine.dutch.edition_2026.procedure"} <= imported
    assert imported.isdisjoint(NOT_FOR_PAIR)
