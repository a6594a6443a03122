"""Posts of a thread that declares none: elements that come back, named as posts, with a name in each."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from lxml import etree, html

from research_crawler.core.models.pages import Post
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
_MAX_PLACES = 20
"""Of a post, where a name, a day, a count or its text may stand."""
_MAX_MEMBERS = 1_000
_WORDS_OF_NAME = 6
_DAY_WITHIN = re.compile(
    r"(?:19|20)\d{2}-\d{2}-\d{2}|(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
    r"\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?:19|20)\d{2}",
    re.I,
)


def read_drawn(root: html.HtmlElement) -> list[Post]:
    """The posts of the group that holds the most named ones; [] where no two have a name in them."""
    groups: dict[tuple[str, str], list[etree._Element]] = {}
    for one in root.iter("article", "div", "li", "tr", "table", "section"):
        for name in _names(one):
            if _POST.match(name):
                groups.setdefault((str(one.tag), re.sub(r"\d+", "#", name.lower())), []).append(one)
    read = [_posts(members) for members in groups.values() if 1 < len(members) <= _MAX_MEMBERS]
    return max((one for one in read if len(one) > 1), key=_worth, default=[])


def _worth(posts: list[Post]) -> tuple[int, int]:
    return len(posts), sum(bool(one.date) + (one.votes is not None) for one in posts)


def _posts(members: list[etree._Element]) -> list[Post]:
    each = set(members)
    found = [_post(one, each - {one}) for one in members]
    return [one for one in found if one.author and len(one.text) >= _LEAST_TEXT]


def _post(one: etree._Element, others: "set[etree._Element]") -> Post:
    own = list(_within(one, others))
    author = next(_authors(own, _is_member), None) or next(_authors(own, _names_author), None)
    bodies = islice((part for part in own if any(map(_BODY.search, _names(part)))), _MAX_PLACES)
    texts = [text_of(part, others) for part in bodies] or [text_of(one, others)]
    return Post(
        author=author or "",
        date=next(_days(own, _names_date), "") or next(_days(own, _names_author), ""),
        votes=next(_votes(own), None),
        text=max(texts, key=len),
    )


def _within(one: etree._Element, others: "set[etree._Element]") -> Iterator[etree._Element]:
    waiting = list(reversed(one))
    while waiting:
        part = waiting.pop()
        if isinstance(part.tag, str) and part not in others:
            yield part
            waiting += reversed(part)


def _is_member(part: etree._Element) -> bool:
    """A link to a member's own page is surer than a name: phpBB calls "Topic Author" an author."""
    return part.tag == "a" and _MEMBER.search(part.get("href") or "") is not None


def _names_author(part: etree._Element) -> bool:
    return part.get("rel") == "author" or any(_AUTHOR.search(name) for name in _names(part))


def _authors(own: Iterable[etree._Element], fits: Callable[[etree._Element], bool]) -> Iterator[str]:
    for part in islice(filter(fits, own), _MAX_PLACES):
        name = author_of(text_of(part))
        if name and len(name.split()) <= _WORDS_OF_NAME and not day(name):
            yield name


def _names_date(part: etree._Element) -> bool:
    return part.tag == "time" or any(_DATE.search(name) for name in _names(part))


def _days(own: Iterable[etree._Element], fits: Callable[[etree._Element], bool]) -> Iterator[str]:
    for part in islice(filter(fits, own), _MAX_PLACES):
        shown = _DAY_WITHIN.search(text_of(part)[:200])
        told = day(part.get("datetime")) or day(part.get("title")) or (day(shown[0]) if shown else "")
        if told:
            yield told


def _votes(own: Iterable[etree._Element]) -> Iterator[int]:
    for part in islice((one for one in own if any(map(_VOTES.search, _names(one)))), _MAX_PLACES):
        shown = text_of(part)
        count = whole_number(shown) if len(shown) <= 20 else None
        if count is not None:
            yield count


def _names(one: etree._Element) -> list[str]:
    return [*(one.get("class") or "").split(), *(one.get("id") or "").split()]
