"""Records of a file that the program does not know may be private:
no visitor reads them, and they can be deleted.
"""

from __future__ import annotations

import ast
import inspect
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.cli.main import main
from pairing.rules.kept_records import public_records
from pairing.rules.published import Situation
from tests.rules.test_kept_records import OURS
from tests.tournaments.factories import NOW, boards, byes, entry_of, make_ready, pair_and_publish
from tests.tournaments.rounds.test_change_actions import change
from tests.tournaments.web.test_access_pages import addresses
from tests.trf.reports import player, report
from tournaments.core import record
from tournaments.core.frame import tournament_frame
from tournaments.entries.entries import entry_add
from tournaments.lists.imports import trf_tournament
from tournaments.lists.imports.taken_over import taken_over
from tournaments.lists.imports.trf_tournament import tournament_import_trf, trf_preview
from tournaments.models import Decision, Tournament
from tournaments.reports import sent_reports, trf_comments
from tournaments.reports.record_against_tables import differences
from tournaments.reports.record_file import record_file
from tournaments.reports.trf_export import trf_export
from tournaments.setup.personal_data import data_delete, found

pytestmark = pytest.mark.django_db

SECRETS = ("ann@example.org", "079 123 45 67", "bo@example.org", "+41791112233", "needs a chair")
PUBLIC = "### Points @ Round 1: TPN 2 -0.5, Laws 12.9"
FILE = report(
    "012 Autumn Open",
    "102 Clara Chief (bo@example.org)",
    "112 Dan Deputy, +41791112233",
    "142 1",
    "152 W",
    player(1, "1.0", "   2 w 1", name="Abara, Ann").replace("12345678", "12345671"),
    player(2, "0.0", "   1 b 0", name="Birch, Bo").replace("12345678", "12345672"),
    "DAT 0001 EMAIL ann@example.org",
    "### Abara: 079 123 45 67",
    "XYZ 2 needs a chair",
    PUBLIC,
)
LATER = NOW + timedelta(days=400)


def imported(actor: User) -> Tournament:
    return tournament_import_trf(actor=actor, now=NOW, data=FILE.encode())


