"""The labels of the further pages that the main-text models are trained on."""

import json

import pytest

from benchmarks.page_labels import DATA
from benchmarks.page_samples import FURTHER_WEIGHT, LABELS, read_further
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.main_text.page_kinds import KINDS

ROWS = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]


def test_each_page_is_labelled_once_with_ranges_of_its_blocks_in_order():
    assert len({row["page"] for row in ROWS}) == len(ROWS) > 300
    for row in ROWS:
        ends = [end for one in row["main"] for end in one]
        assert row["kind"] in KINDS
        assert ends == sorted(ends)
        assert 0 <= ends[0] <= ends[-1] < int(row["print"].split(":")[0])


@pytest.mark.skipif(
    not (DATA / "products").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)
def test_labels_fit_the_current_blocks_of_pages_and_known_sites_are_left_out(capsys):
    truth = json.loads((DATA / "products" / "ground-truth.json").read_text("utf-8"))
    sites = [
        host_of(truth[row["page"].split("/")[1]]["url"])
        for row in ROWS
        if row["page"].startswith("products/")
    ]
    known = sites[0]
    samples = list(read_further(None, known=[known]))
    assert "label it again" not in capsys.readouterr().out
    assert known not in {sample.site for sample in samples}
    assert len(sites) > len(samples) >= len(sites) - 3 * sites.count(known)
    assert all(sample.truth and sample.weights.max() <= 2 * FURTHER_WEIGHT for sample in samples)
