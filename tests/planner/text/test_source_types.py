import pytest

from planner.text.source_types import source_type


@pytest.mark.parametrize(
    ("url", "title", "kind"),
    [
        ("https://www.reddit.com/r/GamingLaptops/comments/1", "", "forum"),
        ("https://example.org/viewtopic.php?t=3", "", "forum"),
        ("https://forum.example.org/x", "", "forum"),
        ("https://www.amazon.de/dp/B0", "", "vendor"),
        ("https://shop.example.org/lamp", "", "vendor"),
        ("https://example.org/reviews/lamp", "", "review"),
        ("https://example.org/x", "Seven lamps, tested", "review"),
        ("https://example.org/2024/05/lamp-law", "", "news"),
        ("https://www.epa.gov/lamps", "", "official"),
        ("https://docs.example.org/lamps", "", "official"),
        ("https://example.org/lamps", "Lamps", "other"),
        ("https://notreddit.com.example.org/lamps", "Lamps", "other"),
    ],
)
def test_the_kind_of_a_source_is_read_from_its_url_and_title(url, title, kind):
    assert source_type(url, title) == kind
