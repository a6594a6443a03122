"""The pages of batches: made of a table in two steps, filled, filtered, corrected by hand and exported."""

import asyncio
import csv
import io
import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest

from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.background.batch_feeder import row_job
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.batches import RowResult
from research_crawler.core.models.jobs.columns import ColumnSpec, value_texts
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.messages.events import Usage
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.interfaces.dashboard.routes import batch_pages as pages
from research_crawler.interfaces.dashboard.routes import new_batch_pages as new_batch
from research_crawler.services.batches import batch_control, row_choice
from research_crawler.services.batches.corrections import value_by_hand
from research_crawler.services.batches.row_records import column_values
from tests.cases import each_case
from tests.interfaces.dashboard.desk_samples import missing, other_price, price, sample_batch
from tests.interfaces.dashboard.test_pages import check_tags

TABLE = "name;land\nTarn <300>;DE\n=Alder;FR\n"


async def test_a_batch_is_made_of_an_uploaded_table_in_two_steps(visitor):
    check_tags(await visitor.page("/batches/new"))
    answer = await visitor.client.post(
        "/ui/batches/new",
        data={"form_key": await visitor.form_key()},
        files={"file": ("bikes.csv", TABLE.encode(), "text/csv")},
    )
    assert answer.status_code == 200, answer.text
    check_tags(answer.text)
    assert "2 rows" in answer.text and "Tarn &lt;300&gt;" in answer.text
    asked = {
        "table": TABLE, "kind": "csv", "template": "What does {name} cost in {land}?",
        "column_0": "price", "type_0": "money", "unit_0": "EUR", "column_1": "kind", "type_1": "choice",
        "unit_1": "folding, other", "lines": "weight: number (kg), how heavy is it?", "name": "bikes",
    }  # fmt: skip
    estimated = await visitor.send("/batches/new/start", 200, go="estimate", **asked)
    check_tags(estimated.text)
    assert 'role="status">Estimate: 2 rows, about' in estimated.text
    assert 'start#start"' in estimated.text and "Estimate: 2" in estimated.text.partition('id="start"')[2]
    assert await visitor.served.get("/batches") == []
    answer = await visitor.send("/batches/new/start", go="start", **asked)
    batch = await visitor.served.get(f"/batches/{answer.headers['location'].rpartition('/')[2]}")
    assert (batch["name"], batch["rows_total"]) == ("bikes", 2)
    columns = {column["name"]: column for column in batch["columns"]}
    assert columns["price"]["unit"] == "EUR"
    assert columns["kind"]["choices"] == ["folding", "other"]
    assert columns["weight"]["type"] == "number"


async def test_the_form_of_a_batch_shows_what_is_filled_in_and_folds_the_rest(visitor):
    table = "name\n" + "\n".join(f"bike {n}" for n in range(9))
    fields = {"table": table, "kind": "csv", "template": "{name}", "go": "estimate"}
    for filled, in_sight in ((0, 2), (3, 4)):
        page = (await visitor.send("/batches/new/start", 200, **fields, **{f"column_{filled}": "price"})).text
        assert "and 4 more rows" in page
        before, _, folded = page.partition("Further values")
        assert (before.count('name="column_'), folded.count('name="column_')) == (in_sight, 6 - in_sight)
        assert folded.partition("Name and limits")[2].count("<input id=") == 3
    refused = await visitor.send("/batches/new/start", 422, **fields, column_0="kind", type_0="choice")
    assert refused.text.count("2 to 30 different choices") == 1
    assert 'href="#unit-0">1 field is to be put right.' in refused.text.partition('id="start"')[2]


async def test_all_that_is_wrong_with_a_batch_is_told_once_at_each_field_of_it(visitor):
    refused = await visitor.send(
        "/batches/new/start", 422, table="name\nbike 1\nbike 2", kind="csv", template="{nam}", go="start",
        column_0="kind", type_0="choice", column_1="price", type_1="money", max_usd="much",
    )  # fmt: skip
    page = refused.text
    check_tags(page)
    for field in ("template", "unit_0", "max_usd"):
        assert re.search(rf'name="{field}"[^>]*aria-invalid="true" aria-errormessage="fault-{field}"', page)
        assert f'id="fault-{field}"' in page
    assert 'href="#template">3 fields are to be put right.' in page
    assert page.count("aria-invalid") == 3 and "did you mean {name}?" in page


