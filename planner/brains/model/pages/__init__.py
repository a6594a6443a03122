"""Pages read by a model: which are read in one call, and when their reading ends the research."""
