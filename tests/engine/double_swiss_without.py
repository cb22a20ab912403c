"""The Double-Swiss text with one article left out,
to see whether it decides a position [C.04.5/2026].

An order is left out by taking the last of equals instead of the first.
"""

from itertools import combinations

from pairing.engine.checker.match_records import MatchPlayerRecord
from pairing.engine.checker.records import PlayerRecord
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Colour, Pairing, TournamentState

from .literal_double_swiss import LiteralDoubleSwiss, Pairs, Players, identifier_3_6_2

WHITE, BLACK = Colour


class Without211(LiteralDoubleSwiss):
    """[C1]: players may meet again."""

    def c1(self, one: TPN, other: TPN) -> bool:
        return frozenset({one, other}) not in self.state.prohibited


class Without221(LiteralDoubleSwiss):
    """[C3]: upfloaters need not leave a legal pairing for the others."""

    def legal_sets(self, unpaired: Players, number: int) -> list[tuple[TPN, ...]]:
        top = self.top_scoregroup_3_2(unpaired)
        potential = sorted(unpaired - top, key=lambda tpn: (-self.score[tpn], tpn))
        sets = combinations(potential, number)
        return sorted(chosen for chosen in sets if self.can_be_paired(top | frozenset(chosen)))

    def _fewest_upfloaters(self, unpaired: Players) -> int:
        """[C4] as before; a group that nobody can complete counts as the worst."""
        lower = len(unpaired) - len(self.top_scoregroup_3_2(unpaired))
        return next(
            (number for number in range(lower + 1) if self.legal_sets(unpaired, number)), lower + 1
        )

    def upfloaters_3_5(self, unpaired: Players) -> Players:
        if not self.legal_sets(unpaired, self.fewest_upfloaters(unpaired)):
            raise NoLegalPairingError("C.04.5 3.3.3")
        return super().upfloaters_3_5(unpaired)


class Without231(LiteralDoubleSwiss):
    """[C4]: sets of any number of upfloaters are compared by the other criteria."""

    def upfloaters_3_5(self, unpaired: Players) -> Players:
        lower = len(unpaired) - len(self.top_scoregroup_3_2(unpaired))
        sets = [
            chosen for number in range(lower + 1) for chosen in self.legal_sets(unpaired, number)
        ]
        return frozenset(min(sets, key=lambda chosen: self.c5_c6_c7(unpaired, frozenset(chosen))))


class Bye34(LiteralDoubleSwiss):
    """The bye, with one condition less."""

    def bye_3_4(self, players: Players) -> TPN:
        for tpn in sorted(players, key=lambda tpn: self.order_3_4(self.records[tpn])):
            if not self.is_barred_2_1_2(tpn) and self.is_left_3_4_1(players - {tpn}):
                return tpn
        raise NoLegalPairingError("C.04.5 3.3.3")

    def is_barred_2_1_2(self, tpn: TPN) -> bool:
        return self.records[tpn].pab_barred

    def is_left_3_4_1(self, others: Players) -> bool:
        return self.can_be_paired(others)

    def order_3_4(self, record: MatchPlayerRecord) -> tuple[int, int, int]:
        return record.score, -record.matches, -record.tpn


class Without212(Bye34):
    """[C2]: everybody may receive the bye."""

    def is_barred_2_1_2(self, tpn: TPN) -> bool:
        return False


class Without341(Bye34):
    """The bye need not leave a legal pairing."""

    def bye_3_4(self, players: Players) -> TPN:
        bye = super().bye_3_4(players)
        if not self.can_be_paired(players - {bye}):
            raise NoLegalPairingError("C.04.5 3.3.3")
        return bye

    def is_left_3_4_1(self, others: Players) -> bool:
        return True


class Without342(Bye34):
    def order_3_4(self, record: MatchPlayerRecord) -> tuple[int, int, int]:
        return 0, -record.matches, -record.tpn


class Without343(Bye34):
    def order_3_4(self, record: MatchPlayerRecord) -> tuple[int, int, int]:
        return record.score, 0, -record.tpn


class Without344(Bye34):
    def order_3_4(self, record: MatchPlayerRecord) -> tuple[int, int, int]:
        return record.score, -record.matches, record.tpn


class Without354(LiteralDoubleSwiss):
    def legal_sets(self, unpaired: Players, number: int) -> list[tuple[TPN, ...]]:
        return super().legal_sets(unpaired, number)[::-1]


class Without363(LiteralDoubleSwiss):
    def bracket_3_6(self, residents: Players, upfloaters: Players) -> Pairs:
        pairings = sorted(
            self.pairings_c1(residents | upfloaters), key=identifier_3_6_2, reverse=True
        )
        return min(pairings, key=lambda pairs: self.c8(pairs, upfloaters))


class Colours43(LiteralDoubleSwiss):
    """The rules of Article 4.3, one of them left out;
    if none decides, the higher ranked player has White.
    """

    left_out = ""

    def white_4_3(self, one: MatchPlayerRecord, other: MatchPlayerRecord) -> PlayerRecord:
        higher, lower = sorted((one, other), key=lambda record: record.rank_key)
        mine, theirs = higher.colours, lower.colours
        different = [
            own for own, others in zip(mine[::-1], theirs[::-1], strict=False) if own is not others
        ]
        first = self.state.initial_colour if higher.tpn % 2 else self.state.initial_colour.opposite
        rules: dict[str, Colour | None] = {
            "4.3.1": None if mine or theirs else first,
            "4.3.2": fewer_whites(mine.count(WHITE), theirs.count(WHITE)),
            "4.3.3": different[0].opposite if different else None,
            "4.3.4": mine[-1].opposite if mine else None,
            "4.3.5": theirs[-1] if theirs else None,
        }
        colours = [
            colour for rule, colour in rules.items() if colour is not None and rule != self.left_out
        ]
        return lower if colours and colours[0] is BLACK else higher


def fewer_whites(mine: int, theirs: int) -> Colour | None:
    if mine == theirs:
        return None
    return WHITE if mine < theirs else BLACK


class Without431(Colours43):
    left_out = "4.3.1"


class Without432(Colours43):
    left_out = "4.3.2"


class Without433(Colours43):
    left_out = "4.3.3"


class Without434(Colours43):
    left_out = "4.3.4"


class Without435(Colours43):
    left_out = "4.3.5"


WITHOUT: dict[str, type[LiteralDoubleSwiss]] = {
    "2.1.1": Without211,
    "2.1.2": Without212,
    "2.2.1": Without221,
    "2.3.1": Without231,
    "3.4.1": Without341,
    "3.4.2": Without342,
    "3.4.3": Without343,
    "3.4.4": Without344,
    "3.5.4": Without354,
    "3.6.3": Without363,
    "4.3.1": Without431,
    "4.3.2": Without432,
    "4.3.3": Without433,
    "4.3.4": Without434,
    "4.3.5": Without435,
}
"""The text without each article; [C5] to [C8], Articles 2.3.2 to 2.3.5, are in ``tests/golden``."""


def pair_without(article: str, state: TournamentState) -> Pairing | None:
    """Return the pairing of *state* by the text without *article*;
    None if the round cannot be completed.
    """
    try:
        return WITHOUT[article](state).round_pairing_3_3()
    except NoLegalPairingError:
        return None
