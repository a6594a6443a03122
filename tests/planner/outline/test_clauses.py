import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.goal.language import report_language
from planner.outline.clauses import clauses
from planner.outline.grammar import grammar_of
from research_crawler.text.messages import REPORT_LANGUAGES
from research_crawler.text.words import content_words, stem


def split(question):
    return clauses(question, grammar_of(report_language(question)))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How do heat pumps work?", ["How do heat pumps work"]),
        (
            "How tall is the tower, when was it built, who built it and can it be visited?",
            ["How tall is the tower", "when was it built", "who built it", "can it be visited"],
        ),
        ("What does a ticket cost? When does line 7 open?", ["What does a ticket cost", "When does line 7 open"]),
        (
            "Explain how a kiln works and list the usual fuels.",
            ["Explain how a kiln works", "list the usual fuels"],
        ),
        ("Which rates apply to apples, pears and plums, and from which one on is tax due?",
         ["Which rates apply to apples, pears and plums", "from which one on is tax due"]),
        ("Wie hoch ist der Turm und wann wurde er gebaut?", ["Wie hoch ist der Turm", "wann wurde er gebaut"]),
        ("Quelle est la hauteur de la tour et quand a-t-elle été construite ?",
         ["Quelle est la hauteur de la tour", "quand a-t-elle été construite"]),
        ("¿Qué altura tiene la torre y cuándo se construyó?", ["Qué altura tiene la torre", "cuándo se construyó"]),
    ],
)  # fmt: skip
def test_each_clause_that_asks_something_is_a_part(question, expected):
    assert split(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "heat pumps and boilers",
        "a lamp that is bright and is cheap",
        "Which country won the cup, which was held in Rome?",
        "What is the population of Rome, Italy?",
        "What do the sticky bit and the setgid bit do on a directory?",
        "Which of the two is better for reading and writing?",
        "What did Smith do before and after the war?",
    ],
)
def test_what_asks_one_thing_stays_whole(question):
    assert len(split(question)) == 1


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who built the bridge, when, and why?",
         ["Who built the bridge", "Who built the bridge – when", "Who built the bridge – why"]),
        ("When and why was the bridge built?", ["When was the bridge built", "why was the bridge built"]),
        ("Oak or ash: which is harder and why?",
         ["Oak or ash: which is harder", "Oak or ash: which is harder – why"]),
    ],
)  # fmt: skip
def test_a_lone_question_word_asks_about_the_clause_beside_it(question, expected):
    assert split(question) == expected


@given(
    st.sampled_from(REPORT_LANGUAGES),
    st.lists(
        st.sampled_from(["who", "and", "why", "is", "it", ",", "?", ";", ":", "tower", "wann", "und", "et", "Ash"]),
        max_size=12,
    ).map(" ".join)
    | st.text(max_size=80),
)  # fmt: skip
def test_no_word_that_carries_meaning_is_lost(language, question):
    kept = {
        stem(word.lower()) for text in clauses(question, grammar_of(language)) for word in content_words(text)
    }
    asked = {stem(word.lower()) for word in content_words(" ".join(question.split())) if len(word) > 1}
    assert asked <= kept


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("I spilled ink on my desk. How do I get it off?", ["How do I get it off"]),
        ("My boat should always lie at the same berth. How do I book that?", ["How do I book that"]),
        ("Meine Uhr geht vor. Wie stelle ich sie?", ["Wie stelle ich sie"]),
        ("I want to know which ports it needs. What does it cost?",
         ["I want to know which ports it needs", "What does it cost"]),
        ("The tower was built in 1871. Who paid for it?", ["The tower was built in 1871", "Who paid for it"]),
        ("I spilled ink on my desk.", ["I spilled ink on my desk"]),
    ],
)  # fmt: skip
def test_what_happened_to_somebody_before_he_asks_is_no_part(question, expected):
    assert split(question) == expected
