"""The data of each action in the record: one class for each member of ``Action``,
with the types of both sides.

An action writes its line with such a payload (:meth:`tournaments.core.actions.OpenAction.record`),
and a reader gets it from ``Decision.payload``. So mypy knows every key, on both sides. The database
keeps only the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast

from pairing.rules.actions import Action

from . import payload_data as data, payload_game_data as of_games, payload_round_data as of_rounds
from .payload_base import Payload
from .payload_hand_over import HandOver


class TournamentCreated(Payload[data.Nothing, data.CreatedTournament]):
    action = Action.TOURNAMENT_CREATED


class TournamentUpdated(Payload[data.Settings, data.Settings]):
    action = Action.TOURNAMENT_UPDATED


class TieBreaksChanged(Payload[data.TieBreakList, data.TieBreakList]):
    action = Action.TIE_BREAKS_CHANGED


class RoundsChanged(Payload[data.RoundsBefore, data.RoundsAfter]):
    action = Action.ROUNDS_CHANGED


class TournamentImported(Payload[data.Nothing, data.ImportedFile]):
    action = Action.TOURNAMENT_IMPORTED


class SectionSet(Payload[data.SectionData | data.Nothing, data.SectionData]):
    action = Action.SECTION_SET


class TournamentDuplicated(Payload[data.Nothing, data.CopiedFrom]):
    action = Action.TOURNAMENT_DUPLICATED


class TournamentListed(Payload[data.Listing, data.Listing]):
    action = Action.TOURNAMENT_LISTED


class TournamentUnlisted(Payload[data.Listing, data.Listing]):
    action = Action.TOURNAMENT_UNLISTED


class TournamentArchived(Payload[data.Archiving, data.Archiving]):
    action = Action.TOURNAMENT_ARCHIVED


class TournamentRestored(Payload[data.Archiving, data.Archiving]):
    action = Action.TOURNAMENT_RESTORED


class TournamentHandedOver(Payload[data.Nothing, HandOver]):
    action = Action.TOURNAMENT_HANDED_OVER


class TournamentTakenOver(Payload[HandOver, data.Nothing]):
    action = Action.TOURNAMENT_TAKEN_OVER


class TournamentBroughtBack(Payload[HandOver, data.Nothing]):
    action = Action.TOURNAMENT_BROUGHT_BACK


class PersonAppointed(Payload[data.Nothing, data.Person]):
    action = Action.PERSON_APPOINTED


class PersonRemoved(Payload[data.Person, data.Nothing]):
    action = Action.PERSON_REMOVED


class AccessRenewed(Payload[data.Nothing, data.Person]):
    action = Action.ACCESS_RENEWED


class ChiefHandedOver(Payload[data.Person, data.Person]):
    action = Action.CHIEF_HANDED_OVER


class PasswordSet(Payload[data.Nothing, data.Person]):
    action = Action.PASSWORD_SET


class ColourDrawn(Payload[data.InitialColour, data.InitialColour]):
    action = Action.COLOUR_DRAWN


class EqualsRanked(Payload[data.OrderOfEquals, data.OrderOfEquals]):
    action = Action.EQUALS_RANKED


class LotsDrawn(Payload[data.Nothing, data.Lots]):
    action = Action.LOTS_DRAWN


class EntryAdded(Payload[data.Nothing, data.EntryData]):
    action = Action.ENTRY_ADDED


class EntryUpdated(Payload[data.EntryChange, data.EntryChange]):
    action = Action.ENTRY_UPDATED


class EntryRatingChanged(Payload[data.EntryChange, data.EntryChange]):
    action = Action.ENTRY_RATING_CHANGED


class EntryRemoved(Payload[data.EntryData, data.Nothing]):
    action = Action.ENTRY_REMOVED


class EntryWithdrawn(Payload[data.Taking, data.WithdrawnFrom]):
    action = Action.ENTRY_WITHDRAWN


class EntryExpelled(Payload[data.Taking, data.WithdrawnFrom]):
    action = Action.ENTRY_EXPELLED


class EntryReturned(Payload[data.ExpelledFrom, data.Taking]):
    action = Action.ENTRY_RETURNED


class EntryCheckedIn(Payload[data.AnswerBefore, data.CheckedIn]):
    action = Action.ENTRY_CHECKED_IN


class EntryCheckedOut(Payload[data.Nothing, data.Name]):
    action = Action.ENTRY_CHECKED_OUT


class EntriesCheckedIn(Payload[data.Nothing, data.PlayersCheckedIn]):
    action = Action.ENTRIES_CHECKED_IN


class AbsenceExplained(Payload[data.Nothing, data.Explanation]):
    action = Action.ABSENCE_EXPLAINED


class AbsenceWithdrawn(Payload[data.Taking, data.WithdrawnFrom]):
    action = Action.ABSENCE_WITHDRAWN


class AbsenceLifted(Payload[data.WithdrawnFrom, data.Taking]):
    action = Action.ABSENCE_LIFTED


class ActionUndone(Payload[Mapping[str, object], of_rounds.Undone]):
    action = Action.ACTION_UNDONE


class ResultUndone(Payload[of_rounds.BoardResult, of_rounds.UndoneResult]):
    action = Action.RESULT_UNDONE


class CheckInOpened(Payload[data.Nothing, data.OpenCheckIn]):
    action = Action.CHECK_IN_OPENED


class CheckInClosed(Payload[data.Nothing, data.ClosedCheckIn]):
    action = Action.CHECK_IN_CLOSED


class CheckInSettled(Payload[data.MissingBefore, data.MissingAfter]):
    action = Action.CHECK_IN_SETTLED


class CheckInAnswered(Payload[data.AnswersBefore, data.AnswersAfter]):
    action = Action.CHECK_IN_ANSWERED


class DeskDataChanged(Payload[data.DeskDataOf, data.DeskDataOf]):
    action = Action.DESK_DATA_CHANGED


class FeeSet(Payload[data.Fee, data.Fee]):
    action = Action.FEE_SET


class SelfCheckInOpened(Payload[data.Nothing, data.SelfCheckIn]):
    action = Action.SELF_CHECK_IN_OPENED


class SelfCheckInClosed(Payload[data.SelfCheckIn, data.Nothing]):
    action = Action.SELF_CHECK_IN_CLOSED


class TableCodesMade(Payload[data.Nothing, data.Nothing]):
    action = Action.TABLE_CODES_MADE


class PlayersReportsOpened(Payload[data.Nothing, data.Nothing]):
    action = Action.PLAYERS_REPORTS_OPENED


class PlayersReportsClosed(Payload[data.Nothing, data.Nothing]):
    action = Action.PLAYERS_REPORTS_CLOSED


class RegistrationSet(Payload[data.RegistrationRules, data.RegistrationRules]):
    action = Action.REGISTRATION_SET


class RegistrationRefused(Payload[data.RegistrationOf, data.Nothing]):
    action = Action.REGISTRATION_REFUSED


class EntriesImported(Payload[data.Nothing, data.EntryList]):
    action = Action.ENTRIES_IMPORTED


class ByeRequested(Payload[data.Bye, data.Bye]):
    action = Action.BYE_REQUESTED


class ByeCancelled(Payload[data.Bye, data.Bye]):
    action = Action.BYE_CANCELLED


class NumbersAssigned(Payload[data.NumbersBefore, data.NumbersAfter]):
    action = Action.NUMBERS_ASSIGNED


class RoundScheduled(Payload[of_rounds.Schedule, of_rounds.Schedule]):
    action = Action.ROUND_SCHEDULED


class RoundPaired(Payload[of_rounds.State, of_rounds.EnginePairing]):
    action = Action.ROUND_PAIRED


class RoundPairedByHand(Payload[of_rounds.Places, of_rounds.PlacesByHand]):
    action = Action.ROUND_PAIRED_BY_HAND


class RoundDiscarded(Payload[of_rounds.State, of_rounds.DiscardedDraft]):
    action = Action.ROUND_DISCARDED


class PairingsPublished(Payload[of_rounds.State, of_rounds.PublishedPairings]):
    action = Action.PAIRINGS_PUBLISHED


class BoardsAnnounced(Payload[data.Nothing, of_rounds.AnnouncedBoards]):
    action = Action.BOARDS_ANNOUNCED


class AnnouncementWithdrawn(Payload[of_rounds.AnnouncedBoards, data.Nothing]):
    action = Action.ANNOUNCEMENT_WITHDRAWN


class DeadlineCutShort(Payload[of_rounds.Deadline, of_rounds.DeadlineLeft]):
    action = Action.DEADLINE_CUT_SHORT


class ResultRecorded(Payload[of_rounds.BoardResult, of_rounds.BoardResult]):
    action = Action.RESULT_RECORDED


class ResultRead(Payload[of_rounds.BoardResult, of_rounds.ReadResult]):
    action = Action.RESULT_READ


class ReadingDecided(Payload[of_rounds.TwoReadings, of_rounds.BoardResult]):
    action = Action.READING_DECIDED


class ResultConfirmed(Payload[data.Nothing, of_rounds.ConfirmedResult]):
    action = Action.RESULT_CONFIRMED


class ProhibitedPairsSet(Payload[data.Pairs, data.Pairs]):
    action = Action.PROHIBITED_PAIRS_SET


class PrizesSet(Payload[data.Prizes, data.Prizes]):
    action = Action.PRIZES_SET


class LogoSet(Payload[data.LogoName, data.LogoName]):
    action = Action.LOGO_SET


class EventPrizesSet(Payload[data.EventPrizes, data.EventPrizes]):
    action = Action.EVENT_PRIZES_SET


class ResultsPublished(Payload[of_rounds.State, of_rounds.PublishedResults]):
    action = Action.RESULTS_PUBLISHED


class GamesAdjourned(Payload[data.Nothing, of_rounds.Boards]):
    action = Action.GAMES_ADJOURNED


class GameScheduled(Payload[of_games.GameDate, of_games.GameDate]):
    action = Action.GAME_SCHEDULED


class RoundChanged(Payload[of_rounds.Places, of_rounds.ChangedPlaces]):
    action = Action.ROUND_CHANGED


class RoundArranged(Payload[of_rounds.Places, of_rounds.ArrangedPlaces]):
    action = Action.ROUND_ARRANGED


class ResultCorrected(Payload[of_rounds.BoardResult, of_rounds.CorrectedResult]):
    action = Action.RESULT_CORRECTED


class ColoursCorrected(Payload[of_rounds.BoardColours, of_rounds.CorrectedColours]):
    action = Action.COLOURS_CORRECTED


class RatingCorrected(Payload[of_rounds.Ratings, of_rounds.CorrectedRatings]):
    action = Action.RATING_CORRECTED


class CorrectionApplied(Payload[of_rounds.Applied, of_rounds.Applied]):
    action = Action.CORRECTION_APPLIED


class PointsAdjusted(Payload[data.Nothing, data.Adjustment]):
    action = Action.POINTS_ADJUSTED


class PointsWithdrawn(Payload[data.WithdrawnAdjustment, data.Nothing]):
    action = Action.POINTS_WITHDRAWN


class ProtestLodged(Payload[data.Nothing, data.Protested]):
    action = Action.PROTEST_LODGED


class ProtestDecided(Payload[data.Nothing, data.Ruling]):
    action = Action.PROTEST_DECIDED


class ProtestAppealed(Payload[data.Nothing, data.Appealed]):
    action = Action.PROTEST_APPEALED


class AppealDecided(Payload[data.Nothing, data.AppealRuling]):
    action = Action.APPEAL_DECIDED


class ReportSent(Payload[data.Nothing, of_games.SentReport]):
    action = Action.REPORT_SENT


class ReportWithdrawn(Payload[of_games.SentReport, data.Nothing]):
    action = Action.REPORT_WITHDRAWN


class DataDeleted(Payload[data.Nothing, of_games.DeletedData]):
    action = Action.DATA_DELETED


class StandingsMadeFinal(Payload[data.Nothing, data.FinalStandings]):
    action = Action.STANDINGS_MADE_FINAL


class StandingsReopened(Payload[data.FinalAt, data.Reopened]):
    action = Action.STANDINGS_REOPENED


AnyPayload: TypeAlias = Payload[Mapping[str, object], Mapping[str, object]]

PAYLOADS: Final = {kind.action: kind for kind in Payload.__subclasses__()}
"""The class of each action."""


def payload_of(action: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> AnyPayload:
    """Return the stored *before* and *after* with the types of *action*.

    ``ValueError`` for an unknown action.
    """
    return PAYLOADS[Action(action)](cast(Any, before), cast(Any, after))


OF_THE_UNDO: Final = frozenset({"undone", "action", "viewed_by", "views"})
"""The keys of an undo that are not those of the undone line."""


def undoing(
    payload: AnyPayload, sequence: int, viewed: of_rounds.ViewedDraft | None = None
) -> ResultUndone | ActionUndone:
    """Return the payload that undoes *payload*, line *sequence* of the record,
    with before and after exchanged.

    *viewed* are those who have viewed the draft that it discards.
    """
    undone: of_rounds.Undone = {
        "undone": sequence,
        "action": payload.action.value,
        **(viewed or {}),
    }
    if isinstance(payload, ResultRecorded):
        return ResultUndone(before=payload.after, after={**payload.before, **undone})
    return ActionUndone(
        before=payload.after, after=cast(of_rounds.Undone, {**payload.before, **undone})
    )


def undone_by(payload: ResultUndone | ActionUndone) -> AnyPayload:
    """Return the payload that *payload* undid."""
    before = {key: value for key, value in payload.after.items() if key not in OF_THE_UNDO}
    return payload_of(payload.after["action"], before, payload.before)


ADDED_KEYS: Final = frozenset({"changed", "cautions", "decision", "viewed_by", "views"})
"""The keys that an action adds to the values that it changes."""


def restores(opposite: AnyPayload, undone: AnyPayload) -> bool:
    """Return whether *opposite* leads from the values after *undone* to exactly those before it."""
    return _values(opposite.before) == _values(undone.after) and _values(opposite.after) == _values(
        undone.before
    )


def _values(side: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in side.items() if key not in ADDED_KEYS}
