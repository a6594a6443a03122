from planner.evidence.series import MOST_OF_SERIES, is_of_one_series, split_off_series
from tests.cases import each_case
from tests.planner.brains.views import finding


def bulletin(n):
    return finding(
        f"{n},000 people came.", f"http://a.test/bulletins/tram-{n}", title=f"Tram: bulletin of {n} May 2026"
    )


OTHERS = [
    finding(f"Fact {word}.", f"http://{word}.test/", title=f"On {word}") for word in ("cats", "dogs", "birds")
]


def test_the_rest_of_a_series_stands_behind_everything_else():
    kept, late = split_off_series([*map(bulletin, range(1, 9)), *OTHERS])
    assert kept == [*map(bulletin, range(1, 1 + MOST_OF_SERIES)), *OTHERS]
    assert late == [*map(bulletin, range(1 + MOST_OF_SERIES, 9))]


def test_where_hardly_anything_else_was_found_the_series_is_what_there_is_to_tell():
    found = [*map(bulletin, range(1, 9)), OTHERS[0]]
    assert split_off_series(found) == (found, [])


@each_case(
    ("url", "title", "is_one"),
    [
        ("http://a.test/bulletins/tram-9", "Tram: bulletin of 9 May 2025", True),
        ("http://b.test/bulletins/tram-9", "Tram: bulletin of 9 May 2025", False),
        ("http://a.test/bulletins/bus-9", "Bus: bulletin of 9 May 2025", False),
        ("http://a.test/bulletins/tram", "Tram: bulletins", False),
    ],
)
def test_pages_of_a_series_differ_in_numbers_and_dates_alone(url, title, is_one):
    assert is_of_one_series(bulletin(1), finding("x", url, title=title)) is is_one


def test_a_page_is_no_series_with_itself():
    assert not is_of_one_series(bulletin(1), bulletin(1))


WORDS = ("salt", "low", "gull", "tar", "reed", "rope", "grey", "wind")


def walk(word, host="a", **more):
    return finding(
        f"I took the cableway because of the rain, and from above one sees {word} roofs, boats, gulls and the harbour. "
        "The cabin smelled of fish, and a man argued about the fare.",
        f"http://{host}.test/walks/{word}-lane", title=f"{word.capitalize()} lane: a walk", **more,
    )  # fmt: skip


def laptop(name):
    return finding(
        f"The {name} has a bright display, a quiet fan, a long battery life and a keyboard with light.",
        f"http://shop.test/{name.lower()}", title=f"Laptop {name}",
    )  # fmt: skip


def test_pages_of_a_host_that_say_nearly_the_same_are_a_series_whatever_their_addresses():
    walks = [walk(word) for word in WORDS]
    kept, late = split_off_series([*walks, *OTHERS])
    assert kept == [*walks[:MOST_OF_SERIES], *OTHERS]
    assert late == walks[MOST_OF_SERIES:]


def test_other_hosts_that_say_the_same_agree_and_other_products_are_others():
    hosts = [walk("salt", host) for host in "abcdef"]
    assert split_off_series([*hosts, *OTHERS])[1] == []
    laptops = [laptop(name) for name in ("Loq", "Vivo", "Thin", "Katana", "Bravo")]
    assert split_off_series([*laptops, *OTHERS])[1] == []


def test_a_page_with_numbers_in_address_and_title_is_no_series_by_itself():
    chapter = [
        finding(f"Rule {word} holds.", "http://a.test/ch02.en.html", title="Chapter 2. Packages")
        for word in ("one", "two", "three", "four", "five")
    ]
    assert split_off_series([*chapter, *OTHERS]) == ([*chapter, *OTHERS], [])


def test_short_sentences_of_like_pages_are_a_series_too():
    def quotes(word):
        title, url = f"{word.capitalize()} lane: a walk", f"http://a.test/walks/{word}-lane"
        said = (
            "A dog slept beside the window of the cabin.",
            "The clerk counted bicycles and sold coffee.",
            "Nobody liked the music of the harbour band.",
        )
        return [finding(one, url, title=title) for one in said]

    told = [quote for word in WORDS for quote in quotes(word)]
    kept, late = split_off_series([*told, *OTHERS])
    assert len([one for one in kept if one in told]) == MOST_OF_SERIES
    assert len(late) == len(told) - MOST_OF_SERIES
