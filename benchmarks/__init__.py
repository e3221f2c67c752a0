"""Figures as commands: `python -m benchmarks.<name>`, medians of several runs, ratios in the same run."""
