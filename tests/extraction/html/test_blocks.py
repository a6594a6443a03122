from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.html_to_markdown import to_markdown, to_text
from tests.cases import each_case


def both(markup: str) -> tuple[str, str]:
    blocks = read_blocks(html.document_fromstring(markup).body)
    return to_markdown(blocks), to_text(blocks)


def test_headings_and_paragraphs_keep_their_level_and_lose_emphasis():
    markdown, text = both("<h1>Big <b>title</b></h1><p>Some <em>plain</em> words_here.</p>")
    assert markdown == "# Big title\n\nSome plain words_here."
    assert text == "Big title\n\nSome plain words_here."


def test_lists_are_nested_and_numbered():
    markdown, text = both("<ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol>")
    assert markdown == "1. one\n   - inner\n2. two"
    assert text == "one\ninner\ntwo"


def test_a_data_table_is_written_with_one_rule_under_its_first_row():
    markdown, text = both("<table><tr><th>A<th>B</tr><tr><td>1<td>x|y</tr></table>")
    assert markdown == "| A | B |\n| --- | --- |\n| 1 | x\\|y |"
    assert text == "A\tB\n1\tx|y"


def test_a_layout_table_becomes_paragraphs():
    markdown, _ = both("<table><tr><td><h2>News</h2><p>One.</p><td>Two.</tr></table>")
    assert markdown == "## News\n\nOne.\n\nTwo."


def test_code_keeps_its_lines_and_quotes_are_marked():
    markdown, _ = both("<pre>if x:\n    y()</pre><blockquote>said so</blockquote>")
    assert markdown == "```\nif x:\n    y()\n```\n\n> said so"


def test_line_breaks_stay_and_other_white_space_collapses():
    assert both("<p>Main \n Street 1<br>12345  Town</p>")[1] == "Main Street 1\n12345 Town"


def test_scripts_and_form_controls_are_left_out_and_the_text_around_them_stays():
    markup = "<p>before<script>var x</script><button>Buy</button> after<select><option>1</select> it</p>"
    assert both(markup)[1] == "before after it"


def test_a_space_separates_adjacent_elements_but_not_the_parts_of_a_word():
    assert both("<div><span>HOKA</span><span>Clifton 10</span></div>")[1] == "HOKA Clifton 10"
    assert (
        both("<p><span>T</span><span>he</span> re<b>mark</b>able<span>ness</span></p>")[1]
        == "The remarkableness"
    )
    nested = "<h4><span><span>amount</span></span><span>integer</span></h4>"
    assert both(nested)[1] == "amount integer"
    assert both("<p><code><span>get</span><span>URL</span></code></p>")[1] == "getURL"


def test_inline_code_with_a_line_break_inside_is_part_of_its_line():
    markup = "<p>It takes an <code>ACCESS\n  EXCLUSIVE</code> lock.</p><h2>Parameters</h2><p>None.</p>"
    assert both(markup)[0] == "It takes an ACCESS EXCLUSIVE lock.\n\n## Parameters\n\nNone."


def test_code_in_code_ends_with_the_outer_one():
    assert both("<pre>a\n<code>b\nc</code>\nd</pre><p>e</p>")[0] == "```\na\nb\nc\nd\n```\n\ne"


@each_case("tag", ["a", "code", "kbd", "em", "strong", "tt", "samp", "cite"])
@each_case("space", [" ", "\n", "&nbsp;", " \n "])
def test_the_space_before_and_after_an_inline_element_stays(tag, space):
    markup = f"<p>any{space}<{tag}>.htaccess</{tag}>{space}file,{space}<{tag}>-x</{tag}>.</p>"
    assert both(markup)[1] == "any .htaccess file, -x."


def test_a_space_inside_an_inline_element_separates_as_one_outside():
    assert both("<p>press<kbd> Ctrl</kbd>+<kbd>C </kbd>twice</p>")[1] == "press Ctrl+C twice"
    assert both("<p>one<br><a>two<br>three</a><br>four</p>")[1] == "one\ntwo\nthree\nfour"


def test_the_sign_behind_a_heading_that_links_to_it_is_no_part_of_it():
    markup = "<h2>3.1. Names<a class=headerlink href=#names>¶</a></h2><p>See <a href=#x>3.2</a><a href=#y></a> there."
    assert both(markup)[0] == "## 3.1. Names\n\nSee 3.2 there."
    assert (
        read_blocks(html.document_fromstring("<p><a href=#y>¶</a> a <a href=b>b</a>").body)[0].link_chars == 1
    )
