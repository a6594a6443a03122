"""What pages, models and callers write is shown in documents as it was written, and does nothing there."""

import csv
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from research_crawler.core.text.plain_text import clean_line
from research_crawler.text.writing.markdown import (
    address,
    escape_block,
    escape_cell,
    escape_cell_with_code,
    escape_markdown,
    escape_with_code,
)
from tests.cases import each_case

INJECTIONS = Path(os.environ.get("RESEARCH_TEST_DATA", "../shared/data")) / "injection"
RENDERERS = [
    MarkdownIt("commonmark"),
    MarkdownIt("commonmark").enable(["table", "strikethrough"]),
    MarkdownIt("js-default", {"html": True, "linkify": False, "typographer": False}),
]
PLACES = [
    "{}",
    "- {}",
    "7. {} – a.example, 2026-01-02, https://a.example/",
    "> **Warning:** {}",
    "# {}",
    "### {}",
    "**{}** – at a shop",
    "text before {} [1][2]",
    "“{}” [3]",
    "({}): {}",
    "- a\n- {}\n- b",
    "Head\n{}",
    "[1] {}",
    "1. {}\n2. {}",
]
PLAIN = {
    "p",
    "h1",
    "h3",
    "ul",
    "ol",
    "li",
    "blockquote",
    "strong",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}
HONEST = [
    "Use snake_case, __init__.py and *args in f(x)[0].",
    "See https://docs.example/a_b?x=1&amp=2#c or www.docs.example, mail a.b@docs.example.",
    "Set `max_connections` = 100 in C:\\Program Files\\app\\[main]",
    "a < b && c > d || e ~ f ~~ g",
    "<b>bold</b> &copy; &#169; \\* \\\\",
    "| a | b |",
    "# not a heading #",
    "1. not an item",
    "2024) nor this",
    "- nor this",
    "+ 5 °C, -5 °C, --flag",
    "=== nor a rule ---",
    "```python",
    "[mysqld] any .htaccess, .NET",
    "![x](y) [z]: w",
    "C#",
    "100 % of $5 ^up^ {x} :smile: 50°",
]
ATTACKS = [
    "[survey]: &#104;ttps://evil.example",
    "[survey]: https://evil.example 'x'",
    "[1]: https://evil.example",
    "[survey]",
    "![pixel][survey]",
    "[a](https://evil.example)",
    "[a](<https://evil.example>)",
    "[a][1]",
    "![a](https://evil.example/p.png)",
    "&#91;a](https://evil.example)",
    "\\[a](https://evil.example)",
    "\\\\[a](https://evil.example)",
    "<https://evil.example>",
    "<a@evil.example>",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<!-- comment",
    "<?php",
    "<![CDATA[x",
    "&lt;img src=x&gt;",
    "a\n\n[b]: https://evil.example\n\n[b]",
    "*a*_b_**c**__d__",
    "~~gone~~",
    "`code` ``code``",
    "~~~",
    "***",
    "___",
    "a\\",
    "a&#x41",
    "a |--|",
    "|--|",
    ":--",
    "-|-",
]
MARKS = st.text(st.sampled_from("[]()<>!*_`~\\&#;:/.|=+-\"' \n\tahtpsw1x@é°€"), max_size=40)
TEXTS = st.one_of(st.text(max_size=60), MARKS, st.sampled_from(ATTACKS + HONEST))


def rendered(renderer, document):
    """The tags of a rendered document, and its text."""
    tree = lxml_html.fragment_fromstring(renderer.render(document), create_parent="main")
    return {element.tag for element in tree.iter() if element is not tree}, tree


def check(text, escape, place):
    document = place.replace("{}", escape(text))
    for renderer in RENDERERS:
        tags, tree = rendered(renderer, document)
        assert tags <= PLAIN, (document, tags)
        shown = " ".join(tree.text_content().split())
        without = place.replace("**", "")
        without = re.sub(r"(?m)^(?:#+|>|-|\d\.) ", "", without)
        assert shown == " ".join(without.replace("{}", clean_line(text)).split()), document


@pytest.mark.parametrize("place", PLACES)
@given(TEXTS)
def test_a_text_is_shown_as_it_was_written_and_does_nothing(place, text):
    if clean_line(text):
        check(text, escape_markdown, place)


@each_case("place", PLACES)
def test_attacks_and_honest_code_are_shown_as_text(place):
    for text in ATTACKS + HONEST:
        check(text, escape_markdown, place)


@given(TEXTS, TEXTS)
def test_a_cell_of_a_table_stays_one_cell(first, second):
    table = f"| A | B |\n|---|---|\n| {escape_cell(first)} | {escape_cell(second)} |\n| x | y |"
    for renderer in RENDERERS[1:]:
        tags, tree = rendered(renderer, table)
        assert tags <= PLAIN
        shown = [" ".join(element.text_content().split()) for element in tree.iter("td")]
        assert shown == [clean_line(first), clean_line(second), "x", "y"]


@given(st.lists(TEXTS, max_size=6).map("\n".join))
def test_a_callers_text_keeps_its_lines_and_starts_nothing(text):
    for renderer in RENDERERS:
        tags, tree = rendered(renderer, f"# Context\n\n{escape_block(text)}\n\n## Next\n")
        assert tags <= {"h1", "h2", "p"}
        assert tree.text_content().split() == ["Context", *clean_line(text).split(), "Next"]


