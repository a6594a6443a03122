"""The encoder gives the vectors that sentence-transformers gives for the same model."""

import json
import random
import shutil
from pathlib import Path

import pytest
import torch

from research_crawler.adapters.models.bert_encoder import BertEncoder, is_plain_bert
from research_crawler.adapters.models.embedder import SentenceEmbedder, _model_folder

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


def texts() -> list[str]:
    draw = random.Random(4)
    drawn = [" ".join(draw.choices(WORDS, k=length)) for length in (1, 3, 25, 110, 400)]
    return [*drawn, "", "ein Akku für 中文 🙂", "x" * 2_000]


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_vectors_are_those_of_sentence_transformers(batch_size):
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(FOLDER), device="cpu", local_files_only=True)
    theirs = torch.tensor(reference.encode(texts(), normalize_embeddings=True))
    ours = torch.tensor(BertEncoder(FOLDER, dtype=torch.float32).encode(texts(), batch_size=batch_size))
    assert (ours * theirs).sum(1).min() > 0.9999


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "model"))


@pytest.mark.parametrize(
    ("file", "key", "value"),
    [
        ("config.json", "model_type", "mpnet"),
        ("config.json", "hidden_act", "relu"),
        ("1_Pooling/config.json", "pooling_mode_cls_token", True),
    ],
)
def test_a_model_that_computes_otherwise_goes_the_ordinary_way(copy, file, key, value):
    assert is_plain_bert(copy)
    document = json.loads((copy / file).read_text())
    (copy / file).write_text(json.dumps(document | {key: value}))
    assert not is_plain_bert(copy)


async def test_a_model_of_another_make_is_read_by_sentence_transformers(copy):
    modules = json.loads((copy / "modules.json").read_text())
    (copy / "modules.json").write_text(json.dumps(modules[:2]))
    plain, other = SentenceEmbedder(), SentenceEmbedder(str(copy))
    [ours], [theirs] = await plain.embed(["a quiet fan"]), await other.embed(["a quiet fan"])
    assert sum(a * b for a, b in zip(ours, theirs, strict=True)) > 0.999
    await plain.close()
    await other.close()
