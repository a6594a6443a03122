"""Jobs and findings whose texts are hostile, and what a renderer makes of a document."""

from typing import Any

from lxml import html
from markdown_it import MarkdownIt
from pydantic import BaseModel

from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why

FROM_OTHERS = frozenset(
    """
    title claim quote summary query queries text name seller variant brand sku topic task context goal currency price
    strategy_reason done_reason final_query missing warnings certainty journey why by terms snippet published region
    prior_turn_context error about label columns unknown follow_ups
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Fields whose texts pages, models or callers write."""
RENDERER = MarkdownIt("js-default", {"html": True, "linkify": False, "typographer": False})
OURS = frozenset(
    "h1 h2 h3 p ul ol li blockquote strong hr table thead tbody tr th td code".split()  # noqa: SIM905
)


def poisoned(value: Any, text: str, *, of: str = "") -> Any:
    """A copy of a model in which every text of others ends with `text`."""
    if isinstance(value, Why):
        return Why(Reason.OTHER, f"{value.text} {text}") if value else value
    if isinstance(value, BaseModel):
        return value.model_copy(
            update={name: poisoned(getattr(value, name), text, of=name) for name in type(value).model_fields}
        )
    if isinstance(value, list | tuple):
        return [poisoned(item, text, of=of) for item in value]
    if isinstance(value, dict):
        return {key: poisoned(item, text, of=of) for key, item in value.items()}
    return f"{value} {text}" if type(value) is str and of in FROM_OTHERS else value


def made_of(document: str) -> set[str]:
    """The tags that a renderer makes of a document, with the targets of its links and images."""
    tree = html.fragment_fromstring(RENDERER.render(document), create_parent="main")
    targets = {f"{e.tag} {e.get('href') or e.get('src')}" for e in tree.iter("a", "img")}
    return {element.tag for element in tree.iter() if element is not tree} | targets
