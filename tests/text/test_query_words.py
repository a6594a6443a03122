import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.phrasal_verbs import joined_verbs
from research_crawler.text.query_words import distinct_words, is_code, most_words, query_words
from research_crawler.text.words import content_words, terms


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How long does Orlo keep a parcel?", ["Orlo", "keep", "parcel"]),
        ("How many parcels does Orlo keep unless told otherwise?", ["parcels", "Orlo", "keep", "default"]),
        ("How do I back up one Orlo store?", ["backup", "Orlo", "store"]),
        ("Orlo has a log, and how do I turn it on?", ["Orlo", "log", "enable"]),
    ],
)
def test_a_query_has_the_words_that_pages_use_for_what_people_ask(question, words):
    assert query_words(question) == words


def test_a_verb_of_two_words_and_its_noun_are_the_same_term():
    assert terms("She backs up and is backing up") == terms("backup and backup")
    assert content_words("How do I set up logging in Orlo?") == ["setup", "logging", "Orlo"]
    assert joined_verbs("It can be set up to 5 times") == "It can be set up to 5 times"
    assert (
        joined_verbs("Back up the store, then check out a branch")
        == "Backup the store, then checkout a branch"
    )


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
    assert not is_code("")
