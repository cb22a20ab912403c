"""The list of tie-breaks is a setting before the start, and an action in two steps afterwards."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Decision, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tie_breaks import tie_breaks_change, tie_breaks_effect
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.lots import lots_draw

OURS = "BH/C1,BH,SB,DE,WIN"


@pytest.fixture
@factories.cached
def begun(chief_arbiter: User) -> Tournament:
    tournament = factories.make_ready(chief_arbiter, players=6)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def change(tournament: Tournament, actor: User, **given: object) -> Tournament:
    values: dict[str, object] = {
        "tie_breaks": "WIN,PS",
        "edition": "fide-2026",
        "reason": "The regulations said so",
        "version": tournament.version,
        **given,
    }
    return tie_breaks_change(tournament_id=tournament.pk, actor=actor, now=factories.NOW, **values)  # type: ignore[arg-type]


def test_c07_4_1_1_before_the_start_the_list_is_a_setting(
    client: Client, ready: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(RuleRefused, match="not paired yet"):
        change(ready, chief_arbiter)
    client.force_login(chief_arbiter)
    page = client.get(reverse("settings-tie-breaks", args=[ready.slug])).content.decode()
    assert f'value="{OURS}"' in page
    # The page of the action has the heading “after the start” and links to the settings.
    early = client.get(reverse("tie-breaks", args=[ready.slug]), follow=True)
    assert early.redirect_chain == [(reverse("settings-tie-breaks", args=[ready.slug]), 302)]
    assert "change the tie-breaks in the settings" in early.content.decode()
    tournament_update(
        tournament_id=ready.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        tie_breaks="sb,de",
        tie_break_edition="fide-2024",
    )
    ready.refresh_from_db()
    assert (ready.tie_breaks, ready.tie_break_edition) == ("SB,DE", "fide-2024")


def test_c07_4_1_1_after_the_start_the_list_is_not_a_setting_any_more(
    begun: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(RuleRefused) as caught:
        tournament_update(
            tournament_id=begun.pk, actor=chief_arbiter, now=factories.NOW, tie_breaks="SB"
        )
    assert caught.value.article == "C.07 4.1.1"
    begun.refresh_from_db()
    assert begun.tie_breaks == OURS


def test_c07_4_1_1_the_action_is_recorded_with_both_lists_and_the_reason(
    begun: Tournament, chief_arbiter: User
) -> None:
    change(begun, chief_arbiter)
    begun.refresh_from_db()
    assert begun.tie_breaks == "WIN,PS"
    decision = Decision.objects.filter(tournament=begun).latest("sequence")
    assert (decision.action, decision.article, decision.reason) == (
        "tie_breaks.changed",
        "C.07 4.1.1",
        "The regulations said so",
    )
    assert decision.before == {"tie_breaks": OURS, "tie_break_edition": "fide-2026"}
    assert decision.after == {"tie_breaks": "WIN,PS", "tie_break_edition": "fide-2026"}


def test_c07_4_1_1_the_report_file_has_the_old_list(begun: Tournament, chief_arbiter: User) -> None:
    change(begun, chief_arbiter)
    begun.refresh_from_db()
    line = f"### Tie-breaks @ Round 2: {OURS} -> WIN,PS, C.07 4.1.1"
    assert [
        message
        for message in trf_export(begun, public=True).splitlines()
        if "Tie-breaks" in message
    ] == [line]
    assert "### Tie-breaks @" not in trf_export(
        Tournament.objects.exclude(pk=begun.pk).earliest("pk"), public=True
    )


@pytest.mark.parametrize(
    "given, sentence",
    [
        (
            {"reason": "  "},
            (
                "Enter a reason for the change of the tie-breaks. It is saved in the record. A "
                "reason needs at least three letters."
            ),
        ),
        ({"tie_breaks": OURS.lower()}, "The tournament already uses these tie-breaks."),
        ({"tie_breaks": "BH,BH"}, "BH is in the list twice, at places 1 and 2."),
        (
            {"tie_breaks": "STD", "edition": "fide-2024"},
            "STD is not in the chosen edition of C.07: it was added later.",
        ),
    ],
)
def test_an_invalid_list_is_refused_and_nothing_saved(
    given: dict[str, object], sentence: str, begun: Tournament, chief_arbiter: User
) -> None:
    decisions = own(Decision).count()
    with pytest.raises(BadInput) as caught:
        change(begun, chief_arbiter, **given)
    assert str(caught.value) == sentence
    begun.refresh_from_db()
    assert (begun.tie_breaks, own(Decision).count()) == (OURS, decisions)


def test_when_something_else_changed_the_effect_is_looked_at_again(
    begun: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(Conflict, match="check the effect again"):
        change(begun, chief_arbiter, version=begun.version - 1)


def test_the_effect_names_the_players_whose_rank_changes(begun: Tournament) -> None:
    same = tie_breaks_effect(begun, tie_breaks="BH/C1,BH,SB,DE", edition="fide-2026", after_round=2)
    assert same.after == "BH/C1,BH,SB,DE (fide-2026)"
    turned = tie_breaks_effect(begun, tie_breaks="TPN/R", edition="fide-2026", after_round=2)
    assert turned.moved
    assert all(line.now != line.then for line in turned.moved)
    begun.refresh_from_db()
    assert begun.tie_breaks == OURS


def test_the_page_previews_the_effect_and_saves_only_the_previewed_list(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("tie-breaks", args=[begun.slug])
    given = {
        "tie_breaks": "TPN/R",
        "tie_break_edition": "fide-2026",
        "reason": "An error in the list",
    }
    shown = client.post(url, given)
    assert shown.status_code == 200
    assert "Players whose rank would change" in shown.content.decode()
    confirmed = f"{begun.version} TPN/R (fide-2026)"
    assert f'value="{confirmed}"' in shown.content.decode()
    assert f"From {OURS} to TPN/R</h2>" in shown.content.decode()
    earlier = client.post(
        url, {**given, "tie_breaks": "SB", "tie_break_edition": "fide-2024"}
    ).content.decode()
    assert (
        f"From {OURS} (C.07, applied from 1 March 2026) to SB (C.07, applied from 1 August 2024"
        in earlier
    )
    # With a list different from the previewed one, the new effect is shown first.
    assert (
        client.post(url, {**given, "tie_breaks": "SB", "confirmed": confirmed}).status_code == 200
    )
    begun.refresh_from_db()
    assert begun.tie_breaks == OURS
    assert client.post(url, {**given, "confirmed": confirmed}).status_code == 302
    begun.refresh_from_db()
    assert begun.tie_breaks == "TPN/R"
    wrong = client.post(url, {**given, "tie_breaks": "XYZ"})
    assert wrong.status_code == 422
    assert "There is no tie-break “XYZ”" in wrong.content.decode()


@pytest.mark.costly
def test_c07_4_1_1_only_the_chief_arbiter_changes_the_list(
    begun: Tournament, deputy: User, stranger: User, visitor: AnonymousUser, client: Client
) -> None:
    for actor in (deputy, stranger, visitor):
        with pytest.raises(PermissionDenied):
            change(begun, actor)  # type: ignore[arg-type]
    url = reverse("tie-breaks", args=[begun.slug])
    given = {"tie_breaks": "SB", "tie_break_edition": "fide-2026", "reason": "so"}
    confirmed = {**given, "confirmed": f"{begun.version} SB (fide-2026)"}
    client.force_login(deputy)
    page = client.get(url).content.decode()
    assert "Only the Chief Arbiter can change the tie-breaks." in page
    assert "<textarea" not in page
    assert client.post(url, confirmed, headers={"HX-Request": "true"}).status_code == 403
    client.force_login(stranger)
    assert client.post(url, confirmed).status_code in (403, 404)
    begun.refresh_from_db()
    assert begun.tie_breaks == OURS


@pytest.mark.costly
@pytest.mark.parametrize("system", ["dutch_2026", "dutch_2017", "dutch_pre2017"])
def test_c07_4_1_1_the_final_standings_keep_their_list(
    system: str, chief_arbiter: User, client: Client
) -> None:
    """With or without lots; a page opened before the publication is refused too,
    and another event is not.
    """
    made = {
        name: factories.make_ready(
            chief_arbiter, players=4, rounds=2, name=name, system=system, tie_breaks="DE"
        )
        for name in ("over", "beside")
    }
    over, neighbour = made["over"], made["beside"]
    factories.play_rounds(neighbour, [1], chief_arbiter)
    factories.play_rounds(over, [1], chief_arbiter)
    client.force_login(chief_arbiter)
    url = reverse("tie-breaks", args=[over.slug])
    given = {"tie_breaks": "SB", "tie_break_edition": "fide-2026", "reason": "so"}
    stale = {**given, "confirmed": f"{over.version} SB (fide-2026)"}
    assert client.post(url, given).status_code == 200
    factories.play_rounds(over, [2], chief_arbiter, lambda *_: "==")
    with pytest.raises(RuleRefused) as refused:
        change(over, chief_arbiter, tie_breaks="SB")
    assert (refused.value.code, refused.value.article) == ("tie_break.final", "C.07 4.1.1")
    page = client.post(url, stale)
    assert (page.status_code, "their tie-breaks can no longer change" in page.content.decode()) == (
        422,
        True,
    )
    lots_draw(tournament_id=over.pk, actor=chief_arbiter, now=factories.NOW)
    over.refresh_from_db()
    with pytest.raises(RuleRefused, match="final standings"):
        change(over, chief_arbiter, tie_breaks="SB")
    change(neighbour, chief_arbiter, tie_breaks="SB")
