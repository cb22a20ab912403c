"""Icons of one set, in the page itself: decorative, and none that no page uses."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
ICONS = TEMPLATES / "icons"


def test_each_icon_is_used_and_decorative_and_the_licence_is_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")]
    used = {name for text in texts for name in re.findall(r'"icons/([\w-]+)\.svg"', text)}
    assert used == {path.stem for path in ICONS.glob("*.svg")}
    for path in ICONS.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert 'class="icon" aria-hidden="true"' in text, path
        assert not re.search(r"script|href|style|\bon\w+=|<title", text), path
    assert "MIT License" in (ICONS / "LICENSE.txt").read_text(encoding="utf-8")
