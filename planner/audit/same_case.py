"""Say whether two statements are about the same case: what holds in one mode, cycle or year is not denied by what
holds in another one."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

from planner.audit.lexicon.contrasts import measures_apart
from planner.audit.other_things import is_beside, is_of_part, named_variant, variant_named, variants_differ
from planner.audit.restrictions import is_with_and_without
from planner.goal.language import report_language
from planner.verify.dates import Date, dates_of
from planner.verify.figures import Figure
from research_crawler.text.subject import subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_FRONTED: Final = re.compile(
    r"^\W{0,3}(?:(?:to|towards|for|from|on|für|nach|ab|auf|pour|depuis|vers|sur|para|desde|hacia|per|da|su|voor|naar"
    r"|vanaf|op|na|od)(?=\s(?:the|an?|der|die|das|den|dem|eine?[nmr]?|l[ae]s?|une?|los|gli|il|de|het|een)\s"
    r"|\sl['’]|\s(?-i:[A-ZÀ-Þ]))"
    r"|(?:for|für|voor|dla)(?=\s[^,;:.]{2,40},)"
    r"|in|al(?:la)?|nel(?:la)?|with|without|among|between|at|under|during|when|while|if|bei|mit|ohne|im|beim|unter"
    r"|während|wenn"
    r"|avec|sans|pendant|chez|en|con|sin|durante|senza|met|zonder|tijdens|com|sem|bez|podczas)\s"
    r"(?:the |an? |der |die |das |dem |den |einem |einer |le |la |les |el |los |las |il |lo |de |het |o |os )?"
    r"(?P<what>(?:[^,;:()]|,(?=\d)){2,80})",
    re.I,
)
"""A case that a sentence begins with: "In boost mode the motor …", "Among teenagers, …", "Without a tripod …"."""
_ENDS_PHRASE: Final = re.compile(
    r"\s(?:the|an?|it|its|he|she|they|we|you|there|this|that|is|are|was|were|does?|can|der|die|das|er|sie|es|wir"
    r"|man|le"
    r"|la|les|il|elle|on|el|los|las|lo|gli|het|een|o|os|as)\s",
    re.I,
)
_AT_MOST: Final = re.compile(
    r"^\W{0,3}\w+\s(?:its|their)\s(?:[a-z]{2,12}est|most [a-z]+|maximum|full)\b", re.I
)
"""The very value that is asked: "At its deepest point"."""
_LONGEST_CASE: Final = 6
"""Words of a fronted phrase that are looked at where no comma ends it."""
_AMOUNTS: Final = re.compile(r"\d(?:[\d.,]*\d)?")
_NO_CASE: Final = frozenset(
    map(
        stem,
        """total all general fact contrast addition short practice test tests testing measurement use review report
        study survey experience opinion view case end meantime today yesterday monday tuesday
        wednesday thursday friday saturday sunday week month year time day
        first example instance comparison statement interview letter page article""".split(),  # noqa: SIM905  # a list of words reads better so
    )
)
"""Words of phrases that say who tells something, or when, and not in which case it holds."""
_DEFAULT: Final = re.compile(
    r"\b(?:by default|defaults?|standardmäßig|voreinstellung|voreingestellt|par défaut|por defecto|predeterminad[oa]"
    r"|predefinit[oa]|standaard|domyślnie|por padrão)\b",
    re.I,
)
_PLACED: Final = re.compile(
    r"\b(?:above|below|beneath|from|away|north|south|east|west|inland|offshore|off|outside|beyond|behind|inside"
    r"|über|unter"
    r"|vor|hinter|von|entfernt|nördlich|südlich|östlich|westlich|au-dessus|sous|loin|au nord|au sud|sobre|bajo"
    r"|al norte"
    r"|al sur|sopra|sotto|boven|onder)\b",
    re.I,
)
_ASKS_PLACE: Final = re.compile(
    r"\b(?:far|distance|above|below|altitude|elevation|away|from|weit|entfernt|entfernung|über|loin|distance|lejos"
    r"|distancia|lontano|ver|afstand)\b",
    re.I,
)
_NAME_RUN: Final = re.compile(r"(?<![\w'’-])[^\W\d_][\w'’-]*+(?:\s(?-i:[A-ZÀ-Þ])[\w'’-]*+)+")
_RISES: Final = re.compile(
    r"\b(?:ris(?:es|ing)|rose|tower(?:s|ing)|soar(?:s|ing)|ragt|erhebt|élève|eleva|alza|innalza|verheft|wznosi)\W",
    re.I,
)
"""Words before a height that is measured from the ground: "rises 94 metres above the river"."""
_IT_IS: Final = re.compile(
    r"\b(?:it is|it['’]s|you walk|you drive|sind es|ist es|il y a|hay|ci sono|is het)\s(?:about\s|another\s)?$",
    re.I,
)
"""Words before how far it is from there: "From the bridge it is 900 metres to the station"."""
_PLACE_WORDS: Final = 2
"""How many words after a length may say that it is a distance: "21 metres above the sea", "200 m further north"."""
_MANNERS: Final = (
    ("needed", re.compile(r"\b(?:in|within|innerhalb von|binnen|dans|entro)\W{1,2}$", re.I)),
    (
        "every",
        re.compile(
            r"\b(?:every|each|per|alle|jede[rsn]?|tou(?:te)?s les|chaque|cada|ogni|elke)\W{1,2}$", re.I
        ),
    ),
    ("after", re.compile(r"\b(?:after|nach|après|después de|dopo|na)\W{1,2}$", re.I)),
)
"""What the word before a time makes of it: how long something takes, how often it comes, when it begins."""
_ENDS_AFTER: Final = re.compile(
    r"\b(?:delet|remov|expir|end(?:s|ed)|stop|died?s?\b|empty|dark|gelösch|lösch|entfern|verfäll|verfall|leer"
    r"|supprim|efface"
    r"|expire|elimin|borra|caduc|cancell|scad|verwijder|verloop|usuwa|usuni|wygas|apaga)\w*[^.;]{0,30}"
    r"\b(?:after|nach|après|después de|dopo|na|po|depois de)\W{1,2}$",
    re.I,
)
"""What is deleted after so many days was kept for so many."""
_ENDS: Final = re.compile(
    r"\b(?:delet|remov|expir|ends?\b|stops?\b|dies?\b|lösch|entfern|verfäll|supprim|efface|elimin|borra|caduc"
    r"|cancell|scad"
    r"|verwijder|verloop|usuwa|wygas|apaga)",
    re.I,
)
_LASTS: Final = re.compile(r"^\W{0,2}(?:of|long|lang|de|di)\b", re.I)
_LASTING: Final = re.compile(r"\b(?:for|lasts?|lasted|hält|dure|dura|duurt)\W{1,2}$", re.I)
_BEFORE: Final = 24
_BESIDE_YEAR: Final = 3
"""Most words between a number and the year of which it is."""
_AND: Final = frozenset(("and", "und", "et", "y", "e", "en", "i", "was", "wurde", "fut", "fue", "fu", "werd"))
_AMOUNT: Final = re.compile(r"[\d.,’'\s]*")


def is_other_case(one: str, other: str, *, question: str = "", names_answer: bool = False) -> bool:
    """Whether a statement names a case, a variant or a sibling that the other one does not speak of.

    Args:
        one: the first statement.
        other: the second statement.
        question: what both answer; a case that it names is the one that is asked about.
        names_answer: a name is what answers, so that another one is no sibling.
    """
    if variants_differ(one, other) or _is_default_of_one(one, other, question):
        return True
    if is_with_and_without(one, other):
        return True
    if is_beside(one, f"{other} {question}", question) or is_beside(other, f"{one} {question}", question):
        return True
    if is_of_part(one, f"{other} {question}") or is_of_part(other, f"{one} {question}"):
        return True
    if _has_case_of_its_own(one, f"{other} {question}") or _has_case_of_its_own(other, f"{one} {question}"):
        return True
    if names_answer:
        return False
    if question and _is_of_variant(one, other, question):
        return True
    return subject_of(_undated(one)).is_neighbour(_undated(other)) or subject_of(
        _undated(other)
    ).is_neighbour(_undated(one))


def _is_of_variant(one: str, other: str, question: str) -> bool:
    """Whether a statement is about a variant of the question's subject that the other one does not name."""
    if variant_named(one, question) != variant_named(other, question):
        return True
    if report_language(question) == "de":  # where every noun has a capital
        return False
    known = f"{question} {other}", f"{question} {one}"
    return named_variant(one, known[0], question) or named_variant(other, known[1], question)


