"""Which tests prove that each evasion found in the review of
powers and finality (P1 to P19) is closed.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).resolve().parents[1]

PROVED_BY: Final[dict[str, tuple[str, ...]]] = {
    # A report dated back turns an old result.
    "P1": (
        "test_c04_2_4_3_1_an_old_result_is_not_dated_back",
        "test_c04_2_4_3_1_an_older_result_counts_for_the_rating_report_only",
        "test_c04_2_4_3_a_report_dated_back_keeps_both_times",
        "test_c04_2_4_3_the_page_accepts_no_forged_time",
        "test_c04_2_4_3_the_record_keeps_both_times_and_everybody_can_read_them",
    ),
    # An estimate, or a name, chooses other pairings.
    "P2": (
        "test_c04_2_2_1_a_deputy_changes_no_estimate_after_a_draft_was_read",
        "test_c04_2_2_2_3_another_name_gives_no_other_number",
        "test_c04_2_2_3_numbers_stay_once_round_4_was_paired",
        "test_c04_2_4_3_3_a_rating_is_edited_by_a_correction_only",
    ),
    # Tie-breaks change after the standings are known.
    "P3": (
        "test_c07_4_1_1_no_other_tie_breaks_after_the_last_round",
        "test_c07_4_1_1_the_final_standings_keep_their_list",
    ),
    # A stale page publishes what nobody saw.
    "P4": (
        "test_c04_2_4_2_a_draft_is_published_only_as_read",
        "test_c04_2_4_2_results_are_not_published_unseen",
        "test_c04_2_4_2_a_result_is_not_overwritten_unseen",
        "test_c04_2_4_4_a_change_without_a_version_is_refused",
    ),
    # A publication ends the time for reports without a question.
    "P5": (
        "test_c04_2_4_3_a_deputy_does_not_end_the_time_for_reports",
        "test_c04_2_4_3_the_chief_arbiter_ends_it_with_a_reason_on_record",
    ),
    # 4.4 opens more boards than its situation.
    "P6": (
        "test_c04_2_4_4_1_one_repeated_pair_opens_no_other_boards",
        "test_c04_2_4_4_2_no_regulation_sends_players_home_or_gives_a_second_bye",
        "test_c04_2_4_4_2_no_board_changes_two_hours_after_the_start",
        "test_c04_2_4_4_no_sufficient_change_of_a_small_round_is_better",
    ),
    # A check-in without a decision; a late entry who has not arrived.
    "P7": (
        "test_c04_2_4_1_a_round_is_not_paired_without_the_decision",
        "test_c04_2_4_1_a_draft_is_not_published_without_the_decision",
        "test_c04_2_2_4_a_late_entry_is_paired_after_arrival",
    ),
    # Every staff account runs every event.
    "P8": (
        "test_c04_2_4_an_account_without_a_role_does_nothing",
        "test_c04_2_4_a_deputy_of_one_event_has_no_power_in_another",
        "test_c04_2_4_a_deputy_appoints_and_removes_nobody",
        "test_c04_2_4_the_chief_arbiter_hands_over_and_decides_no_longer",
    ),
    # The record can be replaced, or computed again.
    "P9": (
        "test_record_no_line_is_replaced",
        "test_record_a_chain_computed_again_is_found",
        "test_record_a_result_changed_in_the_tables_is_found",
    ),
    # Lots and the initial colour are drawn until they suit.
    "P10": (
        "test_c07_4_2_lots_are_not_ground_out",
        "test_c07_4_2_the_seed_cannot_be_tried_beforehand",
        "test_c04_3_5_1_the_colour_is_not_drawn_until_it_suits",
    ),
    # A player becomes a late entry.
    "P11": ("test_c04_2_2_4_nobody_becomes_a_late_entry",),
    # Time of the report to the second, the hour that comes twice, the articles of the own edition.
    "P12": (
        "test_the_form_begins_with_now_to_the_second",
        "test_the_hour_that_comes_twice_in_autumn_can_be_typed",
        "test_c04_2_1_3_what_was_declared_stays",
        "test_c04_2_1_3_a_refused_change_of_system_cites_the_rules_that_hold",
    ),
    # 2017: numbers, late entries, unexplained absence.
    "P13": (
        "test_c04_2_2_3_numbers_stay_once_round_4_was_paired",
        "test_c04_2_2017_c_2_late_entries_come_for_rounds_2_and_3",
        "test_c04_2_2017_d_2_an_absence_is_explained_in_words",
        "test_c04_2_2017_d_2_no_explanation_after_the_next_pairings",
    ),
    # Before 2017: a correction of one point opens an arbitrary swap.
    "P14": (
        "test_c04_3_pre2017_f7_a_rating_by_one_point_opens_no_boards",
        "test_c04_3_pre2017_f7_other_numbers_are_no_correction",
    ),
    # A return without a reason, under an article that does not mention it.
    "P15": (
        "test_c04_2_3_2_only_the_chief_arbiter_brings_a_player_back",
        "test_c04_2_3_2_nobody_returns_by_a_later_withdrawal",
    ),
    # Standings that are never final.
    "P16": (
        "test_c04_2_4_3_final_standings_are_final_a_year_later",
        "test_c04_1_1_no_round_is_added_or_removed_at_the_end",
        "test_c04_2_4_3_reopening_is_a_decision_that_everybody_reads",
    ),
    # Top boards named with the draft in hand.
    "P17": (
        "test_c04_2_4_4_5_top_boards_are_named_before_the_last_draft",
        "test_c04_2_4_4_5_top_boards_named_after_the_draft_of_the_last_round_was_seen_do_not_count",
    ),
    # Nobody outside can compute a fingerprint; corrected lists look like the first ones.
    "P18": (
        "test_record_everybody_can_compute_the_fingerprints_again",
        "test_record_corrected_standings_say_so",
        "test_c04_2_4_2_every_publication_stores_its_lists",
        "test_c04_2_4_3_1_a_correction_is_shown_beside_the_published_list",
    ),
    # Protests, consents, discarded drafts.
    "P19": (
        "test_laws_11_10_protests_are_kept_and_decided_by_the_chief_arbiter",
        "test_c04_2_4_4_4_no_late_entry_without_the_consents",
        "test_c04_2_4_4_4_a_consent_has_its_time_and_its_witness_who_are_private",
        "test_record_a_discarded_draft_is_kept_with_its_boards",
    ),
}


@cache
def all_tests() -> dict[str, Path]:
    """Return the module of every test by the name of the test; three modules ask for the names,
    one of them for each of its rows.
    """
    return {
        name: path
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(
            r"^ *def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    }


@cache
def functions(path: Path) -> dict[str, str]:
    """Return the source of every test function of a module, with its decorators, by its name."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min((each.lineno for each in node.decorator_list), default=node.lineno)
            found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


def source(name: str) -> str:
    """Return the source of the test *name*; only its module is parsed."""
    return functions(all_tests()[name])[name]


def test_every_finding_is_proved_by_a_test() -> None:
    assert list(PROVED_BY) == [f"P{number}" for number in range(1, 20)]
    assert [number for number, names in PROVED_BY.items() if not names] == []


def test_every_named_test_exists() -> None:
    there = all_tests().keys()
    assert {
        number: sorted({*names} - there) for number, names in PROVED_BY.items() if {*names} - there
    } == {}
