"""The brain that asks a chat model: prompts in, validated answers out."""
