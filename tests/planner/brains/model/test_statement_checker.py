"""The port of readers: a model in one call, and nobody."""

import pytest

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.brains.model.model_brain import ModelBrain
from planner.brains.model.model_brain_settings import ModelSettings
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.ports.models import Call
from tests.planner.brains.scripted_chat import ScriptedChat

PAIRS = [
    Pair(statement="It is fast.", quotes=["Quick it is."], sources=["The pump > Speed | a.test"]),
    Pair(statement="B.", quotes=["C."]),
    Pair(statement="D.", quotes=["E."]),
]


def entry(id_, verdict, reason="", reworded=""):
    return {"id": id_, "verdict": verdict, "reason": reason, "reworded": reworded}


@pytest.fixture
def call():
    return Call(job="j", key="1", token="t", deadline_s=5)


async def test_a_model_reads_all_pairs_in_one_call_and_what_it_leaves_out_could_not_be_checked(call):
    chat = ScriptedChat(
        {
            "statements": [
                entry("S1", "contradicted", reworded="ignored"),
                entry("S2", "not_said", "no C", "Only  this."),
                entry("S9", "supported"),
                entry("S3", "great"),
            ]
        }
    )
    readings = await ModelBrain(chat, None, ModelSettings()).check_entailment(PAIRS, call)
    assert [(one.verdict, one.reworded) for one in readings.found] == [
        ("contradicted", ""),
        ("not_said", "Only this."),
        ("could_not_check", ""),
    ]
    assert readings.found[1].reason == "no C"
    assert len(chat.asked) == 1
    assert "S1. It is fast." in chat.asked[0]["user"]
    assert "“Quick it is.” | The pump > Speed | a.test\n" in chat.asked[0]["user"]


async def test_a_sentence_with_a_listing_below_it_is_shown_once(call):
    told, code = "Stop the server at once.", "service stop <name>"
    pairs = [
        Pair(statement=told, quotes=["Stop it by service stop."]),
        Pair(statement=f"{told}\n{code}", quotes=["Stop it by service stop."], below=told),
    ]
    chat = ScriptedChat({"statements": [entry("S1", "supported"), entry("S2", "supported")]})
    await ModelBrain(chat, None, ModelSettings()).check_entailment(pairs, call)
    assert chat.asked[0]["user"].count(told) == 1
    assert f"S2. the listing below S1\n{code}" in chat.asked[0]["user"]
    chat.answers = [{"statements": [entry("S1", "supported")]}]
    await ModelBrain(chat, None, ModelSettings()).check_entailment(pairs[1:], call)
    assert f"S1. {told}\n{code}" in chat.asked[1]["user"], "its sentence is no statement"


async def test_an_answer_of_no_use_is_asked_for_again_with_half_of_the_pairs_each(call):
    useless = {"statements": [entry("S7", "supported")]}
    whole = {"statements": [entry("S1", "supported"), entry("S2", "contradicted")]}
    chat = ScriptedChat(useless, whole, useless)
    readings = await ModelBrain(chat, None, ModelSettings()).check_entailment(PAIRS, call)
    assert [one.verdict for one in readings.found] == ["supported", "contradicted", "could_not_check"]
    assert "none of the model's verdicts" in readings.found[2].reason
    assert len(chat.asked) == 3
    assert call.usage.failed_answers == 2


async def test_the_second_try_has_room_for_a_longer_answer_and_after_it_nobody_has_read_them(call):
    chat = ScriptedChat(*["no JSON at all"] * 3)
    readings = await ModelBrain(chat, None, ModelSettings()).check_entailment(PAIRS, call)
    assert [one.verdict for one in readings.found] == ["could_not_check"] * 3
    first, *later = [asked["max_tokens"] for asked in chat.asked]
    assert later == [8_000, 8_000]
    assert first < 8_000


def doubted():
    return [pair.changed(needs_second_reading=True) for pair in PAIRS[:2]]


APPROVED = {"statements": [entry("S1", "supported"), entry("S2", "supported")]}


async def test_the_words_that_say_what_code_doubts_come_with_the_verdicts_in_one_call(call):
    told = [
        entry("S1", "supported") | {"words": "Quick  it is."},
        entry("S2", "not_said", "no B") | {"words": "C."},
        entry("S3", "supported"),
    ]
    chat = ScriptedChat({"statements": told})
    found = (
        await ModelBrain(chat, None, ModelSettings()).check_entailment([*doubted(), PAIRS[2]], call)
    ).found
    assert [(one.verdict, one.words) for one in found] == [
        ("supported", "Quick it is."),
        ("not_said", ""),
        ("supported", ""),
    ]
    assert len(chat.asked) == 1
    assert "### Copy The Words For\nS1, S2\n" in chat.asked[0]["user"] + "\n"


