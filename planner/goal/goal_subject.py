"""Complete a goal that names no subject of its own ("find me the cheapest one") with the topic of the caller."""

import re

from planner.goal.topic_match import NAMELESS, thing_words
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.text.languages.language import detect, language_of
from research_crawler.text.languages.words import WORD, content_words, stem, terms
from research_crawler.text.questions.subject import subject_of

MAX_TOPIC_WORDS = 12
"""So many words of the topic complete a goal that names no subject."""
_FEW_WORDS = 3
"""A goal with a pronoun and more words than this mostly names what its pronoun stands for."""
BRACKETED = re.compile(r"\(([^()]++)\)")


def asked_of(inputs: JobInputs) -> str:
    """The goal as searches and readers use it: with the topic, where the goal alone names no subject."""
    return goal_about(inputs.goal, inputs.topic)


def added_terms(inputs: JobInputs) -> list[str]:
    """The words of a follow-up question that the question before it has not; none for any other question."""
    if not inputs.about_job:
        return []
    language = detect(inputs.goal)
    known = frozenset(terms(inputs.prior_turn_context or inputs.topic, language))
    own = " ".join(content_words(inputs.goal, language))
    return [word for word in dict.fromkeys(terms(own, language)) if word not in known]


def goal_about(goal: str, topic: str) -> str:
    """The goal, with the topic before it if the goal alone does not say what it is about.

    It does not if it names nothing ("the cheapest one"), refers to something said before ("what does it cost?"), or
    names a kind of product of which the topic says more ("laptop", where the topic is "gaming laptop"). Of a topic that
    is a question itself only its content words are taken: it is answered already, and must not be answered again.
    """
    topic_words = " ".join(BRACKETED.findall(topic)) or topic
    words = content_words(topic_words) if topic_words.rstrip().endswith("?") else topic_words.split()
    about = " ".join(words[:MAX_TOPIC_WORDS])
    known = {stem(word.lower()) for word in content_words(goal)}
    if all(stem(word.lower()) in known for word in content_words(about)):
        return goal
    return f"{about}: {goal}" if _names_nothing(goal) or _is_kind_of(about, goal) else goal


def _names_nothing(goal: str) -> bool:
    if not set(thing_words(goal)) - NAMELESS:
        return True
    words = content_words(goal)
    return len(words) <= _FEW_WORDS and not subject_of(goal).words and _points_back(goal)


def _points_back(goal: str) -> bool:
    """Whether a goal has a word that points to something said before: "it", "those"."""
    referring = language_of(detect(goal)).back_referring_words
    return any(word.lower() in referring for word in WORD.findall(goal))


def _is_kind_of(topic: str, goal: str) -> bool:
    """Whether the topic and the goal name the same kind of product, the goal with fewer words."""
    own, wider = thing_words(goal), thing_words(topic)
    return bool(own and wider) and own[-1] == wider[-1] and set(own) < set(wider)
