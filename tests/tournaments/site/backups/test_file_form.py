"""Every value in the file of an event may have been written by hand:
the file is refused with words, or read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection, models, transaction
from django.test import Client
from django.urls import reverse

from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.row_cache import all_rows
from tests.tournaments.site.backups.test_hand_over import LATER, hand_over
from tournaments.site.backups import copy_file
from tournaments.site.backups.copy_file import extract, write
from tournaments.site.backups.copying import ROWS
from tournaments.site.backups.event_tables import TABLES
from tournaments.site.backups.file_form import row_of
from tournaments.site.backups.one_event import export_tournaments
from tournaments.site.backups.taking_over import NotTakenOver, event_take_over

VALUES: Final = ("", "x", [], ["x"], {}, {"x": []}, -1, True, 1.5, None, float("inf"), float("nan"))
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the database is emptied, as if it were another computer"),
]


@pytest.fixture
def file(tmp_path: Path, chief_arbiter: User) -> Path:
    ours = factories.make_ready(actor=chief_arbiter, players=4)
    factories.play_rounds(ours, [1], chief_arbiter)
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "our.event", now=LATER)
    empty_tables(connection)
    return tmp_path / "our.event"


@pytest.fixture
def boss(file: Path) -> User:
    return User.objects.create_superuser("boss", password="boss-secret")


def taken_over(path: Path, boss: User) -> int:
    """Return the status of taking over the file *path*, of which nothing stays:
    201, or that of a refusal in words.
    """
    with transaction.atomic():
        status = 201
        try:
            event_take_over([path.read_bytes()], actor=boss, now=LATER)
        except NotTakenOver as error:
            status = error.status if "Nothing was changed" in str(error) else 0
        transaction.set_rollback(True)
    return status


def with_manifest(
    file: Path, change: Callable[[dict[str, Any]], None], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return a file with a good fingerprint whose manifest *change* has changed."""
    part, path = file.with_name("part"), file.with_name("other")
    path.unlink(missing_ok=True)
    extract(file, ROWS, part)
    dump = json.dumps

    def changed(values: dict[str, Any], **more: Any) -> str:
        change(values)
        return dump(values, **more)

    with monkeypatch.context() as patch:
        patch.setattr(copy_file.json, "dumps", changed)
        write(path, copy_file.read_manifest(file, "event"), {ROWS: part})
    part.unlink()
    return path


def manifests() -> Iterator[tuple[str, Callable[[dict[str, Any]], None]]]:
    for name in copy_file.Manifest.__dataclass_fields__:
        for value in VALUES:
            yield (
                f"{name} = {value!r}",
                lambda values, name=name, value=value: values.update({name: value}),
            )
    for name in copy_file.EventSummary.__dataclass_fields__:
        for value in VALUES:
            yield (
                f"event {name}",
                lambda values, name=name, value=value: values["events"][0].update({name: value}),
            )
    yield "no events", lambda values: values.pop("events")
    yield "one more", lambda values: values["events"][0].update(more=1)


