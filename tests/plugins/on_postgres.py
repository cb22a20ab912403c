"""What runs on PostgreSQL too: what can end differently there. Everything else runs on SQLite alone.

With ``--quick`` only the modules with one of :data:`WORDS` run.

A module runs on both if its text has one of :data:`WORDS` (locks, transactions, constraints, raw SQL, a branch for one
database), or if it is in :data:`MODULES`; where tests are named there, only these. Chess rules, words, layout,
permissions, files and the sentences about outdated forms are the same on both.
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
    "tournaments/core/test_row_cache": (),
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
    "tournaments/people/accounts/test_login_throttle": (),
    "tournaments/entries/test_entry_actions": (),
    "tournaments/people/test_people": (),
    "tournaments/events/registration/test_registration": (),
    "tournaments/rounds/test_arrange_actions": (),
    "tournaments/setup/test_prohibited_pairs_page": (),
    # Somebody else comes first.
    "tournaments/entries/test_waiting": (),
    "tournaments/events/registration/test_queue": (),
    "tournaments/rounds/test_announced_boards": (),
    "tournaments/rounds/test_automatic_publication": (
        "test_c04_2_4_2_pairings_appear_at_the_announced_time_and_not_before",
        "test_a_fault_in_one_tournament_does_not_stop_the_others",
        "test_four_processes_that_look_at_once_publish_once",
        "test_an_arbiter_publishes_at_the_same_moment",
        "test_the_server_looks_until_it_stops",
        "test_the_command_publishes_what_is_due",
    ),
    "tournaments/rounds/test_swap_pages": ("test_two_windows_save_at_once_and_one_of_them_is_refused",),
    # Sorting, and searching without capitals and accents.
    "tournaments/entries/test_check_in_desk": (),
    "tournaments/entries/test_order_of_names": (),
    "tournaments/events/test_event_check_in": (),
    # Many rows in one statement.
    "api/test_entry_import": (),
    "tournaments/events/test_event_import": (
        "test_a_newer_list_recognises_players_in_every_section",
        "test_one_part_that_fails_saves_nothing",
        "test_a_waiting_row_is_entered_in_the_chosen_section",
        "test_five_thousand_rows_of_three_sections_are_read_compared_and_saved",
    ),
    "tournaments/events/test_sections": (
        "test_a_tournament_is_a_section_once",
        "test_the_arbiter_chooses_the_order_of_the_sections",
        "test_c04_2_2_4_a_player_moves_with_everything_and_both_records_agree",
        "test_people_of_an_event_have_one_link_for_all_sections",
        "test_the_list_has_pages_and_a_move_stays_on_its_page",
        "test_open_pages_hear_about_every_section",
        "test_three_hundred_players_are_distributed_with_few_queries",
    ),
    "tournaments/lists/imports/test_import_pages": (),
    "tournaments/lists/imports/test_large_trf": (),
    "tournaments/lists/imports/test_trf_actions": (),
    "tournaments/lists/imports/test_updated_lists": (
        "test_players_are_found_by_id_then_by_folded_name_and_birth",
        "test_an_empty_cell_a_year_and_other_accents_change_nothing",
        "test_every_change_has_its_line_of_the_record",
        "test_nothing_is_saved_if_one_part_fails",
        "test_a_row_that_waits_already_does_not_wait_twice",
        "test_two_at_once_the_second_sees_the_list_again",
        "test_more_than_five_hundred_changed_players_are_saved_in_parts",
        "test_five_thousand_rows_are_entered_and_compared_fast",
    ),
    "tournaments/lists/rating_lists/test_comparing": (),
    "tournaments/lists/rating_lists/test_lists_over_rest": (),
    "tournaments/lists/rating_lists/test_loading": (),
    "tournaments/setup/test_duplicate": (),
    # An error inside a transaction.
    "tournaments/web/test_stored_pages": (
        "test_a_publication_that_is_rolled_back_leaves_nothing_that_is_found",
        "test_a_fault_in_a_page_does_not_prevent_a_publication",
        "test_a_deleted_tournament_leaves_no_page",
        "test_initials_leave_the_name_in_no_stored_page",
    ),
    # The protection of the record and of published lists, and values that leave it.
    "tournaments/reports/test_published_lists": (
        "test_c04_2_4_2_every_publication_stores_its_lists",
        "test_the_database_refuses_to_change_or_remove_a_list",
        "test_verify_record_finds_an_altered_a_wrong_and_a_missing_list",
        "test_a_list_signed_again_with_other_boards_is_found_by_the_record",
    ),
    "tournaments/reports/test_verify_record": (
        "test_a_printed_fingerprint_reveals_lines_removed_from_the_end",
        "test_a_changed_byte_is_found_and_located",
        "test_a_byte_changed_in_the_database_file_is_found_and_located",
    ),
    "tournaments/setup/test_personal_data": (
        "test_nothing_is_left_in_any_table",
        "test_the_database_lets_go_private_values_only_after_a_line_that_says_so",
        "test_after_that_line_too_nothing_else_of_a_line_can_change",
        "test_a_private_value_that_is_changed_instead_of_deleted_is_found",
        "test_one_player_and_the_others_keep_theirs",
        "test_data_of_a_namesake_are_neither_in_the_file_nor_deleted",
        "test_data_are_due_so_many_days_after_the_end",
        "test_sessions_of_helpers_whose_role_has_ended_go",
        "test_data_of_a_removed_player_leave_the_record_too",
    ),
    # The numbers of rows in a file of an event, and rows that refer to others.
    "tournaments/site/backups/test_one_event": (
        "test_an_event_keeps_its_record_in_another_site",
        "test_a_number_of_another_player_or_person_is_refused_and_nothing_is_saved",
        "test_a_new_site_draws_numbers_of_its_own",
        "test_a_file_reaches_no_player_and_no_account_that_is_not_in_it",
        "test_values_that_no_form_would_save_are_refused_with_their_place",
    ),
    # A whole number that fits into one database and not into the other, where no other text gets; a NUL in a search.
    "tournaments/core/test_request_values": (
        "test_no_action_fails_with_absurd_numbers[most]",
        "test_c04_2_4_2_a_schedule_outside_the_calendar_is_refused",
    ),
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
    "tournaments/web/test_queries_pages": ("test_saving_a_result_takes_the_same_queries_in_a_big_round",),
    # The server on its database.
    "live/test_start_and_stop": (),
    # Tables and rows of earlier commits, brought up to date in one transaction.
    "upgrades/test_upgrades": (),
}
"""The modules that run on both databases, by reason; where tests are named, only these."""


def is_left_out(path: Path, named: set[Path], *, quick: bool = False) -> bool:
    """Return whether PostgreSQL's run leaves out the test module at *path*; never one of *named*."""
    if path in named or ROOT / "tests" not in path.parents or not path.name.startswith("test_"):
        return False
    is_listed = module_of(path) in MODULES and not quick
    return not is_listed and not WORDS.search(path.read_text(encoding="utf-8"))


def is_test_left_out(path: Path, name: str, named: set[Path]) -> bool:
    """Return whether the run leaves out the test *name* of a module that runs in part; never one in *named*.

    A name in the list without ``[…]`` is that of all cases of the test.
    """
    names = MODULES.get(module_of(path), ()) if ROOT / "tests" in path.parents else ()
    return bool(names) and path not in named and not {name, name.partition("[")[0]} & {*names}


def module_of(path: Path) -> str:
    """Return the name of the module at *path* as in :data:`MODULES`."""
    return path.relative_to(ROOT / "tests").with_suffix("").as_posix()
