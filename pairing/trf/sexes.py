"""Read the sex of the players where a program has written it into the columns of the titles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .document import PlayerRecord, TrfDocument
from .fields import PLAYER, SEXES

_TITLE: Final = next(column for column in PLAYER if column.name == "title")


def read_sex_from_titles(players: Sequence[PlayerRecord]) -> None:
    """Take m, f and w in the title column of new *players* as the sex, if they must be.

    In old files m is an International Master and f a FIDE Master. They are the sex if no player has
    one, no player has another title, and most players have such a letter. The records keep their
    lines.
    """
    written = [_title(player) for player in players]
    letters = [title for title in written if title]
    if (
        any(player.sex for player in players)
        or not set(letters) <= SEXES.keys()
        or 2 * len(letters) <= len(players)
    ):
        return
    for player, title in zip(players, written, strict=True):
        object.__setattr__(player, "title", "")
        object.__setattr__(player, "sex", SEXES.get(title, ""))


def first_sex_from_titles(document: TrfDocument) -> int | None:
    """Return the line of the first sex read from the column of titles; None without one."""
    found = (
        line
        for line, player in document.numbered(PlayerRecord)
        if player.sex and not player.title and SEXES.get(_title(player)) == player.sex
    )
    return next(found, None)


def titles_that_may_be_sexes(document: TrfDocument) -> list[tuple[int, str]]:
    """Return line and letter of titles read from m or f, of players without a sex beside."""
    found = [(line, _title(player), player) for line, player in document.numbered(PlayerRecord)]
    return [
        (line, letter)
        for line, letter, player in found
        if letter in ("m", "f") and player.title and not player.sex
    ]


def _title(player: PlayerRecord) -> str:
    """Return the title columns of *player*'s line in small letters; empty for a new one."""
    return (player.source or "").removeprefix("\ufeff")[_TITLE.span].strip().lower()
