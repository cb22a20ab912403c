"""The comments (``###``) of a TRF file: actions that no record of the format shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from django.db.models import Q, QuerySet

from pairing.engine.model import TPN, Result
from pairing.rules.corrections import AT_ONCE, CorrectionEffect, CorrectionKind, minutes_back
from pairing.trf.crosstable import expelled_remark
from pairing.trf.document import RoundCell, TextRecord
from tournaments.core.chosen_rules import handling, is_of_matches, left_fide_mode
from tournaments.core.undone import not_undone
from tournaments.models import Action, Correction, Decision, Entry, Game, GameResult, Tournament
from tournaments.models.payload_data import Adjustment, EntryData, RoundsAfter
from tournaments.models.payload_round_data import Places, PublishedPairings
from tournaments.models.payloads import (
    EntriesImported,
    EntryAdded,
    GamesAdjourned,
    NumbersAssigned,
    PairingsPublished,
    PointsAdjusted,
    PointsWithdrawn,
    RoundArranged,
    RoundChanged,
    RoundPaired,
    RoundPairedByHand,
    RoundsChanged,
    TieBreaksChanged,
    TournamentImported,
)


def corrections(tournament: Tournament) -> Iterator[TextRecord]:
    """Yield a comment for each correction, also for the rating report only [C.04.2/2026 4.3].

    One query. A correction that still waits for its publication is left out. A report that was
    dated back by more than :data:`~pairing.rules.corrections.AT_ONCE` says by how many minutes.
    """
    made = Correction.objects.filter(tournament=tournament, waiting=False).select_related(
        "game", "entry"
    )
    articles = handling(tournament).corrections
    for row in made.order_by("pk"):
        about = (
            f"board {row.game.board}" if row.game else f"TPN {row.entry.tpn}" if row.entry else ""
        )
        if "game" in row.before:
            about += f" game {row.before['game']}"
        match CorrectionKind(row.kind):
            case CorrectionKind.RESULT:
                change = f"result {row.before['result']} -> {row.after['result']}"
            case CorrectionKind.COLOURS:
                change = "colours reversed"
            case CorrectionKind.RATING:
                change = ", ".join(
                    f"{name} {row.before[name]} -> {row.after[name]}" for name in row.after
                )
        scope = {
            CorrectionEffect.NEXT_ROUND: "standings and next pairing",
            CorrectionEffect.NEXT_PAIRING: "standings and the pairing after the published one",
            CorrectionEffect.RATING_ONLY: "rating report only",
        }[CorrectionEffect(row.effect)]
        article = articles[CorrectionKind(row.kind)]
        comment = f"Correction @ Round {row.round_number}: {about}, {change}, {article}, {scope}"
        if row.entered_at - row.reported_at > AT_ONCE:
            comment += (
                f", reported {minutes_back(row.reported_at, row.entered_at)} minutes "
                f"before its entry"
            )
        yield TextRecord("###", comment)


_PUBLISHING: Final = (Action.PAIRINGS_PUBLISHED, Action.TOURNAMENT_IMPORTED)
_BY_HAND: Final = (Action.ROUND_PAIRED_BY_HAND, Action.ROUND_ARRANGED)
"""Actions that change the boards of a draft from the engine's."""
_ENTERING: Final = (Action.ENTRY_ADDED, Action.ENTRIES_IMPORTED)


def other_actions(
    tournament: Tournament, entries: list[Entry], rounds: list[int]
) -> Iterator[TextRecord]:
    """Yield comments for actions that no record of the file shows. One query.

    They are: imported rounds that the engine pairs differently; boards published with other pairs
    than the engine's, and pairing changes, without the reasons; adjourned games; another number of
    rounds, with the published boards that would then be paired differently; another list of
    tie-breaks, with the old one; point adjustments, because record 299 does not contain the rule;
    numbers assigned again after a round was published. For matches also late entries: they may turn
    an odd number of an earlier round into an even one, and colours depend on it
    [C.04.5/2026 4.3.1].
    """
    published = 0
    drafts: dict[int | None, list[Decision]] = defaultdict(list)
    for row in not_undone(_commented_lines(tournament, rounds)):
        match row.payload:
            case PairingsPublished(after=taken):
                published = row.round_number or 0
                yield from _made_by_hand(drafts.pop(row.round_number, []))
                yield from _at_publication(published, taken)
            case TournamentImported(after=file):
                published = file["rounds"]
                yield from _imported_otherwise(tournament, file["paired_otherwise"])
            case RoundPaired() | RoundPairedByHand():
                # A draft that is paired again keeps nothing of the previous one.
                drafts[row.round_number] = [row]
            case RoundArranged():
                drafts[row.round_number].append(row)
            case EntryAdded(after=entry):
                yield from _late_entry(row, published, [entry], entries)
            case EntriesImported(after=came):
                yield from _late_entry(row, published, came["entries"], entries)
            case NumbersAssigned(before=old, after=new):
                if published and (moved := _passed_by(old["tpn"], new["tpn"])):
                    message = (
                        f"Numbers @ Round {published}: assigned again, {moved} moved, {row.article}"
                    )
                    yield TextRecord("###", message.removesuffix(", "))
            case RoundsChanged(before=before, after=after):
                yield from _rounds_comments(row, before["total_rounds"], after)
            case TieBreaksChanged(before=old_list, after=new_list):
                yield _list_comment(row, published, old_list["tie_breaks"], new_list["tie_breaks"])
            case PointsAdjusted(after=points):
                yield _points_comment("Points", row, points, entries)
            case PointsWithdrawn(before=points):
                yield _points_comment("Points withdrawn", row, points, entries)
            case GamesAdjourned(after=adjourned):
                yield _boards_comment("Adjournment", row, adjourned["boards"])
                yield from _ended_otherwise(tournament, row, adjourned["boards"])
            case RoundChanged(before=left, after=changed):
                yield _change_comment(row, left, changed, entries)


