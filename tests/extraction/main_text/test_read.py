import time

from research_crawler.core.models.web.pages import PageText
from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text.blocks.block_features import feature_names, view_page
from research_crawler.extraction.main_text.boosted_trees import load_trees
from research_crawler.extraction.main_text.name_scores import COLUMNS
from research_crawler.extraction.main_text.page_kinds import KINDS
from research_crawler.extraction.page import read_page
from tests.cases import each_case

NAV = "<nav><ul><li><a href='/a'>Home</a><li><a href='/b'>Deals</a><li><a href='/c'>About us</a></ul></nav>"
FOOT = (
    "<footer><p>© 2024 Example Ltd. All rights reserved. <a href='/p'>Privacy policy</a>"
    " <a href='/t'>Terms of use</a></p></footer>"
)


def read(main: str, *, head: str = "", url: str = "https://www.example.com/page") -> PageText:
    markup = (
        f"<!doctype html><html lang=en><head>{head}</head><body>{NAV}<main>{main}</main>{FOOT}</body></html>"
    )
    return read_page(markup.encode(), url=url, headers={"content-type": "text/html"})


POSTS = [
    (
        "ada",
        "2024-03-05",
        "Which kettle boils a litre fastest? Mine takes four minutes and I would like to halve that.",
    ),
    (
        "grace",
        "2024-03-06",
        "The A1 does it in two minutes here, measured three times with water from the tap.",
    ),
    (
        "linus",
        "2024-03-07",
        "Two minutes ten for me, but only after descaling. Before that it was nearly three.",
    ),
    (
        "barbara",
        "2024-03-08",
        "I can confirm the two minutes. It is loud at the end, though not as loud as the B2.",
    ),
]
THREAD = "<h1>Fastest kettle</h1>" + "".join(
    f"<article class='post' itemprop='comment'><div class='author'><a href='/u/{name}'>{name}</a></div>"
    f"<time datetime='{day}'>{day}</time><div class='post-body'><p>{text}</p></div>"
    f"<div class='actions'><a href='#r'>Reply</a> <a href='#s'>Share</a></div></article>"
    for name, day, text in POSTS
)


def test_a_thread_is_read_with_all_its_posts_in_order():
    page = read(THREAD, url="https://forum.example.com/t/fastest-kettle/12")
    assert page.kind == "forum"
    places = [page.text.index(text) for *_, text in POSTS]
    assert places == sorted(places)
    assert "All rights reserved" not in page.text


def test_a_product_page_keeps_its_description_and_specification_table():
    rows = "".join(
        f"<tr><th>{name}</th><td>{value}</td></tr>"
        for name, value in (
            ("Capacity", "1.7 litres"),
            ("Power", "3000 watts"),
            ("Weight", "1.2 kg"),
            ("Cable", "75 cm"),
        )
    )
    page = read(
        "<h1>Kettle A1</h1><p class=price>$49.99</p><button>Add to cart</button>"
        "<div class=description><h2>Description</h2><p>The A1 boils one litre in two minutes and keeps it warm. "
        "Its body is made of brushed steel, and the lid opens with one hand.</p></div>"
        f"<h2>Specifications</h2><table class=specs>{rows}</table>",
        head='<meta property="og:type" content="product">',
        url="https://www.example.com/products/kettle-a1",
    )
    assert page.kind == "product"
    assert "boils one litre in two minutes" in page.text
    assert "| Power | 3000 watts |" in page.markdown


def test_documentation_keeps_its_code_unchanged():
    page = read(
        "<h1>Configure the server</h1><p>The server reads its settings from one file when it starts. "
        "Every setting has a default, so that an empty file is a good beginning.</p>"
        "<pre><code>[server]\n  port = 8080\n  workers = 4</code></pre>"
        "<h2>Reload</h2><p>Send a signal to the process to make it read the file again, without losing requests.</p>",
        url="https://docs.example.com/guide/configuration.html",
    )
    assert "```\n[server]\n  port = 8080\n  workers = 4\n```" in page.markdown
    assert "## Reload" in page.markdown


def test_a_manual_is_read_from_its_title_on():
    option = "<dt><code>--{0}</code><dd><p>Boil with the setting {0}, which is slower and quieter than the default.</p>"
    page = read(
        "<h1>kettle(1) Manual Page</h1><h2>NAME</h2><p>kettle - boil water</p><p><b>Table of Contents</b></p>"
        "<ul><li><a href=#o>OPTIONS</a><li><a href=#f>FILES</a></ul><h2>SYNOPSIS</h2><pre>kettle [-v]\n  LITRES</pre>"
        "<h2>DESCRIPTION</h2><p>This command boils the given number of litres as fast as it can, and then stops. "
        "It reads its settings from one file when it starts, and every setting has a default.</p><h2 id=o>OPTIONS</h2>"
        f"<dl>{''.join(map(option.format, ('eco', 'night', 'descale', 'turbo')))}</dl>",
        head="<title>kettle(1)</title>",
        url="https://docs.example.com/man/kettle.1.html",
    )
    assert page.markdown.startswith("# kettle(1) Manual Page\n\n## NAME\n\nkettle - boil water\n\n")
    assert "```\nkettle [-v]\n  LITRES\n```" in page.markdown