async def test_what_is_wrong_with_the_table_itself_is_told_once_and_marks_no_field(visitor):
    refused = await visitor.send(
        "/batches/new/start", 422, table="name\nbike 1\nbike 1", kind="csv", template="{name}", go="start",
        column_0="kind", column_1="price", type_1="money",
    )  # fmt: skip
    assert refused.text.count("the row asks the same as line") == 1
    assert "aria-invalid" not in refused.text


async def test_rows_that_ask_the_same_are_told_apart_by_a_column_that_is_named(visitor):
    table = "product,Shop\nTarn 300,A\nTarn 300,B"
    refused = await visitor.send(
        "/batches/new/start", 422, table=table, kind="csv", template="{product}", go="start"
    )
    assert "the same as line 2; add a column in which they differ to the question: {Shop}" in refused.text
    refused = await visitor.send("/batches/new/start", 422, table=table, kind="csv", template="how much?")
    assert "in braces into it: {product}, {Shop}" in refused.text
    await visitor.send("/preferences", language="de", theme="light", back="/")
    refused = await visitor.send("/batches/new/start", 422, table=table, kind="csv", template="{product}")
    assert "fragt dasselbe wie Zeile 2; nehmen Sie" in refused.text


@pytest.mark.parametrize(
    ("pasted", "column", "rows"),
    [
        ("Shop\nTarn & Sons\nAlder", "Shop", 2),
        ("product\r\nTarn 300\r\nVelmar Pocket\r\n", "product", 2),
        ("Tarn 300\nAlder Nova", "topic", 2),
        ("How loud is it?\nWhat does it cost?", "topic", 2),
        ("Tarn\nAlder", "topic", 2),
    ],
)
async def test_a_pasted_column_keeps_its_heading_and_may_be_read_the_other_way(visitor, pasted, column, rows):
    shown = (await visitor.send("/batches/new", 200, table=pasted)).text
    check_tags(shown)
    assert f"<code>{{{column}}}</code>" in shown and f"{rows} rows" in shown
    way, names = ("heading", pasted.splitlines()[0]) if column == "topic" else ("plain", "topic")
    kind = "text" if column == "topic" else "csv"
    shown = (await visitor.send("/batches/new/start", 200, table=pasted, kind=kind, go=way)).text
    assert f"<code>{{{names}}}</code>" in shown
    assert f"{rows - 1 if way == 'heading' else rows + 1} row" in shown


async def test_a_value_that_another_page_says_is_seen_in_its_page_and_taken_with_its_quote(visitor):
    store = SqlBatches(visitor.served.runtime.container.archive)
    words = "Oh! Now € 1,999 <only>. It folds."
    text = PageText(markdown=words, text=words)
    other = other_price()
    page = StoredPage(sha=other.page_sha256, url=other.url, final_url=other.url, page=text)
    await visitor.served.runtime.container.archive.put_page(page, None)
    batch = await sample_batch(visitor.served)
    unsure = price().changed(
        value=None, reason="unsure", alternatives=[other.changed(other_shop="Alpin Markt")]
    )
    [row] = await store.claim(batch, 1)
    await store.settle([(row, "insufficient", RowResult(values=[unsure, missing()]))], now_ms=1)
    path = f"/batches/{batch}/rows/{row.n}/price"
    shown = await visitor.page(path)
    check_tags(shown)
    assert 'href="https://b.example/y"' in shown and "€1,999.00</b>" in shown
    assert "from another shop: Alpin Markt" in shown
    assert "Now € 1,999 &lt;only&gt;." in shown and "It folds." in shown
    key = re.search(r'name="take" value="([^"]+)"', shown)[1]
    assert "no longer offered" in (await visitor.send(path, 422, take="x.1")).text
    await visitor.send(path, take=key)
    shown = await visitor.page(path)
    assert "chosen by hand" in shown and "It folds." in shown
    exported = (await visitor.client.get(f"/ui/batches/{batch}/export?form=csv")).text
    told = list(csv.DictReader(io.StringIO(exported)))[row.n - 1]
    assert (told["price"], told["price source"]) == ("1999.0", "https://b.example/y")
    assert told["price quote"] == "Now € 1,999 <only>."
    await visitor.send(path, take_back="1")
    assert "Take this value" in await visitor.page(path)
    view = "?after=1&state=partly"
    assert f'action="/ui{path}?after=1&amp;state=partly"' in await visitor.page(f"{path}{view}")
    back = await visitor.send(f"{path}{view}", take_back="1")
    assert back.headers["location"] == f"/ui/batches/{batch}{view}#row-{row.n}", (
        "to the rows as they were chosen"
    )


