import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.evidence.findings import Extraction, ProposedFinding
from research_crawler.core.models.web.pages import PageText
from research_crawler.extraction.evidence.finding_verification import verify
from research_crawler.extraction.evidence.quote_headings import heading_above
from tests.cases import each_case
from tests.extraction.evidence.test_finding_verification import MARKDOWN, extraction, stored

MANUAL = """# tool(1)

## Options

--soft

Keeps the index as it is. It moves the head alone.

-R
--write-settings

Writes a file.

It holds what was given on the line.

- **--hard**: Discards all changes.

## Notes

The tool is small.

| Option | Effect |
| --- | --- |
| --mixed | Keeps the files |

```
--quiet

says nothing
```

It is done.
"""


@each_case(
    ("quote", "above"),
    [
        ("Keeps the index", "tool(1) > Options > --soft"),
        ("It moves the head", "tool(1) > Options > --soft"),
        ("Writes a file", "tool(1) > Options > -R, --write-settings"),
        ("It holds what", "tool(1) > Options > -R, --write-settings"),
        ("Discards all", "tool(1) > Options > --hard"),
        ("The tool is small", "tool(1) > Notes"),
        ("Keeps the files", "tool(1) > Notes > --mixed"),
        ("It is done", "tool(1) > Notes"),
        ("# tool", ""),
        ("-R", "tool(1) > Options > -R, --write-settings"),
        ("--write-settings", "tool(1) > Options > --write-settings"),
        ("- **--hard**", "tool(1) > Options > --hard"),
        ("--hard**: Discards", "tool(1) > Options > --hard"),
        ("| --mixed", "tool(1) > Notes > --mixed"),
    ],
)
def test_a_quote_stands_under_its_headings_and_the_term_that_it_explains(quote, above):
    assert heading_above(MANUAL, MANUAL.index(quote)) == above


def test_a_quote_that_begins_with_its_own_option_does_not_stand_under_the_one_before():
    manual = """# tool(1)

--soft

Keeps the index.

--mixed

Resets the index.

--hard is refused here, as it says above.

```
--quiet
```
"""
    above = {quote: heading_above(manual, manual.index(quote)) for quote in ("--mixed", "--hard", "--quiet")}
    assert above == {
        "--mixed": "tool(1) > --mixed",
        "--hard": "tool(1) > --mixed",
        "--quiet": "tool(1) > --mixed",
    }
    assert heading_above("--soft\n\nKeeps it.\n\n--mixed", 0) == "--soft"


def test_a_finding_of_a_model_has_the_headings_of_its_place_and_another_brain_gives_its_own():
    [finding], _ = verify(extraction("It costs 30 Euro."), stored(), "job:1")
    assert finding.heading == "Review"
    told = ProposedFinding(claim="c", quote="It costs 30 Euro.", heading="Prices")
    [finding], _ = verify(Extraction(by="test", findings=[told]), stored(), "job:1")
    assert finding.heading == "Prices"
    assert MARKDOWN.startswith("# Review")


@given(st.text(alphabet="ab-# \n|`.:*", max_size=120), st.integers(min_value=0, max_value=120))
def test_every_place_of_a_text_has_a_heading_or_none(text, start):
    assert "\n" not in heading_above(text, min(start, len(text)))


TABLES = "# Manual\n\n## Accept Directive\n\n| Context: | server |\n\n## Limit Directive\n\n| Context: | server |\n"


@pytest.mark.parametrize(
    ("claim", "above"),
    [
        ("Limit can be set in the server.", "Limit Directive"),
        ("Accept can be set in the server.", "Accept Directive"),
        ("It can be set in the server.", "Accept Directive"),
    ],
)
def test_a_quote_that_a_page_has_twice_stands_where_the_heading_names_what_its_claim_does(claim, above):
    page = stored().model_copy(update={"page": PageText(markdown=TABLES, text=TABLES, title="Manual")})
    proposed = ProposedFinding(claim=claim, quote="| Context: | server |")
    (finding,), _ = verify(Extraction(by="test", findings=[proposed]), page, "job:1")
    assert above in finding.heading


RANKS = """# Cup

## Four-cross

| Year | 1st | 2nd |
| --- | --- | --- |
| 2006 | Ana Ruiz | Ola Berg |
| 2007 | Ola Berg | Ana Ruiz |

| alone in a row of its own |

Nobody has won it since the year 2008.
"""


@each_case(
    ("quote", "introduction"),
    [
        ("| 2007 | Ola Berg | Ana Ruiz |", "Year – 1st – 2nd"),
        ("2007 | Ola Berg | Ana Ruiz", "Year – 1st – 2nd"),
        ("Ola Berg | Ana Ruiz", "Year – 1st – 2nd – 2007"),
        ("| Year | 1st | 2nd |", ""),
        ("| alone in a row of its own |", ""),
        ("Nobody has won it since the year 2008.", ""),
    ],
)
def test_a_quote_of_a_row_carries_the_heads_of_its_table_and_the_cells_before_it(quote, introduction):
    proposed = Extraction(by="m", findings=[ProposedFinding(claim="It says so.", quote=quote)])
    page = stored().changed(page=PageText(markdown=RANKS, text=RANKS, title="Cup"))
    ((finding,), refused) = verify(proposed, page, "jobaaaaaaaaa:1")
    assert (finding.introduction, refused) == (introduction, 0)


KEEPERS = """# Tower

Some keepers sleep. Those who guard a lonely tower take care:

- They count the lamps at dusk, before they are lit.

- They write the log by hand
  and keep it dry.

The log is read in spring by the owner of the tower.

## Rules

1. Nobody sleeps at the lamp while it is burning.
"""


@each_case(
    ("quote", "introduction"),
    [
        ("- They count the lamps at dusk, before they are lit.", "Those who guard a lonely tower take care:"),
        ("They write the log by hand", "Those who guard a lonely tower take care:"),
        ("The log is read in spring by the owner of the tower.", ""),
        ("Nobody sleeps at the lamp while it is burning.", ""),
    ],
)
def test_a_quote_of_an_item_carries_the_sentence_that_introduces_its_list(quote, introduction):
    proposed = Extraction(by="m", findings=[ProposedFinding(claim="It says so.", quote=quote)])
    page = stored().changed(page=PageText(markdown=KEEPERS, text=KEEPERS, title="Tower"))
    ((finding,), refused) = verify(proposed, page, "jobaaaaaaaaa:1")
    assert (finding.introduction, refused) == (introduction, 0)


SESSION = """# Mirrors

Look at the mirror:

```
# lights --detail mirror
State : clean

- 0 0 1 removed
  1 8 4 faulty lamp
```
"""


def test_a_line_of_a_listing_that_begins_like_an_item_has_no_introduction():
    proposed = Extraction(by="m", findings=[ProposedFinding(claim="It says so.", quote="- 0 0 1 removed")])
    page = stored().changed(page=PageText(markdown=SESSION, text=SESSION, title="Mirrors"))
    ((finding,), refused) = verify(proposed, page, "jobaaaaaaaaa:1")
    assert (finding.introduction, refused) == ("", 0)
