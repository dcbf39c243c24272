"""What is said about the release agrees; completion works; a user's program runs."""

import re
import tomllib

import yaml
from click.shell_completion import BashComplete

from retrosolve.cli import COMMANDS, group
from tests.package.clean_environments import PROGRAMS
from tests.package.user_program import main
from tests.support.pages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_citation_names_a_version_only_once_it_is_released() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## (\d\S*)", changelog, re.MULTILINE)
    assert versions[:1] in ([], [PROJECT["version"]])
    if "No version is on the package index" in changelog:
        assert not {"version", "date-released"} & set(cited)
    else:
        assert (cited["version"], "date-released" in cited) == (PROJECT["version"], True)
    assert cited["license"] == PROJECT["license"]


def test_citation_has_what_the_format_requires() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["cff-version"] == "1.2.0"
    assert all(
        set(author) <= {"name", "family-names", "given-names", "orcid"} for author in cited["authors"]
    )


def test_commands_and_options_are_completed() -> None:
    shell = BashComplete(group, {}, "retrosolve", "_RETROSOLVE_COMPLETE")
    assert [item.value for item in shell.get_completions([], "")] == list(COMMANDS)
    assert [item.value for item in shell.get_completions(["solve"], "--obj")] == ["--objective"]
    assert "_RETROSOLVE_COMPLETE=bash_complete" in shell.source()


def test_every_extra_of_users_is_tried_in_an_environment_of_its_own() -> None:
    assert set(PROGRAMS) == {""} | set(PROJECT["optional-dependencies"]) - {"bench", "docs", "test"}


def test_a_typed_program_runs() -> None:
    assert main() == ("WIN in 7, down, acyclic", 1, ["take 1"])
