"""The files with which the program is installed on a server:
docker-compose.yml, the units of systemd, the proxies.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.env import IN_FILES, Environment
from tests.test_docs import documented_variables

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "deploy" / "systemd"
PROGRAM = ("migrate", "web", "work")
NOT_FOR_CONTAINERS = {
    *("DEBUG", "SWISS_HTTPS", "SWISS_OWN_ADDRESSES", "LOG_FILE", "LOG_FILE_MB", "SWISS_MIRROR_DIR"),
    *("SECRET_KEY", "POSTGRES_PASSWORD", "SWISS_METRICS_TOKEN"),  # only as files
    *(f"{name}_FILE" for name in IN_FILES - {"SECRET_KEY", "POSTGRES_PASSWORD"}),
}
HOST_NAME = re.compile(r"\b[\w-]+\.(?:io|com|net)\b")


def interpolated(text: str, **given: str) -> str:
    """Return *text* as Compose reads it, with *given* as the file ``.env``."""

    def value(found: re.Match[str]) -> str:
        name, way, default = found.groups()
        if not given.get(name) and way == ":?":
            raise KeyError(name)
        return given.get(name) or default or ""

    return re.sub(r"\$\{(\w+)(?:(:[-?])([^}]*))?\}", value, text)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    text = interpolated(
        (ROOT / "docker-compose.yml").read_text(), ALLOWED_HOSTS="chess.example.org"
    )
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def test_compose_asks_for_the_names_of_the_site_and_nothing_else() -> None:
    with pytest.raises(KeyError, match="ALLOWED_HOSTS"):
        interpolated((ROOT / "docker-compose.yml").read_text())


def test_what_the_containers_use_is_declared(compose: dict[str, Any]) -> None:
    for key in ("volumes", "secrets", "networks"):
        used = {
            name.partition(":")[0]
            for service in compose["services"].values()
            for name in service.get(key) or []
        }
        assert {name for name in used if not name.startswith(("/", "."))} == set(compose[key]), key
    mounted = [path for path in compose["services"]["proxy"]["volumes"] if path.startswith(".")]
    assert all((ROOT / path.partition(":")[0]).is_dir() for path in mounted)
    assert set(compose["services"]) == {*PROGRAM, "db", "proxy"}


def test_each_container_is_read_only_has_limits_and_rotates_its_log(
    compose: dict[str, Any],
) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}, name
        assert set(service["logging"]["options"]) == {"max-size", "max-file"}, name
        assert all("size=" in place for place in service["tmpfs"]), name
        assert name in PROGRAM or service["user"] != "root"
    assert "USER arbiter" in (ROOT / "Dockerfile").read_text()


def test_secrets_are_files_and_in_no_variable(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        environment = service.get("environment", {})
        files = {
            text.removeprefix("/run/secrets/")
            for key, text in environment.items()
            if key.endswith("_FILE")
        }
        assert files <= set(service["secrets"]), name
        assert name == "migrate" or not {
            "SECRET_KEY",
            "POSTGRES_PASSWORD",
            "SWISS_ADMIN_PASSWORD",
        } & set(environment)
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"/secrets/", ".env"} <= set(ignored)
    assert all(text["file"].startswith("./secrets/") for text in compose["secrets"].values())


def test_the_tables_are_brought_up_to_date_before_anything_else_starts(
    compose: dict[str, Any],
) -> None:
    services = compose["services"]
    assert services["migrate"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    for name in ("web", "work"):
        assert services[name]["depends_on"]["migrate"] == {
            "condition": "service_completed_successfully"
        }
    assert services["proxy"]["depends_on"]["web"]["condition"] == "service_healthy"
    # The server with which the image makes its files listens at its socket only, and is stopped
    # again.
    assert "pg_isready --host 127.0.0.1 " in services["db"]["healthcheck"]["test"][1]
    # Only the proxy can be reached from outside, and the database only from inside.
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert compose["networks"]["inside"] == {"internal": True}
    assert services["db"]["networks"] == ["inside"]
    assert services["proxy"]["networks"] == ["outside"]


def test_one_image_is_built_for_all_containers_of_the_program(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert {services[name]["image"] for name in PROGRAM} == {"swiss-arbiter"}
    # All others wait for this one; three builds would leave two images without a name at each
    # upgrade.
    assert [name for name, service in services.items() if "build" in service] == ["migrate"]


def test_the_commands_of_the_containers_exist(compose: dict[str, Any]) -> None:
    message = " ".join(" ".join(compose["services"][name].get("command", [])) for name in PROGRAM)
    message += (ROOT / "Dockerfile").read_text()
    modules = set(re.findall(r"-m\W+([a-z]+\.[a-z_.]+\w)", message))
    assert modules == {"config.first_account", "tournaments.site.server", "config.probe"}
    assert all((ROOT / f"{module.replace('.', '/')}.py").exists() for module in modules)
    from django.core.management import get_commands

    assert set(re.findall(r"manage\.py (\w+)", message)) <= set(get_commands())
    image = set(re.findall(r"^COPY (\S+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    assert {
        "config",
        "pairing",
        "tournaments",
        "templates",
        "static",
        "locale",
        "manage.py",
    } <= image
    assert all((ROOT / path).exists() for path in image)


def copy_source(app: Path) -> None:
    """Copy into *app* what the Dockerfile copies from the checkout."""
    for source, target in re.findall(
        r"^COPY (\S+) (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE
    ):
        here, there = ROOT / source, app / (source if target in (".", "./") else target)
        if here.is_dir():
            shutil.copytree(here, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(here, there)


@pytest.mark.costly
def test_the_last_command_of_the_image_succeeds_and_leaves_no_data_folder(tmp_path: Path) -> None:
    app, data = tmp_path / "app", tmp_path / "data"
    copy_source(app)
    (tmp_path / "python").symlink_to(sys.executable)
    environment = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "VIRTUAL_ENV": sys.prefix,
        "PYTHONPATH": ":".join(path for path in sys.path if "site-packages" in path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SWISS_DATA_DIR": str(data),
    }
    (command,) = re.findall(
        r"^RUN (python manage\.py .*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE
    )
    command = command.replace("/tmp/swiss-arbiter", str(data))  # noqa: S108 - of the image
    done = subprocess.run(
        ["sh", "-c", command], cwd=app, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (app / "staticfiles" / "staticfiles.json").exists()
    assert not data.exists()


def test_the_program_understands_the_variables_of_its_containers(
    compose: dict[str, Any], tmp_path: Path
) -> None:
    known = {*documented_variables(), *(f"{name}_FILE" for name in IN_FILES)}
    for name in PROGRAM:
        assert set(compose["services"][name]["environment"]) <= known
    settings = {*documented_variables()[: documented_variables().index("TEST_POSTGRES_URL")]}
    assert settings - set(compose["services"]["migrate"]["environment"]) == NOT_FOR_CONTAINERS
    (tmp_path / "password").write_text("a password\n")
    given = {
        name: str(text or "") for name, text in compose["services"]["web"]["environment"].items()
    }
    given["POSTGRES_PASSWORD_FILE"] = str(tmp_path / "password")
    database = Environment(given).database("DATABASE_URL", default="", base_dir=ROOT)
    assert (database["HOST"], database["USER"], database["PASSWORD"]) == (
        "db",
        "swiss",
        "a password",
    )


def test_the_proxy_of_the_containers_is_the_one_that_is_tried(compose: dict[str, Any]) -> None:
    proxy = compose["services"]["proxy"]
    configuration = (ROOT / "deploy" / "nginx" / "compose.conf").read_text()
    assert "/etc/nginx/swiss-arbiter/compose.conf" in proxy["command"]
    assert proxy["volumes"] == ["./deploy/nginx:/etc/nginx/swiss-arbiter:ro"]
    listens = re.findall(r"listen (\d+)", configuration)
    assert [port.partition(":")[2] for port in proxy["ports"]] == listens
    assert {
        name: f"/run/secrets/{name}" in configuration for name in proxy["secrets"]
    } == dict.fromkeys(proxy["secrets"], True)
    assert "server web:8000;" in configuration
    assert (
        'CMD ["python", "-m", "tournaments.site.server", "0.0.0.0:8000"]'
        in (ROOT / "Dockerfile").read_text()
    )
    places = [place.partition(":")[0] for place in proxy["tmpfs"]]
    written = re.findall(r"(?:_temp_path|pid|_cache_path) +(/\S+?)[; ]", configuration)
    written += re.findall(
        r"_cache_path +(\S+)", (ROOT / "deploy" / "nginx" / "cache.conf").read_text()
    )
    assert [path for path in written if not path.startswith(tuple(places))] == []


def test_there_is_room_for_as_many_large_requests_as_the_proxy_takes_at_a_time(
    compose: dict[str, Any],
) -> None:
    passed = (ROOT / "deploy" / "nginx" / "pass.conf").read_text()
    (largest,) = re.findall(r"client_max_body_size (\d+)m;", passed)
    (at_a_time,) = re.findall(r"limit_conn swiss_large (\d+);", passed)

    def room(name: str) -> int:
        (size,) = [
            re.findall(r"size=(\d+)m", place)[0]
            for place in compose["services"][name]["tmpfs"]
            if "/tmp:" in place  # noqa: S108 - of the container
        ]
        return int(size)

    assert int(at_a_time) * int(largest) < room("proxy")
    assert 2 * int(at_a_time) * int(largest) < room("web")  # twice while it is read


def test_no_file_names_a_registry() -> None:
    for path in (ROOT / "docker-compose.yml", ROOT / "Dockerfile", *(ROOT / "deploy").rglob("*.*")):
        assert HOST_NAME.findall(path.read_text()) == [], path


def test_the_units_run_what_exists(tmp_path: Path) -> None:
    units = {path.name: path.read_text() for path in UNITS.iterdir()}
    for name, text in units.items():
        for variable in re.findall(
            r"\b([A-Z_]{4,})=", "\n".join(re.findall("^Environment=(.*)$", text, re.MULTILINE))
        ):
            assert variable == "PYTHONDONTWRITEBYTECODE" or variable in documented_variables(), name
        for started in re.findall(r"^Exec\w+=(.*)$", text, re.MULTILINE):
            assert started.startswith("/opt/swiss-arbiter/.venv/bin/python ")
            assert re.search(
                r"manage\.py (upgrade|work)$|-m tournaments\.site\.server 127\.0\.0\.1:8000$",
                started,
            )
    closed = [
        units[f"swiss-arbiter{which}.service"].partition("# What it may touch")[2]
        for which in ("", "-work")
    ]
    server, work = (set(re.findall(r"^\w+=.*$", text, re.MULTILINE)) for text in closed)
    assert work - server == {"ReadWritePaths=-/var/backups/swiss-arbiter"}
    assert server - work == set()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_units_and_finds_them_closed(tmp_path: Path) -> None:
    python = tmp_path / "python"  # without the blank that the folder of a checkout may have
    python.symlink_to(sys.executable)
    for path in UNITS.iterdir():
        text = path.read_text().replace("/opt/swiss-arbiter/.venv/bin/python", str(python))
        (tmp_path / path.name).write_text(text)
    files = [str(path) for path in tmp_path.iterdir() if path != python]
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True)
    assert [
        line
        for line in done.stderr.splitlines()
        if str(tmp_path) in line or "swiss-arbiter" in line
    ] == []
    for which in ("", "-work"):
        command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager"]
        command.append(str(tmp_path / f"swiss-arbiter{which}.service"))
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-200:]
