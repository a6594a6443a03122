"""Attacks on regular expressions: strings made from a pattern's own parse tree, and how its time grows with them.

A string is a prefix that the pattern likes, a part repeated many times, and a tail at which it fails. The parts are
what the pattern itself mentions: its characters, what its repeated groups match, each beginning of a whole match.
"""

import contextlib
import math
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from re import _constants as codes
from re import _parser as parser
from types import FrameType
from typing import Any

Use = Callable[[re.Pattern[Any], Any], object]

SIZE = 8_000
"""Characters of a pumped string. On it a quadratic pattern takes 15 ms at the least, most linear ones under 1 ms."""
QUICK_S = 0.002
"""A pattern that needs less on `SIZE` characters is not measured further."""
QUICK_QUARTER_S = 0.0003
"""A pattern that needs less on a quarter of `SIZE` is not measured on `SIZE`: a quadratic one needs 1 ms there."""
LONGEST_S = 0.6
"""A pattern that needs longer on four times `SIZE` characters each time has failed, whatever its growth."""
SUSPICIOUS_GROWTH = 7.0
"""A pattern whose time grows less with four times the length is not measured further: 4 is linear, 16 quadratic."""
MOST_GROWTH = 64.0
"""The most that time may grow with sixteen times the length: 16 is linear, 256 quadratic; a busy machine adds some."""
ROUNDS = 4
_EXTRA = " a0.-_\n\tA<>\"'/é,"
_TAILS = ("", "\x01", "\n!", " x")
_MOST_STRINGS = 100
"""How many strings are tried on a pattern in a round."""


class TooLong(Exception):
    """The pattern was interrupted."""


def search(pattern: re.Pattern[Any], text: Any) -> None:
    """Look for every match, as `finditer`, `sub` and `split` do: an attempt at each position."""
    for _ in pattern.finditer(text):
        pass


def match(pattern: re.Pattern[Any], text: Any) -> None:
    """Match at the start only."""
    pattern.match(text)


def fullmatch(pattern: re.Pattern[Any], text: Any) -> None:
    """Match the whole text."""
    pattern.fullmatch(text)


def slow_string(pattern: re.Pattern[Any], use: Use, *, rounds: int = 1) -> str | None:
    """A description of a string whose time grows faster than its length; None if none was found."""
    for prefix, part, tail in {
        attack: None for number in range(rounds) for attack in attacks(pattern, number)
    }:
        if grows(pattern, use, prefix, part, tail):
            return f"{prefix[:60]!r} + {part[:60]!r} * n + {tail!r}"
    return None


