"""Reads the posts, answers, comments and reviews on a page, each with author, date and votes.

They come from the page's schema.org data in microdata or JSON-LD (Stack Exchange, Discourse, XenForo,
Invision and shops have it).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import islice
from typing import Any, Final

from lxml import etree, html

from research_crawler.core.models.web.pages import Post, PostKind
from research_crawler.extraction.metadata.page_names import day, line, people, type_of

MAX_POSTS: Final = 500
"""Most posts of a page that are read."""
_MAX_TEXT: Final = 2_000
"""A post keeps only the beginning of its text. The page's text has all of it."""
_AUTHOR_CHARS = 80
"""Longest name of a post's author."""
_TAG = re.compile(r"<[^<>]*>")
_AMOUNT = re.compile(r"[-+−]?\d[\d,.  ]*")
_MAX_PIECES = 10_000
"""At most this many pieces of text are read, so that hundreds of nested posts take no longer than posts in a
row."""
_INLINE = ("a", "b", "i", "em", "strong", "code", "span")
_UNSEEN = ("script", "style", "template", "noscript", "svg", "button", "form")


def text_of(value: "etree._Element | str") -> str:
    """The text of an element or of markup, at most _MAX_TEXT characters."""
    if isinstance(value, str):
        return line(unescape(_TAG.sub(" ", value)), _MAX_TEXT)
    if value.tag == "meta":
        return line(value.get("content"), _MAX_TEXT)
    pieces: list[str] = []
    chars = 0
    for piece in islice(_pieces(value), _MAX_PIECES):
        pieces.append(piece)
        chars += len(piece)
        if chars > 4 * _MAX_TEXT:
            break
    return line("".join(pieces), _MAX_TEXT)


def _pieces(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _UNSEEN:
            inline = child.tag in _INLINE
            yield "" if inline else " "
            yield from _pieces(child)
            yield "" if inline else " "
        yield child.tail or ""


def author_of(text: str) -> str:
    """The author's name in a text; "" if the text is too long for a name."""
    name = line(text.removeprefix("@"), _AUTHOR_CHARS + 1)
    return name if len(name) <= _AUTHOR_CHARS and any(map(str.isalnum, name)) else ""


def whole_number(value: object) -> int | None:
    """Read a count as pages write it (12, "1,204", "−3"); None for anything else."""
    found = _AMOUNT.match(str(value).strip())
    digits = re.sub(r"[^\d]", "", found[0]) if found else ""
    if not digits or len(digits) > 9:
        return None
    return -int(digits) if found and found[0][0] in "-−" else int(digits)


def number(value: object) -> float | None:
    """Read a rating such as 4.5, "4,5" or "4.5 out of 5"; None for anything else."""
    found = re.match(r"\d{1,3}(?:[.,]\d{1,3})?", str(value).strip())
    return float(found[0].replace(",", ".")) if found else None


_KINDS: dict[str, PostKind] = {
    "DiscussionForumPosting": "post", "SocialMediaPosting": "post", "Question": "question", "Answer": "answer",
    "Comment": "comment", "UserComments": "comment", "Review": "review", "UserReview": "review",
}  # fmt: skip
_LIKED = re.compile(r"Like|Vote|Agree")
_DATES = ("datePublished", "dateCreated", "dateModified")
_TEXTS = ("text", "reviewBody", "articleBody", "description", "commentText")
Props = dict[str, etree._Element]


def read_posts(root: html.HtmlElement, declared: Sequence[Mapping[str, Any]]) -> list[Post]:
    """The posts in the page's order, at most MAX_POSTS; [] if it declares none.

    Args:
        root: the complete page, before any element is removed.
        declared: the nodes of its JSON-LD, from `read_declared`.
    """
    marked, stated = _of_microdata(root), _of_json_ld(declared)
    found = _with_opening(marked, stated) if len(marked) >= len(stated) else stated
    return found[:MAX_POSTS]


def _of_microdata(root: html.HtmlElement) -> list[Post]:
    found: list[Post] = []
    for item in root.xpath("//*[@itemscope and @itemtype]"):
        kind = _kind_of(item)
        if kind and len(found) < MAX_POSTS:
            post = _post(kind, dict(_own(item)))
            if _is_complete(post):
                found.append(post)
    return found


def _kind_of(item: etree._Element) -> PostKind | None:
    types = (address.rpartition("/")[2] for address in (item.get("itemtype") or "").split())
    return next((_KINDS[name] for name in types if name in _KINDS), None)


def _own(item: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """The properties of an item by name, the first of each name, without those of other posts inside it."""
    seen = set()
    waiting = list(reversed(item))
    while waiting:
        element = waiting.pop()
        if not isinstance(element.tag, str):
            continue
        names = (element.get("itemprop") or "").split()
        if element.get("itemtype") and _kind_of(element):
            continue
        is_count = "InteractionCounter" in (element.get("itemtype") or "")
        if is_count:
            names = ["liked"] if _counts_likes(element) else []
        for name in names:
            if name not in seen:
                seen.add(name)
                yield name, element
        if not is_count:
            waiting += reversed(element)


def _counts_likes(counter: etree._Element) -> bool:
    types = counter.xpath(".//*[@itemprop='interactionType']")
    return any(_LIKED.search(kind.get("content") or kind.get("href") or "") for kind in types)


def _post(kind: PostKind, own: Props) -> Post:
    dates = (day(_value(own[name])) for name in _DATES if name in own)
    text = next((text_of(own[name]) for name in _TEXTS if name in own), "")
    rating = next((own[name] for name in ("ratingValue", "reviewRating") if name in own), None)
    return Post(
        kind=kind,
        author=_author(own),
        date=next(filter(None, dates), ""),
        votes=_votes(own),
        rating=number(_value(rating)) if rating is not None else None,
        text=text,
    )


def _author(own: Props) -> str:
    marked = own.get("author", own.get("creator"))
    if marked is None:
        return ""
    names = marked.xpath(".//*[@itemprop='name']")
    return author_of(_value(names[0]) if names else _value(marked))


def _votes(own: Props) -> int | None:
    if "upvoteCount" in own:
        upvotes = own["upvoteCount"]
        return whole_number(upvotes.get("data-value") or _value(upvotes))
    counts = own["liked"].xpath(".//*[@itemprop='userInteractionCount']") if "liked" in own else []
    return whole_number(_value(counts[0])) if counts else None


def _value(element: etree._Element) -> str:
    return element.get("content") or element.get("datetime") or line(" ".join(element.itertext()), 200)


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
    unique = {(post.author, post.date, post.text): post for post in found if _is_complete(post)}
    return list(unique.values())


def _stated_votes(node: Mapping[str, Any]) -> int | None:
    if "upvoteCount" in node:
        return whole_number(node["upvoteCount"])
    counters = node.get("interactionStatistic")
    for counter in counters if isinstance(counters, list) else [counters]:
        if isinstance(counter, dict) and _LIKED.search(str(counter.get("interactionType"))):
            return whole_number(counter.get("userInteractionCount"))
    return None


def _with_opening(posts: list[Post], stated: list[Post]) -> list[Post]:
    """Add the opening post from JSON-LD: XenForo's markup declares the replies only."""
    known = {_start(post) for post in posts}
    openings = [post for post in stated if post.kind in ("post", "question") and _start(post) not in known]
    has_opening = any(post.kind in ("post", "question") for post in posts)
    return posts if has_opening or not posts else [*openings[:1], *posts]


def _start(post: Post) -> str:
    return "".join(filter(str.isalnum, post.text))[:40]


def _is_complete(post: Post) -> bool:
    return bool(post.text and (post.author or post.date))
