"""The web, the questions and the scripted model of the benchmark `reports`."""
