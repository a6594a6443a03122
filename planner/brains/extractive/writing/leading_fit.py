"""Rate how well a statement fits a question, beside its nearness: by its kind, its unit, and whom it is about."""

from planner.brains.extractive.asking.queries import aspects
from planner.brains.extractive.reading.relevance import ECHO_FACTORS
from planner.brains.extractive.stating.asked_numbers import gives_asked_unit
from planner.brains.extractive.writing.digest import PERSONAL
from planner.evidence.evidence_statements import EvidenceStatement
from planner.outline.kinds import is_answer_kind, tells_when
from research_crawler.text.sentences import units
from research_crawler.text.statements import is_personal
from research_crawler.text.subject import names_in, subject_of
from research_crawler.text.words import WORD, is_acronym, terms

OTHER_KIND = 0.6
"""Factor for a sentence without the kind of thing that is asked for: a number, a date, a name."""
IN_ASKED_UNIT = 1.7
"""Factor for a sentence with a number of the unit that is asked for: "43 metres high" answers "how tall" though it has
no word of it, and its vector is not near."""
OF_SIBLING = 0.5
"""Factor for a sentence about a sibling of what is asked about, which the sentence before it names."""
BESIDE_POINT, FEWEST_ASKED = 0.6, 2
"""Factor for a sentence that has none of the question's words but its names ("MPMs appear like other modules"), and how
many such words the question must have."""


def fit_to_lead(question: str, one: EvidenceStatement, whole: str = "") -> float:
    """A factor for a statement: 1 if it is what the question asks for, less for another kind of thing or a sibling.

    Args:
        question: the sub-question.
        one: the statement.
        whole: what it needs of the whole question.
    """
    asked = aspects(question) or [question]
    factor = 1.0 if any(is_answer_kind(part, one.text) for part in asked) else OTHER_KIND
    factor *= 1.0 if any(tells_when(part, one.text) for part in asked) else OTHER_KIND
    if (in_unit := gives_asked_unit(one.text, question)) is not None:
        factor *= IN_ASKED_UNIT if in_unit else OTHER_KIND
    factor *= OF_SIBLING if any(_is_of_sibling(about, one) for about in (question, whole)) else 1.0
    factor *= 1.0 if in_unit or _is_about_what_is_asked(question, one.text) else BESIDE_POINT
    new = {*terms(one.text)} - {*terms(question)}
    says_little = len(new) < len(ECHO_FACTORS) and not any(word[0].isdigit() for word in new)
    factor *= ECHO_FACTORS[len(new)] if says_little else 1.0
    return factor * (PERSONAL if is_personal(one.text) else 1.0)


def _is_of_sibling(question: str, one: EvidenceStatement) -> bool:
    """Whether a sentence without a name of the question's stands right behind one about a sibling of its subject:
    "Halden R3 Pro – 420 crowns. For thick branches, up to 45 mm."."""
    subject = subject_of(question)
    if not subject.names or subject.share(one.text):
        return False
    told = [unit.text for unit in units(one.finding.quote)]
    place = told.index(one.text) if one.text in told else 0
    before = next((text for text in reversed(told[:place]) if subject.share(text)), "")
    return subject.is_neighbour(before)


def _is_about_what_is_asked(question: str, text: str) -> bool:
    """Whether a sentence has a word of what is asked, and not only the names that it is asked of."""
    named = names_in(question) | {word.lower() for word in WORD.findall(question) if is_acronym(word)}
    asked = {*terms(question)} - named
    return len(asked) < FEWEST_ASKED or not asked.isdisjoint(terms(text))
