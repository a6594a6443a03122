"""Whether two goals are about the same kind of product.

Meaning alone does not tell: the packaged embedding model gives "quiet dishwasher" and "quiet washing machine" 0.78,
"road bike" and "mountain bike" 0.90, and two wordings of one wish 0.63 to 0.83. So the thing itself must have the same
name, and most of its words must be shared.
"""

import re

from planner.goal.intent import priorities
from planner.goal.requirements import requirements_of
from planner.text.words import content_words, stem, terms

_SHARED = 0.5
"""More than this part of the words of both."""
ALIKE = 0.6
"""Least cosine of the goals: two wordings of one wish had 0.63 to 0.83, other things 0.39 to 0.64."""
_PREPOSITION = re.compile(
    r"\s(?:for|with|under|below|in|from|at|up to|für|mit|unter|bis|pour|avec|para|con)\s", re.I
)


def thing_words(goal: str) -> list[str]:
    """The words for the thing itself, its kind last: `gaming`, `laptop`; without wishes, prices and rankings."""
    text = goal
    for requirement in requirements_of(goal):
        text = text.replace(requirement.text, " ")
    ranking = set(" ".join(priorities(goal)).split())
    head = _PREPOSITION.split(f"{text} ", maxsplit=1)[0]
    return [stem(word.lower()) for word in content_words(head) if word.lower() not in ranking]


def is_same_thing(goal: str, other: str) -> bool:
    """Whether what is known for one goal serves the other."""
    one, two = thing_words(goal), thing_words(other)
    if not one or not two or one[-1] != two[-1]:
        return False
    shared = set(one) & set(two)
    return len(shared) > _SHARED * len(set(one) | set(two))


def speaks_of(text: str, goal: str) -> bool:
    """Whether a text is about the kind of product that a goal wants."""
    wanted = set(thing_words(goal))
    return bool(wanted) and wanted <= set(terms(text))
