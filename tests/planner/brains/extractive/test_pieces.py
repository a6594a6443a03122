"""The pieces of excerpts that an answer begins with."""

from hypothesis import given
from hypothesis import strategies as st

from planner.brains.extractive.pieces import pieces
from planner.brains.extractive.write import write_answer
from planner.reports.sections import paragraphs
from planner.reports.sources.citations import Citations
from research_crawler.core.models.reports.drafts import ReportView, Sentence
from research_crawler.text.writing.messages import ENGLISH_MESSAGES
from tests.planner.brains.views import finding

BESIDE = (
    "The coast of Skelder has many harbours, and ships of all kinds have passed it for hundreds of years. "
    * 3
)
LINES = st.sampled_from(
    [
        "One of many words. ",
        "- an item of a list\n",
        "| a | row |\n",
        "\n\n",
        "```\ncode here\n```\n",
        "As follows:\n",
        "1! 2? " * 60,
        "> " * 80 + "\n",
    ]
)
FIRST_WORDS = 200


async def test_what_answers_in_several_long_excerpts_stands_in_the_first_words_and_the_rest_below(embedder):
    told = {
        "The lighthouse on Skelder is 43 metres tall.": BESIDE,
        "It takes 212 steps to climb the tall lighthouse on Skelder.": "Bring boots, water and a coat for the wind. "
        * 8,
        "A tall lighthouse of 43 metres stands on Skelder.": "In May the bakery sells bread with caraway seeds. "
        * 7,
    }
    findings = [
        finding(f"{beside}{answer} {beside}".strip(), f"http://{n}.test/", title=f"Page {n}")
        for n, (answer, beside) in enumerate(told.items())
    ]
    draft = await write_answer(
        ReportView(goal="How tall is the lighthouse on Skelder?", findings=findings), embedder
    )
    cited = Citations(findings, []).keep(draft.answer)
    assert {one.verdict for one in cited} == {"supported"}  # each is a part of its quote, which proves it
    shown = paragraphs(cited, ENGLISH_MESSAGES)
    first = " ".join(shown.split()[:FIRST_WORDS])
    assert all(answer in first for answer in told)
    for n in range(3):
        shown = " ".join(one.shown for one in draft.answer if one.evidence == [n])
        assert sorted(shown.split()) == sorted(findings[n].quote.split())  # nothing is lost or told twice


@given(st.lists(LINES, max_size=60).map("".join))
def test_the_pieces_of_an_excerpt_are_all_of_it_in_order(quote):
    found = pieces(quote)
    assert "".join("".join(piece.quote for piece in found).split()) == "".join(quote.split())
    assert all(quote.startswith(piece.quote, piece.start) for piece in found)
    assert len(found) == 1 or all(piece.text for piece in found)


def test_a_listing_stays_whole_and_what_announces_it_stays_with_it():
    listing = "```\n" + "make all  # builds what is there\n" * 20 + "```"
    assert [piece.quote for piece in pieces(f"{BESIDE.strip()} Build it so:\n\n{listing}")][-1].endswith(
        f"Build it so:\n\n{listing}"
    )


def test_a_command_never_stands_without_the_sentence_that_it_belongs_to():
    lead = (
        "If you get stuck and decide to just give up and throw the whole mess away, you can go back to where you "
        "began, so that nothing of the merge is left in any of your files and folders, with"
    )
    quote = f"{BESIDE.strip()} {lead}\n\n```\n$ git merge --abort\n```\n\n{BESIDE}"
    assert all("abort" not in piece.quote or lead in piece.quote for piece in pieces(quote))


def test_an_excerpt_shows_nothing_that_its_quote_does_not_have():
    told = finding("The lighthouse on Skelder is 43 metres tall.")
    claimed = Sentence(
        text="It is 50 metres tall.", evidence=[0], is_excerpt=True, shown="It is 50 metres tall."
    )
    (cited,) = Citations([told], []).keep([claimed])
    assert cited.excerpt == told.quote
    assert cited.verdict is None
