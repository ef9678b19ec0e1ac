"""Maps the top-level folders to the import name `unco.*`; all other metadata stands in pyproject.toml."""

from setuptools import find_namespace_packages, setup

FOLDERS = ("specs", "templates", "solver", "llm", "compiler")

packages = {"unco": "unco", "unco.cli": "unco/cli"}
for folder in FOLDERS:
    packages[f"unco.{folder}"] = folder
    for sub in find_namespace_packages(folder, exclude=["*__pycache__*"]):
        packages[f"unco.{folder}.{sub}"] = f"{folder}/{sub.replace('.', '/')}"

setup(packages=list(packages), package_dir=packages)
