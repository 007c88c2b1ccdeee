"""Who does the work: threads and processes of this machine, or a Dask cluster."""
