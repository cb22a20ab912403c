"""FIDE mode of an imported event: the comment of the file is read back,
and a broken basic rule leaves it.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations, permutations
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.corrections import Report, colours_correct, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.published_round import published
from pairing.rules.corrections import CorrectionEffect
from pairing.rules.manual import COLOUR_CODES, cautions
from pairing.rules.published import Arrangement
from tests.tournaments import factories
from tests.tournaments.factories import NOW, round_of
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_leaving_fide_mode import rematch as rematch
from tests.trf.reports import player
from tournaments.core.chosen_rules import left_fide_mode
from tournaments.core.errors import RuleRefused
from tournaments.lists.imports.trf_tournament import tournament_import_trf, trf_preview
from tournaments.models import Decision, Game, Round, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export

CONFIRMED: Final = {"leave_fide_mode": "yes", "leave_fide_mode_again": "yes"}
COLOURS: Final = COLOUR_CODES | {"both_colours"}
COMMENT: Final = "### FIDE mode left @ Round"


def file_of(*rounds: str, total: int = 5) -> bytes:
    """Return a report of the games in *rounds*: "1-2 3-4" with White first and a win for it,
    "5-" for the bye.
    """
    cells: dict[int, list[str]] = {}
    for number, games in enumerate(rounds):
        for game in games.split():
            white, _, black = game.partition("-")
            pairs = (
                [(white, f"{black:>4} w 1"), (black, f"{white:>4} b 0")]
                if black
                else [(white, "0000 - U")]
            )
            for tpn, cell in pairs:
                cells.setdefault(int(tpn), ["0000 - Z"] * number).append(cell)
    lines = ["012 Old Friends", f"142 {total}", "152 W", "192 FIDE_DUTCH_2026"]
    for tpn, own_cells in sorted(cells.items()):
        points = sum(cell[-1] in "1U" for cell in own_cells)
        lines.append(player(tpn, f"{points}.0", *own_cells).replace("12345678", "        "))
    return "\n".join((*lines, "")).encode()


MET: Final = file_of("1-3 4-2", "3-1 2-4")
BREACHES: Final = {
    "met_before": (MET, 2),
    "second_bye": (file_of("1-3 2-4 5-", "3-4 1-2 5-"), 2),
    "third_colour": (file_of("1-4 2-5 3-6", "1-2 3-4 5-6", "1-3 4-5 6-2"), 3),
}


def take(data: bytes, actor: User, **more: Any) -> Tournament:
    return tournament_import_trf(actor=actor, now=NOW, data=data, **more)


@pytest.mark.costly
@pytest.mark.parametrize("code", BREACHES)
def test_c04_1_a_broken_basic_rule_in_a_file_leaves_fide_mode(
    code: str, chief_arbiter: User, client: Client
) -> None:
    data, number = BREACHES[code]
    preview = trf_preview(data)
    assert (preview.left_fide_mode, preview.leaves_fide_mode) == (number, True)
    broken = [warning.code for warning in preview.warnings if warning.code.startswith("trf.breaks")]
    assert broken[0] == f"trf.breaks_{code}"
    with pytest.raises(RuleRefused) as refused:
        take(data, chief_arbiter)
    article = {"met_before": "C.04.1 2", "second_bye": "C.04.1 4", "third_colour": "C.04.1 6, 7"}[
        code
    ]
    assert (refused.value.code, refused.value.article) == ("fide_mode.confirm_import", article)
    assert not own(Tournament).exists()
    made = take(data, chief_arbiter, leave_fide_mode=True)
    assert (made.left_fide_mode, differences(made)) == (number, [])
    text = trf_export(made, public=True)
    assert text.count(f"{COMMENT} {number}\n") == 1
    # The file that we export says it, so the next import does not ask.
    again = take(text.encode(), chief_arbiter)
    assert (again.left_fide_mode, trf_export(again, public=True).count(COMMENT)) == (number, 1)
    for name in ("standings", "players", "progress", "prizes", "me", "tournament"):
        page = " ".join(client.get(reverse(name, args=[again.slug])).content.decode().split())
        assert f"Since round {number} outside FIDE mode: so says the imported file" in page, name


@pytest.mark.costly
def test_c04_1_2_the_comment_of_our_report_is_read_back(
    rematch: Round, chief_arbiter: User
) -> None:
    round_publish(round_id=rematch.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)
    text = trf_export(Tournament.objects.get(pk=rematch.tournament_id), public=True)
    made = take(text.encode(), chief_arbiter)
    assert (left_fide_mode(made), differences(made)) == (2, [])
    assert trf_export(made, public=True).count(COMMENT) == 1
    assert [w.code for w in trf_preview(text.encode()).warnings if "fide_mode" in w.code] == [
        "trf.fide_mode_left"
    ]


def test_c04_1_2_the_report_of_an_imported_rematch_names_it(chief_arbiter: User) -> None:
    made = take(MET, chief_arbiter, leave_fide_mode=True)
    lines = trf_export(made, public=True).splitlines()
    assert "### FIDE mode left @ Round 2" in lines
    assert "### Import @ Round 2: pairings differ from the engine's, C.04.2 1.4" in lines


@pytest.mark.parametrize(
    "comment, left",
    [
        ("### FIDE mode left @ Round 1", 1),
        ("### FIDE mode left", 0),
        ("### FIDE mode left @ Round 0: rules no longer in force, C.04.2 1.1", 0),
        ("### FIDE mode left @ Round 77", 5),
        ("### They asked whether FIDE mode left @ Round 1", None),
    ],
)
def test_comments_on_fide_mode(comment: str, left: int | None, chief_arbiter: User) -> None:
    data = file_of("1-3 4-2") + f"{comment}\n".encode()
    preview = trf_preview(data)
    assert (preview.left_fide_mode, preview.leaves_fide_mode) == (left, False)
    made = take(data, chief_arbiter)
    assert left_fide_mode(made) == left


def test_colours_by_mistake_and_those_of_topscorers_break_nothing() -> None:
    """The engine's pair with reversed colours [C.04.2 4.3.2];
    a topscorer in the last round [C.04.1 7].
    """
    assert trf_preview(file_of("3-1 2-4")).left_fide_mode is None
    data, _ = BREACHES["third_colour"]
    last = data.replace(b"142 5", b"142 3")
    topscorer = [
        w.params["players"]
        for w in trf_preview(data).warnings
        if w.code == "trf.breaks_third_colour"
    ]
    assert topscorer == [["1 Player 1"]]
    assert trf_preview(last).left_fide_mode is None


def test_c04_2_1_1_a_file_of_older_rules_asks_too(chief_arbiter: User) -> None:
    data = file_of("1-3 4-2")
    assert trf_preview(data, system="dutch_2017").leaves_fide_mode
    assert not trf_preview(b"042 2025/05/04\n" + data, system="dutch_2017").leaves_fide_mode
    with pytest.raises(RuleRefused) as refused:
        take(data, chief_arbiter, system="dutch_2017")
    assert refused.value.article == "C.04.2 1.1"
    made = take(data, chief_arbiter, system="dutch_2017", leave_fide_mode=True)
    assert (made.left_fide_mode, differences(made)) == (0, [])


@pytest.mark.costly
def test_the_preview_asks_two_questions(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    url = reverse("tournament-import")
    shown = client.post(url, {"file": SimpleUploadedFile("event.trf", MET)})
    body = shown.content.decode()
    assert (
        "breaks a basic rule: 3 Player 3, 1 Player 1 had already played each other [C.04.1 2]"
        in body
    )
    assert body.count('name="leave_fide_mode') == 2
    values = {
        "confirmed": shown.context["data"],
        "system": "dutch_2026",
        "tie_break_edition": "fide-2026",
    }
    for answers in ({}, {"leave_fide_mode": "yes"}, {"leave_fide_mode_again": "yes"}):
        refused = client.post(url, values | answers)
        assert (refused.status_code, own(Tournament).count()) == (409, 0)
        assert refused.content.decode().count('name="leave_fide_mode') == 2
    places = {client.post(url, values | CONFIRMED)["Location"] for _ in range(2)}
    made = own(Tournament).get()
    assert (places, made.left_fide_mode) == ({reverse("desk", args=[made.slug])}, 2)
    assert Decision.objects.get(tournament=made).after["settings"]["left_fide_mode"] == 2


def by_hand(actor: User, code: str) -> Tournament:
    """Return a tournament whose round 5 was arranged by hand so that
    only colours break rules, with *code*.
    """
    tournament = factories.make_ready(actor, players=8, rounds=7)
    factories.play_rounds(tournament, range(1, 5), actor)
    draft = round_pair(round_id=round_of(tournament, 5).pk, actor=actor, now=NOW)
    facts, state, entries = published(tournament, draft, at=NOW)
    engine = {frozenset(pair) for pair in facts.now.boards.values()}
    for one, two in combinations(facts.now.boards, 2):
        for a, b, c, d in permutations((*facts.now.boards[one], *facts.now.boards[two])):
            after = Arrangement({**facts.now.boards, one: (a, b), two: (c, d)}, {})
            broken = {caution.code for caution in cautions(state, after)}
            if (
                code in broken
                and broken <= COLOURS
                and {frozenset((a, b)), frozenset((c, d))}.isdisjoint(engine)
            ):
                seats = {
                    n: (entries[white].pk, entries[black].pk)
                    for n, (white, black) in after.boards.items()
                }
                expected = "the players of two clubs have to meet"
                round_arrange(
                    round_id=draft.pk,
                    pairings=Pairings(seats, {}),
                    reason=expected,
                    actor=actor,
                    now=NOW,
                )
                round_publish(round_id=draft.pk, actor=actor, now=NOW)
                tournament.refresh_from_db()
                return tournament
    raise AssertionError("no such arrangement")


@pytest.mark.costly
@pytest.mark.parametrize("code", sorted(COLOUR_CODES))
def test_c04_1_7_a_colour_by_hand_stays_in_fide_mode_when_its_file_is_opened_again(
    code: str, chief_arbiter: User
) -> None:
    tournament = by_hand(chief_arbiter, code)
    assert left_fide_mode(tournament) is None
    text = trf_export(tournament, public=True)
    preview = trf_preview(text.encode())
    assert (preview.left_fide_mode, preview.leaves_fide_mode) == (None, False)
    made = take(text.encode(), chief_arbiter)
    assert (left_fide_mode(made), differences(made)) == (None, [])
    again = take(trf_export(made, public=True).encode(), chief_arbiter)
    assert left_fide_mode(again) is None
    # Without the comment nothing says that an arbiter decided it.
    silent = "\n".join(line for line in text.splitlines() if not line.startswith("### MPA"))
    assert trf_preview(f"{silent}\n".encode()).leaves_fide_mode


@pytest.mark.costly
@pytest.mark.parametrize(
    "players, number, board, result, code",
    [
        (8, 4, 3, None, "third_colour"),
        (8, 4, 4, None, "colour_difference"),
        (9, 2, 4, "+-", "second_bye"),
    ],
)
def test_c04_2_4_3_a_correction_after_the_pairing_breaks_no_rule_when_the_file_is_opened_again(
    players: int, number: int, board: int, result: str | None, code: str, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(
        chief_arbiter, players=players, rounds=7, correction_minutes=30
    )
    factories.play_rounds(tournament, range(1, number + 1), chief_arbiter)
    game = Game.objects.get(round__tournament=tournament, round__number=number, board=board)
    late = NOW + timedelta(minutes=31)
    report = Report(
        reported_at=late, reason="the player showed the sheet", chosen=CorrectionEffect.NEXT_PAIRING
    )
    if result is None:
        colours_correct(game_id=game.pk, report=report, actor=chief_arbiter, now=late)
    else:
        result_correct(game_id=game.pk, result=result, report=report, actor=chief_arbiter, now=late)
    factories.play_rounds(tournament, [number + 1], chief_arbiter)
    tournament.refresh_from_db()
    text = trf_export(tournament, public=True)
    preview = trf_preview(text.encode())
    assert (left_fide_mode(tournament), preview.left_fide_mode, preview.leaves_fide_mode) == (
        None,
        None,
        False,
    )
    made = take(text.encode(), chief_arbiter)
    assert (
        left_fide_mode(made),
        trf_preview(trf_export(made, public=True).encode()).left_fide_mode,
    ) == (None, None)
    silent = "\n".join(line for line in text.splitlines() if not line.startswith("### Correction"))
    broken = trf_preview(f"{silent}\n".encode())
    assert (broken.leaves_fide_mode, f"trf.breaks_{code}" in [w.code for w in broken.warnings]) == (
        True,
        True,
    )


@pytest.mark.costly
@pytest.mark.parametrize(
    "fields",
    [
        {"handling_edition": "c04_2_2017"},
        {"handling_edition": "c04_2_2017", "system": "double_swiss_2026", "tie_breaks": "BH,SB,DE"},
    ],
)
def test_c04_2_1_1_the_comment_on_older_rules_is_the_same_after_an_import(
    chief_arbiter: User, fields: dict[str, Any]
) -> None:
    """The new event applies the rules in force; the comment is there once all the same."""
    tournament = factories.make_ready(chief_arbiter, **fields)
    text = trf_export(tournament, public=False)
    (comment,) = [line for line in text.splitlines() if line.startswith(COMMENT)]
    made = take(text.encode(), chief_arbiter)
    again = trf_export(made, public=False)
    assert [line for line in again.splitlines() if line.startswith(COMMENT)] == [comment]
