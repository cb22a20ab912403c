"""The addresses under ``/api/v1/``. They end in a slash; without it a GET is redirected."""

from __future__ import annotations

from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from .csv import CrosstableCsv, EntriesCsv, PairingsCsv, PrizesCsv, StandingsCsv
from .engine import EnginePair
from .entry_import import EntriesImport
from .events import EventDetail, Events
from .hand_over import EventBringBack, EventFile, EventHandOver, EventTakeOver
from .lists import VIEWS, EventEntriesCsv, EventPrizesCsv
from .players_reports import PlayersReports
from .rating_lists import RatingLists, RatingListUse, RatingRefresh, RatingSearch
from .report import CorrectionsCsv, EventReportCsv, EventReportDetail
from .second_reading import Questions, ReadingDecisions, SecondReadings
from .tables import Crosstable, Prizes
from .views import (
    Entries,
    Nothing,
    Pairings,
    Record,
    Report,
    RoundDetail,
    Rounds,
    Standings,
    TournamentDetail,
    Tournaments,
)

app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("events/", Events.as_view(), name="events"),
    path("events/<slug:slug>/", EventDetail.as_view(), name="event"),
    path("events/<slug:slug>/entries/csv/", EventEntriesCsv.as_view(), name="event-entries-csv"),
    path("events/<slug:slug>/prizes/csv/", EventPrizesCsv.as_view(), name="event-prizes-csv"),
    path("rating-lists/", RatingLists.as_view(), name="rating-lists"),
    path("rating-lists/use/", RatingListUse.as_view(), name="rating-list-use"),
    path("take-over/", EventTakeOver.as_view(), name="take-over"),
    path("tournaments/", Tournaments.as_view(), name="tournaments"),
    path("tournaments/<slug:slug>/", TournamentDetail.as_view(), name="tournament"),
    path("tournaments/<slug:slug>/entries/", Entries.as_view(), name="entries"),
    path("tournaments/<slug:slug>/entries/import/", EntriesImport.as_view(), name="entries-import"),
    path("tournaments/<slug:slug>/hand-over/", EventHandOver.as_view(), name="hand-over"),
    path("tournaments/<slug:slug>/hand-over/file/", EventFile.as_view(), name="hand-over-file"),
    path(
        "tournaments/<slug:slug>/hand-over/bring-back/", EventBringBack.as_view(), name="bring-back"
    ),
    path("tournaments/<slug:slug>/ratings/", RatingRefresh.as_view(), name="ratings"),
    path("tournaments/<slug:slug>/ratings/search/", RatingSearch.as_view(), name="rating-search"),
    path("tournaments/<slug:slug>/rounds/", Rounds.as_view(), name="rounds"),
    path("tournaments/<slug:slug>/rounds/<int:number>/", RoundDetail.as_view(), name="round"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/pairings/", Pairings.as_view(), name="pairings"
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/second-reading/",
        SecondReadings.as_view(),
        name="second-reading",
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/second-reading/decide/",
        ReadingDecisions.as_view(),
        name="second-reading-decide",
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/players-reports/",
        PlayersReports.as_view(),
        name="players-reports",
    ),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/questions/",
        Questions.as_view(),
        name="result-questions",
    ),
    path("tournaments/<slug:slug>/standings/", Standings.as_view(), name="standings"),
    path("tournaments/<slug:slug>/crosstable/", Crosstable.as_view(), name="crosstable"),
    path("tournaments/<slug:slug>/crosstable/csv/", CrosstableCsv.as_view(), name="crosstable-csv"),
    path("tournaments/<slug:slug>/prizes/", Prizes.as_view(), name="prizes"),
    path("tournaments/<slug:slug>/prizes/csv/", PrizesCsv.as_view(), name="prizes-csv"),
    path("tournaments/<slug:slug>/standings/csv/", StandingsCsv.as_view(), name="standings-csv"),
    path("tournaments/<slug:slug>/entries/csv/", EntriesCsv.as_view(), name="entries-csv"),
    path(
        "tournaments/<slug:slug>/rounds/<int:number>/pairings/csv/",
        PairingsCsv.as_view(),
        name="pairings-csv",
    ),
    *(
        path(f"tournaments/<slug:slug>/{name.removesuffix('-csv')}/csv/", view.as_view(), name=name)
        for name, view in VIEWS.items()
    ),
    path("tournaments/<slug:slug>/report/", EventReportDetail.as_view(), name="event-report"),
    path("tournaments/<slug:slug>/report/csv/", EventReportCsv.as_view(), name="event-report-csv"),
    path(
        "tournaments/<slug:slug>/report/corrections/csv/",
        CorrectionsCsv.as_view(),
        name="corrections-csv",
    ),
    path("tournaments/<slug:slug>/trf/", Report.as_view(), name="trf"),
    path("tournaments/<slug:slug>/record/", Record.as_view(), name="record"),
    # A POST cannot be redirected, so this address works with and without its slash.
    path("engine/pair", EnginePair.as_view(), name="engine-pair"),
    path("engine/pair/", EnginePair.as_view(schema=None)),
    # Match only addresses that end in a slash: CommonMiddleware first retries the rest with one. A
    # line break matches too.
    re_path(r"^(?:[\s\S]*/)?$", Nothing.as_view()),
]