async def test_an_open_page_of_a_batch_is_told_when_rows_move_and_when_it_is_over(visitor):
    batch = await sample_batch(visitor.served)
    page = await visitor.page(f"/batches/{batch}")
    assert f'data-events="/ui/batches/{batch}/events"' in page
    async with visitor.client.stream("GET", f"/ui/batches/{batch}/events") as events:
        lines = (line async for line in events.aiter_lines() if line.startswith("event:"))
        assert await anext(lines) == "event: changed"
        await visitor.send(f"/batches/{batch}/cancel")
        assert [line async for line in lines] == ["event: changed", "event: end"]
    assert "data-events" not in await visitor.page(f"/batches/{batch}")


async def test_a_running_batch_counts_what_its_rows_under_way_have_used_and_says_how_long_it_takes(visitor):
    served = visitor.served
    batch = await sample_batch(served)
    store = SqlBatches(served.runtime.container.archive)
    [row] = await store.claim(batch, 1)
    job = row_job((await store.get(batch)).batch, row, 1)
    used = {"usage": Usage(prompt_tokens=150_000, completion_tokens=50_000, usd=0.5), "pages_fetched": 7}
    await served.runtime.container.jobs.submit(job.changed(**used, plan=PlanningState(pages_read=9)))
    told = await visitor.page(f"/batches/{batch}")
    assert "<b>9</b>pages read, 7 fetched" in told
    assert "<b>204K</b>tokens" in told
    assert "<b>$0.54</b>" in told
    piece = await visitor.page(f"/batches/{batch}/sum")
    assert "<b>204K</b>tokens" in piece and "<table" not in piece
    document = await served.get(f"/batches/{batch}")
    assert (document["tokens"], document["pages"], document["pages_fetched"]) == (204_000, 9, 7)
    assert "204,000" in (await visitor.page("/spend")).partition("By batch")[2].partition("By job")[0]


async def test_what_its_rows_use_is_told_while_no_row_moves(visitor, monkeypatch):
    monkeypatch.setattr(batch_control, "FOLLOW_EVERY_S", 0.05)
    served = visitor.served
    batch = await sample_batch(served)
    store = SqlBatches(served.runtime.container.archive)
    [row] = await store.claim(batch, 1)
    job = row_job((await store.get(batch)).batch, row, 1)
    async with visitor.client.stream("GET", f"/ui/batches/{batch}/events") as events:
        lines = (line async for line in events.aiter_lines() if line.startswith("event:"))
        assert await anext(lines) == "event: changed"
        await served.runtime.container.jobs.submit(job.changed(plan=PlanningState(pages_read=9)))
        assert await anext(lines) == "event: counted"


async def test_a_value_that_is_refused_stays_typed_with_where_it_is_from(visitor):
    batch = await sample_batch(visitor.served)
    refused = await visitor.send(
        f"/batches/{batch}/rows/1/price", 422, value="four", note="the shop <told> me"
    )
    check_tags(refused.text)
    assert 'value="four" aria-invalid="true"' in refused.text
    assert 'value="the shop &lt;told&gt; me"' in refused.text


async def test_an_unknown_batch_has_no_events(visitor):
    await visitor.page("/batches/nosuchbatch1/events", 404)


async def test_any_number_of_open_pages_look_at_a_batch_once(visitor, monkeypatch):
    batch, feeds = await sample_batch(visitor.served), visitor.served.state.batch_feeds
    looks = []
    find = batch_control.find_batch

    async def counted(runtime, name):
        looks.append(name)
        return await find(runtime, name)

    monkeypatch.setattr(batch_control, "find_batch", counted)
    monkeypatch.setattr(batch_control, "FOLLOW_EVERY_S", 0.05)

    async def read() -> list[str]:
        return [entry.state async for entry in feeds.states(batch)]

    readers = [asyncio.create_task(read()) for _ in range(300)]
    for done in range(1, 6):
        while len(looks) < done:
            await asyncio.sleep(0.01)
        looked = len(looks)
    assert looked < 20  # five rounds of one, and not of three hundred
    entry = await find(visitor.served.runtime, batch)
    await batch_control.cancel_batch(visitor.served.runtime, entry)
    assert await asyncio.gather(*readers) == [["running", "cancelled"]] * 300


