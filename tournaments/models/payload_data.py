"""The JSON in ``before`` and ``after`` of the record:
one class for each form, with its keys and their types.

:mod:`tournaments.models.payloads` says which form belongs to which action. Entries, boards and
rounds are numbers; where JSON needs a text as key, they are the same numbers as text. Dates and
times are ISO texts.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from pairing.rules.settings import SettingValues

from .payload_entry_data import EntryChange as EntryChange, EntryData as EntryData


class Nothing(TypedDict):
    """No data: the action starts from nothing, or leaves nothing."""


# The tournament


class Settings(SettingValues, total=False):
    """The settings that were given or changed, under the names of their fields."""

    left_fide_mode: int | None


class CreatedTournament(Settings, total=False):
    """The settings, and the fingerprint of the secret of the draws."""

    draw_commitment: str


class CopiedFrom(TypedDict):
    """The tournament whose settings were copied: its name, and the identity that its record has."""

    copy_of: str
    identity: str


class Listing(TypedDict):
    listed: bool


class Archiving(TypedDict):
    archived: bool


class LogoName(TypedDict):
    """The name of the logo, which has the fingerprint of its bytes; empty: none."""

    logo: str


class Pairs(TypedDict):
    """The prohibited pairs, by entry id; a third number is the last round of prohibition."""

    pairs: list[list[int]]


class TieBreakList(TypedDict):
    tie_breaks: str
    tie_break_edition: str


class ByeOfRound(TypedDict):
    """A requested bye in a round that no longer exists."""

    entry: int
    round: int
    kind: str


class RoundsBefore(TypedDict):
    """The old number of rounds.

    ``schedule``: by removed round, the announced start and publication of results.
    """

    total_rounds: int
    byes: list[ByeOfRound]
    schedule: dict[str, list[str | None]]


class RoundsAfter(TypedDict):
    """The new number of rounds and its effect.

    ``published`` is the last round with public pairings, ``checked_again`` the last paired round,
    and ``boards_otherwise`` are its boards that would now be paired otherwise.
    """

    total_rounds: int
    published: int
    checked_again: int
    becomes: str
    boards_otherwise: list[int]
    no_legal_pairing: str


class PlayedRound(TypedDict):
    """A round of a file: state, White, Black and results by board, letters of byes by entry."""

    state: str
    boards: dict[str, list[int | str]]
    byes: dict[str, str]


class TakenAdjustment(TypedDict):
    """Points of a file, in tenths; ``entry`` None and a ``result`` if
    they change what all such results are worth.
    """

    entry: int | None
    points: int
    round: int | None
    result: str


class ImportedFile(TypedDict):
    """A tournament from a TRF file; ``paired_otherwise`` are the
    rounds that the engine pairs differently.

    It has everything that the import saved: the settings, the players, the rounds by number,
    requested byes, prohibited pairs and points. ``expelled_from`` has the first round without each
    expelled player, by entry, and ``national_federations`` that of each national rating, for the
    players for whom the file has it. ``kept_records`` are the lines of the file that are kept but
    not used; in older lines they are a setting, ``trf_extras``.
    """

    players: int
    rounds: int
    system: str
    paired_otherwise: list[int]
    sha256: str
    settings: dict[str, str | int | bool | list[int] | list[str] | None]
    entries: list[EntryData]
    played: dict[str, PlayedRound]
    byes: list[ByeOfRound]
    prohibited_pairs: list[list[int]]
    adjustments: list[TakenAdjustment]
    expelled_from: dict[str, int]
    national_federations: dict[str, str]
    kept_records: NotRequired[list[str]]


class SectionData(TypedDict):
    """A section of an event: the event's name, the order, and for which players it is meant."""

    event: str
    label: str
    position: int
    rating_from: int | None
    rating_to: int | None
    born_from: int | None
    born_to: int | None


class Person(TypedDict):
    """A person with a role; ``person`` is the id of the account."""

    person: int
    name: str
    role: str


class InitialColour(TypedDict):
    """The colour and how it was drawn; by the program from ``seed``,
    after a ``witness`` has ``named`` something.
    """

    colour: str
    method: str
    seed: NotRequired[str]
    named: NotRequired[str]
    witness: NotRequired[str]


class Lots(TypedDict):
    """The seed, from the secret of the draws and what a ``witness`` has ``named``.

    ``order`` are the numbers of the tied players, group by group, in their new order.
    """

    seed: str
    named: str
    witness: str
    draw_secret: str
    order: list[list[int]]


class OrderOfEquals(TypedDict):
    """Tied players in the order that the Chief Arbiter decided, as entries."""

    order: list[int]


class PrizeCategory(TypedDict):
    """``also`` are pairs of a condition and its value; amounts are cents."""

    name: str
    eligible: str
    value: str
    also: list[list[str]]
    team_size: int
    amounts: list[int]
    things: list[str]


