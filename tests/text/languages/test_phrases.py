"""What a sentence says of a word is read as a phrase: a table of cases, and what holds for any text."""

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages.phrases import phrases_for
from research_crawler.text.languages.words import terms

CASES = [
    # the word that is asked for, the sentence, the phrase ("" if it gives none)
    ("default", "The default depth of a pond is two metres (2m).", "two metres"),
    ("default", "How deep the pond may be. Defaults to 10.", "10"),
    ("default", "The lamp is off by default.", "off"),
    ("default", "The pump may be on, off or auto (the default).", "auto"),
    ("default", "The default is used where nothing else is given and nobody has changed it.", ""),
    ("default", "If this is left out, the lamp stays dark.", ""),
    ("director", "Its director is Marta Lindqvist.", "Marta Lindqvist"),
    ("capital", "The capital of the county is Osterby, which has a harbour.", "Osterby"),
    ("height", "It is 12 metres long.", ""),
    ("Hersteller", "Der Hersteller ist Meyer.", "Meyer"),
]
LEAST_RIGHT = 9


def phrases(word, text):
    language = "de" if text.startswith("Der") else "en"
    return [value for value, _ in phrases_for(text, frozenset(terms(word)), language)]


def test_most_phrases_are_read_and_hardly_any_wrongly():
    found = [phrases(word, text) for word, text, _ in CASES]
    right = [value == ([case[2]] if case[2] else []) for value, case in zip(found, CASES, strict=True)]
    assert sum(right) >= LEAST_RIGHT, list(zip(CASES, found, strict=True))


@given(
    st.lists(
        st.sampled_from(
            ["The", "default", "is", "to", ",", ".", ":", "by", "off", "5", "(", ")", "mode", "x_y"]
        ),
        max_size=14,
    ).map(" ".join)
    | st.text(max_size=100)
)
def test_a_phrase_stands_where_it_is_said_to(text):
    for value, start in phrases_for(text, frozenset(terms("default mode")), "en"):
        assert value and text[start : start + len(value)] == value
