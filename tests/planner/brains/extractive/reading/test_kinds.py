import pytest

from planner.brains.extractive.reading.kinds import finding_kind, is_furniture, specificity


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Expect to pay $800 to $1,000.", "price_expectation"),
        ("Avoid the older one, the hinge broke after a month.", "warning"),
        ("I would buy the Lenovo LOQ 15 again, highly recommended.", "recommended_product"),
        ("I bought the Orlo Lynx 15 for $890 and would buy it again.", "recommended_product"),
        ("Our pick is the Orlo Lynx 15 with the RTX 4060.", "recommended_product"),
        ("The Orlo Lynx 15 is the best cheap laptop that we have tested.", "recommended_product"),
        ("Seconded, the Lynx 15 is the one to get at the moment.", "recommended_product"),
        ("The Tamsin Forge 15 is a good cheap gaming laptop.", "recommended_product"),
        ("A laptop with an RTX 4060 should cost $800 to $1,000.", "price_expectation"),
        ("Do not buy the Veska Blaze 14, mine failed.", "warning"),
        ("I bought mine from a small dealer in Leeds.", "vendor_mentioned"),
        ("Look for at least 16 GB of memory.", "spec_to_look_for"),
    ],
)
def test_commerce_sentences_have_their_kind(text, kind):
    assert finding_kind(text, "commerce") == kind


def test_informational_sentences_have_their_kind():
    assert finding_kind("The tower was lit in 1871.", "informational") == "key_fact"
    assert finding_kind("You should bring boots.", "informational") == "recommendation"
    assert finding_kind("According to the council it opens in May.", "informational") == "source_cited"


def test_furniture_is_distinguished_from_content():
    assert is_furniture("We use cookies to improve your visit.")
    assert is_furniture("By Ada Brook, 3 May 2024")
    assert is_furniture("Sign up for our newsletter")
    assert is_furniture("Available Languages: en | fr")
    assert not is_furniture("By volume it holds 22 g of beans.")
    assert not is_furniture("Which cookies does it set?", "which cookies does the shop set")


def test_figures_are_more_specific_than_names():
    figure, number, name, nothing = (
        specificity("387 g", named=False),
        specificity("in 1871", named=False),
        specificity("Velmar", named=True),
        specificity("nice", named=False),
    )
    assert figure > number > name > nothing == 0
