from hypothesis import given
from hypothesis import strategies as st

from planner.analysis.unsaid import next_hop, unsaid_words
from research_crawler.text.hops import hops_in, is_hop_made
from tests.planner.brains.views import finding

QUESTION = "Where did the engineer who designed the Gullwire cableway study?"
NAMING = finding(
    "The Gullwire is a cableway. It was designed by the engineer Tomas Ehrling of Nordhaven in 2019."
)


def test_what_is_asked_and_not_said_leads_to_the_name_that_the_evidence_gives():
    assert unsaid_words(QUESTION, [NAMING]) == ["study"]
    assert next_hop(QUESTION, [NAMING], ["study"]) == "Tomas Ehrling study"


def test_evidence_that_says_all_needs_no_hop():
    told = finding("Tomas Ehrling, the engineer who designed the Gullwire cableway, studied in Kessel.")
    assert unsaid_words(QUESTION, [told]) == []
    assert next_hop(QUESTION, [told], []) == ""


def test_evidence_about_something_else_gives_no_name():
    assert next_hop(QUESTION, [finding("Bread dough was first sold by Agnes Holt.")], ["study"]) == ""


def test_a_name_in_another_sentence_than_the_description_is_no_hop():
    told = finding(
        "GIN is an index type for full text search.\n\nGIN is maintained by Teodor Sigaev and Oleg Bartunov."
    )
    question = "GIN or GiST for full text search: which index type is better?"
    assert next_hop(question, [told], ["better"]) == ""


def test_words_that_begin_a_sentence_are_no_part_of_a_name():
    told = finding(
        "Abstract\nThis commit was skipped. But Ingo Molnar skips each commit. And This commit too."
    )
    assert next_hop("Which hook can skip a commit?", [told], ["hook"]) == "Ingo Molnar hook"


def test_a_name_that_was_searched_for_is_no_new_hop():
    assert is_hop_made("Tomas Ehrling study", ["tomas ehrling biography"])
    assert not is_hop_made("Tomas Ehrling study", ["gullwire engineer study"])


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=200), max_size=4))
def test_any_text_can_be_compared(question, quotes):
    found = [finding(quote) for quote in quotes]
    words = unsaid_words(question, found)
    assert isinstance(next_hop(question, found, words), str)


AUTHOR = "What does the author of the storage engine of Quern do today?"
KEPT = finding("Queues are kept in Burrow, a storage engine for telephone exchanges.")


def test_a_single_word_is_a_name_where_a_page_has_it_as_its_title():
    assert (
        next_hop(AUTHOR, [KEPT], ["author", "today"], titles=["Burrow", "Fishing"]) == "Burrow author today"
    )
    assert next_hop(AUTHOR, [KEPT], ["author", "today"], titles=["Quern"]) == ""


def test_a_sentence_that_goes_on_about_the_description_names_too():
    told = finding("Burrow is a storage engine. It was begun by Mirela Stoian. Telwerk Works used it.")
    assert next_hop(AUTHOR, [told], ["author"]) == "Mirela Stoian author"


def test_a_paragraph_that_goes_on_about_the_description_names_too():
    told = finding(
        "Burrow is a storage engine.\n\nIts kernel is by Mirela Stoian.\n\nTelwerk Works used it. It has Ada Ruiz."
    )
    assert next_hop(AUTHOR, [told], ["author"]) == "Mirela Stoian author"
    assert next_hop(AUTHOR, [told], ["author"], without=["Mirela Stoian"]) == ""


def test_a_name_that_was_searched_for_gives_way_to_the_next_one():
    two = finding("The storage engine Amber Vault was begun by its author Mirela Stoian.")
    assert next_hop(AUTHOR, [two], ["today"]) == "Amber Vault today"
    assert next_hop(AUTHOR, [two], ["today"], without=["Amber Vault author"]) == "Mirela Stoian today"


def test_a_hop_among_searches_has_a_new_name_and_words_of_the_question():
    queries = [
        "author storage engine Quern",
        "Mirela Stoian author today",
        "Quern explained",
        "Burrow",
        "Vex price",
    ]
    assert hops_in(AUTHOR, queries) == ["Mirela Stoian author today"]


def test_a_sentence_with_two_names_of_the_question_leads_on_where_none_has_its_other_words():
    goal = "Where does the translator of the Brindle Prize winner of 2025 live?"
    told = finding("The Brindle Prize 2025 goes to Ilse Warnholt for her first novel.")
    assert next_hop(goal, [told], ["translator", "live"]) == "Ilse Warnholt translator live"
    described = finding("Noor Kessler is the translator. The Brindle Prize 2025 goes to Ilse Warnholt.")
    assert next_hop(goal, [described], ["live"]) == "Noor Kessler live"


def test_of_two_names_the_one_with_a_page_of_its_own_leads_on():
    told = finding("The storage engine came from the Port Sabel exchange and its author Mirela Stoian.")
    assert next_hop(AUTHOR, [told], ["today"]) == "Port Sabel today"
    assert next_hop(AUTHOR, [told], ["today"], titles=["Mirela Stoian"]) == "Mirela Stoian today"


def test_a_name_beside_a_word_that_every_page_has_leads_nowhere():
    goal = "Why is git push with a lease safer than force?"
    pages = ["git push sends commits.", "git checks refs.", "git push may fail.", "A hook of git can refuse."]
    told = [*map(finding, pages), finding("For that, you can refer to the Pro Git book about git.")]
    assert next_hop(goal, told, ["safer"]) == ""
    assert next_hop(goal, [*told, finding("The lease is kept by Ana Ruiz.")], ["safer"]) == "Ana Ruiz safer"
