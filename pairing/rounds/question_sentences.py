"""The sentences of the questions about unusual results."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from pairing.rounds.plausible import Question
from pairing.rules.plausible import Absence, PlayedBoard, Shift, Twice, Upset
from tournaments.models import GameResult

_REASONS: Final = {
    "bye": gettext_lazy(
        "Board %(board)s, %(result)s: %(name)s has a bye in this round. Was this game played?"
    ),
    "withdrawn": gettext_lazy(
        "Board %(board)s, %(result)s: %(name)s has withdrawn. Was this game played?"
    ),
    "expelled": gettext_lazy(
        "Board %(board)s, %(result)s: %(name)s is expelled. Was this game played?"
    ),
}


def question_text(question: Question) -> str:
    """Return the sentence of a question."""
    match question.finding:
        case Upset(board=board, difference=difference):
            winner, loser = question.names
            return _(
                "Board %(board)s, %(result)s: %(winner)s beat %(loser)s, rated %(points)s points "
                "higher. Is that right?"
            ) % {**_of(board), "winner": winner, "loser": loser, "points": difference}
        case Absence(board=board, reason=reason):
            return str(_REASONS[reason]) % {**_of(board), "name": question.names[0]}
        case Twice(board=board, other=other):
            place = f"{other.section}, {other.board}" if other.section else str(other.board)
            return _(
                "Board %(board)s, %(white)s – %(black)s: one of them also has a result on board "
                "%(other)s at the same "
                "time. Is that right?"
            ) % {
                **_of(board),
                "white": question.names[0],
                "black": question.names[1],
                "other": place,
            }
        case Shift(first=first, last=last):
            return _(
                "Boards %(first)s to %(last)s: these results would fit the ratings much better "
                "one board further up or "
                "down. Were they entered on the right lines?"
            ) % {"first": first, "last": last}


def _of(board: PlayedBoard) -> dict[str, object]:
    name = f"{board.board}/{board.game}" if board.game else str(board.board)
    return {"board": name, "result": GameResult(board.result).short}
