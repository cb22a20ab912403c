"""The templates that the server reads when it starts."""

from __future__ import annotations

import pytest
from django.template import engines
from pytest_django import Settings

from config.template_loader import read_all


@pytest.mark.costly
def test_after_the_start_no_template_of_the_program_is_read_again(settings: Settings) -> None:
    settings.TEMPLATES = [*settings.TEMPLATES]  # engines of our own, which have read nothing
    (cached,) = engines["django"].engine.template_loaders[0].loaders  # type: ignore[attr-defined]
    assert not cached.get_template_cache
    assert read_all() > 200
    assert {
        "base.html",
        "standings/_player.html",
        "rounds/pairings.html",
    } <= cached.get_template_cache.keys()
