"""The report: one HTML page with all results of a run of the pipeline.

`results_folder` reads the results, `sections` puts them in order, and the templates in
`pages/templates` hold the HTML.
"""