def _commented_lines(tournament: Tournament, rounds: list[int]) -> QuerySet[Decision]:
    """Return the actions that may give a comment in a file with *rounds*, in their order."""
    about = Q(
        action__in=(
            *(
                Action.ROUND_PAIRED,
                *_BY_HAND,
                Action.ROUND_CHANGED,
                Action.GAMES_ADJOURNED,
                Action.ACTION_UNDONE,
            ),
            *(Action.POINTS_ADJUSTED, Action.POINTS_WITHDRAWN),
        ),
        round_number__in=rounds,
    )
    entering = _ENTERING if is_of_matches(tournament) else ()
    always = Q(
        action__in=(
            Action.ROUNDS_CHANGED,
            Action.TIE_BREAKS_CHANGED,
            Action.NUMBERS_ASSIGNED,
            *_PUBLISHING,
            *entering,
        )
    )
    lines = Decision.objects.filter(about | always, tournament=tournament)
    return lines.order_by("sequence")


def _at_publication(number: int, taken: PublishedPairings) -> Iterator[TextRecord]:
    """Yield what the file says about publishing the pairings of round *number*,
    from the data *taken* of its line.
    """
    if games := taken.get("open_points", {}).get("adjourned"):
        comment = (
            f"Open games @ Round {number}: {', '.join(games)}, draws for this pairing, C.04.2 3.1"
        )
        yield TextRecord("###", comment)


def fide_mode_left(tournament: Tournament) -> Iterator[TextRecord]:
    """Yield a comment on the round that left FIDE mode; 0: before, by older rules."""
    left = left_fide_mode(tournament)
    if left is None:
        return
    comment = f"FIDE mode left @ Round {left}"
    # An imported file keeps its comment, which may cite the article of another edition.
    if any(f"{extra}:".startswith(f"### {comment}:") for extra in tournament.trf_extras):
        return
    if not left:
        article = handling(tournament).cited("C.04.2 1.1")
        comment += f": rules no longer in force, {article}".rstrip(", ")
    yield TextRecord("###", comment)


def full_point_byes(
    tournament: Tournament, cells: Mapping[TPN, Sequence[RoundCell]]
) -> Iterator[TextRecord]:
    """Yield a comment for each round with full-point byes, discouraged [C.04.2/2026 3.3]."""
    byes: dict[int, list[TPN]] = defaultdict(list)
    for tpn, own in cells.items():
        for number, cell in enumerate(own, start=1):
            if cell.result is Result.FULL_POINT_BYE:
                byes[number].append(tpn)
    for number, players in sorted(byes.items()):
        numbers = ", ".join(map(str, sorted(players)))
        yield from _unless_kept(
            tournament, f"Full-point bye @ Round {number}: TPN {numbers}, C.04.2 3.3"
        )


def decisions_on_players(tournament: Tournament, entries: Iterable[Entry]) -> Iterator[TextRecord]:
    """Yield comments on expelled players and ties decided by the Chief Arbiter [C.07/2026 4.2]."""
    known = {entry.pk: entry for entry in entries}
    for pk in tournament.expelled:
        if pk in known:
            yield expelled_remark(TPN(known[pk].tpn or 0), known[pk].withdrawn_from or 1)
    if order := [str(known[pk].tpn) for pk in tournament.order_of_equals if pk in known]:
        yield TextRecord(
            "###",
            f"Order of tied players @ Round {tournament.total_rounds}: TPN {', '.join(order)}, C.07 4.2",
        )


def _imported_otherwise(tournament: Tournament, rounds: Iterable[int]) -> Iterator[TextRecord]:
    """Yield a comment for each imported round whose pairings are not those of the engine."""
    for number in rounds:
        yield from _unless_kept(
            tournament, f"Import @ Round {number}: pairings differ from the engine's, C.04.2 1.4"
        )


def _unless_kept(tournament: Tournament, comment: str) -> Iterator[TextRecord]:
    """Yield *comment* unless the imported file, whose comments are kept, has it."""
    if f"### {comment}" not in tournament.trf_extras:
        yield TextRecord("###", comment)


