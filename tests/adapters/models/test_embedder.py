import asyncio
import math
import subprocess
import sys
import time

import pytest
from huggingface_hub import _snapshot_download, constants
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.adapters.memory.embedder import HashEmbedder
from research_crawler.adapters.models.embedder import BATCH_TEXTS, SentenceEmbedder
from research_crawler.core.errors import NotStarted

REAL = SentenceEmbedder()


@pytest.fixture(params=["real", "hash"])
def embedder(request):
    return REAL if request.param == "real" else HashEmbedder()


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


async def test_vectors_have_the_announced_size_and_length_one(embedder):
    vectors = await embedder.embed(["a battery of 500 Wh", "", "ein Akku", "x" * 10_000])
    assert [len(v) for v in vectors] == [embedder.dimensions] * 4
    assert all(math.isclose(math.hypot(*v), 1.0, abs_tol=1e-5) for v in vectors)
    assert all(type(x) is float for x in vectors[0])


async def test_a_text_is_nearer_to_its_own_subject(embedder):
    question, near, far = await embedder.embed(
        ["how long does the battery last", "the battery does last for 60 km", "tomatoes want a sunny place"]
    )
    assert cosine(question, near) > cosine(question, far) + 0.2


async def test_no_texts_give_no_vectors(embedder):
    assert await embedder.embed([]) == []


async def test_concurrent_callers_get_their_own_vectors():
    texts = [[f"caller {i} says {j}" for j in range(i % 3 + 1)] for i in range(40)]
    together = await asyncio.gather(*(REAL.embed(t) for t in texts))
    alone = [await REAL.embed(t) for t in texts[:4]]
    for many, one in zip(together, alone, strict=False):
        assert all(cosine(a, b) > 0.99 for a, b in zip(many, one, strict=True))


async def test_more_texts_than_a_batch_are_all_encoded():
    vectors = await REAL.embed([str(i) for i in range(BATCH_TEXTS * 2 + 3)])
    assert len(vectors) == BATCH_TEXTS * 2 + 3


async def test_the_event_loop_runs_while_texts_are_encoded():
    await REAL.warm()
    work = asyncio.ensure_future(REAL.embed(["a rather long sentence about pumps " * 8] * 40))
    longest, last = 0.0, time.thread_time()  # of the loop: other work on the machine does not count
    while not work.done():
        await asyncio.sleep(0.005)
        now = time.thread_time()
        longest, last = max(longest, now - last), now
    assert len(await work) == 40
    assert longest < 0.25


async def test_a_cancelled_caller_does_not_disturb_the_others():
    gone = asyncio.ensure_future(REAL.embed(["one"]))
    stays = asyncio.ensure_future(REAL.embed(["two"]))
    await asyncio.sleep(0)
    gone.cancel()
    assert len(await stays) == 1


def test_long_texts_are_counted_completely():
    assert REAL.count_tokens("word " * 3000) == 3000
    assert REAL.count_tokens_many(["one two", "", "three"]) == [2, 0, 1]


@given(st.text(), st.text())
def test_counting_many_agrees_with_counting_one(a, b):
    assert REAL.count_tokens_many([a, b]) == [REAL.count_tokens(a), REAL.count_tokens(b)]


def test_counting_tokens_does_not_import_torch():
    code = (
        "import sys; from research_crawler.adapters.models.embedder import SentenceEmbedder as S;"
        "assert S().count_tokens('three little words') == 3;"
        "assert not {'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_error_names_a_folder_without_a_model(tmp_path):
    with pytest.raises(NotStarted, match=str(tmp_path)):
        SentenceEmbedder(str(tmp_path))


@pytest.mark.parametrize("name", ["sentence-transformers/tiny", "tiny"])
def test_a_model_that_was_downloaded_before_is_found_by_its_name(tmp_path, monkeypatch, name):
    cached = tmp_path / "models--sentence-transformers--tiny"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text("0" * 40)
    (cached / "snapshots").mkdir()
    (cached / "snapshots" / ("0" * 40)).symlink_to(REAL._folder)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(_snapshot_download, "HF_HUB_CACHE", str(tmp_path), raising=False)
    assert SentenceEmbedder(name).count_tokens("a battery") == REAL.count_tokens("a battery")


def test_a_model_that_is_not_on_this_machine_is_not_fetched():
    with pytest.raises(NotStarted, match="hf download NAME"):
        SentenceEmbedder("nobody/nothing")


async def test_waiting_callers_are_cancelled_on_close():
    embedder = SentenceEmbedder()
    waiting = asyncio.ensure_future(embedder.embed(["a"]))
    second = asyncio.ensure_future(embedder.embed(["b"]))
    await asyncio.sleep(0)
    await embedder.close()
    results = await asyncio.wait_for(asyncio.gather(waiting, second, return_exceptions=True), 60)
    assert all(isinstance(r, (list, asyncio.CancelledError)) for r in results)
