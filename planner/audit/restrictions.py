"""Find what restricts an answer to a case of its own: "free on Sundays", "does not run on e-readers"."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from planner.audit.lexicon.word_lists import WordList
from planner.goal.language import report_language, told_language
from planner.verify.dates import dates_of
from planner.verify.number_words import NUMBER_WORDS
from planner.verify.units import POWERS, UNITS
from research_crawler.text.subject import Subject
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_PLACING: Final = {
    language: frozenset(words.split())
    for language, words in {
        "en": "for on in at to after under during within via when while if unless until among except below above"
        " outside inside between from",
        "de": "für nach auf in im am an ans bei beim während unter ab bis innerhalb außerhalb außer wenn falls ohne"
        " mit zum",
        "fr": "pour après sur dans en au aux pendant chez sous jusqu'à sauf avec sans à",
        "es": "para en después durante hasta bajo salvo con sin al a",
        "it": "per su sul sulla nel nella nei durante dopo fino con senza al alla ai alle a in",
        "nl": "voor na op in tijdens onder tot met zonder tenzij",
        "pt": "para no na nos nas em durante até sob com sem ao à",
        "pl": "dla w na podczas do przy pod bez z",
    }.items()
}
"""Words before what an answer is restricted to. "With" and "by" in English mostly tell how, and restrict nothing."""
_ANY_PLACING: Final = frozenset().union(*_PLACING.values())
_LOOKALIKES: Final = {
    "fr": re.compile(r"\bse\b", re.I),
    "es": re.compile(r"\bse\b", re.I),
    "pt": re.compile(r"\bse\s(?=encontra|situa|chama|trata|pode)", re.I),
    "de": re.compile(r"\bals\b|\bbis\b(?=\szu)", re.I),
}
"""By language, the words that would be "if" in another one."""
_SIDES: Final = frozenset(
    "during outside before after until from with without inside within in on above below over under".split()  # noqa: SIM905
)
"""Words of which one says the other side of what another says: during and outside."""
_INCLUSIVE: Final = frozenset(
    "even including neither nor whether both sogar auch selbst même y incluso anche zelfs até nawet".split()  # noqa: SIM905
)
"""Words before a case that an answer does not leave out: "even in winter"."""
_OWN: Final = frozenset(
    """
    its their his her my our your seine seiner ihre ihrer sa son ses su sus suo sua
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""What is at something's own edge is no case."""
_PURPOSE: Final = {"para": ("ar", "er", "ir"), "pour": ("er", "ir", "re"), "per": ("are", "ere", "ire")}
"""Words before a verb that tells what for: "para visitar"."""
_TO_WHOM: Final = frozenset(
    "open opens closed limited restricted available reserved accessible confined applies apply visible up only".split()  # noqa: SIM905
)
"""Words before a "to" behind which stands a case, and no verb."""
_SETTLED: Final = re.compile(
    r"\b(?:for good|for ever|for sure|for free|for sale|for example|at all|at home|at once|at last|at least"
    r"|at any time|at the same"
    r" time|at work|in stock|in production|in use|in fact|in general|in principle|in person|in full|on the market"
    r"|on sale"
    r"|on average|(?:turn|switch)(?:ed|s)? on|in (?:the|its) box|out of the box|from (?:top to bottom"
    r"|start to finish)"
    r"|all (?:the )?year(?: round)?|year[- ]round|(?:on|at) weekdays and (?:on |at )?weekends|day and night"
    r"|(?:after|before|by|while|when) [a-z]{3,12}ing|(?:straight )?from the (?:tap|pipe|bottle|box|tree|tin"
    r"|packet|source|shelf)"
    r"|at (?:a )?(?:low|medium|moderate|high|full) (?:heat|temperature|speed|power|setting)s?|for (?:private"
    r"|personal|home) use"
    r"|for up to (?:\w+ ){1,2}(?:days?|weeks?|months?|years?|hours?|minutes?)|(?:made|baked|built|knitted"
    r"|brewed|woven) from"
    r"|ganzjährig|das ganze jahr|toute l['’]année|todo el año|tutto l['’]anno|het hele jaar"
    r"|im handel|im prinzip|à la maison|en general|en principio)\b",
    re.I,
)
"""Set phrases that name no case, and ways in which something is done or made."""
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
_TIMES: Final = ("second", "month")
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
_EARLIER: Final = re.compile(
    r"\b(?:had|hadn['’]t) (?:[a-z]{2,12}ly |not |never |already |once )?(?:been|had|held|[a-z]{3,14}(?:ed"
    r"|en))\b|\bused to (?!(?:it|the|a)\b)"
    r"|\b(?:formerly|previously|until then|in former times|in the past|back then|ehemals|früher|damals"
    r"|autrefois|auparavant|antes"
    r"|antiguamente|un tempo|vroeger|dawniej)\b",
    re.I,
)
"""Words of what was before that of which a page tells."""
_TELLER: Final = re.compile(
    r"^.{0,60}?\b(?:tell|tells|say|says|find|see|hear|read|notice|sagen|sagt|finden|lesen"
    r"|hören)\b.{0,24}?\b(?:that|dass)\b",
    re.I,
)
"""Who tells what follows: "Shops will tell you that"."""
_UNREAL: Final = WordList.of(
    "would, bill, draft, proposal, proposes, proposed, wants, wanted, plans, planned, planning to, considers"
    ", considering"
    ", demands, demanded, calls for, called for, hopes, rumour, rumours, if approved, würde, würden, plant, geplant"
    ", fordert, vorschlag, entwurf, voudrait, prévoit, propose, projet de loi, demande, quiere, propone"
    ", proyecto de ley"
    ", pide, vuole, proposta, disegno di legge, chiede, wil, voorstel, wetsvoorstel, quer, propõe"
    ", projeto de lei, chce"
    ", planuje, projekt ustawy"
)
"""Words of what somebody wants, and of what may come: it denies nothing that is so now."""
_NOT_PLANNED: Final = re.compile(
    r"\b(?:none|nothing|not|never)\s(?:(?:is|are|was|were|being|been)\s)?planned\b|\bno\splans\b", re.I
)
_PLANTS: Final = re.compile(r"\bplant\b", re.I)
"""What grows in an English sentence, and what somebody plans in a German one."""
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
_DOTTED: Final = re.compile(
    r"\b(?P<of>[^\W\d_]{2,20})\s(?P<mark>v?\d{1,4}\.\d{1,4}(?:\.\d{1,5})?)"
    r"(?![\w.,]*\d"
    r"|\s?%)(?:\s?(?P<unit>[^\W\d_]{1,12}))?"
)
"""A number of a version behind what it is the version of: "driver 2.3"."""
_LONGEST_MARK: Final = 5
_LEAST_PREFIX: Final = 5
_LONGEST_ENDING: Final = 2


