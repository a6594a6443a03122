"""Tell a sentence that says of itself that it only follows from its quotes."""

import re
from typing import Final

_MARK: Final = re.compile(
    r"\b(?:(?:this|which|that|it|they|these|both|together)\s(?:together\s)?"
    r"(?:suggests?|impl(?:y|ies)|indicates?|points?\sto)|it\sfollows\s(?:that|from)|from\s(?:this|which)\sit\sfollows"
    r"|suggesting\sthat|implying\sthat|(?:das|dies|was|daraus)\s(?:legt\snahe|deutet\sdarauf\shin|folgt)"
    r"|(?:cela|ceci|ce\squi)\s(?:suggère|laisse\spenser|implique)|(?:esto|lo\sque|lo\scual)\s(?:sugiere|indica|implica)"
    r"|(?:ciò|questo|il\sche)\s(?:suggerisce|indica|implica)|(?:dit|dat|wat)\s(?:suggereert|wijst\serop|impliceert)"
    r"|(?:isto|isso|o\sque)\s(?:sugere|indica|implica)|(?:to|co)\s(?:sugeruje|wskazuje|oznacza))\b",
    re.I,
)
"""How a writer marks what follows, as the prompts of the writers ask for it, in the languages of reports."""


def is_marked_inference(text: str) -> bool:
    """Whether a sentence is marked as an inference: "This suggests that …"."""
    return _MARK.search(text) is not None
