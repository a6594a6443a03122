"""The encoder computes the same vectors as sentence-transformers."""

import json
import random
import shutil
from pathlib import Path

import pytest

from research_crawler.adapters.models.bert_encoder import BertEncoder, has_eight_bits, is_plain_bert
from research_crawler.adapters.models.embedder import SentenceEmbedder, _model_folder

# torch is imported where it is used: every process that collects tests would import it for a second.
FOLDER = _model_folder("")
WORDS = [
    "battery",
    "screen",
    "price",
    "users",
    "warn",
    "of",
    "a",
    "loud",
    "fan",
    "and",
    "a",
    "quiet",
    "keyboard",
]


KNOWN = {
    "a quiet fan": [0.00549, 0.00944, 0.02941, 0.05737, -0.00214, -0.04336],
    "ein Akku für 中文 🙂": [-0.07935, 0.12968, 0.03384, 0.04308, -0.0187, 0.08941],
    "battery " * 300: [-0.05641, 0.01961, 0.01726, -0.01259, 0.00419, 0.04192],
}
"""The first numbers of the vectors that sentence-transformers 6.2 gave."""


def texts() -> list[str]:
    draw = random.Random(4)
    drawn = [" ".join(draw.choices(WORDS, k=length)) for length in (1, 3, 25, 110, 400)]
    return [*drawn, "", "ein Akku für 中文 🙂", "x" * 2_000]


@pytest.fixture(scope="module")
def reference_vectors():
    """The vectors of sentence-transformers, whose import alone takes seconds."""
    import torch
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(FOLDER), device="cpu", local_files_only=True)
    return torch.tensor(reference.encode(texts(), normalize_embeddings=True))


@pytest.mark.long
@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_vectors_equal_those_of_sentence_transformers(reference_vectors, batch_size):
    import torch

    vectors = torch.tensor(BertEncoder(FOLDER, dtype=torch.float32).encode(texts(), batch_size=batch_size))
    assert (vectors * reference_vectors).sum(1).min() > 0.9999


@pytest.mark.parametrize("batch_size", [1, 3])
def test_vectors_begin_with_the_numbers_that_sentence_transformers_gave(batch_size):
    import torch

    ours = BertEncoder(FOLDER, dtype=torch.float32).encode(list(KNOWN), batch_size=batch_size)
    for vector, known in zip(ours, KNOWN.values(), strict=True):
        assert vector[:6] == pytest.approx(known, abs=1e-4)


def test_vectors_in_eight_bits_are_near_to_the_others_and_do_not_depend_on_texts_beside_them():
    import torch

    if not has_eight_bits():
        pytest.skip("this torch has no products in eight bits")
    given = [text for text in texts() if text]
    exact = torch.tensor(BertEncoder(FOLDER, dtype=torch.float32).encode(given, batch_size=3))
    encoder = BertEncoder(FOLDER, dtype=torch.qint8)
    vectors = encoder.encode(given, batch_size=8)
    assert (exact * torch.tensor(vectors)).sum(1).min() > 0.97
    assert [encoder.encode([text], batch_size=1)[0] for text in given] == vectors


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The model's files, of which tests change some; its weights are a link."""
    weights = FOLDER / "model.safetensors"
    folder = Path(shutil.copytree(FOLDER, tmp_path / "model", ignore=lambda *_: [weights.name]))
    (folder / weights.name).symlink_to(weights)
    return folder


@pytest.mark.parametrize(
    ("file", "key", "value"),
    [
        ("config.json", "model_type", "mpnet"),
        ("config.json", "hidden_act", "relu"),
        ("1_Pooling/config.json", "pooling_mode_cls_token", True),
    ],
)
def test_a_model_that_is_not_plain_bert_is_left_to_sentence_transformers(copy, file, key, value):
    assert is_plain_bert(copy)
    document = json.loads((copy / file).read_text())
    (copy / file).write_text(json.dumps(document | {key: value}))
    assert not is_plain_bert(copy)


@pytest.mark.long
async def test_a_model_of_another_architecture_is_loaded_by_sentence_transformers(copy):
    modules = json.loads((copy / "modules.json").read_text())
    (copy / "modules.json").write_text(json.dumps(modules[:2]))
    plain, other = SentenceEmbedder(), SentenceEmbedder(str(copy))
    [ours], [theirs] = await plain.embed(["a quiet fan"]), await other.embed(["a quiet fan"])
    assert sum(a * b for a, b in zip(ours, theirs, strict=True)) > 0.99  # eight bits differ a little
    await plain.close()
    await other.close()