URLS = st.one_of(
    st.text(st.sampled_from("a_/*~[]()<>&;#?=%!`\\|\"' .é\n1"), max_size=30).map(
        lambda rest: "https://a.example/" + rest
    ),
    TEXTS,
)


@given(URLS)
def test_an_address_is_shown_as_it_is_written_and_makes_nothing_else(url):
    written = address(url)
    if not clean_line(url):
        return
    for renderer in RENDERERS:
        tags, tree = rendered(renderer, f"1. Title – {written}")
        assert tags <= PLAIN
        if url.startswith("https://a.example/"):
            assert tree.text_content().strip() == f"Title – {written}"
            assert not re.search(r"\s", written)


@each_case(
    "url",
    [
        "https://a.example/",
        "https://en.wikipedia.org/wiki/A_b_(c)?x=1&y=2#z-1",
        "http://a.example:8080/~user/x%20y",
        "https://a.example/a/@b/c,d;e=f/!g$h'i",
        "file:///srv/notes/my_notes.md",
    ],
)
def test_ordinary_addresses_are_written_unchanged(url):
    assert address(url) == url


@example("http://a.example www.b.example ftp://c.example mailto:a@b.example")
@given(TEXTS)
def test_github_finds_no_address_to_link_in_a_text(text):
    """The autolinks of GitHub's flavour: GFM 6.9."""
    assert not re.search(r"(?:https?|ftp)://|www\.|[\w.+-]@\w", escape_markdown(text), re.I)


def corpus():
    if not INJECTIONS.is_dir():
        pytest.skip(f"no {INJECTIONS}; set RESEARCH_TEST_DATA")
    with (INJECTIONS / "giskard.csv").open(encoding="utf-8", newline="") as file:
        texts = [row["prompt"] for row in csv.DictReader(file)]
    attacks = json.loads((INJECTIONS / "text_attacks.json").read_text("utf-8"))
    return texts + [text for group in attacks.values() for text in group]


def test_saved_injections_are_shown_as_text():
    texts = corpus()
    assert len(texts) > 50
    for text in texts:
        for place in PLACES:
            check(text, escape_markdown, place)
        for renderer in RENDERERS:
            tags, _ = rendered(renderer, escape_block(text))
            assert tags <= {"p"}


def test_plain_sentences_are_written_as_they_are():
    for text in (
        "It costs $5.99 (or 4.99 €), says J. Doe – a 20% drop!",
        "Don't; it's 3 x 4 = 12, max_value 7.",
        "--force leaves the index alone",
    ):
        assert escape_markdown(text) == text


def _code_and_text(line: str) -> tuple[str, list[str]]:
    """What a renderer shows of a line, and what of it as code."""
    tokens = MarkdownIt("commonmark").parse(f"Shown: {line} end")
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    inline = tokens[1].children or []
    assert {token.type for token in inline} <= {"text", "code_inline", "text_special"}
    return "".join(token.content for token in inline), [
        one.content for one in inline if one.type == "code_inline"
    ]


def test_code_between_backticks_is_shown_as_code_and_nothing_else_is_a_mark():
    shown, code = _code_and_text(
        escape_with_code("Run `git rebase --onto <a> *b*` or *not* `x, and [1](http://a.test).")
    )
    assert code == ["git rebase --onto <a> *b*", "http://a.test"]
    assert shown == "Shown: Run git rebase --onto <a> *b* or *not* `x, and [1](http://a.test). end"


@each_case("mark", [":", " = 2", " > 1", " | 3", " - and", "| 3"])
def test_what_stands_behind_code_starts_no_block_and_gets_no_backslash(mark):
    assert escape_with_code(f"Run `git reset`{mark} it goes on.") == f"Run `git reset`{mark} it goes on."
    assert (
        escape_cell_with_code(f"Run `git reset`{mark}")
        == f"Run `git reset`{mark.replace('|', chr(92) + '|')}"
    )


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080", "https://a.test/x_y/?q=_1_&b=~c#d"])
def test_an_address_in_a_sentence_is_code_that_can_be_copied_where_nobody_renders_it(address):
    written = escape_with_code(f"Proxy requests to {address}, and SELECT * FROM t.")
    shown, code = _code_and_text(written)
    assert code == [address]
    assert shown == f"Shown: Proxy requests to {address}, and SELECT * FROM t. end"
    assert f"`{address}`" in written
    assert "SELECT * FROM t" in written


PIECES = st.sampled_from(["http://a.b", "https://x/_y_,", " ", "`", "\\", "*", "a", "_", "|", "[", "."])


@given(st.one_of(st.text(alphabet="ab `\\*_<>[]()#-1.&;|", max_size=40), st.lists(PIECES).map("".join)))
def test_a_line_with_code_loses_no_letter(text: str):
    shown, code = _code_and_text(escape_with_code(text))
    line = clean_line(text)
    kept = shown.removeprefix("Shown: ").removesuffix(" end").strip()
    assert kept.replace("`", "").split() == line.replace("`", "").split()
    assert all(f"`{one}`" in line or (one.startswith("http") and one in line) for one in code)
