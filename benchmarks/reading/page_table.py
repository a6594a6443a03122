"""Prints precision and recall of each saved page, worst first.

    python -m benchmarks.reading.page_table [--shipped] [KIND …]

Without --shipped, every page is read with weights that were trained on other sites only.
"""

import argparse

from benchmarks.reading.page_labels import load_score
from benchmarks.reading.pages import LEAST_F1, Saved, read_left_out, read_shipped


def main() -> None:
    """Print a table for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shipped", action="store_true")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    arguments = parser.parse_args()
    saved, score = Saved.load("pages"), load_score()
    texts = read_shipped(saved) if arguments.shipped else read_left_out(saved, "pages")
    for kind in arguments.kinds or list(LEAST_F1):
        rows = []
        for name, truth in saved.truth.items():
            if truth["page_type"] == kind:
                row = score.score_pages({name: truth}, {name: texts[name]})["all"]
                rows.append((row["f1"], row["precision"], row["recall"], len(texts[name].split()), name))
        print(f"{kind}: {sum(row[0] for row in rows) / len(rows):.3f} over {len(rows)} pages")
        for f1, precision, recall, words, name in sorted(rows):
            print(
                f"  {f1:.2f}  P {precision:.2f}  R {recall:.2f}  {words:6} words  {name}  {saved.url(name)[:80]}"
            )


if __name__ == "__main__":
    main()