def is_titled_otherwise(title: str, text: str, question: str) -> bool:
    """Whether a sentence that does not name the subject of a question stands on a page about something with a longer
    name: "The wooden tower is 9 metres high" under "Skelder Low Light"."""
    subject = subject_of(question)
    if not subject.words or subject.share(text):
        return False
    known = set(terms(question))
    runs = (match[0] for match in _NAME_RUN.finditer(title))
    return any(subject.words & set(terms(run)) and not set(terms(run)) <= known for run in runs)


def is_same_time(dates: Sequence[Date], others: Sequence[Date]) -> bool:
    """Whether two statements can be about the same time: what holds in 2019 does not contradict what holds in 2024,
    and neither does that of one day what held on another."""
    years, other_years = _of(date.year for date in dates), _of(date.year for date in others)
    if years and other_years and not years & other_years:
        return False
    days, other_days = ([date for date in both if date.month] for both in (dates, others))
    return not days or not other_days or any(one.fits(other) for one in days for other in other_days)


def is_distance(figure: Figure, text: str, question: str = "") -> bool:
    """Whether a length says how far something is from something else, unless the question asks for just that."""
    if figure.unit != "m" or _ASKS_PLACE.search(question):
        return False
    before, behind = _around(figure, text)
    if _RISES.search(before):
        return False
    if _IT_IS.search(before):
        return True
    words = WORD.findall(behind)[1 : 1 + _PLACE_WORDS]  # the unit is the first
    return _PLACED.search(" ".join(words)) is not None


