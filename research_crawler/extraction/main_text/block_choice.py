"""Which blocks are the page's main text.

Trained on pages of many sites by benchmarks/train_reading.py, which says how well it does on sites it has not seen. A
second model over the rates of a block's neighbours and template won 0.005 on one split of the sites and lost 0.005 on
another: left out.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.block_features import ClassifiedPage
from research_crawler.extraction.main_text.block_words import OWN
from research_crawler.extraction.main_text.boosted_trees import BoostedTrees, load_trees
from research_crawler.extraction.main_text.name_scores import name_rows, name_scores
from research_crawler.extraction.main_text.page_layout import Floats

LEAST_RATE = 0.05
"""No block rated lower is taken, whatever the rest of the page is like. At 0.2 a page of which all is doubtful came
down to a line or two (45 of 415 pages of other sites); lists of products lost 0.03, other lists 0.017."""
SURE_RATE, _SHORT_WORDS = 0.6, 30
"""A short block with words of the interface is taken where it is rated as high. Of must-not snippets 0.054 stay in the
text where 0.060 did (unseen sites, two splits), and F1 loses 0.001; at 0.4 and 12 words nothing changes."""
_INTERFACE = ("legal", "account", "share", "more", "skip", "filter", "pager", "shop", "contact")


@cache
def block_model() -> BoostedTrees:
    """The model of blocks."""
    return load_trees("blocks")


def rate_blocks(view: ClassifiedPage, kinds: Floats) -> Floats:
    """The probability of each block to be main text."""
    names = name_rows(view.layout, view.origins, *name_scores())
    return block_model().predict(block_rows(view, kinds, names))


def block_rows(view: ClassifiedPage, kinds: Floats, names: Floats) -> Floats:
    """The model's rows: the features of each block, the page's kinds, the scores of names."""
    return np.concatenate([view.rows, np.tile(kinds, (len(view.rows), 1)), names], axis=1)


def choose_blocks(view: ClassifiedPage, rates: Floats) -> list[int]:
    """The blocks, in page order, for which the expected F1 of their words is highest.

    With n words in each block and rates p, the blocks are taken from the best rate down, as far as
    2 Σ p·n / (Σ n + Σ_all p·n) grows: a page whose blocks are all doubtful is taken whole rather than not at all.
    """
    rates = np.where(_is_interface(view) & (rates < SURE_RATE), np.float32(0), rates)
    words = np.array([max(1, len((block.text or " ".join(block.cells)).split())) for block in view.blocks])
    order = np.argsort(-rates, kind="stable")
    hits = np.cumsum((rates * words)[order])
    expected = 2 * hits / (np.cumsum(words[order]) + hits[-1])
    taken = order[: int(expected.argmax()) + 1]
    return sorted(int(place) for place in taken if rates[place] >= min(LEAST_RATE, float(rates.max())))


def _is_interface(view: ClassifiedPage) -> NDArray[np.bool_]:
    columns = [OWN.index(name) for name in _INTERFACE]
    return np.asarray(view.rows[:, columns].any(axis=1) & (view.rows[:, OWN.index("words")] <= _SHORT_WORDS))


def with_headings(blocks: Sequence[Block], chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and the heading right above each that is text."""
    taken = set(chosen)
    above = {place - 1 for place in chosen if place and blocks[place].kind != "heading"}
    return sorted(taken | {place for place in above if blocks[place].kind == "heading"})
