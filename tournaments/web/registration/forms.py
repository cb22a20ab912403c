"""The forms of the registration: the settings of the arbiters, and what a visitor fills in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import get_language, gettext, gettext_lazy as _

from tournaments.core.errors import BadInput
from tournaments.core.messages import sentence
from tournaments.entries.cells import FIGURES, label
from tournaments.events.registration.opening import (
    MOST_CONSENT,
    MOST_HOURS,
    MOST_PLACES,
    MOST_TEXT,
    Wanted,
)
from tournaments.events.registration.queue import FIELDS
from tournaments.events.registration.visitor import (
    MOST_EMAIL,
    MOST_ID,
    MOST_PHONE,
    TYPED,
    Wish,
    bye_rounds,
)
from tournaments.models import Registration, RegistrationSettings, Tournament
from tournaments.web.form_fields import (
    WITHOUT_SECONDS,
    MomentField,
    WholeNumberField,
    validate_year,
)
from tournaments.web.pairing_mail.available import why_no_pairing_mails

TRAP: Final = "website"
"""A field that no person sees: whoever fills it in is a program."""
MOST_LETTERS: Final = 200


class SettingsForm(forms.Form):
    """The settings of the registration."""

    is_open = forms.BooleanField(label=_("Visitors can register"), required=False)
    closes_at = MomentField(
        label=_("Closes"),
        widget=WITHOUT_SECONDS,
        required=False,
        validators=[validate_year],
        help_text=_("Date and time at the venue."),
    )
    most = WholeNumberField(
        label=_("Places"),
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_("Players who are entered count too. Empty: no limit."),
    )
    waiting_list = forms.BooleanField(
        label=_("With a waiting list when all places are taken"), required=False
    )
    hours = WholeNumberField(
        label=_("Hours to confirm"),
        min_value=1,
        max_value=MOST_HOURS,
        help_text=_("A registration that is not confirmed in time is deleted."),
    )
    offers_byes = forms.BooleanField(
        label=_("Visitors can ask for half-point byes"), required=False
    )
    text = forms.CharField(
        label=_("Text above the form"),
        required=False,
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("For example the entry fee and how to pay it. Everybody can read it."),
    )
    consent = forms.CharField(
        label=_("Text of consent"),
        required=False,
        max_length=MOST_CONSENT,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Visitors have to agree to it. Empty: no question."),
    )

    all_sections = forms.BooleanField(
        label=_("The same for all sections of the event, except the places"), required=False
    )

    @classmethod
    def from_settings(cls, found: RegistrationSettings) -> SettingsForm:
        """Return the form with the settings *found*."""
        return cls(initial={name: getattr(found, name) for name in asdict(Wanted(True))})

    def wanted(self) -> Wanted:
        """Return the settings of a valid form."""
        return Wanted(**{name: self.cleaned_data[name] for name in asdict(Wanted(True))})


class VisitorForm(forms.Form):
    """What a visitor types. The services check it, so that every fault has its sentence."""

    last_name = forms.CharField(label=_("Last name"), required=True, max_length=MOST_LETTERS)
    first_name = forms.CharField(label=_("First name"), required=False, max_length=MOST_LETTERS)
    fide_id = forms.CharField(label=_("FIDE ID"), required=False, max_length=MOST_LETTERS)
    national_id = forms.CharField(label=_("National ID"), required=False, max_length=MOST_ID)
    federation = forms.CharField(
        label=_("Federation"),
        required=False,
        max_length=MOST_LETTERS,
        help_text=_("Three letters, such as FRA."),
    )
    birth_date = forms.CharField(
        label=_("Date of birth"),
        required=False,
        max_length=MOST_LETTERS,
        help_text=_("A year, YYYY-MM-DD or DD/MM/YYYY. Not shown to visitors."),
    )
    initials = forms.BooleanField(
        label=_("Show me with initials on public lists"),
        required=False,
        help_text=_("Everybody reads “A. D.”; arbiters and the federations have the whole name."),
    )
    club = forms.CharField(label=_("Club"), required=False, max_length=MOST_LETTERS)
    email = forms.CharField(
        label=_("E-mail"),
        required=False,
        max_length=MOST_EMAIL,
        widget=forms.EmailInput,
        help_text=_("An e-mail address or a phone number is needed. Only the arbiters see them."),
    )
    mails = forms.BooleanField(
        label=_("Send me my board by e-mail"),
        required=False,
        help_text=_(
            "One e-mail for each round when the pairings are published, and one if your board "
            "changes. You can end them at any time with the link in each e-mail."
        ),
    )
    phone = forms.CharField(
        label=_("Phone number"),
        required=False,
        max_length=MOST_PHONE,
        widget=forms.TextInput({"type": "tel"}),
    )
    byes = forms.MultipleChoiceField(
        label=_("Requested half-point byes"), required=False, widget=forms.CheckboxSelectMultiple
    )
    agrees = forms.BooleanField(required=False)

    def __init__(
        self, data: Any, *, tournament: Tournament, found: RegistrationSettings, initial: Any = None
    ) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        rounds = bye_rounds(tournament) if found.offers_byes else []
        if rounds:
            self.fields["byes"].choices = [  # type: ignore[attr-defined]
                (str(number), gettext("Round %(n)s") % {"n": number}) for number in rounds
            ]
            self.fields["byes"].help_text = _(
                "Rounds in which you will not play. The arbiter decides about them."
            )
        else:
            del self.fields["byes"]
        if found.consent:
            self.fields["agrees"].label = found.consent
            self.fields["agrees"].short_label = _("Consent")  # type: ignore[attr-defined]
        else:
            del self.fields["agrees"]
        if why_no_pairing_mails():
            del self.fields["mails"]
        for name, purpose in _PURPOSES.items():
            self.fields[name].widget.attrs["autocomplete"] = purpose
        for name in ("email", "phone"):
            self.fields[name].either_way = True  # type: ignore[attr-defined] # One of them is needed.

    def wish(self) -> Wish:
        """Return what was typed."""
        assert isinstance(self.data, QueryDict)
        wish = wish_of(self.data)
        mails = "mails" in self.fields and "mails" in self.data
        return replace(wish, mails=mails, language=get_language() or settings.LANGUAGE_CODE)

    def show_error(self, error: BadInput) -> None:
        """Show *error* and those with it at their fields."""
        for each in (error, *error.more):
            self.add_error(each.field if each.field in self.fields else None, sentence(each))


_PURPOSES: Final = {
    "last_name": "family-name",
    "first_name": "given-name",
    "birth_date": "bday",
    "club": "organization",
    "email": "email",
    "phone": "tel",
    "fide_id": "off",
    "national_id": "off",
    "federation": "off",
}


def round_names(numbers: Sequence[object]) -> str:
    """Return the names of the rounds *numbers* for a visitor, such as “Round 1, Round 3”."""
    return ", ".join(gettext("Round %(n)s") % {"n": number} for number in numbers)


def wish_of(data: QueryDict) -> Wish:
    """Return what the form in *data* says, each text cut to a length that no valid one has."""
    numbers = [
        text
        for text in data.getlist("byes")[:99]
        if text.isascii() and text.isdecimal() and len(text) < 4
    ]
    return Wish(
        values={name: data.get(name, "")[:MOST_LETTERS] for name in TYPED},
        email=data.get("email", "")[: MOST_EMAIL + 50],
        phone=data.get("phone", "")[: MOST_PHONE + 50],
        byes=[int(text) for text in numbers],
        agrees="agrees" in data,
        listed=data.get("listed", "")[:60],
    )


def typed_of(registration: Registration) -> dict[str, Any]:
    """Return the values of *registration* for a :class:`VisitorForm`.

    Somebody who has agreed to another sentence has to agree again.
    """
    fields: Mapping[str, str] = registration.fields
    last, _comma, first = fields.get("name", "").partition(", ")
    typed: dict[str, Any] = {name: fields.get(name, "") for name in TYPED}
    typed |= {"last_name": last, "first_name": first}
    typed["birth_date"] = fields.get("birth_date", "").removesuffix("/00/00")
    byes: Sequence[int] = registration.byes
    return typed | {
        "email": registration.email,
        "phone": registration.phone,
        "mails": registration.mails,
        "byes": [str(number) for number in byes],
        "agrees": registration.consent == registration.tournament.registration_settings.consent,
    }


class AcceptForm(forms.Form):
    """The data of a registration, to be corrected while it is accepted."""

    either_way = True
    """No field is labelled optional."""
    refuses = False
    """Whether the part with the reason is open."""

    with_byes = forms.BooleanField(required=False, initial=True)
    reason = forms.CharField(
        label=_("Reason"), required=False, help_text=_("The visitor can read it."), max_length=500
    )

    def __init__(self, registration: Registration, data: Any = None) -> None:
        initial = dict(registration.fields)
        initial["birth_date"] = str(initial.get("birth_date", "")).removesuffix("/00/00")
        super().__init__(data, initial=initial, prefix=f"r{registration.pk}", label_suffix="")
        for name in FIELDS:
            words = label(name)
            self.fields[name] = forms.CharField(
                label=words[:1].upper() + words[1:], required=False, max_length=MOST_LETTERS
            )

    @property
    def figures(self) -> list[forms.BoundField]:
        """What a rating list has besides the rating, if given."""
        return [self[name] for name in (*FIGURES, "rating_list") if self.initial.get(name)]

    def texts(self) -> dict[str, str]:
        """Return the typed texts."""
        return {
            name: str(self.data.get(self.add_prefix(name), ""))[:MOST_LETTERS] for name in FIELDS
        }

    def text(self, name: str) -> str:
        """Return the text of the field *name* as it was typed."""
        return str(self.data.get(self.add_prefix(name), ""))[:1_000]
