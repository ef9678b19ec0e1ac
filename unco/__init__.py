"""unco: a compiler from decision-task specifications to verified multi-agent tasks."""
