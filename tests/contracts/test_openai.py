"""openai: the type of a raw answer, of which the adapter reads bytes, headers and pieces before the SDK does."""

from tests.contracts.private_names import relied_on


def test_a_raw_answer_has_its_bytes_its_headers_and_its_pieces() -> None:
    import openai  # not by every process that collects tests: it has 500 modules

    module = relied_on(
        openai, "_legacy_response", "the adapter of endpoints bounds an answer before it is read"
    )
    raw = module.LegacyAPIResponse
    assert all(hasattr(raw, name) for name in ("content", "headers", "parse"))
