"""Page views -> HTML bytes, through the theme's templates. The one place that escapes.

Everything is escaped, undefined names are errors, and control characters of recorded output
are shown as symbols wherever they turn up.
"""

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from runner.contract.errors import Problem
from sitegen.catalog import Catalog
from sitegen.errors import ContentError, PageError
from sitegen.pages.page import LANGUAGE_TAGS, PageView
from sitegen.pages.place import relative
from sitegen.visible import shown

PROJECT_FOLDER = "templates"
ASSETS = "assets"
GAPS = {"en": " ", "zh": ""}
"""What stands between a label and its text: full-width punctuation brings its own space."""

_REMEMBERED, _SHORT = 8192, 4096
"""How many parts of pages are kept, of how many characters at most: never more than some 30 MB."""


def ticked(text: str) -> Markup:
    """A statement in which `backticks` mark code, as authors write them in manifests."""
    parts = str(visible(text)).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )


def theme_folder() -> Path:
    """The default theme: beside the packages in a checkout, inside this one in a wheel."""
    inside = Path(__file__).with_name("templates")
    return inside if inside.is_dir() else Path(__file__).parent.with_name("templates")


class Part(Markup):
    """A part of a page that was rendered, so that nothing in it is left to be shown."""

    __slots__ = ()


def visible(value: object) -> object:
    """Text with its control and formatting characters as symbols, markup too; any other value as it is."""
    if not isinstance(value, str) or isinstance(value, Part):
        return value
    seen = shown(value)
    return Markup(seen) if seen is not value and isinstance(value, Markup) else seen  # noqa: S704  it was markup before


class Compiled(BytecodeCache):
    """Every template that this process compiled, by its file: a preview that builds again compiles what changed."""

    def __init__(self) -> None:
        self._codes: dict[str, tuple[str, CodeType | None]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Find the code of the same text at the same place."""
        checksum, code = self._codes.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of one template, in place of that of an earlier text."""
        self._codes[bucket.key] = bucket.checksum, bucket.code


_COMPILED = Compiled()


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders pages with a project's own templates before the default theme's."""

    environment: Environment
    folders: tuple[Path, ...]
    _parts: dict[tuple[str, str, str, int], tuple[object, Part]] = field(default_factory=dict)
    """Parts of pages by template, language, folder and the identity of their value, which stays as long as the part."""

    def page(self, view: PageView, catalog: Catalog) -> str:
        """The HTML of one page. Raises `PageError` that names template and line."""
        location = view.location

        words = {"say": catalog.say, "number": catalog.number, "gap": GAPS[view.frame.language], "tags": LANGUAGE_TAGS}

        def rel(target: str) -> str:
            return relative(location, target)

        try:
            template = self.environment.get_template(view.template)
            return template.render(
                words, view=view, frame=view.frame, rel=rel, part=self._part(location, words, catalog)
            )
        except ContentError as error:
            template_name, line = self._place(error, view)
            asked = f" (for {PROJECT_FOLDER}/{template_name}, line {line})"
            named = (Problem(item.file, item.where, f"{item.what}{asked}", item.todo) for item in error.problems)
            raise ContentError(*named) from error
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise PageError(self._problem(error, view)) from error

    def assets(self) -> Mapping[str, bytes]:
        """The theme's static files by their place in the site, the project's own first."""
        found: dict[str, bytes] = {}
        for folder in reversed(self.folders):
            for path in sorted((folder / ASSETS).glob("*")):
                if path.is_file():
                    found[f"{ASSETS}/{path.name}"] = path.read_bytes()
        return dict(sorted(found.items()))

    def _part(self, location: str, words: Mapping[str, object], catalog: Catalog) -> Callable[[str, object], Part]:
        """The function `part(template, value)` of templates: a part of a page that shows nothing but `value`, as `it`.

        The part of one value is rendered once for the pages of a folder. A part links to other pages only.
        """
        folder = f"{location.rpartition('/')[0]}/"
        kept, language = self._parts, catalog.language

        def part(name: str, value: object) -> Part:
            key = (name, language, folder, id(value))
            if found := kept.get(key):
                return found[1]
            template = self.environment.get_template(name)
            markup = Part(template.render(words, it=value, rel=partial(relative, folder), part=part))
            if len(kept) >= _REMEMBERED:
                kept.clear()
            if len(markup) <= _SHORT:
                kept[key] = (value, markup)
            return markup

        return part

    def _problem(self, error: Exception, view: PageView) -> Problem:
        if isinstance(error, TemplateSyntaxError):
            name, line = str(error.name or view.template), error.lineno
        elif isinstance(error, TemplateNotFound):
            name, line = str(error.name or view.template), 0
        else:
            name, line = self._place(error, view)
        where = f"line {line}" if line else ""
        said = (error.message if isinstance(error, TemplateError) else str(error)) or type(error).__name__
        return Problem(f"{PROJECT_FOLDER}/{name}", where, f"{said} (page {view.location})", "mend the template")

    def _place(self, error: Exception, view: PageView) -> tuple[str, int]:
        """The template and the line where an error arose; line 0 if it arose before any."""
        name, line = view.template, 0
        for frame in traceback.extract_tb(error.__traceback__):
            for folder in self.folders:
                if Path(frame.filename).is_relative_to(folder):
                    name = Path(frame.filename).relative_to(folder).as_posix()
                    line = frame.lineno or 0
        return name, line


def renderer(project: Path | None = None) -> Renderer:
    """A renderer for the project at `project`, or for the default theme alone."""
    own = (project / PROJECT_FOLDER,) if project is not None else ()
    folders = tuple(dict.fromkeys(path.resolve() for path in (*own, theme_folder()) if path.is_dir()))
    environment = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    environment.filters["ticked"] = ticked
    return Renderer(environment, folders)
