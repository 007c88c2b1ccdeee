"""hanab.live's forms: records in JSON, links, seeds."""