def without_lookalikes(text: str) -> str:
    """A text without its words that are a condition in another language: "se trouve", "älter als"."""
    lookalike = _LOOKALIKES.get(told_language(text))
    return lookalike.sub(" ", text) if lookalike else text


def is_restricted(text: str, known: str) -> bool:
    """Whether an answer holds only for, in or during something of which the question and the other answer know nothing.

    Args:
        text: the answer.
        known: the question and the other answer.
    """
    if any(date.month for date in dates_of(text)[0]) and not dates_of(known)[0]:
        return True
    others = set(terms(known)) | _ALL
    return any(
        phrase and not any(is_one_of(word, others) for word in phrase) for phrase in _phrases(text, others)
    )


def are_placed_apart(one: str, other: str, question: str) -> bool:
    """Whether two answers hold before and after, or during and outside, the same: "during rush hour", "outside rush
    hour"."""
    known = set(terms(question)) | _ALL
    mine, theirs = _placed(one, known), _placed(other, known)
    return any(mine[word].isdisjoint(theirs[word]) for word in mine.keys() & theirs.keys())


def _placed(text: str, known: Collection[str]) -> dict[str, set[str]]:
    """The words that restrict an answer, by the word before their phrase."""
    found: dict[str, set[str]] = {}
    tokens = list(WORD.finditer(text))
    for n, token in enumerate(tokens):
        if (low := token[0].lower()) in _SIDES:
            for word in _phrase(text, tokens[n:], _SIDES):
                if word not in known:
                    found.setdefault(word, set()).add(low)
    return found