async def test_what_is_wrong_is_told_in_words_and_nothing_starts(visitor):
    for path, fields, told in (
        ("/batches/new", {"table": ""}, "choose a file, or paste a table"),
        ("/batches/new", {"table": "name;land\n"}, "the input has no row"),
        ("/batches/new/start", {"template": "how much?"}, "the template uses no column"),
        ("/batches/new/start", {"template": "{nmae}?"}, "did you mean {name}"),
        ("/batches/new/start", {"template": "{name}?", "max_usd": "much"}, "is not a number"),
        ("/batches/new/start", {"template": "{name}?", "lines": "price: colour"}, "the columns: "),
    ):
        given = {"table": TABLE, "kind": "csv", **fields} if path.endswith("start") else fields
        answer = await visitor.send(path, 422, **given)
        check_tags(answer.text)
        assert 'role="alert"' in answer.text and answer.text.count(told) == 1, fields
    assert await visitor.served.get("/batches") == []


async def test_a_table_that_is_too_large_is_refused_with_what_takes_it(visitor, monkeypatch):
    monkeypatch.setattr(new_batch, "MOST_TABLE_BYTES", 20)
    answer = await visitor.send("/batches/new", 422, table=TABLE)
    assert "`research batch run FILE` takes it" in answer.text


async def test_rows_are_shown_by_state_and_confidence(visitor):
    path = f"/batches/{await sample_batch(visitor.served)}"
    page = await visitor.page(path)
    check_tags(page)
    assert page.count('id="row-') == 6
    assert 'id="row-2"' in await visitor.page(f"{path}?state=partly")
    assert 'id="row-1"' not in await visitor.page(f"{path}?state=partly")
    low = await visitor.page(f"{path}?sure=low")
    assert [n for n in range(1, 7) if f'id="row-{n}"' in low] == [1, 2, 3, 4]
    assert "No row is like that." in await visitor.page(f"{path}?state=done&sure=high")


async def listed(visitor, path: str, **query: str) -> list[int]:
    """The numbers of the rows that a page of a batch shows, in order."""
    page = await visitor.page(f"{path}?{urlencode(query)}")
    check_tags(page)
    return [int(n) for n in re.findall(r'<tr id="row-(\d+)"', page)]


async def priced_batch(served, prices: list[float | None]) -> str:
    """The path of a batch whose rows have these prices, and a name that counts down."""
    body = {
        "rows": [{"name": f"Bike {len(prices) - n}", "kg": str(len(prices) - n)} for n in range(len(prices))],
        "template": "What does the {name} of {kg} kg cost?",
        "question": {"columns": [{"name": "price", "type": "money"}]},
    }
    batch: str = (await served.post("/batches", body))["batch"]
    store = SqlBatches(served.runtime.container.archive)
    ended = [
        (row, "partly", RowResult(values=[price().changed(value=value)], confidence=0.5))
        for row, value in zip(await store.claim(batch, len(prices)), prices, strict=True)
    ]
    await store.settle(ended, now_ms=1)
    return f"/batches/{batch}"


async def test_rows_are_sorted_by_any_column_with_numbers_as_numbers_and_empty_cells_last(visitor):
    path = await priced_batch(visitor.served, [900.0, None, 1200.5, 85.0])
    for sort, rising, falling in (
        ("row", [1, 2, 3, 4], [4, 3, 2, 1]),
        ("column:price", [4, 1, 3, 2], [3, 1, 4, 2]),
        ("field:name", [4, 3, 2, 1], [1, 2, 3, 4]),
        ("field:kg", [4, 3, 2, 1], [1, 2, 3, 4]),
        ("confidence", [1, 2, 3, 4], [1, 2, 3, 4]),
        ("column:nosuch", [1, 2, 3, 4], [4, 3, 2, 1]),
    ):
        assert await listed(visitor, path, sort=sort) == rising, sort
        assert await listed(visitor, path, sort=sort, falling="true") == falling, sort
    assert await listed(visitor, f"/batches/{await sample_batch(visitor.served)}", sort="state") == [
        5, 6, 1, 2, 3, 4
    ]  # fmt: skip


