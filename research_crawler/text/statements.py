"""Find the sentences of a quote that say something by themselves, and tell whose words they are."""

import re
from typing import Final

from research_crawler.text.sentences import DEPENDENT_START, units

LEAST_STATEMENT_WORDS, MOST_STATEMENT_WORDS = 5, 45
_POINTS: Final = re.compile(
    r"\W*(?:see|cf\.?|refer to|consult|read (?:on|more|the)|click|note that this|"
    r"for (?:more|further|full|additional|details?|an? (?:example|explanation|description|list|overview|summary))|"
    r"(?:more|further) (?:information|details)|"
    r"(?:as )?(?:described|explained|mentioned|noted|shown|discussed) (?:above|below|in|later)|"
    r"siehe|vgl\.|weitere (?:informationen|hinweise)|voir|pour (?:plus|en savoir)|véase|para más|vedi|"
    r"per (?:maggiori|ulteriori)|zie|voor meer|ver |consulte|zob\.)\b",
    re.I,
)
"""Beginnings of a sentence that points to another place instead of saying something."""
_ABOUT_PAGE: Final = re.compile(
    r"\b(?:this|the (?:next|following|previous)) "
    r"(?:page|chapter|article|guide|post|(?:sub)?sections?|thread|manual|document|tables?|list|figure)\b"
    r"[^.]{0,30}\b(?:describes?|explains?|covers?|lists?|shows?|contains?|discusses?|introduces?|is about|deals?)\b",
    re.I,
)
_REFERENCES: Final = re.compile(
    r"(?:(?:part of|see(?: also)?|the|and|suite)[,.: ]*+|[\w.+-]{1,40}\(\d[a-z]?\)[,.;: ]*+)++", re.I
)
_LACKS_SUBJECT: Final = re.compile(
    r"(?:will|would|can|could|may|might|must|should|is|are|was|were|has|have|had|does|do|did|and|or|but|which|who|whose|where"
    r"|because|since|while|whereas|than|of|then|ist|sind|wird|und|oder|aber|weil|est|sont|et|ou|mais|es|son|y|o|pero)\b"
    r"(?!.*\?)",
    re.I,
)
"""Beginnings of the second half of a sentence."""
_TOLD_ELSEWHERE: Final = re.compile(
    r"^(?:[^\s,]++ ){1,12}(?:is|are) (?:described|detailed|explained|discussed|covered|documented) "
    r"(?:(?:in|under|by)(?: \S++){1,6}|below\.?|later\.?|elsewhere\.?)$",
    re.I,
)
"""A short sentence that only says where something stands: "The levels are detailed in the following subsections."."""
_PURPOSE: Final = re.compile(r"^(?:in order )?to [a-z]++ [^,]*+$", re.I)
"""A sentence that is only a purpose, as items of a list are: "To update the statistics."."""
_SPEAKER: Final = re.compile(
    r"(?<![\w'’])(?-i:I)(?:['’](?:m|ve|d|ll))?(?![\w/.'’-])|\bmy(?= [a-z])|\bmyself\b"
    r"|\b(?:ich|mein(?:e[rmns]?)?|je|j['’]ai|mon|mes|yo|mi|mis|io|mio|mia|ik|mijn|eu|meu|minha)\b(?=\s[a-zß-ÿ])",
    re.I,
)
_REFERS_BACK: Final = re.compile(
    r"\b(?:such an?|this|these|those|the (?:latter|former|above|same|other|previous)|that (?:is|was)|here"
    r"|(?:about|of|from|with|after|before|like|for|to) that(?= (?:for|and|is|was|it)\b|[,.])"
    r"|(?:first|second|third)(?=,))\b"
    r"|^(?:for (?:example|instance)|in (?:other words|addition|contrast|turn)|as an example|similarly|likewise"
    r"|therefore|thus|hence|consequently|furthermore|additionally|finally|lastly|meanwhile|nevertheless|in that case)\b"
    r"|\b(?:dies(?:e[mnrs]?)?|solche[mnrs]?|cette?|ces|est[ea]s?|quest[aeio]|deze|dit)\b",
    re.I,
)
_OPENING_WORDS: Final = 8
"""What refers back so near to the beginning of a sentence refers to the one before it."""
_EXISTS: Final = re.compile(r"there (?:is|are|was|were|has been|have been|will be)\b", re.I)
"""A sentence that says that something exists points to nothing before it."""
_WE: Final = re.compile(
    r"\b(?:we|us|our|ours|wir|uns|unser\w*|nous|notre|nos|nosotros|noi|wij|ons|nós|nasz\w*)\b", re.I
)
_QUOTED: Final = re.compile(r"“[^“”]*+”|\"[^\"]*\"|«[^«»]*+»|„[^„“]*+“|`[^`]*`")


def statements(quote: str) -> list[str]:
    """The whole sentences of a quote, without Markdown marks, code and those that only point elsewhere."""
    found = (unit.text for unit in units(quote) if unit.form != "row")
    return [text for text in found if is_statement(text)]


def is_statement(text: str) -> bool:
    """Whether a sentence can be understood, and says something, where nothing stands before it."""
    if text[-1:] not in ".!。" or not LEAST_STATEMENT_WORDS <= len(text.split()) <= MOST_STATEMENT_WORDS:
        return False
    is_dependent = DEPENDENT_START.match(text) and not _EXISTS.match(text)
    if is_dependent or _LACKS_SUBJECT.match(text) or _PURPOSE.match(text):
        return False
    if points_elsewhere(text) or _TOLD_ELSEWHERE.match(text):
        return False
    if _REFERS_BACK.search(" ".join(text.split()[:_OPENING_WORDS])):
        return False
    first = text.lstrip("\"'“‘«„([")[:1]
    return not first.islower()


def points_elsewhere(text: str) -> bool:
    """Whether a sentence says where something stands, and not what it is."""
    return bool(_POINTS.match(text) or _ABOUT_PAGE.search(text))


def only_refers(text: str) -> bool:
    """Whether a text only names pages of a manual: "git-add(1), git-rm(1)", "Part of the git(1) suite"."""
    return _REFERENCES.fullmatch(text) is not None


def is_personal(text: str) -> bool:
    """Whether somebody tells of himself: "I bought one", but not "say `my_name`"."""
    return _SPEAKER.search(_QUOTED.sub(" ", text)) is not None


def is_experience(text: str) -> bool:
    """Whether somebody, or some people, tell what they met with: that is true of them, and of nobody else."""
    return is_personal(text) or _WE.search(_QUOTED.sub(" ", text)) is not None
