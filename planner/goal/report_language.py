"""Find the language in which a goal is written, so that its report is in the same one."""

from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.text.languages.language import detect
from research_crawler.text.writing.messages import Messages


def report_language(goal: str, asked: str = "en") -> str:
    """The caller's language, unless that is English (the default) and the goal is written in another one.

    A goal has too few words for statistics of letters; its function words show the language.
    """
    if asked and asked[:2].lower() != "en":
        return asked[:2].lower()
    return detect(goal)


def detected_language(text: str) -> str:
    """The language that the function words of a text show; "" where there are too few of them."""
    return detect(text, "")


def messages_of(inputs: JobInputs) -> Messages:
    """What code writes about a job, in the language of its goal."""
    return Messages(report_language(inputs.goal, inputs.language))
