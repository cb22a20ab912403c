"""Changes of a tournament, as others make them while a form is open: one function for each."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from pairing.rounds.arrange import round_arrange
from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.game_dates import game_schedule
from pairing.rounds.pair import round_pair
from pairing.rounds.results import result_record
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from tests.tournaments import factories
from tests.tournaments.core.test_actions_by_actor_and_time import Case
from tests.tournaments.factories import NOW, entry_of, round_of
from tests.tournaments.pictures import png
from tests.tournaments.web.test_access_pages import address
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_close, check_in_open
from tournaments.entries.entries import entry_add, entry_check_in, entry_update, entry_withdraw
from tournaments.models import Appointment, Decision, Game, Role, Tournament
from tournaments.people.people import Access, access_renew, person_appoint, person_remove
from tournaments.reports.protests import protest_decide, protest_lodge
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.logo import logo_set
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.adjust_points import points_adjust, points_withdraw
from tournaments.standings.prize_plan import PrizePlan
from tournaments.standings.prizes import prizes_set


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": NOW}


def nothing(tournament: Tournament, actor: User) -> None:
    """The tournament of the fixture: eight players with numbers, no round paired."""


def renamed(tournament: Tournament, actor: User) -> None:
    entry_update(entry_id=first(tournament), club="Chess Club", **by(actor))


def first(tournament: Tournament) -> int:
    """Return the entry in the address of every page about one player."""
    return int(address("entry-edit", tournament).rstrip("/").rsplit("/", 1)[-1])


def given_bye(tournament: Tournament, actor: User) -> None:
    bye_request(entry_id=first(tournament), round_number=4, kind="H", **by(actor))


def byes_in_round_1(tournament: Tournament, actor: User) -> None:
    bye_request(entry_id=first(tournament), round_number=1, kind="H", **by(actor))


def other_bye(tournament: Tournament, actor: User) -> None:
    bye_request(entry_id=first(tournament), round_number=1, kind="Z", **by(actor))


def withdrawn(tournament: Tournament, actor: User) -> None:
    entry_withdraw(entry_id=first(tournament), **by(actor))


def drafted(tournament: Tournament, actor: User) -> None:
    round_pair(round_id=round_of(tournament, 1).pk, **by(actor))


def published(tournament: Tournament, actor: User) -> None:
    factories.pair_and_publish(tournament, 1, actor)


def entered(tournament: Tournament, actor: User) -> None:
    published(tournament, actor)
    factories.enter_results(tournament, 1, actor)


def played(tournament: Tournament, actor: User) -> None:
    factories.play_rounds(tournament, [1], actor)


def played_to_the_end(tournament: Tournament, actor: User) -> None:
    factories.play_rounds(tournament, [1, 2, 3, 4, 5], actor, factories.white_wins)


def forfeited(tournament: Tournament, actor: User) -> None:
    factories.play_rounds(tournament, [1], actor, lambda board, white, black: "--")


def rearranged(tournament: Tournament, actor: User) -> None:
    case = Case(tournament)
    case.round = round_of(tournament, 1)
    now, _ = arrangement_of(case.round, snapshot(tournament, 1)[1])
    pk = {entry.tpn: entry.pk for entry in tournament.entries.all()}
    boards = {n: (pk[white], pk[black]) for n, (white, black) in now.boards.items()}
    swapped = type(case.swapped())(boards | {1: boards[1][::-1]}, {})
    chief = Appointment.objects.get(tournament=tournament, role=Role.CHIEF).person
    round_arrange(
        round_id=case.round.pk, pairings=swapped, reason="asked for by the club", **by(chief)
    )


def game(tournament: Tournament) -> Game:
    return Game.objects.get(round__tournament=tournament, round__number=1, board=1)


def another_result(tournament: Tournament, actor: User) -> None:
    result_record(game_id=game(tournament).pk, result="==", **by(actor))


def corrected(tournament: Tournament, actor: User) -> None:
    result_correct(
        game_id=game(tournament).pk, result="==", report=Report(NOW, "the scoresheet"), **by(actor)
    )


def without_colour(tournament: Tournament, actor: User) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(initial_colour="", initial_colour_method="")


def colour_drawn(tournament: Tournament, actor: User) -> None:
    initial_colour_set(tournament_id=tournament.pk, colour="b", **by(actor))


def late_entry(tournament: Tournament, actor: User) -> None:
    entry_add(tournament_id=tournament.pk, name="Late, Lara", fide_rating=2999, **by(actor))


def new_rating(tournament: Tournament, actor: User) -> None:
    entry_update(entry_id=entry_of(tournament, 8).pk, fide_rating=2998, **by(actor))


def checked_in(tournament: Tournament, actor: User) -> None:
    check_in_open(tournament_id=tournament.pk, **by(actor))


def check_in_closed(tournament: Tournament, actor: User) -> None:
    checked_in(tournament, actor)
    check_in_close(tournament_id=tournament.pk, **by(actor))


def somebody_arrived(tournament: Tournament, actor: User) -> None:
    checked_in(tournament, actor)
    entry_check_in(entry_id=entry_of(tournament, 3).pk, checked_in=True, **by(actor))
    check_in_close(tournament_id=tournament.pk, **by(actor))


def with_a_helper(tournament: Tournament, actor: User) -> None:
    person_appoint(
        tournament_id=tournament.pk,
        name="Rita Result",
        role="deputy",
        access=Access("one", "123456"),
        **by(actor),
    )


def helper(tournament: Tournament) -> int:
    return Appointment.objects.filter(tournament=tournament).latest("pk").pk


def new_link(tournament: Tournament, actor: User) -> None:
    access_renew(appointment_id=helper(tournament), access=Access("two", "654321"), **by(actor))


def role_ended(tournament: Tournament, actor: User) -> None:
    person_remove(appointment_id=helper(tournament), **by(actor))


def new_city(tournament: Tournament, actor: User) -> None:
    tournament_update(tournament_id=tournament.pk, city="Lyon", **by(actor))


def new_logo(tournament: Tournament, actor: User) -> None:
    logo_set(tournament_id=tournament.pk, data=png(), **by(actor))


def new_time(tournament: Tournament, actor: User) -> None:
    round_schedule(
        round_id=round_of(tournament, 1).pk, starts_at=NOW, results_due_at=None, **by(actor)
    )


def new_prizes(tournament: Tournament, actor: User) -> None:
    prizes_set(tournament_id=tournament.pk, plan=PrizePlan(currency="CHF"), **by(actor))


def penalty(tournament: Tournament, actor: User) -> None:
    seen = Decision.objects.filter(
        tournament=tournament, action__in=("points.adjusted", "points.withdrawn")
    ).count()
    points_adjust(
        tournament_id=tournament.pk, entry_id=first(tournament), points=-5, round_number=1, article="Laws 12.9",
        reason="the telephone", seen=seen, **by(actor),
    )  # fmt: skip


def played_with_a_penalty(tournament: Tournament, actor: User) -> None:
    played(tournament, actor)
    penalty(tournament, actor)


def penalty_withdrawn(tournament: Tournament, actor: User) -> None:
    points_withdraw(
        tournament_id=tournament.pk, entry_id=first(tournament), points=-5, round_number=1, reason="a mistake",
        **by(actor),
    )  # fmt: skip


def protest(tournament: Tournament, actor: User) -> None:
    protest_lodge(
        tournament_id=tournament.pk, by="Pia", at=NOW, subject="The clock", seen=0, **by(actor)
    )


def ruling(tournament: Tournament, actor: User) -> None:
    given = {
        "tournament_id": tournament.pk,
        "number": 1,
        "ruling": "Play on",
        "article": "Laws 6.10.2",
    }
    protest_decide(**given, **by(actor))  # type: ignore[arg-type]


def dated_game(tournament: Tournament, actor: User) -> None:
    game = Game.objects.filter(round__tournament=tournament).first()
    assert game is not None
    game_schedule(game_id=game.pk, starts_at=NOW, **by(actor))
