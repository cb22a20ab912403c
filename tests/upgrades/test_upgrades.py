"""Sites of earlier commits are brought up to date, and their
records agree with their tables afterwards.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

from pairing.record.file import read
from pairing.record.verify import first_fault
from tests.live.conftest import database
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.server import Site
from tournaments.site.backups.copy_file import read_manifest

pytestmark = pytest.mark.on_postgres("tables of earlier commits")

__all__ = ["database"]
Database = SqliteDatabase | PostgresDatabase
SITES: Final = Path(__file__).with_name("sites")
NAMES: Final = tuple(sorted(path.stem for path in SITES.glob("*.backup")))
LARGEST: Final = 300_000
ENDS: Final = """
import json
from tournaments.models import Tournament
print(json.dumps(sorted(Tournament.objects.values_list("identity", "version", "fingerprint"))))
"""
RECORDS: Final = """
from pathlib import Path
from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.reports.record_file import record_file
for tournament in Tournament.objects.order_by("pk"):
    with Path(FOLDER, f"{tournament.slug}.jsonl").open("w") as file:
        file.writelines(record_file(tournament_frame(tournament, runs=True)))
"""


@pytest.fixture
def site(database: Database, tmp_path: Path) -> Iterator[Site]:
    """Yield an installation with an empty database."""
    name = "upgrade_" + "".join(letter for letter in tmp_path.name if letter.isalnum())
    yield Site(tmp_path, database.create(name))
    database.drop(name)


def fails(site: Site, *arguments: str) -> str:
    """Return what a command prints that ends with code 1."""
    with pytest.raises(RuntimeError) as raised:
        site.python("manage.py", *arguments)
    return str(raised.value)


def test_there_are_small_sites_of_several_commits() -> None:
    assert len(NAMES) >= 3
    assert [name for name in NAMES if (SITES / f"{name}.backup").stat().st_size > LARGEST] == []


@pytest.mark.costly
@pytest.mark.parametrize("name", NAMES)
def test_a_site_of_an_earlier_commit_is_upgraded_without_a_fault(
    name: str, site: Site, tmp_path: Path
) -> None:
    path = SITES / f"{name}.backup"
    site.python("-m", "tests.upgrades.old_site", str(path))
    wanted = sorted(
        [event.identity, event.lines, event.fingerprint] for event in read_manifest(path).events
    )
    assert len(wanted) > 4
    site.python("manage.py", "upgrade")
    assert json.loads(site.python("manage.py", "shell", "--verbosity", "0", "-c", ENDS)) == wanted
    assert site.python("manage.py", "verify_site").startswith("No faults: ")
    # The same with the files of the records, which need no database.
    site.python(
        "manage.py",
        "shell",
        "--verbosity",
        "0",
        "-c",
        RECORDS.replace("FOLDER", repr(str(tmp_path))),
    )
    records = {
        path.name: path.read_bytes().splitlines(keepends=True) for path in tmp_path.glob("*.jsonl")
    }
    assert len(records) == len(wanted)
    assert {
        name: fault for name, lines in records.items() if (fault := first_fault(read(lines)))
    } == {}


# A column more, as docs/developer/add-a-column.md and add-a-player-field.md describe


class NewProgram:
    """A checkout to which columns are added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in (
            "config",
            "pairing",
            "tournaments",
            "templates",
            "static",
            "locale",
            "tests",
            "manage.py",
        ):
            source = settings.BASE_DIR / part
            if source.is_dir():
                shutil.copytree(
                    source, folder / part, ignore=shutil.ignore_patterns("__pycache__", "sites")
                )
            else:
                shutil.copy(source, folder / part)

    def put(self, path: str, after: str, text: str) -> None:
        """Add *text* after the only place of *after* in the file *path*."""
        file = self.folder / path
        before = file.read_text(encoding="utf-8")
        assert before.count(after) == 1, (path, after)
        file.write_text(before.replace(after, after + text), encoding="utf-8")


