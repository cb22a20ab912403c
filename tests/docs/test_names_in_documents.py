"""Check that files, modules and names in back quotes in the documents exist.

A path may leave out its first folders, like `rules/points.py`.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = (
    "config",
    "docs",
    "locale",
    "pairing",
    "static",
    "templates",
    "tests",
    "tools",
    "tournaments",
)
ENDINGS = (".py", ".md", ".toml", ".html", ".js", ".css", ".po", ".lock", ".yml")
PLACEHOLDERS = {"CODE", "NAME", "literal_NAME.py"}
"""Parts of a path that the reader replaces."""
NOT_OURS = {
    "pairable_NAME",  # The reader replaces NAME.
    "six.trf",  # An example.
    "crosstable.svg",  # Addresses of pictures.
    "performance.svg",
    "progress.svg",
    "synchronous_commit",  # PostgreSQL.
    "calculate_descriptor_strict",  # Another program.
}


def quoted(path: Path) -> list[str]:
    """Return everything in back quotes outside blocks of code."""
    text = re.sub(
        r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    text = text.partition("\n## Retired names\n")[0]  # of the glossary: names that must not exist
    return re.findall(r"`([^`\n]+)`", text)


def is_path(word: str) -> bool:
    if not re.fullmatch(r"\w[\w.*-]*(?:/[\w.*-]+)*/?", word) or PLACEHOLDERS & set(word.split("/")):
        return False
    return word.endswith(ENDINGS) or ("/" in word and word.split("/")[0] in FOLDERS)


@cache
def files() -> tuple[Path, ...]:
    """Return all files and folders of the program, relative to its root."""
    inside = (
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if "__pycache__" not in path.parts
    )
    return tuple(path.relative_to(ROOT) for path in (*ROOT.iterdir(), *inside))


@cache
def by_name() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in files():
        found.setdefault(path.name, []).append(path)
    return found


@cache
def exists(word: str) -> bool:
    candidates = files() if "*" in word else by_name().get(Path(word).name, ())
    return any(path.match(word) for path in candidates)


@cache
def names_and_texts() -> tuple[frozenset[str], frozenset[str]]:
    """Return every name and every short text in the Python code."""
    names: set[str] = set()
    texts: set[str] = set()
    for path in files():
        if path.suffix != ".py" or "migrations" in path.parts:  # Migrations keep old names.
            continue
        names.add(path.stem)
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.Name(id=name)
                    | ast.Attribute(attr=name)
                    | ast.arg(arg=name)
                    | ast.alias(name=name)
                ):
                    names.add(name)
                case (
                    ast.FunctionDef(name=name)
                    | ast.ClassDef(name=name)
                    | ast.keyword(arg=str(name))
                ):
                    names.add(name)
                case ast.Constant(value=str(text)) if len(text) < 60:
                    texts.add(text)
    return frozenset(names), frozenset(texts)


def is_name(word: str) -> bool:
    """Return whether *word* is written like a name in the code:
    dotted, with underscores, or in CamelCase.
    """
    dotted = re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", word)
    return bool(dotted or re.fullmatch(r"[a-z]\w*_\w+|[A-Z][a-z]+(?:[A-Z][a-z]+)+", word))


def is_known(word: str) -> bool:
    names, texts = names_and_texts()
    return word in texts or all(
        part in names or (ROOT / part).is_dir() or exists(part) for part in word.split(".")
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_exists(path: Path) -> None:
    assert [word for word in quoted(path) if is_path(word) and not exists(word)] == []


@pytest.mark.costly
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_name_in_code_exists(path: Path) -> None:
    found = [
        word
        for word in quoted(path)
        if is_name(word) and not is_path(word) and word not in NOT_OURS
    ]
    assert [word for word in found if not is_known(word)] == []
