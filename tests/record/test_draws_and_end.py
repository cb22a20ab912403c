"""The draws of the program, and final standings, in a record without a database."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pairing.record.replay import replay
from pairing.rules.draws import Draw, colour_of, commitment, seed_of
from tests.record.records import EVENT, SETTINGS, UnsignedLine, lines_of

SECRET: Final = "5e" * 32
NOBODY: Final = {"colour": "", "method": ""}
SEED: Final = seed_of(SECRET, Draw.COLOUR, "4711")
COLOUR: Final = {
    "colour": colour_of(SEED), "method": "drawn", "seed": SEED, "named": "4711", "witness": "Wanda Witness",
}  # fmt: skip
OTHER: Final = {"w": "b", "b": "w"}[colour_of(SEED)]
LOTS: Final = {
    "seed": seed_of(SECRET, Draw.LOTS, "7"), "named": "7", "witness": "Wanda Witness", "draw_secret": SECRET,
    "order": [],
}  # fmt: skip
FINAL: Final = UnsignedLine(
    "standings.made_final", {}, {"final_at": "later", "share_rank": [], "draw_secret": SECRET}
)
REOPENED: Final = UnsignedLine(
    "standings.reopened", {"final_at": "later"}, {"draw_commitment": commitment("new")}
)


def event(colour: dict[str, Any], *then: UnsignedLine) -> str:
    """Return the fault of a tournament of one round, with its initial
    colour drawn as *colour*, and *then*.
    """
    settings = {**SETTINGS, "total_rounds": 1, "draw_commitment": commitment(SECRET)}
    made = UnsignedLine("tournament.created", {}, settings)
    _, fault = replay(
        lines_of([made, UnsignedLine("colour.drawn", NOBODY, colour), *EVENT[1:], *then])
    )
    return fault.message if fault else ""


@pytest.mark.parametrize(
    "then", [(FINAL,), (UnsignedLine("lots.drawn", {}, LOTS), FINAL), (FINAL, REOPENED)]
)
def test_c07_4_2_draws_from_the_secret_are_consistent(then: tuple[UnsignedLine, ...]) -> None:
    assert event(COLOUR, *then) == ""


@pytest.mark.parametrize(
    "colour, then, fault",
    [
        ({**COLOUR, "colour": OTHER}, (), "its seed gives the other colour."),
        ({**COLOUR, "named": "1"}, (FINAL,), "the initial colour was not drawn from that secret."),
        (
            COLOUR,
            (UnsignedLine("lots.drawn", {}, {**LOTS, "named": "8"}),),
            "before it, the seed was",
        ),
        (
            COLOUR,
            (
                UnsignedLine(
                    "lots.drawn",
                    {},
                    {**LOTS, "draw_secret": "x", "seed": seed_of("x", Draw.LOTS, "7")},
                ),
            ),
            "the secret of the draws is another one.",
        ),
        (COLOUR, (FINAL, FINAL), "the standings were final."),
        (COLOUR, (FINAL, UnsignedLine("result.corrected", {}, {}, 1)), "the standings were final."),
        (
            COLOUR,
            (REOPENED,),
            "before it, the time of the final standings was nothing and not “later”.",
        ),
        (
            COLOUR,
            (FINAL, REOPENED, UnsignedLine("lots.drawn", {}, LOTS)),
            "the secret of the draws is another one.",
        ),
    ],
)
def test_c07_4_2_another_secret_seed_or_colour_is_found(
    colour: dict[str, Any], then: tuple[UnsignedLine, ...], fault: str
) -> None:
    assert event(colour, *then).startswith(fault)
