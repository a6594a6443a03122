"""Decide whether two goals are about the same kind of product.

Vectors alone cannot decide it: the packaged embedding model gives "quiet dishwasher" and "quiet washing machine"
0.78, "road bike" and "mountain bike" 0.90, and two wordings of the same goal 0.63 to 0.83. So the product must have
the same name in both goals, and they must share most of its words.
"""

from planner.goal.intent import priorities
from planner.goal.requirements import requirements_of
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import content_words, stem, terms
from research_crawler.text.measures.likeness import in_common
from research_crawler.text.offers.purchase import before_use

_SHARED = 0.5
"""Two goals are about the same product only if they share more than this part of their words."""
SAME_GOAL_MIN_COSINE = 0.6
"""Least cosine of two goals: two wordings of the same goal had 0.63 to 0.83, other products 0.39 to 0.64."""
NAMELESS = frozenset(
    (
        "brand",
        "deal",
        "good",
        "item",
        "model",
        "new",
        "offer",
        "one",
        "option",
        "pick",
        "price",
        "product",
        "thing",
    )
)
"""Stems of words that stand for any product."""


def thing_words(goal: str) -> list[str]:
    """Stems of the words that name the product, its kind last: `gaming`, `laptop`.

    Requirements, prices and words that rank ("best") are left out.
    """
    text = goal
    for requirement in requirements_of(goal):
        text = text.replace(requirement.text, " ")
    ranking = set(" ".join(priorities(goal)).split())
    head = before_use(text, limits=True)
    return [stem(word.lower()) for word in content_words(head, detect(goal)) if word.lower() not in ranking]


def is_same_thing(goal: str, other_goal: str) -> bool:
    """Whether findings for one goal can be used for the other."""
    words, other_words = thing_words(goal), thing_words(other_goal)
    if not words or not other_words or words[-1] != other_words[-1]:
        return False
    return in_common(set(words), set(other_words)) > _SHARED


def mentions_product(text: str, goal: str) -> bool:
    """Whether a text is about the kind of product that a goal asks for; true if the goal names no kind."""
    wanted = [word for word in thing_words(goal) if word not in NAMELESS]
    return not wanted or wanted[-1] in terms(text)
