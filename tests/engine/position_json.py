"""Positions and pairings as the JSON of the golden files, read and written for the tests.

The keys are those of ``../shared/golden/README.md``; ``virtual_points`` of a player is ours, in points, one
value per round.
"""

from typing import Any

from pairing.engine.model import (
    TPN,
    Colour,
    Pairing,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)

Json = dict[str, Any]


def state_of(position: Json) -> TournamentState:
    """The state a golden position describes."""
    return TournamentState(
        round_number=position["round"],
        total_rounds=position["total_rounds"],
        players=tuple(_player(player) for player in position["players"]),
        initial_colour=Colour(position["initial_colour"]),
        points=_points(position.get("points", {})),
        absent=frozenset(TPN(tpn) for tpn in position.get("absent", ())),
        prohibited=frozenset(frozenset(TPN(tpn) for tpn in pair) for pair in position.get("prohibited", ())),
        system=position["system"],
    )


def pairing_of(answer: Json) -> Pairing:
    """The pairing a golden answer names."""
    pairs = tuple((TPN(white), TPN(black)) for white, black in answer["pairs"])
    return Pairing(pairs, None if answer["bye"] is None else TPN(answer["bye"]))


def position_of(state: TournamentState) -> Json:
    """*state* as a golden position: what a disagreement is reported with."""
    points = state.points
    return {
        "system": state.system,
        "round": state.round_number,
        "total_rounds": state.total_rounds,
        "initial_colour": state.initial_colour.value,
        "points": {
            "win": points.win / 10,
            "draw": points.draw / 10,
            "loss": points.loss / 10,
            "absence": points.zero_point_bye / 10,
            "pab": points.pairing_allocated_bye / 10,
        },
        "absent": sorted(state.absent),
        "prohibited": sorted(sorted(pair) for pair in state.prohibited),
        "players": [_player_json(player) for player in state.players],
    }


def answer_of(pairing: Pairing) -> Json:
    """*pairing* as a golden answer."""
    return {"pairs": [list(pair) for pair in pairing.pairs], "bye": pairing.bye}


def _points(values: Json) -> PointSystem:
    tenths = {name: round(value * 10) for name, value in values.items()}
    if "pab" in tenths:
        tenths["pairing_allocated_bye"] = tenths.pop("pab")
    return PointSystem.of(**tenths)


def _player(player: Json) -> Player:
    return Player(
        tpn=TPN(player["tpn"]),
        rounds=tuple(
            RoundRecord(
                opponent=None if opponent is None else TPN(opponent),
                colour=None if colour is None else Colour(colour),
                result=Result(result),
            )
            for opponent, colour, result in player["rounds"]
        ),
        virtual_points=tuple(Points(round(value * 10)) for value in player.get("virtual_points", ())),
    )


def _player_json(player: Player) -> Json:
    rounds = [
        [record.opponent, None if record.colour is None else record.colour.value, record.result.value]
        for record in player.rounds
    ]
    extra = {"virtual_points": [points / 10 for points in player.virtual_points]} if player.virtual_points else {}
    return {"tpn": player.tpn, "rounds": rounds, **extra}
