"""The form of a hall screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language, gettext_lazy as _, pgettext_lazy

from tournaments.events.screens import Wanted
from tournaments.models import Screen, ScreenContent, ScreenSize, Tournament
from tournaments.models.screen import LONGEST_NAME, LONGEST_NOTICE, MOST_SECONDS
from tournaments.web.form_fields import WholeNumberField


class ScreenForm(forms.Form):
    """What a screen shows, and how. A tournament without other sections has no field for them."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        help_text=_("Such as Entrance or Stage; it is on this page only."),
    )
    contents = forms.MultipleChoiceField(
        label=_("Contents, in turn"),
        choices=ScreenContent.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Lists that do not exist yet are left out, such as standings before round 1."),
    )
    sections = forms.MultipleChoiceField(
        label=_("Sections"), widget=forms.CheckboxSelectMultiple, required=False
    )
    are_side_by_side = forms.BooleanField(label=_("Two sections side by side"), required=False)
    size = forms.ChoiceField(
        label=_("Size of the type"),
        choices=ScreenSize.choices,
        initial=ScreenSize.AUTOMATIC,
        help_text=_("Shorter lists get larger type."),
    )
    is_dark = forms.TypedChoiceField(
        label=_("Colours"),
        choices=[
            ("yes", pgettext_lazy("screen", "light letters on a dark background")),
            ("no", pgettext_lazy("screen", "dark letters on a light background")),
        ],
        coerce=lambda text: text == "yes",
        initial="yes",
    )
    seconds = WholeNumberField(
        label=_("Seconds per page"),
        min_value=0,
        max_value=MOST_SECONDS,
        initial=12,
        help_text=_("0: a click or a key turns the page, such as in a prize ceremony."),
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    has_finder = forms.BooleanField(
        label=_("Name finder: first letters to touch below the page"), required=False
    )
    notice = forms.CharField(
        label=_("Text of the notice"),
        max_length=LONGEST_NOTICE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, sections: Sequence[Tournament], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sections:
            choices = [(each.identity, each.section.label) for each in sections]
            self.fields["sections"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["sections"], self.fields["are_side_by_side"]

    @classmethod
    def empty(cls, tournament: Tournament, sections: Sequence[Tournament]) -> ScreenForm:
        """Return the form of a new screen with a name, in the language of the reader. One query."""
        number = Screen.objects.filter(tournament=tournament).count() + 1
        initial = {
            "name": _("Screen %(n)s") % {"n": number},
            "language": get_language(),
            "contents": [ScreenContent.BOARDS, ScreenContent.STANDINGS],
            "sections": [tournament.identity],
        }
        return cls(initial=initial, sections=sections)

    @classmethod
    def from_screen(cls, screen: Screen, sections: Sequence[Tournament]) -> ScreenForm:
        """Return the form with the values of *screen*."""
        initial = {name: getattr(screen, name) for name in cls.base_fields}
        initial["is_dark"] = "yes" if screen.is_dark else "no"
        initial["sections"] = screen.sections or [screen.tournament.identity]
        return cls(initial=initial, sections=sections)

    def wanted(self, tournament: Tournament) -> Wanted:
        """Return the valid values; of *tournament* alone, the screen has no list of sections."""
        values: dict[str, Any] = {"sections": (), "are_side_by_side": False} | self.cleaned_data
        if list(values["sections"]) == [tournament.identity]:
            values["sections"] = ()
        return Wanted(**values)
