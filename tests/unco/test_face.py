"""The public names: pinned, lazy, typed alike for editors and at run time."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import unco

HEAVY = {"z3", "pint", "ray", "openai", "pydantic", "jinja2", "lark", "yaml", "typer"}
NAMES = [
    "CODES", "Answer", "AnswerFormat", "BuildOptions", "Built", "CandidateGroup", "CheckOptions", "Checked", "Claim",
    "ClaimName", "Diagnostic", "Fact", "FactsOptions", "FactsSummary", "Family", "FamilyClaim", "FamilyClaimName",
    "FamilyProof", "FamilyProved", "FamilyRefuted", "FamilyReport", "FamilyUnknown", "InconsistencyError",
    "InfrastructureError", "Instance", "InstantiateOptions", "Loaded", "NoWinner", "Pins", "ProcessExecutor", "Proof",
    "ProveFamilyOptions", "ProveOptions", "Proved", "RayExecutor", "Refuted", "Rejection", "RenderOptions",
    "RenderedGroup", "Retained", "Scope", "Score", "SerialExecutor", "Setting", "SeveralEligible", "Severity", "Span",
    "Specification", "SpecificationError", "Summary", "Task", "UncoError", "Unknown", "UsageError", "Vacuous",
    "Validation", "Verdict", "Watcher", "Winner", "WitnessPair", "__version__", "build", "build_facts", "check",
    "example", "instantiate", "json_schema", "load", "load_pins", "parse", "parse_answer", "perturb", "prove",
    "prove_family", "read_facts", "render", "run", "score", "shipped_facts", "shipped_specifications", "show",
    "to_yaml", "validate", "write", "write_answer",
]  # fmt: skip


def loaded_by(code: str, *arguments: str) -> set[str]:
    """The modules that the code loads, in a fresh interpreter."""
    script = f"import sys, json\n{code}\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_public_names_are_these() -> None:
    assert sorted(unco.__all__) == sorted(NAMES)
    assert set(NAMES) <= set(dir(unco))


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_leads_somewhere(name: str) -> None:
    assert getattr(unco, name) is not None


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'nothing'"):
        unco.nothing  # noqa: B018


def test_editors_see_what_is_imported_at_run_time() -> None:
    tree = ast.parse(Path(unco.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    seen = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {name: (f"unco.{module}", original) for name, (module, original) in unco._NAMES.items()}


def test_importing_unco_imports_nothing_else() -> None:
    ours = {name for name in loaded_by("import unco") if name.startswith("unco")}
    assert ours == {"unco"}


@pytest.mark.parametrize("arguments", [("--help",), ("check", "--help"), ("build", "--help"), ("--version",)])
def test_help_imports_nothing_that_only_work_needs(arguments: tuple[str, ...]) -> None:
    code = "from unco.cli import main\ntry: main()\nexcept SystemExit as end: assert not end.code"
    loaded = loaded_by(code, *arguments)
    assert "typer" in loaded
    assert loaded & (HEAVY - {"typer"}) == set()


def test_work_on_text_alone_imports_no_solver() -> None:
    code = "import unco; unco.load(unco.shipped_specifications()['vacation-days']); unco.json_schema(); unco.score"
    assert "z3" not in loaded_by(code)


def test_the_example_of_the_docstring_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (unco.__doc__ or "").split("\n\n    import unco\n")[1].split("\n\nEvery name")[0]
    code = "import unco\n" + "\n".join(line.removeprefix("    ") for line in text.splitlines())
    path = unco.shipped_specifications()["underground-superintendent"]
    exec(code.replace("my_spec.yaml", str(path)), {})
    assert "ANSWER: " in capsys.readouterr().out
