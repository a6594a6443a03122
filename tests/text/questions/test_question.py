from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages.language import LANGUAGES
from research_crawler.text.questions.question import parse_question
from tests.cases import each_case


@given(
    st.text()
    | st.lists(
        st.sampled_from(["who", "what", "how", "many", "is", "the", "or", "1998", "Ana", "Ruiz", "km", "?"])
    ).map(" ".join),
    st.sampled_from(LANGUAGES),
)
def test_any_text_is_read_as_a_question(text, language):
    question = parse_question(text, language)
    assert question.text == text
    assert len(set(question.terms)) == len(question.terms)
    assert question.unit == "" or question.answer_type == "number"


def test_a_question_is_read_once():
    assert parse_question("Who was it?") is parse_question("Who was it?")


CASES = [
    ("en", "How tall is the Eiffel Tower?", "number", "length"),
    ("en", "How many people live in Lyon?", "number", "peopl"),
    ("en", "How many kilometres is it to the Moon?", "number", "km"),
    ("en", "What percentage of people are left-handed?", "number", "share"),
    ("en", "In which year was Ana Ruiz born?", "date", ""),
    ("en", "Who wrote Hamlet?", "name", ""),
    ("en", "Which city hosted the 1992 Olympics?", "place", ""),
    ("en", "Is it safe to eat raw eggs?", "yes_no", ""),
    ("en", "Is the whale a fish or a mammal?", "other", ""),
    ("en", "How do I restart a service?", "other", ""),
    ("en", "Why is the sky blue?", "other", ""),
    ("en", "What is a reverse proxy?", "other", ""),
    ("en", "List the moons of Mars", "other", ""),
    ("de", "Wie hoch ist der Eiffelturm?", "number", "length"),
    ("de", "Wer entdeckte das Radium?", "name", ""),
    ("de", "Wann wurde Köln gegründet?", "date", ""),
    ("de", "Kann man rohe Eier essen?", "yes_no", ""),
    ("fr", "Combien coûte un billet ?", "number", "money"),
    ("fr", "Quelle est la hauteur de la tour Eiffel ?", "number", "length"),
    ("fr", "Où se trouve Lyon ?", "place", ""),
    ("es", "¿Cuándo nació Cervantes?", "date", ""),
    ("es", "¿Quién escribió el Quijote?", "name", ""),
    ("it", "Qual è la capitale e dove si trova?", "place", ""),
    ("it", "Quanto costa un biglietto?", "number", "money"),
    ("nl", "Hoe hoog is de Eiffeltoren?", "number", "length"),
    ("nl", "Wanneer werd Rembrandt geboren?", "date", ""),
    ("pt", "Quem descobriu o Brasil?", "name", ""),
    ("pt", "Quantos habitantes tem Lisboa?", "number", "habit"),
    ("pl", "Kiedy urodził się Chopin?", "date", ""),
    ("pl", "Gdzie leży Kraków?", "place", ""),
]


def test_what_a_question_asks_is_told_in_nine_of_ten():
    wrong = [
        (text, question.answer_type, question.unit)
        for language, text, asks, unit in CASES
        if (question := parse_question(text, language))
        and (question.answer_type, question.unit) != (asks, unit)
    ]
    assert len(wrong) <= len(CASES) // 10, wrong


@each_case("language", LANGUAGES)
def test_an_empty_question_asks_nothing(language):
    assert parse_question("", language).answer_type == "other"
