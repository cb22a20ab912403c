"""The sentences about tournaments and settings; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_TOURNAMENTS: Final[dict[str, Promise]] = {
    "tournament.begun": _(
        "Round 1 is paired: “%(setting)s” was announced before the start and can no longer change."
    ),
    "rounds.not_begun": _(
        "Round 1 is not paired yet: change the number of rounds in the settings."
    ),
    "rounds.below_paired": _("Round %(round)s is paired: the number of rounds cannot be lower."),
    "rounds.lots_drawn": _(
        "Lots have been drawn between tied players: the number of rounds can no longer change."
    ),
    "rounds.final": _("The final standings are published: rounds can no longer be added."),
    "rounds.same": _("The tournament already has this number of rounds."),
    "rounds.reason_missing": _(
        "Enter a reason for the change of the number of rounds. It is saved in the record."
    ),
    "entries.changed_meanwhile": _(
        "The players entered have changed since you opened the preview, perhaps by the same "
        "button. Nothing was saved "
        "now: check the list below, then import it again."
    ),
    "rounds.moved_meanwhile": _(
        "There was another action in the meantime: check the consequences again."
    ),
    "points.not_begun": _(
        "The pairings of round 1 are not published yet: points can be adjusted after that."
    ),
    "points.of_matches": _(
        "A round of this tournament is a match of two games, and the report file has no point "
        "adjustments for "
        "matches: change the result of a game instead."
    ),
    "points.lots_drawn": _(
        "Lots have been drawn between tied players: an adjustment would decide who profits from "
        "them. Points can no "
        "longer be adjusted."
    ),
    "points.counted": _(
        "The pairings of round %(next)s are published and are based on the points of round "
        "%(round)s. A point "
        "adjustment made now belongs to round %(now)s: compensate there."
    ),
    "points.to_come": _(
        "The pairings of round %(round)s are not published yet: a point adjustment made now "
        "belongs to round %(now)s."
    ),
    "points.too_many": _("The adjustments of one player cannot exceed %(most)s points in total."),
    "points.amount": _(
        "Points must be a multiple of %(unit)s in this tournament: enter such a number."
    ),
    "points.no_number": _(
        "%(name)s has no pairing number (TPN) yet: assign pairing numbers first."
    ),
    "points.article_missing": _(
        "Enter the rule: an article of the Laws of Chess, or a clause of the regulations."
    ),
    "points.article": _("The rule must be one line of up to %(most)s letters, digits or signs."),
    "points.reason_missing": _(
        "Enter a reason. It is saved in the record, and players can read it."
    ),
    "points.moved_meanwhile": _(
        "Points were adjusted in the meantime: check the consequences again."
    ),
    "points.not_there": _(
        "This player no longer has such a point adjustment: check the list again."
    ),
    "tournament.was_public": _(
        "This tournament was public: it was shown in the list, or pairings were published. It "
        "cannot be deleted; "
        "archive it instead."
    ),
    "data.needed": _(
        "The personal data are still needed for prizes, protests, corrections and the rating "
        "report. They can be "
        "deleted when the standings are final, or when nothing has happened in the tournament for "
        "%(days)s days."
    ),
    "data.not_confirmed": _(
        "Confirm that you know that this cannot be undone. Nothing was deleted."
    ),
    "tournament.other_name": _(
        "Type the name of the tournament, “%(name)s”, to delete it. Nothing was deleted."
    ),
    "tournament.moved_meanwhile": _(
        "The tournament was changed in the meantime: look at it again, then decide."
    ),
    "logo.no_picture": _("This file is not a PNG, JPEG or WebP picture, or it is damaged."),
    "logo.moves": _("This picture moves. Choose one that does not."),
    "logo.too_large": _("This file is too large: a logo has at most %(most)s kB."),
    "logo.too_many_pixels": _("This picture is too large: at most %(most)s pixels on each side."),
    "logo.moved_meanwhile": _("The logo was changed in the meantime: look at it again."),
    "schedule.time": _("“%(value)s” is not a time of day: type times such as 9:00, 15:00."),
    "schedule.times_order": _("The times must be in order, each only once: %(value)s."),
    "tie_break.not_begun": _("Round 1 is not paired yet: change the tie-breaks in the settings."),
    "tie_break.final": _(
        "The final standings are published: their tie-breaks can no longer change."
    ),
    "tie_break.reason_missing": _(
        "Enter a reason for the change of the tie-breaks. It is saved in the record."
    ),
    "tie_break.same": _("The tournament already uses these tie-breaks."),
    "tie_break.moved_meanwhile": _(
        "There was another change in the meantime: check the effect again."
    ),
    "tie_break.unknown": _("There is no tie-break “%(tie_break)s”; known: %(known)s."),
    "tie_break.modifier": _("“%(tie_break)s” cannot have this modifier; possible: %(allowed)s."),
    "tie_break.twice": _("%(tie_break)s is in the list twice, at places %(first)s and %(second)s."),
    "tie_break.not_in_edition": _(
        "%(tie_break)s is not in the chosen edition of C.07: it was added later."
    ),
    "tie_break.of_games": _(
        "%(tie_break)s counts single games, but a round of this system is a match. C.07 does not "
        "define it for matches."
    ),
    "tie_break.ratings_missing": _(
        "%(tie_break)s cannot be used: these players have no rating: %(players)s."
    ),
    "lots.reports_open": _(
        "Mistakes can still be reported for %(minutes)s, and a correction could change who is "
        "tied: order the tied players after that."
    ),
    "lots.not_over": _("Lots can be drawn after the results of the last round are published."),
    "equals.not_tied": _(
        "Rank each of the tied players once, and no other player: check the list, then try again."
    ),
    "equals.reason_missing": _("Give a reason for the order. Everybody can read it."),
    "lots.drawn": _("Lots are already drawn. They can be drawn only once."),
    "lots.nobody_tied": _("No players are tied on all tie-breaks: there are no lots to draw."),
    "tie_break.left_out": _(
        "%(tie_break)s does not count: the players %(players)s have no rating (C.07 10)."
    ),
    "acceleration.system": _(
        "Baku acceleration can be used with the Dutch Systems of 2017 and 2026 and with "
        "Double-Swiss, not with "
        "the system “%(system)s”."
    ),
    "acceleration.points": _(
        "Baku acceleration requires a win worth two draws and a loss worth nothing."
    ),
    "points.out_of_order": _(
        "A win cannot be worth less than a draw, and a draw cannot be worth less than a loss."
    ),
    "points.nothing_to_win": _("A win must be worth more than a loss."),
    "points.two_draws": _(
        "Two draws cannot be worth more than a win and a loss together: lower the value of the draw."
    ),
    "field.unknown": _("There is no field “%(name)s”."),
    "field.invalid": _("%(problem)s"),
    "prohibited.moved_on": _(
        "Somebody else changed the prohibited pairs in the meantime. Nothing was saved."
    ),
    "prohibited.too_many": _("At most %(limit)s pairs can be prohibited. Choose a smaller group."),
    "prohibited.two_needed": _("Name at least two players."),
    "prohibited.name": _("%(found)s players fit “%(value)s”: choose one from the list."),
    "prohibited.unknown_round": _("There is no round %(value)s."),
    "prohibited.unknown_pair": _("%(value)s are not two participants of this tournament."),
    "tournament.name_taken_meanwhile": _(
        "Somebody else created a tournament called %(name)s a moment ago."
    ),
    "colour.unknown": _("“%(value)s” is not a colour; use w or b."),
    "prizes.value": _("The category “%(name)s” is open to “%(value)s”, which is not valid."),
    "prizes.amounts": _("The category “%(name)s” needs prizes, each a sum above zero or a name."),
    "prizes.unit": _("The prizes of “%(name)s” are not multiples of the unit of rounding."),
    "prizes.rules": _("The limit, the rounding or the highest sum of the prizes is not valid."),
    "prizes.moved": _("Somebody else changed the prizes in the meantime. Nothing was saved."),
    "prizes.excluded": _("A player who may not win is not in this tournament."),
}
