"""What the evidence of a job says, before a report is written: claims, sections with their evidence, lengths."""
