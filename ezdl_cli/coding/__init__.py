"""Sparse codes for a fixed dictionary: the inference models of EZDL."""
