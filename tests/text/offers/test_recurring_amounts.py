from research_crawler.text.offers.recurring_amounts import is_rate


def test_an_amount_for_each_span_of_time_is_a_rate_and_one_for_a_thing_or_its_weight_is_none():
    assert is_rate(" per month", "en") and is_rate("/Monat", "de")
    assert not is_rate("/kg", "en") and not is_rate(" each", "en")
