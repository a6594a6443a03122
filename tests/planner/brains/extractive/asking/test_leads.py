from planner.brains.extractive.asking.leads import (
    identifiers_in,
    lead_queries,
    lead_query,
    leads_of,
    pages_of,
)
from tests.planner.brains.views import candidate, finding, search, view, visit

GOAL = "What is the largest parcel that Orlo 2.4 takes, and how do I lift the limit?"
MENTION = finding("The size of a parcel may be limited further by LimitParcelSize, and pages are made by Makefile.",
                  "http://a.test/1", title="Parcels", heading="Sizes")  # fmt: skip


def seen(*findings, **more):
    return view(
        goal=GOAL, findings=list(findings), visited=[visit("http://a.test/1", title="Parcels")], **more
    )


def test_names_are_recognised_by_their_form():
    text = (
        "See pg_dump, orlo-pack(1), LimitParcelSize, gc.pruneExpire, SSLEngine and CREATE TABLE in /usr/lib_x, a@b_c "
        "or URLs."
    )
    assert identifiers_in(text) == [
        "pg_dump",
        "orlo-pack",
        "LimitParcelSize",
        "gc.pruneExpire",
        "SSLEngine",
        "CREATE TABLE",
    ]


async def test_a_setting_that_the_first_page_names_is_searched_with_the_names_of_the_question(embedder):
    names = await leads_of(seen(MENTION), embedder)
    assert names[0] == "LimitParcelSize"
    assert lead_query(seen(MENTION), names) == "LimitParcelSize Orlo 2.4"


async def test_a_name_that_says_little_is_known_by_the_sentence_that_has_it(embedder):
    goal = "How can Orlo cut off clients that send their parcels extremely slowly?"
    told = "Orlo cuts off clients that send their parcels too slowly, after the time of OrloWaitStep."
    beside = "The colours of the label are kept in the file of LabelTintList."
    found = view(goal=goal, findings=[finding(told), finding(beside)])
    names = await leads_of(found, embedder)
    assert names == ["OrloWaitStep"]
    assert lead_queries(found, [*names, "LabelTintList", "pack_rate"]) == [
        "OrloWaitStep Orlo",
        "LabelTintList Orlo",
    ]


async def test_what_was_explained_asked_or_searched_is_no_lead(embedder):
    explained = finding(
        "LimitParcelSize is 1 GiB unless it is set.", "http://b.test/1", heading="LimitParcelSize"
    )
    assert "LimitParcelSize" not in await leads_of(seen(MENTION, explained), embedder)
    assert lead_query(seen(searches=[search("LimitParcelSize Orlo")]), ["LimitParcelSize"]) == ""
    asked = view(goal="What is LimitParcelSize?", findings=[MENTION])
    assert "LimitParcelSize" not in await leads_of(asked, embedder)


def test_the_page_of_a_name_is_known_by_its_title():
    pages = [
        candidate("http://a.test/2", title="LimitParcelSize Directive"),
        candidate("http://a.test/3", title="News"),
    ]
    assert pages_of(["LimitParcelSize"], pages) == pages[:1]
    assert pages_of(["orlo-pack"], [candidate("http://a.test/4", title="orlo-pack(1) Manual Page")])
