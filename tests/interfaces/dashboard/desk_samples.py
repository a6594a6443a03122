"""A batch for the pages: rows in every state, with values that are sure, unsure and missing."""

from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.core.models.jobs.batches import BatchRow, RowResult, RowState
from research_crawler.core.models.jobs.columns import ColumnAlternative, ColumnValue
from tests.interfaces.http.conftest import Served

NAMES = ("Tarn 300", "Alder Nova", "Velmar Pocket", "Orrin T2", "Kessa Mini", "Harrow One")
STATES: tuple[RowState, ...] = ("done", "partly", "insufficient", "failed")


def price(confidence: float = 0.9) -> ColumnValue:
    return ColumnValue(
        name="price", type="money", value=1899.0, unit="EUR", shown="€1,899", quote="It costs <b>€1,899</b> new.",
        url="https://a.example/x", title="Bikes", fetched_at="2026-11-20T10:00:00+00:00", confidence=confidence,
        note="another page says €1,999", by="extractive",
    )  # fmt: skip


def other_price() -> ColumnAlternative:
    return ColumnAlternative(
        value=1999.0, unit="EUR", shown="€1,999", quote="Now € 1,999 <only>.", start=4, end=23,
        url="https://b.example/y", title="Bikes of B", page_sha256="b" * 64,
    )  # fmt: skip


def missing() -> ColumnValue:
    return ColumnValue(
        name="foldable", type="yes_no", reason="not_found", note="no sentence about it answers the question"
    )


async def sample_batch(served: Served) -> str:
    """The id of a batch that runs: four rows are over, two wait."""
    body = {
        "rows": [{"name": name} for name in NAMES],
        "template": "What does the {name} cost?",
        "question": {"columns": [{"name": "price", "type": "money"}, {"name": "foldable", "type": "yes_no"}]},
        "name": "bikes <all>",
    }
    batch: str = (await served.post("/batches", body))["batch"]
    store = SqlBatches(served.runtime.container.archive)
    rows = await store.claim(batch, len(STATES))
    await store.settle([_ended(row, n) for n, row in enumerate(rows)], now_ms=1)
    return batch


def _ended(row: BatchRow, n: int) -> tuple[BatchRow, RowState, RowResult]:
    sure = (0.9, 0.6, 0.2, None)[n]
    values = [price(sure), missing()] if sure is not None else []
    cause = "" if sure is not None else "no search works (timeout)"
    return row, STATES[n], RowResult(values=values, confidence=sure, cause=cause, tokens=1_000, usd=0.01)
