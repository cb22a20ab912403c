"""What a phone is notified of: the lines of the record since its last message, in the words of the
public pages.

Boards, ranks and points are read as visitors read them now, so no draft and no unpublished result
of others is in a message. The own result is as *My board* shows it while the round runs
[C.04.2/2026 4.2].
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _, ngettext

from pairing.rounds.round_page import NameLine
from pairing.rounds.running import TableGame, games_of, running_round
from pairing.rounds.running_results import hides_results
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Action, Decision, PushSubscription, Round, Seat, Tournament
from tournaments.models.payloads import RatingCorrected, RoundChanged, RoundScheduled
from tournaments.web.events.followed import Followed, followed_players
from tournaments.web.templatetags.labels import bye_label
from tournaments.web.templatetags.numbers import moment, points
from tournaments.web.templatetags.results import result_short

CORRECTIONS: Final = frozenset(
    {
        Action.RESULT_CORRECTED,
        Action.COLOURS_CORRECTED,
        Action.RATING_CORRECTED,
        Action.CORRECTION_APPLIED,
    }
)
NEWS: Final = CORRECTIONS | {
    Action.PAIRINGS_PUBLISHED,
    Action.ROUND_CHANGED,
    Action.BOARDS_ANNOUNCED,
    Action.RESULTS_PUBLISHED,
    Action.STANDINGS_MADE_FINAL,
    Action.RESULT_RECORDED,
    Action.ROUND_SCHEDULED,
}
"""The actions that a phone may be notified of."""
MOST_PLAYERS: Final = 8
"""So many players are named in one message; the page has the others."""


@dataclass(frozen=True, slots=True)
class Message:
    """A notification: its title, its text, and the page that it opens.

    A later one with the same ``tag`` takes its place on the phone.
    """

    title: str
    body: str
    path: str
    tag: str


@dataclass(slots=True)
class News:
    """The news of a tournament since the oldest of the last messages, by sequence."""

    tournament: Tournament
    frame: Frame
    newest: int
    lines: Sequence[Decision]
    cards: dict[int, Followed]
    concerned: dict[int, frozenset[int]]
    """The entries that a line of a single game or player is about, by sequence."""
    entered: dict[int, list[TableGame]] = field(default_factory=dict)
    """The own game of the running round, by entry, of those whose result was entered."""
    starts: dict[int, datetime] = field(default_factory=dict)
    """When play begins now, by round, of the next two rounds whose announced start was changed."""

    def since(self, sequence: int) -> Iterator[Decision]:
        return (line for line in self.lines if line.sequence > sequence)


def news_for(tournament: Tournament, phones: Collection[PushSubscription]) -> News:
    """Return what *phones* may have to be notified of.

    About sixteen queries, one for each line about a single game, and five for each phone whose own
    result was entered.
    """
    record = Decision.objects.filter(tournament=tournament)
    newest = record.order_by("-sequence").values_list("sequence", flat=True).first() or 0
    oldest = min((each.sequence for each in phones if each.sequence is not None), default=newest)
    lines = list(
        record.filter(action__in=NEWS, sequence__gt=oldest, sequence__lte=newest).order_by(
            "sequence"
        )
    )
    frame = tournament_frame(tournament, runs=False)
    # Without lines only the new phones have a message.
    readers = [each for each in phones if lines or each.sequence is None]
    followed = {entry for each in readers for entry in players_of(each)}
    cards = {each.entry.pk: each for each in followed_players(tournament, followed)}
    concerned = {line.sequence: _concerned(line) for line in lines if _is_about_some(line)}
    news = News(tournament, frame, newest, lines, cards, concerned)
    news.starts.update(_new_starts(frame, lines))
    round_ = None if hides_results(tournament) else running_round(tournament)
    if round_ is not None:
        own = {each.own_id for each in phones if each.own_id is not None}
        recorded = (
            concerned[line.sequence]
            for line in lines
            if line.action == Action.RESULT_RECORDED and line.round_number == round_.number
        )
        for entry in own.intersection(*[frozenset().union(*recorded)]):
            news.entered[entry] = [each for each in games_of(round_, entry) if each.is_entered]
    return news


def _new_starts(frame: Frame, lines: Collection[Decision]) -> Iterator[tuple[int, datetime]]:
    """Yield the rounds that begin at another time than was announced. At most one query."""
    after = frame.latest_results
    moved = {line.round_number for line in lines if _is_new_start(line)}
    if moved.intersection((after + 1, after + 2)):
        rounds = Round.objects.filter(tournament=frame.tournament, number__in=moved)
        for round_ in rounds.filter(
            number__gt=after, number__lte=after + 2, starts_at__isnull=False
        ):
            assert round_.starts_at is not None
            yield round_.number, round_.starts_at


def _is_new_start(line: Decision) -> bool:
    match line.payload:
        case RoundScheduled(before=left, after=now):
            return left["starts_at"] not in (None, now["starts_at"])
    return False


def players_of(phone: PushSubscription) -> list[int]:
    """Return the entries that *phone* is about, its own player first."""
    own = [] if phone.own_id is None else [phone.own_id]
    return [*own, *(each for each in phone.players if each not in own)]


def _is_about_some(line: Decision) -> bool:
    return line.action in CORRECTIONS or line.action in (
        Action.RESULT_RECORDED,
        Action.ROUND_CHANGED,
    )


def _concerned(line: Decision) -> frozenset[int]:
    """Return the entries that *line* is about. At most one query."""
    payload = line.payload
    match payload:
        case RatingCorrected(after=right):
            return frozenset({right["entry"]})
        case RoundChanged(before=left, after=taken):
            seats = [*left["boards"].values(), *taken["boards"].values()]
            byes = map(int, {*left["byes"], *taken["byes"]})
            return frozenset({*byes, *(entry for seat in seats for entry in seat)})
    board = payload.after.get("board")
    if not isinstance(board, int) or line.round_number is None:
        return frozenset()
    seats_there = Seat.objects.filter(
        round__tournament=line.tournament_id, round__number=line.round_number, game__board=board
    )
    return frozenset(seats_there.values_list("entry", flat=True))


def message_for(phone: PushSubscription, news: News) -> Message | None:
    """Return the message for *phone* in its language; None if nothing in *news* is for it."""
    with translation.override(phone.language):
        if phone.sequence is None:
            sentences = [_("Notifications are on."), *_boards_now(phone, news)]
        else:
            sentences = list(_sentences(phone, news, list(news.since(phone.sequence))))
        if not sentences:
            return None
        slug = news.tournament.slug
        # One message that was sent twice is shown once.
        tag = f"{slug} {news.newest}"
        body = "\n".join(sentences)
        return Message(news.tournament.name, body, reverse("me", args=[slug]), tag)


def _boards_now(phone: PushSubscription, news: News) -> Iterable[str]:
    if news.frame.latest_published is None:
        return []
    return _limited([board_of(each) for each in _cards(phone, news)])


def _cards(phone: PushSubscription, news: News) -> list[Followed]:
    return [news.cards[entry] for entry in players_of(phone) if entry in news.cards]


def _sentences(phone: PushSubscription, news: News, lines: Sequence[Decision]) -> Iterator[str]:
    frame = news.frame
    done = {(line.action, line.round_number) for line in lines}
    cards = _cards(phone, news)
    paired, results = frame.latest_published, frame.latest_results
    if (Action.PAIRINGS_PUBLISHED, paired) in done:
        yield from _limited([board_of(each) for each in cards])
    elif others := [each for each in cards if _is_moved(each, news, lines, paired)]:
        yield from _limited(
            [_("Changed: %(board)s") % {"board": board_of(each)} for each in others]
        )
    moved = {each.round_number for each in lines if _is_new_start(each)}
    for number, at in sorted(news.starts.items()):
        if number in moved:
            yield _new_start(number, at)
    announced = {number for action, number in done if action == Action.BOARDS_ANNOUNCED and number}
    for number in sorted(announced):
        if number > (paired or 0):
            yield _("Certain boards of round %(n)s are announced.") % {"n": number}
    if phone.own_id is not None and _is_entered(phone.own_id, news, lines, paired):
        yield from (_entered(each, news) for each in news.entered.get(phone.own_id, ()))
    yield from _corrections(cards, news, lines)
    if any(line.action == Action.STANDINGS_MADE_FINAL for line in lines):
        if news.tournament.final_at is not None:
            yield _("The standings are final.")
            yield from _limited([_rank(each) for each in cards if each.rank])
    elif (Action.RESULTS_PUBLISHED, results) in done:
        yield _("The results of round %(n)s are published.") % {"n": results}
        yield from _limited([_rank(each) for each in cards if each.rank])


def _new_start(number: int, at: datetime) -> str:
    begins = _("Play begins %(at)s") % {"at": moment(localtime(at))}
    return _("Changed: %(board)s") % {"board": f"{_('Round %(n)s') % {'n': number}} · {begins}"}


def _limited(sentences: list[str]) -> Iterable[str]:
    more = len(sentences) - MOST_PLAYERS
    if more <= 0:
        return sentences
    text = ngettext("and %(n)s more player", "and %(n)s more players", more) % {"n": more}
    return [*sentences[:MOST_PLAYERS], text]


def _is_entered(entry: int, news: News, lines: Sequence[Decision], number: int | None) -> bool:
    """Return whether one of *lines* is about the result of *entry*: another phone may be behind."""
    return any(
        line.action == Action.RESULT_RECORDED
        and line.round_number == number
        and entry in news.concerned[line.sequence]
        for line in lines
    )


def _is_moved(card: Followed, news: News, lines: Sequence[Decision], number: int | None) -> bool:
    return any(
        line.action == Action.ROUND_CHANGED
        and line.round_number == number
        and card.entry.pk in news.concerned[line.sequence]
        for line in lines
    )


def board_of(card: Followed) -> str:
    """Return the place of a player in the newest published round."""
    seat, number, name = card.seat, card.round_number, card.entry.name
    if seat is None or seat.opponent is None:
        why = bye_label(seat.bye) if seat is not None and seat.bye else _("No game in this round")
        return _("Round %(n)s: %(name)s, %(why)s") % {"n": number, "name": name, "why": why}
    values = {"n": number, "name": name, "place": _place(seat), "opponent": seat.opponent.name}
    if seat.colour == "w":
        return _("Round %(n)s: %(name)s, %(place)s, White against %(opponent)s") % values
    return _("Round %(n)s: %(name)s, %(place)s, Black against %(opponent)s") % values


def _place(seat: NameLine) -> str:
    board = _("board %(n)s") % {"n": seat.board}
    if seat.table == seat.board:
        return board
    table = _("table %(n)s") % {"n": seat.table}
    return f"{board}, {table}"


def _entered(game: TableGame, news: News) -> str:
    """Return what was entered for the own game, as *My board* shows it."""
    names = f"{game.white} – {game.black}"
    if game.is_adjourned:
        return _("%(game)s: this game is adjourned.") % {"game": names}
    at = date_format(localtime(game.entered_at), "H:i") if game.entered_at else ""
    values = {"game": names, "result": result_short(game.result), "at": at}
    return _("%(game)s: %(result)s entered at %(at)s. If it is wrong, tell an arbiter.") % values


def _corrections(cards: Sequence[Followed], news: News, lines: Sequence[Decision]) -> Iterator[str]:
    results = news.frame.latest_results
    for line in lines:
        is_end_of_game = line.action == Action.RESULT_RECORDED and line.is_public
        if not line.is_public or not (line.action in CORRECTIONS or is_end_of_game):
            continue
        if is_end_of_game and (line.round_number or 0) > results:
            continue
        names = [
            each.entry.name for each in cards if each.entry.pk in news.concerned[line.sequence]
        ]
        if not names:
            continue
        name = ", ".join(names)
        if line.round_number is None or line.action == Action.RATING_CORRECTED:
            yield _("Correction: %(name)s") % {"name": name}
        else:
            yield _("Correction in round %(n)s: %(name)s") % {"n": line.round_number, "name": name}


def _rank(card: Followed) -> str:
    values = {"name": card.entry.name, "rank": card.rank, "points": points(card.points)}
    return _("%(name)s: rank %(rank)s, points: %(points)s") % values
