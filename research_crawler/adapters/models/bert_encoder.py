"""Computes sentence vectors of a BERT model with torch alone; they equal those of sentence-transformers.

Importing sentence-transformers costs 5.3 s of processor time here, torch alone 1.4 s, and every process that
runs the model pays it at its start. Models of other architectures use sentence-transformers (`embedder`).

Source: Devlin et al. 2019 (BERT), Reimers and Gurevych 2019 (mean pooling).
"""

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tokenizers import Tokenizer

if TYPE_CHECKING:
    import torch

PAD = 0
"""Id of the padding token in all BERT vocabularies."""
_FIXED = {"model_type": "bert", "hidden_act": "gelu", "pad_token_id": PAD}
_MEAN_POOLING = {"pooling_mode_mean_tokens"}
_ATTENTION = "attention.joined"
"""Weights of query, key and value, joined."""
_IN_EIGHT_BITS = (_ATTENTION, "intermediate.dense", "output.dense")
"""Layers of a block that may be computed in eight bits. Of 60 texts of manuals, the least cosine to float32 is 0.984;
with the fourth one, the attention's output, which has 8 % of the products, it is 0.951."""
_MOST_INT8 = 127
"""Largest weight that eight bits can hold."""


class BertEncoder:
    """Turns texts into vectors of unit length."""

    def __init__(self, folder: Path, *, dtype: "torch.dtype") -> None:
        """Load a model.

        Args:
            folder: holds a model that `is_plain_bert` accepts.
            dtype: of all products; `qint8`: of those that take most of the time, the others are in float32.

        Raises:
            OSError, ValueError, KeyError: its files are not those of a BERT model.
        """
        import torch
        from safetensors.torch import load_file

        self._is_in_eight_bits = dtype == torch.qint8
        if self._is_in_eight_bits:
            dtype = torch.float32

        self._config: dict[str, Any] = _read(folder / "config.json")
        self._heads: int = self._config["num_attention_heads"]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        most = _read(folder / "sentence_bert_config.json").get("max_seq_length")
        self._tokenizer.enable_truncation(most or self._config["max_position_embeddings"])
        self._tokenizer.no_padding()
        weights = load_file(folder / "model.safetensors")
        self._weights = {name.removeprefix("bert."): value.to(dtype) for name, value in weights.items()}
        self._packed: dict[str, Any] = {}
        for layer in range(self._config["num_hidden_layers"]):
            self._join_attention(f"encoder.layer.{layer}")
            if self._is_in_eight_bits:
                self._pack(f"encoder.layer.{layer}")

    def _join_attention(self, name: str) -> None:
        """Join the weights of query, key and value of a layer: one product is faster than three."""
        import torch

        for kind in ("weight", "bias"):
            parts = [
                self._weights.pop(f"{name}.attention.self.{part}.{kind}")
                for part in ("query", "key", "value")
            ]
            self._weights[f"{name}.{_ATTENTION}.{kind}"] = torch.cat(parts)

    def _pack(self, name: str) -> None:
        """Pack the weights of a block in eight bits, each output with a scale of its own."""
        import torch

        for layer in (f"{name}.{kind}" for kind in _IN_EIGHT_BITS):
            weight, bias = self._weights.pop(f"{layer}.weight"), self._weights.pop(f"{layer}.bias")
            scales = weight.abs().amax(1).double() / _MOST_INT8
            zeros = torch.zeros(len(weight), dtype=torch.long)
            with warnings.catch_warnings():  # a later torch has others, says this one once a process
                warnings.simplefilter("ignore", UserWarning)
                rounded = torch.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
            self._packed[layer] = torch.ops.quantized.linear_prepack(rounded, bias)

    def encode(self, texts: list[str], *, batch_size: int) -> list[list[float]]:
        """One vector per text, in order."""
        import torch

        if self._is_in_eight_bits:
            batch_size = 1  # texts of one batch share the scale of their numbers, and would change each other
        with torch.inference_mode():
            batches = (texts[start : start + batch_size] for start in range(0, len(texts), batch_size))
            return [vector for batch in batches for vector in self._vectors(batch).tolist()]

    def _vectors(self, texts: list[str]) -> "torch.Tensor":
        """Mean of the last layer over each text's tokens, in float32, normalised to length one.

        The tokens of all texts are rows of one matrix, so that no padding is computed; only attention goes by text.
        """
        import torch
        from torch.nn.functional import normalize

        encoded = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]
        lengths = [len(ids) for ids in encoded]
        ids = torch.tensor([token for row in encoded for token in row])
        places = torch.cat([torch.arange(length) for length in lengths])
        state = self._embedded(ids, places)
        for layer in range(self._config["num_hidden_layers"]):
            state = self._layer(f"encoder.layer.{layer}", state, lengths)
        return normalize(
            torch.stack([text.mean(0) for text in torch.split_with_sizes(state.float(), lengths)]), dim=1
        )

    def _embedded(self, ids: "torch.Tensor", places: "torch.Tensor") -> "torch.Tensor":
        words, of_places, kinds = (
            self._weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        return self._norm("embeddings.LayerNorm", words[ids] + of_places[places] + kinds[0])

    def _layer(self, name: str, state: "torch.Tensor", lengths: list[int]) -> "torch.Tensor":
        import torch
        from torch.nn.functional import gelu

        parts = torch.split_with_sizes(self._linear(f"{name}.{_ATTENTION}", state), lengths)
        joined = torch.cat([self._attended(part) for part in parts])
        state = self._norm(
            f"{name}.attention.output.LayerNorm",
            state + self._linear(f"{name}.attention.output.dense", joined),
        )
        wide = gelu(self._linear(f"{name}.intermediate.dense", state))
        return self._norm(f"{name}.output.LayerNorm", state + self._linear(f"{name}.output.dense", wide))

    def _attended(self, state: "torch.Tensor") -> "torch.Tensor":
        """What the tokens of one text take from each other, from their queries, keys and values side by side."""
        from torch.nn.functional import scaled_dot_product_attention

        tokens = len(state)
        query, key, value = state.view(1, tokens, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
        return scaled_dot_product_attention(query, key, value)[0].transpose(0, 1).reshape(tokens, -1)

    def _linear(self, name: str, state: "torch.Tensor") -> "torch.Tensor":
        import torch
        from torch.nn.functional import linear

        if (packed := self._packed.get(name)) is not None:
            return cast("torch.Tensor", torch.ops.quantized.linear_dynamic(state, packed))
        return linear(state, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, name: str, state: "torch.Tensor") -> "torch.Tensor":
        from torch.nn.functional import layer_norm

        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return layer_norm(state, weight.shape, weight, bias, self._config["layer_norm_eps"])


def has_eight_bits() -> bool:
    """Whether this torch has products in eight bits that are faster here than those in float32."""
    import torch

    return hasattr(torch, "quantize_per_channel") and torch.backends.quantized.engine in ("x86", "fbgemm")


def is_plain_bert(folder: Path) -> bool:
    """Whether the folder holds a sentence-transformers model of exactly BERT, mean pooling and
    normalisation."""
    try:
        config, pooling = _read(folder / "config.json"), _read(folder / "1_Pooling" / "config.json")
        kinds = [part["type"].rsplit(".", 1)[-1] for part in _read(folder / "modules.json")]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    chosen = {name for name, value in pooling.items() if name.startswith("pooling_mode_") and value is True}
    return (
        {name: config.get(name) for name in _FIXED} == _FIXED
        and config.get("position_embedding_type", "absolute") == "absolute"
        and chosen == _MEAN_POOLING
        and kinds == ["Transformer", "Pooling", "Normalize"]
        and (folder / "model.safetensors").is_file()
        and (folder / "sentence_bert_config.json").is_file()
    )


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
