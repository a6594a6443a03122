"""Outlines for property tests: as brains propose them, and as jobs have them."""

from hypothesis import strategies as st

from research_crawler.core.models.jobs.outline import Leaf, Outline, Section

IDS = [f"f{n}" for n in range(12)]
TEXTS = st.sampled_from(
    ["How tall is it?", "When was it built?", "Who built it?", "height", "price", " ", ""]
) | st.text(max_size=300)
LEAVES = st.builds(
    Leaf,
    id=st.sampled_from(["1.1", "1.2", "2.1", "3.1", "9.9", "", "x"]),
    question=TEXTS,
    query=TEXTS,
    evidence=st.lists(st.sampled_from([*IDS, "unknown"]), max_size=12),
    state=st.sampled_from(["open", "filled", "unavailable"]),
    reason=st.sampled_from(["", "nothing found"]),
    searches=st.integers(0, 5),
)
PROPOSED = st.builds(
    Outline,
    by=st.sampled_from(["model", "extractive"]),
    sections=st.lists(
        st.builds(Section, id=st.just(""), title=TEXTS, leaves=st.lists(LEAVES, max_size=6)), max_size=6
    ),
)


def outline(*questions, is_given=False, **fields):
    """One section for each question, with one leaf."""
    sections = [
        Section(
            id=str(n), title=question, leaves=[Leaf(id=f"{n}.1", question=question, query=question, **fields)]
        )
        for n, question in enumerate(questions, 1)
    ]
    return Outline(by="user" if is_given else "extractive", is_given=is_given, sections=sections)
