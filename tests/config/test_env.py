"""Reading environment variables: the value, or a sentence with the expected value."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.env import IN_FILES, Environment, SettingError, database_from_url, machine_time_zone

BASE = Path(__file__).resolve().parents[2]


def reader(**values: str) -> Environment:
    return Environment(values)


def test_a_secret_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a key of more than fifty characters that nobody can guess\n")
    env = reader(SECRET_KEY=" ", SECRET_KEY_FILE=str(tmp_path / "key"))
    assert (
        env.secret_key("SECRET_KEY", key_file=None)
        == "a key of more than fifty characters that nobody can guess"
    )
    assert reader(LOG_LEVEL_FILE=str(tmp_path / "key")).text("LOG_LEVEL", "INFO") == "INFO"


@pytest.mark.parametrize(
    "content, expected",
    [
        (None, "a file that can be read (No such file or directory)"),
        (b"", "a file with one line, not 0"),
        (b"swordfish\nswordfish\n", "a file with one line, not 2"),
        (b"swordfish\xff", "a file with text in UTF-8"),
    ],
)
def test_a_file_without_a_secret_is_named_but_not_shown(
    tmp_path: Path, content: bytes | None, expected: str
) -> None:
    path = tmp_path / "secret"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingError) as caught:
        reader(EMAIL_URL_FILE=str(path)).text("EMAIL_URL")
    assert str(caught.value) == (
        f"The environment variable EMAIL_URL_FILE is {str(path)!r}, which cannot be used; "
        f"expected: {expected}."
    )


def test_a_secret_that_cannot_be_used_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("swordfish")
    env = Environment({f"{name}_FILE": str(path) for name in IN_FILES})
    for name, read in {
        "SECRET_KEY": lambda: env.secret_key("SECRET_KEY", key_file=None),
        "SWISS_SIGNING_KEY": lambda: env.signing_key("SWISS_SIGNING_KEY"),
        "EMAIL_URL": lambda: env.mail("EMAIL_URL"),
        "SWISS_METRICS_TOKEN": lambda: env.token("SWISS_METRICS_TOKEN"),
        "DATABASE_URL": lambda: env.database("DATABASE_URL", default="", base_dir=BASE),
    }.items():
        with pytest.raises(SettingError) as caught:
            read()
        start = f"The environment variable {name}_FILE (file {path}) cannot be used; expected: "
        assert str(caught.value).startswith(start)
        assert "swordfish" not in str(caught.value)


def test_a_secret_is_given_once(tmp_path: Path) -> None:
    with pytest.raises(
        SettingError, match=r"SECRET_KEY and SECRET_KEY_FILE are both set; keep only one\.$"
    ):
        reader(SECRET_KEY="x", SECRET_KEY_FILE=str(tmp_path)).text("SECRET_KEY")


@pytest.mark.parametrize("text", ["1", "true", "Yes", " on "])
def test_flag_reads_yes(text: str) -> None:
    assert reader(DEBUG=text).flag("DEBUG", default=False) is True


@pytest.mark.parametrize("text", ["0", "false", "NO", "off"])
def test_flag_reads_no(text: str) -> None:
    assert reader(DEBUG=text).flag("DEBUG", default=True) is False


@pytest.mark.parametrize("default", [True, False])
def test_flag_empty_counts_as_not_set(default: bool) -> None:
    assert reader(DEBUG="").flag("DEBUG", default=default) is default
    assert reader().flag("DEBUG", default=default) is default


def test_flag_refuses_anything_else_with_a_sentence() -> None:
    with pytest.raises(SettingError) as caught:
        reader(DEBUG="perhaps").flag("DEBUG", default=False)
    assert str(caught.value) == (
        "The environment variable DEBUG is 'perhaps', which cannot be used; "
        "expected: yes or no (1, true, yes, on / 0, false, no, off)."
    )


@pytest.mark.parametrize("text, number", [("", 7), ("3", 3), ("9", 9), (" 5 ", 5)])
def test_whole_number_in_its_range(text: str, number: int) -> None:
    assert reader(N=text).whole_number("N", default=7, minimum=3, maximum=9) == number


@pytest.mark.parametrize("text", ["2", "10", "-4", "4.5", "four", "٤", "²", "1e1", "--5", "-"])
def test_whole_number_refuses_other_numbers_and_texts(text: str) -> None:
    with pytest.raises(SettingError, match=r"expected: a whole number from 3 to 9\.$"):
        reader(N=text).whole_number("N", default=7, minimum=3, maximum=9)


def test_choice_names_the_choices() -> None:
    assert reader(M="b").choice("M", default="a", choices={"a", "b"}) == "b"
    assert reader().choice("M", default="a", choices={"a", "b"}) == "a"
    with pytest.raises(
        SettingError, match=r"M is 'c', which cannot be used; expected: one of a, b\.$"
    ):
        reader(M="c").choice("M", default="a", choices={"a", "b"})


def test_words_leave_out_empty_parts() -> None:
    assert reader(W=" a ,, b,").words("W") == ["a", "b"]
    assert reader(W=" , ").words("W", default=["c"]) == ["c"]


def test_hosts_are_only_names() -> None:
    hosts = reader(H="chess.example.org, 192.168.1.5,[::1],.example.org").hosts("H", default=[])
    assert hosts == ["chess.example.org", "192.168.1.5", "[::1]", ".example.org"]


@pytest.mark.parametrize("text", ["http://chess.example.org", "chess.example.org:8000", "a b", "*"])
def test_hosts_refuse_addresses_and_the_star(text: str) -> None:
    with pytest.raises(SettingError, match=r"^The environment variable H is "):
        reader(H=text).hosts("H", default=[])


def test_origins_have_a_scheme_and_no_path() -> None:
    assert reader(O="https://chess.example.org,http://192.168.1.5:8000").origins("O") == [
        "https://chess.example.org",
        "http://192.168.1.5:8000",
    ]


@pytest.mark.parametrize(
    "text", ["chess.example.org", "https://", "https://a/b", "ftp://a", "https://[::1/x"]
)
def test_origins_refuse_the_rest(text: str) -> None:
    with pytest.raises(
        SettingError,
        match=r"expected: addresses such as https://chess\.example\.org, without a path",
    ):
        reader(O=text).origins("O")


def test_one_origin_without_its_last_slash() -> None:
    assert reader(O="http://192.168.1.5:8000/").origin("O") == "http://192.168.1.5:8000"
    assert reader().origin("O") == ""
    for text in ("chess.example.org", "https://", "https://a/b", "https://a,https://b/"):
        with pytest.raises(
            SettingError, match=r"expected: an address such as https://chess\.example\.org"
        ):
            reader(O=text).origin("O")


def test_time_zone_by_its_name() -> None:
    assert reader(TZ="Europe/Paris").time_zone("TZ", default="UTC") == "Europe/Paris"
    assert reader().time_zone("TZ", default="UTC") == "UTC"


@pytest.mark.parametrize(
    "points_to, zone",
    [
        ("usr/share/zoneinfo/Europe/Paris", "Europe/Paris"),
        ("var/db/timezone/zoneinfo/America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
        ("usr/share/zoneinfo/Nowhere/Atall", "UTC"),
        ("somewhere/else", "UTC"),
    ],
)
def test_the_time_zone_of_the_machine(tmp_path: Path, points_to: str, zone: str) -> None:
    clock = tmp_path / "localtime"
    clock.symlink_to(tmp_path / points_to)
    assert machine_time_zone(clock) == zone
    assert machine_time_zone(tmp_path / "absent") == "UTC"


@pytest.mark.parametrize("text", ["Europe/Nowhere", "../../etc/passwd", "+2", "/etc"])
def test_time_zone_refuses_an_unknown_name(text: str) -> None:
    with pytest.raises(SettingError, match="expected: a time zone by its IANA name"):
        reader(TZ=text).time_zone("TZ", default="UTC")


def test_folder_is_made_for_its_owner_only(tmp_path: Path) -> None:
    folder = reader(F=str(tmp_path / "a" / "b")).folder("F", default=tmp_path)
    assert folder == tmp_path / "a" / "b"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingError, match="expected: a folder that can be made and written"):
        reader(F=str(tmp_path / "file" / "b")).folder("F", default=tmp_path)


def test_secret_key_from_the_variable() -> None:
    assert reader(K="k" * 50).secret_key("K", key_file=None) == "k" * 50


def test_secret_key_that_is_short_is_refused_and_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as caught:
        reader(K="swordfish").secret_key("K", key_file=tmp_path / "key")
    assert "swordfish" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_signing_key_is_64_digits_or_nothing() -> None:
    assert reader(K="0A" * 32).signing_key("K") == "0a" * 32
    assert reader().signing_key("K") == ""
    with pytest.raises(
        SettingError, match="K cannot be used; expected: 64 hexadecimal digits"
    ) as refused:
        reader(K="swordfish").signing_key("K")
    assert "swordfish" not in str(refused.value)


def test_mail_servers_with_and_without_encryption() -> None:
    assert reader().mail("M")["EMAIL_HOST"] == ""
    found = reader(M="smtp://arbiter:p%40ss@mail.example.org").mail("M")
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_HOST_PASSWORD"]) == (
        "mail.example.org",
        587,
        "p@ss",
    )
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (True, False)
    assert reader(M="smtps://mail.example.org").mail("M")["EMAIL_USE_SSL"] is True
    assert reader(M="smtp-plain://localhost:2525").mail("M")["EMAIL_PORT"] == 2525


@pytest.mark.parametrize(
    "text",
    ["mail.example.org", "smtp://", "http://a:secret@b", "smtp://a:secret@b:x", "smtp://a/b"],
)
def test_mail_servers_refuse_the_rest_without_a_password_in_the_sentence(text: str) -> None:
    with pytest.raises(SettingError, match="M cannot be used; expected: smtp://") as refused:
        reader(M=text).mail("M")
    assert "secret" not in str(refused.value)


def test_secret_key_is_required_if_none_is_kept() -> None:
    with pytest.raises(SettingError, match="production makes none by itself"):
        reader().secret_key("K", key_file=None)


def test_secret_key_is_made_once_and_kept_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: reader().secret_key("K", key_file=path), range(32)))
    assert len(keys) == 1
    assert len(keys.pop()) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_database_sqlite_relative_and_absolute(tmp_path: Path) -> None:
    relative = database_from_url("sqlite:///club.sqlite3", base_dir=tmp_path)
    assert relative["NAME"] == tmp_path / "club.sqlite3"
    absolute = database_from_url(f"sqlite:///{tmp_path}/open%20air.sqlite3", base_dir=BASE)
    assert absolute["NAME"] == tmp_path / "open air.sqlite3"


def test_database_sqlite_waits_for_the_other_writer(tmp_path: Path) -> None:
    options = database_from_url("sqlite:///club.sqlite3", base_dir=tmp_path)["OPTIONS"]
    assert options == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA "
        "recursive_triggers=ON;",
    }


def test_database_postgresql_with_everything() -> None:
    settings = database_from_url(
        "postgresql://chief:p%40ss%2Fword@db.example.org:6432/swiss?sslmode=require", base_dir=BASE
    )
    assert {
        key: settings[key]
        for key in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")
    } == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "swiss",
        "USER": "chief",
        "PASSWORD": "p@ss/word",
        "HOST": "db.example.org",
        "PORT": "6432",
        "OPTIONS": {"sslmode": "require"},
    }


def test_database_postgresql_on_a_socket() -> None:
    settings = database_from_url("postgres://chief@/swiss?host=/run/postgresql", base_dir=BASE)
    assert (settings["HOST"], settings["PORT"], settings["NAME"], settings["OPTIONS"]) == (
        "/run/postgresql",
        "",
        "swiss",
        {},
    )


def test_database_postgresql_with_its_password_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("p@ss/word\n")
    given = {"POSTGRES_PASSWORD_FILE": str(tmp_path / "password")}
    env = reader(DATABASE_URL="postgresql://swiss@db/swiss", **given)
    assert env.database("DATABASE_URL", default="", base_dir=BASE)["PASSWORD"] == "p@ss/word"
    assert "PASSWORD" not in reader(**given).database(
        "DATABASE_URL", default="sqlite:///a.sqlite3", base_dir=tmp_path
    )
    twice = reader(DATABASE_URL="postgresql://swiss:other@db/swiss", **given)
    with pytest.raises(SettingError) as caught:
        twice.database("DATABASE_URL", default="", base_dir=BASE)
    assert str(caught.value) == (
        f"The environment variables DATABASE_URL and POSTGRES_PASSWORD_FILE (file "
        f"{tmp_path}/password) both have a "
        "password; keep only one."
    )


@pytest.mark.parametrize(
    "url, expected",
    [
        ("mysql://chief:swordfish@host/swiss", "sqlite:///file.sqlite3 or postgresql://"),
        ("swordfish", "sqlite:///file.sqlite3 or postgresql://"),
        ("postgresql://chief:swordfish@[::1/swiss", "sqlite:///file.sqlite3 or postgresql://"),
        ("sqlite://:memory:", "sqlite:////folder/file.sqlite3 for an absolute path"),
        ("sqlite:///:memory:", "sqlite:////folder/file.sqlite3 for an absolute path"),
        ("sqlite:///", "sqlite:////folder/file.sqlite3 for an absolute path"),
        (
            "sqlite:///no/such/folder/a.sqlite3",
            "a file in a folder that exists; there is no folder ",
        ),
        ("postgresql://chief:swordfish@host", "an address that ends in the name of the database"),
        ("postgresql://chief:swordfish@host:port/swiss", "special characters as %XX"),
        ("postgresql://chief:swordfish@host/swiss?sslmode", "special characters as %XX"),
        ("postgresql://chief:swordfish@host/swiss?user=root", "not user"),
    ],
)
def test_database_refused_without_repeating_the_password(url: str, expected: str) -> None:
    with pytest.raises(SettingError) as caught:
        database_from_url(url, base_dir=BASE)
    assert expected in str(caught.value)
    assert "swordfish" not in str(caught.value)
    assert str(caught.value).startswith(
        "The environment variable DATABASE_URL cannot be used; expected: "
    )
