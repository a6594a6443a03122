"""What texts say about a purchase, and what goals ask for."""

from research_crawler.text.offers.purchase import (
    before_use,
    colours_in,
    condition_in,
    is_difference,
    says,
    words_saying,
)
from research_crawler.text.questions.wishes import (
    asks_for_documentation,
    asks_for_media,
    asks_for_news,
    claim_to_check,
)
from tests.cases import each_case


@each_case(
    ("what", "text", "other"),
    [
        ("warning", "Mine broke after a week.", "It works well."),
        ("praise", "The K2 is our top pick.", "The K2 has a lid."),
        ("advice", "Look for a steel lid.", "The lid is steel."),
        ("selling", "I bought it from a shop in Ulm.", "It stands in a shop."),
        ("cost", "Combien coûte un ticket ?", "Who wrote it?"),
        ("former_price", "At launch it was 900 euros.", "It is 900 euros."),
        ("field_of_colour", "Gehäusefarbe", "Gehäuse"),
    ],
)
def test_a_text_says_what_its_words_tell(what, text, other):
    assert (says(what, text), says(what, other)) == (True, False)


def test_conditions_colours_and_stock_are_named_in_several_languages():
    assert condition_in("gebrauchtes Notebook") == "used"
    assert condition_in("a laptop, new, in stock") == "new"
    assert condition_in("software used for layouts") is None
    assert colours_in("schwarze Jacke, red lining") == ["black", "red"]
    assert words_saying("in_stock", "nur auf Lager") == "auf Lager"


def test_what_a_product_is_for_and_what_it_comes_with_is_no_part_of_its_name():
    assert before_use("cooling pad for a laptop with a fan") == "cooling pad"
    assert before_use("laptop with a fan for games", equipment=False) == "laptop with a fan"
    assert before_use("laptop under 900", limits=True) == "laptop"
    assert is_difference("save ", " today") and is_difference("it is ", " less") and not is_difference("", "")


def test_a_goal_asks_for_news_documentation_media_or_the_check_of_a_claim():
    assert asks_for_news("Neueste Nachrichten aus Bern")
    assert asks_for_documentation("the nginx documentation for proxies")
    assert asks_for_media("pictures of herons")
    assert claim_to_check("Is it true that herons sleep standing?") == "herons sleep standing"
    assert not claim_to_check("How do herons sleep?")