async def test_a_value_by_hand_is_sorted_and_found_as_the_others_are(visitor):
    path = await priced_batch(visitor.served, [900.0, None, 1200.5, 85.0])
    await visitor.send(f"{path}/rows/2/price", value="7", unit="EUR")
    assert await listed(visitor, path, sort="column:price") == [2, 4, 1, 3]
    assert await listed(visitor, path, q="7 eur") == [2]


async def test_rows_are_found_by_words_of_their_inputs_and_values(visitor):
    path = await priced_batch(visitor.served, [900.0, None, 1200.5, 85.0])
    for words, found in (
        ("bike 3", [2]),
        ("1200.5", [3]),
        ("1,200.5 eur", [3]),
        ("BIKE 900", [1]),
        ("car", []),
    ):
        assert await listed(visitor, path, q=words) == found, words
    assert await listed(visitor, path, q="bike", sort="column:price", state="partly") == [4, 1, 3, 2]
    assert "All rows" in await visitor.page(f"{path}?q=car")
    asked = {"rows": [{"name": "Tarn"}, {"name": "Alder"}], "template": "{name}?"}
    batch = (await visitor.served.post("/batches", asked))["batch"]
    store = SqlBatches(visitor.served.runtime.container.archive)
    [row] = await store.claim(batch, 1)
    await store.settle([(row, "done", RowResult(answer="It weighs 12 kg."))], now_ms=1)
    assert await listed(visitor, f"/batches/{batch}", q="weighs") == [1]


async def test_a_choice_of_rows_is_kept_from_page_to_page_and_in_the_form(visitor, monkeypatch):
    monkeypatch.setattr(pages, "ROWS_SHOWN", 2)
    path = await priced_batch(visitor.served, [500.0, 400.0, None, 300.0, 200.0])
    query = "?q=bike+&state=partly&sort=column%3Aprice&falling=true"
    shown, seen = await visitor.page(path + query), []
    assert re.search(r'<input type="hidden" form="narrowing" name="sort" value="column:price">', shown)
    assert '<input type="hidden" form="narrowing" name="falling" value="true">' in shown
    assert 'aria-sort="descending"><a class="sorts"' in shown and shown.count("aria-sort") == 1
    while further := re.search(r'rel="next" href="/ui([^"]*)"', shown):
        seen += re.findall(r'<tr id="row-(\d+)"', shown)
        shown = await visitor.page(unescape(further[1]))
    assert [*seen, *re.findall(r'<tr id="row-(\d+)"', shown)] == ["1", "2", "4", "5", "3"]
    assert unescape(re.search(r'rel="first" href="/ui([^"]*)"', shown)[1]) == path + query
    risen = re.search(r'aria-sort="descending"><a class="sorts" id="[^"]+" href="/ui([^"]*)"', shown)
    assert "falling" not in risen[1] and "sort=column%3Aprice" in risen[1]


async def test_of_very_many_rows_the_first_ones_are_sorted_and_that_is_said(visitor, monkeypatch):
    monkeypatch.setattr(row_choice, "MOST_LOOKED_AT", 3)
    path = await priced_batch(visitor.served, [500.0, 400.0, 300.0, 200.0])
    shown = await visitor.page(f"{path}?sort=column:price")
    assert re.findall(r'<tr id="row-(\d+)"', shown) == ["3", "2", "1"]
    assert "only the first 5,000 are sorted" in shown
    assert "are sorted" not in await visitor.page(path)


async def test_a_row_is_doubtful_by_its_least_sure_cell_until_a_person_has_filled_what_was_open(visitor):
    path = f"/batches/{await sample_batch(visitor.served)}"

    async def shown(sure: str) -> list[int]:
        page = await visitor.page(f"{path}?sure={sure}")
        return [n for n in range(1, 7) if f'id="row-{n}"' in page]

    await visitor.send(f"{path}/rows/1/foldable", value="no")
    await visitor.send(f"{path}/rows/2/foldable", no_value="1")
    assert (await shown("low"), await shown("middle"), await shown("high")) == ([3, 4], [2], [1])
    rows = (await visitor.served.get(f"{path}/rows"))["rows"]
    assert [(row["state"], row["confidence"]) for row in rows[:2]] == [("done", 0.95), ("done", 0.8)]
    assert "95%" in await visitor.page(f"{path}?sure=high")


