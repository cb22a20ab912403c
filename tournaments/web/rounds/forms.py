"""The forms of a correction and of consents."""

from __future__ import annotations

from datetime import UTC
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.core.witness import MAX_LETTERS
from tournaments.web.form_fields import MomentField, hours, validate_year


class ConsentForm(forms.Form):
    """Time and witness of the players' consent to a pairing change [C.04.2/2026 4.4]."""

    consented_at = MomentField(
        label=_("When they agreed"),
        help_text=_("Empty: now."),
        required=False,
        validators=[validate_year],
    )
    witness = forms.CharField(
        label=_("Witness"),
        max_length=MAX_LETTERS,
        required=False,  # to see the consequences; the service asks for it
        help_text=_("The person who heard the players agree."),
        widget=forms.TextInput({"required": True}),
    )


BECAUSE: Final = {
    "entry": _("entered wrongly"),
    "players": _("the players reported it"),
    "sheets": _("result sheets exchanged"),
    "colours": _("colours exchanged"),
}
"""The usual reasons of a correction, by the value of the form."""


class CorrectionForm(forms.Form):
    """A reported mistake: the right value, the time of the report and its source.

    It has only the fields of its *kind*; *second* names the second rating, if the tournament has
    one; with *estimate* the estimate of the arbiter can be corrected. ``chosen`` is shown if the
    rules give no effect, ``hour`` if ``asks_hour``: the default is the later of the two moments
    that is not in the future.
    """

    asks_hour = False

    result = forms.ChoiceField(label=_("Correct result"), widget=forms.RadioSelect)
    fide_rating = forms.IntegerField(
        label=_("Correct FIDE rating"), min_value=0, max_value=4000, required=False
    )
    national_rating = forms.IntegerField(
        label=_("Correct national rating"), min_value=0, max_value=4000, required=False
    )
    rating = forms.IntegerField(
        label=_("Correct arbiter’s estimate"), min_value=0, max_value=4000, required=False
    )
    second_rating = forms.IntegerField(min_value=0, max_value=4000, required=False)
    reported_at = MomentField(
        label=_("Time of the report"),
        help_text=_("The effect depends on the time of the report, not on the time you enter it."),
        validators=[validate_year],
    )
    hour = forms.ChoiceField(
        label=_("The clocks go back, so this hour occurs twice. Choose one of the two."),
        choices=[("0", _("the first (summer time)")), ("1", _("the second (winter time)"))],
        required=False,
        widget=forms.RadioSelect,
    )
    because = forms.ChoiceField(
        label=_("Reason"),
        choices=[*BECAUSE.items(), ("other", _("another reason"))],
        required=False,
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Report (person and mistake)"),
        help_text=_("Saved in the record; players do not see it."),
        max_length=1000,
        required=False,  # a reason from the list is enough
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    chosen = forms.ChoiceField(
        label=_("Decision of the Chief Arbiter"), required=False, widget=forms.RadioSelect
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    seen = forms.JSONField(required=False, widget=forms.HiddenInput(attrs={"autocomplete": "off"}))

    def __init__(
        self, *args: Any, kind: str, results: list[tuple[str, str]], effects: list[tuple[str, str]],
        second: str = "", estimate: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        theirs = {"result": {"result"}, "rating": {"fide_rating", "national_rating"}}.get(
            kind, set()
        )
        if kind == "rating" and second:
            theirs |= {"second_rating"}
            self.fields["second_rating"].label = _("Correct second rating (%(which)s)") % {
                "which": second
            }
        if kind == "rating" and estimate:
            theirs |= {"rating"}
        for name in ("result", "fide_rating", "national_rating", "second_rating", "rating"):
            if name not in theirs:
                del self.fields[name]
        if kind == "rating":
            choices = [
                (value, text)
                for value, text in BECAUSE.items()
                if value not in ("sheets", "colours")
            ]
            self.fields["because"].choices = [*choices, ("other", _("another reason"))]  # type: ignore[attr-defined]
        if "result" in self.fields:
            self.fields["result"].choices = results  # type: ignore[attr-defined]
        self.fields["chosen"].choices = effects  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        listed, written = BECAUSE.get(cleaned.get("because", ""), ""), cleaned.get("reason", "")
        cleaned["reason"] = ". ".join(str(part) for part in (listed, written) if part)
        if not cleaned["reason"] and "reason" not in self.errors:
            self.add_error("reason", _("Choose a reason from the list, or write one."))
        first, second = hours(cleaned["reported_at"]) if "reported_at" in cleaned else (None, None)
        if first is None or second is None:
            return cleaned
        self.asks_hour = first.utcoffset() != second.utcoffset()
        hour = cleaned.get("hour") or str(int(second.astimezone(UTC) <= timezone.now()))
        if self.asks_hour and not self.data.get("hour"):
            self.data = {name: self.data.get(name) for name in self.data} | {"hour": hour}
        cleaned["reported_at"] = (second if self.asks_hour and hour == "1" else first).astimezone(
            UTC
        )
        return cleaned