def is_other_measure(one: Figure, text: str, other: Figure, other_text: str, question: str = "") -> bool:
    """Whether two numbers of one unit measure different things: a size and a distance, how long something takes and
    how long it lasts. Where a question asks how far it is, all of them are distances."""
    if is_distance(one, text, question) != is_distance(other, other_text, question) or measures_apart(
        text, other_text
    ):
        return True
    manners = {_manner_of(one, text), _manner_of(other, other_text)} - {""}
    return len(manners) > 1


def year_of_figure(figure: Figure, text: str) -> str:
    """The year in which a sentence says that its number held: "In 1950 it had 3,200", "3,200 inhabitants in 1950";
    empty if it has none, or if the year is that of something else in it."""
    years = [date for date in dates_of(text)[0] if date.year]
    if len(years) != 1:
        return ""
    start, place = text.find(years[0].text), text.find(figure.text)
    first, second = sorted([(start, len(years[0].text)), (place, len(figure.text))])
    between = WORD.findall(text[first[0] + first[1] : second[0]])
    is_first = len(WORD.findall(text[:start])) <= 1
    is_beside = len(between) <= _BESIDE_YEAR and _AND.isdisjoint(word.lower() for word in between)
    return str(years[0].year) if is_first or is_beside else ""


def _manner_of(figure: Figure, text: str) -> str:
    """How a time is meant: `needed`, `every`, `after` or `lasts`; empty if the words beside it do not say."""
    if figure.unit not in ("second", "month"):
        return ""
    before, behind = _around(figure, text)
    if _ENDS_AFTER.search(text[: max(0, text.find(figure.text))]):
        return "lasts"
    if manner := next((name for name, pattern in _MANNERS if pattern.search(before)), ""):
        return "lasts" if manner == "after" and _ENDS.search(behind) else manner
    is_lasting = _LASTING.search(before) or _LASTS.match(behind.lstrip(" -").partition(" ")[2])
    return "lasts" if is_lasting else ""


def _around(figure: Figure, text: str) -> tuple[str, str]:
    """What stands before a number, and what behind it, its unit first."""
    start = max(0, text.find(figure.text))
    amount = figure.text if figure.spelled or not (digits := _AMOUNT.match(figure.text)) else digits[0]
    return text[max(0, start - _BEFORE) : start], text[start + len(amount) :][: 2 * _BEFORE]


def _has_case_of_its_own(text: str, known: str) -> bool:
    """Whether a sentence begins with a case of which the other texts have no word."""
    fronted = _FRONTED.match(_undated(text))
    if not fronted:
        return False
    if _AT_MOST.search(fronted[0]):
        return False
    phrase = _ENDS_PHRASE.split(f"{fronted['what']} ", maxsplit=1)[0]
    rest, others = text[fronted.end() :], set(terms(known))
    words = WORD.findall(phrase)[:_LONGEST_CASE]
    if rest[:1] != ",":  # where no comma ends it, what is known is behind it
        words = list(takewhile(lambda word: stem(word.lower()) not in others, words))
    if any(word[0].isdigit() for word in words) and len(_AMOUNTS.findall(text)) == 1:
        return False  # "with its 101 metres, the dam …" is the value itself
    stems = {stem(word.lower()) for word in words if word.lower() not in STOPWORDS and not word[0].isdigit()}
    return bool(stems) and not stems & others and stem(words[-1].lower()) not in _NO_CASE


def _is_default_of_one(one: str, other: str, question: str) -> bool:
    """Whether one tells what holds as long as nobody changes it, and the other one what somebody has chosen."""
    defaults = [_DEFAULT.search(text) is not None for text in (one, other)]
    return defaults[0] != defaults[1] and not _DEFAULT.search(question)


def _undated(text: str) -> str:
    return dates_of(text)[1]


def _of(numbers: Iterable[int]) -> set[int]:
    return {number for number in numbers if number}
