"""Make tournaments for tests through the services, as arbiters do,
or save them again (:mod:`.row_cache`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial, wraps

from django.contrib.auth.models import User
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.versions import round_version
from tournaments.entries.entries import entry_add, numbers_assign
from tournaments.models import Appointment, Entry, Game, Round, Seat, Tournament
from tournaments.people.people import account_appoint
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.tournaments import tournament_create

from .row_cache import ROW_CACHE

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)

CUT_SHORT = "the hall closes early"
"""The reason given when a publication ends the time for reports early."""

# Invented names, not in order of rating.
SURNAMES = [
    "Abara",
    "Blomqvist",
    "Czerny",
    "Dumont",
    "Eriksen",
    "Fabre",
    "Grau",
    "Hollis",
    "Ito",
    "Juhasz",
    "Kovar",
    "Lindqvist",
    "Moreau",
    "Novak",
    "Okafor",
    "Petit",
    "Quint",
    "Rossi",
    "Saar",
    "Takeda",
    "Urban",
    "Vidal",
    "Weiss",
    "Xenakis",
]


def make_tournament(
    actor: User, *, rounds: int = 5, name: str = "Autumn Open", **fields: object
) -> Tournament:
    """Make a tournament without entries. Older rules leave FIDE mode, which is confirmed here."""
    fields.setdefault("leave_fide_mode", True)
    return tournament_create(actor=actor, now=NOW, name=name, total_rounds=rounds, **fields)


def make_entries(tournament: Tournament, actor: User, count: int) -> list[Entry]:
    """Add *count* entries, the strongest first: 2400, 2390, …"""
    return [
        entry_add(
            tournament_id=tournament.pk,
            actor=actor,
            now=NOW,
            name=f"{SURNAMES[i % len(SURNAMES)]}, Player {i + 1}",
            fide_rating=max(1000, 2400 - 10 * i),
            federation="FRA",
        )
        for i in range(count)
    ]


def make_ready(
    actor: User,
    *,
    players: int = 8,
    rounds: int = 5,
    colour: str = "w",
    name: str = "Autumn Open",
    **fields: object,
) -> Tournament:
    """Make a tournament with entries, numbers 1, 2, … by rating and an initial colour:
    round 1 may be paired.
    """

    def make() -> int:
        tournament = make_tournament(actor, rounds=rounds, name=name, **fields)
        make_entries(tournament, actor, players)
        numbers_assign(tournament_id=tournament.pk, actor=actor, now=NOW)
        initial_colour_set(tournament_id=tournament.pk, actor=actor, now=NOW, colour=colour)
        return tournament.pk

    pk = ROW_CACHE.get_or_make(
        "ready", (actor.pk, players, rounds, colour, name, sorted(fields.items())), make
    )
    return Tournament.objects.get(pk=pk)


def appoint_on_record(tournament: Tournament, person: User, actor: User) -> None:
    """Give *person* the role of a deputy with its line in the record,
    instead of the row of the fixture ``deputy``.
    """
    Appointment.objects.filter(tournament=tournament, person=person).delete()
    account_appoint(
        tournament_id=tournament.pk, username=person.username, role="deputy", actor=actor, now=NOW
    )
    tournament.refresh_from_db()


def get_or_make(name: str, arguments: object, make: Callable[[], Tournament]) -> Tournament:
    """Return the tournament of *make*, which takes the real actions
    once in a process (:mod:`.row_cache`).

    *name* and *arguments* (by their ``repr``) are all that *make* depends on besides the rows of
    the database.
    """
    pk = ROW_CACHE.get_or_make(name, arguments, lambda: make().pk)
    return Tournament.objects.get(pk=pk)


def cached(make: Callable[[User], Tournament]) -> Callable[[User], Tournament]:
    """Save the tournament of the fixture *make* again with :func:`get_or_make`:
    it depends on the chief arbiter alone.

    Under ``@pytest.fixture``. *make* must not read the time of today, nor save accounts.
    """

    @wraps(make)
    def again(chief_arbiter: User) -> Tournament:
        return get_or_make(
            f"{make.__module__}.{make.__qualname__}", chief_arbiter.pk, partial(make, chief_arbiter)
        )

    return again


def round_of(tournament: Tournament, number: int) -> Round:
    return Round.objects.get(tournament=tournament, number=number)


def entry_of(tournament: Tournament, tpn: int) -> Entry:
    return Entry.objects.get(tournament=tournament, tpn=tpn)


def player_address(tournament: Tournament, tpn: int, *, after: int | None = None) -> str:
    """Return the address of the player with number *tpn*, now or *after* a round;
    when numbers move, it stays.
    """
    entry = entry_of(tournament, tpn)
    if after is None:
        return reverse("player-page", args=[tournament.slug, entry.pk])
    return reverse("player-standing", args=[tournament.slug, after, entry.pk])


def page_versions(tournament: Tournament, number: int) -> dict[str, int]:
    """Return the hidden fields of the forms on a round's page opened now."""
    return {"seen_version": round_version(tournament, number)}


