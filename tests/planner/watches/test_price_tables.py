import csv
import io
import json
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from planner.watches.price_tables import GAP, as_csv, as_jsonl, chart, series_of
from research_crawler.core.models.watches.watch import Observation
from tests.cases import each_case
from tests.price_csv import read_csv

NOW = 1_766_000_000_000


def seen(number: int, price: str | None = "10", **more) -> Observation:
    fields = {
        "id": f"o{number}",
        "watch": "w",
        "run": "r",
        "product": "p",
        "at_ms": NOW + number * 3_600_000,
        "state": "offer" if price else "blocked",
        "price": None if price is None else Decimal(price),
        "currency": "EUR" if price else "",
        "vendor": "shop.example",
        "name": "Laptop",
        "url": "https://shop.example/p",
    }
    return Observation.model_validate(fields | more)


texts = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ['=HYPERLINK("https://evil.example")', "'=1", "'", "-1", "@x", "\tx", "a,b\r\nc", '"', "+49"]
    ),
)
observations = st.lists(
    st.builds(
        Observation,
        id=st.uuids().map(str),
        watch=st.just("w"),
        run=st.just("r"),
        product=texts,
        at_ms=st.integers(0, 4_000_000_000_000),
        state=st.sampled_from(["offer", "out_of_stock", "unclear", "blocked", "failed"]),
        price=st.none() | st.decimals("0.01", "99999999", places=2),
        currency=st.sampled_from(["", "EUR", "USD"]),
        name=texts,
        variant=texts,
        vendor=texts,
        url=texts,
        reason=texts,
        page_sha=st.just("ab" * 32),
        fetch_attempt=st.integers(1, 3),
        confirmed=st.booleans(),
    ),
    max_size=8,
)


@given(observations)
def test_csv_gives_back_what_was_written(series):
    assert read_csv(as_csv(series)) == series


@given(observations)
def test_no_cell_of_the_csv_is_a_formula(series):
    cells = [cell for row in csv.reader(io.StringIO(as_csv(series), newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


@each_case("before", ["", " ", "\t", "\r", "\n", "\u200b", "\u00a0\x00", "\ufeff"])
def test_no_spelling_of_a_formula_is_exported_without_its_guard(before):
    series = [
        seen(1).model_copy(update={"name": f"{before}{sign}cmd|' /C calc'!A0"})
        for sign in "=+-@＝＋－＠﹦﹢﹣﹫−"
    ]
    rows = list(csv.DictReader(io.StringIO(as_csv(series), newline="")))
    assert [row["name"] for row in rows if not row["name"].startswith("'")] == []
    assert len(rows) == len(series)
    assert read_csv(as_csv(series)) == series


@each_case("border", [";", "; ", "\t", "\n", "\r\n", ";\u200b"])
def test_no_part_of_a_cell_is_a_formula_where_another_mark_divides_cells(border):
    series = [seen(1).model_copy(update={"name": f"lamp{border}{sign}1+1{border}'x'"}) for sign in "=+-@＝"]
    text = as_csv(series)
    for delimiter in ";\t":
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            for cell in line:
                told = "".join(c for c in cell if c.isprintable()).strip()
                assert not told.startswith(("=", "+", "-", "@", "＝"))
    assert read_csv(text) == series


@given(observations)
def test_json_lines_have_one_object_per_line_with_exact_prices(series):
    lines = [json.loads(line) for line in as_jsonl(series).splitlines()]
    assert [one["price"] for one in lines] == [
        None if one.price is None else f"{one.price:f}" for one in series
    ]
    assert [one["name"] for one in lines] == [one.name for one in series]


def test_prices_of_two_currencies_are_two_series():
    found = series_of([seen(1), seen(2, "12", currency="USD"), seen(3, None), seen(4, "11")])
    assert [(one.currency, [int(price) for price in one.prices]) for one in found] == [
        ("EUR", [10, 11]),
        ("USD", [12]),
    ]
    assert [len(one.observations) for one in found] == [3, 2]


def test_a_blocked_page_is_a_gap_in_the_chart_and_no_price():
    (one,) = series_of([seen(1, "10"), seen(2, None), seen(3, "20"), seen(4, "15")])
    assert chart(one) == f"▁{GAP}█▄"
    (blocked,) = series_of([seen(1, None)])
    assert chart(blocked) == GAP
    assert blocked.prices == []


def test_a_price_that_only_one_fetch_shows_is_not_in_the_history():
    (one,) = series_of(
        [
            seen(1, "10", confirmed=True),
            seen(2, "1"),
            seen(3, "10", confirmed=True),
            seen(4, "20", confirmed=True),
        ]
    )
    assert [int(price) for price in one.prices] == [10, 10, 20]
    assert chart(one) == f"▁{GAP}▁█"
    assert len(one.observations) == 4


def test_a_long_history_fits_the_chart():
    (one,) = series_of([seen(n, str(100 + n % 50)) for n in range(1_000)])
    assert len(chart(one, width=60)) == 60
    assert set(chart(series_of([seen(n) for n in range(5)])[0])) == {"▁"}
