"""Columns as people write them: lines or JSON Schema; what cannot be read is named by line and column."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.columns.column_input import MOST_ASKED_COLUMNS, given_columns
from planner.columns.column_questions import with_columns
from research_crawler.core.errors import SchemaError
from research_crawler.core.models.jobs.columns import COLUMN_TYPES, ColumnSpec
from research_crawler.core.models.jobs.job import Job, JobInputs
from tests.cases import each_case

LINES = """
# what we want of each shop
price: money EUR, What does it cost?
- weight: number (kg); How much does it weigh?
seats: number of seats
released: date
foldable: yes/no, Can it be folded?
motor: one of (hub, mid-drive), Which motor?
site: url - the official website
mail: e-mail
note: text
"""


def test_lines_give_types_units_choices_and_questions():
    pass_through = [
        (c.name, c.type, c.unit, c.choices, c.question)
        for c in given_columns(LINES.replace("money EUR", "money in EUR"))
    ]
    assert pass_through == [
        ("price", "money", "EUR", [], "What does it cost?"),
        ("weight", "number", "kg", [], "How much does it weigh?"),
        ("seats", "number", "seats", [], ""),
        ("released", "date", "", [], ""),
        ("foldable", "yes_no", "", [], "Can it be folded?"),
        ("motor", "choice", "", ["hub", "mid-drive"], "Which motor?"),
        ("site", "url", "", [], "the official website"),
        ("mail", "email", "", [], ""),
        ("note", "text", "", [], ""),
    ]


def test_a_json_schema_gives_the_same_types():
    schema = {
        "type": "object",
        "properties": {
            "price": {
                "type": "number",
                "format": "money",
                "currency": "EUR",
                "description": "What does it cost?",
            },
            "weight": {"type": ["number", "null"], "unit": "kg"},
            "foldable": {"type": "boolean"},
            "motor": {"enum": ["hub", "mid-drive", None]},
            "site": {"type": "string", "format": "uri"},
            "mail": {"type": "string", "format": "email"},
            "released": {"type": "string", "format": "date"},
            "note": {"type": "string", "title": "A note"},
        },
    }
    columns = given_columns(json.dumps(schema))
    assert [c.type for c in columns] == [
        "money",
        "number",
        "yes_no",
        "choice",
        "url",
        "email",
        "date",
        "text",
    ]
    assert {c.type for c in columns} == set(COLUMN_TYPES)
    assert [columns[0].unit, columns[1].unit, columns[7].question] == ["EUR", "kg", "A note"]


@each_case(
    ("text", "column", "says"),
    [
        ("price: monney, What?", "price", "'monney'; known: text, number"),
        ("price", "price", "name: type"),
        ("a: text\nA: date", "A", "twice"),
        ("motor: one of hub", "motor", "brackets"),
        ("motor: one of (hub)", "motor", "2 to"),
        ("a: ", "a", "missing"),
        ("", "", "none"),
        ('{"properties": {"tags": {"type": "array"}}}', "tags", "'array'"),
        ('{"properties": {"tags": {"type": ["string", "number"]}}}', "tags", "no type"),
        ('{"properties": 3}', "", "properties"),
        ('{"properties": ', "", "no JSON"),
        (
            "\n".join(f"c{n}: text" for n in range(MOST_ASKED_COLUMNS + 1)),
            f"c{MOST_ASKED_COLUMNS}",
            "at most",
        ),
    ],
)
def test_columns_that_cannot_be_read_are_named_in_one_line(text, column, says):
    with pytest.raises(SchemaError) as caught:
        given_columns(text)
    assert caught.value.column == column
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@given(
    st.text(max_size=200) | st.builds(lambda a, b: f"{a}: {b}", st.text(max_size=20), st.text(max_size=40))
)
def test_any_text_is_columns_or_one_line_about_what_is_wrong(text):
    try:
        columns = given_columns(text)
    except SchemaError as error:
        assert str(error)
    else:
        assert all(column.name and column.type in COLUMN_TYPES for column in columns)
        with_columns(Job(id="j", inputs=JobInputs(goal="g", columns=columns)))  # each can be asked


def test_columns_are_the_questions_of_the_job_unless_the_caller_gave_an_outline():
    columns = [
        ColumnSpec(name="price", type="money", question="What does it cost?"),
        ColumnSpec(name="release_date", type="date"),
    ]
    job = with_columns(Job(id="j", inputs=JobInputs(goal="Tarn 300: electric bike", columns=columns)))
    assert [leaf.question for leaf in job.outline.leaves] == ["What does it cost?", "release date"]
    assert job.outline.is_given
    own = with_columns(job.changed(inputs=job.inputs.changed(outline="# History")))
    assert [leaf.question for leaf in own.outline.leaves] == ["History"]


@each_case("asked", ["What does it do?", "release date", "x" * 150, "Is it possible to undo git bisect?"])
def test_the_question_of_a_column_names_what_its_row_is_about(asked):
    inputs = JobInputs(
        goal="What does git bisect of git do?",
        subject="git bisect; git",
        columns=[ColumnSpec(name="a", question=asked)],
    )
    (leaf,) = with_columns(Job(id="j", inputs=inputs)).outline.leaves
    assert leaf.question.startswith(asked) and leaf.question.count("git bisect") == 1
    assert "bisect" in leaf.query
