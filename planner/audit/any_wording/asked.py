"""Read which kind of answer a question asks for: an amount with its units, a time, somebody, a place, a thing."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from planner.audit.asked_numbers import asks_number, counted_words
from planner.audit.yes_or_no import asked_yes_or_no
from planner.verify.units import UNITS
from research_crawler.text.subject import subject_of
from research_crawler.text.words import ASKING, STOPWORDS, WORD, stem

Kind = Literal["amount", "time", "who", "where", "thing", "yes_no"]

_MONEY: Final = frozenset(("usd", "eur", "gbp", "jpy", "money"))
_LENGTH, _TIME, _WEIGHT = frozenset("m"), frozenset(("second", "month")), frozenset("g")
_UNITS_ASKED: Final = (
    (re.compile(r"\b(?:share|percentage|per ?cent|proportion|fraction|anteil|prozent|part de|porcentaje)\b", re.I),
     frozenset("%")),
    (re.compile(r"\b(?:weigh\w*|weight|heavy|wiegt|schwer|gewicht|pèse|poids|pesa|peso|weegt|zwaar|waży)\b", re.I),
     _WEIGHT),
    (re.compile(r"\b(?:tall|high|height|deep|depth|thick|wide|width|far|distance|altitude|elevation|kilomet\w+|miles"
                r"|hoch|tief|breit|weit|haut\w*|profond\w*|mide|alt[ao]|hoog|diep|wysok\w*)\b", re.I), _LENGTH),
    (re.compile(r"\b(?:duration|period|how long (?:does|do|did|has|have|will|can|may|must|was the (?:siege|war"
                r"|reign))"
                r"|wie lange|combien de temps|cuánto (?:tiempo|dura|tarda)|quanto (?:tempo|dura)|hoe lang duurt"
                r"|jak długo)\b",
                re.I), _TIME),
    (re.compile(r"\b(?:temperature|boil\w*|melt\w*|freez\w*|temperatur\w*|température)\b", re.I),
     frozenset(("°", "°c", "°f"))),
    (re.compile(r"\b(?:memory|ram|disk space|storage space|speicher)\b", re.I), frozenset(("byte",))),
    (re.compile(r"\bhow (?:much|many) .{2,60}\b(?:hold|contain)s?\b|\bwhat volume\b", re.I), frozenset("l")),
    (re.compile(r"\b(?:loud|noisy|laut)\b", re.I), frozenset(("db",))),
    (re.compile(r"\b(?:deposit|how much (?:is|are|was|were)|price|cost|costs|fee|fare|toll|fine for|salary|rent"
                r"|admission|ticket|worth|earn"
                r"|kostet|preis|eintritt|coûte|prix|cuesta|precio|costa|prezzo|kost|prijs|kosztuje)\b", re.I), _MONEY),
)  # fmt: skip
_CLOSED: Final = re.compile(
    r"(?:is|are|was|were|does|do|did|can|could|has|have|had|should|may|must|shall|will)\b.{3,200}\?\s*$", re.I
)
_OPEN: Final = re.compile(
    r"\b(?:wh(?:o|at|en|ere|y|ich)|how) (?:is|are|was|were|do|does|did|much|many)\b|\bor\b", re.I
)
_CAUSE: Final = re.compile(r"\b(?:cause[sd]?|why)\b", re.I)
_HOW_LONG: Final = re.compile(r"\b(?:how long|wie lang|quelle (?:est la )?longueur|hoe lang)\b", re.I)
_AGE: Final = re.compile(
    r"\b(?:how old|what age|which age|minimum age|wie alt|quel âge|qué edad|che età|hoe oud|ile lat)\b", re.I
)
_OFTEN: Final = re.compile(
    r"\b(?:how often|wie oft|à quelle fréquence|cada cuánto|hoe vaak|jak często)\b", re.I
)
_AMOUNT: Final = re.compile(
    r"\bhow (?:many|much|long|old|far|tall|high|deep|heavy|wide|fast|big|large|thick|loud|hot|cold|often)\b"
    r"|\bwhat (?:is|was|are|were) the (?:\w+ ){0,3}(?:age|fine|charge|deposit|rent|period|ph|point|number"
    r"|margin|share)\b"
    r"|\bwhat (?:age|share|percentage|proportion|fraction|port|speed|distance|weight|height|depth)\b"
    r"|\bwhat do(?:es)? .{2,60} cost\b"
    r"|\bwhich (?:port|percentage|share)\b",
    re.I,
)
_WHEN: Final = re.compile(
    r"\b(?:when|(?:which|what) (?:year|month|day|date)|wann|welche[mns]? (?:jahr|monat|tag)|quand"
    r"|quelle (?:année|date)|cu[aá]ndo|qu[eé] (?:año|fecha|ano)|quando|(?:che|quale) anno|wanneer|welk jaar|kiedy"
    r"|którym roku)\b",
    re.I,
)
_WHO: Final = re.compile(
    r"^\W{0,2}(?:(?:by|for|to|from|with|von|mit|par|por|da|door) )?(?:who|whom|whose|wer|wem|wen|qui|qui[eé]n"
    r"|chi|kto|quem)\b"
    r"|^wie (?:heeft|is|was|schreef|ontwierp|bouwde|won)\b|^(?:which|what) (?:team|person|man|woman|king"
    r"|queen|architect|club"
    r"|company|player|author|artist|singer|actor|party|country|firm)\b",
    re.I,
)
_WHERE: Final = re.compile(
    r"^\W{0,2}(?:(?:from|d['’]|de|von) ?)?(?:where|wo|woher|où|d[oó]nde|dove|waar|gdzie|onde)\b"
    r"|^(?:in|on|at) (?:which|what) (?:city|town|village|country|region|state|place|island|county|lake)\b",
    re.I,
)
_THING: Final = re.compile(
    r"\b(?:what|which|whose|welche[mnrs]?|quel(?:le)?|qué|che|quale|welke?|jak[ai]?)\s(?:kind of\s|type of\s"
    r"|sort of\s|(?:is|was|are"
    r"|were)\sthe\s)?(?:[a-z-]{3,15}\s){0,2}?(?P<thing>[^\W\d_]{3,20})(?=\s(?:do|does|did|is|are|was|were|has"
    r"|have|can|will|of|for"
    r"|to|in|the|attacks?)\b|\?)",
    re.I,
)
_LABELLED: Final = re.compile(r"\b(?:port|ph|channel|frequency|grade|level|score|rating|class)\b", re.I)
_MEASURED: Final = frozenset(
    """
    long high deep old heavy tall far wide often fast large loud hoch lang tief alt schwer weit
    """.split()  # noqa: SIM905  # a list of words reads better so
)
_ARTICLES: Final = frozenset("the der die das den dem la le el il het".split())  # noqa: SIM905
_NO_ASPECT: Final = frozenset(
    """
    default kind type sort year day date time times number amount does do did what which how many
    much people official
    """.split()  # noqa: SIM905  # a list of words reads better so
)


@dataclass(frozen=True)
class AskedAnswer:
    """What a question asks for."""

    question: str
    kind: Kind
    units: frozenset[str] = frozenset()
    """The units that an amount may have; empty: any, or none."""
    counted: frozenset[str] = frozenset()
    """The stems of what is counted."""
    is_count: bool = False
    is_age: bool = False
    is_often: bool = False
    labels: frozenset[str] = frozenset()
    """Words that stand before a number without a unit: a port, a pH."""
    thing: str = ""
    """The word for what kind of thing it asks for: an organ, a language."""

    @property
    def names(self) -> frozenset[str]:
        """The stems of the names in it."""
        return subject_of(self.question).words

    @property
    def aspects(self) -> tuple[str, ...]:
        """Its other words in lower case, by which it says what it asks of what it names: "burn" of "When did Torvall
        abbey burn down?". Words that say of what kind the named thing is count only where there are no others."""
        words = [word.replace("’", "'").removesuffix("'s") for word in WORD.findall(self.question)]
        names, found, kinds = self.names, list[str](), list[str]()
        for n, word in enumerate(words):
            low = word.lower()
            if (
                stem(low) in names
                or low in STOPWORDS - _MEASURED
                or low in ASKING | _NO_ASPECT
                or low[0].isdigit()
            ):
                continue
            is_kind = word[0].islower() and self._is_kind(words, n)
            (kinds if is_kind else found).append(low)
        return tuple(dict.fromkeys(found or kinds))

    @property
    def subject_words(self) -> frozenset[str]:
        """The stems of its names and of the words that say of what kind the named thing is."""
        words = [word.replace("’", "'").removesuffix("'s") for word in WORD.findall(self.question)]
        return self.names | {
            stem(word) for n, word in enumerate(words) if word[0].islower() and self._is_kind(words, n)
        }

    def _is_kind(self, words: list[str], n: int) -> bool:
        names = self.names
        follows = n > 0 and stem(words[n - 1].lower()) in names
        leads = (
            0 < n < len(words) - 1
            and words[n - 1].lower() in _ARTICLES
            and stem(words[n + 1].lower()) in names
        )
        return follows or leads


