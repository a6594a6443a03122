"""The brain that asks a chat model: it sends prompts and validates the answers."""