@pytest.mark.costly
def test_a_manifest_with_values_of_another_type_is_refused(
    file: Path, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0
    for what, change in manifests():
        path = with_manifest(file, change, monkeypatch)
        if (status := taken_over(path, boss)) != 201:
            assert status in (400, 409), what
            refused += 1
    assert refused > 150


@pytest.mark.costly
@pytest.mark.on_postgres("an error inside a transaction")
@pytest.mark.parametrize("name", ["migrations", "identity"])
def test_the_page_the_program_and_the_console_refuse_such_a_manifest(
    file: Path,
    boss: User,
    name: str,
    logged_in: Callable[[User], Client],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def change(values: dict[str, Any]) -> None:
        (values if name == "migrations" else values["events"][0])[name] = []

    path = with_manifest(file, change, monkeypatch)
    client, before = logged_in(boss), all_rows()
    page = client.post(
        reverse("take-over"), {"file": SimpleUploadedFile("x.event", path.read_bytes())}
    )
    assert (page.status_code, name in page.text) == (400, True)
    answer = client.post(
        "/api/v1/take-over/", path.read_bytes(), content_type="application/octet-stream"
    )
    assert (answer.status_code, "take_over.unreadable" in answer.text) == (400, True)
    with pytest.raises(CommandError, match=f"a manifest in another form .*{name}"):
        call_command("import_event", str(path))
    assert all_rows() == before


def values_of(file: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yield table, column and the rows of *file* with another value
    in that column of one row of the table.

    Every value in the columns of the record that have JSON, and every 23rd of the others: each
    takes a while.
    """
    turn = 0
    part = file.with_name("part")
    extract(file, ROWS, part)
    lines = part.read_text().splitlines()
    for number, line in enumerate(lines):
        heading = json.loads(line)
        if (
            not isinstance(heading, dict)
            or number + 1 == len(lines)
            or lines[number + 1].startswith("{")
        ):
            continue
        for place, column in enumerate(heading["columns"]):
            for value in VALUES:
                turn += 1
                if turn % 23 and column not in ("before", "after", "deleted"):
                    continue
                row = json.loads(lines[number + 1])
                row[place] = value
                text = "\n".join([*lines[: number + 1], json.dumps(row), *lines[number + 2 :]])
                yield heading["table"], f"{column} = {value!r}", text.encode()


@pytest.mark.costly
@pytest.mark.on_postgres("values that one database refuses")
def test_a_row_with_any_other_value_is_read_or_refused(file: Path, boss: User) -> None:
    manifest, path = copy_file.read_manifest(file, "event"), file.with_name("other")
    refused = dict[str, int]()
    for table, what, content in values_of(file):
        path.unlink(missing_ok=True)
        write(path, manifest, {ROWS: content})
        if (status := taken_over(path, boss)) != 201:
            assert status in (400, 409), (table, what)
            refused[table] = refused.get(table, 0) + 1
    assert refused["tournaments_decision"] > 20
    assert len(refused) > 4


@pytest.mark.parametrize("model", [User, *TABLES], ids=lambda model: model.__name__)
def test_a_value_of_another_type_than_its_column_is_refused(model: type[models.Model]) -> None:
    """No table of an event takes a list for a number, or a text for a list."""
    for field in model._meta.concrete_fields:
        for value in VALUES:
            try:
                row = row_of(model, [field.attname], [value])
            except (ValueError, ValidationError):
                continue
            kept = getattr(row, field.attname)
            is_file = isinstance(field, models.BinaryField) and type(value) is str  # in base64
            assert kept is None or is_file or type(kept) is type(value), (field.name, value)


def test_the_forms_name_all_columns_with_json() -> None:
    from tournaments.site.backups import file_form

    there = {
        (model, field.name)
        for model in TABLES
        for field in model._meta.concrete_fields
        if isinstance(field, models.JSONField)
    }
    assert {(model.__name__, name) for model, name in there - {*file_form._JSON}} == {
        ("Correction", "before"),
        ("Correction", "after"),
    }


@pytest.mark.costly
@pytest.mark.parametrize(
    "unit, count", [(b" ", 1 << 25), (b'{"table":"x","columns":[]}\n', 2_000), (b" ", 1 << 29)]
)
def test_rows_that_unpack_to_too_much_are_refused_before_they_are_read(
    file: Path, boss: User, unit: bytes, count: int
) -> None:
    path = file.with_name("other")
    part = file.with_name("part")
    with part.open("wb") as target:
        for _ in range(max(1, count >> 24)):
            target.write(unit * min(count, 1 << 24))
    write(path, copy_file.read_manifest(file, "event"), {ROWS: part})
    with pytest.raises(NotTakenOver, match="too large for one event") as refused:
        event_take_over([path.read_bytes()], actor=boss, now=LATER)
    assert refused.value.status == 413
