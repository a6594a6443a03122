"""The tables of a batch: each value with its source, each missing one with its reason, in every format."""

import csv
import importlib.util
import io
import json
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.jobs.batches import Batch, BatchRow, RowResult
from research_crawler.core.models.jobs.columns import ColumnSpec, ColumnValue
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.services.batches.result_tables import save_tables, table_parts
from research_crawler.services.batches.row_records import Headings, empty_row, flat_row
from tests.cases import each_case

COLUMNS = [ColumnSpec(name="price", type="money"), ColumnSpec(name="foldable", type="yes_no")]
BATCH = Batch(
    id="batchaaaaaaa", name="bikes | all", template="{name}?", fields=["name"], rows=3,
    inputs=JobInputs(goal="{name}?", columns=COLUMNS),
)  # fmt: skip
PRICE = ColumnValue(
    name="price", type="money", value=1899.0, unit="EUR", shown="€1,899", quote="It costs €1,899.",
    url="https://a.example/x", confidence=0.8,
)  # fmt: skip
NONE = ColumnValue(
    name="foldable", type="yes_no", reason="not_found", note="no sentence answers the question"
)
ROWS = [
    BatchRow(batch="b", n=1, fields={"name": "=Tarn <300>"}, state="done", result=RowResult(values=[PRICE, NONE])),
    BatchRow(batch="b", n=2, fields={"name": "Tarn 310"}, state="failed", result=RowResult(cause="no search works")),
    BatchRow(batch="b", n=3, fields={"name": "Tarn 320"}),
]  # fmt: skip


async def written(kind: str) -> bytes:
    async def rows():
        for row in ROWS:
            yield row

    return b"".join([part async for part in table_parts(BATCH, rows(), kind)])


async def test_every_missing_value_has_its_reason_in_csv_and_json():
    table = list(csv.DictReader(io.StringIO((await written("csv")).decode())))
    assert [row["price"] for row in table] == ["1899.0", "", ""]
    assert [row["foldable reason"] for row in table] == [
        "no sentence answers the question", "the row is failed: no search works", "the row is waiting",
    ]  # fmt: skip
    assert table[0]["name"] == "'=Tarn <300>"
    records = [json.loads(line) for line in (await written("jsonl")).splitlines()]
    assert all(set(record["values"]) == {"price", "foldable"} for record in records)
    assert records[1]["values"]["price"]["reason"] == "not_asked"
    assert "no search works" in records[1]["values"]["price"]["note"]


async def test_people_read_values_with_their_sources_and_why_there_is_none():
    text = (await written("md")).decode()
    assert "1,899 EUR [1]" in text
    assert "– (not found)" in text
    assert "– (not looked for)" in text
    assert "https://a.example/x" in text
    page = (await written("html")).decode()
    assert '<a href="https://a.example/x"' in page
    assert "=Tarn &lt;300&gt;" in page
    assert "– (not found)" in page
    assert "<script" not in page


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")
async def test_parquet_has_the_rows_with_typed_columns():
    import pyarrow.parquet as parquet

    table = parquet.read_table(io.BytesIO(await written("parquet")))
    assert table.num_rows == 3
    assert table.column("price").to_pylist() == [1899.0, None, None]
    assert str(table.schema.field("price").type) == "double"
    assert str(table.schema.field("foldable").type) == "bool"
    assert table.column("row").to_pylist() == [1, 2, 3]


