"""What runs on PostgreSQL too: what can end differently there. Everything else runs on SQLite alone.

A module runs on both if its text has one of :data:`WORDS` (locks, transactions, constraints, raw SQL, a branch for one
database), or if it is in :data:`MODULES`. Chess rules, words, layout, permissions and files are the same on both.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

WORDS: Final = re.compile(
    r"\btransaction=True|\btransactional_db|\bthreading\b|\bIntegrityError\b|\bconnection\.vendor\b|\.cursor\("
)
"""A module with one of these words runs on both databases, without being in the list."""

MODULES: Final[dict[str, tuple[str, ...]]] = {
    # Every action with its statements, and what the record and the tables say after each.
    "tournaments/core/test_kept_rows": (),
    "tournaments/core/test_payloads": (),
    "tournaments/core/test_random_arbiters": (),
    "tournaments/desk/test_undo": (),
    "tournaments/reports/test_record_against_tables": (),
    "tournaments/rounds/test_change_actions": (),
    "tournaments/rounds/test_correction_actions": (),
    "tournaments/rounds/test_round_actions": (),
    "tournaments/rounds/test_second_reading": (),
    "tournaments/setup/test_tournament_actions": (),
    "tournaments/setup/test_visibility": (),
    "tournaments/standings/test_final_standings": (),
    # Constraints: numbers are unique, also while they are exchanged.
    "config/test_first_account": (),
    "config/test_login_throttle": (),
    "tournaments/entries/test_entry_actions": (),
    "tournaments/people/test_people": (),
    "tournaments/registration/test_registration": (),
    "tournaments/rounds/test_arrange_actions": (),
    "tournaments/setup/test_prohibited_pairs_page": (),
    # Somebody else comes first.
    "tournaments/core/test_every_stale_form": (),
    "tournaments/entries/test_waiting": (),
    "tournaments/registration/test_queue": (),
    "tournaments/rounds/test_announced_boards": (),
    "tournaments/rounds/test_swap_pages": ("test_two_windows_save_at_once_and_one_of_them_is_refused",),
    # Sorting, and searching without capitals and accents.
    "tournaments/entries/test_check_in_desk": (),
    "tournaments/entries/test_order_of_names": (),
    "tournaments/events/test_event_check_in": (),
    # Many rows in one statement.
    "api/test_entry_import": (),
    "tournaments/events/test_event_import": (),
    "tournaments/events/test_sections": (),
    "tournaments/imports/test_import_pages": (),
    "tournaments/imports/test_trf_actions": (),
    "tournaments/imports/test_updated_lists": (),
    "tournaments/rating_lists/test_comparing": (),
    "tournaments/rating_lists/test_lists_over_rest": (),
    "tournaments/rating_lists/test_loading": (),
    "tournaments/setup/test_duplicate": (),
    # Bytes in a column, and an error inside a transaction.
    "tournaments/web/test_stored_pages": (),
    # A whole number that fits into one database and not into the other; a NUL in a search.
    "tournaments/core/test_request_values": (),
    "tournaments/web/test_every_public_page": ("test_every_public_page_answers_however_it_is_requested[visitor]",),
    # One request of every page and of every read.
    "api/test_events": (),
    "api/test_query": (),
    "api/test_reads": (),
    "api/test_second_reading": (),
    "tournaments/reports/test_side_by_side": (),
    "tournaments/web/test_access_pages": (
        "test_visitors_read_the_public_pages",
        "test_strangers_are_refused_pages",
        "test_a_deputy_can_open_every_page",
        "test_actions_are_refused_to_strangers_and_visitors_and_change_nothing",
    ),
    # Largest and smallest of some of the joined rows.
    "tournaments/web/test_news": (),
    "tournaments/web/test_queries_pages": (),
    # The server on its database.
    "live/test_crash": (),
    "live/test_start_and_stop": (),
}
"""The modules that run on both databases, by reason; where tests are named, only these."""


def is_left_out(path: Path, named: set[Path]) -> bool:
    """Return whether PostgreSQL's run leaves out the test module at *path*; never one of *named*."""
    if path in named or ROOT / "tests" not in path.parents or not path.name.startswith("test_"):
        return False
    return module_of(path) not in MODULES and not WORDS.search(path.read_text(encoding="utf-8"))


def is_test_left_out(path: Path, name: str, named: set[Path]) -> bool:
    """Return whether the run leaves out the test *name* of a module that runs in part; never one in *named*."""
    names = MODULES.get(module_of(path), ()) if ROOT / "tests" in path.parents else ()
    return bool(names) and path not in named and name not in names


def module_of(path: Path) -> str:
    """Return the name of the module at *path* as in :data:`MODULES`."""
    return path.relative_to(ROOT / "tests").with_suffix("").as_posix()
