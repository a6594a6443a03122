from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from markdown_it import MarkdownIt

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.html_to_markdown import to_markdown


def markdown(markup: str) -> str:
    return to_markdown(read_blocks(html.document_fromstring(markup).body))


def kinds(text: str) -> list[str]:
    return [token.type for token in MarkdownIt("commonmark").enable("table").parse(text)]


def test_code_with_fences_in_it_stands_in_a_longer_fence():
    text = markdown("<pre>a\n```\nb\n```</pre><h2>Next</h2>")
    assert text == "````\na\n```\nb\n```\n````\n\n## Next"
    assert kinds(text) == ["fence", "heading_open", "inline", "heading_close"]


def test_items_of_a_list_in_a_definition_or_without_their_parents_are_no_code():
    text = markdown("<dl><dt>-a<dd><dl><dt>b<dd><ul><li>one<ul><li>two</ul></ul></dl></dl>")
    assert text.endswith("- one\n  - two")
    deep = markdown("<ul><li><ul><li><ul><li>only this</ul></ul></ul>")
    assert deep == "- only this"


TAG = st.sampled_from(["ul", "ol", "dl"])
ITEM = st.recursive(
    st.tuples(TAG, st.just([]), st.booleans()),
    lambda items: st.tuples(TAG, st.lists(items, max_size=3), st.booleans()),
    max_leaves=12,
)


def build(node: tuple) -> str:
    tag, children, labelled = node
    inner = "".join(map(build, children))
    text = "words" if labelled else ""
    return f"<dl><dt>{text}<dd>{inner}</dl>" if tag == "dl" else f"<{tag}><li>{text}{inner}</{tag}>"


@given(st.lists(ITEM, max_size=4))
def test_no_nesting_of_lists_makes_code_of_an_item(nodes):
    assert "code_block" not in kinds(markdown("".join(map(build, nodes)) + "<p>end"))


def test_a_short_value_of_a_description_list_stands_on_the_line_of_its_name():
    pairs = "<dl><dt>Weight</dt><dd>2.3 kg</dd><dt>Screen:</dt><dd>15.6 in</dd></dl>"
    assert markdown(pairs) == "- Weight: 2.3 kg\n- Screen: 15.6 in"


def test_what_a_description_list_tells_at_length_or_in_several_parts_stays_below_its_term():
    told = (
        "<dl><dt>-v</dt><dd>Say more.</dd><dd>Twice says all.</dd><dt>-q</dt><dd>"
        + "Say less. " * 20
        + "</dd></dl>"
    )
    assert not any(line.startswith("- ") for line in markdown(told).splitlines())
