"""The report without a model: the excerpts that answer, their order, comparisons, key findings."""
