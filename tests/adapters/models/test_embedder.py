import asyncio
import math
import subprocess
import sys
import threading
import time

import pytest
from huggingface_hub import _snapshot_download, constants
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.models.embedder import TURN_TEXTS, SentenceEmbedder
from research_crawler.core.errors import NotStarted
from research_crawler.core.tasks.owners import owned_by

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


async def test_more_texts_than_a_turn_are_all_encoded_and_keep_their_places():
    texts = ["pump " * (i % 7) + str(i) for i in range(TURN_TEXTS * 2 + 3)]
    vectors = await REAL.embed(texts)
    assert len(vectors) == len(texts)
    for place in (0, TURN_TEXTS, len(texts) - 1):
        [alone] = await REAL.embed([texts[place]])
        assert cosine(vectors[place], alone) > 0.99


class Recorded:
    """An encoder that notes what it encodes together, and lets the first texts wait for a word."""

    def __init__(self) -> None:
        self.turns: list[list[str]] = []
        self.may_go_on = threading.Event()

    def encode(self, texts, *, batch_size):
        self.turns.append(texts)
        self.may_go_on.wait(10)
        return [[1.0]] * len(texts)


async def test_texts_of_a_single_job_do_not_wait_behind_those_of_a_batch():
    embedder, encoder = SentenceEmbedder(), Recorded()
    embedder._model = encoder

    def begun(owner: str, texts: int) -> asyncio.Task:
        with owned_by(owner):
            return asyncio.create_task(embedder.embed([owner] * texts))

    rows = [begun("batch", 100) for _ in range(8)]
    while not encoder.turns:
        await asyncio.sleep(0.01)
    single = begun("single", 40)
    await asyncio.sleep(0.05)
    encoder.may_go_on.set()
    assert len(await single) == 40
    served = "".join("s" if "single" in turn else "b" for turn in encoder.turns)
    assert served.startswith("b" + "bs" * (40 // TURN_TEXTS))  # one turn of the batch for each of its own
    assert all(len(turn) <= TURN_TEXTS for turn in encoder.turns)
    assert [len(vectors) for vectors in await asyncio.gather(*rows)] == [100] * 8
    await embedder.close()


async def test_a_caller_that_leaves_takes_its_other_turns_with_it():
    embedder, encoder = SentenceEmbedder(), Recorded()
    embedder._model = encoder
    gone = asyncio.create_task(embedder.embed(["gone"] * 100))
    while not encoder.turns:
        await asyncio.sleep(0.01)
    gone.cancel()
    stays = asyncio.create_task(embedder.embed(["stays"]))
    await asyncio.sleep(0.05)
    encoder.may_go_on.set()
    assert len(await stays) == 1
    assert sum(turn.count("gone") for turn in encoder.turns) == TURN_TEXTS
    await embedder.close()


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
    (tmp_path / name).mkdir(parents=True)  # in the working folder, which may be somebody else's
    monkeypatch.chdir(tmp_path)
    embedder = SentenceEmbedder(name)
    assert embedder._folder.is_relative_to(cached)
    assert embedder.count_tokens("a battery") == REAL.count_tokens("a battery")


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
