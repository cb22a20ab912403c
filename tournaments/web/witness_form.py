"""The form of a draw by the program in front of a witness."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.witness import MAX_LETTERS


class WitnessForm(forms.Form):
    """A number or word named by a witness, and the name of the witness; both may be left empty."""

    named = forms.CharField(
        label=_("Number or word chosen by the witness"), max_length=MAX_LETTERS, required=False
    )
    witness = forms.CharField(
        label=_("Name of the witness"), max_length=MAX_LETTERS, required=False
    )
