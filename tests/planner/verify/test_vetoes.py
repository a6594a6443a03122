"""What code is sure of against a sentence: figures, dates, names, negations and commands that its quotes have not."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.places import DATA
from benchmarks.reporting.altered_sentences import altered_sentences
from planner.verify.cited_source import CitedSource
from planner.verify.second_reading import bears_out
from planner.verify.verbatim import is_whole_sentence
from planner.verify.vetoes import vetoes
from tests.cases import each_case

QUOTE = "Ana Ruiz led the work on the http-01 check, it took 90 minutes on 3 May 2026 and did not use `tool --force`."
SOURCE = CitedSource([QUOTE], ["A report | Checks", "example.com", "2026-05-04"], "who led it?")


@each_case(
    ("quote", "text", "other"),
    [
        ("maximal_queue_lifetime (5d)", "It is kept for 5 days.", "It is kept for 5 hours."),
        ("The default is 30m.", "It ends after 30 minutes.", "It ends after 30 seconds."),
        ("Before, the default value was 1000s.", "It was 1000 seconds.", "It was 1000 hours."),
        ("It uses NAMEDATALEN-1 bytes.", "It uses `NAMEDATALEN`-1 bytes.", "It uses 8 bytes."),
        ("Repeated every 2w.", "It comes every 2 weeks.", "It comes every 2 days."),
    ],
)
def test_a_figure_stands_in_a_quote_that_writes_it_in_a_shorter_form(quote, text, other):
    assert vetoes(text, CitedSource([quote]), "en") == []
    assert [veto.kind for veto in vetoes(other, CitedSource([quote]), "en")] == ["figure"]


def test_a_rank_or_figure_that_the_head_of_a_column_or_the_first_cell_has_is_said_of_the_row():
    row = ["| 2007 | Ola Berg | Ana Ruiz |"]
    true, false = "Ana Ruiz was 2nd in 2007.", "Ana Ruiz was 6th in 2007."
    headed = CitedSource(row, ["Cup > Four-cross"], introductions=["Year – 1st – 2nd"])
    assert vetoes(true, headed) == []
    assert [veto.kind for veto in vetoes(false, headed)] == ["figure"]
    assert [veto.kind for veto in vetoes(true, CitedSource(row, ["Year – 1st – 2nd"]))] == ["figure"]
    cell = CitedSource(["Ola Berg | Ana Ruiz"], introductions=["Stage – 1st – 2nd – 12"])
    assert vetoes("On stage 12 Ola Berg was 1st.", cell) == []


@each_case(
    ("text", "is_said"),
    [
        ("Installing Xfce needs 3192 MB.", True),
        ("Installing Xfce needs 3192 GB.", False),
        ("Installing Xfce takes 683 minutes.", True),
        ("Installing Xfce takes 683 MB.", False),
    ],
)
def test_a_number_of_a_table_has_the_unit_of_its_own_column(text, is_said):
    heads, cells = "Task – Download (minutes) – Space needed to install (MB)", "| Xfce | 683 | 3192 |"
    whole = CitedSource([cells], introductions=[heads])
    part = CitedSource(["683 | 3192"], ["Installing tasks"], introductions=[f"{heads} – Xfce"])
    table = CitedSource(
        [f"{heads.replace(' – ', ' | ')} |\n| --- | --- | --- |\n{cells}\n| LXDE | 693 | 3232"]
    )
    assert [veto.kind for veto in vetoes(text, whole)] == ["figure"] * (not is_said)
    assert [veto.kind for veto in vetoes(text, part)] == ["figure"] * (not is_said)
    assert [veto.kind for veto in vetoes(text, table)] == ["figure"] * (not is_said)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("It needs at least 780 MB.", "You must have at least 780MB of memory."),
        ("It needs at least 780MB.", "You must have at least 780 megabytes of memory."),
        ("The least is a Pentium 4 with 1 GHz.", "A Pentium 4, 1GHz system is the minimum."),
    ],
)
def test_a_unit_may_be_written_close_to_its_number_or_apart(text, quote):
    assert vetoes(text, CitedSource([quote])) == []
    assert vetoes(text, CitedSource([quote.replace("M", "T").replace("mega", "tera").replace("GH", "MH")]))


def test_a_reader_has_the_last_word_on_a_figure_that_the_asker_has():
    source = CitedSource(["100-999: Ids of system users."], asked="May our service have the id 850?")
    [applied] = vetoes("The id 850 lies in 100-999, the ids of system users.", source)
    [invented] = vetoes("The id 851 lies in 100-999, the ids of system users.", source)
    assert (applied.kind, applied.is_certain) == ("asked_figure", False)
    assert (invented.kind, invented.is_certain) == ("figure", True)


@pytest.mark.parametrize("command", ["tool --soft", "make check"])
def test_code_vetoes_a_command_that_no_quote_has(command):
    assert [veto.kind for veto in vetoes(f"Ana Ruiz led it with `{command}`.", SOURCE, "en")] == ["command"]
    assert vetoes("Ana Ruiz led it and did not use `tool --force`.", SOURCE, "en") == []


@each_case(
    ("text", "above", "asked", "is_vetoed"),
    [
        ("Apache 2.4 takes 90 MB.", "core - Server Version 2.4", "What does Apache 2.4 take?", False),
        (
            "Second in the 4X was Ruiz, with 90 MB.",
            "Winners > Four-cross (4X)",
            "Who was second in the 4X?",
            False,
        ),
        ("Apache 2.6 takes 90 MB.", "core - Server Version 2.4", "What does Apache 2.6 take?", True),
        ("Apache 2.4 takes 90 MB.", "core - Server Version 2.4", "What does the server take?", True),
    ],
)
def test_digits_that_name_the_subject_in_question_and_title_are_no_claim(text, above, asked, is_vetoed):
    source = CitedSource(["Ruiz: the default is 90 MB."], [above], asked)
    assert [veto.kind for veto in vetoes(text, source, "en")] == ["figure"] * is_vetoed


@each_case(
    ("text", "quote", "asked"),
    [
        (
            "Use http-01 for wildcards.",
            "Only dns-01 works for wildcards.",
            "http-01 or dns-01 for wildcards?",
        ),
        ("HTTP-01 Gives Wildcards", "DNS-01 gives wildcards.", ""),
        ("`http-01` gives wildcards.", "The challenge 01 over http and dns-01 give wildcards.", ""),
        ("It is RFC-8555.", "It is RFC-8556.", ""),
        ("The x-ray-2 unit is on.", "The x-ray unit 2 and the x-ray-3 are on.", ""),
    ],
)
def test_names_with_digits_and_hyphens_are_compared_whole(text, quote, asked):
    assert {veto.kind for veto in vetoes(text, CitedSource([quote], asked=asked), "en")} == {"name"}


def test_a_compound_with_a_plain_word_has_the_name_that_is_in_it():
    source = CitedSource(["It is the default where Unix has threads."])
    assert vetoes("On Unix-like systems it is the default.", source, "en") == []
    assert vetoes("On Solaris-like systems it is the default.", source, "en")


def test_the_name_of_the_source_itself_need_not_stand_in_a_quote():
    page = "https://docs.example/manuals/tern-faq/choosing.en.html"
    source = CitedSource(["Usually stable is taken."], ["Choosing a release"], pages=[page])
    for name in ("The FAQ", "The Tern FAQ"):
        assert vetoes(f"{name} says that stable is usually taken.", source, "en") == []
    for name in ("The Kestrel FAQ", "The HTML", "The Tern Handbook"):
        assert vetoes(f"{name} says that stable is usually taken.", source, "en")


def test_a_count_before_a_name_is_no_part_of_it():
    source = CitedSource(["Debian has a handbook and a reference."])
    assert vetoes("Two Debian manuals say so.", source, "en") == []
    assert [veto.text for veto in vetoes("Olga Debian says so.", source, "en")] == ["olga"]


def test_a_reader_has_the_last_word_on_a_denial_in_other_words():
    words = "users who do not have root access to the server"
    assert bears_out(words, "It is meant for users who have no root access to the server.", [words])
    assert not bears_out(words, "It is meant for users who have root access to the server.", [words])


def test_names_are_not_compared_with_a_page_in_another_language():
    source = CitedSource(["Die Stadt liegt in Deutschland und hat nicht mehr als zwei Häfen an der Ostsee."])
    assert vetoes("The town is in Germany, on the Baltic Sea.", source, "en") == []


@given(st.lists(st.text(max_size=60), max_size=3), st.text(max_size=120))
def test_any_text_is_compared(quotes, text):
    vetoes(text, CitedSource(quotes), "en")


@given(st.lists(st.sampled_from(QUOTE.split()), min_size=1, max_size=20).map(" ".join))
def test_what_is_copied_as_a_whole_is_never_vetoed(sentence):
    text = f"{sentence.capitalize()}."
    assert is_whole_sentence(text, [text])
    assert not [veto for veto in vetoes(text, CitedSource([text]), "en") if veto.kind != "negation"]


HOSTILE = {
    "digits": "9" * 4_000,
    "groups": "1,000" * 800,
    "capitals": "Aa " * 1_500,
    "negations": "not " * 1_000,
    "dates": "3 May 2026 " * 400,
    "brackets": "(" * 4_000,
    "options": "--a" * 1_300,
    "ticks": "`a b" * 1_000,
}


@each_case("name", HOSTILE)
def test_a_hostile_page_does_not_hold_the_planner(name):
    quotes = [f"{HOSTILE[name]} {place}." for place in range(10)]
    begun = time.process_time()
    for place in range(10):
        vetoes(f"{HOSTILE[name][:400]} {place}.", CitedSource(quotes), "en")
    assert time.process_time() - begun < 2.0


def test_sixty_sentences_beside_sixty_findings_take_little_time():
    quotes = [
        f"The plant of Norwick {place} made {place + 7},{place + 100} parts in {1950 + place} and was not closed."
        for place in range(60)
    ]
    source = CitedSource(quotes)
    begun = time.process_time()
    for quote in quotes:
        vetoes(quote.replace("was not closed", "was closed by Ana Ruiz"), source, "en")
    assert time.process_time() - begun < 0.5


@pytest.mark.skipif(not (DATA / "articles").is_dir(), reason="no articles; set RESEARCH_TEST_DATA")
def test_of_sentences_altered_by_machine_the_false_ones_are_found_and_the_honest_ones_kept():
    made = altered_sentences(DATA / "articles")
    cut = {True: [], False: []}
    for one in made:
        cut[one.is_honest].append(bool(vetoes(one.text, CitedSource([one.quote], [one.host]), "en")))
    assert sum(cut[False]) >= 0.95 * len(cut[False])
    assert sum(cut[True]) <= 0.02 * len(cut[True])
