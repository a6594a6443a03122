from research_crawler.core.text.counting import count


def test_a_count_has_the_number_of_its_noun():
    assert [count(n, "search") for n in (0, 1, 2)] == ["0 searches", "1 search", "2 searches"]
    assert [count(n, "page") for n in (1, 3)] == ["1 page", "3 pages"]
