"""Reviews: the questions that a job asks a person, and what the person answers."""

from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen

ReviewMode = Literal["never", "low_confidence", "always"]
"""When a job asks a person before it is completed. `low_confidence`: only if its answer is not sufficient."""
QuestionKind = Literal["review", "ask", "plan"]
"""review: accept the finished report; ask: the planner needs help; plan: accept the plan before the first fetch."""
AnswerKind = Literal["accept", "reject", "reject_finding", "reject_source", "append", "outline"]
AppendKind = Literal["fact", "opinion", "constraint", "url"]

MAX_ANSWER_CHARS: Final = 600
"""Most characters of a person's text: all of them together are a field of the job's record."""
MAX_REMARKS: Final = 12
"""Most answers of a person that a job keeps."""
MAX_REJECTED: Final = 60
"""Most findings and sources that a person may reject in one job."""
MAX_SOURCE_CHARS: Final = 300
"""Longest name of a source that a person rejects."""


class ReviewAnswer(Frozen):
    """What a person answers. The other fields belong to the kinds that name them."""

    kind: AnswerKind
    text: str = ""
    """reject: what is wrong or missing; append: what is added; with the other rejections: why."""
    of: AppendKind = "fact"
    """append: what the text is."""
    findings: list[str] = Field(default_factory=list)
    """reject_finding: ids of findings."""
    source: str = ""
    """reject_source: a canonical URL, or a host."""
    outline: str = ""
    """outline: headings and bullets of Markdown."""


class Remark(Frozen):
    """An answer of a person, as the job keeps it."""

    kind: AnswerKind
    of: AppendKind = "fact"
    text: str = ""
    at_ms: int = 0
    round: int = 0
    """The round of the review that it opened; 0: the job went on with its first one."""


class OpenQuestion(Frozen):
    """A question that a job waits with. Its number is named by the answer."""

    no: int
    kind: QuestionKind
    text: str
    difficulty: str = ""
    """ask: what the research got stuck with."""
    action: Literal["", "search", "visit"] = ""
    """plan: what would be done first; empty: nothing is fetched in phase 1, because enough is known."""
    queries: list[str] = Field(default_factory=list)
    urls: list[str] = Field(default_factory=list)
    reason: str = ""


class ReviewRecord(Frozen):
    """The review of a job so far."""

    question: OpenQuestion | None = None
    """What the job waits for; None: nothing."""
    asked: int = 0
    """Number of the last question."""
    helped: int = 0
    """How often the planner has asked for help."""
    rounds: int = 0
    """Rounds that reviews have opened."""
    remarks: list[Remark] = Field(default_factory=list)
    rejected_findings: list[str] = Field(default_factory=list)
    """Ids of rejected findings, and digests of their quotes: the same quote of another page stays out too."""
    rejected_sources: list[str] = Field(default_factory=list)
    """Canonical URLs, and hosts."""
    accepted: bool = False
    """A person has accepted what there is: nobody is asked again."""
    plan_approved: bool = False
    proposal: OpenQuestion | None = None
    """What is done first: a plan that a person has accepted, or the search that an answer asks for. With an answer
    that names nothing to search for it has no query, and the brain is asked for a different one."""
