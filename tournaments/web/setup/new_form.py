"""The form of a new tournament: four fields, and everything else filled by the kind of event."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from tournaments.core.errors import BadInput
from tournaments.setup.presets import PRESETS, USUAL
from tournaments.setup.schedule_pattern import starts, times_of
from tournaments.web.form_fields import validate_year
from tournaments.web.setup.forms import TournamentForm


class PatternForm(forms.Form):
    """The times of all rounds as a pattern."""

    first_times = forms.CharField(
        label=_("Times on the first day"),
        required=False,
        max_length=100,
        help_text=_("Such as 19:30. Empty: as on the other days."),
    )
    other_times = forms.CharField(
        label=_("Times on the other days"),
        required=False,
        max_length=100,
        help_text=_("Such as 9:00, 15:00. Empty: as on the first day."),
    )
    days_between = forms.IntegerField(
        label=_("Days from one day of play to the next"),
        required=False,
        min_value=1,
        max_value=60,
        initial=1,
    )

    def starts_from(self, first_day: date | None, rounds: int) -> list[datetime]:
        """Return the start of each round from the cleaned data, on the clock of the hall;
        empty without times or day.

        ``BadInput`` names the field of a time that cannot be read.
        """
        typed = self.cleaned_data
        first, others = (
            times_of(typed.get(name, ""), name) for name in ("first_times", "other_times")
        )
        if first_day is None:
            return []
        days = typed.get("days_between") or 1
        naive = starts(
            first_day=first_day, rounds=rounds, first=first, others=others, days_between=days
        )
        return [timezone.make_aware(at) for at in naive]


class SchedulePatternForm(PatternForm):
    """The times of all rounds as a pattern, with the first day."""

    first_day = forms.DateField(
        label=_("First day"),
        required=False,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=[validate_year],
    )


class NewTournamentForm(TournamentForm, PatternForm):
    """The settings of a new tournament with its kind and the times of its rounds.

    After :meth:`is_valid`, ``times`` are the starts of the rounds.
    """

    kind = forms.ChoiceField(
        label=_("Kind of event"),
        required=False,
        widget=forms.RadioSelect,
        initial=USUAL,
        choices=[],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.times: Sequence[datetime] = ()
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)
        kind.choices = [
            (
                code,
                format_html(
                    '<span><strong>{}</strong> <span class="muted">{}</span><span '
                    'class="help">{}</span></span>',
                    preset.name,
                    ngettext("%(n)s round", "%(n)s rounds", preset.rounds) % {"n": preset.rounds},
                    preset.sentence,
                ),
            )
            for code, preset in PRESETS.items()
        ]
        rounds = self.fields["total_rounds"]
        rounds.help_text = _("Empty: as usual for this kind.")
        rounds.widget.is_required = rounds.required = False
        self.fields["end_date"].help_text = _(
            "Empty: the day of the last round, if the times are given."
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        rounds = cleaned.get("total_rounds")
        if rounds is None and "total_rounds" not in self.errors:
            self.add_error("total_rounds", gettext("Enter the number of rounds."))
        if rounds and not self.errors:
            try:
                self.times = self.starts_from(cleaned.get("start_date"), rounds)
            except BadInput as error:
                self.add_error(error.field, str(error))
        if self.times and not cleaned.get("end_date"):
            cleaned["end_date"] = timezone.localtime(self.times[-1]).date()
        return cleaned
