"""Static files that no page asks for are not collected, and all that templates name are."""

from __future__ import annotations

import re
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.template import Context, Template

from config.static_files import NEVER_ASKED_FOR


def collected() -> set[str]:
    """Return the names of the files that ``collectstatic`` copies."""
    ignored = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    return {path for finder in get_finders() for path, _ in finder.list(ignored)}


def test_what_templates_and_scripts_name_is_collected() -> None:
    texts = [path.read_text() for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")]
    named = {name for text in texts for name in re.findall(r"""{% static ['"]([^'"{]+)['"] %}""", text)}
    assert len(named) > 20
    script = Template("{% load django_htmx %}{% htmx_script %}").render(Context({}))
    named |= {name.removeprefix(settings.STATIC_URL) for name in re.findall(r'src="([^"]+)"', script)}
    assert "django_htmx/htmx-2.min.js" in named
    assert named - collected() == set()


def test_nothing_else_of_the_packages_is_left_out() -> None:
    everything = {path for finder in get_finders() for path, _ in finder.list(None)}
    left = everything - collected()
    assert {path.partition("/")[0] for path in left} - {".gitkeep"} == {"django_htmx", "rest_framework"}
    assert {path for path in collected() if path.startswith("django_htmx/")} == {
        "django_htmx/htmx-2.min.js",
        "django_htmx/django-htmx.js",
    }
    assert {path for path in collected() if path.startswith("admin/")}
    assert len(NEVER_ASKED_FOR) == 5


def test_no_page_of_the_api_is_for_browsers() -> None:
    """Those would ask for the files of Django REST framework."""
    assert settings.REST_FRAMEWORK["DEFAULT_RENDERER_CLASSES"] == ["rest_framework.renderers.JSONRenderer"]
    root = Path(settings.BASE_DIR)
    sources = [path.read_text() for folder in ("tournaments", "config") for path in (root / folder).rglob("*.py")]
    assert not any("BrowsableAPIRenderer" in text for text in sources)