def seen_now(tournament: Tournament) -> dict[str, int]:
    """Return the hidden field of the forms on another page opened now."""
    return {
        "seen_version": Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    }


def boards(tournament: Tournament, number: int) -> list[tuple[int, int, str]]:
    """Return (White's TPN, Black's TPN, result) for every board of a round, in order;
    for a match, its first game.
    """
    seats = Seat.objects.filter(
        round__tournament=tournament, round__number=number, game__first=None
    ).exclude(game=None)
    at: dict[int, dict[str, int]] = {}
    results: dict[int, str] = {}
    for board, result, colour, tpn in seats.values_list(
        "game__board", "game__result", "colour", "entry__tpn"
    ):
        at.setdefault(board, {})[colour] = tpn or 0
        results[board] = result
    return [(at[board]["w"], at[board]["b"], results[board]) for board in sorted(at)]


def byes(tournament: Tournament, number: int) -> dict[int, str]:
    """Return the byes of a round: TPN → letter."""
    seats = round_of(tournament, number).seats.exclude(bye="").values_list("entry__tpn", "bye")
    return dict(seats)


def white_wins(board: int, white: int, black: int) -> str:
    return "10"


def lower_number_wins(board: int, white: int, black: int) -> str:
    return "10" if white < black else "01"


def pair_only(tournament: Tournament, number: int, actor: User) -> Round:
    """Return the draft of a round."""
    round_ = round_of(tournament, number)
    ROW_CACHE.get_or_make(
        "draft",
        (actor.pk, round_.pk),
        lambda: round_pair(round_id=round_.pk, actor=actor, now=NOW).pk,
    )
    return round_of(tournament, number)


def pair_and_publish(tournament: Tournament, number: int, actor: User) -> Round:
    round_ = round_of(tournament, number)

    def make() -> None:
        round_pair(round_id=round_.pk, actor=actor, now=NOW, older_open=True)
        round_publish(round_id=round_.pk, actor=actor, now=NOW, cut_short=CUT_SHORT)

    ROW_CACHE.get_or_make("published", (actor.pk, round_.pk), make)
    return round_of(tournament, number)


def enter_results(
    tournament: Tournament,
    number: int,
    actor: User,
    result_of: Callable[[int, int, int], str] = lower_number_wins,
) -> None:
    """Enter every result of a published round:
    *result_of* takes board, White's TPN, Black's TPN.
    """
    games = Game.objects.filter(round__tournament=tournament, round__number=number).order_by(
        "board"
    )
    results = [
        (game.pk, result_of(game.board, white, black))
        for game, (white, black, _) in zip(games, boards(tournament, number), strict=True)
    ]

    def make() -> None:
        for game, result in results:
            result_record(game_id=game, result=result, actor=actor, now=NOW)

    ROW_CACHE.get_or_make("results", (actor.pk, results), make)


def play_rounds(
    tournament: Tournament,
    numbers: Sequence[int],
    actor: User,
    result_of: Callable[[int, int, int], str] = lower_number_wins,
) -> None:
    """Pair, publish and play the rounds *numbers*, and publish their results."""

    def make() -> None:
        for number in numbers:
            round_ = pair_and_publish(tournament, number, actor)
            enter_results(tournament, number, actor, result_of)
            ROW_CACHE.get_or_make(
                "results published",
                (actor.pk, round_.pk),
                partial(_publish_results, round_.pk, actor),
            )

    if result_of in (
        lower_number_wins,
        white_wins,
    ):  # Another function may depend on more than its name.
        ROW_CACHE.get_or_make(
            "played", (actor.pk, tournament.pk, list(numbers), result_of.__name__), make
        )
    else:
        make()
    tournament.refresh_from_db()


def _publish_results(round_id: int, actor: User) -> None:
    results_publish(round_id=round_id, actor=actor, now=NOW, before_time=True)