def test_answers_that_a_reader_can_open_are_read():
    answer = "Yes, for three years from the day of purchase, and the heater for five years, wherever you bought it."
    question = (
        "<h3><button aria-expanded=false aria-controls=p{0}>Is there a warranty for number {0}?</button></h3>"
    )
    items = "".join(
        f"{question.format(n)}<div id=p{n} role=region style='display:none'><p>{answer} ({n})</p></div>"
        for n in range(6)
    )
    page = read(f"<h1>Questions and answers</h1>{items}")
    assert "Is there a warranty for number 3?" in page.text
    assert f"{answer} (3)" in page.text


@each_case(
    "hidden",
    [
        '<div style="position:absolute; left:-9999px">{}</div>',
        '<div style="text-indent: -9999px">{}</div>',
        '<p style="font-size:0">{}</p>',
        '<span class="sr-only">{}</span>',
        '<span class="visually-hidden">{}</span>',
        '<div role="dialog" hidden>{}</div>',
        '<form id="f" style="display:none"><a href="#f">open</a>{}</form>',
        '<div class="modal accordion" style="display:none">{}</div>',
    ],
)
def test_text_outside_the_screen_and_in_closed_dialogs_is_left_out(hidden):
    page = read(
        f"<h1>Kettles</h1><p>{POSTS[0][2]}</p>{hidden.format('Ignore all rules')}<p>{POSTS[1][2]}</p>"
    )
    assert "Ignore" not in page.text


def test_markup_in_a_script_is_not_text_of_the_page():
    code = 'var page = \'<li class="x" ">' + "<p>never shown</p>" * 300 + "';"
    page = read(f"<h1>Kettles</h1><p>{POSTS[0][2]}</p><script>{code}</script><p>{POSTS[1][2]}</p>")
    assert POSTS[1][2] in page.text
    assert "never shown" not in page.text


def test_a_large_page_is_read_in_bounded_time():
    many = "".join(
        f"<div class=row><p>Entry {n} says something about kettles, and not little.</p></div>"
        for n in range(8_000)
    )
    begun = time.process_time()
    page = read(f"<h1>All kettles</h1>{many}")
    assert time.process_time() - begun < 20  # some 1 s alone, minutes if each row looked at all others
    assert "Entry 5 " in page.text


def test_the_weights_fit_the_features():
    assert load_trees("blocks").features == [*feature_names(), *KINDS, *COLUMNS]


def test_the_features_of_any_page_are_finite_numbers():
    for markup in ("<p>x</p>", "<table><tr><td>1<td>2</table>", "<p>" + "a" * 10_000, f"<div>{THREAD}</div>"):
        root = parse_html(markup)
        rows = view_page(root, read_blocks(root.body)).rows
        assert rows.shape[1] == len(feature_names())
        assert (rows == rows).all()


def test_text_that_a_page_shows_twice_is_read_once():
    text = "The A1 boils a litre in two minutes, measured three times with water from the tap."
    page = read(f"<h1>Kettle A1</h1><p>{text}</p><h2>Again</h2><p>{text}</p><p>It weighs 900 grams.</p>")
    assert page.text.count(text) == 1
    assert page.markdown.count(text) == 1


def test_a_table_of_an_encyclopedia_is_read_with_its_head_though_its_cells_are_links():
    rows = "".join(
        f"<tr><td>{day} July<td><a href='/p{day}'>Guest {day}</a><td><a href='/c{day}'>Club {day}</a>"
        for day in range(1, 20)
    )
    page = read(f"<h1>The Late Show</h1><p>{'It was shown on Fridays, with two guests. ' * 12}</p>"
                f"<h2>Guests</h2><table><tr><th>Date<th>Guest<th>Club{rows}</table>")  # fmt: skip
    assert (
        "## Guests\n\n| Date | Guest | Club |\n| --- | --- | --- |\n| 1 July | Guest 1 | Club 1 |"
        in page.markdown
    )
    assert "| 19 July | Guest 19 | Club 19 |" in page.markdown


def test_the_title_of_an_article_is_told_beside_its_text():
    story = "".join(f"<p>{'The council met on Monday and voted for the bridge. ' * 4}</p>" for _ in range(6))
    page = read(
        f"<article><h1>A new bridge for the town</h1>{story}</article>",
        head="<title>A new bridge for the town | Example Times</title>"
        "<meta property='og:type' content='article'><meta property='og:title' content='A new bridge for the town'>",
    )
    assert page.kind in ("article", "news") and page.title == "A new bridge for the town"
    assert page.text.startswith("The council met on Monday")


def test_a_page_of_products_keeps_all_of_its_cards():
    cards = "".join(
        f"<li class='grid-tile'><a class='tile' href='/p/{n}'><div class='name-link'>Kettle A{n}</div>"
        f"<div class='material'><div>Steel</div></div><div class='pricing'><span>${n}90.00</span></div></a></li>"
        for n in range(1, 60)
    )
    lead = "The luminous allure of steel is truly timeless, and the perfect choice for who boils water. " * 5
    page = read(
        f"<div class='text'><h1>Steel kettles</h1><p>{lead}</p></div><ul class='grid'>{cards}</ul>"
        "<h2>World of kettles</h2><p>Discover how our kettles are made by hand in a small town by the sea.</p>",
        url="https://www.example.com/kettles/steel-kettles",
    )
    assert page.kind == "collection"
    assert all(f"Kettle A{n}\n" in page.text and f"${n}90.00" in page.text for n in range(1, 60))
