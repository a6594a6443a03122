"""The pairs of the benchmark `disagreements`: each of them once, and of a replaced value the newer page first."""

from benchmarks.reporting.disagreements import pairs

PAIRS = pairs()


def test_every_pair_gives_figures_or_dates_and_has_an_id_of_its_own():
    assert len({pair.id for pair in PAIRS}) == len(PAIRS)
    assert [pair.id for pair in PAIRS if not pair.is_of_values] == []


def test_of_a_replaced_value_the_newer_page_stands_first():
    replaced = [pair for pair in PAIRS if pair.verdict == "replaced"]
    assert all(pair.one.published > pair.other.published for pair in replaced)
    assert len(replaced) >= 3


def test_pairs_are_read_from_lines_of_json_too(tmp_path):
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(pair.model_dump_json() for pair in PAIRS), "utf-8")
    assert pairs(file) == PAIRS
