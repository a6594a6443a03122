from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.questions.query_words import distinct_words, is_code_word, most_words, query_words
from tests.cases import each_case


@each_case(
    ("question", "words"),
    [
        ("What does --dry-run do with max_parcel_size?", ["--dry-run", "max_parcel_size"]),
        ("What is the difference between $* and $@ in Orlosh?", ["difference", "$*", "$@", "Orlosh"]),
        ("Since which version does Orlo speak HTTP/2?", ["version", "Orlo", "speak", "HTTP/2"]),
        ("How do I edit /etc/orlo.conf in Orlo 2.4?", ["edit", "/etc/orlo.conf", "Orlo", "2.4"]),
        ('Who wrote "the old man and the sea"?', ["wrote", '"the old man and the sea"']),
        ("Use `orlo pack -f`, e.g. read/write", ["orlo pack -f", "read", "write"]),
        ("What is .NET, and who uses C# and R&D?", [".NET", "C#", "R&D"]),
    ],
)
def test_code_versions_and_phrases_stay_in_a_query_as_they_are_written(question, words):
    assert query_words(question) == words


def test_a_phrase_is_not_cut_where_a_query_is():
    assert most_words(["a", '"b c d"', "e"], 3) == ["a"]
    assert most_words(["a", '"b c d"', "e"], 4) == ["a", '"b c d"']
    assert distinct_words(["tests", "test", "--test"]) == ["tests", "--test"]


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(['"', "`", "$", "--x", "a/b", "2.4", "back", "up", "Orlo"])).map(" ".join)
)
def test_every_question_has_a_list_of_distinct_words(question):
    words = query_words(question)
    assert len({word.lower() for word in words}) == len(words)
    assert all(word.strip() for word in words)
    assert not is_code_word("")
