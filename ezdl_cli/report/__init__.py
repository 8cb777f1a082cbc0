"""The report: all results of a run of the pipeline, as one HTML page or as an article.

`results_folder` reads the results, `sections` puts them in order, and the templates in
`pages/templates` hold the HTML. `article_data` gathers what the article shows, and `article_pdf`
typesets the templates in `article` with typst.
"""
