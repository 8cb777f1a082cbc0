"""The claims as an HTML table, for the report and for a page of their own."""

from ..claims.claim_formats import (
    HEADINGS,
    basis_text,
    count,
    figure_label,
    measure_text,
    remarks,
)
from ..pages.rendering import render


def claims_table(findings, linked_figures=()):
    """Return the HTML table of findings, with links to the figures that are on the same page."""
    return render(
        "claims_table",
        findings=findings,
        linked_figures=linked_figures,
        headings=HEADINGS,
        measure_text=measure_text,
        basis_text=basis_text,
        remarks=remarks,
        figure_label=figure_label,
    )


def claims_page(findings):
    """Return a page with the claims alone."""
    return render("claims", count=count(findings), table=claims_table(findings))
