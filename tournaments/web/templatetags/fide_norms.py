"""Words for the conditions, forecasts and certificates of title norms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from pairing.ratings.conditions import Condition, State
from pairing.ratings.direct_titles import TitleClaim
from pairing.ratings.event_conditions import CONFIRMED
from pairing.ratings.forecast import LOWEST, Chance, Forecast
from pairing.ratings.model import Game, Kind, System
from pairing.ratings.norms import NOT_SEARCHED, Norm
from pairing.ratings.rounding import score_text
from tournaments.models import RateOfPlay
from tournaments.reports.fide_sheets import TitleLine
from tournaments.reports.norms import Certificate

from .numbers import colon, hundredths

register = template.Library()

CONDITIONS: Final[dict[str, Promise]] = {
    "standard": gettext_lazy("Standard chess"),
    "registered": gettext_lazy("Days between registration with FIDE and the start"),
    "hours": gettext_lazy("Hours of play in a day, with 60 moves"),
    "rounds_a_day": gettext_lazy("Rounds in a day"),
    "minutes": gettext_lazy("Time of each player for 60 moves"),
    "same_time": gettext_lazy("The same time control in all games"),
    "long": gettext_lazy("Days; in longer events ratings are those of the day of the game"),
    "chief_arbiter": gettext_lazy("Title of the chief arbiter"),
    "arbiter_in_hall": gettext_lazy("An IA or FA is always in the hall"),
    "arbiters_playing": gettext_lazy("Arbiters who play"),
    "by_hand": gettext_lazy("Pairings changed in favour of a player"),
    "system": gettext_lazy("Pairing system approved by FIDE"),
    "women": gettext_lazy("Title for women"),
    "games": gettext_lazy("Games"),
    "federations": gettext_lazy("Other federations of opponents"),
    "own_federation": gettext_lazy("Opponents of the player’s own federation"),
    "one_federation": gettext_lazy("Opponents of one federation"),
    "exemption": gettext_lazy("The event is exempt from the mix of federations"),
    "titled": gettext_lazy("Opponents with a title from FM and WFM up"),
    "required": gettext_lazy("Opponents with the title or a higher one"),
    "players": gettext_lazy("Players of a double round robin"),
    "average": gettext_lazy("Average rating of the opponents"),
    "performance": gettext_lazy("Performance rating"),
    "percent": gettext_lazy("Score in per cent"),
    "less_than_a_move": gettext_lazy("Games of less than one move"),
    "flags": gettext_lazy("Opponents under the flag of FIDE or without a federation"),
    "unrated": gettext_lazy("Opponents without a rating"),
    NOT_SEARCHED: gettext_lazy("Sets of rounds to ignore: too many to try all of them"),
    "last_round": gettext_lazy("The opponent forfeited the last round; counted as a loss"),
}

VALUES: Final[dict[str, str | Promise]] = {
    **{rate.value: rate.label for rate in RateOfPlay},
    System.SWISS.value: gettext_lazy("Swiss"),
    System.OTHER.value: gettext_lazy("another system"),
    CONFIRMED: gettext_lazy("confirmed by the arbiter"),
}
"""What is found or needed in words; the rest are numbers."""

STATES: Final[dict[State, Promise]] = {
    State.MET: gettext_lazy("met"),
    State.FAILED: gettext_lazy("not met"),
    State.CONFIRM: gettext_lazy("to be confirmed"),
    State.WAIVED: gettext_lazy("exempt"),
}

MEDALS: Final[dict[int, Promise]] = {
    1: gettext_lazy("gold medal"),
    2: gettext_lazy("silver medal"),
    3: gettext_lazy("bronze medal"),
}

_UNPLAYED: Final = {Kind.FORFEIT_WIN: "+", Kind.FORFEIT_LOSS: "−"}


@register.filter
def condition_words(row: Condition) -> str:
    """Return what a condition is about."""
    return str(CONDITIONS[row.code])


@register.filter
def value_words(value: str) -> str:
    """Return what is needed or found, in the reader's language; a dash for nothing."""
    return str(VALUES.get(value, value)) or "–"


@register.filter
def state_words(state: State) -> str:
    return str(STATES[state])


@register.filter
def state_class(state: State) -> str:
    """Return the class of a state; its words say the same."""
    return {State.FAILED: "bad", State.CONFIRM: "draft"}.get(state, "good")


@register.filter
def half_points(halves: int | None) -> str:
    """Return a score of half points: ``7``, ``3½``."""
    return "–" if halves is None else score_text(halves)


@register.filter
def score_on_certificate(game: Game) -> str:
    """Return a score as the certificate has it: 1, ½, 0, and + or − for a forfeit."""
    if game.kind.is_at_board:
        return score_text(game.halves)
    return _UNPLAYED.get(game.kind, "–")