async def test_rows_are_tried_again_only_where_some_have_failed(visitor):
    words = "Try failed rows again"
    batch = await sample_batch(visitor.served)
    store = SqlBatches(visitor.served.runtime.container.archive)
    await store.settle(
        [(row, "done", RowResult(values=[price(), missing()])) for row in await store.claim(batch, 2)],
        now_ms=1,
    )
    await batch_control.cancel_batch(
        visitor.served.runtime, await batch_control.find_batch(visitor.served.runtime, batch)
    )
    assert words in await visitor.page(f"/batches/{batch}")
    batch = (await visitor.served.post("/batches", {"rows": [{"name": "Tarn"}], "template": "{name}?"}))[
        "batch"
    ]
    await visitor.send(f"/batches/{batch}/cancel")
    page = await visitor.page(f"/batches/{batch}")
    assert words not in page and ">Resume<" in page
    batch = (await visitor.served.post("/batches", {"rows": [{"name": "Alder"}], "template": "{name}?"}))[
        "batch"
    ]
    await store.settle(
        [(row, "done", RowResult(answer="x")) for row in await store.claim(batch, 1)], now_ms=1
    )
    await store.set_state(batch, "completed", now_ms=2)
    page = await visitor.page(f"/batches/{batch}")
    assert words not in page and ">Resume<" not in page


async def test_an_empty_cell_says_why_in_the_language_of_its_reader_and_offers_yes_and_no(visitor):
    batch = await sample_batch(visitor.served)
    await visitor.send("/preferences", language="de", theme="light", back="/")
    cell = await visitor.page(f"/batches/{batch}/rows/1/foldable")
    check_tags(cell)
    assert '<p class="note">nicht gefunden</p>' in cell and "kein Satz darüber" in cell
    assert '<option value="no">nein</option>' in cell


async def test_a_cell_opens_with_its_quote_and_is_corrected_by_hand_for_good(visitor):
    batch = await sample_batch(visitor.served)
    path = f"/batches/{batch}"
    cell = await visitor.page(f"{path}/rows/1/price")
    check_tags(cell)
    assert "It costs &lt;b&gt;€1,899&lt;/b&gt; new." in cell and "another page says €1,999" in cell
    wrong = await visitor.send(f"{path}/rows/1/price", 422, value="cheap")
    assert "takes an amount such as 12.50" in wrong.text
    await visitor.send(f"{path}/rows/1/price", value="1,999.5", unit="EUR", note="=the shop's list")
    await visitor.send(f"{path}/rows/5/foldable", value="yes")
    page = await visitor.page(path)
    assert "€1,999.50" in page and page.count("by hand") == 2
    store = SqlBatches(visitor.served.runtime.container.archive)
    await store.start_again(batch, ["done"])
    [row] = [row for row in await store.rows(batch) if row.n == 1]
    assert (row.state, [value.value for value in row.result.values]) == ("waiting", [1999.5])
    exported = (await visitor.client.get(f"/ui{path}/export?form=csv")).text
    table = list(csv.DictReader(io.StringIO(exported)))
    assert (table[0]["price"], table[0]["price reason"]) == ("1999.5", "by hand: =the shop's list")
    assert "(by hand)" in (await visitor.client.get(f"/ui{path}/export?form=html")).text
    await visitor.send(f"{path}/rows/5/foldable", take_back="1")
    assert (await visitor.page(path)).count("by hand") == 1


