"""Tests of posts of threads and reviews of products, that pages declare."""

import json
import time

from research_crawler.core.models.web.pages import Post
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.metadata.page_names import read_declared
from research_crawler.extraction.page import read_page
from research_crawler.extraction.posts.posts import read_posts
from tests.cases import each_case

ANSWERS = """<div itemscope itemtype="https://schema.org/Question">
  <h1 itemprop=name>Why do bees hold hands?</h1>
  <div itemprop=upvoteCount data-value=1204>1.2k</div>
  <div itemprop=text>They hold <b>on</b> to each other while they sleep, why?</div>
  <time itemprop=dateCreated datetime="2024-05-02T10:00:00">May 2, 2024</time>
  <div itemprop=author itemscope itemtype="https://schema.org/Person"><span itemprop=name>Ann</span> 7 points</div>
  <div itemprop=suggestedAnswer itemscope itemtype="https://schema.org/Answer">
    <div itemprop=upvoteCount>-3</div><div itemprop=text>So that nobody falls.</div>
    <div itemprop=author itemscope><span itemprop=name>Bo</span></div>
    <time itemprop=dateCreated datetime="2024-05-03">yesterday</time>
    <div itemprop=comment itemscope itemtype="https://schema.org/Comment">
      <span itemprop=text>Is that so?</span> <a itemprop=author>Cy</a></div></div></div>"""
REPLIES = """<article itemprop=comment itemscope itemtype="https://schema.org/Comment">
  <meta itemprop=author content=Dee><time itemprop=datePublished datetime="2023-12-30">then</time>
  <div itemprop=text>I keep mine in a box.</div>
  <div itemprop=interactionStatistic itemscope itemtype="https://schema.org/InteractionCounter">
    <meta itemprop=interactionType content="https://schema.org/CommentAction">
    <meta itemprop=userInteractionCount content=99></div>
  <div itemprop=interactionStatistic itemscope itemtype="https://schema.org/InteractionCounter">
    <meta itemprop=interactionType content="https://schema.org/LikeAction">
    <meta itemprop=userInteractionCount content=11></div></article>"""
OPENING = {
    "@type": "DiscussionForumPosting",
    "author": {"@type": "Person", "name": "Eve"},
    "datePublished": "2023-12-29T20:00:00Z",
    "interactionStatistic": [{"interactionType": "https://schema.org/LikeAction", "userInteractionCount": 5}],
    "articleBody": "Where do you keep yours?",
}


def posts_of(markup):
    root = parse_html(f"<html><body>{markup}</body></html>")
    return read_posts(root, read_declared(root))


def script(*nodes):
    return f"<script type=application/ld+json>{json.dumps(nodes)}</script>"


def test_questions_answers_and_comments_each_have_their_own_author_date_and_votes():
    assert posts_of(ANSWERS) == [
        Post(
            kind="question",
            author="Ann",
            date="2024-05-02",
            votes=1204,
            text="They hold on to each other while they sleep, why?",
        ),
        Post(kind="answer", author="Bo", date="2024-05-03", votes=-3, text="So that nobody falls."),
        Post(kind="comment", author="Cy", text="Is that so?"),
    ]


def test_likes_count_as_votes_and_the_number_of_replies_does_not():
    [reply] = posts_of(REPLIES)
    assert (reply.author, reply.date, reply.votes) == ("Dee", "2023-12-30", 11)


def test_an_opening_post_that_only_json_declares_comes_before_its_replies():
    opening, reply = posts_of(REPLIES + script(OPENING))
    assert (opening.kind, opening.author, opening.votes) == ("post", "Eve", 5)
    assert reply.author == "Dee"


@each_case(("rating", "read"), [("4.5", 4.5), (4, 4.0), ("4,5 out of 5", 4.5), ("good", None)])
def test_reviews_of_a_product_have_their_rating(rating, read):
    review = {
        "@type": "Review",
        "author": "Hal",
        "datePublished": "2025-01-31",
        "reviewRating": {"@type": "Rating", "ratingValue": rating},
        "reviewBody": "Keeps &lt;b&gt;rain&lt;/b&gt; out.",
    }
    product = {"@type": "Product", "name": "Coat", "review": [review, review]}
    [found] = posts_of(script(product))
    assert (found.kind, found.author, found.date, found.rating) == ("review", "Hal", "2025-01-31", read)
    assert found.text == "Keeps <b>rain</b> out."


def test_a_stored_page_has_its_posts_but_not_hidden_ones():
    words = "<p>Bees hold on to each other while they sleep, and nobody has ever seen one of them fall.</p>"
    page = f"<html><body><main>{words}{REPLIES}<div style='display:none'>{ANSWERS}</div></main></body></html>"
    kept = read_page(page.encode(), url="https://bees.example/t/1", headers={})
    assert [post.author for post in kept.posts] == ["Dee"]


def test_the_author_of_a_product_review_is_not_the_author_of_the_page():
    review = {"@type": "Review", "author": "Hal", "reviewBody": "Keeps rain out."}
    product = {"@type": "Product", "name": "Coat", "review": [review]}
    markup = f"<title>Coat</title>{script(product)}<p>A coat for rain and wind."
    assert read_page(markup.encode(), url="https://coats.example/1", headers={}).author == ""
    alone = f"<title>Coat</title>{script(review)}<p>We wore this coat for a year."
    assert read_page(alone.encode(), url="https://coats.example/1", headers={}).author == "Hal"


def test_hundreds_of_nested_posts_are_read_in_bounded_time():
    one = "<div itemscope itemtype=https://schema.org/Comment><p itemprop=text>"
    words = "<i class='date author body'>a word</i>" * 20
    markup = f"<body>{(one + words) * 250}{words * 2_000}</body>"
    started = time.process_time()
    posts_of(markup)
    assert time.process_time() - started < 10