@lru_cache(maxsize=256)
def asked_answer_of(question: str) -> AskedAnswer | None:
    """What a question asks for; None if its answer has no kind that can be read."""
    bare = question.lstrip("¿ ")
    if asked_yes_or_no(question) or (_CLOSED.match(bare) and not _OPEN.search(bare)):
        return AskedAnswer(question, "yes_no")
    if _AGE.search(bare):
        return AskedAnswer(question, "amount", units=frozenset(("month",)), is_age=True)
    if _WHEN.search(bare):
        return AskedAnswer(question, "time")
    if _WHO.search(bare):
        return AskedAnswer(question, "who")
    if _WHERE.search(bare):
        return AskedAnswer(question, "where")
    if asks_number(question) or _AMOUNT.search(bare):
        return None if _CAUSE.search(bare) else _asked_amount(question)
    if not _CAUSE.search(bare) and (thing := _THING.search(bare)):
        word = thing["thing"].lower()  # several things may all be right
        return (
            None
            if word.endswith("s") and not word.endswith("ss")
            else AskedAnswer(question, "thing", thing=word)
        )
    return None


def _asked_amount(question: str) -> AskedAnswer:
    counted = counted_words(question)
    unit = next((UNITS[word][0] for word in counted if word in UNITS and len(word) > 2), "")
    if counted and not unit:
        return AskedAnswer(question, "amount", counted=frozenset(map(stem, counted)), is_count=True)
    if unit:
        return AskedAnswer(question, "amount", units=_TIME if unit in _TIME else frozenset((unit,)))
    if _OFTEN.search(question):
        return AskedAnswer(question, "amount", is_often=True)
    wanted = next((units for asks, units in _UNITS_ASKED if asks.search(question)), frozenset[str]())
    if not wanted and _HOW_LONG.search(question):
        wanted = _LENGTH | _TIME
    labels = (
        frozenset(match[0].lower() for match in _LABELLED.finditer(question))
        if not wanted
        else frozenset[str]()
    )
    return AskedAnswer(question, "amount", units=wanted, labels=labels)
