"""Say when only a model could compare a question with the pages that were found: their languages differ.

The packaged model of meaning knows English, and words alone compare only texts of one language.
"""

from collections import Counter
from collections.abc import Sequence

from babel import Locale

from planner.goal.language import told_language
from research_crawler.core.models.findings import Finding
from research_crawler.text.messages import Messages


def other_language(question: str, findings: Sequence[Finding]) -> str:
    """The language of the findings, if a question is in another one than English and none of them is in its own.

    Empty where that is not so, and where nothing tells the language of the question or of any finding.
    """
    own = told_language(question)
    if own in ("", "en"):
        return ""
    told = Counter(told for one in findings if (told := told_language(one.quote)))
    return "" if own in told or not told else told.most_common(1)[0][0]


def why_not_compared(question: str, found: str, say: Messages) -> str:
    """Why there is no answer without a model, and how to get one; empty for a question in English.

    Args:
        question: as it was asked.
        found: the language of the findings; empty if there are none.
        say: in the language of the report.
    """
    own = told_language(question)
    if own in ("", "en"):
        return ""
    names = Locale(say.language).languages
    if not found:
        return say("own_language_alone", asked=names[own])
    return say("other_language", asked=names[own], found=names[found])
