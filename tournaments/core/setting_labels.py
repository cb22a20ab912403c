"""The labels of the settings of a tournament in sentences: those of the form."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.rules.settings import SETTINGS
from tournaments.models import Tournament

OF_COLUMNS: Final = (*SETTINGS, "left_fide_mode")

SETTING_LABELS: Final[dict[str, str | Promise]] = {
    **{name: Tournament._meta.get_field(name).verbose_name for name in OF_COLUMNS},  # type: ignore[union-attr]
    "prohibited_pairs": _("Prohibited pairs"),
}
"""Labels by the name of the field."""
