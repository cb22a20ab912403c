"""The documents match the program."""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from config.env import IN_FILES
from pairing.engine.systems import SYSTEMS

ROOT = Path(__file__).resolve().parents[1]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
SETTINGS = (ROOT / "docs" / "operations" / "settings.md").read_text()
OF_THE_TESTS = (ROOT / "docs" / "developer" / "tests.md").read_text()
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
SENTENCE = "Implements the FIDE Dutch System 2026; not endorsed."
# Set by the program for Django, or by the terminal; not settings.
NOT_SETTINGS = {
    "DJANGO_SETTINGS_MODULE",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
    "PATH",
    "PYTEST_XDIST_TESTRUNUID",
    "SYSTEMROOT",
}


def variables_read(path: Path) -> Iterator[str]:
    """Yield the environment variables that a Python file reads:
    ``env.reader("NAME")``, ``os.environ["NAME"]``, …
    """
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(
                func=ast.Attribute(value=reader), args=[ast.Constant(value=str(name)), *_]
            ):
                if ast.unparse(reader) in {"env", "Environment()", "os.environ"}:
                    yield name
            case ast.Subscript(
                value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name))
            ):
                yield name


def documented_variables() -> list[str]:
    cells = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \|", SETTINGS + OF_THE_TESTS, re.MULTILINE)
    return [name for cell in cells for name in re.findall("[A-Z_]+", cell)]


@pytest.mark.costly
def test_every_setting_is_in_the_table_and_nothing_else_is() -> None:
    files = [
        ROOT / "run",
        *(ROOT / "config").glob("*.py"),
        *(ROOT / "tests").rglob("*.py"),
        *(ROOT / "tools").glob("*.py"),
    ]
    read = {name for path in files for name in variables_read(path)} - NOT_SETTINGS
    read |= IN_FILES | {f"{name}_FILE" for name in IN_FILES}
    assert sorted(documented_variables()) == sorted(read)


def test_every_verb_of_run_is_explained() -> None:
    loader = SourceFileLoader("run", str(ROOT / "run"))
    spec = spec_from_loader("run", loader)
    assert spec is not None
    run = module_from_spec(spec)
    loader.exec_module(run)
    explained = set(re.findall(r"^\| `\./run ?([a-z]*)[^`]*` \|", OPERATIONS, re.MULTILINE))
    assert {verb or "serve" for verb in explained} == set(run.VERBS)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_have_a_target(path: Path) -> None:
    targets = [
        target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", path.read_text())
    ]
    missing = [
        target
        for target in targets
        if "://" not in target and target and not (path.parent / target).exists()
    ]
    assert missing == []


def test_readme_has_the_sentence_about_implementation_and_endorsement() -> None:
    assert SENTENCE in (ROOT / "README.md").read_text()


def test_every_system_has_its_row_in_the_rules() -> None:
    text = (ROOT / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
    (header,) = re.findall(r"^\| system \| articles \|.*\|$", text, re.MULTILINE)
    rows = re.findall(r"^\| `([a-z0-9_]+)` (?:\|[^|\n]+){5}\|$", text, re.MULTILINE)
    assert header.count("|") == 7
    assert sorted(rows) == sorted(SYSTEMS)


def test_the_version_is_the_same_everywhere() -> None:
    from config.settings import VERSION

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert (project["version"], newest[1]) == (VERSION, VERSION)


def test_the_dev_lock_contains_the_runtime_lock_pin_by_pin() -> None:
    """``./run test`` installs only the dev lock, and assumes
    that this includes the runtime lock.
    """
    runtime, dev = (
        set(re.findall(r"^\S+==\S+", (ROOT / name).read_text(), re.MULTILINE)) for name in LOCKS
    )
    assert runtime
    assert runtime - dev == set()


LOCKS = ("requirements.lock", "requirements-dev.lock")


@pytest.mark.parametrize("name", LOCKS)
def test_locks_have_a_hash_for_every_pin_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    assert re.search(r"https?:|file:|index-url|@ ", text) is None
    pins = re.split(r"^(?=\S+==)", text, flags=re.MULTILINE)[1:]
    assert [pin.split()[0] for pin in pins if "--hash=sha256:" not in pin] == []


def test_the_changelog_of_a_version_is_short() -> None:
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    lines = {
        text.partition("\n")[0]: [line for line in text.splitlines() if line] for text in versions
    }
    assert [name for name, found in lines.items() if len(found) > 60] == [], (
        "More than 60 lines: lengthen or merge bullets of CHANGELOG.md"
    )
    assert [line for found in lines.values() for line in found if len(line) > 100] == []
