#!/bin/sh
# Trains the models that choose a page's main text, measures them on sites left out, and writes their weights:
#     RESEARCH_TEST_DATA=…/data scripts/train_reading.sh [--folds-only] [--seeds N]
# Takes about ten minutes on one core. What it needs beyond the project goes to build/training.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-.venv/bin/python}
TOOLS=build/training
if [ ! -d "$TOOLS/lightgbm" ]; then
    mkdir -p "$TOOLS"
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-deps --target "$TOOLS" 'lightgbm==4.7.0'
    "$PYTHON" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
        --dest "$TOOLS" 'formasaurus==0.10.0'
    tar -xzf "$TOOLS"/formasaurus-0.10.0.tar.gz -C "$TOOLS"
fi
PYTHONPATH="$TOOLS" exec "$PYTHON" -m benchmarks.reading.train_reading --formasaurus "$TOOLS/formasaurus-0.10.0" "$@"
