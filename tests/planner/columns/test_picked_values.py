"""A model reads what code leaves open of a row; what it names stands only where its passage states it."""

import pytest

from planner.columns.column_input import given_columns
from planner.columns.filling import fill_columns
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.column_reading import PickedValue, PickedValues
from research_crawler.core.models.jobs.job import Job, JobInputs
from tests.planner.columns.test_filling import page

MANUAL = """# Settings of the server

## pool_size

The number of connections that the server keeps. Unless told otherwise the server keeps 12 of them.

Given bare, a duration counts as seconds. Added in release 9.2 of the server.

## pool_wait

How long a connection may wait. The default is 40.
"""
COLUMNS = given_columns(
    "default: text, What is its default value?\n"
    "restart: yes/no, Does a change take effect only at server start?\n"
    "since: text, In which version was it introduced?\n"
    "memory: number in MB, How much memory does it take?"
)


class Reader:
    """Answers with the values that a test names, each from the passage that has some words."""

    def __init__(self, *named: tuple[str, str, str], quote: str = "") -> None:
        self.named, self.quote, self.views = named, quote, []

    async def __call__(self, view):
        self.views.append(view)
        found = []
        for column, value, words in self.named:
            place = next(n for n, one in enumerate(view.passages) if words in f"{one.about} {one.text}")
            found.append(PickedValue(column=column, passage=place, value=value, quote=self.quote))
        return PickedValues(by="model", found=found)


async def filled(reader, *pages, subject="pool_size; Poolkeeper", columns=COLUMNS):
    inputs = JobInputs(goal=subject, subject=subject, columns=columns)
    read = pages or [page("Settings of Poolkeeper", MANUAL)]
    values = await fill_columns(
        Job(id="j", inputs=inputs), read, HashEmbedder(), by="extractive", pick=reader
    )
    return {value.name: value for value in values}


async def test_a_model_is_asked_once_a_row_for_all_that_code_leaves_open():
    reader = Reader(("default", "12", "keeps 12 of them"), ("since", "9.2", "release 9.2"))
    values = await filled(reader)
    [view] = reader.views
    assert view.wanted == ["default", "restart", "since", "memory"]
    assert (values["default"].value, values["default"].by) == ("12", "model")
    assert values["default"].quote in MANUAL and "12" in values["default"].quote
    assert values["since"].value == "9.2"
    assert values["restart"].value is None and values["memory"].value is None


async def test_no_model_is_asked_where_code_has_all_values_or_no_page_was_read():
    reader = Reader()
    pump = page("Tarn 300 in detail", "# Tarn 300\n\nThe Tarn 300 costs €1,899.")
    columns = given_columns("price: money, What does it cost?")
    values = await filled(reader, pump, subject="Tarn 300", columns=columns)
    assert values["price"].value == 1899.0
    job = Job(id="j", inputs=JobInputs(goal="Tarn 300", columns=columns))
    await fill_columns(job, [], HashEmbedder(), by="extractive", pick=reader)
    assert reader.views == []


async def test_only_passages_of_the_subjects_entry_are_shown():
    reader = Reader()
    await filled(reader)
    texts = [one.text for one in reader.views[0].passages]
    assert any("keeps 12 of them" in text for text in texts)
    assert not any("default is 40" in text for text in texts)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("default", "40", "keeps 12 of them"),
        ("default", "1", "keeps 12 of them"),
        ("since", "release", "release 9.2"),
        ("memory", "12", "keeps 12 of them"),
        ("restart", "no", "keeps 12 of them"),
        ("restart", "yes", "keeps 12 of them"),
        (
            "default",
            "The number of connections that the server keeps. Unless told otherwise the server keeps 12 of them.",
            "keeps 12 of them",
        ),
    ],
    ids=["another entry's", "part of a number", "no version", "no unit", "no without a quote", "yes", "a sentence"],
)  # fmt: skip
async def test_a_value_that_its_passage_does_not_state_stays_null_with_the_reason(column, value, words):
    values = await filled(Reader((column, value, words)))
    assert (values[column].value, values[column].reason) == (None, "no_quote")
    assert "model named" in values[column].note


async def test_a_quote_that_its_passage_does_not_have_gives_no_value():
    reader = Reader(("default", "12", "keeps 12 of them"), quote="the server keeps 12 of them by default")
    assert (await filled(reader))["default"].value is None
    reader = Reader(("default", "12", "keeps 12 of them"), quote="the server keeps  12 of them")
    assert (await filled(reader))["default"].value == "12"


async def test_yes_needs_a_passage_with_the_words_of_the_question():
    manual = MANUAL.replace("Given bare", "A change takes effect only at server start. Given bare")
    values = await filled(Reader(), page("Settings of Poolkeeper", manual))
    assert values["restart"].value is True, "code alone reads it"


async def test_what_only_people_tell_of_a_price_is_no_value_for_a_model_either():
    columns = given_columns("price: money, What does it cost?")
    post = page("Tarn 300 in detail", "# Tarn 300\n\nI paid €999 for the Tarn 300.")
    told = post.model_copy(update={"page": post.page.model_copy(update={"kind": "forum"})})
    reader = Reader(("price", "€999", "I paid"))
    assert (await filled(reader, told, subject="Tarn 300", columns=columns))["price"].value is None
