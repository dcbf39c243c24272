"""The settings of Sphinx: ``make docs`` builds the site in ``build/site``."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from retrosolve import __version__  # noqa: E402  # the path has to be set first
from retrosolve.languages import DEFAULT, LANGUAGES  # noqa: E402

# The kernel of notebooks has settings of its own: it says nothing about its connection.
SETTINGS = ROOT / "build" / "ipython"
(SETTINGS / "profile_default").mkdir(parents=True, exist_ok=True)
(SETTINGS / "profile_default" / "ipython_kernel_config.py").write_text(
    "c = get_config()\nc.Application.log_level = 40\n"
)
os.environ["IPYTHONDIR"] = str(SETTINGS)

project = "retrosolve"
author = "The retrosolve authors"
project_copyright = author
release = version = __version__
extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "docs.site.extension",
]
exclude_patterns = [
    "_static",
    "_templates",
    "site",
    "start/clone.md",
]  # clone.md is included in other pages
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 120

autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "retrosolve"
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_sidebars = {"index": [], "compare": [], "performance": []}  # pages without others below them
html_sidebars |= {f"**.{code}": ["language-pages"] for code in LANGUAGES if code != DEFAULT}
html_favicon = "_static/icon.svg"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "retrosolve", "image_light": "_static/icon.svg", "image_dark": "_static/icon.svg"},
    "navbar_end": ["language-switcher", "theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": ["site-facts"],
    "header_links_before_dropdown": 8,
    "navigation_depth": 2,
    "show_toc_level": 2,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
}
