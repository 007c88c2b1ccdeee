"""What several bots use: worlds that fit a view, the cells of a question, the clock."""