DEFAULTS: Final = "pairing/record/defaults.py"
COLUMN: Final = (
    '\n    {name} = models.CharField(max_length=20, blank=True, default="", db_default="")\n'
)
COLUMNS: Final = {
    "tournament": (
        '    city = models.CharField(pgettext_lazy("town", "Place"), max_length=100, blank=True)\n',
        "motto",
    ),
    "entry": ('    club = models.CharField(_("club"), max_length=100, blank=True)\n', "hobby"),
    "round": (
        "    paired_from_version = models.PositiveIntegerField(null=True, blank=True)\n",
        "stream",
    ),
    "game": ("    version = models.PositiveIntegerField(default=0)\n", "clock"),
}
"""By module of a model, a column after which another one is added, and the name of that one."""
SET: Final = """
from datetime import UTC, datetime
from django.contrib.auth.models import User
from tournaments.api.serializers import EntrySerializer
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_add, entry_update
from tournaments.lists.imports.reading import read_list
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.setup.tournaments import tournament_update
from tournaments.web.entries.forms import EntryForm
entry = Entry.objects.filter(tournament__slug="demo-open").first()
by = {"actor": entry.tournament.created_by, "now": datetime.now(UTC)}
entry_update(entry_id=entry.pk, hobby="Chess", **by)
entry_update(entry_id=entry.pk, hobby="Go", **by)
entry.tournament.refresh_from_db()
action_undo(tournament_id=entry.tournament_id, sequence=entry.tournament.version, **by)
(row,) = read_list("Nom;Loisir\\nLate, Larry;Shogi").rows
assert row.hobby == "Shogi"
assert EntryForm(instance=entry, tournament=entry.tournament).texts[1].name == "hobby"
assert EntrySerializer(Entry.objects.get(pk=entry.pk)).data["hobby"] == "Chess"
entry_add(tournament_id=entry.tournament_id, name="Late, Larry", **by)
tournament_update(tournament_id=entry.tournament_id, motto="Gens una", **by)
assert (Entry.objects.get(pk=entry.pk).hobby, Game.objects.first().clock, Round.objects.first().stream) == \\
    ("Chess", "", "")
"""
FORGED: Final = (
    "from tournaments.models import MODEL; "
    "MODEL.objects.filter(pk=MODEL.objects.first().pk).update(NAME='x')"
)


@pytest.fixture
def program(tmp_path_factory: pytest.TempPathFactory) -> NewProgram:
    """Return a program with a column more in four tables, and no default of it in the record."""
    made = NewProgram(tmp_path_factory.mktemp("program"))
    for module, (after, name) in COLUMNS.items():
        made.put(f"tournaments/models/{module}.py", after, COLUMN.format(name=name))
    return made


def add_defaults(made: NewProgram) -> None:
    made.put(
        "pairing/rules/settings.py",
        "    city: Annotated[str, Setting()]\n",
        "    motto: Annotated[str, Setting()]\n",
    )
    made.put(
        "pairing/record/player_fields.py",
        '    PlayerField("club"),\n',
        '    PlayerField("hobby"),\n',
    )
    made.put("pairing/record/player_fields.py", "    club: str\n", "    hobby: str\n")
    made.put("pairing/record/player_fields.py", '    club: str = ""\n', '    hobby: str = ""\n')
    with (made.folder / "tournaments/entries/headings.toml").open("a") as headings:
        headings.write('[hobby]\nfr = ["loisir"]\n')
    made.put(DEFAULTS, "ROUND: Final[Defaults] = {", '"stream": ""')
    made.put(DEFAULTS, "GAME: Final[Defaults] = {", '"clock": ""')


def old_site_of(program: NewProgram, site: Site) -> None:
    """Fill *site* with the newest old site, and let *program* run it from then on."""
    site.python("-m", "tests.upgrades.old_site", str(SITES / "e590a328.backup"))
    site.program = program.folder
    site.python("manage.py", "makemigrations", "tournaments", "--name", "more_columns")


@pytest.mark.costly
def test_new_columns_of_players_settings_rounds_and_games_do_not_stop_an_upgrade(
    program: NewProgram, site: Site
) -> None:
    add_defaults(program)
    old_site_of(program, site)
    site.python("manage.py", "upgrade")
    assert site.python("manage.py", "verify_site").startswith("No faults: ")
    # New lines name the new values, and the comparison reads them.
    site.python("manage.py", "shell", "--verbosity", "0", "-c", SET)
    assert site.python("manage.py", "verify_site").startswith("No faults: ")
    for module, (_, name) in COLUMNS.items():
        model = module.capitalize()
        site.python(
            "manage.py", "shell", "-c", FORGED.replace("MODEL", model).replace("NAME", name)
        )
    found = fails(site, "verify_site")
    assert [name for _, name in COLUMNS.values() if name not in found] == []


@pytest.mark.costly
def test_a_column_without_a_default_stops_an_upgrade_and_not_as_damage(
    program: NewProgram, site: Site
) -> None:
    old_site_of(program, site)
    message = " ".join(fails(site, "upgrade").split())
    assert "This version of the program is incomplete, the site is not damaged" in message
    assert "no default for Tournament.motto, Entry.hobby, Round.stream, Game.clock" in message
    assert "docs/developer/add-a-column.md" in message
    assert "is as it was before: nothing is lost" in message
    assert (
        len(list((Path(site.environment["SWISS_DATA_DIR"]) / "backups").glob("before-upgrade-*")))
        == 1
    )
    # The program from before goes on.
    site.program = settings.BASE_DIR
    site.python("manage.py", "upgrade")
    assert site.python("manage.py", "verify_site").startswith("No faults: ")
