"""Say whether a sentence is about something else than what is asked: a part of it, what stands on it, a variant."""

import re
from itertools import pairwise
from typing import Final

from planner.audit.lexicon.classes import PERSONS
from research_crawler.text.subject import VARIANTS, subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_VARIANTS: Final = re.compile(
    r"(?<![\w-])(?P<which>[^\W_][\w-]{0,30}+)\s(?P<of>modes?|cycles?|phases?|quality|settings?|editions?"
    r"|versions?|variants?|models?"
    r"|configurations?|levels?|stages?|sizes?|class|category|categories|seasons?|shifts?|trims?|plans?|tiers?"
    r"|conditions"
    r"|modus|zyklus|phase|ausgabe|fassung|ausführung|stufe|größe|klasse|version|édition|niveau|taille|edición"
    r"|modo|nivel"
    r"|edizione|modello|livello)\b",
    re.I,
)
_NUMBERED: Final = re.compile(
    r"\b(?P<of>(?i:size|class|mode|level|edition|plan|setting|model|category|zone|group|type|stage|phase|gear"
    r"|line|route|gate|floor"
    r"|größe|klasse|stufe|zone|gruppe|typ|linie|taille|classe|niveau|ligne|talla|clase|nivel|línea|taglia|livello"
    r"|linea|maat|lijn))\s"
    r"(?P<which>[A-Z]{1,4}|\d{1,4}[a-z]?)\b(?!\s?%)"
)
"""One of several by its letter or number: "size S", "zone 2"."""
_PART_OF: Final = re.compile(
    r"(?<!\bany )(?<!\bevery )(?<!\beach )(?<!\ball )\b(?P<part>parts?|sections?|stages?|legs?|segments?|halves"
    r"|half|quarters?|districts?|neighbou?rhoods?|suburbs?"
    r"|wings?|floors?|storeys?|branch(?:es)?|departments?|halls?|decks?|lanes?|arms?|basins?|bays?|centres?"
    r"|outskirts|balcony|balconies|terrace|gallery|platform|courtyard|lobby|garden|annexe?|basement|roof|foot"
    r"|base|entrance|core"
    r"|kernel|shell|strap|charger|battery|lens|remote|box|tank|motor|cable|packaging|(?<!in the )case|lining|lid"
    r"|handle|cover|casing|screen|keyboard|interior|exterior|plattform|terrasse|balkon"
    r"|hof|garten|keller|dach"
    r"|kern|gehäuse|deckel|griff|restaurants?"
    r"|teil|abschnitt|etappe|hälfte|viertel|stadtteil|altstadt|flügel|stockwerk|abteilung|partie|étape|quartier"
    r"|moitié"
    r"|aile|étage|piano|parte|etapa|barrio|mitad|sección|tappa|quartiere|metà|ala|sezione|deel|etappe|wijk|helft"
    r"|vleugel"
    r"|część|etap|dzielnica|połowa|bairro|metade)"
    r"\s(?:[^\W\d_]{1,20}\s){0,2}?(?:(?:of|von|vom|des|der|du|de|del|della|di|van|w|da|do)\s|dell['’])",
    re.I,
)
_BESIDE: Final = re.compile(
    r"^\W{0,3}(?:(?:the|an?|der|die|das|le|la|el|il|de|het)\s)?(?P<what>[^\W\d_]{3,25}(?:\s[^\W\d_]{3,25})?)\s"
    r"(?:for|on|near|around|beside|behind|above|below|outside|next to|opposite|auf|bei|um|an|sur|près de|autour de"
    r"|cerca de|op)\s"
    r"(?:the\s|der\s|die\s|dem\s|den\s|le\s|la\s|el\s|het\s"
    r"|de\s)?(?:(?-i:[A-Z])[\w'’-]{1,30}\s)?(?P<of>(?-i:[A-ZÀ-Þ])[\w'’-]{1,30})",
    re.I,
)
"""Something that stands on or near something else."""
_PLAIN_VARIANTS: Final = VARIANTS & frozenset(
    ("mini", "pro", "max", "lite", "junior", "compact", "deluxe", "ultra", "premium", "micro", "nano")
)
"""Words for a variant that mean nothing else behind a name, with a capital or without."""


def variant_named(text: str, question: str) -> str:
    """The variant of the question's subject that a text names: "mini" of "the Rask hub mini"; empty if none."""
    known, subject = set(terms(question)), subject_of(question).words
    words = [word.lower() for word in WORD.findall(text)]
    for n, word in enumerate(words):
        if stem(word) in subject:
            behind = next((one for one in words[n + 1 :] if stem(one) not in known), "")
            if behind in _PLAIN_VARIANTS:
                return behind
    return ""


def named_variant(text: str, known: str, question: str) -> bool:
    """Whether a name stands right behind that of the question's subject which the others do not have: "the Lima Kids
    bottle"."""
    subject, others = subject_of(question).words, set(terms(known))
    words = list(WORD.finditer(text))
    for before, word in pairwise(words):
        is_next = (
            text[before.end() : word.start()] == " "
            and word[0][0].isupper()
            and word[0].lower() not in STOPWORDS
        )
        if (
            is_next
            and before[0][0].isupper()
            and stem(before[0].lower()) in subject
            and stem(word[0].lower()) not in others
        ):
            return word[0][1:].islower() or word[0].isupper()
    return False


def is_of_part(text: str, known: str) -> bool:
    """Whether a sentence is about a part of something ("the first stage of the trail") of which the others do not
    speak."""
    parts = (match["part"].lower() for match in _PART_OF.finditer(text))
    return any(stem(part) not in terms(known) for part in parts)


def is_beside(text: str, known: str, question: str) -> bool:
    """Whether a sentence is about something on or near the question's subject: "the hut on the Grauhorn"."""
    match = _BESIDE.match(text)
    if not match or PERSONS.is_in(match["what"]):
        return False
    subject = subject_of(question).words
    return stem(match["of"].lower()) in subject and not set(terms(match["what"])) & set(terms(known))


def variants_differ(one: str, other: str) -> bool:
    """Whether both name another one of the same: "in the WLTP cycle", "in the EPA cycle"."""
    mine, theirs = _variants(one), _variants(other)
    return any(mine[of].isdisjoint(theirs[of]) for of in mine.keys() & theirs.keys())


def _variants(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in _NUMBERED.finditer(text):
        found.setdefault(stem(match["of"].lower()), set()).add(match["which"].lower())
    for match in _VARIANTS.finditer(text):
        if (which := match["which"].lower()) not in STOPWORDS:
            found.setdefault(stem(match["of"].lower()), set()).add(which)
    return found