def is_of_other_moment(one: str, other: str, question: str) -> bool:
    """Whether one of two statements tells what was at a moment of its own: "last night", "this year".

    What somebody "will tell you" is so now.
    """
    if _EARLIER.search(question) is None and bool(_EARLIER.search(one)) != bool(_EARLIER.search(other)):
        return True
    told, otherwise = (set(_MOMENT.found(_TELLER.sub("", text))) for text in (one, other))
    return not _MOMENT.is_in(question) and told != otherwise


def is_unreal(text: str) -> bool:
    """Whether a statement tells what somebody wants or plans."""
    text = _NOT_PLANNED.sub(" ", text)
    return _UNREAL.is_in(_PLANTS.sub(" ", text) if report_language(text) == "en" else text)


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
    found |= {match["mark"] for match in _DOTTED.finditer(text) if _is_version(match)}
    words = WORD.findall(text)
    for word, behind in pairwise(words):
        if behind[0].isdigit() and len(behind) <= _LONGEST_MARK and stem(word.lower()) in subject.words:
            found.add(behind)
    return found


def _is_version(dotted: re.Match[str]) -> bool:
    """Whether a number with a point is that of a version, and no amount."""
    return (
        dotted["of"].lower() not in STOPWORDS
        and (dotted["unit"] or "").lower() not in UNITS.keys() | POWERS.keys()
    )


def is_one_of(word: str, known: Collection[str]) -> bool:
    """Whether a stem is among others, or one of them has another ending of the same word ("otwarty", "otwarta")."""
    if word in known:
        return True
    start = word[: max(_LEAST_PREFIX, len(word) - _LONGEST_ENDING)]
    return len(start) >= _LEAST_PREFIX and any(
        one.startswith(start) and len(one) <= len(start) + 2 * _LONGEST_ENDING for one in known
    )


def _phrases(text: str, known: Collection[str]) -> Iterator[list[str]]:
    """The stems of the words behind each word that may restrict an answer, up to the end of their phrase.

    A phrase that begins a sentence ends, where no comma does it, before what is known: "For companies Loomboard costs".
    """
    text = _SETTLED.sub(" , ", text)
    tokens = list(WORD.finditer(text))
    placing = _PLACING.get(report_language(text), _ANY_PLACING)
    for n, token in enumerate(tokens):
        low = token[0].lower()
        before = tokens[n - 1][0].lower() if n else ""
        if low not in placing or before in _INCLUSIVE or (low == "to" and before not in _TO_WHOM):
            continue
        phrase = _phrase(text, tokens[n:], placing)
        yield (
            list(takewhile(lambda word: not is_one_of(word, known), phrase)) or phrase[:1]
            if n == 0
            else phrase
        )


def _phrase(text: str, tokens: Sequence[re.Match[str]], placing: Collection[str]) -> list[str]:
    """The stems of the words behind the first one that may restrict an answer; none where they restrict nothing."""
    phrase: list[str] = []
    has_amount = False
    for before, word in pairwise(tokens):
        low = word[0].lower()
        has_amount = has_amount or low in NUMBER_WORDS
        if set(text[before.end() : word.start()]) & set(",;:()") or low in placing:
            break
        if phrase and low in STOPWORDS:
            break
        is_first = before is tokens[0]
        if is_first and (low in _OWN or low.endswith(_PURPOSE.get(before[0].lower(), "\n"))):
            return []
        if low[0].isdigit():  # an amount restricts nothing
            return []
        if low in UNITS and UNITS[low][0] in _TIMES and not has_amount and not phrase:  # "for months"
            return []
        if (low not in STOPWORDS or stem(low) in _ALL) and low not in NUMBER_WORDS:
            phrase.append(stem(low))
        if len(phrase) == _PHRASE_WORDS:
            break
    return phrase
