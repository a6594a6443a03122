"""What people wrote on a page, each with author, date and votes: posts of a thread, answers, comments, reviews.

Read from what the page declares (schema.org in microdata or JSON-LD: Stack Exchange, Discourse, XenForo, Invision
and shops do), else, on a thread, from elements that come back and whose names say what they are
(`drawn_posts.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree, html

from research_crawler.core.models.pages import PageKind, Post, PostKind
from research_crawler.extraction.metadata.page_names import day, line, people, type_of
from research_crawler.extraction.posts.inferred_posts import read_drawn
from research_crawler.extraction.posts.post_text import MAX_POSTS, author_of, number, text_of, whole_number

_KINDS: dict[str, PostKind] = {
    "DiscussionForumPosting": "post", "SocialMediaPosting": "post", "Question": "question", "Answer": "answer",
    "Comment": "comment", "UserComments": "comment", "Review": "review", "UserReview": "review",
}  # fmt: skip
_LIKED = re.compile(r"Like|Vote|Agree")
_DATES = ("datePublished", "dateCreated", "dateModified")
_TEXTS = ("text", "reviewBody", "articleBody", "description", "commentText")
Props = dict[str, etree._Element]


def read_posts(
    root: html.HtmlElement, declared: Sequence[Mapping[str, Any]], *, kind: PageKind = "other"
) -> list[Post]:
    """The posts in the page's order, at most MAX_POSTS; [] where it has none, or does not tell them apart.

    Args:
        root: the page, nothing taken out yet.
        declared: nodes of its JSON-LD, as `read_declared` gives them.
        kind: of the page: only on a thread are posts looked for that nothing declares.
    """
    marked, stated = _of_microdata(root), _of_json_ld(declared)
    found = _with_opening(marked, stated) if len(marked) >= len(stated) else stated
    if kind == "forum" and len(found) < 2:
        drawn = read_drawn(root)
        found = drawn if len(drawn) > len(found) else found
    return found[:MAX_POSTS]


def _of_microdata(root: html.HtmlElement) -> list[Post]:
    found: list[Post] = []
    for item in root.xpath("//*[@itemscope and @itemtype]"):
        kind = _kind_of(item)
        if kind and len(found) < MAX_POSTS:
            post = _post(kind, dict(_own(item)))
            if _says_something(post):
                found.append(post)
    return found


def _kind_of(item: etree._Element) -> PostKind | None:
    types = (one.rpartition("/")[2] for one in (item.get("itemtype") or "").split())
    return next((_KINDS[one] for one in types if one in _KINDS), None)


def _own(item: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Properties of an item by name, the first of each name; those of posts within it are not its own."""
    seen = set()
    waiting = list(reversed(item))
    while waiting:
        one = waiting.pop()
        if not isinstance(one.tag, str):
            continue
        names = (one.get("itemprop") or "").split()
        if one.get("itemtype") and _kind_of(one):
            continue
        is_count = "InteractionCounter" in (one.get("itemtype") or "")
        if is_count:
            names = ["liked"] if _is_of_likes(one) else []
        for name in names:
            if name not in seen:
                seen.add(name)
                yield name, one
        if not is_count:
            waiting += reversed(one)


def _is_of_likes(counter: etree._Element) -> bool:
    kinds = counter.xpath(".//*[@itemprop='interactionType']")
    return any(_LIKED.search(one.get("content") or one.get("href") or "") for one in kinds)


def _post(kind: PostKind, own: Props) -> Post:
    dates = (day(_value(own[name])) for name in _DATES if name in own)
    text = next((text_of(own[name]) for name in _TEXTS if name in own), "")
    rating = next((own[name] for name in ("ratingValue", "reviewRating") if name in own), None)
    return Post(
        kind=kind,
        author=_author(own),
        date=next(filter(None, dates), ""),
        votes=_vote(own),
        rating=number(_value(rating)) if rating is not None else None,
        text=text,
    )


def _author(own: Props) -> str:
    marked = own.get("author", own.get("creator"))
    if marked is None:
        return ""
    names = marked.xpath(".//*[@itemprop='name']")
    return author_of(_value(names[0]) if names else _value(marked))


def _vote(own: Props) -> int | None:
    if "upvoteCount" in own:
        one = own["upvoteCount"]
        return whole_number(one.get("data-value") or _value(one))
    counts = own["liked"].xpath(".//*[@itemprop='userInteractionCount']") if "liked" in own else []
    return whole_number(_value(counts[0])) if counts else None


def _value(one: etree._Element) -> str:
    return one.get("content") or one.get("datetime") or line(" ".join(one.itertext()), 200)


def _of_json_ld(declared: Sequence[Mapping[str, Any]]) -> list[Post]:
    found: list[Post] = []
    for node in declared:
        kind = _KINDS.get(type_of(node))
        if kind is None:
            continue
        dates = (day(value) for name in _DATES if isinstance(value := node.get(name), str))
        texts = (value for name in _TEXTS if isinstance(value := node.get(name), str) and value.strip())
        rated = node.get("reviewRating")
        found.append(
            Post(
                kind=kind,
                author=next(iter(people(node.get("author") or node.get("creator"))), ""),
                date=next(filter(None, dates), ""),
                votes=_stated_votes(node),
                rating=number(rated.get("ratingValue")) if isinstance(rated, dict) else None,
                text=text_of(next(texts, "")),
            )
        )
    unique = {(one.author, one.date, one.text): one for one in found if _says_something(one)}
    return list(unique.values())


def _stated_votes(node: Mapping[str, Any]) -> int | None:
    if "upvoteCount" in node:
        return whole_number(node["upvoteCount"])
    counters = node.get("interactionStatistic")
    for one in counters if isinstance(counters, list) else [counters]:
        if isinstance(one, dict) and _LIKED.search(str(one.get("interactionType"))):
            return whole_number(one.get("userInteractionCount"))
    return None


def _with_opening(posts: list[Post], stated: list[Post]) -> list[Post]:
    """XenForo declares replies in its markup and the post that they answer in JSON-LD only."""
    known = {_start(one) for one in posts}
    openings = [one for one in stated if one.kind in ("post", "question") and _start(one) not in known]
    has_opening = any(one.kind in ("post", "question") for one in posts)
    return posts if has_opening or not posts else [*openings[:1], *posts]


def _start(post: Post) -> str:
    return "".join(filter(str.isalnum, post.text))[:40]


def _says_something(post: Post) -> bool:
    return bool(post.text and (post.author or post.date))
