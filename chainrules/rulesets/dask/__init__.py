"""Rules for functions of Dask."""
