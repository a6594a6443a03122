"""Chooses the blocks that are the page's main text, with a model that was trained on pages of many sites.

benchmarks/reading/train_reading.py trains the model and measures it on sites that it has not seen. A second model
over the rates of a block's neighbours and template gained 0.005 on one split of the sites and lost 0.005 on
another, so it was left out.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage
from research_crawler.extraction.main_text.blocks.block_words import OWN
from research_crawler.extraction.main_text.boosted_trees import BoostedTrees, load_trees
from research_crawler.extraction.main_text.name_scores import name_rows, name_scores
from research_crawler.extraction.main_text.page_layout import Floats

LEAST_RATE = 0.05
"""No block with a lower rate is chosen. At 0.2, pages whose blocks are all doubtful were reduced to a line or
two (45 of 415 pages of other sites); lists of products lost 0.03, other lists 0.017."""
SURE_RATE, _SHORT_WORDS = 0.6, 30
"""A block of at most _SHORT_WORDS with words of an interface is chosen only at a rate of at least SURE_RATE.
The share of unwanted snippets in the text falls from 0.060 to 0.054 (unseen sites, two splits), and F1 loses
0.001; at 0.4 and 12 words nothing changes."""
TITLE_RATE, _TITLE_SHARE = 0.2, 0.3
"""The main heading is kept from this rate, if it has this share of the title's words: a product's text needs its
name. F1 of every kind stays within 0.0005 (sites left out); from a rate of 0, forums lose 0.003. Articles are
read without it: with it 98 articles lose 0.002, because their true texts have no headline."""
_INTERFACE = ("legal", "account", "share", "more", "skip", "filter", "pager", "shop", "contact")


@cache
def block_model() -> BoostedTrees:
    """The trained model that rates blocks."""
    return load_trees("blocks")


def rate_blocks(view: ClassifiedPage, kinds: Floats) -> Floats:
    """The probability of each block that it is main text."""
    names = name_rows(view.layout, view.origins, *name_scores())
    return block_model().predict(block_rows(view, kinds, names))


def block_rows(view: ClassifiedPage, kinds: Floats, names: Floats) -> Floats:
    """The model's input: for each block its features, the rates of the page's kinds and the name scores."""
    return np.concatenate([view.rows, np.tile(kinds, (len(view.rows), 1)), names], axis=1)


def choose_blocks(view: ClassifiedPage, rates: Floats) -> list[int]:
    """The blocks, in page order, for which the expected F1 of their words is highest.

    With n words in each block and rates p, blocks are chosen from the highest rate down for as long as
    2 Σ p·n / (Σ n + Σ_all p·n) grows. If all blocks of a page are doubtful, all are chosen rather than none.
    """
    rates = np.where(is_interface(view) & (rates < SURE_RATE), np.float32(0), rates)
    words = np.array([max(1, len((block.text or " ".join(block.cells)).split())) for block in view.blocks])
    order = np.argsort(-rates, kind="stable")
    hits = np.cumsum((rates * words)[order])
    expected = 2 * hits / (np.cumsum(words[order]) + hits[-1])
    taken = order[: int(expected.argmax()) + 1]
    return sorted(int(index) for index in taken if rates[index] >= min(LEAST_RATE, float(rates.max())))


def is_interface(view: ClassifiedPage) -> NDArray[np.bool_]:
    """For each block, whether it is short and has words of an interface."""
    columns = [OWN.index(name) for name in _INTERFACE]
    return np.asarray(view.rows[:, columns].any(axis=1) & (view.rows[:, OWN.index("words")] <= _SHORT_WORDS))


def with_title(view: ClassifiedPage, rates: Floats, chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and the page's main heading if its rate is not low.

    That is the first-level heading with most words of the page's title.
    """
    tops = [index for index, block in enumerate(view.blocks) if block.kind == "heading" and block.level == 1]
    if not tops:
        return list(chosen)
    title_share = view.rows[:, OWN.index("title_share")]
    top = max(tops, key=lambda index: float(title_share[index]))
    is_title = title_share[top] >= _TITLE_SHARE and rates[top] >= TITLE_RATE
    return sorted({*chosen, top}) if is_title else list(chosen)


def with_headings(blocks: Sequence[Block], chosen: Sequence[int]) -> list[int]:
    """The chosen blocks, and the heading directly above each chosen block that is not a heading itself."""
    taken = set(chosen)
    above = {index - 1 for index in chosen if index and blocks[index].kind != "heading"}
    return sorted(taken | {index for index in above if blocks[index].kind == "heading"})
