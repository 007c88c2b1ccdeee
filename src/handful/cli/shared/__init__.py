"""What several commands use: options, output, progress, and the texts of results and games."""
