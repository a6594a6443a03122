"""Pure functions on text: words, sentences, rankings, kinds of source and safe Markdown."""
