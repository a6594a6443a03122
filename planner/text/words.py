"""Split text into the words that rankers compare, and find the words of a question that carry its meaning."""

import re
from collections.abc import Iterable
from functools import lru_cache

import stopwordsiso
from snowballstemmer import stemmer

WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*")
CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
"""Characters of scripts written without spaces (Korean uses some); such text is compared by pairs of characters."""

MEANINGFUL = frozenset(
    """
    ai amount area areas best better big bill bottom call case cases cause causes changes clear computer copy
    course cry date detail different early effect empty end example face facts fill fire fix free front full gb
    general good goods great greater greatest group groups high higher highest home homepage ill important index
    information interest invention join keep keys kg kind km large last later latest length less line little
    long longer longest low lower member members men mg microsoft mill million ml mm move mug name near new newer
    newest next novel number numbers old older oldest open opened opening opens opposite order ordered orders page
    pages part parts past place places point points possible present problem problems quickly recent results
    right ring room rooms run second section self serious seven shell side sides significant similar site small
    smaller smallest state states stop system test text thick thin third thoughts thousand tip today top turn tv uk
    useful value versus web website width words work worked working works world year years young younger youngest zero
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""English stop words of stopwordsiso that a question may be about. The list is made for long texts; questions are
short."""

STOPWORDS = frozenset(
    word for word in stopwordsiso.stopwords(("en", "de", "fr", "es")) - MEANINGFUL if not word.isdigit()
)
"""Function words of English, German, French and Spanish, which do not show what a text is about."""

ASKING = frozenset(
    """
    buy cheaply describe discuss discussion explain find finding give help info investigate know learn list
    look looking need provide question questions recommend research say show summarise summarize tell thing
    things understand wonder
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words that ask rather than name a subject: they are left out of search queries."""


def words(text: str) -> list[str]:
    """Lower-case words of a text; a model name such as `RX-480` gives itself and its parts."""
    found: list[str] = []
    for match in WORD.findall(text.lower()):
        if CJK.search(match):
            found += [match[i : i + 2] for i in range(max(1, len(match) - 1))]
            continue
        word = match.replace("’", "'").removesuffix("'s")
        found.append(word)
        if parts := [part for part in re.split(r"[-.']", word) if part and part != word]:
            found += parts
    return found


def terms(text: str) -> list[str]:
    """Stemmed words of a text without function words, as rankers count them."""
    return [stem(word) for word in words(text) if word not in STOPWORDS]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The English stem of a word (Snowball's English stemmer, also known as Porter2)."""
    return stemmer("english").stemWord(word) if word.isascii() and word.isalpha() else word


def content_words(text: str) -> list[str]:
    """The words that carry meaning, as written, each once, in order: without function words and words of asking."""
    kept: dict[str, str] = {}
    for word in WORD.findall(text):
        low = word.lower().replace("’", "'")
        bare = low.removesuffix("'s")
        if (
            bare not in STOPWORDS
            and bare not in ASKING
            and (len(bare) > 1 or bare.isdigit() or CJK.match(bare))
        ):
            kept.setdefault(stem(bare), word if low == bare else word[:-2])
    return list(kept.values())


def overlap(wanted: Iterable[str], text: str) -> float:
    """Share of the wanted stems that a text contains, 0 to 1; 1 if none is wanted."""
    need = set(wanted)
    return len(need & set(terms(text))) / len(need) if need else 1.0
