"""The titles that are claimed on the sheet IT4: a form for each player who may get one."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods

from pairing.ratings.direct_titles import CLAIMS, TitleClaim, is_possible
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Entry, Sex, Tournament
from tournaments.reports.fide_sheets import TitleLine, title_candidates
from tournaments.reports.title_claims import LONGEST, claims_save
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.form_fields import WholeNumberField
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.shown_values import shown, up_to_date
from tournaments.web.templatetags.fide_norms import claim_words

MOST_NUMBER: Final = 9999
MOST_OTHERS: Final = 40
"""The players without a claimed title on the page; more are added by number."""


def _example(text: Promise) -> forms.TextInput:
    return forms.TextInput({"placeholder": text})


def _is_possible(claimed: TitleClaim, entry: Entry) -> bool:
    held = {entry.title, entry.women_title}
    return is_possible(claimed, held, is_man=entry.sex == Sex.MAN)


class ClaimForm(forms.Form):
    """The claimed title of one player."""

    title = forms.ChoiceField(label=_("Title claimed"), required=False)
    group = forms.CharField(
        label=_("Group"), required=False, max_length=LONGEST, widget=_example(_("Girls under 16"))
    )
    result = forms.CharField(
        label=_("Medal or result"),
        required=False,
        max_length=LONGEST,
        widget=_example(_("gold medal, 67 %")),
    )
    remarks = forms.CharField(label=_("Remarks"), required=False, max_length=LONGEST)

    def __init__(self, data: QueryDict | None = None, *, entry: Entry | None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.entry = entry
        self.fields["title"].choices = [  # type: ignore[attr-defined]
            ("", gettext("none")),
            *((claimed, claim_words(TitleClaim(claimed))) for claimed in CLAIMS),
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        claimed = self.claimed
        if claimed and self.entry is None and "number" not in self.errors:
            self.add_error("number", gettext("Enter the number of the player."))
        if claimed and self.entry and not _is_possible(claimed, self.entry):
            self.add_error("title", gettext("The player holds this title, or cannot get it."))
        return data

    @property
    def claimed(self) -> TitleClaim | None:
        """What a valid form claims; None without a title."""
        texts = {name: self.cleaned_data.get(name, "") for name in ClaimForm.base_fields}
        return TitleClaim(**texts) if texts["title"] else None


class OtherForm(ClaimForm):
    """The claimed title of a player who is not on the page: in a group of its own, for example."""

    number = WholeNumberField(
        label=_("Number of another player"), min_value=1, max_value=MOST_NUMBER, required=False
    )
    field_order = ("number",)

    def __init__(
        self, data: QueryDict | None = None, *, tournament: Tournament, **rest: Any
    ) -> None:
        super().__init__(data, entry=None, **rest)
        self._tournament = tournament

    def clean_number(self) -> int | None:
        number: int | None = self.cleaned_data["number"]
        if number:
            self.entry = Entry.objects.filter(tournament=self._tournament, tpn=number).first()
            if self.entry is None:
                raise forms.ValidationError(gettext("No player has this number."))
        return number


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def title_claims(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the players who may get a title, and save the titles that are claimed.

    A value that somebody else changed since the page was opened is not overwritten.
    """
    frame = tournament_frame(tournament, runs=True)
    lines = _lines(frame)
    fresh = _forms(lines, tournament)
    forms_shown, conflict = fresh, ""
    if request.method == "POST":
        data, conflict = up_to_date(request.POST, fresh)
        forms_shown = _forms(lines, tournament, data)
        valid = [form.is_valid() for form in forms_shown]  # each form shows its errors
        if all(valid) and not conflict:
            claims = {form.entry.pk: form.claimed for form in forms_shown if form.entry}
            claims_save(tournament_id=tournament.pk, actor=arbiter(request), claims=claims)
            messages.success(request, gettext("The titles are saved."))
            return redirect("title-claims", tournament.slug)
    status = 409 if conflict else 422 if request.method == "POST" else 200
    wrong = gettext("Nothing is saved yet. Correct the marked fields.")
    context = {
        "frame": frame,
        "section": "desk",
        "rows": list(zip(lines, forms_shown, strict=False)),
        "other": forms_shown[-1],
        "after": frame.latest_results,
        "shown": shown(fresh),
        "problem": conflict or (wrong if status == 422 else ""),
    }
    return render(request, "reports/title_claims.html", context, status=status)


def _lines(frame: Frame) -> tuple[TitleLine, ...]:
    """Return the players with a claimed title, and the best of the others."""
    lines = title_candidates(frame, frame.latest_results)
    others = [line.entry.pk for line in lines if not line.claimed][MOST_OTHERS:]
    return tuple(line for line in lines if line.entry.pk not in others)


def _forms(
    lines: tuple[TitleLine, ...], tournament: Tournament, data: QueryDict | None = None
) -> list[ClaimForm]:
    """Return a form for each of *lines*, and the last for another player."""
    found = []
    for line in lines:
        claimed = line.claimed or TitleClaim("")
        initial = {name: getattr(claimed, name) for name in ClaimForm.base_fields}
        prefix = f"e{line.entry.pk}"
        found.append(ClaimForm(data, entry=line.entry, initial=initial, prefix=prefix))
    return [*found, OtherForm(data, tournament=tournament, prefix="other")]
