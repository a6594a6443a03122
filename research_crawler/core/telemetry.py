"""No telemetry: what libraries of ours would tell their makers, switched off before they are imported."""

import os

SWITCHES = {
    "DO_NOT_TRACK": "1",  # https://donottrack.sh; huggingface_hub and transformers obey it
    "DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",  # models are files that are here already: nobody is asked for newer ones
}
"""Read from the sources of huggingface_hub 2.4, transformers 5.23, sentence-transformers 6.2, qdrant-client, openai,
scrapy and playwright: the first two tell something, the others nothing."""


def switch_off_telemetry() -> None:
    """Set the switches for this process and its children, also where the environment says otherwise."""
    os.environ.update(SWITCHES)
