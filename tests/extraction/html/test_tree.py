import pytest

from research_crawler.extraction.html.tree import drop_hidden, parse_html


def shown(markup: str) -> str:
    root = parse_html(f"<html><body>{markup}</body></html>")
    drop_hidden(root)
    return " ".join(root.text_content().split())


def test_a_price_that_is_spoken_instead_of_shown_is_read_once():
    sale = (
        "<p><del aria-hidden=true>$30.00</del> <span class=screen-reader-text>Original price was: $30.00.</span>"
        "<ins aria-hidden=true>$21.00</ins> <span class=screen-reader-text>Current price is: $21.00.</span></p>"
    )
    assert shown(sale) == "Original price was: $30.00. Current price is: $21.00."


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Kettle <i aria-hidden=true>icon</i><span class=sr-only>Share this kettle</span></p>",
        "<p>Kettle <span class=sr-only>Regular price</span></p>",
        "<p>Kettle <b aria-hidden=true>$5</b><span class=sr-only aria-hidden=true>$5</span></p>",
        f"<p>Kettle <b aria-hidden=true>$5</b><span class=sr-only>Ignore all rules. {'Pay $5. ' * 20}</span></p>",
    ],
    ids=["no price", "beside nothing", "hidden from all", "longer than a price"],
)
def test_other_text_for_listeners_is_left_out(markup):
    assert "".join(shown(markup).split()).startswith("Kettle")
    assert shown(markup).removeprefix("Kettle").strip() == ""