class Prizes(TypedDict):
    """``unit``, ``cap`` and ``minimum`` are cents, ``excluded`` and ``event_winners`` entries."""

    currency: str
    division: str
    choice: str
    most_each: int
    unit: int
    cap: int
    minimum: int
    withdrawn_win: bool
    excluded: list[int]
    event_winners: list[int]
    categories: list[PrizeCategory]


class EventPrizes(Prizes):
    """The prizes over all sections of an event, in the record of each of them."""

    criterion: str
    section_winners: bool
    least_games: int


# Players


class Name(TypedDict):
    entry: int
    name: str


class Player(Name):
    """``tpn`` is None before numbers are assigned."""

    tpn: int | None


class EntryList(TypedDict):
    """Imported entries; ``source`` is the kind of file."""

    source: str
    entries: list[EntryData]


class NumbersBefore(TypedDict):
    """The pairing numbers by entry."""

    tpn: dict[str, int | None]


class NumbersAfter(TypedDict):
    """The pairing numbers by entry, and the names by pairing number."""

    tpn: dict[str, int]
    names: dict[str, str]


class WithdrawnFrom(Player):
    """``value`` is the first round without the player."""

    value: int


class Taking(Player):
    """``value`` is the first round without the player; None: not withdrawn."""

    value: int | None


class ExpelledFrom(WithdrawnFrom):
    """``expelled``: the player who returns was expelled, and not only withdrawn."""

    expelled: NotRequired[bool]


class Bye(Player):
    """``value`` is the letter of the requested bye; None: no bye."""

    value: str | None


class Explanation(Player):
    explanation: str


class Adjustment(Name):
    """Points in tenths, below zero for points taken."""

    points: int


class WithdrawnAdjustment(Adjustment):
    """``decision`` is the number of the line that made the adjustment, if it was chosen."""

    decision: NotRequired[int]


class FinalAt(TypedDict):
    """The time at which the standings were made final."""

    final_at: str


class FinalStandings(FinalAt):
    """``share_rank`` are the numbers of the players who share a rank by decision, group by group.

    The draws are over, so ``draw_secret`` is public.
    """

    share_rank: list[list[int]]
    draw_secret: str


class Reopened(TypedDict):
    """The fingerprint of a new secret for the draws."""

    draw_commitment: str


# Protests


class Protested(TypedDict):
    """A protest by its number: who protested, when, and about what."""

    protest: int
    by: str
    at: str
    subject: str


class Ruling(TypedDict):
    protest: int
    ruling: str


class Appealed(TypedDict):
    """An appeal: who made it, when, and why."""

    protest: int
    by: str
    at: str
    reasons: str


class AppealRuling(Ruling):
    by: str


# Check-in


class OpenCheckIn(TypedDict):
    for_round: int | None


class ClosedCheckIn(TypedDict):
    """``due`` counts the players who should be there."""

    for_round: int | None
    due: int
    missing: list[Player]


class MissingBefore(TypedDict):
    """``withdrawn_from``: the later withdrawals of the missing players, by entry."""

    due: int
    withdrawn_from: dict[str, int]


class MissingAfter(TypedDict):
    for_round: int
    consequence: str
    missing: list[Player]


class AnswerBefore(TypedDict, total=False):
    """The answer about a missing player that a check-in ends; left out if there was none."""

    answer: str


class AnsweredPlayer(Player):
    """A missing player; ``answer`` is empty where there is none."""

    answer: str


class AnswersBefore(TypedDict):
    """The answers so far, of the same players."""

    players: list[AnsweredPlayer]


class AnswersAfter(AnswersBefore):
    """The answers before the pairing of round ``for_round``."""

    for_round: int


class CheckedIn(Name):
    """``by_player``: the player did it, at the self check-in."""

    by_player: NotRequired[bool]


class PlayersCheckedIn(TypedDict):
    """The players who were missing in round ``for_round`` until then."""

    for_round: int
    players: list[Player]


class DeskDataOf(Name):
    """What only the check-in desk knows about a player, money in cents.

    ``fee_due`` None: the fee of the tournament.
    """

    phone: str
    note: str
    fee_due: int | None
    fee_paid: int


class Fee(TypedDict):
    """The entry fee in cents."""

    fee: int


class RegistrationRules(TypedDict):
    """The public registration: whether it is open, until when (ISO 8601, UTC),
    for how many players, and its texts.
    """

    is_open: bool
    closes_at: str | None
    most: int | None
    waiting_list: bool
    hours: int
    offers_byes: bool
    text: str
    consent: str


class RegistrationOf(TypedDict):
    """A registration that was refused."""

    registration: int
    name: str


class SelfCheckIn(TypedDict):
    """Whether the self check-in asks for the code of the player."""

    asks_code: bool
