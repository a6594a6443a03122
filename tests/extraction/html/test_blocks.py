from lxml import html

from research_crawler.extraction.html.blocks import read_blocks, to_markdown, to_text


def both(markup: str) -> tuple[str, str]:
    blocks = read_blocks(html.document_fromstring(markup).body)
    return to_markdown(blocks), to_text(blocks)


def test_headings_and_paragraphs_keep_their_level_and_lose_emphasis():
    markdown, text = both("<h1>Big <b>title</b></h1><p>Some <em>plain</em> words_here.</p>")
    assert markdown == "# Big title\n\nSome plain words_here."
    assert text == "Big title\n\nSome plain words_here."


def test_lists_are_nested_and_numbered():
    markdown, text = both("<ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol>")
    assert markdown == "1. one\n  - inner\n2. two"
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
