import pytest

from research_crawler.extraction.metadata.membership import is_since_label, names_since, says_since
from research_crawler.extraction.page import read_page


@pytest.mark.parametrize(
    "text",
    ["Joined: Mar 3, 2010", "Joined Mar 2010", "Member since 2019", "Registered on 4 May 2012", "Join Date: 2001-02-03",
     "Mitglied seit: 12.03.2011", "Inscrit le 5 mai 2015", "Last seen 3 May 2024"],
)  # fmt: skip
def test_the_date_since_which_someone_belongs_to_a_forum_is_recognized(text):
    assert says_since(text)
    assert not is_since_label(text)


@pytest.mark.parametrize("text", ["Joined", "Join Date:", " Member since "])
def test_a_label_alone_is_recognized(text):
    assert is_since_label(text)


@pytest.mark.parametrize(
    "text", ["Posted Mar 3, 2010", "3 May 2024", "Joined-up writing is what I teach, since 2010, " * 3]
)
def test_other_dates_and_long_texts_are_not(text):
    assert not says_since(text)
    assert not names_since("post-date conjoined date")


MEMBERS = {
    "label": "<dl class=info><dt>Joined</dt><dd class=date>Mar 3, 2010</dd></dl>",
    "text": "<div class='user-date'>Joined: Mar 3, 2010</div>",
    "name": "<div class=join-date>Mar 3, 2010</div>",
    "time": "<p>Member since <time datetime=2010-03-03>2010</time></p>",
}


@pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS)
def test_the_date_of_a_post_is_not_the_date_on_which_its_author_joined(member):
    texts = [
        "Which kettle boils a litre fastest? Mine takes four minutes and I would like to halve that.",
        "The A1 does it in two minutes here, measured three times with water from the tap.",
        "Two minutes ten for me, but only after descaling. Before that it was nearly three.",
        "I can confirm the two minutes. It is loud at the end, though not as loud as the B2.",
    ]
    more = "I used a litre of cold water each time, and a watch that counts tenths of a second."
    posts = "".join(
        f"<div class=post id=post{n}><a class=author href=/members/{name}>{name}</a>{member}"
        f"<div class=post-time>May {n + 4}, 2024</div><div class=content><p>{text}</p><p>{more} ({n})</p></div>"
        f"<a href=#r>Reply</a></div>"
        for n, (name, text) in enumerate(zip(("ada", "eve", "gus", "fay"), texts, strict=True))
    )
    markup = f"<html><body><h1>Fastest kettle</h1>{posts}</body></html>"
    page = read_page(markup.encode(), url="https://forum.example.com/t/fastest-kettle/12", headers={})
    assert page.kind == "forum"
    assert [post.date for post in page.posts] == ["2024-05-04", "2024-05-05", "2024-05-06", "2024-05-07"]
    assert "2010" not in page.text
    assert "May 4, 2024" in page.text
