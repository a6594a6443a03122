"""Infers the posts of a thread that declares none from repeated elements that are named like posts."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from lxml import etree, html

from research_crawler.core.models.pages import Post
from research_crawler.extraction.metadata.membership import is_since_label, names_since, says_since
from research_crawler.extraction.metadata.page_names import day
from research_crawler.extraction.posts.post_text import author_of, text_of, whole_number

_POST = re.compile(
    r"^(?:post|message|comment|reply|answer|entry)(?:[-_]?(?:\d+|item|container|wrapper|row|block|holder))?$"
    r"|^(?:forum|thread|b)[-_]?(?:post|comment)$",
    re.I,
)
_AUTHOR = re.compile(r"author|user-?name|poster|nick-?name|display-?name|postedby|member-?name", re.I)
_DATE = re.compile(r"date|time|posted|when|stamp", re.I)
_VOTES = re.compile(r"vote|score|likes?\b|points|karma|thumbs", re.I)
_BODY = re.compile(r"content|body|text|message", re.I)
_MEMBER = re.compile(r"/(?:u|user|users|member|members|profile|profiles)/|memberlist\.php|member\.php", re.I)
_LEAST_TEXT = 15
_MAX_CANDIDATES = 20
"""The number of elements of a post that are tried for its author, date, votes or text."""
_MAX_MEMBERS = 1_000
_MAX_NAME_WORDS = 6
_DAY_WITHIN = re.compile(
    r"(?:19|20)\d{2}-\d{2}-\d{2}|(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
    r"\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?:19|20)\d{2}",
    re.I,
)


def infer_posts(root: html.HtmlElement) -> list[Post]:
    """The posts of the group with the most authors; [] if no group has two posts with an author."""
    groups: dict[tuple[str, str], list[etree._Element]] = {}
    for element in root.iter("article", "div", "li", "tr", "table", "section"):
        for name in _names(element):
            if _POST.match(name):
                groups.setdefault((str(element.tag), re.sub(r"\d+", "#", name.lower())), []).append(element)
    threads = [_posts(members) for members in groups.values() if 1 < len(members) <= _MAX_MEMBERS]
    return max((posts for posts in threads if len(posts) > 1), key=_completeness, default=[])


def _completeness(posts: list[Post]) -> tuple[int, int]:
    return len(posts), sum(bool(post.date) + (post.votes is not None) for post in posts)


def _posts(members: list[etree._Element]) -> list[Post]:
    each = set(members)
    found = [_post(member, each - {member}) for member in members]
    return [post for post in found if post.author and len(post.text) >= _LEAST_TEXT]


def _post(element: etree._Element, others: "set[etree._Element]") -> Post:
    own = list(_within(element, others))
    author = next(_authors(own, _is_member), None) or next(_authors(own, _names_author), None)
    bodies = islice((part for part in own if any(map(_BODY.search, _names(part)))), _MAX_CANDIDATES)
    texts = [text_of(part, others) for part in bodies] or [text_of(element, others)]
    return Post(
        author=author or "",
        date=next(_days(own, _names_date), "") or next(_days(own, _names_author), ""),
        votes=next(_votes(own), None),
        text=max(texts, key=len),
    )


def _within(element: etree._Element, others: "set[etree._Element]") -> Iterator[etree._Element]:
    waiting = list(reversed(element))
    while waiting:
        part = waiting.pop()
        if isinstance(part.tag, str) and part not in others:
            yield part
            waiting += reversed(part)


def _is_member(part: etree._Element) -> bool:
    """Whether an element links to a member's page. phpBB has class "author" on "Topic Author" too."""
    return part.tag == "a" and _MEMBER.search(part.get("href") or "") is not None


def _names_author(part: etree._Element) -> bool:
    return part.get("rel") == "author" or any(_AUTHOR.search(name) for name in _names(part))


def _authors(own: Iterable[etree._Element], fits: Callable[[etree._Element], bool]) -> Iterator[str]:
    for part in islice(filter(fits, own), _MAX_CANDIDATES):
        name = author_of(text_of(part))
        if name and len(name.split()) <= _MAX_NAME_WORDS and not day(name):
            yield name


def _names_date(part: etree._Element) -> bool:
    return part.tag == "time" or any(_DATE.search(name) for name in _names(part))


def _days(own: Iterable[etree._Element], fits: Callable[[etree._Element], bool]) -> Iterator[str]:
    for part in islice(filter(fits, own), _MAX_CANDIDATES):
        if _tells_membership(part):
            continue
        shown = _DAY_WITHIN.search(text_of(part)[:200])
        date = day(part.get("datetime")) or day(part.get("title")) or (day(shown[0]) if shown else "")
        if date:
            yield date


def _tells_membership(part: etree._Element) -> bool:
    """Whether a date says since when the author has been a member, or when he was last seen."""
    parent, before = part.getparent(), part.getprevious()
    if any(names_since(" ".join(_names(element))) for element in (part, parent) if element is not None):
        return True
    if says_since(text_of(part)):
        return True
    if before is None:
        label = parent.text if parent is not None else ""
    else:
        label = before.tail if (before.tail or "").strip() else text_of(before)
    return is_since_label(label or "")


def _votes(own: Iterable[etree._Element]) -> Iterator[int]:
    for part in islice((part for part in own if any(map(_VOTES.search, _names(part)))), _MAX_CANDIDATES):
        shown = text_of(part)
        count = whole_number(shown) if len(shown) <= 20 else None
        if count is not None:
            yield count


def _names(element: etree._Element) -> list[str]:
    return [*(element.get("class") or "").split(), *(element.get("id") or "").split()]
