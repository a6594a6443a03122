"""What to do for an answer written by a model, in one place for all who say it."""

from typing import Final

HOW_TO_GET_AN_ANSWER: Final = (
    "this is a digest of excerpts, made without a model; for a written answer: `research run --model auto` takes a "
    "model on this machine (Ollama, llama.cpp, LM Studio or vLLM), or set MIND_MODEL and OPENAI_BASE_URL or "
    "OPENAI_API_KEY"
)
