import pytest

from planner.watches.matching import is_about, match, merged_identity, product_key
from tests.cases import each_case
from tests.planner.watches.watch_samples import a_tracked, an_identity


def result(**more):
    return an_identity(**({"asked": "", "url": "https://shop.example/a", "sku": "A1"} | more))


def known(*identities):
    return [a_tracked(key=f"product{number}", identity=one) for number, one in enumerate(identities)]


@each_case(
    "change",
    [
        {"name": "Laptop 16 RTX 4060 (2026)"},
        {"url": "https://shop.example/laptop-new-address"},
        {"url": "http://www.shop.example/a/?utm_source=mail", "sku": ""},
        {"sku": "", "url": "https://shop.example/b"},
        {"condition": "new"},
    ],
)
def test_a_product_is_recognised_though_one_field_has_changed(change):
    assert match(known(result()), result(**change)) is not None


@each_case(
    "change",
    [
        {"sku": "B2"},
        {"vendor": "other.example"},
        {"condition": "used"},
        {"variant": "32 GB"},
        {"gtin": "04006381333931"},
        {"asked": "https://shop.example/a"},
    ],
)
def test_another_offer_is_another_product(change):
    first = result(condition="new", variant="16 GB", gtin="00036000291452")
    assert match(known(first), result(condition="new", variant="16 GB").model_copy(update=change)) is None


def test_the_most_reliable_field_decides():
    one, two = result(sku="", gtin="00036000291452"), result(sku="A1", url="https://shop.example/b")
    seen = result(sku="A1", gtin="00036000291452", url="https://shop.example/b")
    assert match(known(one, two), seen).key == "product0"


def test_a_name_that_two_products_have_does_not_decide():
    seen = result(sku="", url="https://shop.example/c")
    two = known(result(sku="A", url="https://shop.example/a"), result(sku="B", url="https://shop.example/b"))
    assert match(two, seen) is None
    assert match(two[:1], seen) is not None


def test_a_product_is_matched_only_once_on_a_page():
    assert match(known(result()), result(), taken={"product0"}) is None


def test_the_page_that_the_user_named_stays_the_product_whatever_number_it_shows():
    assert match(known(an_identity(sku="A")), an_identity(sku="B", name="Renamed")) is not None


def test_a_new_product_has_the_same_key_in_every_process():
    assert product_key("w", result()) == product_key("w", result(name="Other words"))
    assert product_key("w", result()) != product_key("w", result(sku="B2"))
    assert product_key("w", result()) != product_key("v", result())
    assert len(product_key("w", result())) == 12


def test_a_reading_that_lacks_a_value_keeps_the_known_one():
    assert merged_identity(result(gtin="1", condition="new"), result(name="New name")).gtin == "1"
    assert merged_identity(result(condition="new"), result(condition="unknown")).condition == "new"
    assert merged_identity(result(), result(name="New name")).name == "New name"


@each_case(
    ("name", "is_it"),
    [
        ("ASUS TUF A15 Gaming Laptop, GeForce RTX 4060, 16 GB", True),
        ("Lenovo LOQ Laptop RTX4060", True),
        ("MSI Katana Laptop RTX 4070", False),
        ("Laptop sleeve 16 inch", False),
    ],
)
def test_a_result_has_the_numbers_of_the_query_and_most_of_its_words(name, is_it):
    assert is_about("RTX 4060 laptop", name) is is_it


@pytest.mark.parametrize(
    "other",
    ["Orrin T3 Hand Coffee Grinder", "Velmar Grande Hand Coffee Grinder", "Velmar Electric Coffee Grinder"],
)
def test_another_make_or_model_of_the_same_kind_is_not_the_product_of_the_query(other):
    own = "Velmar Pocket Hand Coffee Grinder"
    assert is_about(own, f"{own}, black")
    assert not is_about(own, other)


def test_a_model_with_its_number_is_recognised_by_a_shop_that_does_not_say_of_which_kind_it_is():
    assert is_about("orlo lynx 15 gaming laptop", "Orlo Lynx 15 (RTX 4060)")
    assert not is_about("orlo lynx 15 gaming laptop", "Tamsin Forge 15 Gaming Laptop")
