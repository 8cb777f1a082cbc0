"""HTML pages: the Jinja2 environment, the templates and the style sheet that all pages share."""