async def test_columns_of_the_input_keep_their_names_and_cells_beside_ours():
    fields = {"row": "seat 4", "state": "Ohio", "answer": "their own", "price quote": "soon", "job": "-"}
    columns = [*COLUMNS, ColumnSpec(name="tokens"), ColumnSpec(name="answer")]
    batch = BATCH.model_copy(update={"fields": list(fields), "inputs": JobInputs(goal="?", columns=columns)})
    given = BatchRow(
        batch="b", n=1, fields=fields, state="done", result=RowResult(answer="Yes.", values=[PRICE])
    )

    async def rows():
        yield given

    text = b"".join([part async for part in table_parts(batch, rows(), "csv")]).decode()
    heads = next(csv.reader(io.StringIO(text)))
    assert len(heads) == len(set(heads))
    [record] = csv.DictReader(io.StringIO(text))
    assert {name: record[name] for name in fields} == fields | {"job": "'-"}
    ours = {"result row": "1", "result state": "done", "result answer": "Yes.", "tokens": "0"}
    assert {name: record[name] for name in ours} == ours
    assert record["value price"] == "1899.0"
    assert record["value price quote"] == "It costs €1,899."
    assert record["value tokens reason"] == record["value answer reason"] == "the row is done"


NAMES = st.lists(
    st.sampled_from(["row", "state", "answer", "x", "x unit", "value x", "result row"]), unique=True
)


@given(NAMES, NAMES)
def test_no_two_headings_of_a_table_are_the_same(fields, columns):
    specs = [ColumnSpec(name=name, type="number") for name in columns]
    batch = BATCH.model_copy(update={"fields": fields, "inputs": JobInputs(goal="?", columns=specs)})
    record = flat_row(batch, empty_row(batch), Headings.of(batch))
    assert len(record) == len(fields) + 11 + 6 * len(columns)
    assert set(fields) <= set(record)


@each_case("kind", ["csv", "jsonl", "md", "html"])
async def test_a_table_is_written_while_its_rows_are_read(kind):
    read = 0

    async def rows():
        nonlocal read
        for read in range(1, 1_001):
            yield ROWS[0].model_copy(update={"n": read, "fields": {"name": "Tarn " * 100}})

    read_at, sizes = list[int](), list[int]()
    async for part in table_parts(BATCH, rows(), kind):
        read_at.append(read)
        sizes.append(len(part))
    assert max(sizes) < 70_000  # so no more than that is held
    assert read_at[0] < 200
    assert len(sizes) > 5


OWN = ["row", "state", "answer", "pages", "price", "price quote", "=cmd|' /C calc'!A0"]
"""Names of fields that a row has itself, and one that a spreadsheet would run."""
NAMED = BATCH.model_copy(update={"fields": OWN})


async def of_named(kind: str) -> bytes:
    async def rows():
        for formula in ("=1+1", " =1+1", "\u200b=1+1", "＝1+1", "\n=1+1", "'=1+1"):
            fields = dict.fromkeys(OWN, formula)
            yield BatchRow(
                batch="b", n=1, fields=fields, state="done", result=RowResult(values=[PRICE, NONE])
            )

    return b"".join([part async for part in table_parts(NAMED, rows(), kind)])


async def test_no_cell_and_no_heading_is_a_formula():
    text = (await of_named("csv")).decode()
    for line in csv.reader(io.StringIO(text, newline="")):
        for cell in line:
            assert not "".join(c for c in cell if c.isprintable()).strip().startswith(("=", "＝", "+", "@"))


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")
async def test_parquet_is_written_whatever_the_fields_are_called():
    import pyarrow.parquet as parquet

    table = parquet.read_table(io.BytesIO(await of_named("parquet")))
    assert table.column("pages").to_pylist()[0] == "=1+1"
    assert table.column("result pages").to_pylist()[0] == 0


async def test_tables_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    async def rows():
        yield ROWS[0]

    await save_tables(BATCH, rows, tmp_path, home=tmp_path / "home")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.replace", full)
    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="no space"):
        await save_tables(BATCH.model_copy(update={"name": "other"}), rows, tmp_path, home=tmp_path / "home")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


async def test_tables_in_the_data_folder_can_be_read_by_their_owner_alone(tmp_path):
    async def rows():
        yield ROWS[0]

    folder = tmp_path / "home" / "batches" / "b1"
    for path in await save_tables(BATCH, rows, folder, home=tmp_path / "home"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
