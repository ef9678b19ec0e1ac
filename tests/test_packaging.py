"""What is shipped is what stands in the tree, once, under the import name `unco`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from test_layout import FOLDERS, ROOT

pytestmark = pytest.mark.xdist_group("packaging")
METADATA = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
UNSHIPPED = shutil.ignore_patterns("__pycache__", ".*")


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a build reads, links as links, so that nothing is built in the tree itself."""
    copy = tmp_path_factory.mktemp("tree")
    for folder in ("unco", *FOLDERS):
        shutil.copytree(ROOT / folder, copy / folder, symlinks=True, ignore=UNSHIPPED)
    for name in METADATA:
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def built(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from the sdist."""
    out = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, tree, cwd=out)
    return out


def files(top: Path, folder: str) -> set[str]:
    """Every file of a folder, relative to the top; what lies behind a link is not followed."""
    walked = os.walk(top / folder, followlinks=False)
    return {Path(place, name).relative_to(top).as_posix() for place, _, names in walked for name in names}


def sources(tree: Path) -> set[str]:
    return files(tree, "unco").union(*(files(tree, folder) for folder in FOLDERS))


def test_the_wheel_holds_each_file_of_the_tree_under_the_import_name_and_nothing_else(tree: Path, built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        shipped = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert len(shipped) == len(set(shipped))
    assert set(shipped) == {name if name.startswith("unco/") else f"unco/{name}" for name in sources(tree)}


def test_the_sdist_holds_each_file_of_the_tree_once_and_no_link(tree: Path, built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    held = ["/".join(PurePosixPath(member.name).parts[1:]) for member in members if member.isfile()]
    ours = [name for name in held if name.split("/")[0] in ("unco", *FOLDERS)]
    assert not [member.name for member in members if member.issym() or member.islnk()]
    assert sorted(ours) == sorted(sources(tree))
    assert set(METADATA) <= set(held)


def test_the_installed_wheel_is_imported_from_where_it_was_installed(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    quiet = ("--quiet", "--disable-pip-version-check", "--root-user-action=ignore")
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        *quiet,
        "--no-index",
        "--no-deps",
        "--target",
        tmp_path,
        wheel,
        cwd=built,
    )
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import unco.specs.document as found; print(found.__file__)"
    )
    shown = run(sys.executable, "-I", "-c", code, cwd=built)
    assert Path(shown.strip()) == tmp_path / "unco/specs/document.py"
