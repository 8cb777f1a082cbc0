"""Where pictures come from: built-in ones, folders, archives, McGill; all end as 8-bit grey."""
