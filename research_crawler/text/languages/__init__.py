"""What is known of languages: their words, names, figures, dates and where a sentence ends."""
