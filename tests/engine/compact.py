"""Write positions in short form: one line per player, ``6w1 4b= H`` for the rounds."""

from pairing.engine.model import (
    TPN,
    Colour,
    Pairing,
    Player,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)


def position(
    lines: dict[int, str],
    *,
    total_rounds: int | None = None,
    initial_colour: str = "w",
    points: PointSystem | None = None,
    absent: tuple[int, ...] = (),
    prohibited: tuple[tuple[int, int], ...] = (),
    virtual_points: dict[int, tuple[int, ...]] | None = None,
) -> TournamentState:
    """Return the state before the round after those of *lines* (by TPN);
    by default two more rounds are to come.

    A round is opponent, colour, result (``6w1``) or the letter of a bye (``H``). *virtual_points*
    in tenths.
    """
    rounds = {tpn: tuple(_round(word) for word in line.split()) for tpn, line in lines.items()}
    played = {len(records) for records in rounds.values()}
    assert len(played) == 1, "every player has the same number of rounds"
    round_number = played.pop() + 1
    return TournamentState(
        round_number=round_number,
        total_rounds=round_number + 1 if total_rounds is None else total_rounds,
        players=tuple(
            Player(TPN(tpn), records, (virtual_points or {}).get(tpn, ()))  # type: ignore[arg-type]
            for tpn, records in rounds.items()
        ),
        initial_colour=Colour(initial_colour),
        points=points or PointSystem(),
        absent=frozenset(TPN(tpn) for tpn in absent),
        prohibited=frozenset(frozenset(TPN(tpn) for tpn in pair) for pair in prohibited),
    )


def pairing(*pairs: tuple[int, int], bye: int | None = None) -> Pairing:
    """Make a pairing from plain numbers."""
    return Pairing(
        tuple((TPN(white), TPN(black)) for white, black in pairs), None if bye is None else TPN(bye)
    )


def _round(word: str) -> RoundRecord:
    if len(word) == 1:
        return RoundRecord(None, None, Result(word))
    return RoundRecord(TPN(int(word[:-2])), Colour(word[-2]), Result(word[-1]))
