"""The lists as they were published: pairings, standings and crosstables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, cast

from django.db import models
from django.utils.translation import gettext_lazy as _

from .decision import Decision
from .tournament import Tournament


class ListedPlayer(TypedDict):
    """A player of a pairing: the TPN, and the points (tenths) before the round.

    ``virtual`` are the points that an acceleration adds [C.04.7/2026].
    """

    entry: int
    number: int | None
    name: str
    points: int
    virtual: int


class ListedBoard(TypedDict):
    board: int
    table: int
    white: ListedPlayer
    black: ListedPlayer


class ListedBye(TypedDict):
    """``kind`` is the letter of the bye."""

    player: ListedPlayer
    kind: str


class ListedPairings(TypedDict):
    boards: list[ListedBoard]
    byes: list[ListedBye]


class ListedColumn(TypedDict):
    """A tie-break of the standings; its amounts are in units of one ``scale``-th."""

    code: str
    scale: int


class ListedRank(TypedDict):
    """One line of the standings.

    ``amounts`` are in the order of the columns, null where a tie-break has no value; ``by_lot``:
    lots decided the rank.
    """

    rank: int
    entry: int
    number: int
    name: str
    points: int
    amounts: list[int | None]
    by_lot: bool


class ListedStandings(TypedDict):
    columns: list[ListedColumn]
    players: list[ListedRank]


ListedCell = tuple[int | None, str, str, int]
"""One round of a player: the opponent's entry, the colour, the results by TRF letter,
and the points (tenths).
"""


class ListedRounds(TypedDict):
    """One line of the crosstable."""

    rank: int | None
    entry: int
    number: int
    name: str
    points: int
    rounds: list[ListedCell]


class ListedCrosstable(TypedDict):
    """``games``: games a round; cells name opponents by entry, because ranks change."""

    games: int
    players: list[ListedRounds]


Listed = ListedPairings | ListedStandings | ListedCrosstable


class PublishedList(models.Model):
    """A list as visitors could read it after the action of the line ``decision``;
    never changed, never removed.

    ``listed`` is one of the types of :data:`Listed`, by ``kind``. ``sha256`` is that of its
    canonical JSON; ``signature`` ties it to the fingerprint of the line. ``number`` counts the
    lists of the tournament from 1, so that a missing row is noticed; ``Tournament.lists`` has the
    last. A list is stored only if it differs from the one before it of the same kind and round, or
    if the line makes the standings final or reopens them. If it does not differ, it has no
    ``content`` of its own: it is that of the list ``same_as``. A database trigger refuses UPDATE
    and DELETE.
    """

    class Kind(models.TextChoices):
        PAIRINGS = "pairings", _("Pairings")
        STANDINGS = "standings", _("Standings")
        CROSSTABLE = "crosstable", _("Crosstable")

    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="published_lists"
    )
    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="published_lists")
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("list"), max_length=10, choices=Kind)
    round_number = models.PositiveSmallIntegerField(_("round"))
    content: models.JSONField[Mapping[str, object] | None, Mapping[str, object] | None] = (
        models.JSONField(_("content"), null=True)
    )
    same_as = models.ForeignKey("self", on_delete=models.PROTECT, related_name="+", null=True)
    sha256 = models.CharField(_("fingerprint"), max_length=64)
    signature = models.CharField(_("signature"), max_length=128)

    class Meta:
        verbose_name = _("published list")
        verbose_name_plural = _("published lists")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("decision", "kind", "round_number"), name="published_list_once"
            ),
            models.UniqueConstraint(
                fields=("tournament", "number"), name="published_list_number_once"
            ),
            models.CheckConstraint(
                condition=models.Q(content__isnull=True) ^ models.Q(same_as__isnull=True),
                name="published_list_one_content",
            ),
        )

    def __str__(self) -> str:
        return f"{self.decision} {self.kind} {self.round_number}"

    @property
    def listed(self) -> Listed:
        """The content: its own, or that of the list ``same_as``."""
        content = self.content if self.same_as is None else self.same_as.content
        return cast(Listed, content)
