"""The labels of the further pages that the main-text models are trained on."""

import json

import pytest

from benchmarks.places import DATA
from benchmarks.reading.page_samples import FURTHER_WEIGHT, LABELS, read_further
from research_crawler.extraction.main_text.page_kinds import KINDS

ROWS = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]


def test_each_page_is_labelled_once_with_ranges_of_its_blocks_in_order():
    assert len({row["page"] for row in ROWS}) == len(ROWS) > 300
    for row in ROWS:
        ends = [end for one in row["main"] for end in one]
        assert row["kind"] in KINDS
        assert ends == sorted(ends)
        assert 0 <= ends[0] <= ends[-1] < int(row["print"].split(":")[0])


@pytest.mark.long
@pytest.mark.skipif(
    not (DATA / "products").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)
def test_labels_fit_the_current_blocks_of_pages(capsys):
    products = [row for row in ROWS if row["page"].startswith("products/")]
    samples = list(read_further(None))
    assert "label it again" not in capsys.readouterr().out
    assert len(products) >= len(samples) >= len(products) - 3
    assert all(sample.truth and sample.weight == FURTHER_WEIGHT for sample in samples)
