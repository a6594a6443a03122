"""The pieces of excerpts that an answer begins with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.brains.extractive.answering.pieces import pieces
from planner.brains.extractive.answering.write import write_answer
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
        finding(f"{beside}\n\n{answer}\n\n{beside}", f"http://{n}.test/", title=f"Page {n}")
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


BIKES = """The price on the tag is half of the story. An e-bike needs tyres, a chain, brakes, and at some time a
battery. We asked workshops what they see and reckoned for five years and 2,000 kilometres in each.

**Tallis Vento.** 2,150 crowns. Workshops like it because everything can be reached. The battery is the best we know:
most still have over 80 % after three years. When it is due, it costs 540 crowns and clicks in within seconds.

**Kite Urban.** 1,390 crowns. {middle}The battery came apart in our hands. Not recommended.

Our advice: buy the bike whose battery you can take out. You will bless it in winter, and so will the battery."""


OF_OTHERS = (
    "A new battery costs 540 crowns, fitted. That is a quarter of the price of the bike.",
    "We rode 52 kilometres in the middle mode until it was empty. That is enough for a city, and too little for a "
    "Sunday. According to Tallis the battery is good for 500 charges down to 75 % of its capacity; we will see.",
    "A folding lock around frame and stand, a cheap cable for the front wheel, and take the battery with you. Without "
    "the battery the bike is worth half to a thief.",
)


@pytest.mark.parametrize("middle", ["", "Nobody whom we asked had ridden one for more than a summer. " * 9])
async def test_what_is_said_of_a_thing_never_stands_behind_another_one_without_its_name(embedder, middle):
    found = finding(BIKES.format(middle=middle), "http://bikes.test/", title="City e-bikes")
    others = [finding(text, f"http://{n}.test/", title="An e-bike") for n, text in enumerate(OF_OTHERS)]
    view = ReportView(goal="How long does the battery of a city e-bike last?", findings=[found, *others])
    told = Citations(view.findings, []).keep((await write_answer(view, embedder)).answer)
    before = paragraphs(told, ENGLISH_MESSAGES).partition("came apart")[0]
    assert before.rfind("Kite Urban") > before.rfind("Tallis Vento")


@given(st.lists(LINES, max_size=60).map("".join))
def test_a_piece_begins_with_a_paragraph_or_names_the_one_that_it_goes_on(quote):
    found = pieces(quote)
    assert all(piece.paragraph <= piece.start for piece in found)
    assert all(quote[: piece.start][-1:] in ("", "\n") for piece in found if piece.paragraph == piece.start)


def test_an_excerpt_that_goes_on_within_a_paragraph_says_so():
    told = finding("It holds for three years.\nThe Kite Urban is cheap. Its battery came apart.")
    shown = [told.quote, "The Kite Urban is cheap.", "Its battery came apart."]
    draft = [Sentence(text=one, evidence=[0], is_excerpt=True, shown=one) for one in shown]
    blocks = [one.as_blocks() for one in Citations([told], []).keep(draft)]
    assert [block.startswith("… ") for block in blocks] == [False, False, True]


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
