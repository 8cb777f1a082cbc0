"""Render matplotlib figures and find their elements."""

from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def render(figure):
    """Draw the figure and return the renderer."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def visible_texts(figure):
    """Return all texts that are painted; labels of ticks beyond an axis' limits are not."""
    beyond = [
        label
        for axis in figure.findobj(Axis)
        for tick in axis.get_major_ticks()
        for label in (tick.label1, tick.label2)
        if not axis.axes.axison
        or not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    ]
    texts = figure.findobj(lambda item: isinstance(item, Text) and item.get_visible())
    return [text for text in texts if text.get_text().strip() and text not in beyond]


def line_called(axes, label):
    return next(line for line in axes.lines if line.get_label() == label)


def legend_labels(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def found_by_id(figure):
    artists = figure.findobj(lambda artist: artist.get_gid() is not None)
    return {artist.get_gid(): artist for artist in artists}
