"""The addresses of the pages."""

from django.urls import path

from tournaments.web import help_pages, keys, language, offline
from tournaments.web.desk.desk import desk, undo
from tournaments.web.entries import check_in, entries, expulsion, self_check_in, waiting_page
from tournaments.web.entries.missing import missing
from tournaments.web.entries.numbers import close_list, numbers
from tournaments.web.entries.players import players
from tournaments.web.entries.start import start
from tournaments.web.events import (
    check_in as event_check_in,
    follow,
    imports as event_imports,
    keys as event_keys,
    pages as event_pages,
    prizes as event_prizes,
    sections,
    waiting_of_event as event_waiting,
)
from tournaments.web.home import home, invitation, role
from tournaments.web.imports import entry_lists
from tournaments.web.imports.large_file import trf_opening
from tournaments.web.imports.tournaments import import_trf
from tournaments.web.mirror.page import event_mirror, mirror
from tournaments.web.news import event_news, news, screen_news
from tournaments.web.overview import next_event, overview
from tournaments.web.pairing_mail.pages import pairing_mail
from tournaments.web.people import people
from tournaments.web.people.sign_in import sign_in
from tournaments.web.printing import sheets
from tournaments.web.printing.print_and_share import print_and_share
from tournaments.web.push.pages import push
from tournaments.web.rating_lists import check, hits, lists as rating_lists
from tournaments.web.registration import desk as registration_desk, own, pages as registration
from tournaments.web.reports import (
    event_report,
    federation_files,
    feed,
    norms,
    protests,
    published,
    recheck,
    report_check,
    sent_reports,
    title_claims,
)
from tournaments.web.reports.export import export
from tournaments.web.reports.record import download, engine, fingerprints, record
from tournaments.web.rounds import (
    announce,
    by_hand,
    cards,
    changes,
    codes,
    corrections,
    floor,
    live,
    mistakes,
    open_games,
    opponents,
    reporting,
    results,
    rounds,
    second_reading,
    swap,
    tables,
    why,
)
from tournaments.web.rounds.pairings import pairings
from tournaments.web.screens import desk as screens_desk
from tournaments.web.screens.pages import screen
from tournaments.web.session_fragment import session_fragment
from tournaments.web.setup import (
    hand_over,
    logo,
    manage,
    number_of_rounds,
    personal_data,
    regulations,
    schedule,
    take_over,
    tie_break_preview,
    tie_breaks,
)
from tournaments.web.setup.initial_colour import initial_colour
from tournaments.web.setup.new import create
from tournaments.web.setup.prohibited_pairs import prohibited_pairs
from tournaments.web.setup.settings import edit
from tournaments.web.standings import (
    adjustments_page,
    certificates,
    crosstable,
    final,
    forecast,
    groups,
    lots,
    me,
    player,
    prizes,
)
from tournaments.web.standings.standings import standing, standing_by_number, standings
from tournaments.web.venue.pages import venue

