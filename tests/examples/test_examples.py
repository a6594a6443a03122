"""The examples run offline as they stand in the tutorial, and print what it says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

EXAMPLES = Path(__file__).parents[2] / "examples"
LONGEST_S = 600
OURS = ("RESEARCH_", "PHASE", "OPENAI_", "MIND_", "REFLEX_", "REDIS_", "DATABASE_", "QDRANT_", "SEARXNG_")


def output_of(name: str, folder: Path, given: str = "") -> str:
    """What an example prints for what is given to it; it is run elsewhere, without settings of this machine."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
    path = os.pathsep.join([str(EXAMPLES.parent), env.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        cwd=folder,
        env=env | {"PYTHONPATH": path},
        check=False,
        input=given,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_page_is_read_without_redis_or_network(tmp_path):
    out = output_of("read_a_page.py", tmp_path)
    assert "kind: product; title: Velmar Pocket; language: en" in out
    assert "weighs 387 g" in out
    assert "Imprint" not in out
    assert "sells: Velmar Pocket for EUR 79.90, in_stock" in out


def test_a_provider_builds_requests_and_reads_answers(tmp_path):
    request, result = output_of("own_provider.py", tmp_path).splitlines()
    assert request == "https://api.lantern.example/search?q=hand+grinder&n=5&lang=en"
    assert result == "Seven hand grinders: https://gear.example/grinders"


def test_an_exporter_renders_a_report(tmp_path):
    assert output_of("own_exporter.py", tmp_path) == "1\tgear.example\thttps://gear.example/grinders\n"


def test_a_section_takes_its_lines_from_the_record(tmp_path):
    assert output_of("own_section.py", tmp_path) == "refused_pages: https://walled.example/grinders\n"


def test_a_vendor_in_a_file_is_asked_first(tmp_path):
    out = output_of("own_vendor.py", tmp_path)
    assert out == "Corner Shop: https://www.corner.example/find?q=hand+grinder\n"


def test_a_brain_chooses_by_its_own_rule(tmp_path):
    out = output_of("own_brain.py", tmp_path)
    assert out == "docs_first: visit https://docs.example/retries\n"


def test_a_page_reader_reads_subtitles(tmp_path):
    assert output_of("own_page_reader.py", tmp_path) == "Hand grinders\nSeven tested.\n"


def test_a_spider_crawls_on_the_frontier_and_ends(tmp_path):
    titles = output_of("own_spider.py", tmp_path).splitlines()
    assert "Skelder lighthouse" in titles
    assert len(titles) > 10


def test_an_interface_answers_a_question_with_its_sources(tmp_path):
    question = "What is the best hand coffee grinder for travel?"
    answer = json.loads(output_of("own_interface.py", tmp_path, f"{question}\n"))
    assert (answer["question"], answer["state"]) == (question, "completed")
    assert len(answer["sources"]) > 1


def test_an_offer_is_found_and_more_shops_are_asked_from_the_same_research(tmp_path):
    first, second = output_of("find_an_offer.py", tmp_path).splitlines()
    assert "Orlo Lynx 15" in first
    assert "Orlo Lynx 15" in second


def test_a_question_is_answered_with_sources_and_quotes(tmp_path):
    out = output_of("ask_a_question.py", tmp_path)
    assert out.startswith("# What is the best hand coffee grinder for travel?")
    assert "Velmar Pocket" in out
    assert "source: " in out
    assert "quote: “" in out


def test_a_price_drop_is_confirmed_and_told(tmp_path):
    seen, again, alert = output_of("track_a_price.py", tmp_path).splitlines()
    assert seen == again == "USD 719.99, confirmed: True"
    assert alert.startswith("alert: ")
    assert "20 % down" in alert
