"""``If-Match`` and ``Idempotency-Key`` of every write:
a stale state saves nothing, a repetition saves once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone

from pairing.rounds.players_reports import players_report_give
from pairing.rounds.results import result_record
from pairing.rounds.second_reading import reading_record
from pairing.rounds.table_codes import players_reports_open
from tests.api.asking import V1, error, get
from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tests.tournaments.lists.imports.files import xlsx
from tests.tournaments.lists.rating_lists import conftest as lists
from tests.tournaments.lists.rating_lists.conftest import Load, text_list
from tests.tournaments.row_cache import all_rows
from tournaments.api.urls import urlpatterns
from tournaments.api.views import Nothing
from tournaments.api.writes import GUARDED, KEPT, UNSAFE
from tournaments.entries.entries import entry_update
from tournaments.models import Decision, Entry, Game, Round, StoredAnswer, Tournament, WaitingEntry

LogIn = Callable[[User], Client]
folder, load = lists.folder, lists.load
LIST: Final = xlsx(
    [["Name", "Elo", "Fed"], ["Kovar, Eva", 2011, "CZE"], ["Blom, Bo", "many", "SWE"]]
)
OTHER_LIST: Final = xlsx([["Name", "Elo"], ["Abara, Ada", 1900]])
POSITION: Final = {
    "system": "dutch_2026", "round": 1, "total_rounds": 3,
    "players": [{"tpn": 1, "rounds": []}, {"tpn": 2, "rounds": []}],
}  # fmt: skip
WRITES: Final = {
    "bring-back", "engine-pair", "entries-import", "hand-over", "players-reports", "rating-list-use", "ratings",
    "result-questions", "second-reading", "second-reading-decide", "take-over",
}  # fmt: skip


def addresses() -> dict[str, Any]:
    """Return the view class of every address of the API by its name, or by its route."""
    found = {}
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        view: Any = getattr(pattern.callback, "cls", None) or getattr(
            pattern.callback, "view_class", None
        )
        found[pattern.name or str(pattern.pattern)] = view
    return found


def test_every_write_of_the_api_has_both_headers() -> None:
    found = set()
    for name, view in addresses().items():
        for method in UNSAFE:
            handler = getattr(view, method, None)
            if handler is not None:
                assert handler in GUARDED, f"{method} {name} knows neither header"
                found.add(name.partition("/")[0] if name == "engine/pair/" else name)
    assert found - {"engine"} == WRITES, "add the new address to the examples below"
    assert Nothing not in (view for name, view in addresses().items() if name in WRITES)


@pytest.fixture
def in_play(ready: Tournament, chief_arbiter: User, deputy: User, load: Load) -> Round:
    """Round 1 with something to do everywhere:
    a difference, a report, a question, a newer rating.
    """
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    load(
        text_list([(2000016, "Hollis, Player 8", "FRA", "M", "", 1100, 0, 0, 1990)]),
        "players_nov26.txt",
    )
    entry_update(entry_id=factories.entry_of(ready, 8).pk, fide_id=2000016, fide_rating=1000, **by)
    round_ = factories.pair_and_publish(ready, 1, chief_arbiter)
    players_reports_open(tournament_id=ready.pk, secret="seed", **by)
    games = {game.board: game.pk for game in Game.objects.filter(round=round_)}
    for side in "wb":
        players_report_give(game_id=games[1], side=side, result="10", now=NOW, seen_version=0)
    for board in (2, 3):
        result_record(game_id=games[board], result="==", **by)
    lower = "01" if factories.boards(ready, 1)[3][1] == 8 else "10"
    result_record(game_id=games[4], result=lower, actor=deputy, now=NOW)
    reading_record(game_id=games[2], result="10", actor=deputy, now=NOW)
    return round_


def examples(round_: Round, client: Client) -> dict[str, tuple[str, Any, Any]]:
    """Return address, body and another body of each write of the tournament, by its name."""
    about = f"tournaments/{round_.tournament.slug}/"
    of_round = f"{about}rounds/1/"
    requested = get(client, f"{of_round}questions/").json()
    compared = get(client, f"{about}ratings/").json()
    keys = [one["key"] for each in compared["different"] for one in each["differences"]]
    return {
        "second-reading": (
            f"{of_round}second-reading/", {"board": 4, "result": "10"}, {"board": 4, "result": "01"},
        ),
        "second-reading-decide": (
            f"{of_round}second-reading/decide/", {"board": 2, "result": "10"}, {"board": 2, "result": "=="},
        ),
        "players-reports": (
            f"{of_round}players-reports/", {"board": 1, "result": "10"}, {"board": 1, "result": "01"},
        ),
        "result-questions": (
            f"{of_round}questions/", {"question": requested[0]["question"] if requested else "?"}, {"question": "x"},
        ),
        "ratings": (f"{about}ratings/", {"take": keys, "reason": "list"}, {"take": keys}),
        "entries-import": (f"{about}entries/import/", LIST, OTHER_LIST),
        "hand-over": (f"{about}hand-over/", {"to": "the laptop"}, {"to": "the phone"}),
        "bring-back": (f"{about}hand-over/bring-back/", {"confirmed": True}, {"confirmed": False}),
    }  # fmt: skip


def send(client: Client, address: str, body: Any, **headers: str) -> Any:
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(V1 + address, body, content_type=kind, headers=names)


def tag_of(client: Client, round_: Round) -> str:
    return get(client, f"tournaments/{round_.tournament.slug}/").headers["ETag"]


def saved() -> dict[str, Any]:
    """Return every row but the stored answers."""
    return {
        table: rows for table, rows in all_rows().items() if table != StoredAnswer._meta.db_table
    }


def test_an_older_state_is_412_and_nothing_is_saved(
    in_play: Round, chief_arbiter: User, deputy: User, logged_in: LogIn
) -> None:
    client, answers = logged_in(chief_arbiter), {}
    old = tag_of(client, in_play)
    entry_update(
        entry_id=factories.entry_of(in_play.tournament, 5).pk, club="Lyon", actor=deputy, now=NOW
    )
    before, given = saved(), examples(in_play, client)
    for name, (address, body, _other) in given.items():
        for stale in (old, '"other"', "no-quotation-marks", f"W/{tag_of(client, in_play)}"):
            status, problem = error(send(client, address, body, If_Match=stale))
            answers[name] = (status, problem["code"])
            assert saved() == before, (name, stale)
    assert answers == dict.fromkeys(given, (412, "precondition_failed"))


@pytest.mark.costly
def test_a_body_nested_too_deeply_is_refused(
    in_play: Round, chief_arbiter: User, logged_in: LogIn
) -> None:
    client, answers = logged_in(chief_arbiter), {}
    given = [
        (name, address)
        for name, (address, body, _) in examples(in_play, client).items()
        if body is not LIST
    ]
    for name, address in [
        *given,
        ("rating-list-use", "rating-lists/use/"),
        ("engine-pair", "engine/pair/"),
    ]:
        answers[name] = client.post(
            V1 + address, "[" * 5000, content_type="application/json"
        ).status_code
    assert answers.pop("rating-list-use") in (400, 403)
    assert answers == dict.fromkeys(answers, 400)


@pytest.mark.costly
def test_the_state_that_was_seen_is_saved(
    in_play: Round, chief_arbiter: User, logged_in: LogIn
) -> None:
    client, statuses = logged_in(chief_arbiter), {}
    for name, (address, body, _other) in examples(in_play, client).items():
        tags = f'"x", {tag_of(client, in_play)}'
        statuses[name] = send(client, address, body, If_Match=tags).status_code
    assert statuses == dict.fromkeys(statuses, 200)


def test_a_repeated_key_gets_the_first_answer_and_saves_nothing_again(
    in_play: Round, chief_arbiter: User, logged_in: LogIn
) -> None:
    client = logged_in(chief_arbiter)
    for name, (address, body, other) in examples(in_play, client).items():
        tag = tag_of(client, in_play)
        first = send(client, address, body, Idempotency_Key=name, If_Match=tag)
        assert first.status_code == 200, (name, first.content)
        before = all_rows()
        for seen in (tag, tag_of(client, in_play)):
            again = send(client, address, body, Idempotency_Key=name, If_Match=seen)
            assert (again.status_code, again.content) == (200, first.content), name
            assert again.headers.get("Cache-Control") == first.headers.get("Cache-Control")
        refused = send(client, address, other, Idempotency_Key=name)
        assert (error(refused)[0], error(refused)[1]["code"]) == (422, "idempotency.other_body"), (
            name
        )
        assert all_rows() == before, name


def test_an_event_is_taken_over_once_for_one_key(
    ready: Tournament, logged_in: LogIn, monkeypatch: Any
) -> None:
    """The answer, and the refusals of a file that is none, are stored by the bytes of the file."""
    client = logged_in(User.objects.create_superuser("site", password="site-secret"))
    first = send(client, "take-over/", b"no file", Idempotency_Key="one")
    assert error(first)[1]["code"] == "take_over.no_file"
    assert send(client, "take-over/", b"no file", Idempotency_Key="one").content == first.content
    assert error(send(client, "take-over/", b"another", Idempotency_Key="one"))[0] == 422
    assert StoredAnswer.objects.get().status == 400


def test_the_engine_keeps_answers_for_accounts_without_holding_up_writers(
    ready: Tournament,
    client: Client,
    stranger: User,
    logged_in: LogIn,
    django_assert_num_queries: Any,
) -> None:
    account = logged_in(stranger)
    first = send(account, "engine/pair", POSITION, Idempotency_Key="one")
    assert first.status_code == 200
    assert send(account, "engine/pair", POSITION, Idempotency_Key="one").content == first.content
    assert (
        error(send(account, "engine/pair", POSITION | {"round": 2}, Idempotency_Key="one"))[0]
        == 422
    )
    assert send(client, "engine/pair", POSITION, Idempotency_Key="one").status_code == 200
    assert StoredAnswer.objects.count() == 1
    assert error(send(account, "engine/pair", POSITION, If_Match='"1"'))[0] == 412


@pytest.mark.costly
def test_keys_are_per_account_and_per_address(
    in_play: Round,
    chief_arbiter: User,
    deputy: User,
    stranger: User,
    client: Client,
    logged_in: LogIn,
) -> None:
    address, body, _other = examples(in_play, logged_in(chief_arbiter))["entries-import"]
    preview = f"{address}?preview=yes"
    chief = logged_in(chief_arbiter)
    assert send(chief, preview, body, Idempotency_Key="one").json()["saved"] is False
    assert (
        send(chief, address, body, Idempotency_Key="one").json() | {"new": 1}
        == send(chief, address, body, Idempotency_Key="one").json()
    )
    assert send(logged_in(deputy), address, body, Idempotency_Key="one").json()["unchanged"] == 1
    assert WaitingEntry.objects.filter(tournament=in_play.tournament).count() == 1
    before = all_rows()
    for who in (client, logged_in(stranger)):
        assert error(send(who, address, body, Idempotency_Key="one"))[0] == 403
        assert error(send(who, address, body, If_Match='"old"'))[0] == 403
    assert all_rows() == before


@pytest.mark.costly
def test_a_refusal_by_a_rule_is_repeated_and_one_of_the_person_is_not(
    in_play: Round, chief_arbiter: User, stranger: User, logged_in: LogIn
) -> None:
    client = logged_in(chief_arbiter)
    address, body, _other = examples(in_play, client)["players-reports"]
    refused = send(client, address, body | {"seen_version": 9}, Idempotency_Key="one")
    assert refused.status_code == 409
    assert (
        send(client, address, body | {"seen_version": 9}, Idempotency_Key="one").content
        == refused.content
    )
    assert error(send(client, address, body, Idempotency_Key="two", If_Match='"old"'))[0] == 412
    assert send(client, address, body, Idempotency_Key="two").status_code == 200
    assert set(StoredAnswer.objects.values_list("status", flat=True)) == {409, 200}


@pytest.mark.costly
def test_no_fault_of_the_server_is_stored(
    in_play: Round, chief_arbiter: User, logged_in: LogIn, monkeypatch: Any
) -> None:
    """Nothing of the request is saved, and the same key saves it afterwards."""
    client = logged_in(chief_arbiter)
    address, body, _other = examples(in_play, client)["players-reports"]
    before = all_rows()

    def fail(saved: object) -> None:
        raise ValueError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr("tournaments.api.players_reports.AcceptedSerializer", fail)
        assert error(send(client, address, body, Idempotency_Key="one"))[0] == 500
    assert all_rows() == before
    assert send(client, address, body, Idempotency_Key="one").status_code == 200
    assert Game.objects.get(round=in_play, board=1).result == "10"


@pytest.mark.costly
@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "ä"])
def test_a_key_that_is_none_is_refused(
    in_play: Round, chief_arbiter: User, logged_in: LogIn, key: str
) -> None:
    client = logged_in(chief_arbiter)
    address, body, _other = examples(in_play, client)["hand-over"]
    status, problem = error(send(client, address, body, Idempotency_Key=key))
    assert (status, problem["code"]) == (400, "idempotency.invalid")


@pytest.mark.costly
def test_an_answer_is_stored_for_a_day(
    in_play: Round, chief_arbiter: User, logged_in: LogIn
) -> None:
    client = logged_in(chief_arbiter)
    address, body, other = examples(in_play, client)["entries-import"]
    send(client, address, body, Idempotency_Key="old")
    StoredAnswer.objects.update(at=timezone.now() - KEPT - timedelta(seconds=1))
    assert send(client, address, other, Idempotency_Key="old").json()["new"] == 1
    assert StoredAnswer.objects.count() == 1


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_of_two_equal_requests_at_once_one_saves_and_both_get_its_answer(
    in_play: Round, chief_arbiter: User, logged_in: LogIn
) -> None:
    clients = [logged_in(chief_arbiter) for _ in range(3)]
    address, body, _other = examples(in_play, clients[0])["entries-import"]
    answers = at_once(
        *[
            lambda client=client: send(client, address, body, Idempotency_Key="one")
            for client in clients
        ]
    )  # type: ignore[misc]
    first, *others = [(answer.status_code, answer.content) for answer in answers]  # type: ignore[attr-defined]
    assert (first[0], json.loads(first[1])["new"]) == (200, 1)
    assert others == [first, first]
    assert Entry.objects.filter(tournament=in_play.tournament, name="Kovar, Eva").count() == 1
    assert WaitingEntry.objects.filter(tournament=in_play.tournament).count() == 1


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_of_two_requests_about_one_state_one_wins(
    in_play: Round, chief_arbiter: User, logged_in: LogIn
) -> None:
    clients = [logged_in(chief_arbiter) for _ in range(2)]
    address, *bodies = examples(in_play, clients[0])["entries-import"]
    tag = tag_of(clients[0], in_play)
    before = Decision.objects.filter(tournament=in_play.tournament).count()
    answers = at_once(
        *[
            lambda client=client, body=body: send(client, address, body, If_Match=tag)  # type: ignore[misc]
            for client, body in zip(clients, bodies, strict=True)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200, 412]  # type: ignore[attr-defined]
    assert Decision.objects.filter(tournament=in_play.tournament).count() == before + 1
