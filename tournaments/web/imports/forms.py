"""Forms of the import pages."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import TieBreakEdition
from tournaments.models.pairing_systems import NAMES


class ImportRulesForm(forms.Form):
    """The rules for an imported event, if those of the file are not right."""

    either_way = True
    """Neither field is labelled optional, because the file has a value for each."""

    system = forms.ChoiceField(
        label=_("Pairing system"), required=False, choices=list(NAMES.items())
    )
    tie_break_edition = forms.ChoiceField(
        label=_("Edition of the tie-break rules"), required=False, choices=TieBreakEdition.choices
    )
