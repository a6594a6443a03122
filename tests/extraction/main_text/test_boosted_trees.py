import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.main_text import boosted_trees
from research_crawler.extraction.main_text.boosted_trees import load_trees

TREES = [
    # x0 <= 1 ? (x1 <= 5 ? 0.5 : -0.25) : (x1 <= 2 ? 1.0 : (x0 <= 3 ? -1.0 : 2.0))
    {
        "nodes": [[1, 5.0, 0xFFFE], [0, 3.0, 0xFFF7], [1, 2.0, 0xFFFB], [0, 1.0, 0xFFFC]],
        "leaves": [0.5, -0.25, 1.0, -1.0, 2.0],
    },
    {"nodes": [[1, 0.0, 0xFFFE]], "leaves": [0.125, -0.5]},
]


def walked(x0: float, x1: float) -> float:
    if x0 <= 1:
        first = 0.5 if x1 <= 5 else -0.25
    elif x1 <= 2:
        first = 1.0
    else:
        first = -1.0 if x0 <= 3 else 2.0
    score = first + (0.125 if x1 <= 0 else -0.5)
    return 1 / (1 + np.exp(-score))


@pytest.fixture
def model(tmp_path, monkeypatch):
    (tmp_path / "small.json").write_text(json.dumps({"features": ["x0", "x1"], "trees": TREES}))
    monkeypatch.setattr(boosted_trees, "WEIGHTS", tmp_path)
    return load_trees("small")


VALUES = st.integers(-4, 8).map(float)


@given(rows=st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=20))
def test_predictions_equal_those_of_walking_down_each_tree(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("weights")
    (folder / "small.json").write_text(json.dumps({"features": ["x0", "x1"], "trees": TREES}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boosted_trees, "WEIGHTS", folder)
        found = load_trees("small").predict(np.array(rows, dtype=np.float32))
    assert found == pytest.approx([walked(*row) for row in rows], abs=1e-6)


def test_predictions_of_many_rows_equal_those_of_single_rows(model):
    rows = np.tile(np.array([[0.0, 0.0], [4.0, 4.0]], dtype=np.float32), (1_000, 1))
    found = model.predict(rows)
    assert len(found) == 2_000
    assert found[-1] == pytest.approx(walked(4, 4), abs=1e-6)


def test_no_rows_give_no_predictions(model):
    assert len(model.predict(np.zeros((0, 2), dtype=np.float32))) == 0