@register.filter
def chance_words(forecast: Forecast) -> Iterator[str]:
    """Yield the sentences of what a player still needs."""
    if forecast.already:
        yield _("Complete, whatever happens in the missing rounds.")
        return
    for chance in forecast.chances:
        yield _chance(chance, forecast.rounds)
    if forecast.by_forfeit:
        yield _("Enough if the opponent of the last round does not come [B.01 1.4.2c].")


def _chance(chance: Chance, rounds: int) -> str:
    score = score_text(chance.halves)
    needs = ngettext(
        "Needs %(score)s from the last round",
        "Needs %(score)s from the last %(rounds)s rounds",
        rounds,
    ) % {"score": score, "rounds": rounds}
    opponents = chance.opponents
    if opponents is None:
        return f"{needs}."
    demands = []
    if opponents.titles:
        demands.append(_titles_needed(opponents.titles))
    if opponents.is_foreign:
        demands.append(_("from a new federation"))
    if opponents.rating > LOWEST:
        demands.append(_("rated %(rating)s or more") % {"rating": opponents.rating})
    if not demands:
        return _("%(needs)s; any opponent.") % {"needs": needs}
    return _("%(needs)s; any opponent %(demands)s.") % {
        "needs": needs,
        "demands": ", ".join(demands),
    }


def _titles_needed(titles: frozenset[str]) -> str:
    """Return the least title in words; FM means all that count for the half."""
    if "GM" in titles:
        return _("with title GM")
    title = "FM, WFM" if "FM" in titles else ", ".join(sorted(titles))
    return _("with title %(title)s or higher") % {"title": title}


@register.filter
def remarks(certificate: Certificate) -> Iterator[str]:
    """Yield the special remarks of a certificate."""
    found: Norm = certificate.row.norm
    if found.is_141c:
        yield _("8 games and a win by forfeit or a bye; only one such norm counts [B.01 1.4.1c].")
    if found.is_142c:
        yield _("The last round, won by forfeit, counts as a loss [B.01 1.4.2c].")
    for number, article in found.dropped:
        yield _("Round %(round)s is not counted [B.01 %(article)s].") % {
            "round": number,
            "article": article,
        }
    if found.exemption:
        yield _("Exempt from the mix of federations [B.01 %(article)s].") % {
            "article": found.exemption
        }
        yield _("One norm of an application must have the normal mix [B.01 1.4.3e].")
    if found.exemption == "1.4.3d":
        yield (
            _(
                "1.4.3d, fewest in a round: rated players of other federations than the host "
                "%(players)s (20 needed), federations %(federations)s (3), titled %(titled)s (10)"
            )
            % min(certificate.exemption.rounds)._asdict()
            + "."
        )
    if found.figures and found.figures.games > found.edition.most_counted:
        yield _("Counts as 13 games [B.01 1.7].")
    change, needed = certificate.change, found.title.rating
    if change and change.rating < needed and change.highest[1]:
        highest, after = change.highest
        yield _(
            "The title also needs a rating of %(needed)s once; the highest of this event was "
            "%(found)s after round %(round)s [B.01 1.5.3]."
        ) % {"needed": needed, "found": hundredths(highest), "round": after}
    yield (
        _("1.5.6a: 40 players in each round with an average of 2000")
        + colon()
        + " "
        + str(STATES[certificate.large.state])
        + "."
    )
    if certificate.event.schedule:
        yield _("Rounds of each day: %(days)s.") % {
            "days": "-".join(map(str, certificate.event.schedule))
        }


@register.filter
def edition_words(name: str) -> str:
    """Return the name of an edition in the reader's language."""
    return _(name)


COUNTS: Final[dict[str, Promise]] = {
    "all": gettext_lazy("all"),
    "rated": gettext_lazy("with a rating"),
    "unrated": gettext_lazy("without a rating"),
}


@register.filter
def count_words(kind: str) -> str:
    """Return what the tournament report counts; titles are the same in every language."""
    return str(COUNTS.get(kind, kind))


@register.filter
def claim_words(claimed: TitleClaim) -> str:
    """Return the title that is claimed, or the norm of it."""
    return (
        _("norm of %(title)s") % {"title": claimed.of_title} if claimed.is_norm else claimed.title
    )


@register.filter
def medal_words(row: TitleLine) -> str:
    """Return what a player won: the words of the arbiter, else the medal or the percentage."""
    if row.claimed and row.claimed.result:
        return row.claimed.result
    return str(MEDALS.get(row.medal, "")) or f"{row.percent} %"


@register.filter
def conditional_words(row: TitleLine) -> str:
    """Return when the title of *row* is valid only later; empty if the rating is high enough."""
    if row.rating_needed is None:
        return ""
    return _("Conditional until a rating of %(rating)s with 30 games [B.01 0.6.2].") % {
        "rating": row.rating_needed
    }


@register.filter
def form_name(name: str) -> str:
    """Return a name as the forms of FIDE have it, with the surname last: ``Anna ROSSI``."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip().upper()}" if comma else name.strip()
