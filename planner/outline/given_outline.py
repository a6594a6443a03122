"""Read an outline that the caller gives: headings and bullets of Markdown."""

import unicodedata
from dataclasses import dataclass, field

from planner.outline.making import MAX_LEAF_QUESTION, MAX_SECTION_TITLE, QUERY_WORDS
from research_crawler.core.errors import OutlineError
from research_crawler.core.models.jobs.outline import Leaf, Outline, Section
from research_crawler.core.text.headings import heading_of
from research_crawler.core.text.markdown_syntax import LISTED
from research_crawler.text.questions.query_words import distinct_words, most_words, query_words

MOST_GIVEN = 16
"""Most questions of a given outline."""
MAX_OUTLINE_BYTES = 3_000
"""Most bytes of its text: it is a field of the job's record, with the evidence of each question."""
_GOAL_WORDS, _OWN_WORDS = 4, 5
"""So many words of the goal, and of a sub-question, make its query."""


@dataclass
class _Heading:
    line: int
    level: int
    title: str
    sub_questions: list[str] = field(default_factory=list)


def given_outline(text: str, goal: str = "") -> Outline:
    """The outline that a text gives: a heading is a section, a bullet below it one of its questions.

    A heading without bullets is itself the question of its section, unless deeper headings follow. Bullets before any
    heading stand in a section with the goal as its title; a bullet below a bullet is a part of that question.

    Raises:
        OutlineError: a line is neither a heading nor a bullet, or there are too many; it says which line.
    """
    if len(text.encode(errors="surrogatepass")) > MAX_OUTLINE_BYTES:
        raise OutlineError(f"it is longer than {MAX_OUTLINE_BYTES:,} bytes")
    headings = _sections(_headings(text, goal))
    if not headings:
        raise OutlineError("it has no heading and no bullet")
    sections = []
    for number, heading in enumerate(headings, 1):
        leaves = [
            Leaf(id=f"{number}.{index}", question=question, query=_query(question, heading.title, goal))
            for index, question in enumerate(heading.sub_questions or [heading.title], 1)
        ]
        sections.append(Section(id=str(number), title=heading.title, leaves=leaves))
    return Outline(by="user", is_given=True, sections=sections)


def _query(question: str, title: str, goal: str) -> str:
    """Search words for a given question, which stands under the goal and its heading: the goal's words come first."""
    words = [
        *most_words(query_words(goal), _GOAL_WORDS),
        *most_words(query_words(question), _OWN_WORDS),
        *query_words(title),
    ]
    return " ".join(most_words(distinct_words(words), QUERY_WORDS)) or question


def _headings(text: str, goal: str) -> list[_Heading]:
    found: list[_Heading] = []
    count, above = 0, [(-1, "")]
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.expandtabs(4).rstrip()
        if not line:
            continue
        if any(unicodedata.category(char) in ("Cc", "Cs") for char in line):
            raise OutlineError("the line has control characters", number)
        if heading := heading_of(line):
            found.append(_Heading(number, heading[0], _checked(heading[1], number, MAX_SECTION_TITLE)))
            above = [(-1, "")]
            continue
        bullet = LISTED.match(line)
        if not bullet:
            raise OutlineError("the line is neither a heading (# …) nor a bullet (- …)", number)
        if not found:
            found.append(_Heading(number, 0, goal[:MAX_SECTION_TITLE] or "Questions"))
        while above[-1][0] >= len(bullet["indent"]):
            above.pop()
        prefix, told = above[-1][1], bullet["text"]
        whole = f"{prefix}: {told}" if prefix and told.strip() else told
        question = _checked(whole, number, MAX_LEAF_QUESTION)
        above.append((len(bullet["indent"]), question.rstrip("?")))
        found[-1].sub_questions.append(question)
        count += 1
        if count > MOST_GIVEN:
            raise OutlineError(f"it has more than {MOST_GIVEN} questions", number)
    return found


def _sections(headings: list[_Heading]) -> list[_Heading]:
    """The headings that are sections: not those that only stand above deeper ones."""
    following = [*headings[1:], None]
    sections = [
        heading
        for heading, after in zip(headings, following, strict=False)
        if heading.sub_questions or after is None or after.level <= heading.level
    ]
    if len(sections) > MOST_GIVEN:
        raise OutlineError(f"it has more than {MOST_GIVEN} sections", sections[MOST_GIVEN].line)
    return sections


def _checked(text: str, line: int, most: int) -> str:
    folded = " ".join(text.split())
    if not any(char.isalnum() for char in folded):
        raise OutlineError("the line has no text", line)
    if len(folded) > most:
        raise OutlineError(f"the line has more than {most} characters", line)
    return folded
