from pipelines.vectors import _text_of
from tests.planner.brains.views import finding


def test_a_quote_and_its_own_words_are_embedded_once():
    listing = finding("Run this: git push").model_copy(update={"quote": "Run this:\n\n```\ngit push\n```"})
    assert _text_of(listing) == "Run this: git push"
    inside = finding("It runs.").model_copy(update={"quote": "Yes. It runs."})
    assert _text_of(inside) == "Yes. It runs."
    reworded = finding("The pump is loud.").model_copy(update={"quote": "It makes a lot of noise."})
    assert _text_of(reworded) == "The pump is loud.\nIt makes a lot of noise."
