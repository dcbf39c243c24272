"""Work in partitions: in this process, or in processes of a Ray cluster."""
