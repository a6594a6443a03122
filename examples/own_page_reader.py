"""A reader of pages in one function: bytes of subtitles (SubRip, `.srt`) become the text that is spoken.

Declared as an entry point of a package that is installed beside the crawler, it reads such pages in every job:

    [project.entry-points."research_crawler.page_readers"]
    subtitles = "own_page_reader:READER"

python examples/own_page_reader.py
"""

from collections.abc import Mapping

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import PageText
from research_crawler.core.text.plain_text import clean_line
from research_crawler.extraction.formats.page_readers import PageReader

FIRST_BYTES = 200


def is_subtitles(body: bytes, headers: Mapping[str, str]) -> bool:
    """Whether a body is subtitles: its first cue has a time, whatever the server calls it."""
    return body.lstrip(b"\xef\xbb\xbf").startswith(b"1") and b" --> " in body[:FIRST_BYTES]


def read_subtitles(body: bytes, headers: Mapping[str, str], max_chars: int) -> PageText:
    """The spoken lines, without their numbers and times."""
    lines = (clean_line(line) for line in body.decode("utf-8", "replace").splitlines())
    text = "\n".join(line for line in lines if line and not line.isdecimal() and " --> " not in line)
    if not text:
        raise PageUnreadable(Reason.NO_TEXT)
    return PageText(markdown=text[:max_chars], text=text[:max_chars], title=text.split("\n", 1)[0])


READER = PageReader(name="subtitles", reads=is_subtitles, read=read_subtitles)


def main() -> None:
    """Read two cues."""
    body = b"1\n00:00:01,000 --> 00:00:03,000\nHand grinders\n\n2\n00:00:03,000 --> 00:00:05,000\nSeven tested.\n"
    assert READER.reads(body, {})
    print(READER.read(body, {}, 1_000).text)


if __name__ == "__main__":
    main()
