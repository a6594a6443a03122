"""The report in the words of pages: a digest of excerpts, and the sentences that lead it."""
