import pytest
from lxml import html

from research_crawler.extraction.html.blocks import Block, read_blocks
from research_crawler.extraction.main_text.left_out import leave_out


def rest(markup: str) -> list[str]:
    return [block.text for block in leave_out(read_blocks(html.document_fromstring(markup).body))]


@pytest.mark.parametrize(
    ("form", "left"),
    [
        ("<form><p>Tell us the lower price</p><label>Link <input type=url></label></form>", []),
        ("<form><p>Tell me when it is back</p><input type=email></form>", []),
        ("<form><p>Pick a size</p><select><option>M</select></form>", ["Pick a size"]),
        ("<form><p>Engraving</p><p>$12</p><input type=text></form>", ["Engraving", "$12"]),
        (
            f"<form><p>Whole page</p><p>{'word ' * 600}</p><input name=q></form>",
            ["Whole page", "word " * 599 + "word"],
        ),
    ],
)
def test_forms_that_ask_for_an_address_or_a_text_are_left_out(form, left):
    assert rest(f"<h1>Kettle</h1>{form}<p>Currently unavailable</p>") == [
        "Kettle",
        *left,
        "Currently unavailable",
    ]


def test_a_hover_text_that_repeats_a_paragraph_is_left_out_and_one_that_says_more_stays():
    text = "Free returns within thirty days of purchase."
    hover = "<div class=tooltip-content><p>{}</p></div>"
    assert rest(f"<p>{text} Always.</p>{hover.format(text)}") == [f"{text} Always."]
    assert rest(f"<p>Returns.</p>{hover.format(text)}") == ["Returns.", text]


@pytest.mark.parametrize(
    "field", ["{{ product.title }}", '{"sku": "A1", "stock": 3}', "[object Object]", "undefined"]
)
def test_a_value_for_a_script_is_left_out(field):
    assert rest(f"<p>Kettle</p><p>{field}</p><pre>{field}</pre>") == ["Kettle", field]


@pytest.mark.parametrize("text", ["Null and void", "{{ name }} is replaced by the name.", "[1]", "{A, B}"])
def test_text_that_only_resembles_one_stays(text):
    assert rest(f"<p>{text}</p>") == [text]


def test_blocks_without_an_element_stay():
    assert leave_out([Block("paragraph", "a")]) == [Block("paragraph", "a")]


def test_the_path_to_a_page_is_left_out_and_a_menu_that_a_sentence_names_stays():
    path = "<div><a href=/>Apache</a> &gt; <a href=/s>HTTP Server</a> &gt; <a href=/d>Version 2.4</a> &gt; Hooks</div>"
    menu = "<p>File › Save as › PDF</p>"
    sentence = "<p>Open <a href=/f>File</a> › <a href=/s>Save as</a>, and choose the <a href=/k>kind</a>.</p>"
    assert rest(f"{path}<h1>Hooks</h1>{menu}{sentence}") == [
        "Hooks",
        "File › Save as › PDF",
        "Open File › Save as, and choose the kind.",
    ]
