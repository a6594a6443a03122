"""Trains the models that choose a page's main text, and measures them on sites that they have not seen.

`scripts/train_reading.sh` runs it with what it needs beyond the project: LightGBM and the source package of
formasaurus 0.10.0. With `--folds-only` no weights are shipped; `--seeds N` measures N divisions of the sites.

The training pages are the saved pages of `articles/`, `pages/` and `pages-more/` in RESEARCH_TEST_DATA, and
further labelled pages (page_samples.py). The script writes three files of weights to
research_crawler/extraction/main_text/weights/, and those of each fold to benchmarks/reading/reading_folds/. With the
latter, `python -m benchmarks pages` reads every page with models that have seen no page of its site
(page_folds.py). The result is deterministic (one thread). The weights contain no text of a page: the features
are sizes, densities, repetition and some 400 general words of class names and interface texts.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import lightgbm
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.places import DATA
from benchmarks.reading.name_counts import NameCounts, count_names, scores_without
from benchmarks.reading.page_folds import FOLDS, SAVED, fold_of, fold_weights, weights_from
from benchmarks.reading.page_labels import load_score
from benchmarks.reading.page_samples import Sample, read_further, read_saved
from research_crawler.extraction.main_text import boosted_trees
from research_crawler.extraction.main_text.blocks.block_choice import block_rows
from research_crawler.extraction.main_text.blocks.block_features import feature_names
from research_crawler.extraction.main_text.name_scores import COLUMNS, name_rows
from research_crawler.extraction.main_text.page_kinds import KINDS
from research_crawler.extraction.page import read_page

WEIGHTS = boosted_trees.WEIGHTS
ROUNDS = 450
SETTINGS: dict[str, Any] = {
    "objective": "cross_entropy", "num_leaves": 16, "learning_rate": 0.08, "feature_fraction": 0.12,
    "bagging_fraction": 0.7, "bagging_freq": 1, "min_data_in_leaf": 60, "lambda_l2": 10, "max_bin": 63,
    "num_threads": 1, "deterministic": True, "force_row_wise": True, "seed": 1, "verbosity": -1,
}  # fmt: skip
"""F1 over all pages of unseen sites, two splits: 0.809. Alternatives: 12 leaves of at least 200 rows and 220
rounds 0.807; the mean of three seeds 0.807; half the learning rate 0.806; 120 rounds 0.799; twice the
features a tree 0.803; half of them 0.786. Without the blocks after a cut truth 0.814, and with smoothed rates
0.816."""
KIND_PENALTY = 0.02
KIND_BALANCE = 0.5
"""0 weighs all pages alike, 1 all kinds. More than half of the saved pages are articles."""
ARTICLES_WEIGHT = 0.3
"""The weight of a page of `articles/` when the kinds are trained. There are 98 of them, all of one kind."""


def kind_weights(samples: Sequence[Sample], page_count: int) -> dict[str, float]:
    """The weight of each kind: the square root of how much rarer it is than `page_count` pages."""
    counts = Counter(sample.kind for sample in samples)
    return {kind: (page_count / count) ** KIND_BALANCE for kind, count in counts.items()}


def fit_kinds(samples: Sequence[Sample]) -> Any:
    """Fit the logistic regression of page kinds to the saved pages."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=KIND_PENALTY, max_iter=3000))
    samples = [sample for sample in samples if sample.folder in SAVED]
    of_kind = kind_weights(samples, 40)
    weights = [
        of_kind[sample.kind] * (ARTICLES_WEIGHT if sample.folder == "articles" else 1.0) for sample in samples
    ]
    rows = np.stack([sample.description for sample in samples])
    model.fit(rows, [sample.kind for sample in samples], logisticregression__sample_weight=weights)
    return model


def fit_blocks(samples: Sequence[Sample], kinds: Sequence[np.ndarray]) -> tuple[NameCounts, lightgbm.Booster]:
    """Fit the name scores and the boosted trees. `kinds` are rates by models that have not seen the page."""
    counts = count_names(samples)
    of_kind = kind_weights([sample for sample in samples if sample.folder != "articles"], 60)
    rows, labels, weights = [], [], []
    for sample, rates in zip(samples, kinds, strict=True):
        used = sample.weights > 0
        names = name_rows(sample.view.layout, sample.view.origins, *scores_without(counts, sample.site))
        rows.append(block_rows(sample.view, rates, names)[used])
        labels.append(sample.labels[used])
        weights.append((sample.weights * sample.weight * of_kind[sample.kind])[used])
    data = lightgbm.Dataset(np.concatenate(rows), np.concatenate(labels), weight=np.concatenate(weights))
    return counts, lightgbm.train(SETTINGS, data, ROUNDS)


def cross_validate(
    samples: Sequence[Sample],
    folds: np.ndarray,
    fit: Callable[[list[int]], Any],
    rate: Callable[[Any, int], np.ndarray],
) -> tuple[list[Any], list[np.ndarray]]:
    """Fit a model for each fold on the other folds. Rate each sample by the model that has not seen it."""
    found: list[Any] = [None] * len(samples)
    models = []
    for fold in range(FOLDS):
        models.append(fit(np.flatnonzero(folds != fold).tolist()))
        for place in np.flatnonzero(folds == fold).tolist():
            found[place] = rate(models[-1], place)
    return models, found


