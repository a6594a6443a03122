"""Load prompt files: a recipe as front matter, four sections, and placeholders that must all be filled.

What a role is told in every call of every job stands first, as the system message, so that a provider can cache it:
whatever differs from call to call stands in the user message.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

from research_crawler.core.models.base import Frozen

NEVER_SHORTENED: Final = frozenset(
    {"goal", "today", "intent", "schema", "fence", "allowed"}
    | {"remaining_searches", "remaining_visits", "elapsed_time", "max_time", "iteration", "max_iterations"}
)
"""Placeholders that are never shortened: goal, intent, limits and the like."""
SECTIONS: Final = ("Task", "Inputs", "Constraints", "Output schema")
NOTHING: Final = "(none yet)"
BYTES_PER_TOKEN: Final = 3
"""A token of current models has 3.5 to 4.5 bytes of English text, and about 3 bytes of other scripts."""
_FRONT = re.compile(r"---\n(?P<front>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_INPUT = re.compile(r"^(?=### )", re.MULTILINE)
_RULE = re.compile(r"\n(?! )")
"""Where a rule ends: its further lines are indented."""
INPUTS: Final = "## Inputs\n"
_OF_THE_CALL: Final = "### For This Call"


class Entries(Frozen):
    """A document of entries that may be left out: those with the least worth first, older ones before newer ones."""

    items: list[str]
    worth: list[float]
    """One per item, 0 to 1."""
    before: str = ""
    after: str = ""
    """Lines before and after the entries, which are never left out."""

    def without(self, dropped: set[int]) -> str:
        """The text without the dropped entries: one entry per line, and how many are missing."""
        lines = [item for i, item in enumerate(self.items) if i not in dropped]
        if dropped:
            lines.append(f"({len(dropped)} more left out)")
        return "\n".join(filter(None, [self.before, "\n".join(lines) or NOTHING, self.after]))


Document = str | Entries


class Recipe(Frozen):
    """What a role reads and writes, from the front matter of its prompt."""

    recipe: str
    role: Literal["mind", "reflex"]
    inputs: list[str]
    """Names of the job's documents that the role reads."""
    output: str
    token_budget: int
    """Most tokens of the rendered prompt; longer inputs are shortened."""
    shorten: list[str]
    """Placeholders whose content may be shortened, the first one first."""


class Prompt(Frozen):
    """One prompt file: the system message, which is the same in all calls, and the user message with the inputs."""

    name: str
    recipe: Recipe
    title: str
    rules: dict[str, str]
    """By section: what a role is told in every call."""
    user: str

    @property
    def system(self) -> str:
        """The system message."""
        return "\n\n".join([self.title, *(f"## {name}\n{text}" for name, text in self.rules.items())])

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of all documents that `render` needs."""
        return frozenset(_PLACE.findall(self.user))

    def joined(self, added: "Prompt") -> "Prompt":
        """Both prompts as one, with this one's title and recipe, and the sum of both token budgets."""
        recipe = self.recipe.changed(
            token_budget=self.recipe.token_budget + added.recipe.token_budget,
            shorten=[*self.recipe.shorten, *added.recipe.shorten],
        )
        return Prompt(
            name=f"{self.name}+{added.name}",
            recipe=recipe,
            title=self.title,
            rules={name: f"{text}\n{added.rules[name]}".strip() for name, text in self.rules.items()},
            user=f"{self.user}\n\n{added.user.removeprefix(INPUTS)}".strip(),
        )

    def render(
        self,
        documents: Mapping[str, Document],
        *,
        token_budget: int | None = None,
        count: Callable[[str], int] | None = None,
    ) -> tuple[str, str]:
        """The system and the user message with all placeholders filled, within the token budget if possible.

        Args:
            documents: one document for each placeholder.
            token_budget: replaces that of the recipe.
            count: counts the tokens of a text; by default an estimate from its length.

        Raises:
            ValueError: a placeholder has no document, or a document no placeholder.
        """
        if wrong := self.placeholders ^ documents.keys():
            raise ValueError(
                f"prompt {self.name}: placeholders and documents do not match: {', '.join(sorted(wrong))}"
            )
        counted = count or estimate_tokens
        fixed = counted(self.system + _PLACE.sub("", self.user))
        texts = _shortened(
            documents, self.recipe.shorten, (token_budget or self.recipe.token_budget) - fixed, counted
        )
        empty = {name for name, document in documents.items() if _is_empty(document)}
        return self.system, _filled(_without_empty(self.user, empty), texts)


