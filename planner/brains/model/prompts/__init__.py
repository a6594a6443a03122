"""What a model is shown to decide: documents, outline, attempts, judgement."""
