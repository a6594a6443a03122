"""Find what restricts an answer to a case of its own: "free on Sundays", "does not run on e-readers"."""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Final

from planner.audit.lexicon.word_lists import WordList
from planner.text.subject import Subject
from planner.text.words import STOPWORDS, WORD, stem, terms
from planner.verify.dates import dates_of

_PLACING: Final = frozenset(
    """
    for on in at to after under during within via when while if unless until among except below above outside inside
    between from
    für nach auf in im am an ans bei beim während unter ab bis innerhalb außerhalb außer wenn falls ohne mit
    pour après sur dans en au aux pendant chez sous jusqu'à sauf avec sans à
    para después durante hasta bajo salvo con sin per su sul sulla nel nella nei durante dopo fino con senza al
    alla ai alle
    voor na op tijdens onder tot met zonder tenzij
    no na nos nas em durante até sob com sem dla w na podczas do przy pod bez z
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words before what an answer is restricted to. "With" and "by" in English mostly tell how, and restrict nothing."""
_ALL: Final = frozenset(
    map(
        stem,
        """all every each any everybody everyone anyone everywhere whole entire always time times alle allen aller jede
        jeder jeden jedem ganze ganzen immer tous toutes tout toute chaque entier todos todas cada siempre tutti tutte
        ogni sempre iedereen elke altijd sempre wszystkie wszyscy każdy general principle fact addition contrast
        summary short case""".split(),  # noqa: SIM905  # a list of words reads better so
    )
)
"""What is true for all is not restricted."""
_PHRASE_WORDS: Final = 3
_MOMENT: Final = WordList.of(
    "last night, last year, last month, last week, last season, this year, this month, this week"
    ", this season, tonight"
    ", yesterday, today, on monday, on tuesday, on wednesday, on thursday, on friday, on saturday"
    ", on sunday, next year"
    ", dieses jahr, letztes jahr, gestern, heute, am montag, am dienstag, am mittwoch, am donnerstag, am freitag"
    ", am samstag, am sonntag, cette année, l'année dernière, hier, ce soir, este año, el año pasado, ayer, hoy"
    ", quest'anno, l'anno scorso, ieri, oggi, dit jaar, vorig jaar, gisteren, vandaag, este ano, ontem, hoje"
    ", w tym roku, wczoraj, dzisiaj"
    ", will, set to, about to"
)
_TELLER: Final = re.compile(
    r"^.{0,60}?\b(?:tell|tells|say|says|find|see|hear|read|notice|sagen|sagt|finden|lesen|hören)\b.{0,24}?\b(?:that|dass)\b",
    re.I,
)
"""Who tells what follows: "Shops will tell you that"."""
_SOME: Final = WordList.of(
    "new, additional, further, extra, remaining, other, of them, of these, of which, neue, neuen, weitere"
    ", zusätzliche"
    ", übrige, davon, nouveaux, nouvelles, autres, dont, nuevos, nuevas, otros, otras, nuovi, nuove, altri, altre"
    ", nieuwe, andere, novos, novas, outros, outras, nowych, kolejnych"
)
"""Words of a number that counts some of what another number counts all of."""
_UNREAL: Final = WordList.of(
    "would, bill, draft, proposal, proposes, proposed, wants, wanted, plans, planned, planning, considers"
    ", considering"
    ", demands, demanded, calls for, called for, hopes, rumour, rumours, if approved, würde, würden, plant, geplant"
    ", fordert, vorschlag, entwurf, voudrait, prévoit, propose, projet de loi, demande, quiere, propone"
    ", proyecto de ley"
    ", pide, vuole, proposta, disegno di legge, chiede, wil, voorstel, wetsvoorstel, quer, propõe"
    ", projeto de lei, chce"
    ", planuje, projekt ustawy"
)
"""Words of what somebody wants, and of what may come: it denies nothing that is so now."""
_WITH: Final = re.compile(
    r"\b(?P<with>with|filled with|including|mit|inklusive|avec|con|met|com|z)\s(?P<what>[^.;]{3,40})", re.I
)
_WITHOUT: Final = re.compile(
    r"\b(?:without|excluding|ohne|sans|sin|senza|zonder|sem|bez)\s(?P<what>[^.;]{3,40})", re.I
)
_VERSION: Final = re.compile(
    r"\b(?:versions?|releases?|editions?|v|ausgabe|versión|versione|versie|versão"
    r"|wersj[aei])[\s.]{0,2}(?P<mark>\d[\d.]{0,7})",
    re.I,
)
_LONGEST_MARK: Final = 5
_LEAST_PREFIX: Final = 5
_LONGEST_ENDING: Final = 2


def is_restricted(text: str, known: str) -> bool:
    """Whether an answer holds only for, in or during something of which the question and the other answer know nothing.

    Args:
        text: the answer.
        known: the question and the other answer.
    """
    if any(date.month for date in dates_of(text)[0]) and not dates_of(known)[0]:
        return True
    others = set(terms(known)) | _ALL
    return any(phrase and not any(is_one_of(word, others) for word in phrase) for phrase in _phrases(text))


def is_of_other_moment(one: str, other: str, question: str) -> bool:
    """Whether one of two statements tells what was at a moment of its own: "last night", "this year".

    What somebody "will tell you" is so now.
    """
    told, otherwise = (set(_MOMENT.found(_TELLER.sub("", text))) for text in (one, other))
    return not _MOMENT.is_in(question) and told != otherwise


def counts_some(text: str, amount: str) -> bool:
    """Whether a number of a text counts new or further ones: "45 new members"."""
    before, _, behind = text.partition(amount)
    near = f"{' '.join(before.split()[-1:])} {amount} {' '.join(behind.split()[:1])}"
    return _SOME.is_in(near)


def is_unreal(text: str) -> bool:
    """Whether a statement tells what somebody wants or plans."""
    return _UNREAL.is_in(text)


def is_with_and_without(one: str, other: str) -> bool:
    """Whether one statement holds with something, and the other one without it: "without fuel", "filled with fuel"."""
    for mine, theirs in ((one, other), (other, one)):
        lacking = {word for match in _WITHOUT.finditer(mine) for word in terms(match["what"])}
        having = {word for match in _WITH.finditer(theirs) for word in terms(match["what"])}
        if lacking & having:
            return True
    return False


def versions_of(text: str, subject: Subject) -> set[str]:
    """The versions or models of the subject that a text is about: "Cobalt Forms 4", "version 4"."""
    found = {match["mark"].rstrip(".") for match in _VERSION.finditer(text)}
    words = WORD.findall(text)
    for word, behind in pairwise(words):
        if behind[0].isdigit() and len(behind) <= _LONGEST_MARK and stem(word.lower()) in subject.words:
            found.add(behind)
    return found


def is_one_of(word: str, known: Collection[str]) -> bool:
    """Whether a stem is among others, or one of them has another ending of the same word ("otwarty", "otwarta")."""
    if word in known:
        return True
    start = word[: max(_LEAST_PREFIX, len(word) - _LONGEST_ENDING)]
    return len(start) >= _LEAST_PREFIX and any(
        one.startswith(start) and len(one) <= len(start) + 2 * _LONGEST_ENDING for one in known
    )


def _phrases(text: str) -> Iterator[list[str]]:
    """The stems of the words behind each word that may restrict an answer, up to the end of their phrase."""
    tokens = list(WORD.finditer(text))
    for n, token in enumerate(tokens):
        if token[0].lower() not in _PLACING:
            continue
        phrase: list[str] = []
        for before, word in pairwise(tokens[n:]):
            low = word[0].lower()
            if set(text[before.end() : word.start()]) & set(",;:()") or low in _PLACING:
                break
            if phrase and low in STOPWORDS:
                break
            if low[0].isdigit():  # an amount restricts nothing
                phrase = []
                break
            if low not in STOPWORDS or stem(low) in _ALL:
                phrase.append(stem(low))
            if len(phrase) == _PHRASE_WORDS:
                break
        yield phrase