@cache
def load(name: str, **fixed: str) -> Prompt:
    """The prompt of a file in this package; `fixed` fills placeholders with what is the same in many calls, so that
    their rules stand in the system message.

    Raises:
        ValueError: the file lacks front matter or a section, or would shorten an input that must not be shortened.
    """
    text = Path(__file__).with_name(f"{name}.md").read_text("utf-8")
    for index, rules in fixed.items():
        text = text.replace(f"{{{{{index}}}}}", rules)
    return parse(name, text)


def parse(name: str, text: str) -> Prompt:
    """A prompt from the text of its file."""
    found = _FRONT.fullmatch(text)
    if not found:
        raise ValueError(f"prompt {name} has no front matter")
    recipe = _recipe(found["front"])
    if forbidden := NEVER_SHORTENED & set(recipe.shorten):
        raise ValueError(f"prompt {name} would shorten {', '.join(sorted(forbidden))}")
    title, sections = _sections(found["body"])
    if tuple(sections) != SECTIONS:
        raise ValueError(f"prompt {name} has the sections {', '.join(sections)}, not {', '.join(SECTIONS)}")
    rules, of_the_call = dict[str, str](), list[str]()
    for section in SECTIONS:
        if section != "Inputs":
            rules[section], own = _apart(sections[section])
            of_the_call += own
    told = [INPUTS + sections["Inputs"], *(["\n".join([_OF_THE_CALL, *of_the_call])] if of_the_call else [])]
    return Prompt(name=name, recipe=recipe, title=title, rules=rules, user="\n\n".join(told))


def first_tokens(text: str, tokens: int) -> str:
    """The beginning of a text, up to this many tokens by `estimate_tokens`."""
    return text.encode()[: tokens * BYTES_PER_TOKEN].decode(errors="ignore")


def estimate_tokens(text: str) -> int:
    """An estimate of a text's tokens from its bytes, rather too high than too low."""
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


def _apart(section: str) -> tuple[str, list[str]]:
    """The rules of a section that are the same in all calls, and those with placeholders."""
    rules = _RULE.split(section)
    return "\n".join(rule for rule in rules if not _PLACE.search(rule)), [
        rule for rule in rules if _PLACE.search(rule)
    ]


def _is_empty(document: Document) -> bool:
    """Whether there is nothing to show; what is left out only because room lacks is something."""
    return not document.strip() if isinstance(document, str) else document.items in ([], [NOTHING])


def _without_empty(user: str, empty: Collection[str]) -> str:
    """The inputs without those that have nothing to show."""
    return "".join(
        part
        for part in _INPUT.split(user)
        if not (indexes := _PLACE.findall(part)) or not set(indexes) <= set(empty)
    )


def _filled(template: str, texts: Mapping[str, str]) -> str:
    # One pass: a placeholder in the text of a page, such as {{goal}}, is not filled.
    return re.sub(r"\n{3,}", "\n\n", _PLACE.sub(lambda index: texts[index[1]], template)).strip()


def _shortened(
    documents: Mapping[str, Document], order: Sequence[str], budget: int, count: Callable[[str], int]
) -> dict[str, str]:
    """The documents as texts within the budget: entries are left out by worth, then texts are cut in this order."""
    entries = {name: document for name, document in documents.items() if isinstance(document, Entries)}
    dropped: dict[str, set[int]] = {name: set() for name in entries}
    texts = {name: _full_text(document) for name, document in documents.items()}
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


def _full_text(document: Document) -> str:
    return (document.strip() or NOTHING) if isinstance(document, str) else document.without(set())


def _by_worth(entries: Mapping[str, Entries], order: Sequence[str]) -> list[tuple[str, int]]:
    indexes = [
        (worth, order.index(name), i, name)
        for name, document in entries.items()
        if name in order
        for i, worth in enumerate(document.worth)
    ]
    return [(name, i) for _, _, i, name in sorted(indexes)]


def _cut(text: str, tokens: int) -> str:
    """The end of a text, because the newest part counts most."""
    if not tokens:
        return NOTHING
    end = text.encode()[-tokens * BYTES_PER_TOKEN :].decode(errors="ignore")
    return f"… {end.split(' ', 1)[-1]}"
