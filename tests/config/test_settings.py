"""The settings as a whole: the effect of variables on a start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "SWISS_MODE": "production",
    "SECRET_KEY": "for this test alone: zK8vQ2xW6pT4nR9mJ3hG7fD5sA1bC0eY",
    "ALLOWED_HOSTS": "chess.example.org",
}


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=kept | variables,
        capture_output=True,
        text=True,
    )


def value_of(name: str, **variables: str) -> str:
    done = manage(
        "shell",
        "--no-imports",
        "-c",
        f"from django.conf import settings; print(settings.{name})",
        **variables,
    )
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.costly
def test_production_passes_the_deployment_check(tmp_path: Path) -> None:
    done = manage(
        "check", "--deploy", "--fail-level", "WARNING", SWISS_DATA_DIR=str(tmp_path), **PRODUCTION
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "System check identified no issues (2 silenced).\n",
        "",
    )


@pytest.mark.costly
def test_https_is_not_demanded_of_other_names_by_default(tmp_path: Path) -> None:
    """They may be of somebody else and have no https,
    and browsers remember the demand for a month.
    """
    for name in ("SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD"):
        assert value_of(name, SWISS_DATA_DIR=str(tmp_path), **PRODUCTION) == "False"
        assert (
            value_of(name, SWISS_DATA_DIR=str(tmp_path), HSTS_SUBDOMAINS="yes", **PRODUCTION)
            == "True"
        )


def test_production_without_a_key_does_not_start(tmp_path: Path) -> None:
    done = manage("check", SWISS_DATA_DIR=str(tmp_path), **{**PRODUCTION, "SECRET_KEY": ""})
    assert done.returncode == 1
    assert done.stderr == (
        "The environment variable SECRET_KEY cannot be used; expected: a key of at least 50 "
        "characters, kept secret: "
        "production makes none by itself.\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.costly
def test_local_start_keeps_a_key_beside_the_database(tmp_path: Path) -> None:
    key = value_of("SECRET_KEY", SWISS_DATA_DIR=str(tmp_path))
    assert (tmp_path / "secret-key").read_text() == key
    assert value_of("SECRET_KEY", SWISS_DATA_DIR=str(tmp_path)) == key


@pytest.mark.costly
@pytest.mark.parametrize("mode", ["local", "production"])
def test_debug_is_off_by_default(mode: str, tmp_path: Path) -> None:
    assert (
        value_of("DEBUG", SWISS_DATA_DIR=str(tmp_path), **{**PRODUCTION, "SWISS_MODE": mode})
        == "False"
    )


@pytest.mark.parametrize(
    "name, text",
    [
        ("SWISS_MODE", "prod"),
        ("DEBUG", "2"),
        ("TIME_ZONE", "Paris"),
        ("LANGUAGE_CODE", "sv"),
        ("LOG_LEVEL", "loud"),
        ("WEB_CONCURRENCY", "0"),
    ],
)
def test_a_bad_value_stops_the_start_with_one_sentence(
    name: str, text: str, tmp_path: Path
) -> None:
    done = manage("check", SWISS_DATA_DIR=str(tmp_path), **{name: text})
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"The environment variable {name} is {text!r}, which cannot be used; expected: "
    )
    assert done.stderr.count("\n") == 1
