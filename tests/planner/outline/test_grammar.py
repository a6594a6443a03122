import dataclasses

import pytest

from planner.outline.grammar import grammar_of
from research_crawler.text.messages import REPORT_LANGUAGES
from tests.attacks.pumping import search, slow_string


@pytest.mark.long
@pytest.mark.parametrize("language", REPORT_LANGUAGES)
def test_the_patterns_of_each_language_take_time_in_proportion_to_the_text(language):
    patterns = dataclasses.asdict(grammar_of(language))
    assert {
        name: attack for name, pattern in patterns.items() if (attack := slow_string(pattern, search))
    } == {}
