"""Every published table, ours beside theirs."""
