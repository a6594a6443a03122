#!/bin/sh
# A browser for pages that only a browser can show: one that is here, else Playwright's, else Debian's package.
# get_browser.sh PYTHON. Never fails: without a browser everything else works.
python=$1
minutes=5

has_browser() {
    "$python" -c 'import sys
from research_crawler.adapters.browser_program import find_browser
from research_crawler.core.config import load_core_config
sys.exit(find_browser(load_core_config()) is None)' 2>/dev/null
}

limited() {
    if command -v timeout >/dev/null; then timeout "$((minutes * 60))" "$@"; else "$@"; fi
}

has_browser && exit 0
echo "Getting a browser for pages that are made by scripts …"
limited "$python" -m playwright install --only-shell chromium >/dev/null 2>&1
has_browser && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    { limited apt-get update -q && limited apt-get install -y -q --no-install-recommends chromium; } >/dev/null 2>&1
    has_browser && exit 0
fi
echo "No browser could be had: pages made by scripts are left out. Later: $python -m playwright install chromium,"
echo "or the system's package chromium."
exit 0
