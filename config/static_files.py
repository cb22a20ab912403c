"""Which static files are collected and compressed: what no page uses is not, so the first start is short.

Most come from what no page shows: REST framework's browsable API, the admin site's widgets that
no form here has, htmx' extensions. With ``DEBUG`` Django serves the files of packages itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

from django.contrib.staticfiles.finders import AppDirectoriesFinder
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

UNUSED: Final = (
    "rest_framework/*",
    "drf_spectacular/*",
    "django_otp/*",
    "otp_*",
    "django_htmx/ext/*",
    "django_htmx/*.js",
    "admin/js/vendor/*",
    "admin/css/vendor/*",
    "admin/*/autocomplete.*",
    "admin/img/gis/*",
    "*LICENSE*",
    "*README*",
)
USED: Final = (
    "django_htmx/htmx-2.min.js",
    "admin/js/vendor/jquery/jquery.min.js",
    "admin/js/vendor/xregexp/xregexp.min.js",
)
"""Exceptions from :data:`UNUSED`."""


_HASHED: Final = re.compile(r"\.[0-9a-f]{12}\.[a-z0-9]+$")


class UsedFilesFinder(AppDirectoriesFinder):
    """Find the static files of packages, and list those that a page uses."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        for path, storage in super().list(ignore_patterns):
            if is_used(path):
                yield path, storage


def is_used(path: str) -> bool:
    """Return whether a page uses the static file at *path* of a package."""
    name = path.replace("\\", "/")
    return name in USED or not any(fnmatchcase(name, pattern) for pattern in UNUSED)


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Compress what visitors and arbiters load: under its hashed name, a script under its own too.

    Scripts import each other by their own names. The admin site is for one person in a while.
    """

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        compressed: Iterator[tuple[str, str]] = super().compress_files(filter(is_loaded_often, paths))
        return compressed


def is_loaded_often(path: str) -> bool:
    """Return whether the file at *path* is worth compressing."""
    return not path.startswith("admin/") and bool(path.startswith("js/") or _HASHED.search(path))
