"""Read the verbs that are typed in the finder, and make the lines to which they lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from pairing.rules.name_search import nearly_begins
from pairing.rules.names import begins, search_words
from tournaments.core.frame import Frame
from tournaments.core.languages import phrases_in_all_languages
from tournaments.core.permissions import POWERS, Power
from tournaments.desk.find import LEAST_LETTERS, Found, find, find_in_event
from tournaments.models import Role, Section
from tournaments.web.printing.kinds import KINDS, Source
from tournaments.web.verbs import PRINT, VERBS, About, Target, Verb

_ROUND: Final = re.compile(r"(?<!\w)(?:r|rd|round|ronde)\s*(\d{1,3})(?!\w)")


class Typed(NamedTuple):
    """What somebody typed: the folded words without those of a round, and the round."""

    words: tuple[str, ...]
    round_number: int | None


class Match(NamedTuple):
    """A verb that was typed, and the words that are left: those of a player, or a board."""

    verb: Verb
    rest: tuple[str, ...]


class Line(NamedTuple):
    """A line of the finder: its address and its text."""

    url: str
    label: str
    about: str = ""


def read(text: str) -> Typed:
    """Return the words of *text*; ``r3``, ``round 3`` and ``ronde 3`` are a round."""
    plain = " ".join(search_words(text.replace("+", " + ")))
    found = _ROUND.search(plain)
    words = tuple(_ROUND.sub(" ", plain, count=1).split())
    return Typed(words, int(found[1]) if found else None)


def find_verbs(frame: Frame, role: Role, text: str) -> list[Line]:
    """Return the lines of the verbs, and of the lists to print, that *text* means.

    The queries of :func:`~tournaments.desk.find.find` if a player or a board is typed, else none.
    """
    typed = read(text)
    slug, is_final = frame.tournament.slug, frame.tournament.final_at is not None
    target = Target(slug, frame, round_number=typed.round_number)
    matches = verbs_in(typed.words, role, is_final=is_final)
    rests = {rest for verb, rest in matches if rest and verb.about is not About.NOTHING}
    found = {rest: find(frame, role, " ".join(rest)) for rest in rests}
    lines = [
        line
        for match in matches
        for line in lines_of(match, target, found.get(match.rest, Found()))
    ]
    return [*lines, *sheets(typed, matches, target, role)]


def find_event_verbs(
    sections: Sequence[tuple[Section, Role | None]], text: str, own: Collection[int]
) -> list[Line]:
    """Return the lines of the verbs about players of all *sections*, each by the role there.

    Verbs that need a round are those of a section. One query if a verb and a name are typed.
    """
    typed = read(text)
    in_role = [(section.tournament, role) for section, role in sections if role]
    lines, found = [], {}
    for tournament, role in in_role:
        matches = verbs_in(typed.words, role, is_final=tournament.final_at is not None)
        for match in matches:
            if not match.rest or match.verb.about is not About.PLAYER:
                continue
            if match.rest not in found:
                rest = " ".join(match.rest)
                found[match.rest], _all = find_in_event([t for t, _role in in_role], rest, own=own)
            players = tuple(player for at, player in found[match.rest] if at == tournament.pk)
            target = Target(tournament.slug, round_number=typed.round_number)
            lines += [
                line._replace(about=in_section(tournament.section, line.about))
                for line in lines_of(match, target, Found(players=players))
            ]
    return lines


def in_section(section: Section, apart: str) -> str:
    """Return the section of a player, and what distinguishes players with the same name."""
    return " · ".join(filter(None, [section.label, apart]))


def verbs_in(words: tuple[str, ...], role: Role, *, is_final: bool) -> list[Match]:
    """Return the verbs of *role* at the beginning or at the end of *words*.

    The first of these that finds something decides, as in the search for names: whole words, the
    beginning of a verb, a verb with one mistake. No query.
    """
    for fits in (_is_whole, _is_beginning, _has_mistake):
        found = [
            Match(verb, rest)
            for number, verb in enumerate(VERBS)
            if (rest := _rest(_phrases(number), words, fits)) is not None
        ]
        if found:
            return [match for match in found if match.verb.is_for(role, is_final=is_final)]
    return []


def lines_of(match: Match, target: Target, found: Found) -> Iterator[Line]:
    """Return the lines of a verb: one for each player of *found*, who fit the rest, or each board.

    If nothing but the verb was typed, the line leads to the page where one chooses.
    """
    verb, rest = match
    if not rest:
        if url := target.page(verb.choose) if verb.choose else verb.address(target):
            yield Line(url, str(verb.label))
    elif verb.about is About.PLAYER:
        for player in found.players:
            if url := verb.address(replace(target, player=player)):
                yield Line(url, f"{verb.label}{_(':')} {player.name}", player.apart)
    elif verb.about is About.BOARD:
        boards = {board.number: f"{board.white} – {board.black}" for board in found.boards}
        if not rest[0].isdecimal():
            boards = {player.board: player.name for player in found.players if player.board}
        for board, names in boards.items():
            if url := verb.address(replace(target, board=board)):
                words = _("Board %(n)s") % {"n": board}
                yield Line(url, f"{verb.label}{_(':')} {words}", names)


def sheets(typed: Typed, matches: Sequence[Match], target: Target, role: Role) -> Iterator[Line]:
    """Return the lists that can be printed and fit what is typed, with *print* or alone."""
    if target.frame is None or Power.READ not in POWERS[role]:
        return
    wanted = next((rest for verb, rest in matches if verb is PRINT), typed.words)
    source = Source(target.frame.tournament, target.frame, typed.round_number or 999)
    for name, kind in KINDS.items():
        if (
            wanted
            and kind.is_listed
            and kind.power in POWERS[role]
            and kind.is_there(source)
            and (begins(words := _words_of_kind(name), wanted) or nearly_begins(words, wanted))
        ):
            number = kind.round_of(source) if kind.round_of else None
            about = _("round %(n)s") % {"n": number} if number else ""
            yield Line(kind.address(source), f"{PRINT.label}{_(':')} {kind.label}", about)


@cache
def _phrases(number: int) -> tuple[tuple[str, ...], ...]:
    return phrases_in_all_languages(VERBS[number].words)


@cache
def _words_of_kind(name: str) -> frozenset[str]:
    phrases = phrases_in_all_languages(KINDS[name].label)
    return frozenset(word for phrase in phrases for word in phrase)


_Fits = Callable[[tuple[str, ...], tuple[str, ...]], bool]
"""A test whether typed words, the second argument, mean the phrase that is the first."""


def _rest(
    phrases: tuple[tuple[str, ...], ...], words: tuple[str, ...], fits: _Fits
) -> tuple[str, ...] | None:
    """Return the words that are left when the longest phrase that fits is taken; None without."""
    for phrase in sorted(phrases, key=len, reverse=True):
        size = min(len(phrase), len(words))
        if size and fits(phrase, words[:size]):
            return words[size:]
        if size == len(phrase) and fits(phrase, words[-size:]):
            return words[:-size]
    return None


def _is_whole(phrase: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return phrase == words


def _is_beginning(phrase: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return len("".join(words)) >= LEAST_LETTERS and all(
        whole.startswith(word) for whole, word in zip(phrase, words, strict=False)
    )


def _has_mistake(phrase: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return len(phrase) == len(words) and all(
        len(word) > LEAST_LETTERS and nearly_begins([whole], [word])
        for whole, word in zip(phrase, words, strict=True)
    )
