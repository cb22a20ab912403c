"""The filters that ``python -m tools.filters`` drops."""

import ast

from tools.filters import filters_of

SOURCE = """
class Desk:
    def rows(self, tournament):
        first = Row.objects.filter(tournament=tournament, state="open").exclude(entry__tournament_id=1)
        return [Row.objects.get(pk=each, round__in=[1]) for each in first if Row.objects.filter(tournament=tournament)]


def row(slug):
    return get_object_or_404(Row, tournament__slug=slug, name="x"), dict(tournament=slug)
"""


def test_each_filter_by_tournament_entry_or_round_is_dropped_once() -> None:
    tree = ast.parse(SOURCE)
    mutations = filters_of(tree)
    assert sorted(each.name for each in mutations) == [
        "Desk.rows #2: filter(tournament=tournament) → nothing",
        "Desk.rows: exclude(entry__tournament_id=1) → nothing",
        "Desk.rows: filter(tournament=tournament) → nothing",
        "Desk.rows: get(round__in=[1]) → nothing",
        "row: get_object_or_404(tournament__slug=slug) → nothing",
    ]
    before = ast.unparse(tree)
    for each in mutations:
        old = each.put()
        assert len(ast.unparse(tree)) < len(before)
        each.take_back(old)
    assert ast.unparse(tree) == before
