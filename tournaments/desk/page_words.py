"""Other words by which the finder knows a page: *archive*, *password*, *keep apart*."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

WORDS: Final[dict[str, Promise]] = {
    "ratings-check": pgettext_lazy("words of the finder", "estimates, unrated, FIDE list"),
    "prohibited-pairs": pgettext_lazy(
        "words of the finder", "keep apart, forbid, family, club mates"
    ),
    "standings": pgettext_lazy("words of the finder", "ranking, table, leaders"),
    "prizes": pgettext_lazy("words of the finder", "money, winners"),
    "final-standings": pgettext_lazy("words of the finder", "end, finish, close"),
    "print-and-share": pgettext_lazy("words of the finder", "export, download, send, PDF"),
    "tournament": pgettext_lazy("words of the finder", "website, link, address"),
    "players": pgettext_lazy("words of the finder", "start list"),
    "report-check": pgettext_lazy(
        "words of the finder", "federation, sent back, missing, archive, ZIP, FIDE"
    ),
    "rating-reports": pgettext_lazy("words of the finder", "export, TRF, FIDE, federation"),
    "federation-files": pgettext_lazy("words of the finder", "export, upload, chess-results, DBF"),
    "mirror": pgettext_lazy("words of the finder", "website, upload, export"),
    "people": pgettext_lazy(
        "words of the finder", "account, deputy, password, PIN, volunteer, helper"
    ),
    "table-codes": pgettext_lazy("words of the finder", "QR, phones"),
    "tournament-edit": pgettext_lazy("words of the finder", "name, place, contact"),
    "settings-logo": pgettext_lazy("words of the finder", "picture, image"),
    "schedule": pgettext_lazy("words of the finder", "timetable, time, clock, date"),
    "settings-pairing": pgettext_lazy("words of the finder", "system, acceleration"),
    "settings-byes": pgettext_lazy("words of the finder", "late, half point"),
    "settings-deadlines": pgettext_lazy("words of the finder", "automatic, time"),
    "settings-tie-breaks": pgettext_lazy("words of the finder", "Buchholz, Sonneborn"),
    "prizes-define": pgettext_lazy("words of the finder", "money, categories"),
    "regulations": pgettext_lazy("words of the finder", "rules"),
    "settings-privacy": pgettext_lazy("words of the finder", "hide, initials"),
    "personal-data": pgettext_lazy("words of the finder", "delete, forget"),
    "tournament-manage": pgettext_lazy(
        "words of the finder", "archive, backup, duplicate, delete, move"
    ),
    "number-of-rounds": pgettext_lazy("words of the finder", "add, fewer"),
    "record": pgettext_lazy("words of the finder", "history, log"),
    "corrections": pgettext_lazy("words of the finder", "mistake, wrong"),
    "protests": pgettext_lazy("words of the finder", "appeal, complaint"),
    "recheck": pgettext_lazy("words of the finder", "verify"),
    "event-report": pgettext_lazy("words of the finder", "summary"),
    "entry-add": pgettext_lazy("words of the finder", "late, new, join, walk in"),
    "entries-import": pgettext_lazy("words of the finder", "upload, file, Excel, CSV"),
    "round": pgettext_lazy("words of the finder", "pair, publish, draft"),
}
"""By the name of the page in :data:`tournaments.desk.navigation.PAGES`."""
