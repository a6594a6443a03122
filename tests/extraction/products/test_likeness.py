from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.offers.products import Product
from research_crawler.extraction.products.product_likeness import likeness, ranked

QUERY = "Orlo Lynx 15 RTX 4060"
LAPTOP = "Orlo Lynx 15 Gaming Laptop RTX 4060 16 GB 512 GB"
PAD = "Cooling Pad for Orlo Lynx 15 Gaming Laptop RTX 4060"
NEIGHBOUR = "Tamsin Forge 15 Gaming Laptop RTX 4050"


def named(*names: str, **fields) -> list[Product]:
    return [Product(name=name, **fields) for name in names]


def test_the_product_comes_before_similar_ones_and_accessories_come_last():
    assert likeness(LAPTOP, QUERY) == 1.0
    assert likeness(LAPTOP, QUERY) > likeness(NEIGHBOUR, QUERY) > likeness(PAD, QUERY) > 0
    assert [one.name for one in ranked(named(PAD, NEIGHBOUR, LAPTOP), QUERY)] == [LAPTOP, NEIGHBOUR, PAD]


def test_an_accessory_that_was_searched_for_is_found():
    assert likeness("Cooling Pad for Orlo Lynx 15", "cooling pad") == 1.0
    assert likeness("Hülle für Galaxy S24", "Hülle") == 1.0


def test_numbers_must_be_equal():
    assert likeness("RTX 4060", "RTX 4050") < likeness("RTX 4050", "RTX 4050")
    assert likeness("laptop", "laptops") == 1.0
    assert likeness("S24", "S25") == 0.0


def test_a_name_without_words_of_the_query_is_not_a_result():
    assert ranked(named("Garden hose", "Backpack"), QUERY) == []
    assert len(ranked(named("Garden hose"), "")) == 1


def test_sponsored_rows_come_after_equal_matches_and_stay_marked():
    [advert] = named(LAPTOP, sponsored=True)
    [plain] = named(LAPTOP)
    [worse] = named(NEIGHBOUR)
    assert ranked([advert, worse, plain], QUERY) == [plain, advert, worse]


def test_the_brand_counts_if_the_name_does_not_contain_it():
    [branded] = named("Lynx 15", brand="Orlo")
    assert ranked([branded], "Orlo Lynx 15") == [branded]


@given(st.text(max_size=60), st.text(max_size=60))
def test_likeness_is_between_0_and_1(name, query):
    assert 0.0 <= likeness(name, query) <= 1.0


@given(st.lists(st.text(max_size=30), max_size=8), st.text(max_size=30))
def test_ranking_only_removes_and_sorts_products(names, query):
    products = named(*names)
    kept = ranked(products, query)
    assert all(one in products for one in kept)
    assert len(kept) <= len(products)
