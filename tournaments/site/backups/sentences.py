"""Why a copy failed, in the words of the reader."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.site.backups.state import Problem


def sentence(problem: Problem | None) -> str:
    """Return why a copy failed and what to do, in the reader's language, or empty."""
    if problem is None:
        return ""
    sentences = {
        "full": _("The disk is full: delete files that nobody needs."),
        "read_only": _(
            "The folder cannot be written: look at its rights, or at the lock on the memory stick."
        ),
        "missing": _("The folder is missing: plug the memory stick in again."),
        "faults": _("The check found: %(detail)s") % {"detail": problem.detail},
    }
    return sentences.get(problem.code) or _("The reason: %(detail)s") % {"detail": problem.detail}
