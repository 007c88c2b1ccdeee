"""The pages of the lab: each module has a `router`."""
