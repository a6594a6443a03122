"""Where a model judges nothing itself, what it has called relevant when it read counts as found."""

import pytest

from planner.analysis.lexical_judge import LexicalJudge
from planner.outline.making import first_outline
from tests.planner.brains.views import finding, view

TWO = "How tall is the Skelder lighthouse, and when was it built?"
ONE = "How long does the server keep an idle connection open by default?"
CHOSEN = finding("The default KeepAliveTimeout is 5 seconds", score=0.9)
BESIDE = finding("The default KeepAliveTimeout is 5 seconds", score=0.3)


async def judged(shown):
    words = LexicalJudge()
    filled = await words.outlined(shown)
    evaluation, _ = await words.judged(shown.changed(outline=filled))
    return filled, evaluation


@pytest.mark.parametrize("outline", [None, first_outline(ONE, by="test")])
async def test_a_quote_from_a_page_that_the_model_called_relevant_answers_the_one_thing_that_is_asked(
    outline,
):
    shown = view(goal=ONE, findings=[CHOSEN, BESIDE], **({"outline": outline} if outline else {}))
    filled, evaluation = await judged(shown)
    [leaf] = filled.leaves
    assert (leaf.state, leaf.evidence) == ("filled", [CHOSEN.id])
    assert (evaluation.relevance, evaluation.coverage) == (0.6, 1.0)


async def test_a_page_that_the_model_did_not_call_relevant_answers_by_its_words_alone():
    filled, evaluation = await judged(view(goal=ONE, findings=[BESIDE]))
    assert filled.leaves[0].state == "open"
    assert evaluation.relevance < 0.6


async def test_of_several_things_that_are_asked_only_words_tell_which_one_is_answered():
    shown = view(goal=TWO, findings=[finding("The Skelder lighthouse is 31 m tall.", score=0.9)])
    filled, _ = await judged(shown)
    assert len(filled.leaves) == 2
    assert filled.leaves[1].state == "open"
