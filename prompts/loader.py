"""Prompts as files: front matter that is the recipe, four sections, placeholders that must all be filled."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, Self

from research_crawler.core.models.base import Frozen, replaced

NEVER_SHORTENED: Final = frozenset(
    {"goal", "intent", "schema", "fence", "allowed"}
    | {"remaining_searches", "remaining_visits", "elapsed_time", "max_time", "iteration", "max_iterations"}
)
"""Row 1.7: goal, intent and limits stay whole, however long the rest."""
SECTIONS: Final = ("Task", "Inputs", "Constraints", "Output schema")
NOTHING: Final = "(none yet)"
BYTES_PER_TOKEN: Final = 3
"""Tokenizers of current models make 3.5 to 4.5 bytes of English a token, and about 3 of other scripts."""
_FRONT = re.compile(r"---\n(?P<front>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


class Entries(Frozen):
    """A document made of entries that may be left out, those of the least worth first, older before newer."""

    items: list[str]
    worth: list[float]
    """One per item, 0 to 1."""
    before: str = ""
    after: str = ""
    """Lines around the entries, which stay whatever is left out."""

    def without(self, dropped: set[int]) -> str:
        """The rest, one entry a line, and how many are missing."""
        lines = [item for i, item in enumerate(self.items) if i not in dropped]
        if dropped:
            lines.append(f"({len(dropped)} more left out)")
        return "\n".join(filter(None, [self.before, "\n".join(lines) or NOTHING, self.after]))


Document = str | Entries


class Recipe(Frozen):
    """What a role reads and writes, as the front matter says."""

    recipe: str
    role: Literal["mind", "reflex"]
    inputs: list[str]
    """Documents of the job (row 1.7)."""
    output: str
    token_budget: int
    """Most tokens of the rendered prompt; longer inputs are shortened."""
    shorten: list[str]
    """Placeholders whose content may be shortened; the first named gives way first."""

    def changed(self, *, token_budget: int, shorten: list[str]) -> Self:
        """A copy with the given values."""
        return replaced(self, token_budget=token_budget, shorten=shorten)


class Prompt(Frozen):
    """One prompt file: what goes into the system message, and the inputs that go into the user message."""

    name: str
    recipe: Recipe
    system: str
    user: str

    @property
    def placeholders(self) -> frozenset[str]:
        """Every name that `render` must be given."""
        return frozenset(_PLACE.findall(self.system + self.user))

    def joined(self, other: "Prompt") -> "Prompt":
        """Both as one prompt: this one's recipe, with room for the other's."""
        recipe = self.recipe.changed(
            token_budget=self.recipe.token_budget + other.recipe.token_budget,
            shorten=[*self.recipe.shorten, *other.recipe.shorten],
        )
        return Prompt(
            name=f"{self.name}+{other.name}",
            recipe=recipe,
            system=f"{self.system}\n\n{other.system}",
            user=f"{self.user}\n\n{other.user}",
        )

    def render(
        self,
        documents: Mapping[str, Document],
        *,
        token_budget: int | None = None,
        count: Callable[[str], int] | None = None,
    ) -> tuple[str, str]:
        """System and user message with every placeholder filled, within the token budget where it can be.

        Args:
            documents: exactly the placeholders, no more and no less.
            token_budget: instead of the recipe's.
            count: tokens of a text; an estimate by length if not given.

        Raises:
            ValueError: a placeholder is not filled, or a document has no place.
        """
        if wrong := self.placeholders ^ documents.keys():
            raise ValueError(f"prompt {self.name}: {', '.join(sorted(wrong))} missing or without a place")
        counted = count or estimate_tokens
        fixed = counted(_PLACE.sub("", self.system + self.user))
        texts = _shortened(
            documents, self.recipe.shorten, (token_budget or self.recipe.token_budget) - fixed, counted
        )
        return _filled(self.system, texts), _filled(self.user, texts)


@cache
def load(name: str) -> Prompt:
    """The prompt of a file in this package.

    Raises:
        ValueError: the file lacks front matter or a section, or would shorten what must stay whole.
    """
    text = Path(__file__).with_name(f"{name}.md").read_text("utf-8")
    return parse(name, text)


def parse(name: str, text: str) -> Prompt:
    """A prompt from the text of its file."""
    found = _FRONT.fullmatch(text)
    if not found:
        raise ValueError(f"prompt {name} has no front matter")
    recipe = _recipe(found["front"])
    if kept := NEVER_SHORTENED & set(recipe.shorten):
        raise ValueError(f"prompt {name} would shorten {', '.join(sorted(kept))}")
    title, sections = _sections(found["body"])
    if tuple(sections) != SECTIONS:
        raise ValueError(f"prompt {name} has the sections {', '.join(sections)}, not {', '.join(SECTIONS)}")
    told = [f"## {section}\n{sections[section]}" for section in SECTIONS if section != "Inputs"]
    return Prompt(
        name=name,
        recipe=recipe,
        system="\n\n".join([title, *told]),
        user=f"## Inputs\n{sections['Inputs']}",
    )


def first_tokens(text: str, tokens: int) -> str:
    """The beginning of a text that `estimate_tokens` takes for so many tokens."""
    return text.encode()[: tokens * BYTES_PER_TOKEN].decode(errors="ignore")


def estimate_tokens(text: str) -> int:
    """Tokens of a text by its length in bytes, on the high side."""
    return len(text.encode()) // BYTES_PER_TOKEN + 1


def _recipe(front: str) -> Recipe:
    values = dict(line.split(":", 1) for line in front.splitlines())
    lists = {
        key: [word.strip() for word in values[key].split(",") if word.strip()]
        for key in ("inputs", "shorten")
    }
    return Recipe.model_validate({key: value.strip() for key, value in values.items()} | lists)


def _sections(body: str) -> tuple[str, dict[str, str]]:
    title, *rest = _SECTION.split(body.strip())
    return title.strip(), {
        name.strip(): text.strip() for name, text in zip(rest[::2], rest[1::2], strict=True)
    }


def _filled(template: str, texts: Mapping[str, str]) -> str:
    # One pass: a page that contains {{goal}} is not filled in again.
    return re.sub(r"\n{3,}", "\n\n", _PLACE.sub(lambda place: texts[place[1]], template)).strip()


def _shortened(
    documents: Mapping[str, Document], order: Sequence[str], budget: int, count: Callable[[str], int]
) -> dict[str, str]:
    """The documents as texts; entries are left out by worth, then the first texts of `order` are cut."""
    entries = {name: document for name, document in documents.items() if isinstance(document, Entries)}
    dropped: dict[str, set[int]] = {name: set() for name in entries}
    texts = {name: _whole(document) for name, document in documents.items()}
    over = sum(count(text) for text in texts.values()) - budget
    for name, i in _by_worth(entries, order):
        if over <= 0:
            break
        dropped[name].add(i)
        over -= count(entries[name].items[i])
        texts[name] = entries[name].without(dropped[name])
    for name in order:
        if over > 0 and isinstance(documents.get(name), str):
            before = count(texts[name])
            texts[name] = _cut(texts[name], max(0, before - over))
            over -= before - count(texts[name])
    return texts


def _whole(document: Document) -> str:
    return (document.strip() or NOTHING) if isinstance(document, str) else document.without(set())


def _by_worth(entries: Mapping[str, Entries], order: Sequence[str]) -> list[tuple[str, int]]:
    places = [
        (worth, order.index(name), i, name)
        for name, document in entries.items()
        if name in order
        for i, worth in enumerate(document.worth)
    ]
    return [(name, i) for _, _, i, name in sorted(places)]


def _cut(text: str, tokens: int) -> str:
    """The end of a text: what was said last counts most."""
    if not tokens:
        return NOTHING
    kept = text.encode()[-tokens * BYTES_PER_TOKEN :].decode(errors="ignore")
    return f"… {kept.split(' ', 1)[-1]}"
