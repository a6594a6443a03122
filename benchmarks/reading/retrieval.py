"""Search of the memory on SciFact: 5,183 abstracts and 300 claims, by meaning, by words, and both fused in Qdrant.

The data is `retrieval` under RESEARCH_TEST_DATA (default `../shared/data`).
"""

import ast
import asyncio
import csv
import gzip
import math
import re
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.figures import Calibration, Figure, counted, percentile, timed
from benchmarks.places import DATA
from research_crawler.adapters.models.embedder import SentenceEmbedder
from research_crawler.adapters.qdrant_index import LocalWords, QdrantIndex
from research_crawler.core.config import load_core_config
from research_crawler.core.models.archive.memory import EVERYTHING
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.text.languages.words import terms

TOP = 10
TARGET, MOST_MS = 0.70, 100.0
AT_ONCE = 256


@dataclass(frozen=True)
class Claim:
    """A claim with the abstracts that its authors cite."""

    text: str
    documents: frozenset[str]


@dataclass(frozen=True)
class Rankings:
    """For each claim the best documents, by each way to search."""

    dense: list[list[str]]
    words: list[list[str]]
    fused: list[list[str]]
    times_ms: list[float]
    """Times of the fused searches."""


def measure(calibration: Calibration) -> Iterator[Figure]:
    """nDCG@10 of all three ways, and the time of a fused search."""
    if not (DATA / "retrieval").is_dir():
        print(f"no abstracts in {DATA}; set RESEARCH_TEST_DATA")
        return
    documents, claims = _documents(), _claims()
    rankings, factor = calibration.with_factor(lambda: asyncio.run(_rankings(documents, claims)))
    dense, words, fused = (
        _mean_ndcg(found, claims) for found in (rankings.dense, rankings.words, rankings.fused)
    )
    reference = f"by meaning {dense:.3f}, by words {words:.3f}, in the same run"
    yield counted(
        "nDCG@10 of the memory on SciFact, both rankings fused", fused, "", ok=fused >= TARGET,
        target=f"≥ {TARGET:g}", reference=reference, note=f"{len(claims)} claims, {len(documents)} abstracts",
    )  # fmt: skip
    yield timed(
        f"median time of a search at {len(documents):,} points, without the embedding",
        percentile(rankings.times_ms, 0.5), "ms", most=MOST_MS, factor=factor,
        note=f"95 %: {percentile(rankings.times_ms, 0.95):.0f} ms",
    )  # fmt: skip


async def _rankings(documents: Sequence[Finding], claims: Sequence[Claim]) -> Rankings:
    embedder = SentenceEmbedder("")
    mean_terms = sum(len(terms(f"{one.title} {one.claim}")) for one in documents) / len(documents)
    index = QdrantIndex(load_core_config(), dimensions=embedder.dimensions, mean_terms=mean_terms)
    lexical = LocalWords(mean_terms)
    lexical.add(documents)
    names = {one.id: one.command for one in documents}
    for start in range(0, len(documents), AT_ONCE):
        portion = documents[start : start + AT_ONCE]
        vectors = await embedder.embed([f"{one.title} {one.claim}" for one in portion])
        for one, vector in zip(portion, vectors, strict=True):
            await index.replace(one.command, [one], [vector])
    rankings = Rankings([], [], [], [])
    for claim, vector in zip(claims, await embedder.embed([claim.text for claim in claims]), strict=True):
        rankings.dense.append([names[id_] for id_, _ in await index.search(vector, limit=TOP)])
        rankings.words.append([names[id_] for id_, _ in lexical.rank(claim.text, EVERYTHING, TOP)])
        begun = time.perf_counter()
        matches = await index.recall(vector, claim.text, limit=TOP)
        rankings.times_ms.append((time.perf_counter() - begun) * 1000)
        rankings.fused.append([names[match.id] for match in matches])
    await index.close()
    await embedder.close()
    return rankings


def _mean_ndcg(found: Sequence[Sequence[str]], claims: Sequence[Claim]) -> float:
    return sum(map(_ndcg, found, (claim.documents for claim in claims))) / len(claims)


def _ndcg(found: Sequence[str], relevant: frozenset[str]) -> float:
    """Discounted gain of the first ten documents as a share of the best possible one."""
    gain: Callable[[int], float] = lambda place: 1 / math.log2(place + 2)  # noqa: E731  # a formula
    best = sum(map(gain, range(min(TOP, len(relevant)))))
    return sum(gain(place) for place, name in enumerate(found[:TOP]) if name in relevant) / best


def _documents() -> list[Finding]:
    return [
        Finding(
            id=str(uuid.uuid5(uuid.NAMESPACE_URL, row["doc_id"])),
            command=row["doc_id"],
            claim=" ".join(ast.literal_eval(row["abstract"])),
            quote="",
            start=0,
            end=0,
            page_sha256="",
            url=f"https://example.org/{row['doc_id']}",
            title=row["title"],
        )
        for row in _rows("corpus_train")
    ]


def _claims() -> list[Claim]:
    cited = {
        row["claim"]: frozenset(re.findall(r"\d+", row["cited_doc_ids"]))
        for row in _rows("claims_validation")
    }
    return [Claim(text, documents) for text, documents in cited.items() if documents]


def _rows(name: str) -> Iterator[dict[str, str]]:
    with gzip.open(DATA / "retrieval" / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)
