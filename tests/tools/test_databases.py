"""``--db=postgres`` leaves out modules about pages: none of them needs PostgreSQL, and no others are left out."""

from pathlib import Path

import pytest

from tests.plugins.postgres import ABOUT_PAGES, ROOT, is_left_out

EVERYWHERE = (
    "action", "agree", "concurren", "guard", "import", "locks", "order_of_names", "payload", "point_adjustments",
    "queries", "random", "record", "every_public_page", "access_pages", "roles", "transaction", "undo",
)  # fmt: skip


@pytest.mark.parametrize("path", sorted(ABOUT_PAGES))
def test_a_module_left_out_on_postgresql_needs_no_database_of_its_own(path: str) -> None:
    text = (ROOT / path).read_text()
    assert "vendor" not in text
    assert "postgres" not in text.lower()
    assert "transaction=True" not in text
    assert not [word for word in EVERYWHERE if word in Path(path).name]


def test_a_module_named_on_the_command_line_runs() -> None:
    pages, undo = ROOT / "tests/tournaments/desk/test_desk_pages.py", ROOT / "tests/tournaments/desk/test_undo.py"
    assert is_left_out(pages, set())
    assert not is_left_out(pages, {pages})
    assert not is_left_out(undo, set())
