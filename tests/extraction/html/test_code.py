from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.html_to_markdown import to_markdown
from tests.cases import each_case


def markdown(markup: str) -> str:
    return to_markdown(read_blocks(html.document_fromstring(markup).body))


WAYS = {
    "Prism in React": "<pre><code><div class=token-line>a = 1</div><div></div><div>b = 2</div></code></pre>",
    "Gatsby": "<pre>a = 1\n<span class=gatsby-highlight-code-line></span><span class='code line'>b = 2</span></pre>",
    "Shiki": "<pre><code><span class=line>a = 1</span>\n<span class=line></span>\n<span class=line>b = 2</span></pre>",
    "prettify": "<pre><ol><li>a = 1</li><li></li><li>b = 2</li></ol></pre>",
    "highlight.js with numbers": "<pre><table><tr><td class=hljs-ln-numbers>1<td>a = 1"
    "<tr><td class=hljs-ln-numbers>2<td><tr><td class=hljs-ln-numbers>3<td>b = 2</table></pre>",
    "Pygments": "<table class=highlighttable><tr><td class=linenos><pre>1\n2\n3</pre>"
    "<td class=code><pre>a = 1\n\nb = 2</pre></table>",
    "Docusaurus": "<pre><code>a = 1<br><br>b = 2<br></code><button>Copy</button></pre>",
    "button beside it": "<div>Copy</div><pre>a = 1\n\nb = 2</pre><div>Copied!</div>",
    "phpBB": "<p>Code: <a href=#>Select all</a></p><pre><code>a = 1\n\nb = 2</code></pre>",
}


@each_case("markup", WAYS.values())
def test_the_lines_of_code_are_read_however_the_page_divides_them(markup):
    text = markdown(f"<p>Before.</p>{markup}<p>After.</p>")
    assert text.replace("\n\n", "\n") == "Before.\n```\na = 1\nb = 2\n```\nAfter."


def test_code_keeps_its_indentation_and_blank_lines():
    assert markdown("<pre>\n  if x:\n\n      y()  \n</pre>") == "```\n  if x:\n\n      y()\n```"


def test_a_pre_that_was_never_closed_does_not_swallow_the_headings_after_it():
    text = markdown("<pre>a = 1<h2>Next</h2><p>Text.</p>")
    assert "Next" in text
    assert text.startswith("```\na = 1\n```")


def test_numbers_alone_are_lines_of_code_if_they_are_one_value():
    assert markdown("<pre>42</pre>") == "```\n42\n```"


def test_lines_that_a_page_divides_with_breaks_inside_code_are_code():
    text = markdown(
        "<p><code>$ ./configure<br>$ make</code></p><p>Run <code>make<br>install</code> then.</p>"
    )
    assert text == "```\n$ ./configure\n$ make\n```\n\nRun make\ninstall then."


def test_a_copy_button_in_a_heading_is_no_part_of_it_and_one_that_is_the_heading_stays():
    assert markdown("<h2>Enum Result <button>Copy item path</button></h2>") == "## Enum Result"
    assert markdown("<h2><button>How long does it last?</button></h2>") == "## How long does it last?"
