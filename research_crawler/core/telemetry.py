"""Switches off the telemetry of libraries before they are imported."""

import os

SWITCHES = {
    "DO_NOT_TRACK": "1",  # https://donottrack.sh; huggingface_hub and transformers obey it
    "DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",  # models are local files, so the hub is not asked for newer ones
    # Plugins of pydantic report what is validated; looking for them reads the metadata of all installed packages.
    "PYDANTIC_DISABLE_PLUGINS": "1",
}
"""According to the sources of huggingface_hub 2.4, transformers 5.23, sentence-transformers 6.2,
qdrant-client, openai, scrapy and playwright, the first two send telemetry and the others do not."""


def switch_off_telemetry() -> None:
    """Set the switches for this process and its children, even if the environment has other values."""
    os.environ.update(SWITCHES)
