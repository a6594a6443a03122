"""The input of a batch: what can be read is read whole, what cannot is named by row and column."""

import csv
import io
import json
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import RowError
from research_crawler.services.batches import input_table as input_table_module
from research_crawler.services.batches.input_table import input_table, read_table
from tests.cases import each_case

CELL = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=20).map(str.strip)


def refused(data: bytes, kind="csv", **options) -> RowError:
    with pytest.raises(RowError) as caught:
        input_table(data, kind, **options)
    assert "\n" not in str(caught.value)
    return caught.value


@given(st.lists(st.lists(CELL.filter(bool), min_size=2, max_size=2), min_size=1, max_size=5))
def test_what_csv_writes_is_read_back(rows):
    file = io.StringIO(newline="")
    csv.writer(file).writerows([["name", "country"], *rows])
    table = input_table(file.getvalue().encode(), "csv")
    assert [list(row.fields.values()) for row in table.rows] == rows


@given(st.binary(max_size=200), st.sampled_from(["csv", "jsonl", "text"]))
def test_any_bytes_are_a_table_or_one_line_about_what_is_wrong(data, kind):
    try:
        table = input_table(data, kind)
    except RowError as error:
        assert str(error)
    else:
        assert all(set(row.fields) == set(table.fields) for row in table.rows)


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_the_separator_of_the_header_is_the_separator(mark):
    table = input_table(f"name{mark}country\nAcme, Inc{mark}DE\n".encode(), "csv")
    assert table.rows[0].fields == {"name": "Acme, Inc", "country": "DE"}


def test_rows_know_their_lines_also_behind_a_cell_with_a_line_break():
    table = input_table(b'name\n"a\nb"\n\nc\n', "csv")
    assert [(row.line, row.fields["name"]) for row in table.rows] == [(2, "a\nb"), (5, "c")]


@each_case(
    ("data", "row", "column", "says"),
    [
        (b"name,country\nAcme\n", 2, "country", "missing"),
        (b"name,country\nAcme,DE,FR\n", 2, "", "quoted"),
        (b"name,name\na,b\n", 1, "name", "twice"),
        (b"name,\na,b\n", 1, "", "no name"),
        (b"name\ncaf\xe9\n", 2, "", "utf-8"),
        (b"name\na\0b\n", 2, "", "NUL"),
        (b"name\n" + b"x" * 2_001, 2, "name", "characters"),
        (b"name\n", 0, "", "no row"),
        (b"", 0, "", "empty"),
    ],
)
def test_a_row_of_csv_that_cannot_be_used_is_named(data, row, column, says):
    error = refused(data)
    assert (error.row, error.column) == (row, column)
    assert says in str(error)


@each_case(
    ("data", "row", "column", "says"),
    [
        (b'{"name": "a"}\n{"name": }\n', 2, "", "no JSON"),
        (b'{"name": "a", "country": "DE"}\n\n{"name": "b"}\n', 3, "country", "no such field"),
        (b'{"name": ["a"]}\n', 1, "name", "text or a number"),
        (b"[1]\n", 1, "", "JSON object"),
    ],
)
def test_a_row_of_json_that_cannot_be_used_is_named(data, row, column, says):
    error = refused(data, "jsonl")
    assert (error.row, error.column) == (row, column)
    assert says in str(error)


def test_json_lines_a_json_list_and_lines_of_text_are_tables_too(tmp_path):
    rows = [{"name": "a", "size": 3}, {"name": "b", "size": None}]
    expected = [{"name": "a", "size": "3"}, {"name": "b", "size": ""}]
    for text in ("\n".join(map(json.dumps, rows)), json.dumps(rows)):
        assert [row.fields for row in input_table(text.encode(), "jsonl").rows] == expected
    topics = tmp_path / "topics.txt"
    topics.write_text("heat pumps\n\n  solar   roofs \n")
    assert [row.fields["topic"] for row in read_table(topics).rows] == ["heat pumps", "solar roofs"]


def test_a_file_is_read_in_its_encoding(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes("name\ncafé\n".encode("cp1252"))
    assert read_table(path, encoding="cp1252").rows[0].fields["name"] == "café"
    path.write_bytes("name\ncafé\n".encode("utf-16"))
    assert read_table(path).rows[0].fields["name"] == "café"
    assert "no encoding 'utf-99'" in str(refused(b"name\na\n", encoding="utf-99"))


@each_case("encoding", ["zip", "hex", "no\0ne", "undefined", "idna"])
def test_an_encoding_that_is_none_of_texts_is_refused_in_one_line(encoding):
    assert str(refused(b"name\n\xff\n", encoding=encoding))


@pytest.mark.parametrize("code", ["ud800", "udfff", "u0000"])
def test_what_only_escape_sequences_can_write_is_refused_by_its_cell(code):
    error = refused(f'{{"name": "ab"}}\n{{"name": "a\\{code}b"}}'.encode(), "jsonl")
    assert (error.row, error.column) == (2, "name")
    assert "name of a field" in str(refused(f'{{"a\\{code}": "b"}}'.encode(), "jsonl"))
    assert "name of a field" in str(refused(b'{"": "b"}', "jsonl"))


def test_a_device_without_an_end_is_refused_when_the_limit_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(input_table_module, "MAX_INPUT_BYTES", 1_000_000)
    (tmp_path / "zeros.csv").symlink_to("/dev/zero")
    with pytest.raises(RowError, match=r"zeros.csv is larger than 1 MB"):
        read_table(tmp_path / "zeros.csv")


def test_a_pipe_is_read_like_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"name\nAcme\n",))
    writer.start()
    assert [row.fields for row in read_table(pipe).rows] == [{"name": "Acme"}]
    writer.join()


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_an_input_has_at_most_five_hundred_columns(kind):
    names = [f"c{n}" for n in range(120_000)]
    if kind == "csv":
        data = f"{','.join(names)}\n{','.join('a' for _ in names)}\n"
    else:
        data = "\n".join(json.dumps(dict.fromkeys(names[at : at + 400], "a")) for at in range(0, 2_000, 400))
    assert "columns; at most 500 are allowed" in str(refused(data.encode(), kind))
