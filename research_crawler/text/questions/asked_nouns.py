"""Read of which noun a question wants the value: `version` of "In which version was it introduced?".

A sentence gives a short value for a noun alone. "What does the setting do?" and "When can it be set?" name none, and no
word behind "is" or "set to" answers them.
"""

from itertools import dropwhile, takewhile

from research_crawler.text.languages.language import language_of
from research_crawler.text.questions.question import be_words, kind_words, question_kinds_in


def asked_nouns(text: str, language: str = "en") -> list[str]:
    """The words of the noun that a question asks for, or that a label is: those behind "what is the" or "which", up to
    the next function word; none where a verb follows ("what does it do")."""
    known, (low, kinds) = language_of(language), question_kinds_in(text, language)
    is_function = known.stop_words.__contains__
    place = next(iter(kinds), -1)
    behind = low[place + 1 :]
    if place < 0 or (behind and behind[0] in be_words(language)):
        behind = list(dropwhile(is_function, behind))
    elif kinds[place] != "which":
        return []
    return list(takewhile(lambda word: not is_function(word), behind))


def asks_description(text: str, language: str = "en") -> bool:
    """Whether a question or label asks what a thing is or does: "What does it do?", "What is it for?", "Purpose"."""
    low, kinds = question_kinds_in(text, language)
    described, nouns = kind_words("description", language), asked_nouns(text, language)
    stems = [language_of(language).stem(word) for word in low]
    if nouns and (nouns[-1] == low[-1] or not kinds):
        return all(language_of(language).stem(word) in described for word in nouns)
    return next(iter(kinds.values()), "") == "which" and stems[-1] in described
