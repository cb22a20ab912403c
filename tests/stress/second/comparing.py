"""Compare the pages, the CSV files and the API with the
computation from the exported file alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from .browser import Browser
from .due import Due
from .event import RandomEvent
from .pages import boards_page, byes_page, crosstable_page, csv_rows, player_page, standings_page
from .reckoning import (
    Line,
    Standings,
    boards_of,
    byes_of,
    cells_of,
    points_after,
    points_before,
    points_in,
    rounds_in,
    standings,
    virtual_in,
)
from .record_file import RecordFile
from .report_file import ReportFile, read
from .shown import cell_in_crosstable, first_difference, shown_in, shown_of_player

ARBITERS: Final = (
    "desk/", "entries/", "rounds/1/", "settings/", "points/", "report/", "people/", "corrections/", "recheck/", "find/",
    "rounds/1/correct/", "rounds/1/change/", "check-in/", "numbers/", "schedule/", "prohibited/", "personal-data/",
)  # fmt: skip
"""Pages that a visitor and an account without a role must not see."""
HANDS_OFF: Final = (
    "rounds/{n}/pair/",
    "rounds/{n}/publish/",
    "rounds/{n}/results/publish/",
    "undo/",
    "points/",
    "final/",
)


class Observer:
    """Compares one event; :meth:`differences` yields sentences, nothing if everything agrees."""

    def __init__(self, event: RandomEvent) -> None:
        self.event = event
        self.due = Due(event.chance)
        self.record = RecordFile()
        self.checks = 0
        self.over = 0
        """The rounds that were over at the last comparison."""
        self.text = ""
        """The public file at the last comparison."""
        self.tpn_of: dict[str, int] = {}
        """The number of each player by the id of the entry."""
        self.ordered: set[int] = set()
        """Rounds whose board order was compared, at the publication."""
        self.listed: dict[int, set[str]] = {}
        """The ids of the players who were listed when a round was published:
        later ones are not on its page [4.4].
        """

    def states(self) -> list[str]:
        """Return the states of the rounds, as the API tells the chief arbiter."""
        found = self._api(self.event.people.chief, "rounds/")
        return [row["state"] for row in found["results"]]

    def differences(self, states: list[str], *, everything: bool = False) -> Iterator[str]:
        """Yield every difference between what readers see now and the files.

        With *everything*, and when a round has ended, every page is read; else those that must show
        something new.
        """
        people = self.event.people
        over, paired = (
            states.count("results_published"),
            sum(state.endswith("published") for state in states),
        )
        self.due.everything = everything or not self.text or over > self.over
        self.over = over
        self.text = people.visitor.get(f"{self.event.base}export.trf").text
        public, known = read(self.text), read(people.chief.get(f"{self.event.base}export.trf").text)
        self.checks += 1
        if self.due("record", (states, self.text), spot=0.05):
            path = f"{self.event.base}record.jsonl"
            yield from self.record.differences(people.chief.get(path).text)
            yield from self.record.public_differences(people.visitor.get(path).text, over, paired)
        yield from self.files(public, known, over, paired)
        yield from self.secrets(states, over, paired)
        if not public.players:
            return
        yield from self.points_of_the_file(public, over)
        yield from self.entries_of(public)
        for after in range(over, 0, -1):
            yield from self.standings_of(people.visitor, public, after)
        for number in range(paired, 0, -1):
            yield from self.pairings_of(
                people.visitor, public, number, states[number - 1], newest=number == paired
            )
            if states[number - 1] == "pairings_published":
                yield from self.results_in_play(known, number)
        if over:
            yield from self.crosstable_of(public, over)
        yield from self.players_of(public, over)

    def refused(self) -> Iterator[str]:
        """Yield a sentence if a refused action has changed the public file."""
        self.checks += 1
        if (
            self.text
            and self.event.people.visitor.get(f"{self.event.base}export.trf").text != self.text
        ):
            yield "a refused action has changed the public file"

    def _api(self, browser: Browser, path: str) -> Any:
        answer = browser.get(f"/api/v1/tournaments/{self.event.slug}/{path}")
        self.checks += 1
        return answer.json() if answer.status == 200 else {"status": answer.status}

    def _page(self, path: str) -> str:
        self.checks += 1
        return self.event.people.visitor.get(self.event.base + path).text

    # Secrets

    def files(self, public: ReportFile, known: ReportFile, over: int, paired: int) -> Iterator[str]:
        """Yield what the public file has and should not,
        and what it lacks of the arbiters' file.
        """
        if public.players and rounds_in(public) not in (paired, 0) and paired:
            yield f"the public file has {rounds_in(public)} rounds, {paired} are published"
        if {*public.players} != {*known.players}:
            yield "the public file has other players"
            return
        if over and standings(public, over) != standings(known, over):
            yield f"the public file gives other standings after {over} than that of the arbiters"
        for tpn, player in public.players.items():
            for number in range(1, paired + 1):
                seen, real = cells_of(public, tpn, number), cells_of(known, tpn, number)
                if number <= over and seen != real:
                    yield f"public file, player {tpn} round {number}: {seen}, for arbiters {real}"
                if number > over and any(cell.opponent and cell.result for cell in seen):
                    yield f"public file, player {tpn} round {number}: shows the result {seen}"
                if [cell[:2] for cell in seen] != [cell[:2] for cell in real]:
                    yield f"public file, player {tpn} round {number}: another pairing"
            if len(player.cells) > paired * public.games:
                yield f"public file, player {tpn}: {len(player.cells)} cells"

    def secrets(self, states: list[str], over: int, paired: int) -> Iterator[str]:
        """Yield what a visitor reads and should not."""
        visitor, stranger, chance = (
            self.event.people.visitor,
            self.event.people.stranger,
            self.event.chance,
        )
        if self.due("rounds", states, spot=0.2):
            shown = [row["state"] for row in self._api(visitor, "rounds/")["results"]]
            expected = ["planned" if state == "draft" else state for state in states]
            if shown != expected:
                yield f"visitors see the rounds as {shown}, not {expected}"
        if paired < len(states) and self.due("next", states, spot=0.1):
            # The next round, which may be a draft, or another one.
            number = chance.choice(
                [paired + 1, paired + 1, chance.randint(paired + 1, len(states))]
            )
            one = chance.choice([visitor, stranger])
            if (
                one.get(f"/api/v1/tournaments/{self.event.slug}/rounds/{number}/pairings/").status
                != 404
            ):
                yield f"the API shows the pairings of round {number}, which are not published"
            if one.get(f"{self.event.base}pairings/{number}/").status == 200:
                yield f"the pairings of round {number} are shown, and not published"
        to_come = f"standings/?after_round={over + 1}"
        if (
            self.due("standings to come", over, spot=0.1)
            and self._api(visitor, to_come).get("status") != 404
        ):
            yield f"standings after round {over + 1} are shown, and not published"
        if self.due.often(0.2):
            yield from self._closed_doors(visitor, stranger, len(states))

    def _closed_doors(self, visitor: Browser, stranger: Browser, rounds: int) -> Iterator[str]:
        chance = self.event.chance
        one = chance.choice([visitor, stranger])
        page = chance.choice(ARBITERS)
        self.checks += 1
        if one.get(self.event.base + page).status == 200:
            yield f"{page} is open to everybody"
        action = chance.choice(HANDS_OFF).format(n=chance.randint(1, rounds))
        status = one.post(self.event.base + action, [("seen_version", "1")]).status
        if status not in (302, 403, 404, 405):
            yield f"POST {action} by somebody without a role: {status}"

    # Numbers

    def points_of_the_file(self, public: ReportFile, over: int) -> Iterator[str]:
        for tpn, player in public.players.items():
            later = sum(
                points for who, number, points in public.changes if who == tpn and number > over
            )
            made = points_after(public, tpn, over) + later
            in_play = range(over + 1, rounds_in(public) + 1)
            byes = made + sum(points_in(public, tpn, number) for number in in_play)
            if player.points not in (made, byes):
                yield f"file: player {tpn} has {player.points}, the rounds give {made} or {byes}"

    def standings_of(self, browser: Browser, public: ReportFile, after: int) -> Iterator[str]:
        ours = standings(public, after)
        name = f"standings after {after}"
        if not self.due(name, ours):
            return
        answer = self._api(browser, f"standings/?after_round={after}")
        if "standings" not in answer:
            yield f"{name}: API {answer}"
            return
        theirs = [
            (row["rank"], row["tpn"], round(10 * row["points"])) for row in answer["standings"]
        ]
        expected = [(line.rank, line.tpn, line.points) for line in ours.lines]
        if theirs != expected:
            yield f"{name}: API {first_difference(theirs, expected)} codes {ours.codes}"
        if tuple(answer["left_out"]) != ours.left_out:
            yield f"{name}: left out {answer['left_out']}, computed {ours.left_out}"
        values = {
            row["tpn"]: [one["value"] for one in row["tie_breaks"]] for row in answer["standings"]
        }
        yield from self._values(f"{name}: API", values, ours, 0.0006)
        page = standings_page(self._page(f"standings/{after}/"))
        if [line[:3] for line in page] != expected:
            yield f"{name}: page {first_difference([line[:3] for line in page], expected)}"
        yield from self._values(f"{name}: page", {line[1]: line[3] for line in page}, ours, 0.0051)
        if not self.due.often(0.3):
            return
        path = f"/api/v1/tournaments/{self.event.slug}/standings/csv/?after_round={after}"
        text = self.event.people.visitor.get(path).text
        rows = [
            (int(row["rank"]), int(row["tpn"]), round(10 * float(row["points"])))
            for row in csv_rows(text)
        ]
        if rows != expected:
            yield f"{name}: CSV {first_difference(rows, expected)}"

    def _values(
        self, name: str, values: dict[int, list[float | None]], ours: Standings, slack: float
    ) -> Iterator[str]:
        for line in ours.lines:
            theirs = values.get(line.tpn, [])
            if len(theirs) != len(line.values):
                yield (
                    f"{name}: player {line.tpn} has {theirs}, computed {line.values} by "
                    f"{ours.codes}"
                )
                continue
            for code, one, other in zip(ours.codes, theirs, line.values, strict=True):
                self.checks += 1
                if one is None and code in ("DE", "DE/P"):
                    continue  # Tied players who have not met have no value [C.07 6.1.1].
                if (one is None) != (other is None) or abs((one or 0) - (other or 0)) > slack:
                    yield f"{name}: {code} of player {line.tpn} is {one}, computed {other}"

    def pairings_of(
        self, browser: Browser, public: ReportFile, number: int, state: str, *, newest: bool
    ) -> Iterator[str]:
        name = f"round {number}"
        if newest:
            self.listed.setdefault(number, {*self.tpn_of})
        ours = boards_of(public, number)
        if not self.due(name, (state, ours, shown_in(public, number))):
            return
        answer = self._api(browser, f"rounds/{number}/pairings/")
        boards = [(one["white"]["tpn"], one["black"]["tpn"]) for one in answer.get("boards", [])]
        if {*boards} != {*ours}:
            yield f"{name}: boards {sorted(boards)}, in the file {sorted(ours)}"
            return
        if newest and number not in self.ordered and not self._was_touched(public, number):
            self.ordered.add(number)
            if boards != ours:
                yield f"{name}: boards in the order {boards}, by C.04.2 3.6 {ours}"
        byes = {one["player"]["tpn"]: one["kind"] for one in answer["byes"]}
        expected = dict(byes_of(public, number).items())
        # Not by name: several players may be shown with the same initials.
        listed = {self.tpn_of.get(pk) for pk in self.listed.get(number, ())}
        wanted = {tpn for tpn, letter in expected.items() if letter != "Z" and tpn in listed}
        if wanted - {*byes} or byes.items() - expected.items():
            yield f"{name}: byes {byes}, in the file {expected}"
        markup = self._page(f"pairings/{number}/")
        page = boards_page(markup)
        if [(one.white, one.black) for one in page] != boards:
            yield f"{name}: the page has other boards than the API: {page} {boards}"
            return
        for api, shown in zip(answer["boards"], page, strict=True):
            pair = (shown.white, shown.black)
            self.checks += 1
            real = tuple(points_before(public, tpn, number) for tpn in pair)
            virtual = tuple(virtual_in(public, tpn, number) for tpn in pair)
            found = tuple(round(10 * api[side]["points"]) for side in ("white", "black"))
            if not found == shown.points == real:
                yield f"{name} board {shown.board}: points {found} page {shown.points}, computed {real}"
            more = tuple(round(10 * api[side]["virtual_points"]) for side in ("white", "black"))
            if not more == shown.virtual == virtual:
                yield (
                    f"{name} board {shown.board}: virtual points {more} page {shown.virtual}, "
                    f"computed {virtual}"
                )
            if shown.floats != (real[0] + virtual[0] != real[1] + virtual[1]):
                yield f"{name} board {shown.board}: float {shown.floats} with {real} + {virtual}"
            yield from self._result(public, number, state, api, shown.result)
        if {*byes_page(markup)} != {*byes}:
            yield f"{name}: the page has other byes than the API"
        if not self.due.often(0.3):
            return
        path = f"/api/v1/tournaments/{self.event.slug}/rounds/{number}/pairings/csv/"
        rows = csv_rows(self.event.people.visitor.get(path).text)
        table = [(int(row["white_tpn"]), int(row["black_tpn"])) for row in rows if row["black_tpn"]]
        if table != boards:
            yield f"{name}: CSV {table}, API {boards}"

    def _result(
        self, public: ReportFile, number: int, state: str, api: dict[str, Any], shown: str
    ) -> Iterator[str]:
        white, black = api["white"]["tpn"], api["black"]["tpn"]
        own, other = cells_of(public, white, number), cells_of(public, black, number)
        expected = [
            f"{a.result}{b.result}" if a.result else None for a, b in zip(own, other, strict=True)
        ]
        if len(expected) == 2 and expected[1]:
            expected[1] = expected[1][::-1]  # White of the second game is Black of the match.
        lines = [api["result"], api["second_result"]][: len(expected)]
        if lines != expected:
            yield f"round {number}: result of {white} – {black} is {lines}, in the file {expected}"
        if state == "pairings_published" and shown:
            yield (
                f"round {number}: the page shows the result {shown} of {white} – {black} before "
                f"the publication"
            )
        if state == "results_published" and expected[0] and not shown:
            yield f"round {number}: the page does not show the result of {white} – {black}"

    def results_in_play(self, known: ReportFile, number: int) -> Iterator[str]:
        """Yield differences between the arbiters' file and their API while results are entered."""
        if not self.due(
            f"results of {number}", [cells_of(known, tpn, number) for tpn in known.players]
        ):
            return
        for board in self._api(self.event.people.chief, f"rounds/{number}/pairings/").get(
            "boards", []
        ):
            yield from self._result(known, number, "", board, "–")

    def _was_touched(self, public: ReportFile, number: int) -> bool:
        """Return whether the boards need not be in order:
        by hand, or the points have changed since the pairing.
        """
        words = (
            f"@ Round {number}:",
            "Correction @",
            "Adjournment @",
            "Open games @",
            "Numbers @",
            "Points",
            "Late entry",
        )
        return any(word in text for text in public.comments for word in words)

    def crosstable_of(self, public: ReportFile, over: int) -> Iterator[str]:
        table = standings(public, over)
        played = [
            cells_of(public, tpn, number) for tpn in public.players for number in range(1, over + 1)
        ]
        if not self.due("crosstable", (table, played)):
            return
        ours = {line.tpn: line for line in table.lines}
        answer = self._api(self.event.people.visitor, "crosstable/")
        for row in answer["players"]:
            tpn = row["tpn"]
            line = ours.get(tpn)
            found = (row["rank"], round(10 * row["points"]))
            expected = (line.rank if line else None, points_after(public, tpn, over))
            self.checks += 1
            if found != expected:
                yield f"crosstable: player {tpn} has rank, points {found}, computed {expected}"
            for cell in row["rounds"]:
                letters = "".join(one.result for one in cells_of(public, tpn, cell["round"]))
                made = (cell["opponent"], cell["result"] + (cell["second_result"] or ""))
                if made != (
                    cells_of(public, tpn, cell["round"])[0].opponent,
                    letters[: len(made[1])],
                ):
                    yield f"crosstable: player {tpn} round {cell['round']}: {made}, in the file {letters}"
        page = crosstable_page(self._page("crosstable/?order=tpn"))
        if [line[0] for line in page] != sorted(public.players):
            yield f"crosstable by number: {[line[0] for line in page]}"
        for tpn, cells, points, rank in page:
            expected_cells = [
                cell_in_crosstable(public, tpn, number) for number in range(1, over + 1)
            ]
            texts = [one for one in cells if one]
            if any(
                want is not None and want != one
                for want, one in zip(expected_cells, texts, strict=False)
            ):
                yield f"crosstable page: player {tpn} {cells}, computed {expected_cells}"
            line = ours.get(tpn)
            if (points, rank) != (points_after(public, tpn, over), line.rank if line else None):
                yield f"crosstable page: player {tpn} has {points}, rank {rank}"

    def entries_of(self, public: ReportFile) -> Iterator[str]:
        """Compare the ratings of all players, and remember their numbers."""
        ratings = public.ratings()
        if not self.due("entries", (ratings, [player.name for player in public.players.values()])):
            return
        path = f"/api/v1/tournaments/{self.event.slug}/entries/csv/"
        entries = csv_rows(self.event.people.visitor.get(path).text)
        self.tpn_of = {row["id"]: int(row["tpn"]) for row in entries if row["tpn"]}
        for row in entries:
            if (
                row["tpn"]
                and ratings is not None
                and int(row["rating"]) != ratings[int(row["tpn"])]
            ):
                yield (
                    f"player {row['tpn']}: rating {row['rating']}, in the file "
                    f"{ratings[int(row['tpn'])]}"
                )

    def players_of(self, public: ReportFile, over: int) -> Iterator[str]:
        """Compare the page of one player: of those that must show something new, if any."""
        ours = {line.tpn: line for line in standings(public, over).lines}
        shown = {
            pk: shown_of_player(public, tpn, over, ours.get(tpn)) for pk, tpn in self.tpn_of.items()
        }
        new = [pk for pk in sorted(shown) if self.due.shown.get(f"player {pk}") != shown[pk]]
        if not self.tpn_of or not (new or self.due.often(0.1)):
            return
        pk = self.event.chance.choice(new or sorted(shown))
        self.due.shown[f"player {pk}"] = shown[pk]
        yield from self._player(public, pk, over, ours)

    def _player(
        self, public: ReportFile, pk: str, over: int, ours: dict[int, Line]
    ) -> Iterator[str]:
        tpn = self.tpn_of[pk]
        head, rounds = player_page(self._page(f"player/{pk}/"))
        expected = (ours[tpn].rank, ours[tpn].points) if over and tpn in ours else None
        if head != expected:
            yield f"page of player {tpn}: rank, points {head}, computed {expected}"
        for number, colour, opponent, total in rounds:
            cell = cells_of(public, tpn, number)[0]
            self.checks += 1
            made = (self.tpn_of.get(opponent), colour, total)
            if number > over or made != (
                cell.opponent,
                cell.colour,
                points_after(public, tpn, number),
            ):
                yield f"page of player {tpn} round {number}: {made}, computed {cell}"