async def test_a_wrong_value_is_rejected_for_good_until_that_is_taken_back(visitor):
    batch = await sample_batch(visitor.served)
    path, store = f"/batches/{batch}", SqlBatches(visitor.served.runtime.container.archive)

    async def row():
        return next(row for row in await store.rows(batch) if row.n == 2)

    assert "There is no value" in await visitor.page(f"{path}/rows/2/price")
    await visitor.send(f"{path}/rows/2/price", no_value="1", note="not sold yet")
    cell = await visitor.page(f"{path}/rows/2/price")
    check_tags(cell)
    assert "written by hand" in cell and "not sold yet" in cell and "1,899" not in cell
    assert (await row()).state == "insufficient"
    exported = (await visitor.client.get(f"/ui{path}/export?form=csv")).text
    table = list(csv.DictReader(io.StringIO(exported)))
    assert (table[1]["price"], table[1]["price quote"]) == ("", "")
    assert table[1]["price reason"] == "by hand: not sold yet"
    assert "(there is none) (by hand)" in (await visitor.client.get(f"/ui{path}/export?form=md")).text
    await visitor.send(f"{path}/rows/2/price", take_back="1")
    found = await row()
    assert (found.state, found.result.values[0].value) == ("partly", 1899.0)


async def test_the_answer_of_a_corrected_row_says_what_the_person_wrote(visitor):
    batch = await sample_batch(visitor.served)
    store = SqlBatches(visitor.served.runtime.container.archive)
    [row] = await store.claim(batch, 1)
    result = RowResult(values=[price(), missing()], answer=f"{value_texts([price()])} It is a bike.")
    await store.settle([(row, "partly", result)], now_ms=1)

    async def answer() -> str:
        exported = (await visitor.client.get(f"/ui/batches/{batch}/export?form=jsonl")).text
        return json.loads(exported.splitlines()[row.n - 1])["answer"]

    assert await answer() == "price: 1,899 EUR. It is a bike."
    await visitor.send(f"/batches/{batch}/rows/{row.n}/price", value="1500", unit="EUR")
    assert await answer() == "price: 1,500 EUR. It is a bike."
    await visitor.send(f"/batches/{batch}/rows/{row.n}/price", no_value="1")
    assert await answer() == "It is a bike."


async def test_a_row_whose_missing_cell_is_given_by_hand_is_done_until_it_is_taken_back(visitor):
    batch = await sample_batch(visitor.served)
    store = SqlBatches(visitor.served.runtime.container.archive)

    async def state() -> str:
        [row] = [row for row in await store.rows(batch) if row.n == 2]
        return row.state

    assert await state() == "partly"
    entry = await batch_control.find_batch(visitor.served.runtime, batch)
    [row] = [row for row in await store.rows(batch) if row.n == 2]
    missing = [spec for spec, value in column_values(entry.batch, row) if value.value is None]
    texts = {"money": "2150 crowns", "yes_no": "yes", "number": "3"}
    for spec in missing:
        await visitor.send(f"/batches/{batch}/rows/2/{spec.name}", value=texts[spec.type], unit="CZK")
    assert await state() == "done"
    await visitor.send(f"/batches/{batch}/rows/2/{missing[0].name}", take_back="1")
    assert await state() == "partly"


@each_case(
    ("kind", "written", "unit", "value", "kept_unit"),
    [
        ("money", "2150 crowns", "CZK", 2150.0, "CZK"), ("money", "$2150", "EUR", 2150.0, "USD"),
        ("money", "€1.899,00", "", 1899.0, "EUR"), ("money", "$2150", "CAD", 2150.0, "CAD"),
        ("number", "12.5 kg", "kg", 12.5, "kg"), ("number", "12500 g", "kg", 12.5, "kg"),
        ("number", "1250 g", "g", 1250.0, "g"), ("number", "1250 g", "kg", 1.25, "kg"),
        ("number", "12.5 litres", "kg", None, ""), ("money", "2 for 300", "EUR", None, ""),
        ("money", "-5 EUR", "EUR", None, ""), ("money", "cheap", "EUR", None, ""),
    ],
)  # fmt: skip
def test_an_amount_by_hand_may_name_its_unit(kind, written, unit, value, kept_unit):
    column = ColumnSpec(name="c", type=kind, unit=unit)
    if value is None:
        with pytest.raises(UsageError, match="c takes"):
            value_by_hand(column, written, unit=unit)
    else:
        found = value_by_hand(column, written, unit=unit)
        assert (found.value, found.unit, found.shown) == (value, kept_unit, written)


