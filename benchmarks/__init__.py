"""Claims of speed, one file each. Each writes its table into docs/."""