urlpatterns = [
    # What a hall of phones asks for is found first
    path("t/<slug:slug>/news.json", news, name="news"),
    path("t/<slug:slug>/pairings/<int:number>/", pairings, name="pairings-public"),
    path("t/<slug:slug>/standings/", standings, name="standings"),
    path("t/<slug:slug>/player/<int:entry_id>/", player.player, name="player-page"),
    path("t/<slug:slug>/me/", me.me, name="me"),
    path("t/<slug:slug>/crosstable/", crosstable.crosstable, name="crosstable"),
    path("t/<slug:slug>/", overview, name="tournament"),
    # The site
    path("", home, name="home"),
    path("language/<slug:code>/", language.language, name="language"),
    path("help/", help_pages.index, name="help"),
    path("help/<slug:name>/", help_pages.page, name="help-page"),
    path("new/", create, name="tournament-create"),
    path("import/", import_trf, name="tournament-import"),
    path("import/<int:opening_id>/", trf_opening, name="trf-opening"),
    path("take-over/", take_over.take_over, name="take-over"),
    # An event of several tournaments
    path("e/<slug:slug>/", event_pages.event, name="event"),
    path("e/<slug:slug>/news.json", event_news, name="event-news"),
    path("e/<slug:slug>/me/", follow.me, name="event-me"),
    path("e/<slug:slug>/desk/", event_pages.desk, name="event-desk"),
    path("e/<slug:slug>/entries/", event_pages.entries, name="event-entries"),
    path("e/<slug:slug>/check-in/", event_check_in.check_in, name="event-check-in"),
    path("e/<slug:slug>/check-in/find/", event_check_in.find, name="event-check-in-find"),
    path("e/<slug:slug>/check-in/tick/", event_check_in.tick, name="event-check-in-tick"),
    path("e/<slug:slug>/check-in/turn/", event_check_in.switch, name="event-check-in-turn"),
    path("e/<slug:slug>/import/", event_imports.event_import_page, name="event-import"),
    path("e/<slug:slug>/waiting/", event_waiting.waiting, name="event-waiting"),
    path("e/<slug:slug>/waiting/<int:waiting_id>/", event_waiting.decide, name="event-waiting-row"),
    path("e/<slug:slug>/sections/", sections.sections, name="event-sections"),
    path("e/<slug:slug>/prizes/", event_prizes.prizes, name="event-prizes"),
    path("e/<slug:slug>/prizes/define/", event_prizes.define, name="event-prizes-define"),
    path("e/<slug:slug>/prizes/<slug:kind>/", event_prizes.sheets, name="event-prize-sheets"),
    path("e/<slug:slug>/mirror/", event_mirror, name="event-mirror"),
    path("e/<slug:slug>/find/", event_keys.find, name="event-find"),
    path("e/<slug:slug>/keys/", event_keys.keys, name="event-keys"),
    path("t/<slug:slug>/section/", sections.make_event, name="event-make"),
    path("tie-breaks/try/", tie_break_preview.try_list, name="tie-breaks-try"),
    path("rating-lists/", rating_lists.lists, name="rating-lists"),
    path("venue/", venue, name="venue"),
    # For all readers
    path("t/<slug:slug>/logo/<str:name>", logo.logo, name="logo"),
    path("t/<slug:slug>/next/", next_event, name="next-event"),
    path("screen/<slug:code>/", screen, name="screen"),
    path("screen/<slug:code>/news.json", screen_news, name="screen-news"),
    path("t/<slug:slug>/follow/", follow.follow, name="follow"),
    path("s/<slug:code>/", me.short_address, name="short-address"),
    path("t/<slug:slug>/me/<int:entry_id>/result/", reporting.entered, name="entered-result"),
    path("t/<slug:slug>/push/", push, name="push"),
    path("t/<slug:slug>/names.json", me.names, name="names"),
    path("t/<slug:slug>/offline/", offline.reader, name="offline"),
    path("t/<slug:slug>/app.webmanifest", offline.manifest, name="manifest"),
    path("offline-worker.js", offline.worker, name="offline-worker"),
    path("t/<slug:slug>/players/", players, name="players"),
    path("t/<slug:slug>/pairings/<int:number>/why/", why.public_why, name="why-public"),
    path("t/<slug:slug>/pairings/<int:number>/codes/", codes.codes, name="round-codes"),
    path("t/<slug:slug>/pairings/<int:number>/codes/<int:part>.svg", codes.code, name="round-code"),
    path("t/<slug:slug>/live/", live.live, name="live-results"),
    path("t/<slug:slug>/open-games/", open_games.games, name="open-games"),
    path("t/<slug:slug>/open-games.ics", open_games.calendar, name="games-calendar"),
    path("t/<slug:slug>/rounds.ics", open_games.rounds, name="rounds-calendar"),
    path(
        "t/<slug:slug>/player/<int:entry_id>/games.ics",
        open_games.player_calendar,
        name="player-calendar",
    ),
    path("t/<slug:slug>/standings/<int:number>/", standings, name="standings-after"),
    path(
        "t/<slug:slug>/player/<int:entry_id>/certificate/",
        certificates.certificate,
        name="certificate",
    ),
    path("t/<slug:slug>/players/<int:number>/", player.player_by_number, name="player-by-number"),
    path("t/<slug:slug>/groups/", groups.groups, name="player-groups"),
    path("t/<slug:slug>/progress/", player.progress, name="progress"),
    path("t/<slug:slug>/forecast/", forecast.forecast, name="forecast"),
    path("t/<slug:slug>/progress.svg", player.progress_picture, name="progress-picture"),
    path("t/<slug:slug>/crosstable.svg", crosstable.crosstable_picture, name="crosstable-picture"),
    path(
        "t/<slug:slug>/player/<int:entry_id>/performance.svg",
        player.performance_picture,
        name="performance-picture",
    ),
    path(
        "t/<slug:slug>/standings/<int:number>/player/<int:entry_id>/",
        standing,
        name="player-standing",
    ),
    path(
        "t/<slug:slug>/standings/<int:number>/<int:tpn>/",
        standing_by_number,
        name="standing-by-number",
    ),
    path("t/<slug:slug>/feed.atom", feed.feed, name="feed"),
    path("t/<slug:slug>/embed/<slug:kind>/", feed.embedded, name="embedded"),
    path("t/<slug:slug>/prizes/", prizes.prizes, name="prizes"),
    path("t/<slug:slug>/record/", record, name="record"),
    path("t/<slug:slug>/record/fingerprints/", fingerprints, name="fingerprints"),
    path("t/<slug:slug>/published/", published.published_lists, name="published-lists"),
    path("t/<slug:slug>/published/<int:list_id>/", published.published_list, name="published-list"),
    path("t/<slug:slug>/record.jsonl", download, name="record-file"),
    path("t/<slug:slug>/engine/", engine, name="against-engine"),
    path("t/<slug:slug>/export.trf", export, name="trf-export"),
    path("arrive/<str:secret>/", self_check_in.arrive, name="self-check-in"),
    path(
        "arrive/<str:secret>/<int:entry_id>/", self_check_in.confirm, name="self-check-in-confirm"
    ),
    path("t/<slug:slug>/table/<int:number>/<str:code>/", reporting.table, name="table-report"),
    path(
        "t/<slug:slug>/table/<int:number>/<str:code>/mistake/",
        mistakes.mistake_at_table,
        name="table-mistake",
    ),
    path("t/<slug:slug>/me/<int:entry_id>/mistake/", mistakes.mistake, name="mistake"),
    path("t/<slug:slug>/kiosk/<str:code>/", reporting.kiosk, name="kiosk"),
    path("t/<slug:slug>/kiosk/<str:code>/<int:number>/", reporting.kiosk_board, name="kiosk-board"),
    path("t/<slug:slug>/register/", registration.register, name="register"),
    path("e/<slug:slug>/register/", registration.register_event, name="event-register"),
    path("registered/<str:secret>/", own.registered, name="registered"),
    path("registered/<str:secret>/correct/", own.correct, name="registered-correct"),
    path("mails/<str:token>/", pairing_mail, name="pairing-mail"),
    path("join/<str:secret>/", sign_in, name="sign-in-link"),
    # For arbiters of the tournament
    path("roles/<int:appointment_id>/", role, name="role-accept"),
    path("invitations/<int:invitation_id>/", invitation, name="invitation"),
    path("t/<slug:slug>/people/", people.people, name="people"),
    path(
        "t/<slug:slug>/people/invitations/<int:invitation_id>/",
        people.withdraw,
        name="invitation-withdraw",
    ),
    path("t/<slug:slug>/people/<int:appointment_id>/remove/", people.remove, name="person-remove"),
    path("t/<slug:slug>/people/<int:appointment_id>/renew/", people.renew, name="person-renew"),
    path(
        "t/<slug:slug>/people/<int:appointment_id>/hand-over/",
        people.hand_over,
        name="person-hand-over",
    ),
    path("t/<slug:slug>/desk/", desk, name="desk"),
    path("t/<slug:slug>/own-part/", session_fragment, name="own-part"),
    path("t/<slug:slug>/find/", keys.find, name="find"),
    path("t/<slug:slug>/keys/", keys.keys, name="keys"),
    path("t/<slug:slug>/undo/", undo, name="undo"),
    path("t/<slug:slug>/prizes/define/", prizes.define, name="prizes-define"),
    path("t/<slug:slug>/print/", print_and_share, name="print-and-share"),
    path("t/<slug:slug>/print/sheets/", sheets.sheets, name="sheets"),
    path("t/<slug:slug>/report/", event_report.report, name="event-report"),
    path(
        "t/<slug:slug>/report/charts/<slug:chart>.svg",
        event_report.report_chart,
        {"extension": "svg"},
        name="report-chart-svg",
    ),
    path(
        "t/<slug:slug>/report/charts/<slug:chart>.png",
        event_report.report_chart,
        {"extension": "png"},
        name="report-chart-png",
    ),
    path("t/<slug:slug>/norms/", norms.norms, name="norms"),
    path("t/<slug:slug>/norms/<int:entry_id>/<str:title>/", norms.norm, name="norm"),
    path("t/<slug:slug>/norms/titles/", title_claims.title_claims, name="title-claims"),
    path("t/<slug:slug>/report/check/", report_check.report_check, name="report-check"),
    path("t/<slug:slug>/report/archive.zip", report_check.archive, name="report-archive"),
    path("t/<slug:slug>/report/rating.trf", event_report.rating, name="rating-report"),
    path("t/<slug:slug>/report/files/", federation_files.federation_files, name="federation-files"),
    path("t/<slug:slug>/report/rating/", sent_reports.reports, name="rating-reports"),
    path("t/<slug:slug>/report/rating/next.trf", sent_reports.next_file, name="rating-report-next"),
    path(
        "t/<slug:slug>/report/rating/restore/", sent_reports.restore, name="rating-reports-restore"
    ),
    path(
        "t/<slug:slug>/report/rating/<int:number>/withdraw/",
        sent_reports.withdraw,
        name="rating-report-withdraw",
    ),
    path("t/<slug:slug>/report/programs.trf", event_report.for_programs, name="trf-for-programs"),
    path("t/<slug:slug>/protests/", protests.protests, name="protests"),
    path("t/<slug:slug>/protests/<int:number>/", protests.protest, name="protest"),
    path("t/<slug:slug>/recheck/", recheck.recheck, name="recheck"),
    path("t/<slug:slug>/regulations/", regulations.regulations, name="regulations"),
    path("t/<slug:slug>/manage/", manage.manage, name="tournament-manage"),
    path("t/<slug:slug>/mirror/", mirror, name="mirror"),
    path("t/<slug:slug>/hand-over/", hand_over.hand_over, name="hand-over"),
    path("t/<slug:slug>/duplicate/", manage.duplicate, name="tournament-duplicate"),
    path("t/<slug:slug>/personal-data/", personal_data.everybody, name="personal-data"),
    path(
        "t/<slug:slug>/personal-data/<int:entry_id>/",
        personal_data.one_player,
        name="personal-data-of",
    ),
    path(
        "t/<slug:slug>/personal-data/<int:entry_id>/file/",
        personal_data.as_file,
        name="personal-data-file",
    ),
    path("t/<slug:slug>/delete/", manage.delete, name="tournament-delete"),
    path("t/<slug:slug>/settings/", edit, name="tournament-edit"),
    path("t/<slug:slug>/settings/pairing/", edit, {"part": "pairing"}, name="settings-pairing"),
    path("t/<slug:slug>/settings/ratings/", edit, {"part": "ratings"}, name="settings-ratings"),
    path("t/<slug:slug>/settings/byes/", edit, {"part": "byes"}, name="settings-byes"),
    path(
        "t/<slug:slug>/settings/deadlines/", edit, {"part": "deadlines"}, name="settings-deadlines"
    ),
    path("t/<slug:slug>/settings/fide/", edit, {"part": "fide"}, name="settings-fide"),
    path("t/<slug:slug>/settings/privacy/", edit, {"part": "privacy"}, name="settings-privacy"),
    path(
        "t/<slug:slug>/settings/tie-breaks/",
        edit,
        {"part": "tie-breaks"},
        name="settings-tie-breaks",
    ),
    path("t/<slug:slug>/settings/logo/", logo.settings, name="settings-logo"),
    path("t/<slug:slug>/tie-breaks/", tie_breaks.tie_breaks, name="tie-breaks"),
    path("t/<slug:slug>/tie-breaks/preview/", tie_break_preview.preview, name="tie-break-preview"),
    path("t/<slug:slug>/lots/", lots.lots, name="lots"),
    path("t/<slug:slug>/final/", final.final, name="final-standings"),
    path(
        "t/<slug:slug>/number-of-rounds/",
        number_of_rounds.number_of_rounds,
        name="number-of-rounds",
    ),
    path("t/<slug:slug>/schedule/", schedule.schedule, name="schedule"),
    path("t/<slug:slug>/start/", start, name="start"),
    path("t/<slug:slug>/numbers/", numbers, name="numbers"),
    path("t/<slug:slug>/numbers/close/", close_list, name="list-close"),
    path("t/<slug:slug>/prohibited/", prohibited_pairs, name="prohibited-pairs"),
    path("t/<slug:slug>/colour/", initial_colour, name="initial-colour"),
    path("t/<slug:slug>/entries/", entries.entries, name="entries"),
    path("t/<slug:slug>/check-in/", check_in.check_in, name="check-in"),
    path("t/<slug:slug>/check-in/find/", check_in.find, name="check-in-find"),
    path("t/<slug:slug>/check-in/tick/", check_in.tick, name="check-in-tick"),
    path("t/<slug:slug>/check-in/fee/", check_in.fee, name="entry-fee"),
    path("t/<slug:slug>/check-in/self/", self_check_in.settings, name="self-check-in-settings"),
    path("t/<slug:slug>/check-in/<int:entry_id>/", check_in.card, name="desk-card"),
    path("t/<slug:slug>/check-in/turn/", check_in.switch, name="check-in-turn"),
    path("t/<slug:slug>/check-in/settle/", check_in.settle, name="check-in-settle"),
    path("t/<slug:slug>/entries/add/", entries.add, name="entry-add"),
    path("t/<slug:slug>/ratings/", check.check, name="ratings-check"),
    path("t/<slug:slug>/entries/hits/", hits.hits, name="entry-hits"),
    path("t/<slug:slug>/entries/import/", entry_lists.entries_import_page, name="entries-import"),
    path("t/<slug:slug>/entries/waiting/", waiting_page.waiting, name="waiting"),
    path("t/<slug:slug>/entries/waiting/enter/", waiting_page.enter_all, name="waiting-enter-all"),
    path(
        "t/<slug:slug>/entries/waiting/discard/",
        waiting_page.discard_all,
        name="waiting-discard-all",
    ),
    path(
        "t/<slug:slug>/entries/waiting/<int:waiting_id>/enter/",
        waiting_page.enter,
        name="waiting-enter",
    ),
    path(
        "t/<slug:slug>/entries/waiting/<int:waiting_id>/change/",
        waiting_page.change,
        name="waiting-change",
    ),
    path(
        "t/<slug:slug>/entries/waiting/<int:waiting_id>/keep/",
        waiting_page.keep,
        name="waiting-keep",
    ),
    path(
        "t/<slug:slug>/entries/waiting/<int:waiting_id>/discard/",
        waiting_page.discard,
        name="waiting-discard",
    ),
    path("t/<slug:slug>/registration/", registration_desk.settings, name="registration-settings"),
    path("t/<slug:slug>/registrations/", registration_desk.registrations, name="registrations"),
    path(
        "t/<slug:slug>/registrations/accept/",
        registration_desk.accept_all,
        name="registrations-accept",
    ),
    path(
        "t/<slug:slug>/registrations/<int:registration_id>/accept/",
        registration_desk.accept,
        name="registration-accept",
    ),
    path(
        "t/<slug:slug>/registrations/<int:registration_id>/refuse/",
        registration_desk.refuse,
        name="registration-refuse",
    ),
    path("t/<slug:slug>/entries/<int:entry_id>/", entries.edit, name="entry-edit"),
    path("t/<slug:slug>/entries/<int:entry_id>/check-in/", entries.check_in, name="entry-check-in"),
    path("t/<slug:slug>/entries/<int:entry_id>/bye/", entries.request_bye, name="bye-request"),
    path(
        "t/<slug:slug>/entries/<int:entry_id>/bye/<int:number>/cancel/",
        entries.cancel_bye,
        name="bye-cancel",
    ),
    path("t/<slug:slug>/entries/<int:entry_id>/withdraw/", entries.withdraw, name="entry-withdraw"),
    path(
        "t/<slug:slug>/entries/<int:entry_id>/explain/",
        entries.explain_absence,
        name="absence-explain",
    ),
    path("t/<slug:slug>/entries/<int:entry_id>/expel/", expulsion.expel, name="entry-expel"),
    path("t/<slug:slug>/entries/<int:entry_id>/return/", entries.bring_back, name="entry-return"),
    path("t/<slug:slug>/entries/<int:entry_id>/remove/", entries.remove, name="entry-remove"),
    path("t/<slug:slug>/rounds/<int:number>/", rounds.detail, name="round"),
    path(
        "t/<slug:slug>/rounds/<int:number>/player/<int:entry_id>/",
        cards.player,
        name="round-player",
    ),
    path("t/<slug:slug>/rounds/<int:number>/board/<int:board>/", cards.board, name="round-board"),
    path(
        "t/<slug:slug>/rounds/<int:number>/provisional/",
        rounds.provisional,
        name="round-provisional",
    ),
    path("t/<slug:slug>/rounds/<int:number>/announce/", announce.announce, name="boards-announce"),
    path(
        "t/<slug:slug>/rounds/<int:number>/announce/withdraw/",
        announce.withdraw,
        name="announcement-withdraw",
    ),
    path("t/<slug:slug>/rounds/<int:number>/pair/", rounds.pair, name="round-pair"),
    path("t/<slug:slug>/rounds/<int:number>/missing/", missing, name="round-missing"),
    path("t/<slug:slug>/rounds/<int:number>/by-hand/", by_hand.by_hand, name="round-by-hand"),
    path("t/<slug:slug>/rounds/<int:number>/discard/", rounds.discard, name="round-discard"),
    path("t/<slug:slug>/rounds/<int:number>/publish/", rounds.publish, name="round-publish"),
    path("t/<slug:slug>/rounds/<int:number>/results/", results.results, name="round-results"),
    path("t/<slug:slug>/rounds/<int:number>/results/state/", results.state, name="results-state"),
    path(
        "t/<slug:slug>/rounds/<int:number>/results/checks/", results.checks, name="results-checks"
    ),
    path(
        "t/<slug:slug>/rounds/<int:number>/results/publish/",
        results.publish,
        name="results-publish",
    ),
    path("t/<slug:slug>/rounds/<int:number>/floor/", floor.floor, name="round-floor"),
    path(
        "t/<slug:slug>/rounds/<int:number>/second-reading/",
        second_reading.read,
        name="second-reading",
    ),
    path(
        "t/<slug:slug>/rounds/<int:number>/differences/",
        second_reading.differences,
        name="reading-differences",
    ),
    path("t/<slug:slug>/rounds/<int:number>/correct/", corrections.correct, name="round-correct"),
    path("t/<slug:slug>/rounds/<int:number>/change/", changes.change, name="round-change"),
    path(
        "t/<slug:slug>/rounds/<int:number>/opponent/<int:entry_id>/",
        opponents.opponent,
        name="round-opponent",
    ),
    path("t/<slug:slug>/rounds/<int:number>/swap/", swap.swap, name="round-swap"),
    path("t/<slug:slug>/rounds/<int:number>/why/", why.round_why, name="round-why"),
    path("t/<slug:slug>/tables/", tables.codes, name="table-codes"),
    path("t/<slug:slug>/tables/sheet/", tables.sheet, name="table-sheet"),
    path("t/<slug:slug>/screens/", screens_desk.screens, name="hall-screens"),
    path("t/<slug:slug>/screens/add/", screens_desk.add, name="hall-screen-add"),
    path("t/<slug:slug>/screens/message/", screens_desk.message, name="hall-screens-message"),
    path("t/<slug:slug>/screens/<int:screen_id>/", screens_desk.edit, name="hall-screen"),
    path("t/<slug:slug>/screens/<int:screen_id>/show/", screens_desk.show, name="hall-screen-show"),
    path(
        "t/<slug:slug>/screens/<int:screen_id>/pages/", screens_desk.pages, name="hall-screen-pages"
    ),
    path(
        "t/<slug:slug>/screens/<int:screen_id>/remove/",
        screens_desk.remove,
        name="hall-screen-remove",
    ),
    path("t/<slug:slug>/points/", adjustments_page.points, name="points"),
    path("t/<slug:slug>/points/withdraw/", adjustments_page.withdraw, name="points-withdraw"),
    path("t/<slug:slug>/corrections/", corrections.corrections, name="corrections"),
    path(
        "t/<slug:slug>/corrections/reports/<int:report_id>/", mistakes.settle, name="mistake-settle"
    ),
    path("t/<slug:slug>/games/<int:game_id>/date/", open_games.date, name="game-date"),
    path("t/<slug:slug>/games/<int:game_id>/result/", results.game_result, name="game-result"),
    path(
        "t/<slug:slug>/games/<int:game_id>/reading/",
        second_reading.game_reading,
        name="game-reading",
    ),
    path("t/<slug:slug>/games/<int:game_id>/colours/", results.swap_colours, name="game-colours"),
]
