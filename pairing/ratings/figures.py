"""The figures of a set of games for one title, and their conditions [B.01/2024 1.4.1-1.4.9]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .conditions import Condition, State, met
from .editions import TITLED, NormEdition, TitleRules
from .model import NO_FEDERATION, Event, Game, Kind, Person, System
from .rounding import half_up, up
from .tables import rating_difference

UNRATED_PARTS = 5
"""The Annex allows one unrated opponent in five; the articles do not mention it."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a set of games for one title.

    ``average``, ``percent``, ``difference`` and ``performance`` are None without a game. ``raised``
    is the round of the opponent whose rating counts as the floor, with the rating before and after
    [B.01/2024 1.4.6c]. ``largest`` is the number of opponents of the commonest federation.
    """

    games: int
    halves: int
    average: int | None
    percent: int | None
    difference: int | None
    performance: int | None
    raised: tuple[int, int, int] | None
    titled: int
    required: int
    federations: int
    own: int
    largest: int
    unrated: int


def figures_of(
    games: Sequence[Game], player: Person, title: TitleRules, rules: NormEdition
) -> Figures:
    """Return the figures of *games*, each of which has an opponent."""
    opponents = [game.opponent for game in games if game.opponent is not None]
    count, halves = len(opponents), sum(game.halves for game in games)
    flags = Counter(
        opponent.flag for opponent in opponents if opponent.flag not in ("", NO_FEDERATION)
    )
    own = flags[player.flag]
    average, raised = _average(games, title, rules)
    percent = difference = performance = None
    if average is not None:
        percent = half_up(50 * halves, count)
        difference = rating_difference(percent)
        performance = average + difference
    return Figures(
        count,
        halves,
        average,
        percent,
        difference,
        performance,
        raised,
        titled=sum(bool(opponent.titles & TITLED) for opponent in opponents),
        required=sum(bool(opponent.titles & title.required) for opponent in opponents),
        federations=sum(flag != player.flag for flag, number in flags.items() if number),
        own=own,
        largest=max(flags.values(), default=0),
        unrated=sum(not opponent.rating for opponent in opponents),
    )


def _average(
    games: Sequence[Game], title: TitleRules, rules: NormEdition
) -> tuple[int | None, tuple[int, int, int] | None]:
    """Return the rounded average and the one raised opponent [B.01/2024 1.4.6, 1.4.7]."""
    ratings = [
        ((game.opponent.rating or rules.unrated), game.round)
        for game in games
        if game.opponent is not None
    ]
    if not ratings:
        return None, None
    total, (lowest, round_number) = sum(rating for rating, _ in ratings), min(ratings)
    if lowest >= title.floor:
        return half_up(total, len(ratings)), None
    raised = (round_number, lowest, title.floor)
    return half_up(total + title.floor - lowest, len(ratings)), raised


def mix_conditions(
    figures: Figures, player: Person, event: Event, title: TitleRules
) -> Iterator[Condition]:
    """Yield the conditions on federations and titles of the opponents [B.01/2024 1.4.3-1.4.5]."""
    games, own, largest = figures.games, figures.own, figures.largest
    yield met("federations", "1.4.3", "≥ 2", str(figures.federations), figures.federations >= 2)
    most = 3 * games // 5
    yield met("own_federation", "1.4.4 own", f"≤ {most}", str(own), own <= most)
    most = 2 * games // 3
    yield met("one_federation", "1.4.4 one", f"≤ {most}", str(largest), largest <= most)
    least = up(games, 2)
    yield met("titled", "1.4.5a", f"≥ {least}", str(figures.titled), figures.titled >= least)
    yield _required(figures, event, title)
    if event.system is System.DOUBLE_ROUND_ROBIN:
        found = "" if event.players is None else str(event.players)
        state = State.CONFIRM if event.players is None else State.MET
        state = State.FAILED if event.players is not None and event.players < 6 else state
        yield Condition("players", "1.4.5f", "≥ 6", found, state)


def _required(figures: Figures, event: Event, title: TitleRules) -> Condition:
    """Return the condition on the opponents with the title [B.01/2024 1.4.5b-e].

    In a double round robin the regulations ask for half of the different opponents. Counted by
    games this is a third for one reading and a half for another: between the two it is to be
    confirmed.
    """
    least = max(3, up(figures.games, 3))
    found = figures.required
    state = State.MET if found >= least else State.FAILED
    if event.system is System.DOUBLE_ROUND_ROBIN and least <= found < up(figures.games, 2):
        state = State.CONFIRM
    return Condition("required", title.required_article, f"≥ {least}", str(found), state)


def performance_conditions(
    figures: Figures, title: TitleRules, rules: NormEdition
) -> Iterator[Condition]:
    """Yield the conditions on average, performance and score [B.01/2024 1.4.8]."""
    average, performance = figures.average, figures.performance
    if average is None or performance is None:
        return
    yield met("average", "1.4.8a", f"≥ {title.average}", str(average), average >= title.average)
    needed = f"≥ {title.performance}"
    yield met("performance", "1.4.8", needed, str(performance), performance >= title.performance)
    yield _percent(figures, rules)


def _percent(figures: Figures, rules: NormEdition) -> Condition:
    """Return the condition on the percentage [B.01/2024 1.4.8b].

    Sources differ on whether it is rounded: 4½ of 13, 34.6 %, is to be confirmed.
    """
    percent = figures.percent or 0
    exact = 50 * figures.halves >= rules.percent * figures.games
    state = State.MET if exact else State.CONFIRM
    state = state if percent >= rules.percent else State.FAILED
    return Condition("percent", "1.4.8b", f"≥ {rules.percent} %", f"{percent} %", state)


def doubts(games: Sequence[Game], figures: Figures) -> Iterator[Condition]:
    """Yield what our data cannot decide about the games that count."""
    less = sum(game.kind is Kind.LESS_THAN_A_MOVE for game in games)
    if less:
        yield Condition("less_than_a_move", "1.4.2c", "0", str(less), State.CONFIRM)
    flags = [game.opponent.flag for game in games if game.opponent is not None]
    unknown = sum(flag in ("", NO_FEDERATION) for flag in flags)
    if unknown:
        yield Condition("flags", "1.4.2a", "0", str(unknown), State.CONFIRM)
    most = (figures.games + 1) // UNRATED_PARTS
    if figures.unrated > most and figures.unrated > 2:
        found = str(figures.unrated)
        yield Condition("unrated", "Annex", f"≤ {max(2, most)}", found, State.CONFIRM)


def score_needed(figures: Figures, title: TitleRules, rules: NormEdition) -> int | None:
    """Return the least score, in half points, for the performance and the
    percentage with this average; None: no score is enough.
    """
    if figures.average is None:
        return None
    for halves in range(2 * figures.games + 1):
        percent = half_up(50 * halves, figures.games)
        enough = figures.average + rating_difference(percent) >= title.performance
        if enough and percent >= rules.percent:
            return halves
    return None


def games_condition(figures: Figures, least: int, *, is_141c: bool) -> Condition:
    """Return the condition on the number of games [B.01/2024 1.4.1]."""
    is_met = is_141c or figures.games >= least
    article = "1.4.1c" if is_141c else "1.4.1"
    return met("games", article, f"≥ {least}", str(figures.games), is_met)
