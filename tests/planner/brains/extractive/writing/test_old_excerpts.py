from planner.brains.extractive.writing.excerpt_order import Digest, Item
from tests.planner.brains.views import finding


def test_each_section_of_an_old_page_is_dated_and_those_of_the_newest_year_once_a_page():
    def item(place, url, heading, published):
        one = finding(f"What {heading} says.", url, title="Limits", heading=heading, published=published)
        return Item(place, one, (), 0.9, 0.9)

    old, new = "http://a.test/4", "http://b.test/5"
    shown = Digest(
        [
            item(0, old, "Sizes", "2021-05-17"),
            item(1, old, "Queues", "2021-05-17"),
            item(2, new, "Sizes", "2026-08-30"),
            item(3, new, "Queues", "2026-08-30"),
        ],
        [],
    ).sentences()
    assert [one.heading for one in shown] == [
        "Limits: Sizes (2021-05-17)",
        "Queues (2021-05-17)",
        "Limits: Sizes (2026-08-30)",
        "Queues",
    ]
