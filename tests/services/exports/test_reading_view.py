"""A report on a page of its own: which quotes its marks lead to, and what is coloured."""

import re

from research_crawler.core.models.reports.cited_parts import Claim
from research_crawler.services.exports.manuscript import Manuscript
from research_crawler.services.exports.reading_view import reading_view
from tests.services.exports.samples import report_with

QUOTES = {
    "E1": "You can undo the rebase with\n\n```\ngit rebase --abort\n```",
    "E2": "```\ngit rebase --continue\n```",
    "E3": "A state that cannot be left with git rebase --abort.",
}
REPORT = """# How to undo a rebase

## Answer

```
git rebase --continue
```

[1]

You can undo the rebase with

```
git rebase --abort
```

[1]

A state that cannot be left with git rebase --abort. [1]

## Sources

1. A page
"""


def test_a_mark_below_code_leads_to_the_quote_of_this_code_which_is_coloured_as_one():
    report = report_with()
    pieces = [report.evidence[0].changed(id=id_, quote=quote, claim=quote) for id_, quote in QUOTES.items()]
    claims = [Claim(text=one.quote, evidence=[one.id], verdict="supported") for one in pieces]
    written = report.changed(
        report_markdown=REPORT, evidence=pieces, claims=claims, sections=[], lists={}, key_findings=[],
        contradictions=[], check_note="",
    )  # fmt: skip
    [section] = reading_view(Manuscript(written)).sections
    assert re.findall(r"quotes/1\?of=([\w,]+)", str(section.markup)) == ["E2", "E1", "E3"]
    listings = re.findall(r"<code[^>]*>", str(section.markup))
    assert listings == ['<code class="claim quoted">'] * 2
