"""The documentation as a site: which page goes where, and the pages that are written from the code."""
