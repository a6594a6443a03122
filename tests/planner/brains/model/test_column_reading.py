"""The role that reads columns: one call a row, a flat answer, and nothing that was not asked for."""

import json

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.brains.fallback import FallbackBrain
from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from planner.columns.column_input import given_columns
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.brain_errors import BrainUnavailable
from research_crawler.core.models.jobs.column_reading import ColumnPassage, ColumnsView
from tests.planner.brains.scripted_chat import LedgerBudget, ScriptedChat

COLUMNS = given_columns(
    "price: money in EUR, What does it cost?\n"
    "motor: one of (hub motor, mid-drive motor), Which motor?\n"
    "foldable: yes/no"
)
PASSAGES = [
    ColumnPassage(text="It costs €1,899.", about="Tarn 300", title="Bikes", url="https://a.example/x"),
    ColumnPassage(text="It folds.", about="Tarn 300 > Frame", title="Bikes", url="https://a.example/x"),
]


def view(subject="Tarn 300", wanted=("price", "foldable"), passages=PASSAGES):
    return ColumnsView(
        goal="e-bikes", subject=subject, columns=COLUMNS, wanted=list(wanted), passages=passages
    )


def entry(column, passage, value, quote=""):
    return {"column": column, "passage": passage, "quote": quote, "value": value}


def brain(*answers, settings=None, budget=None):
    chat = ScriptedChat(*answers)
    return ModelBrain(chat, budget, settings or ModelSettings(mind_model="big", reflex_model="quick")), chat


async def test_one_call_reads_all_open_columns_and_drops_what_was_not_asked(call):
    asked, chat = brain(
        {
            "values": [
                entry("PRICE", "v1", "€1,899", "costs €1,899"),
                entry("price", "V2", "€5"),
                entry("foldable", "V2", True),
                entry("motor", "V1", "hub motor"),
                entry("foldable", "V9", "no"),
                {"column": "price"},
            ]
        }
    )
    picked = await asked.pick_values(view(), call)
    assert [(one.column, one.passage, one.value, one.quote) for one in picked.found] == [
        ("price", 0, "€1,899", "costs €1,899"),
        ("foldable", 1, "yes", ""),
    ]
    [question] = chat.asked
    assert question["model"] == "big"
    assert call.usage.by_role["column_reader"].calls == 1
    assert "V1. Tarn 300 > “It costs €1,899.”" in question["user"]
    assert "- motor: choice (hub motor, mid-drive motor): Which motor?" in question["user"]


async def test_rows_of_a_batch_begin_alike_and_have_the_same_schema(call):
    asked, chat = brain({"values": []}, {"values": []})
    await asked.pick_values(view(), call)
    await asked.pick_values(view("Moss One", ["motor"], PASSAGES[:1]), call)
    first, second = chat.asked
    assert first["system"] == second["system"] and first["schema"] == second["schema"]
    shared = first["user"].index("### Goal")
    assert first["user"][:shared] == second["user"][:shared]
    assert "### Columns" in first["user"][:shared]


async def test_a_small_model_is_told_what_there_is_and_answers_in_a_flat_list(call):
    asked, chat = brain({"values": []}, settings=ModelSettings(mind_model="tiny").for_small_model())
    await asked.pick_values(view(passages=PASSAGES * 9), call)
    [question] = chat.asked
    values = question["schema"]["properties"]["values"]
    assert values["minItems"] == values["maxItems"] == 2
    assert set(values["items"]["properties"]) == {"column", "passage", "value"}
    assert all(one["type"] == "string" for one in values["items"]["properties"].values())
    assert values["items"]["properties"]["passage"]["enum"] == [f"V{n}" for n in range(1, 9)]
    assert len(json.dumps(question["schema"])) < 600


async def test_nothing_to_show_costs_no_call(call):
    asked, chat = brain()
    assert (await asked.pick_values(view(passages=[]), call)).found == []
    assert chat.asked == []


async def test_a_call_that_fails_or_is_refused_leaves_the_columns_open_and_says_why(call):
    for answer, budget in ((BrainUnavailable("down"), None), ("unused", LedgerBudget(ceiling=1))):
        asked, chat = brain(answer, budget=budget)
        either = FallbackBrain(asked, ExtractiveBrain(HashEmbedder()))
        picked = await either.pick_values(view(), call)
        assert picked.found == [] and picked.note.startswith("model brain: ")
        assert len(chat.asked) == (budget is None)
