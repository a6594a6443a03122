from research_crawler.extraction.evidence.finding_verification import asks_for_contact, is_mainly_contact
from tests.cases import each_case


@each_case(
    "quote",
    [
        "Mail: ada@example.org",
        "Tel. +49 (0)30 1234 5678",
        "Phone 020 7946 0018",
        "ada (at) example.org, fax 030 123 4567",
    ],
)
def test_contact_lines_are_recognised(quote):
    assert is_mainly_contact(quote)


@each_case(
    "quote",
    [
        "It measures 120 x 340 x 560 mm.",
        "Released on 2024-05-01, updated 2025 06 11.",
        "The price fell from 1 299 999 to 999 000 yen.",
        "Contact us if the two minute rule fails for you.",
        "ISBN 978 3 16 148410 0",
        "C++ 12 34 56 78",
        "More than 2 000 000 people called it the best of 2024 500 times.",
    ],
)
def test_numbers_dates_and_prices_are_not_contact_data(quote):
    assert not is_mainly_contact(quote)


@each_case(
    ("goal", "asks"),
    [
        ("e-mail addresses of the harbour office", True),
        ("Telefonnummer der Bibliothek", True),
        ("Which calligraphy pens do not leak?", False),
        ("phonetic alphabet of the navy", False),
    ],
)
def test_only_a_goal_with_a_word_for_contacts_asks_for_them(goal, asks):
    assert asks_for_contact(goal) is asks
