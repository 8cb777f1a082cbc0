"""The article as a PDF file, typeset by typst.

The templates in `report/article` read the file data.json and the figures next to them. No text is
inserted into their source, so that nothing has to be escaped.
"""

import json
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from ..errors import InputError, one_line
from .article_data import article_data

TEMPLATES = Path(__file__).with_name("article")


def article_pdf(folder, results):
    """Return the bytes of the PDF file.

    The same results give the same bytes: fonts of the system, the network and the time are not
    used.

    Parameters
    ----------
    folder : path
        Results of the pipeline.
    results : PipelineResults
        The same, as read by `load_results`.

    Returns
    -------
    bytes

    Raises
    ------
    InputError
        If a figure or a table of the results cannot be read.
    """
    with compiler(folder, results) as article:
        return article.compile(format="pdf", timestamp=0)


@contextmanager
def compiler(folder, results):
    """Provide a compiler of the article, in a temporary folder with all that it reads."""
    import typst

    _check_temporary_folder()
    with TemporaryDirectory(prefix="ezdl-article-") as scratch:
        scratch = Path(scratch)
        shutil.copytree(TEMPLATES, scratch, dirs_exist_ok=True)
        (scratch / "figures").mkdir()
        data = article_data(folder, results)
        for one in results.figures:
            path = scratch / "figures" / data["figures"][one.name]["file"]
            path.write_bytes(one.files[one.shown_format])
        content = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
        (scratch / "data.json").write_bytes(content)
        try:
            yield typst.Compiler(scratch / "article.typ", root=scratch, ignore_system_fonts=True)
        except typst.TypstError as error:
            damaged = _unreadable_figure(typst, scratch / "figures")
            path = Path(folder) / "figures" / damaged if damaged else folder
            raise InputError(f"{path}: cannot be typeset ({one_line(error.message)})") from None


def _unreadable_figure(typst, figures):
    """Return the name of a file that typst cannot read, which its own message lacks; or None."""
    for path in sorted(figures.iterdir()):
        source = f"#image({json.dumps(path.name)})".encode()
        (figures / "only.typ").write_bytes(source)
        try:
            typst.compile(figures / "only.typ", root=figures, ignore_system_fonts=True)
        except typst.TypstError:
            return path.name
    return None


def _check_temporary_folder():
    """Raise OSError without a number, which is not the user's fault, if files cannot be written."""
    try:
        gettempdir()
    except FileNotFoundError as error:
        raise OSError(error.strerror) from None
