from planner.brains.extractive.extractive_brain import ExtractiveBrain, RememberingEmbedder
from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.core.models.jobs.decisions import LabelRequest
from research_crawler.core.models.reports.drafts import ReportView
from tests.planner.brains.views import page, view


class Counting(HashEmbedder):
    def __init__(self):
        super().__init__()
        self.asked = []

    async def embed(self, texts):
        self.asked += texts
        return await super().embed(texts)


async def test_every_answer_names_the_extractive_brain(call):
    brain = ExtractiveBrain(HashEmbedder())
    assert (await brain.decide(view(), call)).by == brain.name == "extractive"
    assert (await brain.label(LabelRequest(goal="x"), call)).by == brain.name
    assert (await brain.extract(page("The Skelder lighthouse is 43 m tall."), call)).by == brain.name
    assert (await brain.write(ReportView(goal="x"), call)).by == brain.name
    assert call.usage.model_calls == 0


async def test_known_texts_are_not_embedded_again():
    inner = Counting()
    embedder = RememberingEmbedder(inner, most=3)
    first = await embedder.embed(["a", "b", "a"])
    again = await embedder.embed(["b", "a", "c"])
    assert inner.asked == ["a", "b", "c"]
    assert first[0] == again[1]


async def test_the_longest_unused_text_is_forgotten():
    inner = Counting()
    embedder = RememberingEmbedder(inner, most=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        await embedder.embed([text])
    assert inner.asked == ["a", "b", "c", "b"]
