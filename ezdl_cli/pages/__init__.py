"""HTML pages: the frame, the style sheet and the helpers that all pages share."""
