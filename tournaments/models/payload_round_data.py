"""The JSON of actions on rounds in the record; the rest is in ``payload_data``."""

from __future__ import annotations

from typing import NotRequired, TypedDict, final

from .payload_data import Name


class State(TypedDict):
    state: str


class OpenPoints(TypedDict, total=False):
    """The points that were still open when pairings were published.

    ``minutes_left`` to report mistakes; the names of late entries who had ``not_arrived``; the
    boards paired ``otherwise`` than by the engine; the rules ``broken`` by hand; open games as
    ``round/board``; whether the player with the allocated bye was not seen yet (``bye_not_seen``).
    """

    minutes_left: int
    not_arrived: list[str]
    otherwise: list[int]
    broken: list[str]
    adjourned: list[str]
    bye_not_seen: bool


class View(TypedDict):
    """The account of a person who opened a draft, and when."""

    person: int
    at: str


class ViewedDraft(TypedDict, total=False):
    """``viewed_by`` are the names of those who had opened the draft that the action ends;
    left out if nobody had.

    ``views`` are the same people by their accounts, with the times.
    """

    viewed_by: list[str]
    views: list[View]


class DiscardedDraft(State, ViewedDraft):
    """A planned round."""


class Punctuality(TypedDict, total=False):
    """``announced_for``, and the minutes after it (below zero: before it), if a time was announced.

    ``automatically``: nobody pressed the button; the line has the arbiter who set that.
    """

    announced_for: str
    minutes_late: int
    automatically: bool


class PublishedPairings(State, ViewedDraft, Punctuality):
    """``group_a_last`` is the entry that closes group A of an acceleration [C.04.7/2026].

    It is fixed with round 1.
    """

    open_points: NotRequired[OpenPoints]
    group_a_last: NotRequired[int | None]
    leaves_fide_mode: NotRequired[bool]


class AnnouncedBoards(TypedDict):
    """Boards of a round to come, each as the entries of White and Black."""

    boards: list[list[int]]


class PublishedResults(State, Punctuality):
    """The state, the announced time if there is one, and whether nobody pressed the button.

    ``until`` is the end of the time to report mistakes, if there is one. Older lines do not have
    it: there the minutes ran from the publication alone.
    """

    until: NotRequired[str]


class Schedule(TypedDict):
    starts_at: str | None
    results_due_at: str | None


class LeftOut(TypedDict, total=False):
    """``skipped`` are missing players whom the arbiter leaves out until checked in."""

    skipped: list[int]


class EnginePairing(State, ViewedDraft, LeftOut):
    """The engine's pairing: ``pairs`` are pairing numbers, ``boards`` the same pairs as entries.

    Both have White first and are in the order of the boards. Pairing numbers may change, entries do
    not: later pairings are compared with ``boards``. ``not_paired`` are pairing numbers.
    """

    system: str
    pairs: list[list[int]]
    pairing_allocated_bye: int | None
    boards: list[list[int]]
    not_paired: list[int]


class Places(TypedDict):
    """Places in a round: White and Black by board, letters of byes by entry, and their names."""

    boards: dict[str, list[int]]
    names: dict[str, list[str]]
    byes: dict[str, str]
    names_of_byes: dict[str, str]


class BrokenRule(TypedDict):
    """A basic rule that a pairing by hand breaks, with the players' numbers and names."""

    code: str
    article: str
    players: list[int]
    names: list[str]


class PlacesByHand(Places, ViewedDraft, LeftOut):
    cautions: list[BrokenRule]
    not_paired: list[int]


class ArrangedPlaces(Places):
    """``changed`` are the boards with another pair."""

    changed: list[int]
    cautions: list[BrokenRule]


class Consent(TypedDict):
    """A player who agreed to a change, the time, and the person who heard it."""

    name: str
    at: str
    witness: str


class ChangedPlaces(Places):
    """``consents`` are those of the players who agreed.

    ``concerned`` are the boards that the regulations or the event concern, ``further`` is the
    reason for changing more than necessary, ``exception`` the reason for a broken colour rule, and
    ``started`` are the boards that change after their announced start, which was confirmed.
    """

    consents: list[Consent]
    cautions: list[BrokenRule]
    concerned: NotRequired[list[int]]
    further: NotRequired[str]
    exception: NotRequired[str]
    started: NotRequired[list[int]]


class Deadline(TypedDict):
    until: str


class DeadlineLeft(TypedDict):
    """``by_round``: its pairings ended the time; after the last round it has ``ended``."""

    minutes_left: int
    by_round: int
    ended: NotRequired[bool]


class Boards(TypedDict):
    boards: list[int]


# Results and corrections


class BoardResult(TypedDict):
    """The result of a board; ``game`` is the number of the game if a round is a match."""

    board: int
    game: NotRequired[int]
    result: str


class ReadResult(BoardResult):
    """The second reading of a result; ``entered_by`` names who entered the first, if any."""

    entered_by: NotRequired[str]


class TwoReadings(BoardResult):
    """The result and who entered it; the second reading and who read it."""

    entered_by: str
    reading: str
    read_by: str


class ConfirmedResult(TypedDict):
    """The answer that a result is right although it is unusual.

    ``question`` has the kind of the question, then its subject. ``boards`` are the boards of the
    question.
    """

    question: str
    boards: list[int]


class BoardColours(TypedDict):
    """The entries with White and Black."""

    board: int
    white: int
    black: int


class Ratings(Name):
    """The ratings that were wrong; ``rating`` is the estimate of the arbiter."""

    fide_rating: NotRequired[int | None]
    national_rating: NotRequired[int | None]
    second_rating: NotRequired[int | None]
    rating: NotRequired[int]


class ReportTimes(TypedDict):
    """The times of the report and of the entry; ``backdated``: a deadline lies between them."""

    reported: str
    entered: str
    backdated: bool


class Effect(ReportTimes):
    """``chosen``: the Chief Arbiter chose the effect.

    ``waiting``: until the next pairings are published.
    """

    moment: str
    effect: str
    chosen: bool
    waiting: bool


class CorrectedResult(BoardResult, Effect):
    """The right result."""


class CorrectedColours(BoardColours, Effect):
    """The right colours."""


class CorrectedRatings(Ratings, Effect):
    """The right ratings."""


@final
class AppliedResult(BoardResult):
    """A result that waited, or the wrong one."""


@final
class AppliedColours(BoardColours):
    """Colours that waited, or the wrong ones."""


@final
class AppliedRatings(Ratings):
    """Ratings that waited, or the wrong ones."""


Applied = AppliedResult | AppliedColours | AppliedRatings


# Undo


class Undone(ViewedDraft):
    """The number and the code of the undone line; beside them, the keys of its ``before``."""

    undone: int
    action: str


class UndoneResult(BoardResult, Undone):
    """The result before the undone line."""
