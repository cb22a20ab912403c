"""The addresses of the pages."""

from django.urls import path

from .views import corrections, desk, entries, entry_import, home, public, recheck, results, rounds, schedule, site

urlpatterns = [
    path("", home.home, name="home"),
    path("language/<slug:code>/", site.language, name="language"),
    path("new/", home.create, name="tournament-create"),
    path("import/", home.import_trf, name="tournament-import"),
    # For everybody
    path("t/<slug:slug>/", public.overview, name="tournament"),
    path("t/<slug:slug>/players/", public.players, name="players"),
    path("t/<slug:slug>/pairings/<int:number>/", public.pairings, name="pairings-public"),
    path("t/<slug:slug>/standings/", public.standings, name="standings"),
    path("t/<slug:slug>/standings/<int:number>/", public.standings, name="standings-after"),
    path("t/<slug:slug>/record/", public.record, name="record"),
    path("t/<slug:slug>/export.trf", public.export, name="trf-export"),
    # For those who run the tournament
    path("t/<slug:slug>/desk/", desk.desk, name="desk"),
    path("t/<slug:slug>/recheck/", recheck.recheck, name="recheck"),
    path("t/<slug:slug>/settings/", home.edit, name="tournament-edit"),
    path("t/<slug:slug>/schedule/", schedule.schedule, name="schedule"),
    path("t/<slug:slug>/numbers/", desk.numbers, name="numbers"),
    path("t/<slug:slug>/numbers/close/", desk.close_list, name="list-close"),
    path("t/<slug:slug>/colour/", desk.initial_colour, name="initial-colour"),
    path("t/<slug:slug>/entries/", entries.entries, name="entries"),
    path("t/<slug:slug>/entries/add/", entries.add, name="entry-add"),
    path("t/<slug:slug>/entries/import/", entry_import.entries_import_page, name="entries-import"),
    path("t/<slug:slug>/entries/<int:entry_id>/", entries.edit, name="entry-edit"),
    path("t/<slug:slug>/entries/<int:entry_id>/check-in/", entries.check_in, name="entry-check-in"),
    path("t/<slug:slug>/entries/<int:entry_id>/bye/", entries.request_bye, name="bye-request"),
    path("t/<slug:slug>/entries/<int:entry_id>/bye/<int:number>/cancel/", entries.cancel_bye, name="bye-cancel"),
    path("t/<slug:slug>/entries/<int:entry_id>/withdraw/", entries.withdraw, name="entry-withdraw"),
    path("t/<slug:slug>/entries/<int:entry_id>/return/", entries.bring_back, name="entry-return"),
    path("t/<slug:slug>/entries/<int:entry_id>/remove/", entries.remove, name="entry-remove"),
    path("t/<slug:slug>/rounds/<int:number>/", rounds.detail, name="round"),
    path("t/<slug:slug>/rounds/<int:number>/pair/", rounds.pair, name="round-pair"),
    path("t/<slug:slug>/rounds/<int:number>/discard/", rounds.discard, name="round-discard"),
    path("t/<slug:slug>/rounds/<int:number>/publish/", rounds.publish, name="round-publish"),
    path("t/<slug:slug>/rounds/<int:number>/results/", results.results, name="round-results"),
    path("t/<slug:slug>/rounds/<int:number>/results/state/", results.state, name="results-state"),
    path("t/<slug:slug>/rounds/<int:number>/results/publish/", results.publish, name="results-publish"),
    path("t/<slug:slug>/rounds/<int:number>/correct/", corrections.correct, name="round-correct"),
    path("t/<slug:slug>/corrections/", corrections.corrections, name="corrections"),
    path("t/<slug:slug>/games/<int:game_id>/result/", results.game_result, name="game-result"),
]
