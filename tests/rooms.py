"""Which tests belong to which room of the package: what `make quick` runs after a change.

``python -m tests.rooms`` prints the tests of what has changed since the last commit, or in it if nothing has.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent

ALWAYS = ("conformance", "heart/test_proofs.py", "heart/test_solvers.py", "test_messages.py")

ROOMS = {
    "adapters": ("rules/test_openspiel.py",),
    "arrays": ("frames", "formats"),
    "cli": ("cli", "test_examples.py"),
    "compilation": ("compilation", "rules"),
    "distributed": ("solvers",),
    "drawing": ("drawing", "plots", "games/test_pictures.py"),
    "errors": ("test_values.py", "cli"),
    "explanation": ("explanation",),
    "external": ("external",),
    "formats": ("formats", "frames"),
    "games": ("games",),
    "languages": ("languages",),
    "objectives": ("objectives", "verification"),
    "pursuit": ("pursuit",),
    "rules": ("rules", "test_arguments.py"),
    "runtime": ("runtime", "test_planning.py"),
    "solution": ("solution", "plots"),
    "solvers": ("solvers", "objectives"),
    "solving": ("test_planning.py", "test_arguments.py", "solvers"),
    "spaces": ("spaces", "csr", "solvers"),
    "store": ("store",),
    "tables": ("solution", "store", "verification"),
    "testing": ("testing",),
    "values": ("test_values.py", "solution"),
    "verification": ("verification",),
    "web": ("web",),
}


def belonging(changed: str) -> tuple[str, ...]:
    """Return the tests of a changed file, below ``tests``."""
    first, *rest = Path(changed).parts
    if changed.startswith("src/retrosolve/"):
        return ROOMS.get(Path(rest[1]).stem, ())
    if first == "tests" and (
        rest[0] in ("support", "data", "conftest.py") or rest[0].startswith("bad_")
    ):
        return ()
    if first == "tests":
        return ("/".join(rest),) if rest[-1].startswith("test_") else (rest[0],)
    return ("docs",) if first == "docs" else ("package", "architecture")


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def main() -> None:
    changed = git("diff", "--name-only", "HEAD") + git("ls-files", "--others", "--exclude-standard")
    changed = changed or git("diff", "--name-only", "HEAD~1")
    found = [*ALWAYS, *(test for path in changed for test in belonging(path))]
    print(*(f"tests/{test}" for test in dict.fromkeys(found) if (ROOT / "tests" / test).exists()))


if __name__ == "__main__":
    main()
