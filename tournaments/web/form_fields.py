"""Fields and checks for the forms of several pages."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pairing.engine.errors import InputError
from pairing.trf.native_files import refuse_native
from tournaments.core.errors import unreadable

MAX_UPLOAD: Final = 1_500_000
HEAD: Final = 4_096
"""Bytes at the beginning of a file that show what it is."""


FIRST_YEAR: Final = 1900


LAST_YEAR: Final = 2200


class UploadForm(forms.Form):
    """A file, or the same text pasted in."""

    either_way = True
    """Neither field is labelled optional, because one of them is needed."""

    file = forms.FileField(label=_("File"), required=False)
    text = forms.CharField(
        label=_("or paste it here"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        upload = cleaned.get("file")
        if upload and upload.size > MAX_UPLOAD:
            self.add_error("file", _too_large(upload))
        elif not upload and not cleaned.get("text") and not self.errors:
            self.add_error("file", _("Choose a file, or paste its text."))
        return cleaned

    def file_name(self) -> str:
        """Return the name of the submitted file; empty for pasted text."""
        upload = self.cleaned_data.get("file")
        return str(upload.name or "") if upload else ""

    def data_bytes(self) -> bytes:
        """Return the submitted data."""
        upload = self.cleaned_data.get("file")
        return bytes(upload.read() if upload else self.cleaned_data["text"].encode())


def _too_large(upload: UploadedFile) -> str:
    """Return the error about an *upload* that is too large: rating lists have their page."""
    try:
        refuse_native(upload.read(HEAD), upload.name or "", is_list=True)
    except InputError as error:
        if error.params.get("kind") == "fide_list":
            return str(unreadable(error))
    return str(_("The file is too large: at most 1.5 MB."))


def validate_year(moment: date) -> None:
    """Refuse the first and the last year, which do not exist in every time zone."""
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        message = _("Type a year from %(first)s to %(last)s.")
        raise ValidationError(message, params={"first": FIRST_YEAR, "last": LAST_YEAR})


class WholeNumberField(forms.IntegerField):
    """A whole number in the digits 0-9 only; Python itself accepts the digits of every script."""

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str) and not re.fullmatch(r"-?[0-9]*", value.strip()):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


WITHOUT_SECONDS: Final = forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M")
"""The input of a time that is planned: a browser asks for seconds that nobody has,
and accepts no empty ones.
"""


class MomentField(forms.DateTimeField):
    """A time on the clock of the hall, to the second.

    A time that occurs twice is read as the first of the two.
    """

    widget = forms.DateTimeInput({"type": "datetime-local", "step": 1}, "%Y-%m-%dT%H:%M:%S")

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(UTC):
            read = super().to_python(value)
        if read is None:
            return None
        first, second = hours(read.replace(tzinfo=timezone.get_current_timezone()))
        # When the clocks go forward, one hour does not exist.
        return (
            first
            if (first.utcoffset() or NO_TIME) >= (second.utcoffset() or NO_TIME)
            else super().to_python(value)
        )


NO_TIME = timedelta()


def hours(at: datetime) -> tuple[datetime, datetime]:
    """Return the two moments of *at* when clocks go back in autumn; else the same twice."""
    return at.replace(fold=0), at.replace(fold=1)


class FederationsField(forms.CharField):
    """The codes of federations in an order, with commas or blanks between them; each once."""

    def to_python(self, value: Any) -> str:
        codes = re.split(r"[\s,;>]+", (super().to_python(value) or "").upper())
        return " ".join(dict.fromkeys(filter(None, codes)))