@pytest.fixture
def old(chief_arbiter: User, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A tournament whose line of the import has the records in the open,
    as the program wrote it before.
    """

    def as_before(*arguments: Any, **more: Any) -> Any:
        after: Any = taken_over(*arguments, **more)
        after["settings"]["trf_extras"] = after.pop("kept_records")
        return after

    monkeypatch.setattr(trf_tournament, "taken_over", as_before)
    return imported(chief_arbiter)


def delete(tournament: Tournament, actor: User, entry_id: int | None = None) -> None:
    data_delete(
        tournament_id=tournament.pk, actor=actor, now=LATER, confirmed=True, entry_id=entry_id
    )
    tournament.refresh_from_db()


def leaked(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


def record_text(tournament: Tournament, *, runs: bool) -> str:
    return "".join(record_file(tournament_frame(tournament, runs=runs)))


def in_the_tables(tournament: Tournament) -> str:
    lines = Decision.objects.filter(tournament=tournament).values_list("before", "after", "reason")
    return str([*lines, *Tournament.objects.filter(pk=tournament.pk).values()])


def test_the_export_for_everybody_has_no_record_with_free_words(chief_arbiter: User) -> None:
    made = imported(chief_arbiter)
    public, whole = trf_export(made, public=True), trf_export(made, public=False)
    assert leaked(public) == []
    assert PUBLIC in public.splitlines()
    assert leaked(whole) == ["ann@example.org", "079 123 45 67", "needs a chair"]


@pytest.mark.costly
@pytest.mark.parametrize("form", ["new", "old"])
def test_no_address_of_a_visitor_shows_what_is_private(
    form: str, chief_arbiter: User, client: Client, request: pytest.FixtureRequest
) -> None:
    made = imported(chief_arbiter) if form == "new" else request.getfixturevalue("old")
    pages = addresses(
        ["tournament", "trf-export", "record", "record-file", "standings", "crosstable"], made
    )
    api = ("tournament", "entries", "trf", "record")
    urls = [*pages.values(), *(reverse(f"api:{name}", args=[made.slug]) for name in api)]
    answers = {url: client.get(url) for url in urls}
    assert {
        url: answer.status_code for url, answer in answers.items() if answer.status_code != 200
    } == {}
    text = {
        name: b"".join(each) if each.streaming else each.content for name, each in answers.items()
    }
    assert {name: found for name, each in text.items() if (found := leaked(each.decode()))} == {}
    assert leaked(record_text(made, runs=False)) == []


def test_the_preview_names_records_that_only_arbiters_read(chief_arbiter: User) -> None:
    remarks = {remark.code: remark for remark in trf_preview(FILE.encode()).warnings}
    kept = remarks["trf.kept_private"]
    assert (kept.line, kept.params["count"]) == (8, 3)
    assert kept.params["codes"] == "DAT (1), ### (1), XYZ (1)"
    lines = [
        remark
        for remark in trf_preview(FILE.encode()).warnings
        if remark.code == "trf.contact_data"
    ]
    assert [(remark.line, remark.params["record"]) for remark in lines] == [(2, "102"), (3, "112")]
    made = imported(chief_arbiter)
    assert (made.chief_arbiter, made.deputy_arbiters) == ("Clara Chief", "Dan Deputy")


def test_contact_data_in_the_name_of_a_player_are_left_out(chief_arbiter: User) -> None:
    text = FILE.replace("Abara, Ann            ", "Abara, Ann ann@doe.org")
    assert "ann@doe.org" in text
    lines = [
        each.line for each in trf_preview(text.encode()).warnings if each.code == "trf.contact_data"
    ]
    assert lines == [2, 3, 6]
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert entry_of(made, 1).name == "Abara, Ann"


@pytest.mark.costly
@pytest.mark.parametrize("form", ["new", "old"])
@pytest.mark.parametrize("of_one", [False, True])
def test_they_go_with_the_personal_data_and_the_record_can_be_verified(
    form: str, of_one: bool, chief_arbiter: User, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    made = imported(chief_arbiter) if form == "new" else request.getfixturevalue("old")
    assert (found(made).kept_records, record.verify(made), differences(made)) == (3, [], [])
    delete(made, chief_arbiter, entry_of(made, 1).pk if of_one else None)
    assert made.trf_extras == [PUBLIC]
    assert leaked(in_the_tables(made)) == []
    assert leaked(trf_export(made, public=False)) == []
    assert (record.verify(made), differences(made), found(made).kept_records) == ([], [], 0)
    assert found(made).lines == 0 or of_one
    for runs in (True, False):
        file = tmp_path / "record.jsonl"
        file.write_text(record_text(made, runs=runs))
        assert main(["verify", str(file)]) == 0
        assert leaked(file.read_text()) == []


def test_a_line_from_before_cannot_be_altered_after_the_deletion(
    old: Tournament, chief_arbiter: User
) -> None:
    """Its fingerprint covers the records that are gone;
    the one in the line of the deletion takes its place.
    """
    delete(old, chief_arbiter)
    first = Decision.objects.get(tournament=old, sequence=1)
    row = Decision.objects.get(tournament=old, action="data.deleted")
    assert row.after["fingerprints"].keys() == {"1"}
    altered = record.line_of(first)
    altered.after["settings"]["city"] = "Elsewhere"
    tampered = Decision(
        **{field.attname: getattr(first, field.attname) for field in Decision._meta.concrete_fields}
    )
    tampered.after = altered.after
    assert record.fingerprint(tampered) != row.after["fingerprints"]["1"]


def test_a_player_who_is_not_in_the_file_takes_nothing_along(chief_arbiter: User) -> None:
    made = imported(chief_arbiter)
    assert found(made, entry_of(made, 1)).kept_records == 3
    assert list(public_records(made.trf_extras)) == [PUBLIC]


def test_the_page_counts_them(chief_arbiter: User, client: Client) -> None:
    made = imported(chief_arbiter)
    client.force_login(chief_arbiter)
    page = client.get(reverse("personal-data", args=[made.slug])).content.decode()
    assert "3 records of the imported file that this program does not use" in page


def test_every_kind_of_comment_that_a_report_file_writes_is_among_them() -> None:
    """Each text of the two modules that names a round or a report is that of a line above."""
    kinds = set()
    for module in (trf_comments, sent_reports):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            texts = node.values[:1] if isinstance(node, ast.JoinedStr) else ()
            kinds |= {str(text.value) for text in texts if isinstance(text, ast.Constant)}
    kinds = {
        kind
        for kind in kinds
        if re.match(r"(?:\w[\w -]* @ Round |Rating report |Correction of )", kind)
    }
    assert len(kinds) >= 12
    assert {
        kind for kind in kinds if not any(line.startswith(f"### {kind}") for line in OURS)
    } == set()


@pytest.mark.costly
def test_c04_2_4_4_4_a_change_that_only_gives_a_bye_names_the_player_in_the_report(
    chief_arbiter: User,
) -> None:
    even = make_ready(chief_arbiter, players=6)
    pair_and_publish(even, 1, chief_arbiter)
    late = entry_add(
        tournament_id=even.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
    )
    same = " ".join(f"{white}-{black}" for white, black, _result in boards(even, 1))
    change(even, 1, chief_arbiter, same, Situation.LATE_ENTRY, agreed="7", U="7")
    assert byes(even, 1) == {late.tpn: "U"}
    text = trf_export(even, public=False)
    assert "### MPA @ Round 1: bye of TPN 7, C.04.2 4.4.4" in text.splitlines()
    assert "trf.kept_private" not in {remark.code for remark in trf_preview(text.encode()).warnings}
