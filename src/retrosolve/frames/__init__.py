"""Solutions as data frames and networks of other libraries."""