def cross_validate_kinds(samples: Sequence[Sample], folds: np.ndarray) -> tuple[list[Any], list[np.ndarray]]:
    """Fit a model of the kinds for each fold, and rate each page by the model that has not seen it."""

    def rate(model: Any, place: int) -> np.ndarray:
        return model.predict_proba(samples[place].description[None])[0].astype(np.float32)

    return cross_validate(samples, folds, lambda train: fit_kinds([samples[place] for place in train]), rate)


def read_unseen(
    samples: Sequence[Sample], folds: np.ndarray, models: Sequence[tuple[Any, NameCounts, lightgbm.Booster]]
) -> dict[str, str]:
    """The text of each page, as `read_page` reads it with models that have seen no page of its site."""
    texts: dict[str, str] = {}
    for fold, (kinds, names, blocks) in enumerate(models):
        with TemporaryDirectory() as folder:
            export(Path(folder), kinds, names, blocks)
            with weights_from(Path(folder)):
                for place in np.flatnonzero(folds == fold).tolist():
                    sample = samples[place]
                    page = read_page(sample.body, url=sample.url, headers={"content-type": "text/html"})
                    texts[f"{sample.folder}/{sample.name}"] = page.text
    return texts


def report(seed: int, samples: Sequence[Sample], texts: dict[str, str]) -> None:
    """Print the figures of score.py over pages of sites that the models have not seen."""
    score = load_score()
    for folder in SAVED:
        truth = json.loads((DATA / folder / "ground-truth.json").read_text("utf-8"))
        found = {name: texts.get(f"{folder}/{name}", "") for name in truth}
        measure = score.score_articles if folder == "articles" else score.score_pages
        _print(f"seed {seed}, {folder}", measure(truth, found))
    further = [sample for sample in samples if sample.folder not in SAVED]
    truth = {
        f"{page.folder}/{page.name}": {"page_type": page.kind, "ground_truth": {"main_content": page.truth}}
        for page in further
    }
    _print(f"seed {seed}, further pages", score.score_pages(truth, texts))


def _print(title: str, rows: dict[str, dict[str, float]]) -> None:
    for kind, row in rows.items():
        figures = "  ".join(f"{name} {value:.3f}" for name, value in row.items() if name != "pages")
        print(f"{title}  {kind:14} {figures}", flush=True)


def export(folder: Path, kinds: Any, names: NameCounts, blocks: lightgbm.Booster) -> None:
    """Write the three models in the format that `research_crawler` reads."""
    export_kinds(folder, kinds)
    near, far = scores_without(names)
    _write(folder / "names.json", {"near": dict(sorted(near.items())), "far": dict(sorted(far.items()))})
    trees = [_export_tree(tree["tree_structure"]) for tree in blocks.dump_model()["tree_info"]]
    _write(folder / "blocks.json", {"features": [*feature_names(), *KINDS, *COLUMNS], "trees": trees})


def _export_tree(root: dict[str, Any]) -> dict[str, Any]:
    nodes: list[list[float]] = []
    leaves: list[float] = []

    def walk(node: dict[str, Any]) -> int:
        """Collect the nodes and leaves below a node; return its leaves as bits."""
        if "leaf_value" in node:
            leaves.append(round(node["leaf_value"], 5))
            return 1 << (len(leaves) - 1)
        left = walk(node["left_child"])
        right = walk(node["right_child"])
        nodes.append([node["split_feature"], float(f"{node['threshold']:.7g}"), 0xFFFF & ~left])
        return left | right

    walk(root)
    return {"nodes": nodes, "leaves": leaves}


def export_kinds(folder: Path, model: Any) -> None:
    """Write the regression, with the feature scaling folded into its weights."""
    scaler, regression = model[0], model[1]
    weights = regression.coef_ / scaler.scale_
    intercepts = regression.intercept_ - weights @ scaler.mean_
    _write(
        folder / "page_kinds.json",
        {
            "kinds": [str(kind) for kind in regression.classes_],
            "intercepts": [round(float(value), 5) for value in intercepts],
            "weights": [[round(float(value), 5) for value in row] for row in weights],
        },
    )


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, separators=(",", ":")).replace("],[", "],\n[") + "\n", "utf-8")


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds-only", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--formasaurus", type=Path, help="the unpacked source package")
    arguments = parser.parse_args()
    samples = list(read_saved())
    samples += read_further(arguments.formasaurus)
    print(len(samples), "pages,", sum(len(sample.labels) for sample in samples), "blocks", flush=True)
    for seed in range(arguments.seeds):
        folds = np.array([fold_of(sample.fold_url, seed) for sample in samples])
        kind_models, kinds = cross_validate_kinds(samples, folds)
        named = [
            KINDS[int(rates.argmax())] == sample.kind for rates, sample in zip(kinds, samples, strict=True)
        ]
        print("pages whose kind is right:", Counter(zip((s.folder for s in samples), named, strict=True)))
        models = []
        for fold in range(FOLDS):
            train = np.flatnonzero(folds != fold).tolist()
            blocks = fit_blocks([samples[place] for place in train], [kinds[place] for place in train])
            models.append((kind_models[fold], *blocks))
        report(seed, samples, read_unseen(samples, folds, models))
        if seed == 0 and not arguments.folds_only:
            for fold, model in enumerate(models):
                fold_weights(fold).mkdir(parents=True, exist_ok=True)
                export(fold_weights(fold), *model)
            export(WEIGHTS, fit_kinds(samples), *fit_blocks(samples, kinds))


if __name__ == "__main__":
    main()
