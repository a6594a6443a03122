"""Text without characters that act instead of being read, for everything that comes from pages, models and callers.

Control characters command terminals, bidirectional overrides show text in another order than it has, tag characters
hide text from readers, and lone surrogates cannot be encoded. Whatever is stored, written into a document or printed
passes through here.
"""

import re
from typing import Final, TypeVar

from pydantic import BaseModel

from research_crawler.core.models.base import replaced

Model = TypeVar("Model", bound=BaseModel)

_SPACES: Final = "\x0b\x0c\x1c-\x1f\x85"
_LINES: Final = "\u2028\u2029"
_REMOVED: Final = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # C0, DEL and C1, without those that separate words
    "\u202a-\u202e\u2066-\u2069"  # bidirectional embeddings, overrides and isolates
    "\ufff9-\ufffb\ufeff"  # interlinear annotations, byte order mark
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # lone surrogates and noncharacters
)
_ACTING: Final = re.compile(f"[\r{_SPACES}{_LINES}{_REMOVED}]")
_TAGS: Final = re.compile("[\U000e0000-\U000e007f]+")
"""Apart from the others, because `re` is ten times slower with a class that goes beyond the first plane."""
_TAG_BYTES: Final = b"\xf3\xa0"
"""How tag characters, and some others that no page uses, begin in UTF-8."""
_READ: Final = bytes(sorted(set(range(0x20, 0x7F)) | set(b"\t\n")))
_ESCAPED_IN_JSON: Final = re.compile(r"\\(?:[rbf]|u00[01])")
"""What JSON writes for control characters, or for a backslash before one of these letters."""
_LINE: Final = re.compile(f"[{_LINES}]")
_SPACE: Final = re.compile(f"[{_SPACES}]")
_GONE: Final = re.compile(f"[{_REMOVED}]+")


def clean(text: str) -> str:
    """The text with its lines and tabs, without characters that act instead of being read."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Without the characters that are only read, which bytes.translate takes out fast, most pages are nearly empty.
    rest = text.encode("utf-8", "surrogatepass").translate(None, _READ)
    if not rest:
        return text
    if _ACTING.search(rest.decode("utf-8", "surrogatepass")):
        text = _GONE.sub("", _SPACE.sub(" ", _LINE.sub("\n", text)))
    return _TAGS.sub("", text) if _TAG_BYTES in rest else text


def clean_line(text: str) -> str:
    """The text as one line with single spaces, without characters that act instead of being read."""
    return " ".join(clean(text).split())


def escaped_json(document: str) -> str:
    """A JSON document with the characters that `clean` would change written as escape sequences."""
    return _ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def is_clean(model: BaseModel) -> bool:
    """Whether `cleaned` would change no text of a model's JSON: to look at its thousands of texts at once is faster."""
    try:
        document = model.model_dump_json()
    except ValueError:  # a lone surrogate, which JSON in UTF-8 cannot have
        return False
    return not _ESCAPED_IN_JSON.search(document) and clean(document) == document


def cleaned(model: Model) -> Model:
    """A model whose texts are clean, those of the models, lists and dictionaries inside it too."""
    changes = {}
    for name in type(model).model_fields:
        before = getattr(model, name)
        if (after := _cleaned(before)) is not before:
            changes[name] = after
    return replaced(model, **changes) if changes else model


def _cleaned(value: object) -> object:
    """The value with clean texts; the same object if there was nothing to clean."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, BaseModel):
        return cleaned(value)
    if isinstance(value, list | tuple):
        items = [_cleaned(item) for item in value]
        changed = any(new is not old for new, old in zip(items, value, strict=True))
        return type(value)(items) if changed else value
    if isinstance(value, dict):
        pairs = {_cleaned(key): _cleaned(item) for key, item in value.items()}
        changed = any(
            new is not old
            for pair, item in zip(pairs.items(), value.items(), strict=False)
            for new, old in zip(pair, item, strict=True)
        )
        return pairs if changed or len(pairs) != len(value) else value
    return value
