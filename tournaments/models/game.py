"""Boards, results, and the seat of each player."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy as _

from .round import Round

MOST_OF_A_PLACE: Final = 100
"""The longest place of a game."""


class GameResult(models.TextChoices):
    """A game's result: White's TRF letter, then Black's.

    The label is what everybody reads; ``*``: not rated.
    """

    WHITE_WINS = "10", "1 – 0"
    DRAW = "==", "½ – ½"
    BLACK_WINS = "01", "0 – 1"
    BOTH_LOSE = "00", "0 – 0"
    HALF_ZERO = "=0", "½ – 0"
    ZERO_HALF = "0=", "0 – ½"
    BLACK_FORFEITS = "+-", "+ / −"
    WHITE_FORFEITS = "-+", "− / +"
    BOTH_FORFEIT = "--", "− / −"
    WHITE_WINS_UNRATED = "WL", "1 – 0 *"
    DRAW_UNRATED = "DD", "½ – ½ *"
    BLACK_WINS_UNRATED = "LW", "0 – 1 *"
    ADJOURNED = "??", _("adjourned")
    NOT_YET = "", _("no result yet")

    @property
    def short(self) -> str:
        """The text between two names; ``*`` marks a game that is not rated."""
        if self == GameResult.ADJOURNED:
            return gettext("adj.")
        return "" if self == GameResult.NOT_YET else str(self.label)


class ByeKind(models.TextChoices):
    """The reason why a player has no game in a round, by TRF letter."""

    PAIRING_ALLOCATED = "U", _("pairing-allocated bye")
    FULL_POINT = "F", _("full-point bye")
    HALF_POINT = "H", _("half-point bye")
    ZERO_POINT = "Z", _("absent (zero-point bye)")


class Game(models.Model):
    """One game of one round.

    ``version`` grows with each change of the result, so that two people who enter the same board
    cannot overwrite each other without notice. If a round is a match, its second game is a row with
    ``first``: the players have their seats at the first game, and the reverse colours in the second
    [C.04.5/2026 0].
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="games")
    board = models.PositiveSmallIntegerField(_("board"))
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    """The table of the board, if it is not the table with its number
    because of a fixed table in the round.
    """
    result = models.CharField(
        _("result"),
        max_length=2,
        blank=True,
        choices=GameResult.choices,
        default=GameResult.NOT_YET,
    )
    version = models.PositiveIntegerField(default=0)
    starts_at = models.DateTimeField(_("date of the game"), null=True, blank=True)
    """The date of a game that is not played with its round:
    postponed, adjourned, or played in advance.
    """
    place = models.CharField(_("place"), max_length=MOST_OF_A_PLACE, blank=True)
    """Where the game is played on that date, if it is not the hall."""
    first = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="second"
    )
    """For the second game of a match, the first game; None for every other game."""

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ("board", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("round", "board"), condition=Q(first__isnull=True), name="game_board_once"
            ),
            models.CheckConstraint(
                condition=Q(result__in=GameResult.values), name="game_result_known"
            ),
            models.CheckConstraint(condition=Q(board__gte=1), name="game_board_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.round} board {self.board}" + (" game 2" if self.first_id else "")

    @property
    def number(self) -> int:
        """1, or 2 for the second game of a match."""
        return 1 if self.first_id is None else 2


class Seat(models.Model):
    """One player's place in one round: a colour at a board, or a bye. One row per player and round.

    In a match it is the colour of the first game. The unique constraint on (round, entry) prevents
    a player from having two seats in a round or playing against himself.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.PROTECT, related_name="seats")
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="seats", null=True, blank=True
    )
    colour = models.CharField(
        _("colour"), max_length=1, blank=True, choices=[("w", _("White")), ("b", _("Black"))]
    )
    bye = models.CharField(_("bye"), max_length=1, blank=True, choices=ByeKind.choices)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = (
            models.UniqueConstraint(fields=("round", "entry"), name="seat_once_per_round"),
            models.UniqueConstraint(fields=("game", "colour"), name="seat_colour_once_per_game"),
            models.UniqueConstraint(
                fields=("round",), condition=Q(bye="U"), name="seat_one_pab_per_round"
            ),
            models.CheckConstraint(
                condition=(Q(game__isnull=False) & Q(colour__in=["w", "b"]) & Q(bye=""))
                | (Q(game__isnull=True) & Q(colour="") & Q(bye__in=ByeKind.values)),
                name="seat_game_or_bye",
            ),
        )

    def __str__(self) -> str:
        return f"{self.round} {self.entry}"
