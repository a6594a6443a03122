"""Reports for the tests of exports: of knowledge and of offers, with texts of others that a test chooses."""

import asyncio

from hypothesis import strategies as st

from planner.reports.report import assemble
from research_crawler.configuration import load_system_config
from research_crawler.core.models.reports.report import Report
from research_crawler.core.text.plain_text import clean_line, cleaned
from research_crawler.services.exports.formats import export_formats
from research_crawler.services.exports.manuscript import Context, Manuscript
from tests.planner.reports.hostile import poisoned
from tests.planner.reports.sample_drafts import CHOICE, CONTEXT, DRAFT, sample_jobs

HOSTILE = (
    "<script>alert(1)</script>",
    "</script></style></title><img src=x onerror=alert(1)>",
    "[click](javascript:alert(1)) ![i](http://evil.example/i.png) <http://evil.example/>",
    "http://evil.example/x [1] [2] \\[1\\]",
    "&lt;b&gt; &#x3c;i&#x3e; &amp;quot;",
    "'\"><svg/onload=alert(1)> {{7*7}} {% include 'x' %}",
    "right \u202eto left\u202c \u2066isolated\u2069 \u05e9\u05dc\u05d5\u05dd",
    "bell \x07 null \x00 escape \x1b[31m vertical \x0b delete \x7f \x85 \ufffe",
    "| a | b |\n|---|---|\n# heading\n- item\n```\ncode",
    "} @article{x, title = {y \\input{/etc/passwd} $a_b^c$ % # & ~",
    "ER  - \r\nTY  - JOUR\r\nTI  - other",
    "\ud800 half a pair",
    "x" * 3_000,
)
TEXTS = st.text(
    st.sampled_from("[]()<>!*_`~\\&#;:/.|=+-\"'{}%$^@ \n\r\t\x00\x07\x1b\u202e\u2028é中ahtpsw1x"), max_size=40
)
PLACES = st.sampled_from(["pumps", "laptops"])


def report_with(text: str = "", *, of: str = "pumps") -> Report:
    """A report in which each text of others ends with `text`."""
    clean_job, clean_findings = sample_jobs()[of]
    job, findings = poisoned(clean_job, text), poisoned(clean_findings, text)
    return assemble(
        job, findings, poisoned(DRAFT, text), CONTEXT, poisoned(CHOICE, text) if job.phase2 else None
    )


def manuscript_with(text: str = "", *, of: str = "pumps", language: str = "en") -> Manuscript:
    """The same as formats get it, with text around each quote."""
    report = cleaned(report_with(text, of=of))
    around = Context(f"Before {text}", f"After {text}")
    contexts = {piece.id: cleaned_context(around) for piece in report.evidence}
    return Manuscript(report, language, contexts)


def cleaned_context(context: Context) -> Context:
    """A context as the service makes it: one line, without characters that act."""
    return Context(clean_line(context.before), clean_line(context.after))


def rendered(name: str, manuscript: Manuscript) -> bytes:
    """The document in a format, by the settings of this machine."""
    return asyncio.run(export_formats()[name].render(manuscript, load_system_config()))
