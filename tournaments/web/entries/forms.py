"""Forms about one participant: the player's data, a requested bye, a withdrawal."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from pairing.record.player_fields import TEXTS
from tournaments.core.birth_dates import birth_date_of
from tournaments.core.errors import BadInput
from tournaments.core.messages import sentence
from tournaments.core.rating import chosen_rating
from tournaments.entries.cells import FIGURES, MAX_RATING, read_row
from tournaments.models import ByeKind, Entry, RatingSource, Tournament
from tournaments.web.form_fields import WholeNumberField

_DOUBTED: Final = ("name", *TEXTS, "fide_id", "national_id", "fide_rating", "national_rating")
"""Fields whose values are checked as in a list; see :func:`tournaments.entries.cells.read_row`."""


_FROM_THE_LIST: Final = (*FIGURES, "rating_list")


class EntryForm(forms.ModelForm):  # type: ignore[type-arg]
    """One participant; :meth:`values` returns the fields for the services.

    A typed estimate is never lost: without another rating it is the rating used, else the form
    asks.
    """

    rating_source = forms.ChoiceField(
        label=_("Rating used for pairing numbers"),
        required=False,
        choices=[
            ("", _("as announced for the tournament")),
            (RatingSource.NATIONAL.value, _("national rating")),
            (RatingSource.ESTIMATE.value, _("arbiter’s estimate")),
        ],
        help_text=_("Pairing numbers are ordered by this rating first [C.04.2 2.1]."),
    )
    estimate = WholeNumberField(
        label=_("Arbiter’s estimate"), min_value=0, max_value=MAX_RATING, required=False
    )
    fide_rating = WholeNumberField(
        label=_("FIDE rating"), min_value=0, max_value=MAX_RATING, required=False
    )
    national_rating = WholeNumberField(
        label=_("National rating"), min_value=0, max_value=MAX_RATING, required=False
    )

    second_rating = WholeNumberField(
        label=_("Second rating"),
        min_value=0,
        max_value=MAX_RATING,
        required=False,
        help_text=_("Counts if there is no rating by the first choice."),
    )

    initials = forms.BooleanField(
        label=_("Shown with initials"),
        required=False,
        help_text=_(
            "At the player’s request: everybody reads “A. D.”, without FIDE ID; arbiters and "
            "reports have the whole "
            "name. What was published before stays published."
        ),
    )
    arrived = forms.BooleanField(
        label=_("The player has arrived"),
        required=False,
        help_text=_("A late entry is paired only after the player has arrived [C.04.2 2.4]."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=1000,
        help_text=_(
            "Needed if name, FIDE ID, date of birth, rating, estimate or title change. Saved in the record."
        ),
    )

    class Meta:
        model = Entry
        fields = (
            "name",
            "title",
            "women_title",
            "sex",
            "federation",
            "fide_id",
            "national_id",
            *TEXTS,
            "birth_date",
            "fide_rating",
            "national_rating",
            "second_rating",
            "k_factor",
            "list_games",
            "fixed_table",
            "no_byes_with_points",
        )
        field_classes = dict.fromkeys(
            ("fide_id", "fixed_table", "k_factor", "list_games"), WholeNumberField
        )
        labels = {
            "fixed_table": _("Fixed table"),
            "no_byes_with_points": _("Not entitled to byes with points"),
            "name": _("Name"),
            "title": _("FIDE title"),
            "women_title": _("Women’s title"),
            "k_factor": _("K"),
            "list_games": _("Rated games"),
            "sex": _("Sex"),
            "federation": _("Federation"),
            "fide_id": _("FIDE ID"),
            "national_id": _("National ID"),
            "birth_date": _("Date of birth"),
        }
        help_texts = {
            "fixed_table": _(
                "The player plays at this table in every round; the other boards are renumbered "
                "[C.04.2 3.6]."
            ),
            "no_byes_with_points": _(
                "Byes that were granted before stay: cancel them below [C.04.2 3.3]."
            ),
            "name": _("Last name, First name"),
            "k_factor": _("From the rating list, for the change of the rating [B.02 8.3.3]."),
            "list_games": _("In the month of the rating list."),
            "national_id": _("Licence or member number. Not shown to visitors."),
            "birth_date": _("A year, YYYY-MM-DD or DD/MM/YYYY. Not shown to visitors."),
        }

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        """Offer the ratings of *tournament*, with the second rating if it has a second method."""
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        if tournament.second_rating_method:
            self.fields["second_rating"].label = tournament.get_second_rating_method_display()
        else:
            del self.fields["second_rating"]
        # Show a year alone as people write it: in a report, 00 means an unknown day.
        self.initial["birth_date"] = str(self.initial.get("birth_date", "")).removesuffix("/00/00")
        if self.instance.pk is not None:
            self.initial["name"] = self.instance.real_name
            self.initial["initials"] = bool(self.instance.full_name)
        if self.instance.pk is not None and self.instance.rating_source == RatingSource.ESTIMATE:
            self.initial["estimate"] = self.instance.rating
        source = self.instance.rating_source
        ratings = (
            self.instance.fide_rating,
            self.instance.national_rating,
            self.instance.second_rating,
        )
        usual, _rating = chosen_rating(tournament, *ratings)
        chosen = source == RatingSource.ESTIMATE or (
            source == RatingSource.NATIONAL and usual != source
        )
        self.initial["rating_source"] = source if chosen else ""

    @property
    def texts(self) -> list[forms.BoundField]:
        """The fields with texts that have no rule of their own."""
        return [self[name] for name in TEXTS if name not in _FROM_THE_LIST]

    @property
    def figures(self) -> list[forms.BoundField]:
        """The fields that usually come from a rating list, folded on the page."""
        return [self[name] for name in _FROM_THE_LIST]

    @property
    def figures_have_errors(self) -> bool:
        """Whether one of them has an error, so that they must be unfolded."""
        return any(name in self.errors for name in _FROM_THE_LIST)

    def clean_birth_date(self) -> str:
        """Return the date as the import of lists reads it; accept the stored value unchanged."""
        text = str(self.cleaned_data["birth_date"]).strip()
        if text == self.instance.birth_date:
            return text
        try:
            return birth_date_of(text, "birth_date")
        except BadInput as error:
            raise forms.ValidationError(sentence(error)) from error

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        source = cleaned.get("rating_source")
        if source != RatingSource.ESTIMATE and cleaned.get("estimate") is not None:
            ratings = ("fide_rating", "national_rating", "second_rating")
            if not source and not any(cleaned.get(name) for name in ratings):
                source = cleaned["rating_source"] = RatingSource.ESTIMATE
            elif "estimate" in self.changed_data:  # one that the page showed goes with a new rating
                self.add_error("estimate", self._unused_estimate())
        if (
            source == RatingSource.ESTIMATE
            and cleaned.get("estimate") is None
            and "estimate" not in self.errors
        ):
            self.add_error("estimate", _("Enter the rating of the player."))
        if source == RatingSource.NATIONAL and not cleaned.get("national_rating"):
            self.add_error("national_rating", _("Enter the national rating to be used."))
        for problem in self._doubts(cleaned):
            self.add_error(problem.field, sentence(problem))
        return cleaned

    def _doubts(self, cleaned: dict[str, Any]) -> list[BadInput]:
        """Return what a list with these values would wait for, of changed fields."""
        texts = {
            name: str(cleaned.get(name) or "") for name in _DOUBTED if name in self.changed_data
        }
        _row, problems = read_row({"name": "X"} | texts)
        return [
            problem
            for problem in problems
            if problem.field in texts and problem.field not in self.errors
        ]

    @staticmethod
    def _unused_estimate() -> str:
        return str(
            _(
                "The player has a rating, so the estimate would not be used. Choose “arbiter’s "
                "estimate” as the rating "
                "used for pairing numbers, or empty this field."
            )
        )

    def _post_clean(self) -> None:
        """Do not change the model here: the service does it under its lock."""

    def values(self) -> dict[str, Any]:
        """Return the fields of the participant, with the chosen rating."""
        cleaned = self.cleaned_data
        values = {name: cleaned[name] for name in self.Meta.fields if name in cleaned}
        match cleaned["rating_source"]:
            case RatingSource.ESTIMATE:
                source, rating = RatingSource.ESTIMATE, cleaned["estimate"]
            case RatingSource.NATIONAL:
                source, rating = RatingSource.NATIONAL, cleaned["national_rating"]
            case _:
                ratings = (
                    cleaned["fide_rating"],
                    cleaned["national_rating"],
                    cleaned.get("second_rating"),
                )
                source, rating = chosen_rating(self.tournament, *ratings)
        return values | {"initials": cleaned["initials"], "rating": rating, "rating_source": source}


class ByeForm(forms.Form):
    """A bye requested for one round."""

    round_number = forms.TypedChoiceField(label=_("Round"), coerce=int)
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (ByeKind.HALF_POINT.value, ByeKind.HALF_POINT.label),
            (ByeKind.ZERO_POINT.value, ByeKind.ZERO_POINT.label),
            (ByeKind.FULL_POINT.value, ByeKind.FULL_POINT.label),
        ],
    )

    def __init__(self, *args: Any, rounds: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round_number"].choices = [(n, str(n)) for n in rounds]  # type: ignore[attr-defined]


class WithdrawForm(forms.Form):
    """The first round of a withdrawal."""

    from_round = forms.TypedChoiceField(label=_("Withdrawn from round"), coerce=int)

    def __init__(self, *args: Any, rounds: list[int], total: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(n, str(n) if n <= total else _("now, during the last round")) for n in rounds]
        self.fields["from_round"].choices = choices  # type: ignore[attr-defined]
