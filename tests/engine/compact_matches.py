"""Write positions of matches in short form: ``3w1= U`` is a match against 3 (White first, won,
drew) and the bye.
"""

from pairing.engine.model import (
    TPN,
    Colour,
    Player,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)


def match_position(
    lines: dict[int, str],
    *,
    total_rounds: int | None = None,
    initial_colour: str = "w",
    absent: tuple[int, ...] = (),
    prohibited: tuple[tuple[int, int], ...] = (),
    points: PointSystem | None = None,
) -> TournamentState:
    """Return the state before the round after those of *lines* (by TPN);
    by default two more rounds are to come.
    """
    players = tuple(
        Player(TPN(tpn), tuple(_round(word) for word in line.split()))
        for tpn, line in lines.items()
    )
    round_number = len(players[0].rounds) + 1
    return TournamentState(
        round_number=round_number,
        total_rounds=round_number + 1 if total_rounds is None else total_rounds,
        players=players,
        initial_colour=Colour(initial_colour),
        points=points or PointSystem().for_matches(),
        absent=frozenset(TPN(tpn) for tpn in absent),
        prohibited=frozenset(frozenset(TPN(tpn) for tpn in pair) for pair in prohibited),
        system="double_swiss_2026",
    )


def _round(word: str) -> RoundRecord:
    if len(word) == 1:
        return RoundRecord(None, None, Result(word))
    opponent, colour, games = word[:-3], word[-3], word[-2:]
    return RoundRecord(TPN(int(opponent)), Colour(colour), Result(games[0]), Result(games[1]))