def _rounds_comments(row: Decision, before: int, after: RoundsAfter) -> Iterator[TextRecord]:
    """Yield a comment on the new number of rounds, and one on the published
    boards it would pair differently, if any.

    A draft that was paired again is not named: nobody shall read that there was one.
    """
    number, boards = after["published"], after["boards_otherwise"]
    where = f" @ Round {number}" if number else ""
    yield TextRecord("###", f"Rounds{where}: {before} -> {after['total_rounds']}, {row.article}")
    if number != after["checked_again"]:
        return
    if after["no_legal_pairing"]:
        found = "no legal pairing with the new number of rounds"
    elif boards:
        found = f"boards {', '.join(map(str, boards))} differ with the new number of rounds"
    else:
        return
    yield TextRecord("###", f"Configuration @ Round {number}: {found}, {row.article}")


def _late_entry(
    row: Decision, published: int, came: Iterable[EntryData], entries: Iterable[Entry]
) -> Iterator[TextRecord]:
    """Yield a comment on players who came after round *published* was public; none if it is 0."""
    if published:
        new = {data["entry"] for data in came}
        numbers = ", ".join(str(entry.tpn) for entry in entries if entry.pk in new)
        yield TextRecord("###", f"Late entry @ Round {published}: TPN {numbers}, {row.article}")


def _ended_otherwise(
    tournament: Tournament, row: Decision, boards: list[int]
) -> Iterator[TextRecord]:
    """Yield a comment on adjourned games that ended otherwise than drawn. One query."""
    games = Game.objects.filter(
        round__tournament=tournament, round__number=row.round_number or 0, board__in=boards
    )
    open_or_drawn = (
        GameResult.NOT_YET,
        GameResult.ADJOURNED,
        GameResult.DRAW,
        GameResult.DRAW_UNRATED,
    )
    if ended := sorted({*games.exclude(result__in=open_or_drawn).values_list("board", flat=True)}):
        yield _boards_comment("Adjournment", row, ended, "ended without a draw")


def _list_comment(row: Decision, published: int, before: str, after: str) -> TextRecord:
    """Return the comment on another list of tie-breaks, made when round *published* was public."""
    where = f" @ Round {published}" if published else ""
    return TextRecord(
        "###", f"Tie-breaks{where}: {before or 'none'} -> {after or 'none'}, {row.article}"
    )


def _boards_comment(
    what: str, row: Decision, boards: Iterable[int | str], *more: str
) -> TextRecord:
    details = ", ".join((*map(str, boards), *more, row.article))
    return TextRecord("###", f"{what} @ Round {row.round_number}: boards {details}")


def _change_comment(
    row: Decision, left: Places, changed: Places, entries: Iterable[Entry]
) -> TextRecord:
    """Return a pairing change with its boards, or with the players if only the bye changes."""
    if boards := sorted(map(int, {*left["boards"], *changed["boards"]})):
        return _boards_comment("MPA", row, boards)
    byes = {**left["byes"], **changed["byes"]}
    numbers = sorted(entry.tpn or 0 for entry in entries if str(entry.pk) in byes)
    comment = (
        f"MPA @ Round {row.round_number}: bye of TPN {', '.join(map(str, numbers))}, {row.article}"
    )
    return TextRecord("###", comment.removesuffix(", "))


def _made_by_hand(actions: list[Decision]) -> Iterator[TextRecord]:
    """Yield a comment on boards to which the *actions* on a draft gave another pair."""
    found: dict[str, list[int] | None] = {}
    left: dict[str, list[int] | None] = {}
    for row in actions:
        if isinstance(payload := row.payload, RoundPairedByHand | RoundArranged):
            before, after = payload.before["boards"], payload.after["boards"]
            for board in (*before, *after):
                found.setdefault(board, before.get(board))
                left[board] = after.get(board)
    pairs = list(found.values())
    if changed := sorted(
        (board for board, pair in left.items() if pair is not None and pair not in pairs), key=int
    ):
        yield _boards_comment("MPA", actions[-1], changed)


def _passed_by(before: dict[str, int | None], after: dict[str, int]) -> int:
    """Return how many players have another number than *before* if their order has changed; else 0.

    A late entry moves all players below it down but does not change their order, so the earlier
    pairings still follow from it (docs/rules, R1).
    """
    held = {entry: tpn for entry, tpn in before.items() if tpn is not None and entry in after}
    if sorted(held, key=held.__getitem__) == sorted(held, key=after.__getitem__):
        return 0
    return sum(after[entry] != tpn for entry, tpn in held.items())


def _points_comment(
    what: str, row: Decision, points: Adjustment, entries: Iterable[Entry]
) -> TextRecord:
    """Return a point adjustment or its withdrawal: ``Points @ Round 3: TPN 8 -0.5, Laws 12.9``."""
    tpn = next(entry.tpn for entry in entries if entry.pk == points["entry"])
    comment = (
        f"{what} @ Round {row.round_number}: TPN {tpn} {points['points'] / 10:+.1f}, {row.article}"
    )
    return TextRecord("###", comment)
