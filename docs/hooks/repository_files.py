"""Add files from outside docs/ to the site, and adapt links to them.

Links are relative paths of files in the repository, so that they also work in its viewer. Files
outside docs/ that pages link to get the same path in the site.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
WIDE = ("gallery/claims.md",)  # a table that takes the width of the window
LINK = re.compile(r"(\]\()([^)#\s]+)([^)]*\))")
# Tests look for examples by the word after the language, which MkDocs does not understand.
NAMED_BLOCK = re.compile(r"^(```\w+) \w+$", re.MULTILINE)


def on_files(files, config):
    """Add the pages of the top folder, and the files there that any page links to."""
    root, docs = Path(config.config_file_path).parent, Path(config.docs_dir).name
    for page in PAGES:
        files.append(_outside_file(root, page, config))
    linked = set()
    for file in files.documentation_pages():
        for target in LINK.findall(Path(file.abs_src_path).read_text(encoding="utf-8")):
            path = posixpath.normpath(posixpath.join(_repository_folder(file, docs), target[1]))
            if not path.startswith((docs, "..")) and path not in PAGES and (root / path).is_file():
                linked.add(path)
    for path in sorted(linked):
        files.append(_outside_file(root, path, config))
    return files


def on_page_markdown(markdown, page, config, files):
    """Adapt links, code blocks and wide tables to the site."""
    docs = Path(config.docs_dir).name
    folder = _repository_folder(page.file, docs)

    def adapt(link):
        start, target, end = link.groups()
        if ":" in target:
            return link[0]
        path = posixpath.normpath(posixpath.join(folder, target))
        inside = path == docs or path.startswith(f"{docs}/")
        uri = posixpath.relpath(path, docs) if inside else path
        if files.get_file_from_path(f"{uri}/README.md"):
            uri += "/README.md"
        return start + posixpath.relpath(uri, posixpath.dirname(page.file.src_uri) or ".") + end

    markdown = LINK.sub(adapt, NAMED_BLOCK.sub(r"\1", markdown))
    if page.file.src_uri in WIDE:
        page.meta["hide"] = ["navigation", "toc"]
        markdown = f'<div class="wide-table" markdown>\n\n{markdown}\n\n</div>'
    return markdown


def _outside_file(root, path, config):
    """Return a file that is not in docs/."""
    return File(path, str(root), config.site_dir, config.use_directory_urls)


def _repository_folder(file, docs):
    """Return the folder of the source of a page, relative to the top folder."""
    return "" if file.src_uri in PAGES else posixpath.join(docs, posixpath.dirname(file.src_uri))
