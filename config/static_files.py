"""Collect and compress only static files that pages use, so that the first start is short.

Most come from what no page shows: REST framework's browsable API, the admin site's widgets that
no form here has, htmx' extensions. With ``DEBUG`` Django serves the files of packages itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

UNUSED: Final = [
    "rest_framework/*",
    "drf_spectacular/*",
    "django_otp/*",
    "otp_*",
    "django_htmx/ext/*",
    "django_htmx/django-htmx.js",
    "django_htmx/htmax-*",
    "django_htmx/htmx-2.js",
    "django_htmx/htmx-4*",
    "admin/js/vendor/jquery/jquery.js",
    "admin/js/vendor/select2/*",
    "admin/js/vendor/xregexp/xregexp.js",
    "admin/css/vendor/*",
    "admin/*/autocomplete.*",
    "admin/img/gis/*",
    "*LICENSE*",
    "*README*",
]
_HASHED: Final = re.compile(r"\.[0-9a-f]{12}\.[a-z0-9]+$")


class UsedFiles(StaticFilesConfig):
    """Django's application, which collects only what a page uses."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, *UNUSED]


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Compress what visitors and arbiters load: under its hashed name, a script under its own too.

    Scripts import each other by their own names. The admin site is for one person in a while.
    """

    def _save(self, name: str, content: File[bytes]) -> str:
        if name.startswith(("css/", "js/")) and name.endswith((".css", ".js")):
            content.seek(0)  # it was read for its hash
            text = content.read()
            source = text if isinstance(text, str) else text.decode()
            content = ContentFile(without_comments(name, source).encode())
        saved: str = super()._save(name, content)
        return saved

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        compressed: Iterator[tuple[str, str]] = super().compress_files(
            filter(is_loaded_often, paths)
        )
        return compressed


def is_loaded_often(path: str) -> bool:
    """Return whether the file at *path* is worth compressing."""
    return not path.startswith("admin/") and bool(path.startswith("js/") or _HASHED.search(path))


def without_comments(path: str, text: str) -> str:
    """Return a style sheet or script of ours as phones load it: without comments and indentation.

    Only whole lines of a script: no line of ours begins inside of a text, as a test checks.
    """
    if path.endswith(".css"):
        return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    return re.sub(r"^\s*(?://.*\n|\n)|^ +", "", text, flags=re.MULTILINE)
