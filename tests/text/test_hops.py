from research_crawler.text.hops import hops_in

QUESTION = "Why should I avoid .htaccess files in Apache?"


def test_a_name_with_what_is_asked_of_it_is_a_hop():
    asked = "Where did the engineer who designed the Skelder lighthouse study?"
    assert hops_in(asked, ["Agnes Holt study", "Skelder lighthouse"]) == ["Agnes Holt study"]


def test_a_name_that_a_page_mentions_with_the_names_of_the_question_asks_nothing_and_is_none():
    assert hops_in(QUESTION, ["AuthUserFile .htaccess Apache", "AllowOverride Apache"]) == []
    assert hops_in(QUESTION, ["AllowOverride avoid .htaccess"]) == ["AllowOverride avoid .htaccess"]
