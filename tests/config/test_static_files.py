"""The static files that are collected: everything a page names, nothing of what no page uses."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import get_finders
from django.test import Client
from django.urls import reverse

from config.commands import collect_if_missing
from config.static_files import without_comments
from tests.tournaments import factories


def collected() -> dict[str, Path]:
    """Return the files that ``collectstatic`` copies, by path."""
    return {
        posixpath.join(getattr(storage, "prefix", None) or "", path.replace("\\", "/")): Path(
            storage.path(path)
        )
        for finder in get_finders()
        for path, storage in finder.list(apps.get_app_config("staticfiles").ignore_patterns)
    }


@pytest.mark.django_db
def test_every_file_that_a_page_of_the_admin_site_names_is_collected() -> None:
    user = User.objects.create_superuser("site", password="site-secret")
    tournament = factories.make_tournament(user)
    client = Client()
    client.force_login(user)
    addresses = [reverse(f"admin:{name}") for name in ("index", "password_change")]
    for model in (
        "auth_user",
        "auth_group",
        "tournaments_tournament",
        "tournaments_deletedtournament",
    ):
        addresses += [reverse(f"admin:{model}_changelist"), reverse(f"admin:{model}_add")]
    for name, pk in (("auth_user", user.pk), ("tournaments_tournament", tournament.pk)):
        addresses += [
            reverse(f"admin:{name}_{page}", args=[pk]) for page in ("change", "delete", "history")
        ]
    addresses += [
        reverse("admin:auth_user_password_change", args=[user.pk]),
        "/",
        f"/t/{tournament.slug}/desk/",
    ]
    named: set[str] = set()
    for address in addresses:
        page = client.get(address).content.decode()
        named |= {name.partition("?")[0] for name in re.findall(r'"/static/([^"]+)"', page)}
    files = collected()
    assert {"admin/css/base.css", "admin/js/core.js", "js/app.js"} < named
    assert named - files.keys() == set()
    in_styles = set()
    for path, file in files.items():
        if path.endswith(".css"):
            text = file.read_text()
            found = [
                *re.findall(r'url\(["\']?([^"\')]+)', text),
                *re.findall(r'@import "([^"]+)"', text),
            ]
            in_styles |= {
                posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
                for name in found
                if ":" not in name
            }
    assert in_styles - files.keys() == set()


def test_what_no_page_uses_is_not_collected() -> None:
    packages = {path.partition("/")[0] for path in collected()} - {"css", "js", "img", "help"}
    assert packages == {"admin", "django_htmx"}
    assert [path for path in collected() if path.startswith("django_htmx/")] == [
        "django_htmx/htmx-2.min.js"
    ]
    assert not [path for path in collected() if "select2" in path or "/gis/" in path]


@pytest.mark.costly
def test_a_command_that_makes_pages_collects_what_is_missing(
    settings: object, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = tmp_path / "static"  # type: ignore[attr-defined]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "config.static_files.Storage"}
    }  # type: ignore[attr-defined]
    collect_if_missing()
    there = tmp_path / "static"
    assert (there / "staticfiles.json").exists()
    # Scripts import each other by their own names; everything else is named with its hash.
    compressed = {re.sub(r"[0-9a-f]{12}", "…", path.name) for path in there.rglob("*.gz")}
    assert {"names.js.gz", "names.….js.gz", "base.….css.gz", "htmx-2.min.….js.gz"} <= compressed
    assert {"base.css.gz", "htmx-2.min.js.gz"} & compressed == set()
    assert not list(there.glob("admin/**/*.gz"))
    styles = next(there.glob("css/base.????????????.css")).read_text()
    assert "html {" in styles
    assert "/*" not in styles
    (there / "js" / "names.js").unlink()
    collect_if_missing()
    assert not (there / "js" / "names.js").exists()


def test_phones_load_styles_and_scripts_without_comments() -> None:
    assert without_comments("css/a.css", "/* A\n b */\na {\n  top: 0;\n}\n") == " a { top: 0; } "
    script = '"use strict";\n// A\n\nif (a) {\n  // b\n  b("x // y"); // c\n}\n'
    assert without_comments("js/a.js", script) == '"use strict";\nif (a) {\nb("x // y"); // c\n}\n'
    for path in Path(settings.BASE_DIR, "static", "js").glob("*.js"):
        text = path.read_text()
        # A text over two lines could begin a line with two slashes or a space.
        assert [line for line in text.splitlines() if line.count("`") % 2] == [], path
    for path in Path(settings.BASE_DIR, "static", "css").glob("*.css"):
        texts = re.findall(r'"[^"\n]*"', path.read_text())
        assert [text for text in texts if "  " in text or "/*" in text] == [], path