def grows(pattern: re.Pattern[Any], use: Use, prefix: str, part: str, tail: str) -> bool:
    """Whether the time on the pumped string grows faster than its length."""

    def seconds(size: int) -> float:
        text: Any = prefix + part * max(1, size // len(part)) + tail
        return cpu_seconds(use, pattern, text if isinstance(pattern.pattern, str) else text.encode())

    if seconds(SIZE // 4) < QUICK_QUARTER_S or (first := seconds(SIZE)) < QUICK_S:
        return False
    if first < math.inf and first < SUSPICIOUS_GROWTH * seconds(SIZE // 4):
        return False
    # Noise only adds time, so the least of several rounds is nearest to the truth.
    long = min(seconds(4 * SIZE) for _ in range(ROUNDS if first < math.inf else 2))
    return long == math.inf or long > MOST_GROWTH * min(seconds(SIZE // 4) for _ in range(ROUNDS))


def cpu_seconds(use: Use, pattern: re.Pattern[Any], text: Any) -> float:
    """Processor time of one use, infinite after `LONGEST_S`: `re` can be interrupted between its steps."""
    try:
        with interrupted_after(LONGEST_S):
            before = time.thread_time()
            use(pattern, text)
            return time.thread_time() - before
    except TooLong:
        return math.inf


@contextlib.contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raise TooLong in the block after so much processor time."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise TooLong

    known = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, known)


def attacks(pattern: re.Pattern[Any], number: int = 0) -> list[tuple[str, str, str]]:
    """(prefix, part, tail) of strings that may be slow for a pattern, always the same ones for a number."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    flags = pattern.flags & ~re.UNICODE if not isinstance(pattern.pattern, str) else pattern.flags
    tree = parser.parse(source, flags & ~re.DEBUG)
    dice = random.Random(f"{number} {source}".encode("utf-8", "surrogatepass"))
    letters = "".join(dict.fromkeys(char for node in walk(tree) for char in characters(node)))
    found: dict[tuple[str, str, str], None] = {}
    for prefix, body in repeats(tree, dice):
        for part in dict.fromkeys((body, *(sample(tree, dice, most=most) for most in (0, 1)))):
            for tail in _TAILS:
                found[prefix, part, tail] = None
    starts = {
        sample(tree, dice, most=most)[:end] for most in (0, 1, 2) for end in (1, 2, 3, 4, 6, 9, 14, 20, 40)
    }
    for part in sorted(starts):
        found["", part, ""] = None
    alphabet = "".join(dict.fromkeys(letters[:12] + _EXTRA))
    for char in alphabet:
        for tail in ("", "\x01", "x"):
            found["", char, tail] = None
    pairs = [one + other for one in alphabet for other in alphabet if one != other]
    for part in dice.sample(pairs, min(30, len(pairs))):
        found["", part, "\x01"] = None
    strings = [attack for attack in found if attack[1]]
    first, rest = strings[: _MOST_STRINGS // 3], strings[_MOST_STRINGS // 3 :]
    return first + dice.sample(rest, min(_MOST_STRINGS - len(first), len(rest)))


def walk(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every node of a parse tree."""
    for node in tree:
        yield node
        for inner in children(node):
            yield from walk(inner)


def children(node: tuple[Any, Any]) -> list[Any]:
    """The subtrees of a node."""
    code, value = node
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.GROUPREF_EXISTS:
        return [part for part in value[1:] if part is not None]
    return []


def repeats(tree: Any, dice: random.Random, prefix: str = "") -> Iterator[tuple[str, str]]:
    """For each repeated part: a string that leads to it, and a string that it matches."""
    for node in tree:
        code, value = node
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT) and value[1] > 8:
            for most in (0, 1, 1):
                yield prefix, sample(value[2], dice, most=most)
        for inner in children(node):
            yield from repeats(inner, dice, prefix)
        prefix += sample([node], dice, most=1)


def sample(tree: Any, dice: random.Random, *, most: int) -> str:
    """A string that the tree matches, or nearly; its repeats are made `most` times beyond their least."""
    return "".join(_sample(node, dice, most) for node in tree)


def _sample(node: tuple[Any, Any], dice: random.Random, most: int) -> str:
    code, value = node
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        least, limit, inner = value
        times = min(least + most, int(limit), 40)
        return "".join(sample(inner, dice, most=most) for _ in range(times))
    if code is codes.SUBPATTERN:
        return sample(value[3], dice, most=most)
    if code is codes.BRANCH:
        return sample(dice.choice(value[1]), dice, most=most)
    if code is codes.ATOMIC_GROUP:
        return sample(value, dice, most=most)
    if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
        return dice.choice(characters(node))
    return ""


_CLASSES = {
    codes.CATEGORY_DIGIT: "05",
    codes.CATEGORY_NOT_DIGIT: "a ",
    codes.CATEGORY_SPACE: " \n",
    codes.CATEGORY_NOT_SPACE: "a.",
    codes.CATEGORY_WORD: "a0_",
    codes.CATEGORY_NOT_WORD: " .",
}


def characters(node: tuple[Any, Any]) -> str:
    """Some characters that a node of one character matches; "" for other nodes."""
    code, value = node
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.ANY:
        return "a "
    if code is codes.NOT_LITERAL:
        return "".join(char for char in "a .<0" if ord(char) != value)
    if code is not codes.IN:
        return ""
    named = [item for item in value if item[0] is not codes.NEGATE]
    if len(named) < len(value):
        refused = re.compile(_class_source(named), re.S)
        return "".join(char for char in 'a .<0\n-"' if not refused.match(char)) or "é"
    return "".join(_of_class(item) for item in named)[:12] or "a"


def _of_class(item: tuple[Any, Any]) -> str:
    code, value = item
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.RANGE:
        return chr(value[0]) + chr(value[1])
    return _CLASSES.get(value, "")


def _class_source(items: list[tuple[Any, Any]]) -> str:
    names = {
        codes.CATEGORY_DIGIT: r"\d",
        codes.CATEGORY_NOT_DIGIT: r"\D",
        codes.CATEGORY_SPACE: r"\s",
        codes.CATEGORY_NOT_SPACE: r"\S",
        codes.CATEGORY_WORD: r"\w",
        codes.CATEGORY_NOT_WORD: r"\W",
    }
    parts = []
    for code, value in items:
        if code is codes.LITERAL:
            parts.append(re.escape(chr(value)))
        elif code is codes.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        else:
            parts.append(names[value])
    return f"[{''.join(parts)}]"
