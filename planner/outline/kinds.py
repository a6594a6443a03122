"""What kind of thing answers a question, where its words say so: a number, a date or a name."""

import re

from research_crawler.text.subject import names_in

_NUMBER = re.compile(
    r"\bhow (?:many|much|tall|old|long|far|high|big|large|deep|heavy|wide|fast|hot|cold)\b"
    r"|\bwhat (?:percentage|share|number)\b",
    re.I,
)
_DATE = re.compile(
    r"\bwhen (?:was|were|did)\b|\b(?:in )?(?:which|what) (?:year|month|century|decade)\b|\bsince when\b", re.I
)
_PERSON = re.compile(r"\bwho(?:m|se)?\b(?! (?:can|could|should|may|must|would|do|does)\b)", re.I)
_VERSION = re.compile(r"\b(?:which|what) (?:version|release)s?\b", re.I)
_DURATION = re.compile(
    r"\bhow long (?:do|does|did|will|would|can|could|may|must|should)\b"
    r"|\b(?:for|after|since) how long\b"
    r"|\b(?:how many|after what number of) (?:seconds|minutes|hours|days|weeks|months|years)\b",
    re.I,
)
_HAS_VERSION = re.compile(r"\d\.\d|\b(?:version|release|v) ?\d", re.I)
_UNIT_OF_TIME = (
    r"(?:secs?|mins?|hrs?|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?)\b"
)
_HAS_DURATION = re.compile(
    rf"\b\d++(?:[.,]\d++)?[ .-]?(?:(?:ms|[smhdw])\b|{_UNIT_OF_TIME})"
    # A unit of one letter is one only after digits: "and" is no article with a unit.
    r"|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|few|several)[ .-]"
    rf"{_UNIT_OF_TIME}"
    r"|\b(?:always|forever|indefinitely|permanently|never)\b",
    re.I,
)
_HAS_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|fifty|hundred|thousand|million"
    r"|half|once|twice|quarter|third)s?\b",
    re.I,
)
_HOW_TO = re.compile(r"(?:^|[.!?] )how (?:do|can|could|should|must|would) (?:i|you|we|one|people)\b", re.I)
_WAY = re.compile(
    r"\b(?:you|your|use[sd]?|using|run|running|set|setting|settings|add|adding|edit|enable[ds]?|install(?:ed|ing)?"
    r"|creat(?:e|es|ed|ing)|type|press|choose|select|configure[ds]?|specif(?:y|ies|ied)|options?|commands?|directives?"
    r"|parameters?|must|should|needs?|can be|by [a-z]{2,16}ing|in order to|start|take|go|keep|put|click|open|restart"
    r"|make|turn|remove|replace|allows?|lets?)\b"
    r"|[A-Za-z]_[A-Za-z]|(?:^|\s)--?[A-Za-z]|[/\\$={}<>]|\w\(\)",
    re.I,
)
"""What a text has that says how something is done: an instruction, a means, code."""
_WHEN = re.compile(
    r"(?:^|[.!?] )when (?:do|does|is|are|will|would|should|can|could|must|may)\b",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:when(?:ever)?|if|once|after|before|until|unless|while|during|as soon as|as long as|in cases?"
    r"|each time|every (?:time|second|minute|hour|day)"
    r"|exceed\w*|reach(?:es|ed)?|thresholds?|automatic(?:ally)?|periodic(?:ally)?|regular(?:ly)?|by default|useful"
    r"|recommended|appropriate|suitable|typical(?:ly)?|reasons?|purposes?|better|should|instead|rather than|needed"
    r"|required|for example|on (?:startup|exit|boot|demand))\b|\d",
    re.I,
)
"""What a text has that says when something happens or is done: a condition, a time, a use."""
_WHAT_IT_IS = re.compile(
    r"(?:^|[.!?] )(?:(?:what(?: is| are|['’]s)|explain) (?:an? |the )?[\w.+-]+(?: [\w.+-]+){0,3} ?(?:\?|$)"
    r"|what (?:does|do) [^?]{1,60} (?:do|mean)\b|what (?:is|are) [^?]{1,60} (?:used )?for\b|what is the purpose\b"
    r"|when (?:should|would|do|could) (?:i|you|we|one) (?:use|choose|prefer|take)\b"
    r"|why (?:should|would|do) (?:i|you|we|one) (?:use|choose|need)\b)",
    re.I,
)
_HAS_DATE = re.compile(
    r"\b(?:1\d|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)?(?: century|\.\d|/\d)"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b",
    re.I,
)


def is_answer_kind(question: str, text: str) -> bool:
    """Whether a text holds the kind of thing that an English question asks for; True where the question does not say.

    `how tall` needs a number, `how long does` a duration, `since which version` a version, `when was` a date, and
    `who built` a name that the question does not have.
    """
    if _DURATION.search(question):
        return _HAS_DURATION.search(text) is not None
    if _NUMBER.search(question) and not _HAS_NUMBER.search(text):
        return False
    if _VERSION.search(question) and not _HAS_VERSION.search(text):
        return False
    if _DATE.search(question) and not _HAS_DATE.search(text):
        return False
    return not _PERSON.search(question) or bool(names_in(text) - names_in(question))


def asks_what_it_is(question: str) -> bool:
    """Whether an English question asks what a thing is, does or is good for."""
    return _WHAT_IT_IS.search(question) is not None


def has_number(text: str) -> bool:
    """Whether a text has a number, in digits or as an English word."""
    return _HAS_NUMBER.search(text) is not None


def asks_who(question: str) -> bool:
    """Whether an English question asks for a person or a body."""
    return _PERSON.search(question) is not None


def asks_how(question: str) -> bool:
    """Whether an English question asks how something is done."""
    return _HOW_TO.search(question) is not None


def tells_when(question: str, text: str) -> bool:
    """Whether a text says when something happens or should be done, if an English question asks that; True for any
    other question."""
    return not _WHEN.search(question) or _CONDITION.search(text) is not None


def tells_way(question: str, text: str) -> bool:
    """Whether a text says how something is done, if an English question asks that; True for any other question."""
    return not asks_how(question) or _WAY.search(text) is not None
