"""Answers of all kinds of models are read by the real reader: from the text of a completion to the parsed answer."""

import pytest

from prompts.answers import PlannerAnswer, parse_answer
from research_crawler.adapters.models.completions import SentAnswer, read_answer
from research_crawler.core.brain_errors import BadAnswer
from tests.cases import each_case

ANSWER = '{"action": "search", "query": "lamps", "reason": "why"}'
READABLE = {
    "as it was asked for": ANSWER,
    "in a fence": f"```json\n{ANSWER}\n```",
    "in a fence without a language": f"```\n{ANSWER}\n```",
    "in a fence that is not closed": f"```json\n{ANSWER}",
    "with words before it": f"Sure! Here is the JSON you asked for:\n\n{ANSWER}",
    "with words before and behind it": f"Sure:\n{ANSWER}\nLet me know if you need more.",
    "with a comma too many": ANSWER.replace("}", ",}"),
    "in single quotes": ANSWER.replace('"', "'"),
    "with a comment": ANSWER.replace("{", "{ // the decision\n"),
    "thought first": f"<think>\nLet me see {{x}}.\n</think>\n\n{ANSWER}",
    "thought first with another tag": f"<thinking>Hm.</thinking>{ANSWER}",
    "thought first in capitals": f"<Think>Hm.</Think>\n{ANSWER}",
    "thought without the tag's beginning, which the prompt had": f"Okay, {{maybe}} this.\n</think>\n{ANSWER}",
    "thought twice": f"<think>Hm.</think>\n<think></think>\n{ANSWER}",
    "thought, then in a fence": f"<think>Hm.</think>\n```json\n{ANSWER}\n```",
    "thought, then with words and a comma": f"<think>Hm.</think>\nHere:\n{ANSWER[:-1]},}}",
}
CUT = {
    "behind a field": ANSWER[:-1],
    "within a text": ANSWER[: ANSWER.index("why") + 2],
    "before a value": ANSWER[: ANSWER.index('"why')],
    "in a fence": f"```json\n{ANSWER[:-4]}",
    "behind thoughts": f"<think>Hm.</think>{ANSWER[:-3]}",
}


def read(text, finish="stop"):
    return read_answer(SentAnswer(text=text, finish=finish, model="m"), "prompt", "m")


@each_case("how", READABLE)
def test_an_answer_is_read_however_it_is_wrapped(how):
    answer = parse_answer(PlannerAnswer, read(READABLE[how]).text)
    assert (answer.action, answer.query, answer.reason) == ("search", "lamps", "why")


@each_case("where", CUT)
def test_of_an_answer_that_was_cut_off_at_its_length_what_is_whole_is_read(where):
    answer = read(CUT[where], finish="length")
    assert answer.is_cut
    parsed = parse_answer(PlannerAnswer, answer.text)
    assert (parsed.action, parsed.query) == ("search", "lamps")


@pytest.mark.parametrize("text", ["<think>It could be", '<thinking>\n{"action": "search"', "<reasoning>"])
def test_of_thoughts_that_were_cut_off_nothing_is_an_answer(text):
    answer = read(text, finish="length")
    assert (answer.text, answer.is_cut, answer.has_reasoned) == ("", True, True)
    with pytest.raises(BadAnswer):
        parse_answer(PlannerAnswer, answer.text)


@pytest.mark.parametrize("text", ["<think>Hm.</think>{}", "Hm.</think>{}", "<THINKING>Hm.</THINKING>{}"])
def test_a_model_that_thinks_in_its_answer_is_known(text):
    assert read(text).has_reasoned
    assert not read(ANSWER).has_reasoned


@pytest.mark.parametrize(
    "text",
    [
        '{"action": "search", "query": "what </think> means", "reason": "{}"}',
        "Models end with </think> today.",
        "",
    ],
)
def test_a_tag_within_an_answer_is_a_word_of_it(text):
    answer = read(text)
    assert (answer.text, answer.has_reasoned) == (text, False)
