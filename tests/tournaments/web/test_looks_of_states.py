"""Each state of a round has its own look, under the name that the pages give it."""

import pytest
from django.conf import settings

from pairing.rules.rounds import RoundState

FOLDER = settings.BASE_DIR / "static" / "css"
COMPONENTS = (FOLDER / "components.css").read_text(encoding="utf-8")
HEADER_LINE = (settings.BASE_DIR / "templates" / "shared" / "_where_it_stands.html").read_text(
    encoding="utf-8"
)


@pytest.mark.parametrize("state", RoundState)
def test_the_tab_of_a_round_shows_its_state(state: RoundState) -> None:
    assert f".rounds .{state} a" in COMPONENTS


@pytest.mark.parametrize(
    "state", [state for state in RoundState if state is not RoundState.PLANNED]
)
def test_the_badge_and_the_line_in_the_header_show_the_state(state: RoundState) -> None:
    assert f".badge.{state}" in COMPONENTS
    assert 'class="badge {{ tab.state }} where-it-stands' in HEADER_LINE
