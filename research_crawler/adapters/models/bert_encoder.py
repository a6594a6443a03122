"""Computes sentence vectors of a BERT model with torch alone; they equal those of sentence-transformers.

Importing sentence-transformers costs 5.3 s of processor time here, torch alone 1.4 s, and every process that
runs the model pays it at its start. Models of other architectures use sentence-transformers (`embedder`).

Source: Devlin et al. 2019 (BERT), Reimers and Gurevych 2019 (mean pooling).
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import Tokenizer

if TYPE_CHECKING:
    import torch

PAD = 0
"""Id of the padding token in all BERT vocabularies."""
_FIXED = {"model_type": "bert", "hidden_act": "gelu", "pad_token_id": PAD}
_MEAN_POOLING = {"pooling_mode_mean_tokens"}


class BertEncoder:
    """Turns texts into vectors of unit length."""

    def __init__(self, folder: Path, *, dtype: "torch.dtype") -> None:
        """`folder` holds a model that `is_plain_bert` accepts.

        Raises:
            OSError, ValueError, KeyError: its files are not those of a BERT model.
        """
        from safetensors.torch import load_file

        self._config: dict[str, Any] = _read(folder / "config.json")
        self._heads: int = self._config["num_attention_heads"]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        most = _read(folder / "sentence_bert_config.json").get("max_seq_length")
        self._tokenizer.enable_truncation(most or self._config["max_position_embeddings"])
        self._tokenizer.enable_padding(pad_id=PAD)
        weights = load_file(folder / "model.safetensors")
        self._weights = {name.removeprefix("bert."): value.to(dtype) for name, value in weights.items()}

    def encode(self, texts: list[str], *, batch_size: int) -> list[list[float]]:
        """One vector per text, in order. Texts of similar length are computed together."""
        import torch

        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        vectors: list[list[float]] = [[]] * len(texts)
        with torch.inference_mode():
            for start in range(0, len(order), batch_size):
                places = order[start : start + batch_size]
                batch = self._vectors([texts[place] for place in places])
                for place, vector in zip(places, batch.tolist(), strict=True):
                    vectors[place] = vector
        return vectors

    def _vectors(self, texts: list[str]) -> "torch.Tensor":
        """Mean of the last layer over the text's tokens without padding, in float32, normalised to length
        one."""
        import torch
        from torch.nn.functional import normalize

        encoded = self._tokenizer.encode_batch_fast(texts)
        ids = torch.tensor([encoding.ids for encoding in encoded])
        mask = torch.tensor([encoding.attention_mask for encoding in encoded])
        state = self._embedded(ids)
        attention_mask = mask.bool()[:, None, None, :]
        for layer in range(self._config["num_hidden_layers"]):
            state = self._layer(f"encoder.layer.{layer}", state, attention_mask)
        counted = mask[:, :, None].float()
        mean = (state.float() * counted).sum(1) / counted.sum(1)
        return normalize(mean, dim=1)

    def _embedded(self, ids: "torch.Tensor") -> "torch.Tensor":
        words, places, kinds = (
            self._weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        return self._norm("embeddings.LayerNorm", words[ids] + places[: ids.shape[1]] + kinds[0])

    def _layer(self, name: str, state: "torch.Tensor", attention_mask: "torch.Tensor") -> "torch.Tensor":
        from torch.nn.functional import gelu, scaled_dot_product_attention

        query, key, value = (
            self._split(self._linear(f"{name}.attention.self.{part}", state))
            for part in ("query", "key", "value")
        )
        attended = scaled_dot_product_attention(query, key, value, attn_mask=attention_mask)
        joined = attended.transpose(1, 2).reshape(state.shape)
        state = self._norm(
            f"{name}.attention.output.LayerNorm",
            state + self._linear(f"{name}.attention.output.dense", joined),
        )
        wide = gelu(self._linear(f"{name}.intermediate.dense", state))
        return self._norm(f"{name}.output.LayerNorm", state + self._linear(f"{name}.output.dense", wide))

    def _split(self, state: "torch.Tensor") -> "torch.Tensor":
        """Split by attention head: (texts, heads, tokens, size of a head)."""
        return state.view(*state.shape[:2], self._heads, -1).transpose(1, 2)

    def _linear(self, name: str, state: "torch.Tensor") -> "torch.Tensor":
        from torch.nn.functional import linear

        return linear(state, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, name: str, state: "torch.Tensor") -> "torch.Tensor":
        from torch.nn.functional import layer_norm

        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return layer_norm(state, weight.shape, weight, bias, self._config["layer_norm_eps"])


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
