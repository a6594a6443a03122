"""`research batch …` as a person uses it."""

import csv
import io
import json

import pytest

QUESTIONS = """topic
What is the best hand coffee grinder for travel?
How do I descale the Brunholt Corva espresso machine?
which ocelot is best for a small flat
"""


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (
            b"name,country\nAcme\n",
            ["--template", "{name}?"],
            "rows.csv: line 2, column 'country': the row has 1 of 2",
        ),
        (b"name,country\nAcme,DE\n", ["--template", "{nmae}?"], "the template uses {nmae}"),
        (b"name\nAcme\nacme\n", [], "rows.csv: line 3, column 'name': the row asks the same as line 2"),
        (b"name,a\nAcme,1\n,\n", ["--template", "{name}?"], "rows.csv: line 3: the row is empty"),
        (
            b"name\ncaf\xe9\n",
            [],
            "rows.csv: line 2: byte 0xe9 is not utf-8 text; save the file as UTF-8, or name its encoding: --enc",
        ),
        (b"name\nAcme\n", ["--encoding", "utf-99"], "there is no encoding 'utf-99'"),
        (
            b"name\nAcme\n",
            ["--columns", "columns.txt"],
            "the columns: line 1, column 'price': there is no type 'monney'",
        ),
        (b"name\nAcme\n", ["--max-visits", "0", "--region", "XX1"], "XX1"),
    ],
)
def test_a_table_that_cannot_be_worked_on_is_refused_in_one_line(research, text, options, says):
    (research.folder / "rows.csv").write_bytes(text)
    (research.folder / "columns.txt").write_text("price: monney, What does it cost?\n")
    answer = research("batch", "run", "rows.csv", *options)
    assert answer.code == 2
    assert says in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not answer.out
    assert not (research.home / "redis").exists()  # nothing was started


def test_a_batch_that_does_not_exist_is_named_with_the_command_that_lists_them(research):
    answer = research("batch", "status", "nobatch")
    assert answer.code == 2
    assert "there is no batch 'nobatch'; `research batch list` shows them" in answer.err
    assert research("batch", "result", "x", "--format", "xlsx").code == 2


@pytest.mark.long
def test_a_batch_ends_in_a_table_is_kept_and_is_resumed_after_ctrl_c(research):
    (research.folder / "topics.csv").write_text(QUESTIONS)
    (research.folder / "columns.txt").write_text(
        "price: money, What does it cost?\nadvice: text, What is the advice?\n"
    )
    command = [
        "batch",
        "run",
        "topics.csv",
        "--columns",
        "columns.txt",
        "--depth",
        "quick",
        "--out",
        "results",
    ]
    with research.running(*command) as running:
        running.until("waiting")
        running.interrupt()
        stopped = running.ended()
    assert stopped.code == 130
    assert "go on with: research batch resume" in stopped.err
    batch = stopped.err.split("research batch resume ")[1].split()[0]
    paused = research("batch", "status", batch)
    assert " paused " in paused.out  # nothing works on it
    assert research("batch", "status", batch, "--json").json["stands_still"] is True
    listed = research("batch", "list", "--json").json
    assert [(one["batch"], one["state"], one["rows_total"]) for one in listed] == [(batch, "running", 3)]

    done = research("batch", "resume", batch, "--json")
    assert done.code == 0, done.err
    assert done.json["state"] == "completed"
    assert sum(done.json["counts"].values()) == 3
    table = list(csv.DictReader(io.StringIO(research("batch", "result", batch).out)))
    assert [row["topic"] for row in table] == QUESTIONS.splitlines()[1:]
    assert all(row["price"] or row["price reason"] for row in table)
    assert any(row["answer"] for row in table)
    lines = [
        json.loads(line) for line in research("batch", "result", batch, "--format", "jsonl").out.splitlines()
    ]
    for record in lines:
        for value in record["values"].values():
            assert value["value"] is None or value["shown"] in value["quote"]
    saved = {path.name for path in (research.folder / "results").iterdir()}
    assert saved >= {"results.csv", "results.jsonl", "comparison.md", "comparison.html", "row-1"}
    status = research("batch", "status", batch, "--rows")
    assert status.code == 0
    assert all(topic in status.out for topic in QUESTIONS.splitlines()[1:])
    assert "is over already" in research("batch", "cancel", batch).err


@pytest.mark.long
def test_a_single_job_gives_typed_values_too(research):
    (research.folder / "columns.txt").write_text("price: money, What does it cost?\n")
    answer = research(
        "run", "what is the best budget e-reader", "--schema", "columns.txt", "--depth", "quick", "--json"
    )
    assert [value["name"] for value in answer.json["values"]] == ["price"]
    (value,) = answer.json["values"]
    assert (value["value"] is None) == bool(value["reason"] and value["reason"] != "contradicted")
