"""Libraries send no telemetry, and the user agent names the operator's contact."""

import subprocess
import sys

import pytest

from research_crawler.core.config import load_core_config
from research_crawler.core.telemetry import SWITCHES
from research_crawler.core.web.user_agent import PRODUCT_TOKEN, user_agent_of

EMBED = """
import asyncio, os, sys
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        print("asked the network:", arguments); os._exit(1)
sys.addaudithook(watch)
os.environ["HF_HUB_DISABLE_TELEMETRY"] = os.environ["HF_HUB_OFFLINE"] = "0"
from research_crawler.core.config import load_core_config
from research_crawler.runtime.container import Container
container = Container(load_core_config(home=sys.argv[1]), plan=True)
print(len(asyncio.run(container.embedder.embed(["one sentence"]))[0]))
from huggingface_hub import constants
print(constants.HF_HUB_DISABLE_TELEMETRY, constants.HF_HUB_OFFLINE)
"""
COMMAND = """
import os
from research_crawler.cli.main import main
try: main(["--version"])
except SystemExit: print(os.environ["DO_NOT_TRACK"])
"""


def run(program, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        check=False,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split("\n")


@pytest.mark.long
def test_loading_and_using_the_embedding_model_uses_no_network_and_sends_no_telemetry(tmp_path):
    assert run(EMBED, tmp_path)[:2] == ["384", "True True"]


def test_the_command_line_switches_telemetry_off_first():
    assert run(COMMAND)[1] == SWITCHES["DO_NOT_TRACK"]


@pytest.mark.parametrize("contact", ["crawler@example.org", "https://example.org/crawler"])
def test_the_contact_is_part_of_the_user_agent(contact):
    agent = user_agent_of(load_core_config(contact=contact))
    assert agent.startswith(f"{PRODUCT_TOKEN}/")
    assert agent.endswith(f" (+{contact})")
    assert "+" not in user_agent_of(load_core_config())
