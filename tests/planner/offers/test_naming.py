from planner.offers.naming import Names, places_naming
from tests.cases import each_case
from tests.planner.scripted import a_finding, a_product

LYNX = a_product("Orlo Lynx 15 Gaming Laptop RTX 4060 16 GB", brand="Orlo")
SMALL = a_product("Orlo Lynx 13 Gaming Laptop RTX 4050", brand="Orlo")
FORGE = a_product("Tamsin Forge 15 Gaming Laptop RTX 4050", brand="Tamsin")
PAD = a_product("Cooling Pad for Orlo Lynx 15 Gaming Laptop", brand="Draughty")
NAMES = Names([LYNX, SMALL, FORGE, PAD], "gaming laptop RTX")


@each_case(
    ("text", "named"),
    [
        ("Our pick is the Orlo Lynx 15.", [LYNX]),
        ("Seconded, the Lynx 15 is the one to get.", [LYNX]),
        ("If the Lynx is too much, the Tamsin Forge 15 is a good cheap gaming laptop.", [FORGE]),
        ("The Orlo Lynx 15 beats the Tamsin Forge 15.", [LYNX, FORGE]),
        ("Any Orlo is fine.", []),
        ("A gaming laptop with an RTX 4060 is enough.", []),
        ("I would forge ahead.", []),
    ],
)
def test_a_sentence_names_a_product_by_the_words_of_its_model(text, named):
    assert [product for product in (LYNX, SMALL, FORGE, PAD) if NAMES.named_in(product, text)] == named


def test_only_recommendations_count_for_a_product():
    findings = [
        a_finding("j:1", "The Orlo Lynx 15 is great.", kind="recommended_product"),
        a_finding("j:1", "The Orlo Lynx 15 is loud.", kind="warning"),
        a_finding("j:1", "Go for the Lynx 15.", kind="recommendation"),
    ]
    assert places_naming(LYNX, findings, NAMES) == [0, 2]


def test_the_goals_words_for_the_kind_of_product_do_not_name_a_single_product():
    only = Names([LYNX], "gaming laptop RTX")
    assert only.named_in(LYNX, "Get the Lynx 15.")
    assert not only.named_in(LYNX, "Get a Gaming Laptop.")
