"""Words of a text as rankers compare them, and the words of a question that carry its meaning."""

import re
from collections.abc import Iterable

WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*")
CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
"""Scripts written without spaces (Korean mixes): compared by pairs of characters."""

STOPWORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being below
    between both but by can cannot could did do does doing don't down during each either else ever few for
    from further get gets give given had has have having he her here hers him his how however i i'm if in
    into is it it's its itself just let like may me might mine more most much must my myself no nor not of
    off on once one only or other ought our ours out over own per please same shall she should so some such
    tell than that the their theirs them then there these they this those through to too under until up upon
    us very want was we were what when where whether which while who whom whose why will with would you your
    yours aber als am an auch auf aus bei bin bis das dass dem den der des die doch dort du durch ein eine
    einem einen einer eines er es für hat ich ihr im in ist ja kann kein keine man mehr mich mir mit nach
    nicht noch nur ob oder ohne sehr sich sie sind so über um und uns von vor war warum was wenn wer wie
    wird wo wurde zu zum zur au aux avec ce ces cette comme dans de des du elle en est et il ils je la le
    les leur lui mais ne nous on ou par pas pour qu que qui sa se ses son sont sur un une vous con como cual
    cuando del donde el ella en es esta este hay la las los más me mi muy no nos para pero por porque qué
    que quién se sin sobre son su sus te un una y yo
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Function words of English, German, French and Spanish: they say nothing about what a text is about."""

ASKING = frozenset(
    """
    buy cheaply describe discuss discussion explain find finding give help info investigate know learn list
    look looking need provide question questions recommend research say show summarise summarize tell thing
    things understand wonder
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words of asking rather than of the subject: left out of a search query."""

MIN_STEM = 3


def words(text: str) -> list[str]:
    """Lower-case words of a text; a model name such as `RX-480` gives the whole and its parts."""
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
    """Stemmed words of a text without function words: what rankers count."""
    return [stem(word) for word in words(text) if word not in STOPWORDS]


def stem(word: str) -> str:
    """A word without the commonest English endings (after Harman's S-stemmer, with -ing, -ed and -ly)."""
    if not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > MIN_STEM + 2:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > MIN_STEM:
        word = word[:-2] if word.endswith(("xes", "ches", "shes", "sses")) else word[:-1]
    for ending in ("ing", "ed", "ly"):
        if word.endswith(ending) and len(word) - len(ending) > MIN_STEM:
            word = word[: -len(ending)]
            # "stopped" and "stop", but "filled" and "fill"
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word
    return word.removesuffix("e") if len(word) > MIN_STEM + 1 else word


def content_words(text: str) -> list[str]:
    """Words as written that carry meaning, each once, in order: no function words, none of asking."""
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
    """Share of the wanted stems that a text has, 0 to 1; 1 where nothing is wanted."""
    need = set(wanted)
    return len(need & set(terms(text))) / len(need) if need else 1.0