async def test_the_name_of_an_uploaded_file_is_proposed_as_that_of_its_batch_while_none_has_it(visitor):
    async def proposed() -> str:
        data = {
            "form_key": re.search(r'name="form_key" value="([^"]+)"', await visitor.page("/batches/new"))[1]
        }
        files = {"file": ("prices at shops.csv", b"product,shop\nTarn 300,Alpin Markt")}
        answer = await visitor.client.post("/ui/batches/new", data=data, files=files)
        return re.search(r'id="name"[^>]* value="([^"]*)"', answer.text)[1]

    assert await proposed() == "prices at shops"
    rows = {"rows": [{"name": "Alder"}], "template": "{name}", "name": "prices at shops"}
    await visitor.served.post("/batches", rows)
    assert await proposed() == ""


async def test_a_batch_whose_question_is_a_field_alone_is_called_by_its_rows(visitor):
    rows = [{"name": "Tarn 300"}, {"name": "Alder"}, {"name": "Corva"}]
    await visitor.served.post("/batches", {"rows": rows, "template": "{name}"})
    assert "Tarn 300 … Corva" in await visitor.page("/batches")


async def test_fields_in_the_question_of_a_batch_are_set_apart_in_their_braces(visitor):
    asked = {"rows": [{"a <b>": "work_mem"}], "template": "What does the setting {a <b>} do?"}
    batch = (await visitor.served.post("/batches", asked))["batch"]
    shown = await visitor.page(f"/batches/{batch}")
    check_tags(shown)
    assert "What does the setting <var>{a &lt;b&gt;}</var> do?</h1>" in shown
    assert "<title>What does the setting {a &lt;b&gt;} do? – research" in shown
    assert "the setting <var>" in await visitor.page("/batches") + await visitor.page("/spend")


async def test_the_list_of_batches_reads_all_rows_under_way_at_once(visitor, monkeypatch):
    store, asked = SqlBatches(visitor.served.runtime.container.archive), []
    batches = [await sample_batch(visitor.served)]
    more = {"rows": [{"name": "a"}, {"name": "b"}], "template": "{name}"}
    batches.append((await visitor.served.post("/batches", more))["batch"])
    running = {batch: [row.job for row in await store.claim(batch, 2)] for batch in batches}
    assert await store.running_jobs(batches) == running
    looked = SqlBatches.running_jobs

    async def noted(self, batches):
        asked.append(batches)
        return await looked(self, batches)

    monkeypatch.setattr(SqlBatches, "running_jobs", noted)
    await visitor.page("/batches")
    assert [sorted(one) for one in asked] == [sorted(batches)]


async def test_a_cell_that_is_not_there_is_refused(visitor):
    path = f"/batches/{await sample_batch(visitor.served)}"
    for cell in ("/rows/1/colour", "/rows/99/price", "/rows/0/price", f"/rows/{10**30}/price"):
        await visitor.page(f"{path}{cell}", 422)
    await visitor.send(f"{path}/rows/{10**30}/price", 422, value="5", unit="EUR")


async def test_a_column_with_any_name_can_be_opened_and_corrected(visitor):
    body = {
        "rows": [{"name": "Tarn"}], "template": "What does {name} cost?",
        "question": {"columns": [{"name": "price/kg #1?", "type": "number"}]},
    }  # fmt: skip
    batch = (await visitor.served.post("/batches", body))["batch"]
    path = f"/batches/{batch}/rows/1/price/kg%20%231%3F"
    assert f"/ui{path}" in await visitor.page(f"/batches/{batch}")
    check_tags(await visitor.page(path))
    await visitor.send(path, value="5.5")
    assert "5.5" in await visitor.page(f"/batches/{batch}")


@each_case(
    ("kind", "written", "value"),
    [
        ("number", "1,200.5", 1200.5), ("yes_no", "No", False), ("date", "2024-05", "2024-05"),
        ("date", "2024-02-30", None), ("date", "May", None), ("number", "nan", None), ("number", "1e999", None),
        ("yes_no", "maybe", None), ("url", "javascript:alert(1)", None), ("text", "=1+1", "=1+1"), ("text", " ", None),
    ],
)  # fmt: skip
def test_what_a_person_writes_is_a_value_of_the_columns_type_or_refused(kind, written, value):
    column = ColumnSpec(name="c", type=kind)
    if value is None:
        with pytest.raises(UsageError):
            value_by_hand(column, written)
    else:
        assert value_by_hand(column, written).value == value
