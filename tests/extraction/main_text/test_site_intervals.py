"""Intervals of the benchmark's figures."""

from statistics import fmean

from benchmarks.reading.site_intervals import interval, mean_of_kinds


def test_pages_of_one_site_are_drawn_together():
    urls = {
        "a": "https://one.com/a",
        "b": "https://one.com/b",
        "c": "https://two.com/c",
        "d": "https://two.com/d",
    }
    assert interval(urls, lambda names: fmean(name in "ab" for name in names), draws=50) == (0.0, 1.0)


def test_a_figure_that_is_the_same_on_all_sites_has_no_width():
    urls = {str(number): f"https://site-{number}.com/" for number in range(9)}
    assert interval(urls, lambda names: float(len(set(names)) > 0), draws=50) == (1.0, 1.0)


def test_every_kind_counts_alike_in_the_mean_of_kinds():
    kinds = {"a": "forum", "b": "article", "c": "article"}
    assert mean_of_kinds(["a", "b", "c"], kinds, {"a": 1.0, "b": 0.0, "c": 0.5}) == 0.625
