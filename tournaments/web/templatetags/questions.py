"""Template tags for the questions about unusual results."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from pairing.rounds.plausible import Question
from pairing.rounds.question_sentences import question_text
from pairing.rules.plausible import Move, PlayedBoard

register = template.Library()
register.simple_tag(question_text)


@register.simple_tag
def move_label(move: Move) -> str:
    """Return the label of the button that moves results by one board."""
    sentence = (
        _("Move the results of boards %(first)d–%(last)d one board down")
        if move.by > 0
        else _("Move the results of boards %(first)d–%(last)d one board up")
    )
    return sentence % {"first": move.first, "last": move.last}


@register.simple_tag
def question_row(question: Question) -> str:
    """Return the id of the row of the first board of a question."""
    board = getattr(question.finding, "board", None)
    game = board.game if isinstance(board, PlayedBoard) else None
    return f"board-{question.boards[0]}" + (f"-{game}" if game else "")
