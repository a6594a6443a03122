"""Decide which kind of finding a sentence is, and which sentences are page furniture instead of content."""

import re

from research_crawler.core.models.commands import Intent
from research_crawler.core.models.findings import FindingKind
from research_crawler.extraction.products.price.prose import names_price
from research_crawler.text.pieces.bylines import is_byline


def _any(words: str) -> re.Pattern[str]:
    """A pattern for whole words or phrases, given with commas between them; case is ignored."""
    choices = "|".join(re.split(r",\s*", words.strip()))
    return re.compile(rf"\b(?:{choices})\b", re.I)


_FIGURE = re.compile(
    r"(?<![\d.,])[.,]*+\d[\d.,]*+\s?(?:%|°|[a-zµ]{1,4}\b|percent|degrees|hours?|minutes?|seconds?|days?|weeks?|months?|years?"
    r"|times|people|pages|metres?|meters?|miles|kilo\w*|litres?|liters?|watts?)",
    re.I,
)
"""A number with its unit, except money."""
WARNING = _any(
    r"""
    avoid, beware, careful, caution, warn(?:ing|s|ed)?, problem(?:s|atic)?, issues?,
    fail(?:s|ed|ures?)?, broken?, defect(?:s|ive)?, overheat\w*, nois[ey]\w*, stay away,
    (?:don't|do not|never) buy, disappoint\w*, complain\w*, regret\w*, return(?:ed|ing) it,
    poor(?:ly)?, flims[iy]\w*, downsides?, drawbacks?, wobbl\w*, vorsicht, mangel
    """
)
ADVICE = _any(
    r"""
    recommend\w*, suggest(?:s|ed)?, advis\w+, should, ought to, best (?:to|choice|option|way|bet),
    tips?, go (?:for|with), worth (?:it|buying|the), top pick, first choice, favou?rites?, happy with,
    love (?:it|my|this), would buy, empfehl\w+
    """
)
PRAISE = _any(
    r"""
    recommend\w*, (?:our|my|the|top|first) (?:pick|choice|favou?rite),
    (?:is|are|was) an? (?:very )?(?:good|great|solid), the one to (?:get|buy), (?:would|will) buy (?:\w+ )?again,
    best [\w -]*(?:tested|owned|used|bought|money), love (?:it|my|this), happy with, worth (?:it|buying),
    go (?:for|with) the, empfehl\w+, wieder kaufen
    """
)
"""Words that recommend a model named in the same sentence."""
CITING = _any(
    r"""
    according to, cit(?:es|ed|ing), study (?:by|of|from), survey (?:by|of), as reported (?:by|in),
    published in, sources?:, doi, et al, https?://\S+
    """
)
SELLING = _any(
    r"""
    (?:bought|buy|ordered|got|sold|available)(?: it| one| mine)? (?:from|at|on|through|via),
    retailers?, dealers?, vendors?, shops?, stores?, resellers?
    """
)
LOOKING_FOR = _any(
    r"""
    look for, make sure, at least, minimum, important, matters?, need(?:s|ed)? (?:a|an|at), spec\w*,
    feature\w*, enough, require[sd]?, capacity, resolution, weigh(?:s|t), warranty
    """
)
_MODEL = re.compile(
    r"\b(?:[A-Z][\w-]*\d[\w-]*|[A-Z][a-zA-Z]+(?: [A-Z][a-zA-Z]*){0,2} ?-?\d{1,5}[A-Za-z]*"
    r"|[A-Z][a-z]+ [A-Z][a-z]+)\b"
)
"""A product's name: letters with digits, a capitalised word with a number, two capitalised words."""

FURNITURE = _any(
    r"""
    cookies?, newsletter, subscribe, sign (?:up|in), log ?in, register now, create an account,
    privacy policy, terms (?:of (?:use|service)|and conditions), all rights reserved, copyright,
    share this, follow us, read more, click here, related (?:articles|posts|topics), advertisement,
    sponsored, affiliate, skip to, back to top, javascript, your browser,
    add to (?:cart|basket|wishlist), (?:view|show|load) (?:all|more), leave a (?:comment|reply),
    was this helpful, available languages, report (?:this )?post, impressum, datenschutz,
    (?:get|request) an? (?:free )?(?:quote|estimate|demo|consultation), call (?:us )?(?:now|today), contact us,
    book (?:a|your) \w+, (?:shop|buy|order|download|apply|enrol+) (?:it )?(?:now|today), skip the form,
    will contact you, you must (?:be logged in|log ?in|register),
    thank(?:s| you) (?:for (?:the|your) \w+|in advance|bud|guys|all|everyone),
    \d+ (?:repl(?:y|ies)|views|likes?|posts|comments|upvotes), page \d+ of \d+, click to expand, (?:quote|reply) to
    """
)
BYLINE = re.compile(
    r"(?:(?:by|von)(?-i: [A-Z])\w*|posted|written|published|updated|last (?:updated|modified|edited)|joined"
    r"|member since|reading time|tags?|categor(?:y|ies)|filed under)\b[^.!?]{0,80}$",
    re.I,
)
_FOOTNOTE = re.compile(r"\s*(?:\[\d{1,3}\]|\(?\d{1,3}[.)]?$|[¹²³⁴-⁹†‡]\s)")
"""A note below the text, or the number of one: out of its place it belongs to nothing."""
FURNITURE_WORDS = 25
"""A sentence with more words that mentions cookies is about cookies; a shorter one is a notice."""


def finding_kind(text: str, intent: Intent) -> FindingKind:
    """The kind of finding that a sentence is, for a job of this intent."""
    return _commerce_kind(text) if intent == "commerce" else _informational_kind(text)


def is_furniture(text: str, goal: str = "") -> bool:
    """Whether a piece of a page is furniture of the site (notices, bylines, calls to action) and not content.

    Words that the goal contains do not make a piece furniture.
    """
    if BYLINE.match(text) or _FOOTNOTE.match(text) or is_byline(text):
        return True
    if len(text.split()) > FURNITURE_WORDS:
        return False
    return any(match.group().lower() not in goal.lower() for match in FURNITURE.finditer(text))


def specificity(text: str, *, named: bool) -> float:
    """How concrete a sentence is: 1 with a figure and its unit, 0.6 with a number, 0.4 with a name, else 0."""
    if names_price(text) or _FIGURE.search(text):
        return 1.0
    return 0.6 if any(char.isdigit() for char in text) else 0.4 * named


def _informational_kind(text: str) -> FindingKind:
    if CITING.search(text):
        return "source_cited"
    return "recommendation" if ADVICE.search(text) or re.search(r"\bavoid\b", text, re.I) else "key_fact"


def _commerce_kind(text: str) -> FindingKind:
    if WARNING.search(text):
        return "warning"
    if PRAISE.search(text) and _MODEL.search(text):
        return "recommended_product"
    if names_price(text):
        return "price_expectation"
    if ADVICE.search(text):
        return "recommended_product" if _MODEL.search(text) else "recommendation"
    if SELLING.search(text):
        return "vendor_mentioned"
    return "spec_to_look_for" if LOOKING_FOR.search(text) or any(c.isdigit() for c in text) else "key_fact"
