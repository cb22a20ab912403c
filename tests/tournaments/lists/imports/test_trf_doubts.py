"""A preview names doubtful lines of a file, and impossible values are not imported."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW
from tests.trf.reports import player, report
from tournaments.core.errors import BadInput
from tournaments.lists.imports.reading import read_list
from tournaments.lists.imports.trf_tournament import tournament_import_trf, trf_preview
from tournaments.models import Entry, RequestedBye, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.django_db


def people(count: int) -> list[str]:
    return [player(tpn, "0.0").replace("12345678", f"1234567{tpn}") for tpn in range(1, count + 1)]


def codes(text: str) -> list[str]:
    """Return the codes of the remarks in the preview of *text*;
    of a remark on the file itself, that of the file.
    """
    problems = [
        (each.code, each.params.get("problem")) for each in trf_preview(text.encode()).warnings
    ]
    return [str(getattr(problem, "code", code)) for code, problem in problems]


def test_a_file_that_was_cut_off_is_named_in_the_preview() -> None:
    text = report("062 9", "142 5", *people(4), "101" + people(5)[4][3:])
    assert {"trf.count", "trf.unknown_record"} <= {*codes(text)}
    lines = [str(each) for each in trf_preview(text.encode()).warnings]
    assert "line 1, column 5: 062 says 9 players, the file has 4." in [
        each[:1].lower() + each[1:] for each in lines
    ]


def test_numbers_of_nobody_are_named_in_the_preview() -> None:
    assert "trf.unknown_number" in codes(report("142 5", *people(4), "240 H 001 0009"))


@pytest.mark.parametrize(
    "written, read",
    [
        ("1998-03-26", "1998/03/26"),
        ("1998.00.00", "1998/00/00"),
        ("26.03.1998", "1998/03/26"),
        ("1998", "1998/00/00"),
        ("0000/00/00", ""),
        ("unknown", ""),
        ("2031/01/01", ""),
        ("1850/01/01", ""),
    ],
)
def test_dates_of_birth_have_one_form(written: str, read: str, chief_arbiter: User) -> None:
    lines = [people(2)[0].replace("1990/01/01", written.ljust(10)), people(2)[1]]
    text = report("142 5", "152 W", *lines)
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    first = Entry.objects.get(tournament=made, tpn=1)
    assert first.birth_date == read
    assert ("trf.birth_date_dropped" in codes(text)) == (written[:4] in ("unkn", "2031", "1850"))
    (line, *_) = [
        each for each in trf_export(made, public=False).splitlines() if each.startswith("001    1")
    ]
    assert line[69:79].strip() == read


def test_a_rating_above_4000_is_named_and_not_imported(chief_arbiter: User) -> None:
    text = report("142 5", "152 W", people(2)[0].replace(" 2000 ", " 9999 "), people(2)[1])
    (remark,) = [
        each for each in trf_preview(text.encode()).warnings if each.code == "trf.rating_dropped"
    ]
    assert (remark.line, remark.column, remark.params["value"]) == (3, 49, 9999)
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert list(made.entries.order_by("tpn").values_list("fide_rating", "rating")) == [
        (None, 0),
        (2000, 2000),
    ]


def test_a_rating_below_every_floor_and_a_short_fide_id_are_named() -> None:
    first, second = people(2)
    text = report(
        "142 5", "152 W", first.replace(" 2000 ", "   12 "), second.replace("12345679", "       6")
    )
    assert {"trf.rating_low", "trf.fide_id_dropped"} <= {*codes(text)}


def test_a_list_of_players_from_a_file_has_the_remarks_too() -> None:
    text = report("062 9", "082 2", people(2)[0].replace(" 2000 ", " 9999 "), people(2)[1])
    reading = read_list(text.encode())
    assert [each.code for each in reading.remarks if each.code != "trf.invalid"] == [
        "trf.rating_dropped"
    ]
    assert any("062 says 9 players" in str(each) for each in reading.remarks)
    assert [(row.name, row.fide_rating) for row in reading.rows] == [
        ("Player 1", None),
        ("Player 2", 2000),
    ]


def test_byes_in_advance_become_requested_byes_and_no_round(chief_arbiter: User) -> None:
    first, second, *others = people(5)
    text = report(
        "142 5", "152 W", f"{first}  0000 - H  0000 - Z", f"{second}            0000 - H", *others
    )
    preview = trf_preview(text.encode())
    assert (preview.rounds_played, preview.rounds_compared) == (0, 0)
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    byes = RequestedBye.objects.filter(entry__tournament=made).order_by(
        "entry__tpn", "round_number"
    )
    assert list(byes.values_list("entry__tpn", "round_number", "kind")) == [
        (1, 1, "H"),
        (1, 2, "Z"),
        (2, 2, "H"),
    ]


def test_an_allocated_bye_before_the_pairing_is_refused() -> None:
    first, *others = people(5)
    text = report("142 5", "152 W", f"{first}  0000 - U".replace(" 0.0 ", " 1.0 "), *others)
    with pytest.raises(BadInput, match="follows from the pairing") as raised:
        trf_preview(text.encode())
    assert (raised.value.line, raised.value.column) == (3, 99)


@pytest.mark.parametrize("address", ["tournament-import"])
def test_the_page_says_what_to_do_with_a_file_of_another_program(
    address: str, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    answers = {}
    for text, wanted in (
        (report("013 Town A                              1    2", *people(2)), "team event"),
        (report("092 Individual: Round-Robin", *people(2)), "round robin"),
        ('{"Overview": {}, "Sections": []}', "SwissSys"),
    ):
        answer = client.post(reverse(address), {"text": text})
        answers[wanted] = (answer.status_code, wanted in answer.content.decode())
    assert set(answers.values()) == {(422, True)}


def test_an_event_of_teams_that_was_opened_before_can_still_be_checked(chief_arbiter: User) -> None:
    """Until November 2026 such a file became an event here; its records of teams are kept."""
    made = tournament_import_trf(
        actor=chief_arbiter, now=NOW, data=report("142 5", "152 W", *people(4)).encode()
    )
    Tournament.objects.filter(pk=made.pk).update(
        trf_extras=["013 Town A                              1    2"]
    )
    made.refresh_from_db()
    assert "013 Town A" in trf_export(made, public=False)
    assert event_recheck(made).problem == ""
