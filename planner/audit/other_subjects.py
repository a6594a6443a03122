"""Say whether a sentence tells of what only belongs to the subject of a question: its manual, the hill below it."""

import re
from functools import lru_cache
from typing import Final

from planner.audit.asked_numbers import counted_words
from planner.audit.lexicon.classes import PERSONS
from planner.audit.lexicon.word_lists import WordList
from planner.audit.restrictions import is_one_of
from planner.audit.told_events import tells_what_is_asked
from planner.verify.units import UNITS
from research_crawler.text.subject import subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_FRONTED: Final = re.compile(
    r"^\W{0,3}(?:in|on|at|with|for|from|to|under|after|before|since|during|bei|mit|nach|im|am|avec"
    r"|con)\s[^,;:.]{2,60},\s",
    re.I,
)
_LEAD: Final = re.compile(
    r"^\W{0,3}(?:(?:the|an?|some|most|every|each|all|any|der|die|das|ein|eine|le|la|les|un|une|el|los|las|una"
    r"|il|lo|gli|i|de|het|een|o|os|as)\s)?"
    r"(?P<lead>[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20}){0,2}?)\s"
    r"(?:of|for|in|on|at|from|under|behind|inside|near|to|von|vom|des|der|für|im|am|in|du|de|del|della|di|do"
    r"|da|van|w|pour|para)\s"
    r"(?:(?:the|which|der|die|dem|den|le|la|el|los|il|de|het)\s){0,2}(?P<of>[^.,;:]{2,60})",
    re.I,
)
_OF: Final = re.compile(
    r"\b(?P<lead>[^\W\d_]{3,20})\s(?:of|at|von|vom|des|der|du|de|del|della|di|do|da|van)\s(?=(?:(?:the|der"
    r"|die|le|la|el|il|de|het)\s)?"
    r"(?P<of>[^.,;:]{2,40}))",
    re.I,
)
"""Something that belongs to something."""
_WITHIN: Final = re.compile(
    r"\b(?:in|on|at|inside)\sthe\s(?P<what>(?:[a-z]{2,15}\s){0,2}[a-z]{3,15})\sof\s(?:the\s)?(?P<of>[^.;:,]{2,40})",
    re.I,
)
_PLACES: Final = frozenset(
    """
    town city village parish state province region island county country municipality river lake
    mountain sea valley republic kingdom district case middle form shape name year age course light
    hands
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""What stands before the name of a place or a thing and is the place itself: "the town of Merrowby"."""
_WHOLE: Final = WordList.of(
    "whole, entire, total, rest, all, number, length, height, depth, weight, width, size, price, cost"
    ", costs, fee, toll"
    ", fare, speed, age, capacity, population, area, duration, limit, temperature, entrance, entry"
    ", admission, trip, ride"
    ", journey, crossing, ticket, tickets, way, visit, night, day, year, home, seat, name, owner, author"
    ", maker, member"
    ", members, date, time, version, people, inhabitants, residents, membership, default, use, using"
    ", länge, höhe, tiefe, breite, profondeur, profondità, lunghezza, larghezza, profundidad, anchura"
    ", diepte, hoogte, lengte"
    ", gewicht, preis, eintritt, fahrt, eintrittspreis, einwohner, zahl, hauteur, longueur, poids, prix"
    ", entrée, superficie, altura, longitud, peso, precio, entrada, ingresso, biglietto, altezza, prezzo"
    ", toegang, kaartje"
    ", overtocht, wstęp, bilet"
)
"""What is told of a thing by naming a quality of it, or those who use it."""
_SHARES: Final = frozenset(
    """
    third thirds half quarter quarters majority minority percent hälfte drittel moitié tiers
    """.split()  # noqa: SIM905  # a list of words reads better so
)
_ITS: Final = re.compile(
    r"\b(?:its|their|his|her|sein\w*|ihr\w*|s(?:a|on|es|u|us|uo|ua)) (?P<what>[^\W\d_]{3,20})", re.I
)
"""What stands behind it is told of the whole: "the government of Estrava sits in its capital"."""
_TELLERS: Final = WordList.of(
    "manual, handbook, label, brochure, datasheet, sheet, website, maker, manufacturer, seller, sellers"
    ", instructions, guide"
    ", documentation, docs, review, report, study, test, tests, survey, census, leaflet, page"
    ", specification, specifications"
    ", hersteller, handbuch, anleitung, prospekt, notice, manuel, fabricant, fabricante, manuale"
)
_SAYS: Final = re.compile(
    r"\b(?:says?|said|states?|stated|allows?|gives?|gave|lists?|names?|recommends?|claims?|tells?|permits?"
    r"|specif\w+|mentions?|puts?"
    r"|reads?|promises?|shows?|found|finds?|sagt|nennt|gibt|erlaubt|indique|annonce|dice|indica)\b",
    re.I,
)
"""Whose word a sentence gives: "The manual of the Kestrel allows 40 kg"."""
_NEAR_SUBJECT: Final = 3
"""Words among which the subject is named behind "of"."""


@lru_cache(maxsize=2_048)
def is_of_another_subject(text: str, question: str) -> bool:
    """Whether a sentence is about what belongs to the question's subject, is beside it or is within it.

    "Metrics of the Sieve broker are served on port 9464" tells nothing of the port of the broker, nor does "The hill on
    which the mast stands is 480 metres high" tell how high the mast is.
    """
    subject = subject_of(question).words
    if not subject:
        return False
    known = {stem(word.lower().removesuffix("'s")) for word in WORD.findall(question)}
    lead = _LEAD.match(_FRONTED.sub("", text))
    if lead and _TELLERS.is_in(lead["lead"]) and _SAYS.search(text):
        return False
    if (its := _ITS.search(text)) and is_one_of(stem(its["what"].lower()), known):
        return False
    if lead and _names_subject(lead["of"], subject) and _is_another(lead["lead"], known, question):
        return True
    within = _WITHIN.search(text)
    if not within or any(word in UNITS for word in counted_words(question)):
        return False
    return _names_subject(within["of"], subject) and _is_within(within["what"], known)


def are_of_two_subjects(one: str, other: str, question: str) -> bool:
    """Whether two sentences are about different things of the question's subject: its pizza and its tiramisu."""
    subject = subject_of(question).words
    known = {stem(word.lower().removesuffix("'s")) for word in WORD.findall(question)}
    mine, theirs = (
        {
            stem(match["lead"].lower())
            for match in _OF.finditer(text)
            if _names_subject(match["of"], subject) and _is_another(match["lead"], known, question)
        }
        for text in (one, other)
    )
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _names_subject(text: str, subject: frozenset[str]) -> bool:
    words = WORD.findall(text)[:_NEAR_SUBJECT]
    return any(stem(word.lower().replace("’", "'").removesuffix("'s")) in subject for word in words)


def _is_another(lead: str, known: set[str], question: str) -> bool:
    words = [word.lower() for word in WORD.findall(lead)]
    if lead[:1].isupper() and any(word[0].isupper() for word in WORD.findall(lead)[1:]):  # a name
        return False
    if not words or words[-1] in STOPWORDS or _WHOLE.is_in(lead) or PERSONS.is_in(lead):
        return False
    if not _SHARES.isdisjoint(words) or any(is_one_of(stem(word), known) for word in words):
        return False
    return not tells_what_is_asked(question, lead) and bool(terms(lead))


def _is_within(what: str, known: set[str]) -> bool:
    words = what.lower().split()
    if any(is_one_of(stem(word), known) for word in words) or _WHOLE.is_in(what):
        return False
    return words[-1] not in _PLACES or (len(words) > 1 and words[-1] != "case")
