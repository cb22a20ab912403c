"""Make the table of parts in docs/developer/architecture.md from the imports.

``python -m tools.parts`` writes it; ``tests/test_architecture.py`` compares it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "developer" / "architecture.md"
BEGIN, END = "<!-- parts -->\n", "<!-- end of parts -->\n"
APPLICATION: Final = "tournaments"
# The wiring of the application knows all parts; migrations know the tables of their time.
LEFT_OUT: Final = {"apps", "migrations", "__init__"}


def dependencies() -> dict[str, set[str]]:
    """Return the parts of the application, each with the parts that it imports."""
    folder = ROOT / APPLICATION
    found: dict[str, set[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        part = path.relative_to(folder).with_suffix("").parts[0]
        if part not in LEFT_OUT:
            found.setdefault(part, set()).update(_imported(path) - {part} - LEFT_OUT)
    return found


def _imported(path: Path) -> set[str]:
    parts = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        parts |= {each.split(".")[1] for each in names if each.startswith(f"{APPLICATION}.")}
    return parts


def layers(imports: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the layer of each part: one more than the highest of those that it imports.

    ``RecursionError`` if parts import one another in a circle.
    """

    @cache
    def layer(part: str) -> int:
        return 1 + max(map(layer, imports[part]), default=0)

    return {part: layer(part) for part in imports}


def table() -> str:
    """Return the table in Markdown, from the highest layer down."""
    imports = dependencies()
    heights = layers(imports)
    importers = Counter(part for found in imports.values() for part in found)
    total = (
        f"{len(imports)} parts in {max(heights.values())} layers, {importers.total()} dependencies."
    )
    rows = [
        f"| {heights[part]} | `{part}` | {', '.join(sorted(imports[part])) or '–'} |"
        for part in sorted(imports, key=lambda part: (-heights[part], part))
    ]
    return "\n".join(
        [
            "",
            f"Of `{APPLICATION}/`, by `python -m tools.parts`: {total}",
            "",
            "| layer | part | imports |",
            "| --- | --- | --- |",
            *rows,
            "",
            "",
        ]
    )


def with_table(page: str) -> str:
    """Return the text of the *page* with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
