"""How long a report is: by what was asked, its depth and its sub-questions, and by what the evidence carries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.caller_question import Depth
from research_crawler.core.models.reports.drafts import DraftSection, ReportDraft, Sentence
from research_crawler.core.models.reports.report_parts import LISTED_PARTS

SHORT_WORDS: Final = 350
"""Most words of a report that answers a single question, its key findings included."""
MOST_WORDS_AT_DEPTH: Final[dict[Depth, int]] = {"quick": 200, "standard": 800, "deep": 3_000}
"""Most words of a report with several sub-questions; there is no least number, for a short answer is a good one."""
BASE_WORDS: Final[dict[Depth, int]] = {"quick": 150, "standard": 200, "deep": 500}
"""Words of a report before its sub-questions count; each of these adds `WORDS_OF_A_QUESTION`."""
WORDS_OF_A_QUESTION: Final[dict[Depth, int]] = {"quick": 0, "standard": 120, "deep": 320}
"""How much each sub-question adds to the length."""
WORDS_OF_A_QUOTE: Final = 45
"""Most words that a quote carries. A report has about as many words as its quotes; more would be padding."""
LEAD_WORDS: Final = 5
"""What a sentence adds to its quote: what it is about, and how it follows from the one before."""
SECTIONED: Final = 300
"""From so many words on, a report has sections, if the evidence carries about as many."""
MOST_ALONE_WORDS: Final = 800
"""A report of at most so many words is written in one answer: each at standard depth. An audit and a writer for each
section take three to five calls more, and repeat each other: of a comparison in two sections six of 13 sentences were
left out, and what one writer was not shown stood in neither."""
LEAST_SHARE: Final = 0.85
"""Below this share of the length that the caller asked for, a report is extended once, and says why if it stays
shorter."""
SHARE_OF_ANSWER: Final = 0.25
"""Share of a report with sections that its answer has."""
MOST_ANSWER_WORDS: Final = 180
"""The share of the answer in a report with sections, and its most words."""
LEAST_AIM: Final = 60
"""A report aims at so many words at least, also where the evidence carries fewer."""


@dataclass(frozen=True)
class LengthPlan:
    """The lengths of a report in words, without citation marks."""

    wanted: int
    most: int
    carried: int
    """About how many words the evidence carries."""
    has_sections: bool
    is_asked: bool
    """The caller named the length."""

    @property
    def aim(self) -> int:
        """The words that are written: the wanted ones, or those that the evidence carries."""
        return min(self.wanted, max(self.carried, LEAST_AIM))

    @property
    def answer(self) -> int:
        """Words of the answer above the sections."""
        return (
            min(MOST_ANSWER_WORDS, max(40, int(self.aim * SHARE_OF_ANSWER)))
            if self.has_sections
            else self.aim
        )

    def section(self, sections: int) -> int:
        """Words of one of so many sections."""
        return max(40, (self.aim - self.answer) // max(1, sections))

    @property
    def least(self) -> int:
        """With fewer words than this, a report counts as shorter than asked; 0 where nobody asked for a length."""
        return int(LEAST_SHARE * self.wanted) if self.is_asked else 0


def length_plan(
    findings: Sequence[Finding],
    *,
    depth: Depth,
    leaves: int,
    max_words: int | None = None,
    is_outline_given: bool = False,
) -> LengthPlan:
    """The lengths of a report.

    Args:
        findings: what it is written from.
        depth: of the job.
        leaves: how many sub-questions its outline has.
        max_words: the length that the caller asked for.
        is_outline_given: the caller wants these sections.
    """
    carried = carried_by(findings)
    # What stands on one page is in order already: it is written in one answer, unless a length was asked for.
    can_divide = carried >= LEAST_SHARE * SECTIONED
    if max_words is not None:
        has_sections = can_divide and max_words >= SECTIONED
        return LengthPlan(max_words, max_words, carried, has_sections, is_asked=True)
    high = MOST_WORDS_AT_DEPTH[depth]
    if leaves < 2 or depth == "quick":
        most = high if depth == "quick" else SHORT_WORDS
        own = BASE_WORDS[depth] + WORDS_OF_A_QUESTION[depth]
        return LengthPlan(min(most, own), most, carried, has_sections=False, is_asked=False)
    wanted = min(high, BASE_WORDS[depth] + WORDS_OF_A_QUESTION[depth] * leaves)
    is_long = is_outline_given or min(wanted, carried) > MOST_ALONE_WORDS
    has_sections = can_divide and is_long and len({finding.url for finding in findings}) > 1
    return LengthPlan(wanted, high, carried, has_sections, is_asked=False)


def carried_by(findings: Sequence[Finding]) -> int:
    """About how many words can be written from findings without padding."""
    return sum(min(WORDS_OF_A_QUOTE, len(finding.quote.split()) + LEAD_WORDS) for finding in findings)


def words_in(sentences: Sequence[Sentence]) -> int:
    """Words of sentences."""
    return sum(len(sentence.text.split()) for sentence in sentences)


def words_of_section(section: DraftSection) -> int:
    """Words of a section with its table."""
    rows = section.table.rows if section.table else []
    cells = (cell.text for row in rows for cell in row.cells if cell.evidence)
    heads = " ".join([*(section.table.columns if section.table else []), *(row.label for row in rows)])
    return words_in(section.sentences) + sum(len(text.split()) for text in (heads, *cells))


def report_words(draft: ReportDraft) -> int:
    """Words of what a report says: answer, lists, sections and contradictions, each sentence once."""
    listed = {one.text: one for part in LISTED_PARTS for one in draft.lists.get(part.key, [])}
    answered = {one.text for one in draft.answer}
    return (
        words_in(draft.answer)
        + words_in([one for text, one in listed.items() if text not in answered])
        + sum(map(words_of_section, draft.sections))
        + sum(words_in([contradiction.one, contradiction.other]) for contradiction in draft.contradictions)
    )
