from decimal import Decimal

from planner.goal.requirements import check, check_all, requirements_of
from planner.money.rates import Rates
from research_crawler.core.models.offers.phase2 import Requirement
from research_crawler.core.models.offers.products import Product
from tests.cases import each_case

RATES = Rates(date="2026-01-02", source="ECB", euro={"USD": 1.25})


def a_product(name: str = "Lenovo LOQ 15 RTX 4060 16GB", price: str | None = "799.99", **more) -> Product:
    amount = None if price is None else Decimal(price)
    fields = {"price": f"${price}" if price else "", "price_numeric": amount, "currency": "USD"}
    return Product(name=name, **fields | more)


def kinds_and_texts(goal: str, **more) -> list[tuple[str, str]]:
    return [
        (requirement.kind, requirement.text)
        for requirement in requirements_of(goal, region="US", currency="USD", **more)
    ]


@each_case(
    ("goal", "requirements"),
    [
        ("Find me a cheap gaming laptop with an RTX card", [("spec", "RTX")]),
        ("find RTX 4060 laptops under $1000", [("price", "under $1000"), ("spec", "RTX 4060")]),
        ("laptop with 16 GB RAM and 1 TB SSD", [("spec", "16 GB RAM"), ("spec", "1 TB SSD")]),
        ("a chair under $100, new", [("price", "under $100"), ("condition", "new")]),
        ("a used red bicycle", [("condition", "used"), ("colour", "red")]),
        ("14-inch OLED laptop in stock", [("spec", "14-inch"), ("spec", "OLED"), ("availability", "in stock")]),
        ("Laptop unter 900 €", [("price", "unter 900 €")]),
        ("a laptop under $1000 for gaming", [("price", "under $1000")]),
        ("a laptop under 4.000 zł", [("price", "under 4.000 zł")]),
        ("how is this tool used for wood", []),
    ],
)  # fmt: skip
def test_requirements_are_read_from_the_goals_words(goal, requirements):
    assert kinds_and_texts(goal) == requirements


def test_a_price_requirement_has_its_limits_and_currency():
    (requirement,) = requirements_of("a desk between 200 and 300 euros", region="DE", currency="EUR")
    assert (requirement.least, requirement.most, requirement.currency) == (200, 300, "EUR")
    (requirement,) = requirements_of("laptop up to 1,200", region="US", currency="USD")
    assert (requirement.least, requirement.most, requirement.currency) == (None, 1200, "USD")
    (requirement,) = requirements_of("laptop under 1.5k", region="US", currency="USD")
    assert requirement.most == 1500


def test_a_size_is_not_a_price():
    assert kinds_and_texts("a TV up to 55 inches") == [("spec", "55 inches")]


def test_a_makers_name_in_the_goal_is_a_requirement_if_a_product_of_that_maker_was_found():
    assert kinds_and_texts("a Lenovo laptop", brands=["Lenovo", "MSI"]) == [("brand", "Lenovo")]


@each_case(
    ("requirement", "product", "state"),
    [
        (Requirement(kind="spec", text="RTX 4060"), a_product("LOQ with GeForce RTX™ 4060"), "verified"),
        (Requirement(kind="spec", text="RTX 4060"), a_product("LOQ RTX 4050"), "violated"),
        (Requirement(kind="spec", text="RTX 4060"), a_product("LOQ 15"), "unknown"),
        (Requirement(kind="spec", text="RTX 4060"), a_product("LOQ RTX 4060 Ti"), "unknown"),
        (Requirement(kind="spec", text="RTX"), a_product("LOQ RTX4050"), "verified"),
        (Requirement(kind="spec", text="16 GB RAM"), a_product("LOQ", specs={"Memory": "16GB DDR5"}), "verified"),
        (
            Requirement(kind="spec", text="16 GB RAM"),
            a_product("LOQ", specs={"RAM": "8 GB", "SSD": "16 GB"}),
            "violated",
        ),
        (Requirement(kind="spec", text="16 GB"), a_product("LOQ 8GB"), "unknown"),
        (Requirement(kind="spec", text="14-inch"), a_product('LOQ 15"'), "violated"),
        (Requirement(kind="colour", text="red"), a_product(specs={"Colour": "Rot"}), "verified"),
        (Requirement(kind="colour", text="red"), a_product(specs={"Farbe": "blau"}), "violated"),
        (Requirement(kind="colour", text="red"), a_product(), "unknown"),
        (Requirement(kind="condition", text="used"), a_product(condition="used"), "verified"),
        (Requirement(kind="condition", text="used"), a_product(condition="new"), "violated"),
        (Requirement(kind="condition", text="used"), a_product(), "unknown"),
        (Requirement(kind="brand", text="Lenovo"), a_product(), "verified"),
        (Requirement(kind="brand", text="Lenovo"), a_product("Thin 15", brand="MSI"), "violated"),
        (Requirement(kind="availability", text="in stock"), a_product(in_stock=False), "violated"),
        (Requirement(kind="price", text="under $1000", most=1000, currency="USD"), a_product(), "verified"),
        (Requirement(kind="price", text="under $700", most=700, currency="USD"), a_product(), "violated"),
        (Requirement(kind="price", text="under $700", most=700, currency="USD"), a_product(price=None), "unknown"),
    ],
)  # fmt: skip
def test_a_requirement_is_verified_violated_or_unknown(requirement, product, state):
    assert check(requirement, product, RATES).state == state


def test_the_evidence_is_the_pages_own_wording():
    product = a_product("Lenovo LOQ", specs={"Memory": "16GB DDR5"})
    (found,) = check_all([Requirement(kind="spec", text="16 GB RAM")], product, RATES)
    assert found.evidence == "Memory: “16GB DDR5”"


def test_a_price_in_another_currency_is_converted_and_marked():
    requirement = Requirement(kind="price", text="unter 700 €", most=700, currency="EUR")
    found = check(requirement, a_product(price="800.00"), RATES)
    assert found.state == "verified"
    assert "$800.00 (≈ 640.00 EUR, converted at the ECB rate of 2026-01-02)" in found.evidence
    unknown = check(requirement, a_product(price="800.00", currency="JPY"), RATES)
    assert unknown.state == "unknown"
    assert "no rate" in unknown.evidence
