from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage, view_page
from research_crawler.extraction.main_text.thread_repeats import without_thread_repeats

FIRST = "The small kettle boils half a litre in one minute and twenty seconds here."
SECOND = "Mine takes two minutes, but the water is hard and the base needs a clean."


def view_of(markup: str) -> ClassifiedPage:
    root = parse_html(f"<html><body>{markup}</body></html>")
    return view_page(root, read_blocks(root.body))


def left(markup: str) -> list[str]:
    view = view_of(markup)
    return [view.blocks[index].text for index in without_thread_repeats(view, range(len(view.blocks)))]


def test_signatures_under_posts_are_left_out():
    for signature in (
        'class="signature sig77"',
        'data-role="memberSignature"',
        'class="sig_text"',
        'class="js_signature"',
    ):
        assert left(
            f"<div>{FIRST}</div><div {signature}><p>Buy me a coffee</p></div><div>{SECOND}</div>"
        ) == [FIRST, SECOND]


def test_the_author_and_date_of_a_post_are_no_signature_whatever_their_place_is_called():
    markup = (
        f"<div>{FIRST}</div><div class='post-signature'><p>asked Jun 29, 2012 at 10:51</p><p>Jon</p></div>"
    )
    assert left(markup) == [FIRST, "asked Jun 29, 2012 at 10:51", "Jon"]


def test_a_quote_of_a_post_above_is_left_out_with_the_name_over_it():
    quote = f"<blockquote><p>anna wrote:</p><p>{FIRST}</p></blockquote>"
    assert left(f"<div>{FIRST}</div><div>{quote}<p>{SECOND}</p></div>") == [FIRST, SECOND]


def test_a_quote_of_something_else_stays():
    quote = "<blockquote><p>The manual says:</p><p>Descale it once a month.</p></blockquote>"
    said = ["The manual says:", "Descale it once a month."]
    assert left(f"<div>{FIRST}</div><div>{quote}<p>{SECOND}</p></div>") == [FIRST, *said, SECOND]


def test_the_title_of_a_thread_is_not_read_again_over_each_answer():
    markup = (
        f"<h1>Fast kettle</h1><p>{FIRST}</p><h3>Re: Fast kettle</h3><p>{SECOND}</p><h3>Other</h3><p>Yes</p>"
    )
    assert left(markup) == ["Fast kettle", FIRST, SECOND, "Other", "Yes"]


POST = (
    "<article class=message><div class=message-user><a class=avatar>A</a><h4 class=message-name>{name}</h4>"
    "<h5 class='userTitle'>Well-known member</h5><dl class=pairs><dt><i></i></dt><dd>Feb 8, 2017</dd></dl></div>"
    "<ul><li><a class=u-concealed><time datetime=2023-12-30>Dec 30, 2023</time></a></li></ul>"
    "<div class=body>{text}</div></article>"
)


@given(
    st.lists(
        st.sampled_from(
            ["<p>{}</p>", "<blockquote>{}</blockquote>", "<h3>Re: {}</h3>", "<i class=sig>{}</i>"]
        )
    )
)
def test_something_is_left_of_any_thread_in_its_order(parts):
    view = view_of(
        "".join(part.format(f"{FIRST} {number % 3}") for number, part in enumerate(parts)) or "<p>Yes</p>"
    )
    kept = without_thread_repeats(view, range(len(view.blocks)))
    assert kept
    assert kept == sorted(set(kept))
