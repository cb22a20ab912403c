"""Which static files of the packages ``collectstatic`` copies and compresses: those that a page can ask for."""

from __future__ import annotations

from typing import Final

from django.contrib.staticfiles.apps import StaticFilesConfig

NEVER_ASKED_FOR: Final = [
    "rest_framework",  # the browsable pages of Django REST framework: the API answers with JSON alone
    "django_htmx/ext/*",
    "django_htmx/htmax-*",
    "django_htmx/htmx-4*",
    "django_htmx/htmx-2.js",
]
"""Patterns of files and folders. They were half of what was compressed, which takes longer than all else."""


class NeededStaticFiles(StaticFilesConfig):
    """Django's app of static files, which also leaves out :data:`NEVER_ASKED_FOR`."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, *NEVER_ASKED_FOR]
