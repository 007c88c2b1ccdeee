"""The command line: one file a command, which only parses and prints."""
