"""Forms of the set-up pages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from pairing.rules.settings import SETTINGS
from tournaments.core.witness import MAX_LETTERS
from tournaments.models import (
    AccelerationMethod,
    EnteredResults,
    LateEntryBye,
    TieBreakEdition,
    Tournament,
)
from tournaments.models.pairing_systems import ACCELERATIONS, NAMES, SENTENCES, worth_of_pab
from tournaments.setup.presets import SCORINGS
from tournaments.web.form_fields import FederationsField, validate_year
from tournaments.web.setup.help_by_rules import help_by_rules

NOT_IN_THE_FORM: Final = frozenset(
    {
        "list_state",
        "handling_edition",
        "points_win",
        "points_draw",
        "points_loss",
        "points_absence",
        "points_pab",
    }
)
"""The settings that other fields or actions set."""

IN_THE_FORM: Final = tuple(name for name in SETTINGS if name not in NOT_IN_THE_FORM)

PABS: Final = ("win", "draw", "none")


class TournamentForm(forms.ModelForm):  # type: ignore[type-arg]
    """A tournament's settings; :meth:`values` returns them for the service."""

    scoring = forms.ChoiceField(
        label=_("Points"),
        choices=[
            ("standard", _("1 for a win, ½ for a draw, 0 for a loss")),
            ("football", _("3 for a win, 1 for a draw, 0 for a loss")),
            ("custom", _("other values")),
        ],
        widget=forms.RadioSelect,
        initial="standard",
    )
    points_win = forms.DecimalField(
        label=_("Win"), min_value=0, max_value=99, decimal_places=1, required=False
    )
    points_draw = forms.DecimalField(
        label=_("Draw"), min_value=0, max_value=99, decimal_places=1, required=False
    )
    points_loss = forms.DecimalField(
        label=_("Loss"), min_value=0, max_value=99, decimal_places=1, required=False
    )
    pab = forms.ChoiceField(
        label=_("Points for the pairing-allocated bye"),
        choices=[
            ("win", _("same as a win; for a match: a win and a draw")),
            ("draw", _("same as a draw; for a match: two draws")),
            ("none", _("nothing")),
        ],
        help_text=_(
            "A win, unless the rules of the tournament say otherwise [C.04.1 3, C.04.5 1.4]."
        ),
        initial="win",
    )
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=300,
        help_text=_(
            "Round 1 has already been paired once: enter a reason if you change a setting "
            "announced before the "
            "start, or the top boards. It appears in the public record of the tournament."
        ),
    )

    class Meta:
        model = Tournament
        fields = IN_THE_FORM
        field_classes = {"national_lists": FederationsField}
        widgets = {
            "start_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "end_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "registered_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "deputy_arbiters": forms.Textarea(attrs={"rows": 2}),
            "change_clause": forms.Textarea(attrs={"rows": 2}),
            "federation": forms.TextInput(attrs={"maxlength": 3, "autocapitalize": "characters"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("start_date", "end_date", "registered_on"):
            self.fields[name].validators.append(validate_year)
        self.fields["tie_break_edition"].required = False
        if self.instance.pk is None:
            self.initial["tie_break_edition"] = (kwargs.get("initial") or {}).get(
                "tie_break_edition", ""
            )
            self.fields["tie_break_edition"] = forms.ChoiceField(
                label=self.fields["tie_break_edition"].label,
                required=False,
                choices=[("", _("the text in force on the first day")), *TieBreakEdition.choices],
            )
        self.fields["system"] = forms.ChoiceField(
            label=_("Pairing system"),
            choices=[
                (code, _with_sentence(str(name), SENTENCES[code])) for code, name in NAMES.items()
            ],
            widget=forms.RadioSelect,
            initial=Tournament._meta.get_field("system").get_default(),
            help_text=self.fields["system"].help_text,
        )
        self.fields["acceleration"] = forms.ChoiceField(
            label=self.fields["acceleration"].label,
            choices=[
                (method.value, _with_sentence(str(method.label), ACCELERATIONS[method.value]))
                for method in AccelerationMethod
            ],
            widget=forms.RadioSelect,
            required=False,
            initial=AccelerationMethod.NONE.value,
            help_text=self.fields["acceleration"].help_text,
        )
        if self.instance.pk is not None:
            for name, text in help_by_rules(self.instance).items():
                self.fields[name].help_text = text
        self.fields["top_boards"].required = False
        self.fields["late_entry_bye"].required = False
        self.fields["entered_results"].required = False
        for name in ("rating_method", "second_rating_method", "rate_of_play", "event_kind"):
            self.fields[name].required = False
        if self.instance.pk is not None:
            self.initial = {**_scoring_of(self.instance), **self.initial}

    def lock(self, fixed: Iterable[str]) -> None:
        """Make the settings *fixed* read-only, and those derived from them.

        A browser does not send a locked field. If a page that was open earlier sends one, it is
        read, so that the service refuses it with a reason. Otherwise the change would seem to be
        saved.
        """
        fixed = set(fixed)
        if "points_win" in fixed:
            fixed |= {"scoring", "pab"}
        for name in fixed & self.fields.keys():
            if name not in self.data:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("scoring") == "custom":
            for name in ("points_win", "points_draw", "points_loss"):
                if cleaned.get(name) is None and name not in self.errors:
                    self.add_error(name, _("Enter the number of points."))
        begin, end = cleaned.get("start_date"), cleaned.get("end_date")
        if begin and end and end < begin:
            self.add_error("end_date", _("The last day is before the first."))
        return cleaned

    def clean_federation(self) -> str:
        return str(self.cleaned_data["federation"]).upper()

    def _post_clean(self) -> None:
        """Do not change the model here: the service does it under its lock."""

    def values(self) -> dict[str, Any]:
        """Return the fields of the tournament, points in tenths."""
        values = {name: self.cleaned_data[name] for name in self.Meta.fields}
        for name in (
            "tie_breaks",
            "tie_break_edition",
            "rating_method",
            "national_lists",
            "second_rating_method",
            "rate_of_play",
            "event_kind",
        ):
            if name not in self.data:  # a form without these fields leaves them unchanged
                del values[name]
        scoring = self.cleaned_data["scoring"]
        if scoring == "custom":
            win, draw, loss = (
                int(self.cleaned_data[f"points_{name}"] * 10) for name in ("win", "draw", "loss")
            )
        else:
            win, draw, loss = SCORINGS[scoring]
        values |= {"points_win": win, "points_draw": draw, "points_loss": loss}
        values["top_boards"] = values["top_boards"] or 0
        values["late_entry_bye"] = values["late_entry_bye"] or LateEntryBye.NOTHING.value
        values["entered_results"] = values["entered_results"] or EnteredResults.OWN.value
        return values | {
            "points_pab": worth_of_pab(
                self.cleaned_data["pab"], values["system"], win=win, draw=draw
            )
        }


def _with_sentence(name: str, sentence: str | Promise) -> SafeString:
    """Return the label of a pairing system or an acceleration: name and one sentence."""
    return format_html('<span>{}<span class="help">{}</span></span>', name, sentence)


def _scoring_of(tournament: Tournament) -> dict[str, Any]:
    points = (tournament.points_win, tournament.points_draw, tournament.points_loss)
    known = next((name for name, values in SCORINGS.items() if values == points), "custom")
    worth = partial(worth_of_pab, system=tournament.system, win=points[0], draw=points[1])
    custom = {
        "points_win": points[0] / 10,
        "points_draw": points[1] / 10,
        "points_loss": points[2] / 10,
    }
    return {
        "scoring": known,
        "pab": next((name for name in PABS if worth(name) == tournament.points_pab), "none"),
        **(custom if known == "custom" else {}),
    }


class TieBreakForm(forms.ModelForm):  # type: ignore[type-arg]
    """Another list of tie-breaks after the start, with the reason."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("It appears in the public record of the tournament."),
    )

    class Meta:
        model = Tournament
        fields = ("tie_breaks", "tie_break_edition")

    def _post_clean(self) -> None:
        """Do not change the model here: the service does it under its lock."""


class NumberOfRoundsForm(forms.Form):
    """Another number of rounds after the start, with the reason."""

    total_rounds = forms.IntegerField(label=_("Number of rounds"), min_value=1, max_value=99)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("It appears in the public record of the tournament."),
    )


class ScheduleForm(forms.Form):
    """The start of one round, and the publication of its results."""

    starts_at = forms.DateTimeField(
        label=_("Play begins"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M"),
        validators=[validate_year],
    )
    results_due_at = forms.DateTimeField(
        label=_("Results announced for"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M"),
        validators=[validate_year],
    )

    def lock(self) -> None:
        """Make times read-only, unless sent all the same: then the service refuses them."""
        for name, field in self.fields.items():
            field.disabled = self.add_prefix(name) not in self.data


class InitialColourForm(forms.Form):
    """The colour drawn at the venue."""

    colour = forms.ChoiceField(
        label=_("Colour of player 1"),
        choices=[("w", _("White")), ("b", _("Black"))],
        widget=forms.RadioSelect,
    )
    witness = forms.CharField(label=_("Name of a witness"), max_length=MAX_LETTERS, required=False)
