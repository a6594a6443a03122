from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.language import LANGUAGES, detect, language_of

TEXTS = {
    "en": "What is the best way to the station?",
    "de": "Was ist der beste Weg zum Bahnhof?",
    "fr": "Quel est le meilleur chemin pour la gare ?",
    "es": "¿Cuál es el mejor camino para la estación?",
    "it": "Qual è il percorso migliore per la stazione?",
    "nl": "Wat is de beste weg naar het station?",
    "pt": "Qual é o melhor caminho para a estação?",
    "pl": "Jak najlepiej dojść na dworzec, czy jest to daleko?",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_told_by_its_function_words(language):
    assert detect(TEXTS[language]) == language
    assert detect("Kestrel 300", default=language) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_its_data(language):
    known = language_of(language)
    assert len(known.stop_words) > 100
    assert set(known.months.values()) == set(range(1, 13))
    assert known.negations
    assert known.abbreviations
    assert all(word == word.lower() for word in known.stop_words | known.negations | known.abbreviations)


@given(st.text(alphabet='aB3.!?… "”)»\nMr') | st.text(), st.sampled_from((*LANGUAGES, "xx")))
def test_splitting_loses_nothing(text, language):
    spans = language_of(language).sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    between = [text[a:b] for (_, a), (b, _) in zip([(0, 0), *spans], [*spans, (len(text), 0)], strict=True)]
    assert not "".join(between).strip()
