"""The templates and the one way to fill them: sandboxed, strict, and blind to markup in what is filled in.

Text of an author is only ever a value, never the source of a template.
"""

from __future__ import annotations

from functools import cache, reduce
from hashlib import sha256
from importlib import resources

from jinja2 import FunctionLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from unco.specs.errors import Diagnostic, SpecificationError

SUFFIX = ".j2"
MARKUP = (".html.j2", ".htm.j2", ".svg.j2")


def fill(name: str, /, **values: object) -> str:
    """The template of this name, such as `render/record.txt.j2`, with these values; raises UNC601."""
    try:
        return _environment().get_template(name).render(values).strip("\n")
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        found = f"{type(error).__name__}: {error}"
        raise SpecificationError(
            [Diagnostic("UNC601", f"the template `{name}` failed", path=name, found=found)]
        ) from error


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith(MARKUP),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )


def _source(name: str) -> str | None:
    """The text of a template file of this package; None where there is none."""
    parts = name.split("/")
    if not name.endswith(SUFFIX) or any(part in ("", ".", "..") for part in parts):
        return None
    file = reduce(lambda place, part: place / part, parts, resources.files("unco.templates"))
    return file.read_text(encoding="utf-8") if file.is_file() else None


def text_hash(folder: str) -> str:
    """The hash of all templates in a folder, so that it is seen where one of them is another."""
    place = resources.files("unco.templates") / folder
    texts = sorted((each.name, each.read_bytes()) for each in place.iterdir() if each.name.endswith(SUFFIX))
    whole = sha256()
    for name, text in texts:
        whole.update(f"{name} {len(text)}\n".encode() + text)
    return whole.hexdigest()