async def test_nobody_is_asked_to_copy_words_for_what_code_does_not_doubt(call):
    chat = ScriptedChat(APPROVED)
    await ModelBrain(chat, None, ModelSettings()).check_entailment(PAIRS[:2], call)
    assert "Copy The Words For" not in chat.asked[0]["user"]


async def test_a_quote_of_several_statements_is_sent_once(call):
    quote = "The pump moves forty litres a minute. " * 10
    pairs = [Pair(statement=f"Statement {n}.", quotes=[quote], sources=["Pump | a.test"]) for n in range(3)]
    chat = ScriptedChat({"statements": [entry(f"S{n}", "supported") for n in (1, 2, 3)]})
    await ModelBrain(chat, None, ModelSettings()).check_entailment(pairs, call)
    assert chat.asked[0]["user"].count(quote.strip()) == 1
    assert chat.asked[0]["user"].count("Q1") == 3


SMALL = ModelSettings().for_small_model()


async def test_a_small_model_is_asked_for_these_words_by_a_second_question(call):
    shown = {
        "statements": [
            {"id": "S1", "words": "Quick it is.", "lacks": ""},
            {"id": "S2", "words": "C.", "lacks": "B"},
        ]
    }
    chat = ScriptedChat(APPROVED, shown)
    found = (await ModelBrain(chat, None, SMALL).check_entailment(doubted(), call)).found
    assert [(one.verdict, one.words) for one in found] == [("supported", "Quick it is."), ("supported", "")]
    assert found[1].reason.endswith("B")
    assert "copied sign for sign" in chat.asked[1]["system"]
    assert call.usage.model_calls == 2


async def test_a_second_reading_that_fails_leaves_no_words(call):
    chat = ScriptedChat(APPROVED, "no JSON")
    found = (await ModelBrain(chat, None, SMALL).check_entailment(doubted(), call)).found
    assert [one.words for one in found] == ["", ""]


async def test_only_doubted_and_approved_statements_are_read_again_and_by_the_auditors_model_if_it_has_one(
    call,
):
    first = {"statements": [entry("S1", "not_said"), entry("S2", "supported")]}
    shown = {"statements": [{"id": "S1", "words": "C.", "lacks": None}]}
    chat = ScriptedChat(first, shown)
    settings = ModelSettings(mind_model="large", reflex_model="small")
    found = (await ModelBrain(chat, None, settings).check_entailment(doubted(), call)).found
    assert [one.words for one in found] == ["", "C."]
    assert [asked["model"] for asked in chat.asked] == ["small", "large"]
    assert "It is fast." not in chat.asked[1]["user"]


async def test_more_pairs_than_one_call_has_room_for_are_read_in_several(call):
    told = {"statements": [entry("S1", "supported"), entry("S2", "supported")]}
    chat = ScriptedChat(told, told)
    settings = ModelSettings(statements_a_call=2)
    readings = await ModelBrain(chat, None, settings).check_entailment(PAIRS, call)
    assert [one.verdict for one in readings.found] == ["supported"] * 3
    assert call.usage.model_calls == 2


async def test_nobody_is_asked_about_nothing(call):
    chat = ScriptedChat()
    assert (await ModelBrain(chat, None, ModelSettings()).check_entailment([], call)).found == []
    assert chat.asked == []


async def test_without_a_model_nothing_could_be_checked(call):
    readings = await ExtractiveBrain.check_entailment(ExtractiveBrain.__new__(ExtractiveBrain), PAIRS, call)
    assert [one.verdict for one in readings.found] == ["could_not_check"] * 3


@pytest.mark.parametrize("copied", ["", "What nobody has written."], ids=["no words", "words of its own"])
async def test_a_model_that_does_not_copy_the_words_is_asked_for_them_alone(call, copied):
    doubted = [pair.changed(needs_second_reading=True) for pair in PAIRS]
    first = {
        "statements": [
            {"id": "S1", "verdict": "supported", "words": copied},
            {"id": "S2", "verdict": "supported", "words": "C."},
            {"id": "S3", "verdict": "not_said"},
        ]
    }
    chat = ScriptedChat(first, {"statements": [{"id": "S1", "words": "Quick it is."}]})
    readings = await ModelBrain(chat, None, ModelSettings()).check_entailment(doubted, call)
    assert [one.words for one in readings.found] == ["Quick it is.", "C.", ""]
    assert "S1. It is fast." in chat.asked[1]["user"]
    assert "S2." not in chat.asked[1]["user"]
