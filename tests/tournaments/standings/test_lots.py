"""The drawing of lots at the end: recorded with its seed, shown, written into the file,
repeated by anybody.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.cli.main import main
from pairing.trf.crosstable import lots_remark
from tests.tournaments import factories
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.lists.imports.trf_tournament import trf_preview
from tournaments.models import Decision, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.trf_export import trf_export
from tournaments.setup.visibility import tournament_list_set
from tournaments.standings.lots import lots_draw
from tournaments.standings.standings import standings

SECRET = "0f" * 32
NAMED = "6 2 5 5"
SEED = hmac.digest(SECRET.encode(), b"lots:6 2 5 5", "sha256").hex()[:32]
"""The seed of the secret above and of what the witness names."""
OTHER_SEED = "5f3a91c0" * 4
LOTS = f"### {lots_remark('').text}"


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """Two rounds of eight players, every game drawn, no tie-breaks:
    all eight share the first place.
    """
    tournament = factories.make_ready(chief_arbiter, rounds=2, tie_breaks="")
    factories.play_rounds(tournament, [1, 2], chief_arbiter, lambda *_: "==")
    return with_secret(tournament)


def with_secret(tournament: Tournament) -> Tournament:
    Tournament.objects.filter(pk=tournament.pk).update(draw_secret=SECRET)
    tournament.refresh_from_db()
    return tournament


def draw(
    tournament: Tournament, actor: User, named: str = NAMED, witness: str = "Wanda Witness"
) -> Tournament:
    return lots_draw(
        tournament_id=tournament.pk, actor=actor, now=factories.NOW, named=named, witness=witness
    )


def order(tournament: Tournament) -> list[tuple[int, int]]:
    frame = tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=False)
    return [
        (line.rank, line.tpn) for line in standings(frame, after_round=frame.latest_results).lines
    ]


def by_hand(seed: str) -> list[int]:
    return sorted(range(1, 9), key=lambda tpn: hashlib.sha256(f"{seed}:{tpn}".encode()).hexdigest())


def test_c07_4_2_lots_order_tied_players_and_anybody_can_repeat_the_draw(
    over: Tournament, chief_arbiter: User
) -> None:
    assert order(over) == [(1, tpn) for tpn in range(1, 9)]
    draw(over, chief_arbiter)
    assert order(over) == list(enumerate(by_hand(SEED), start=1))
    decision = Decision.objects.filter(tournament=over).latest("sequence")
    assert (decision.action, decision.article, decision.actor) == (
        "lots.drawn",
        "C.07 4.2",
        chief_arbiter,
    )
    assert decision.after == {
        "seed": SEED,
        "named": NAMED,
        "witness": "Wanda Witness",
        "draw_secret": SECRET,
        "order": [by_hand(SEED)],
    }


@pytest.mark.costly
def test_c07_4_2_lots_are_drawn_only_between_tied_players_and_only_at_the_end(
    chief_arbiter: User,
) -> None:
    """BH separates neither the winners nor the losers: two groups of four, drawn separately."""
    tournament = factories.make_ready(chief_arbiter, rounds=2, tie_breaks="")
    factories.play_rounds(tournament, [1], chief_arbiter)
    with pytest.raises(RuleRefused, match="after the results of the last round are published"):
        draw(tournament, chief_arbiter)
    factories.play_rounds(with_secret(tournament), [2], chief_arbiter)
    before = order(tournament)
    draw(tournament, chief_arbiter)
    groups = {rank: {tpn for other, tpn in before if other == rank} for rank, _ in before}
    expected = [tpn for rank in sorted(groups) for tpn in by_hand(SEED) if tpn in groups[rank]]
    assert order(tournament) == list(enumerate(expected, start=1))
    after_one = standings(tournament_frame(tournament, runs=False), after_round=1)
    assert [line.lot for line in after_one.lines] == [""] * 8
    assert [line.rank for line in after_one.lines] == [1] * 4 + [5] * 4


def test_c07_4_2_lots_are_drawn_once(over: Tournament, chief_arbiter: User) -> None:
    draw(over, chief_arbiter)
    with pytest.raises(RuleRefused, match="They can be drawn only once"):
        draw(over, chief_arbiter, "6 6 6 6")
    over.refresh_from_db()
    assert over.lots_seed == SEED


@pytest.mark.costly
def test_without_tied_players_there_is_nothing_to_draw(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=2, rounds=1)
    factories.play_rounds(tournament, [1], chief_arbiter)
    with pytest.raises(RuleRefused, match="No players are tied on all tie-breaks"):
        draw(tournament, chief_arbiter)


def test_c07_4_2_the_seed_cannot_be_tried_beforehand(over: Tournament, chief_arbiter: User) -> None:
    """It depends on a secret that the record has committed to from its first line,
    and shows with the draw.
    """
    lines = Decision.objects.filter(tournament=over)
    assert SECRET not in str(list(lines.values()))
    draw(over, chief_arbiter)
    assert lines.latest("sequence").after["draw_secret"] == SECRET


@pytest.mark.parametrize(
    "named, witness", [("6 2 5 5", ""), ("", "Wanda"), ("x" * 101, "Wanda"), ("1", "a\0b")]
)
def test_a_witness_and_what_was_named_belong_together(
    named: str, witness: str, over: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(BadInput):
        draw(over, chief_arbiter, named, witness)
    over.refresh_from_db()
    assert over.lots_seed == ""


@pytest.mark.costly
def test_the_page_draws_and_shows_the_user_and_how_to_repeat_the_draw(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("lots", args=[over.slug])
    assert "Players still tied" in client.get(url).content.decode()
    assert url in client.get(reverse("final-standings", args=[over.slug])).content.decode()
    assert client.post(url, {"named": "x" * 101}).status_code == 422
    assert client.post(url, {"named": "7", "witness": ""}).status_code == 400
    for stale in ({}, {"seen_version": over.version - 1}):
        assert client.post(url, {"draw": "yes"} | stale).status_code == 409
    over.refresh_from_db()
    assert over.lots_seed == ""
    assert client.post(url, {"draw": "yes", "seen_version": over.version}).status_code == 302
    over.refresh_from_db()
    assert re.fullmatch("[0-9a-f]{32}", over.lots_seed)
    again = client.post(url, {"draw": "yes"})
    assert (again.status_code, "They can be drawn only once" in again.content.decode()) == (
        409,
        True,
    )
    client.logout()
    page = client.get(reverse("standings", args=[over.slug])).content.decode()
    assert f"<code>{over.lots_seed}</code>" in page
    assert "Clara Chief had the program draw lots (" in " ".join(page.split())
    opened = client.get(factories.player_address(over, 3, after=2)).content.decode()
    assert hashlib.sha256(f"{over.lots_seed}:3".encode()).hexdigest() in opened
    answer = client.get(f"/api/v1/tournaments/{over.slug}/standings/").json()
    assert (answer["lots_seed"], answer["standings"][0]["lot"]) == (
        over.lots_seed,
        hashlib.sha256(f"{over.lots_seed}:{answer['standings'][0]['tpn']}".encode()).hexdigest(),
    )


def test_c07_4_2_a_deputy_draws_no_lots(over: Tournament, deputy: User, client: Client) -> None:
    with pytest.raises(PermissionDenied, match="Only the Chief Arbiter"):
        draw(over, deputy)
    client.force_login(deputy)
    url = reverse("lots", args=[over.slug])
    page = client.get(url).content.decode()
    assert "Only the Chief Arbiter can draw lots." in page
    assert 'name="draw"' not in page
    assert client.post(url, {"draw": "yes", "seen_version": over.version}).status_code == 403
    over.refresh_from_db()
    assert over.lots_seed == ""


@pytest.mark.costly
def test_the_witness_is_named_beside_the_standings(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    given = {
        "draw": "yes",
        "named": f" {NAMED} ",
        "witness": "Wanda Witness",
        "seen_version": over.version,
    }
    assert client.post(reverse("lots", args=[over.slug]), given).status_code == 302
    page = Client().get(reverse("standings", args=[over.slug])).content.decode()
    assert f"Wanda Witness chose “{NAMED}”." in " ".join(page.split())
    assert f"<code>{SEED}</code>" in page


def test_the_file_alone_repeats_the_lots_and_reports_other_lots(
    over: Tournament, chief_arbiter: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = draw(over, chief_arbiter)
    found = event_recheck(over).found
    assert found is not None
    assert (found.differences, found.ranks) == (0, 8)
    text = trf_export(over, public=True)
    path = tmp_path / "lots.trf"

    def check(changed: str) -> tuple[int, str]:
        path.write_text(changed)
        code = main(["check", "--standings", "--tie-breaks", "PTS", str(path)])
        return code, capsys.readouterr().out

    assert check(text)[0] == 0
    code, shown = check(text.replace(f"seed: {SEED}", f"seed: {OTHER_SEED}"))
    assert (code, "drawn by lot" in shown) == (2, True)


@pytest.mark.costly
def test_an_event_with_lots_is_imported_with_them(over: Tournament, chief_arbiter: User) -> None:
    over = draw(over, chief_arbiter)
    text = trf_export(over, public=False)
    other = tournament_import_trf(actor=chief_arbiter, now=factories.NOW, data=text.encode())
    assert (other.lots_seed, order(other)[1:]) == (SEED, order(over)[1:])
    assert trf_export(other, public=False).count("seed: ") == 1
    for changed, problem in [
        (text.replace("142 2", "142 3"), "its last round is not over"),
        (text.replace("182 ", f"{LOTS}{OTHER_SEED}\n182 "), "The file contains two draws of lots"),
    ]:
        with pytest.raises(BadInput, match=problem):
            tournament_import_trf(actor=chief_arbiter, now=factories.NOW, data=changed.encode())


@pytest.mark.costly
@pytest.mark.parametrize("private", ["ask ada@example.org, 06 12 34 56 78", "5f3a91", "x" * 101])
def test_private_text_in_place_of_a_seed_is_read_by_arbiters_alone(
    over: Tournament, chief_arbiter: User, client: Client, private: str
) -> None:
    """It is kept like any other unknown comment, the preview says so,
    and it goes with the personal data.
    """
    over = draw(over, chief_arbiter)
    comment = f"{LOTS}{private}"
    data = trf_export(over, public=False).replace(f"{LOTS}{SEED}", comment).encode()
    remarks = {each.code: str(each) for each in trf_preview(data).warnings}
    assert "No lots are taken from it" in remarks["trf.lots_no_seed"]
    assert "### (1)" in remarks["trf.kept_private"]
    other = tournament_import_trf(actor=chief_arbiter, now=factories.NOW, data=data)
    assert (other.lots_seed, other.trf_extras) == ("", [comment])
    assert (
        comment in trf_export(other, public=False),
        private in trf_export(other, public=True),
    ) == (True, False)
    tournament_list_set(tournament_id=other.pk, actor=chief_arbiter, now=factories.NOW, listed=True)
    for address in (f"/t/{other.slug}/standings/", f"/api/v1/tournaments/{other.slug}/standings/"):
        answer = client.get(address)
        assert (answer.status_code, private in answer.content.decode()) == (200, False)
    line = Decision.objects.get(tournament=other, action="tournament.imported")
    assert private not in str(line.after["settings"])
    # The lots are drawn here, and the file is read again with these alone.
    drawn = draw(with_secret(other), chief_arbiter)
    again = trf_export(drawn, public=False)
    assert again.count("seed: ") == 2
    assert (
        tournament_import_trf(actor=chief_arbiter, now=factories.NOW, data=again.encode()).lots_seed
        == SEED
    )
