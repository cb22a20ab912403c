"""The lines of the record: append-only and chained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, gettext_lazy as _

from pairing.rules.actions import find

from .payloads import AnyPayload, payload_of
from .tournament import Tournament

THE_SERVER: Final = "the server"
"""Who did an action at the console, in the record."""


def action_name(code: str) -> str:
    """Return the name of an action in the language of the page.

    The *code* itself if this version does not know it.
    """
    action = find(code)
    return gettext(action.row.words) if action else code


class Decision(models.Model):
    """One action, written in the transaction that did it;
    never changed, never removed, except for private values.

    ``hash`` is the SHA-256 of the content of the row and of the row before it, ``signature`` the
    signature of it by the installation with the public ``key``. ``salt`` hides the private values
    in it and is never shown. ``is_public``: visitors were shown this fingerprint. A database
    trigger refuses UPDATE and DELETE; it only lets the private values and the salt go, after a line
    that says so (``data.deleted``). ``before`` and ``after`` are the JSON as stored; read them
    through :attr:`payload`, which has their types.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="decisions")
    sequence = models.PositiveIntegerField(_("number"))
    action = models.CharField(_("action"), max_length=40)
    article = models.CharField(_("article"), max_length=40, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True
    )
    actor_name = models.CharField(_("by"), max_length=150)
    at = models.DateTimeField(_("time"))
    round_number = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    before: models.JSONField[Mapping[str, object], Mapping[str, object]] = models.JSONField(
        _("before"), default=dict
    )
    after: models.JSONField[Mapping[str, object], Mapping[str, object]] = models.JSONField(
        _("after"), default=dict
    )
    reason = models.TextField(_("reason"), blank=True)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(_("fingerprint"), max_length=64)
    is_public = models.BooleanField(default=False)
    salt = models.CharField(max_length=32, blank=True)
    deleted: models.JSONField[
        Sequence[tuple[Sequence[str], str]], Sequence[tuple[Sequence[str], str]]
    ] = models.JSONField(default=list)
    """The path and the hash of each private value that was
    deleted from this line, with the salt.
    """
    key = models.CharField(max_length=64, blank=True)
    signature = models.CharField(_("signature"), max_length=128, blank=True)

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        ordering = ("sequence",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "sequence"), name="decision_sequence_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament} #{self.sequence} {self.action}"

    @property
    def by(self) -> str:
        """The name of the person, for pages; the server has a name in each language."""
        return gettext("the server") if self.actor_id is None else self.actor_name

    @property
    def payload(self) -> AnyPayload:
        """``before`` and ``after`` with the types of this action.

        ``ValueError`` for an unknown action.
        """
        return payload_of(self.action, self.before, self.after)
