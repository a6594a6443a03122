"""What the scripted small model answers: short, with the faults of small models, and readable all the same."""

import json

from benchmarks.reporting.report_web.short import MOST_CHARS, MOST_ENTRIES, short_quote, short_text
from prompts.answers import ExtractorAnswer, parse_answer
from research_crawler.extraction.evidence.quotes import QuoteFinder
from tests.cases import each_case

QUOTES = [f'The pump number {n} keeps a "long" connection open for {n} seconds.' for n in range(9)]
WHOLE = {
    "relevance": 0.9,
    "confidence": 0.8,
    "summary": "Much.",
    "key_facts": [{"page": "P1", "claim": quote, "quote": quote} for quote in QUOTES],
}


@each_case("goal", range(12))
def test_an_answer_is_short_and_can_be_read(goal):
    text = short_text("extractor", WHOLE, f"### Goal\nQuestion {goal}\n").rpartition("</think>")[2]
    read = parse_answer(ExtractorAnswer, text)
    assert 1 <= len(read.key_facts) <= MOST_ENTRIES
    assert len(text) <= MOST_CHARS + 20
    assert json.dumps(WHOLE) != text


@each_case("quote", QUOTES)
def test_a_quote_is_found_though_a_sign_is_another_one(quote):
    assert QuoteFinder(f"Text.\n\n{quote}\n").find(short_quote(quote))
